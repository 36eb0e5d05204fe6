/* Rows for regression: y = <w,x> + b + noise, w_j and b in ±1/8 … ±9/8.
 *
 * rank-deficient
 *     The first r columns are random. Each of the others is a sum of up to three of them with small whole weights. All
 *     values are multiples of 1/1024, so that these sums, and the dependencies, are exact. The first r+1 rows are 0,
 *     e_1, …, e_r in the first r columns, so the rank is r for certain, and r+1 with the intercept. The noise is normal
 *     with the standard deviation 1/4.
 * heavy-tailed
 *     The columns are standard normal. The noise is Student's t with two degrees of freedom.
 */
#include <inttypes.h>

#include "core/error.h"
#include "core/memory.h"
#include "theory/instances.h"

/* Draws the coefficients, the intercept last; NULL if out of memory. */
static double *plant(const linpred_instance *instance, linpred__random *random)
{
    double *w = linpred__alloc((size_t)instance->columns + 1, sizeof *w);
    for (int32_t j = 0; w && j <= instance->columns; j++)
        w[j] = linpred__random_whole(random, 9) / 8.0;
    return w;
}

static void state_coefficients(linpred_instance *instance, const double *w)
{
    linpred__truth_key(instance, "coefficients");
    linpred__truth_vector(instance, w, w[instance->columns], true);
}

static double predict(const linpred_instance *instance, const double *w, const double *x)
{
    double sum = w[instance->columns];
    for (int32_t j = 0; j < instance->columns; j++)
        sum += w[j] * x[j];
    return sum;
}

/* ---- rank-deficient ---------------------------------------------------------------------------------------------- */

/* A dependent column: Σ weight[t] · column from[t]. The first weight is ±3 and the others are ±1, so that the sum is
   not 0 even if the same column was drawn three times. */
enum { TERMS = 3 };
typedef struct dependency {
    int32_t from[TERMS];
    double weight[TERMS];
} dependency;

static void draw_dependencies(dependency *list, int32_t count, int32_t rank, linpred__random *random)
{
    for (int32_t k = 0; k < count; k++)
        for (int t = 0; t < TERMS; t++) {
            list[k].from[t] = (int32_t)linpred__random_below(random, (uint64_t)rank);
            list[k].weight[t] = linpred__random_whole(random, 1) * (t == 0 ? 3.0 : 1.0);
        }
}

/* Adds each dependency to the truth, as a vector v with <v,x> = 0 on every row. `v` is scratch for one vector, all
   0. */
static void state_dependencies(linpred_instance *instance, const dependency *list, int32_t rank, double *v)
{
    linpred__truth_count(instance, "rank", rank);
    linpred__truth_key(instance, "dependencies");
    for (int32_t k = 0; k < instance->columns - rank; k++) {
        v[rank + k] = -1.0;
        for (int t = 0; t < TERMS; t++)
            v[list[k].from[t]] += list[k].weight[t];
        linpred__text_add(&instance->truth, k == 0 ? "[" : ", ");
        linpred__truth_vector(instance, v, 0.0, false);
        v[rank + k] = 0.0;
        for (int t = 0; t < TERMS; t++)
            v[list[k].from[t]] = 0.0;
    }
    linpred__text_add(&instance->truth, "]");
}

static void draw_deficient(linpred_instance *instance, const dependency *list, int32_t rank, const double *w,
                           linpred__random *random)
{
    for (int64_t i = 0; i < instance->rows; i++) {
        double *x = linpred__instance_row(instance, i);
        for (int32_t j = 0; j < rank; j++)
            if (i > rank)
                x[j] = linpred__to_grid(linpred__random_normal(random), LINPRED__DYADIC);
            else
                x[j] = j + 1 == i ? 1.0 : 0.0;
        for (int32_t k = 0; k < instance->columns - rank; k++)
            for (int t = 0; t < TERMS; t++)
                x[rank + k] += list[k].weight[t] * x[list[k].from[t]];
        double noise = 0.25 * linpred__random_normal(random);
        instance->targets[i] = linpred__to_grid(predict(instance, w, x) + noise, LINPRED__DYADIC);
    }
}

static linpred_status choose_rank(const linpred_instance *instance, int64_t asked, int32_t *rank, linpred_error *error)
{
    int64_t chosen = asked ? asked : instance->columns / 2 + (instance->columns > 2);
    if (chosen >= instance->columns)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--rank %" PRId64 " of %d columns is not deficient", chosen,
                             instance->columns);
    if (instance->rows <= chosen)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "for rank %" PRId64 " at least %" PRId64 " rows are needed, not %" PRId64, chosen,
                             chosen + 1, instance->rows);
    *rank = (int32_t)chosen;
    return LINPRED_OK;
}

linpred_status linpred__make_rank_deficient(linpred_instance *instance, const linpred_options *options,
                                            linpred_error *error)
{
    int32_t rank = 0;
    linpred_status status = choose_rank(instance, options->instance_rank, &rank, error);
    if (status != LINPRED_OK)
        return status;
    linpred__random random;
    linpred__random_seed(&random, (uint64_t)options->seed);
    double *w = plant(instance, &random);
    double *v = linpred__calloc((size_t)instance->columns, sizeof *v);
    dependency *list = linpred__alloc((size_t)(instance->columns - rank), sizeof *list);
    if (w && v && list) {
        draw_dependencies(list, instance->columns - rank, rank, &random);
        draw_deficient(instance, list, rank, w, &random);
        state_coefficients(instance, w);
        state_dependencies(instance, list, rank, v);
    } else
        status = linpred__no_memory(error);
    linpred__release(w);
    linpred__release(v);
    linpred__release(list);
    return status;
}

/* ---- heavy-tailed ------------------------------------------------------------------------------------------------ */

linpred_status linpred__make_heavy_tailed(linpred_instance *instance, const linpred_options *options,
                                          linpred_error *error)
{
    linpred__random random;
    linpred__random_seed(&random, (uint64_t)options->seed);
    double *w = plant(instance, &random);
    if (!w)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < instance->rows; i++) {
        double *x = linpred__instance_row(instance, i);
        for (int32_t j = 0; j < instance->columns; j++)
            x[j] = linpred__to_grid(linpred__random_normal(&random), 1e6);
        instance->targets[i] = linpred__to_grid(predict(instance, w, x) + linpred__random_student(&random), 1e6);
    }
    state_coefficients(instance, w);
    linpred__release(w);
    return LINPRED_OK;
}
