/* Any bytes become a task, options and a tiny matrix of numbers that are hard to compute with: small and large units,
 * denormals, offsets, columns that depend on others exactly or nearly, unequal weights. The data is fitted or refused
 * with a message, within two seconds of processor time (more under sanitizers). The fit's own check does not refute it,
 * and what is saved can be loaded.
 *
 * Byte 0 is the method, 1 the switches, 2 the rows, 3 the columns. One byte follows for the family of each column, and
 * of the targets; then for each row one byte a column, its target, its weight. Bytes that are missing are 0.
 */
#include "fuzz.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "linpred/linpred.h"

enum { MAX_ROWS = 12, MAX_COLUMNS = 5 };

#ifdef FUZZ_SLOW
static const double max_seconds = 20.0;
#else
static const double max_seconds = 2.0;
#endif

typedef struct fit_case {
    int rows, columns, method, switches;
    double x[MAX_ROWS * MAX_COLUMNS], target[MAX_ROWS], weight[MAX_ROWS];
} fit_case;

static const struct {
    linpred_task task;
    const char *task_word, *option, *word;
    bool origin; /* knows no-intercept */
} methods[] = {{LINPRED_TASK_HALFSPACE, "halfspace", NULL, NULL, true},
               {LINPRED_TASK_HALFSPACE, "halfspace", "method", "perceptron", true},
               {LINPRED_TASK_HALFSPACE, "halfspace", "method", "pocket", true},
               {LINPRED_TASK_HALFSPACE, "halfspace", "method", "lp", true},
               {LINPRED_TASK_HALFSPACE, "halfspace", "method", "margin", true},
               {LINPRED_TASK_HALFSPACE, "halfspace", "method", "exact", true},
               {LINPRED_TASK_LOGISTIC, "logistic", NULL, NULL, true},
               {LINPRED_TASK_LOGISTIC, "logistic", "method", "newton-cg", true},
               {LINPRED_TASK_REGRESSION, "regression", NULL, NULL, true},
               {LINPRED_TASK_REGRESSION, "regression", "loss", "absolute", true},
               {LINPRED_TASK_BALL, "ball", NULL, NULL, false},
               {LINPRED_TASK_BALL, "ball", "method", "exact", false}};

enum {
    METHODS = sizeof methods / sizeof *methods,
    NO_INTERCEPT = 1,
    WEIGHTS = 2,
    FACTORS = 4, /* class weights of a logistic fit, costs of an exact one, a quantile of absolute loss */
    PENALTY = 8,
    DEGREE = 16
};

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static const double extremes[] = {0.0,     -0.0,   1.0,         -1.0,     DBL_MAX, -DBL_MAX, DBL_MIN, 0x1p-1074,
                                  1e300,   -1e300, 1e-300,      1e150,    -1e150,  1e-150,   1e16,    0.1,
                                  0x1p53,  0.5,    -0x1p-1074,  0x1p1023, 1e-20,   1e20,     3.0,     -3.0,
                                  0x1p-53, 1e308,  0x1.8p-1074, 1e-310,   1e-160,  1e160,    1e154,   1e-154};

/* A number of the family: k small steps away from something. `before` is the number in the column before. */
static double number(uint8_t family, uint8_t byte, double before)
{
    static const double nearly[] = {0.0, 0x1p-20, 0x1p-44, 0x1p-52};
    int k = byte % 7 - 3;
    double step = k;
    switch (family % 14) {
    case 0:
        return step;
    case 1:
        return step / 10.0;
    case 2:
        return 1e6 + step;
    case 3:
        return 1.0 + step * 0x1p-20;
    case 4:
        return step * 0x1p-1074;
    case 5:
        return step * 1e-20;
    case 6:
        return step * 1e10;
    case 7:
        return byte & 64 ? step * 1e10 : byte & 128 ? step * 1e-10 : step;
    case 8:
        return step * 1e150;
    case 9:
        return step * 1e-150;
    case 10:
        return extremes[byte % (sizeof extremes / sizeof *extremes)];
    case 11:
        return isfinite(3.0 * before) ? 3.0 * before : before;
    case 12:
        return before * (1.0 + (byte & 1 ? nearly[family / 14 % 4] : 0.0));
    default:
        return 3.7;
    }
}

static double weight_of(uint8_t byte)
{
    static const double weights[] = {1.0, 2.0, 0.0, 0.1, 3.0, 1e10, 1e-10, 0x1p-1074, 1e150, 0.7, 1e-320, 5.0};
    return weights[byte % (sizeof weights / sizeof *weights)];
}

static uint8_t next(const uint8_t **bytes, size_t *count)
{
    if (*count == 0)
        return 0;
    --*count;
    return *(*bytes)++;
}

