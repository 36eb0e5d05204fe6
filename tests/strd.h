/* The NIST StRD sets: fits each by the plain command's options and counts correct digits (LRE) of every parameter. Uses
 * the public interface only; the test asserts what the table of the accuracy command shows. */
#ifndef LINPRED_TESTS_STRD_H
#define LINPRED_TESTS_STRD_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linpred/linpred.h"

typedef struct strd_score {
    char set[32];
    int rows;
    int degree;
    int intercept;
    int parameters;
    double coefficient; /* worst LRE; where the true value is 0: 15 if below 1e-12, else 0 */
    double standard_error;
    char method[16];
} strd_score;

/* log relative error, at most 15; for a true 0 whether the value is below 1e-12 */
static inline double strd_lre(double value, long double truth)
{
    if (isnan(value))
        return 0.0;
    if (truth == 0.0L)
        return fabs(value) < 1e-12 ? 15.0 : 0.0;
    long double error = fabsl((long double)value - truth) / fabsl(truth);
    return error > 0 ? fmin(15.0, -(double)log10l(error)) : 15.0;
}

static inline linpred_result *strd_fit(const char *folder, const strd_score *score, linpred_data **data)
{
    char path[700];
    linpred_options *options = linpred_options_new();
    linpred_error error = {.message = "out of memory"};
    linpred_result *result = NULL;
    snprintf(path, sizeof path, "%s/%s.csv", folder, score->set);
    if (!options || linpred_options_set(options, "task", "regression", &error) != LINPRED_OK ||
        linpred_options_set(options, "target", "y", &error) != LINPRED_OK ||
        linpred_options_set_count(options, "degree", score->degree, &error) != LINPRED_OK ||
        linpred_options_set_switch(options, "no-intercept", !score->intercept, &error) != LINPRED_OK ||
        linpred_data_load(path, options, data, &error) != LINPRED_OK ||
        linpred_fit(*data, options, &result, &error) != LINPRED_OK)
        fprintf(stderr, "%s\n", error.message);
    linpred_options_free(options);
    return result;
}

/* Calls `each` for every set in the table of certified figures, after its last parameter. Answers the number of sets.
 */
static inline int strd_all(const char *folder, const char *figures,
                           void (*each)(const strd_score *score, const linpred_result *result,
                                        const linpred_data *data))
{
    char line[300];
    FILE *file = fopen(figures, "r");
    strd_score now = {.set = ""};
    linpred_result *result = NULL;
    linpred_data *data = NULL;
    int sets = 0;
    bool more = file && fgets(line, sizeof line, file) != NULL; /* the header */
    while (more) {
        char set[32] = "", name[32], coefficient[64], error[64];
        int rows = 0, degree = 0, intercept = 0;
        more =
            fgets(line, sizeof line, file) != NULL && sscanf(line, "%31[^,],%d,%d,%d,%31[^,],%63[^,],%63s", set, &rows,
                                                             &degree, &intercept, name, coefficient, error) == 7;
        if (now.set[0] && (!more || strcmp(set, now.set) != 0)) {
            each(&now, result, data);
            linpred_result_free(result);
            linpred_data_free(data);
            result = NULL;
            data = NULL;
            sets++;
        }
        if (!more)
            break;
        if (strcmp(set, now.set) != 0) {
            now = (strd_score){
                .rows = rows, .degree = degree, .intercept = intercept, .coefficient = 15, .standard_error = 15};
            strcpy(now.set, set);
            result = strd_fit(folder, &now, &data);
            if (result)
                snprintf(now.method, sizeof now.method, "%s", linpred_method_name(linpred_result_method(result)));
        }
        int32_t columns = result ? linpred_model_columns(linpred_result_model(result)) + intercept : 0;
        double worst = 0.0, worst_error = 0.0;
        for (int32_t j = 0; j < columns; j++) {
            linpred_coefficient c = {.struct_size = sizeof c};
            linpred_result_coefficient(result, j, &c);
            if (strcmp(c.name, name) != 0)
                continue;
            worst = strd_lre(c.value, strtold(coefficient, NULL));
            worst_error = strd_lre(c.standard_error, strtold(error, NULL));
        }
        now.parameters++;
        now.coefficient = fmin(now.coefficient, worst);
        now.standard_error = fmin(now.standard_error, worst_error);
    }
    if (file)
        fclose(file);
    return sets;
}

#endif
