/* What several tests need: random small data, arrays as data, and a plain reference for scores. */
#ifndef LINPRED_TESTS_SUPPORT_H
#define LINPRED_TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/options.h"
#include "core/random.h"
#include "linpred/linpred.h"
#include "model/model.h"

/* Rows, labels and weights that own their memory, dense and as CSR of the same numbers. */
typedef struct sample {
    int64_t rows;
    int32_t columns;
    double *values;
    double *labels;
    double *weights; /* NULL unless a test sets it */
    int64_t *start;
    int32_t *indices;
    double *entries;
} sample;

static inline sample sample_new(int64_t rows, int32_t columns)
{
    sample s = {.rows = rows, .columns = columns};
    size_t cells = (size_t)rows * (size_t)columns + 1;
    s.values = calloc(cells, sizeof(double));
    s.labels = calloc((size_t)rows, sizeof(double));
    s.start = calloc((size_t)rows + 1, sizeof(int64_t));
    s.indices = calloc(cells, sizeof(int32_t));
    s.entries = calloc(cells, sizeof(double));
    return s;
}

static inline void sample_free(sample *s)
{
    free(s->values);
    free(s->labels);
    free(s->weights);
    free(s->start);
    free(s->indices);
    free(s->entries);
}

/* Makes the CSR copy from the dense values. */
static inline void sample_index(sample *s)
{
    int64_t n = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        s->start[i] = n;
        for (int32_t j = 0; j < s->columns; j++) {
            double x = s->values[i * s->columns + j];
            if (x != 0.0) {
                s->indices[n] = j;
                s->entries[n++] = x;
            }
        }
    }
    s->start[s->rows] = n;
}

static inline linpred_data *sample_data(const sample *s, bool sparse)
{
    linpred_arrays arrays = {.struct_size = sizeof arrays,
                             .rows = s->rows,
                             .columns = s->columns,
                             .values = sparse ? s->entries : s->values,
                             .start = sparse ? s->start : NULL,
                             .indices = sparse ? s->indices : NULL,
                             .labels = s->labels,
                             .weights = s->weights};
    linpred_data *data = NULL;
    linpred_error error;
    if (linpred_data_from_arrays(&arrays, &data, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return data;
}

/* A coefficient with what is known of it; the intercept is the column after the last. Past it all is NaN. */
static inline linpred_coefficient coefficient_of(const linpred_result *result, int32_t column)
{
    linpred_coefficient coefficient = {sizeof coefficient, NULL, NAN, NAN, NAN, NAN, NAN, NAN};
    linpred_result_coefficient(result, column, &coefficient);
    return coefficient;
}

/* Small integers, so that every sum is exact and ties are common; about half of the entries zero. */
static inline sample sample_integers(linpred__random *random, int64_t rows, int32_t columns, int range)
{
    sample s = sample_new(rows, columns);
    for (int64_t i = 0; i < rows; i++) {
        for (int32_t j = 0; j < columns; j++)
            if (linpred__random_below(random, 2))
                s.values[i * columns + j] =
                    (double)((int64_t)linpred__random_below(random, 2 * (uint64_t)range + 1) - range);
        s.labels[i] = linpred__random_below(random, 2) ? 1.0 : -1.0;
    }
    s.labels[0] = 1.0;
    if (rows > 1)
        s.labels[rows - 1] = -1.0;
    sample_index(&s);
    return s;
}

/* ---- what a check says, copied out of it ---- */

typedef struct checked {
    linpred_verdict verdict;
    bool same_data;
    double errors;
    double gap;
    double lower_bound_proved;
    double worst_row; /* NaN: none */
    int64_t settled_exactly;
    char finding[8000]; /* the summary, then "name VERDICT: finding" of every claim */
} checked;

static inline linpred_status verify_result(const linpred_result *result, const linpred_data *data, int threads,
                                           checked *answer, linpred_error *error)
{
    linpred_check *check = NULL;
    linpred_status status = linpred_verify(result, data, threads, &check, error);
    if (status != LINPRED_OK)
        return status;
    answer->verdict = linpred_check_verdict(check);
    answer->same_data = linpred_check_same_data(check);
    answer->errors = linpred_check_number(check, "errors");
    answer->gap = linpred_check_number(check, "gap");
    answer->lower_bound_proved = linpred_check_number(check, "lower_bound_proved");
    answer->worst_row = linpred_check_number(check, "worst_row");
    answer->settled_exactly = (int64_t)linpred_check_number(check, "settled_exactly");
    int used = snprintf(answer->finding, sizeof answer->finding, "%s", linpred_check_summary(check));
    for (size_t i = 0; i < linpred_check_claim_count(check); i++)
        used += snprintf(answer->finding + used, sizeof answer->finding - (size_t)used, "; %s %s: %s",
                         linpred_claim_name(linpred_check_claim_kind(check, i)),
                         linpred_verdict_name(linpred_check_claim_verdict(check, i)),
                         linpred_check_claim_finding(check, i));
    linpred_check_free(check);
    return LINPRED_OK;
}

#endif