static fit_case read_case(const uint8_t *bytes, size_t count)
{
    fit_case c = {.method = next(&bytes, &count) % METHODS};
    uint8_t family[MAX_COLUMNS + 1];
    bool regression = methods[c.method].task == LINPRED_TASK_REGRESSION;
    c.switches = next(&bytes, &count);
    c.rows = 1 + next(&bytes, &count) % MAX_ROWS;
    c.columns = 1 + next(&bytes, &count) % MAX_COLUMNS;
    for (int j = 0; j <= c.columns; j++)
        family[j] = next(&bytes, &count);
    for (int i = 0; i < c.rows; i++) {
        for (int j = 0; j < c.columns; j++)
            c.x[i * c.columns + j] =
                number(family[j], next(&bytes, &count), j > 0 ? c.x[i * c.columns + j - 1] : i % 3 - 1.0);
        uint8_t target = next(&bytes, &count);
        c.target[i] = regression ? number(family[c.columns], target, c.x[i * c.columns]) : target & 1 ? 1.0 : -1.0;
        c.weight[i] = weight_of(next(&bytes, &count));
    }
    return c;
}

/* ---- what is said of a failure ----------------------------------------------------------------------------------- */

static void print_case(const fit_case *c, const linpred_options *options)
{
    (void)options;
    fprintf(stderr, "linpred fit %s", methods[c->method].task_word);
    if (methods[c->method].option)
        fprintf(stderr, " --%s %s", methods[c->method].option, methods[c->method].word);
    fprintf(stderr, " (switches %d)\n", c->switches & 31);
    for (int j = 0; j < c->columns; j++)
        fprintf(stderr, "v%d,", j);
    fprintf(stderr, "wt,y\n");
    for (int i = 0; i < c->rows; i++) {
        for (int j = 0; j < c->columns; j++)
            fprintf(stderr, "%.17g,", c->x[i * c->columns + j]);
        fprintf(stderr, "%.17g,%.17g\n", c->weight[i], c->target[i]);
    }
}

static void demand(bool holds, const fit_case *c, const char *what, const char *more)
{
    if (!holds) {
        fprintf(stderr, "fuzz: %s: %s\n", what, more);
        print_case(c, NULL);
        abort();
    }
}

/* ---- the fit ----------------------------------------------------------------------------------------------------- */

static void set(linpred_options *options, const fit_case *c, const char *name, const char *text)
{
    linpred_error error = {.message = ""};
    demand(linpred_options_set(options, name, text, &error) == LINPRED_OK, c, "an option is refused", error.message);
}

static linpred_options *make_options(const fit_case *c)
{
    linpred_options *options = linpred_options_new();
    demand(options != NULL, c, "no options", "");
    linpred_task task = methods[c->method].task;
    const char *word = methods[c->method].word ? methods[c->method].word : "";
    bool absolute = strcmp(word, "absolute") == 0;
    linpred_options_set_task(options, task);
    set(options, c, "threads", "1");
    if (methods[c->method].option)
        set(options, c, methods[c->method].option, word);
    if ((c->switches & NO_INTERCEPT) && methods[c->method].origin)
        set(options, c, "no-intercept", "yes");
    if ((c->switches & FACTORS) && task == LINPRED_TASK_LOGISTIC)
        set(options, c, "class-weights", c->switches & 128 ? "balanced" : "0.1:0.7");
    if ((c->switches & FACTORS) && task == LINPRED_TASK_HALFSPACE && strcmp(word, "exact") == 0)
        set(options, c, "cost", "0.1:0.7");
    if ((c->switches & FACTORS) && absolute)
        set(options, c, "quantile", "0.3");
    if ((c->switches & PENALTY) && !absolute && (task == LINPRED_TASK_LOGISTIC || task == LINPRED_TASK_REGRESSION))
        set(options, c, "l2", c->switches & 128 ? "1e-10" : "0.5");
    return options;
}

/* A result is verified, saved and loaded. */
static void use_result(const fit_case *c, const linpred_result *result, const linpred_data *data)
{
    linpred_error error = {.message = ""};
    linpred_check *check = NULL;
    linpred_result *again = NULL;
    char *text = NULL;
    size_t length = 0;
    demand(linpred_verify(result, data, 1, &check, &error) == LINPRED_OK, c, "a fit cannot be checked", error.message);
    demand(linpred_check_verdict(check) != LINPRED_REFUTED, c, "a fit is refuted", linpred_check_summary(check));
    linpred_check_free(check);
    if (linpred_result_to_text(result, &text, &length, &error) == LINPRED_OK) {
        demand(linpred_result_from_text(text, length, false, &again, &error) == LINPRED_OK, c,
               "a saved model is refused", error.message);
        linpred_result_free(again);
        linpred_text_free(text);
    } else {
        demand(error.message[0] != '\0', c, "a model is not saved", "without a message");
    }
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    fit_case c = read_case(bytes, count);
    double began = processor_seconds();
    linpred_error error = {.message = ""};
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    linpred_options *options = make_options(&c);
    linpred_arrays arrays = {.struct_size = sizeof arrays,
                             .rows = c.rows,
                             .columns = c.columns,
                             .values = c.x,
                             .labels = c.target,
                             .weights = c.switches & WEIGHTS ? c.weight : NULL};
    linpred_status status = linpred_data_from_arrays(&arrays, &data, &error);
    if (status == LINPRED_OK)
        status = linpred_fit(data, options, &result, &error);
    demand(status == LINPRED_OK || error.message[0] != '\0', &c, "a fit is refused", "without a message");
    if (status == LINPRED_OK)
        use_result(&c, result, data);
    demand(processor_seconds() - began < max_seconds, &c, "a fit takes too long", "");
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
    return 0;
}
