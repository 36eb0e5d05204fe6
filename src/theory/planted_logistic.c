/* Rows for logistic regression, in the two cases in which the rows are not separated.
 *
 * quasi-separated
 *     w_1 … w_{d-1} and b are in ±1 … ±9, w_d = ±1. A row on the hyperplane <w,x> + b = 0 has any x_1 … x_{d-1} and
 *     x_d = -w_d (Σ_{j<d} w_j x_j + b), which is exact because values are multiples of 1/1024. To x_d of a row off the
 *     hyperplane y w_d a is added, a > 0. The first 2d rows are d affinely independent points of the hyperplane, each
 *     with both labels. A direction v with <v,z> >= 0 on every row must be 0 on them, so it is a multiple of (w,b), and
 *     nothing separates.
 * logistic
 *     P(y=1|x) = 1/(1+exp(-<w,x>-b)), w_j and b in ±1/8 … ±9/8. The first 2(d+1) rows are 0, e_1, …, e_d, each with
 * both labels. Their signed rows sum to 0 and span the space, so that a minimiser exists and is unique.
 */
#include <inttypes.h>

#include "core/error.h"
#include "core/memory.h"
#include "theory/instances.h"

static linpred_status need_rows(const linpred_instance *instance, int64_t min_rows, linpred_error *error)
{
    if (instance->rows >= min_rows)
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_USAGE,
                         "with %d columns at least %" PRId64 " rows are needed, not %" PRId64, instance->columns,
                         min_rows, instance->rows);
}

/* Rows 2k and 2k+1 are both e_k, where e_0 = 0; the first has the label -1, the second +1. */
static void put_unit_vector(linpred_instance *instance, int64_t row)
{
    if (row >= 2)
        linpred__instance_row(instance, row)[row / 2 - 1] = 1.0;
    instance->targets[row] = row % 2 ? 1.0 : -1.0;
}

/* Sets x_d so that the score of the row is `away`. */
static void set_score(double *x, int32_t columns, const double *w, double b, double away)
{
    double sum = b;
    for (int32_t j = 0; j + 1 < columns; j++)
        sum += w[j] * x[j];
    x[columns - 1] = w[columns - 1] * (away - sum);
    x[columns - 1] += 0.0; /* turns -0 into 0 */
}

static void draw_quasi_separated(linpred_instance *instance, const double *w, double b, linpred__random *random)
{
    int32_t columns = instance->columns;
    int64_t strict = 0;
    for (int64_t i = 0; i < instance->rows; i++) {
        double *x = linpred__instance_row(instance, i);
        double away = 0.0;
        if (i < 2 * columns) {
            put_unit_vector(instance, i);
        } else {
            for (int32_t j = 0; j + 1 < columns; j++)
                x[j] = linpred__to_grid(linpred__random_normal(random), LINPRED__DYADIC);
            instance->targets[i] = linpred__random_below(random, 2) ? 1.0 : -1.0;
            bool on_plane = linpred__random_below(random, 2) && i + 1 < instance->rows;
            if (!on_plane)
                away = instance->targets[i] * (double)(1 + linpred__random_below(random, 4 * LINPRED__DYADIC)) /
                       LINPRED__DYADIC;
            strict += !on_plane;
        }
        set_score(x, columns, w, b, away);
    }
    linpred__truth_key(instance, "direction");
    linpred__truth_vector(instance, w, b, true);
    linpred__truth_count(instance, "strict_rows", strict);
}

/* Checks that there are at least `rows` rows, seeds the generator and allocates the weights. */
static linpred_status begin(const linpred_instance *instance, int64_t rows, const linpred_options *options,
                            linpred__random *random, double **w, linpred_error *error)
{
    linpred_status status = need_rows(instance, rows, error);
    if (status != LINPRED_OK)
        return status;
    linpred__random_seed(random, (uint64_t)options->seed);
    *w = linpred__alloc((size_t)instance->columns, sizeof **w);
    return *w ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__make_quasi_separated(linpred_instance *instance, const linpred_options *options,
                                             linpred_error *error)
{
    linpred__random random;
    double *w;
    linpred_status status = begin(instance, 2 * (int64_t)instance->columns + 1, options, &random, &w, error);
    if (status != LINPRED_OK)
        return status;
    for (int32_t j = 0; j < instance->columns; j++)
        w[j] = linpred__random_whole(&random, j + 1 < instance->columns ? 9 : 1);
    double b = linpred__random_whole(&random, 9);
    draw_quasi_separated(instance, w, b, &random);
    linpred__release(w);
    return LINPRED_OK;
}

static void draw_logistic(linpred_instance *instance, const double *w, double b, linpred__random *random)
{
    int32_t columns = instance->columns;
    for (int64_t i = 0; i < instance->rows; i++) {
        double *x = linpred__instance_row(instance, i);
        if (i < 2 * ((int64_t)columns + 1)) {
            put_unit_vector(instance, i);
            continue;
        }
        double score = b;
        for (int32_t j = 0; j < columns; j++) {
            x[j] = linpred__to_grid(linpred__random_normal(random), 1e6);
            score += w[j] * x[j];
        }
        instance->targets[i] = linpred__random_logistic(random) < score ? 1.0 : -1.0;
    }
    linpred__truth_key(instance, "coefficients");
    linpred__truth_vector(instance, w, b, true);
}

linpred_status linpred__make_logistic(linpred_instance *instance, const linpred_options *options, linpred_error *error)
{
    linpred__random random;
    double *w;
    linpred_status status = begin(instance, 2 * ((int64_t)instance->columns + 1), options, &random, &w, error);
    if (status != LINPRED_OK)
        return status;
    for (int32_t j = 0; j < instance->columns; j++)
        w[j] = linpred__random_whole(&random, 9) / 8.0;
    double b = linpred__random_whole(&random, 9) / 8.0;
    draw_logistic(instance, w, b, &random);
    linpred__release(w);
    return LINPRED_OK;
}
