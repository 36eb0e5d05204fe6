/* The gap of an unpenalised logistic fit, and that it has a minimum, by the Hessian.
 *
 * With ν² = g' H^-1 g and ρ >= max ||x_i||_{H^-1}: a = νρ <= 1/2 proves that a minimum exists and that the gap is at
 * most ν² / (2(1-a)); the gap is at least (a - ln(1+a)) / ρ². The same holds with a penalty in H, since it has no third
 * derivative.
 *
 * H is computed in the units in which its diagonal is 1, and factored: H + E = L L'. Rounding of the sums (chains of at
 * most K terms: the rows of a lane, whatever BLAS makes of them) and of the factor bounds |E_jk| by η = (K + 2 dimension + 20) 2^-52, and computed curvatures are off by
 * a factor of at most 1 + c; so H >= θ L L' with θ = (1 - dimension η tr(L L')^-1) / (1 + c). If θ >= 1/2, everything
 * else may be asked of L. Where rows are many, the sum over some of them is tried first: H is above it. A column whose
 * remainder is below 1e-11 is left out, as dependent on those before it: said, not proved.
 */
#include <math.h>
#include <string.h>

#include "check/factor.h"
#include "check/logistic.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/fused.h"
#include "data/pass.h"
#include "data/row.h"

enum { SAMPLE = 8, ROWS_A_COLUMN = 20 }; /* one block in so many, if that leaves so many rows */

static void curvature_rows(void *context, const linpred__block *block, const double *z, double *loss, double *r,
                           double *curvature)
{
    const double *class_weight = context;
    for (int32_t i = 0; i < block->rows; i++) {
        double e = exp(-fabs(z[i]));
        curvature[i] = linpred__row_weight(block, i) * class_weight[block->target[i] > 0] * (e / (1.0 + e)) / (1.0 + e);
        loss[i] = r[i] = 0.0;
    }
}

static linpred_status measure_hessian(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                      const linpred__careful *careful, double *hessian, linpred_error *error)
{
    const linpred_model *model = &result->model;
    int32_t d = careful->dimension;
    double class_weight[2] = {result->certificate.class_weight[0], result->certificate.class_weight[1]};
    linpred__fused fused = {.weights = model->w,
                            .intercept = model->b,
                            .has_intercept = model->has_intercept,
                            .row_function = curvature_rows,
                            .context = class_weight,
                            .hessian = hessian};
    linpred_status status = linpred__fused_pass(data, pool, &fused, error);
    for (int64_t i = 0; status == LINPRED_OK && i < (int64_t)d * d; i++)
        hessian[i] /= careful->weight;
    for (int32_t j = 0; status == LINPRED_OK && j < model->columns; j++)
        hessian[(int64_t)j * d + j] += result->certificate.l2;
    return status;
}

/* ---- the largest ||x||, row by row ------------------------------------------------------------------------------- */

struct reach {
    const linpred__factor *factor;
    const int32_t *place;
    int32_t dimension;
    bool has_intercept;
};

struct lane {
    double *x;
    double largest;
};

enum { TOGETHER = 32 }; /* rows that are solved for at once */

static bool reach_init(void *context, void *state)
{
    ((struct lane *)state)->x = linpred__alloc(TOGETHER * (size_t)((const struct reach *)context)->dimension, sizeof(double));
    return ((struct lane *)state)->x != NULL;
}

static void reach_clear(void *context, void *state)
{
    (void)context;
    linpred__release(((struct lane *)state)->x);
}

static void take_row(const struct reach *reach, const linpred__block *block, int32_t r, double *x)
{
    const linpred__factor *factor = reach->factor;
    linpred__entries row = linpred__entries_of(block, r);
    memset(x, 0, (size_t)factor->n * sizeof *x);
    for (int64_t k = 0; k < row.count; k++) {
        int32_t place = reach->place[linpred__entry_column(&row, k)];
        if (place >= 0)
            x[place] = row.values[k] * factor->scale[place];
    }
    if (reach->has_intercept && reach->place[block->columns] >= 0)
        x[reach->place[block->columns]] = factor->scale[reach->place[block->columns]];
}

static void reach_visit(void *context, void *state, const linpred__block *block)
{
    const struct reach *reach = context;
    const linpred__factor *factor = reach->factor;
    struct lane *lane = state;
    for (int32_t from = 0; from < block->rows; from += TOGETHER) {
        int32_t count = block->rows - from < TOGETHER ? block->rows - from : TOGETHER;
        for (int32_t k = 0; k < count; k++)
            take_row(reach, block, from + k, lane->x + (int64_t)k * factor->n);
        linpred__factor_solve_rows(factor, lane->x, count);
        for (int32_t k = 0; k < count; k++)
            lane->largest = fmax(lane->largest, linpred__factor_square(factor, lane->x + (int64_t)k * factor->n));
    }
}

static void reach_merge(void *context, void *into, const void *from)
{
    (void)context;
    ((struct lane *)into)->largest = fmax(((struct lane *)into)->largest, ((const struct lane *)from)->largest);
}

static linpred_status reach_of_rows(const linpred__factor *factor, int32_t d, bool has_intercept,
                                    const linpred_data *data, linpred__pool *pool, double *square, linpred_error *error)
{
    int32_t *place = linpred__alloc((size_t)d, sizeof *place);
    if (!place)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < d; j++)
        place[j] = -1;
    for (int32_t i = 0; i < factor->n; i++)
        place[factor->keep[i]] = i;
    struct reach reach = {factor, place, d, has_intercept};
    linpred__visitor visitor = {sizeof(struct lane), reach_init, reach_visit, reach_merge, reach_clear, &reach};
    struct lane total;
    linpred_status status = linpred__pass(data, pool, &visitor, &total, error);
    linpred__release(place);
    if (status != LINPRED_OK)
        return status;
    *square = total.largest * (1.0 + 1e-4);
    reach_clear(&reach, &total);
    return LINPRED_OK;
}

/* ---- the bounds -------------------------------------------------------------------------------------------------- */

/* ν by L: with what rounding may add to the gradient, and without. */
static bool decrement(const linpred__factor *factor, const linpred__careful *careful, double *nu, double *slop)
{
    double *x = linpred__alloc((size_t)careful->dimension, sizeof *x);
    if (!x)
        return false;
    *slop = 0.0;
    for (int32_t i = 0; i < factor->n; i++) {
        x[i] = careful->gradient[factor->keep[i]] * factor->scale[i];
        *slop += careful->slop[factor->keep[i]] * factor->scale[i] * factor->length[i];
    }
    linpred__factor_solve(factor, x);
    *nu = sqrt(linpred__factor_square(factor, x)) * (1.0 + 1e-4);
    linpred__release(x);
    return true;
}

static void take(double nu, double reach, bool proved, linpred__gap_bounds *bounds)
{
    double a = nu * reach;
    double gap = a <= 0.5 ? nu * nu / (2.0 * (1.0 - a)) : INFINITY;
    if (proved)
        bounds->proved = fmin(bounds->proved, gap);
    bounds->estimated = fmin(bounds->estimated, gap);
}

/* n η tr(L L')^-1. */
static double factor_error(const linpred__factor *factor, int32_t d, const linpred_data *some)
{
    double eta = (linpred__fused_chain(some) + 2.0 * d + 20.0) * 0x1p-52;
    return factor->n * eta * factor->trace;
}

/* `some` are the rows that the factor is of, out of `data`. */
static linpred_status bound_by(const linpred__factor *factor, const linpred_result *result, const linpred_data *some,
                               const linpred_data *data, linpred__pool *pool, const linpred__careful *careful,
                               linpred__gap_bounds *bounds, linpred_error *error)
{
    int32_t d = careful->dimension;
    double theta = (1.0 - factor_error(factor, d, some)) / (1.0 + 2.0 * careful->score_slop + 0x1p-46);
    double nu, slop, reach = 0.0, square = 0.0;
    if (!decrement(factor, careful, &nu, &slop))
        return linpred__no_memory(error);
    bool holds = theta >= 0.5 && careful->score_slop < 0.1;
    double root = holds ? 1.0 / sqrt(theta) : 1.0;
    for (int32_t i = 0; i < factor->n; i++)
        reach += careful->extent[factor->keep[i]] * factor->scale[i] * factor->length[i];
    double wanted = result->certificate.bound * careful->objective;
    take((nu + slop) * root, reach * root, holds, bounds);
    take(nu, reach, false, bounds);
    if (some != data)
        return LINPRED_OK;
    if (!(bounds->proved <= wanted) && (double)factor->n * factor->n * (double)data->rows < 1e12) {
        linpred_status status = reach_of_rows(factor, d, result->model.has_intercept, data, pool, &square, error);
        if (status != LINPRED_OK)
            return status;
        reach = sqrt(square);
        take((nu + slop) * root, reach * root, holds, bounds);
        take(nu, reach, false, bounds);
    }
    double low = fmax(0.0, nu - slop), a = low * reach;
    if (reach > 0)
        bounds->at_least = fmax(bounds->at_least, (a - log1p(a)) / (reach * reach) * 0.9);
    return LINPRED_OK;
}

/* The factor of the Hessian of `some` rows; to be closed on success. */
static linpred_status factor_rows(const linpred_result *result, const linpred_data *some, linpred__pool *pool,
                                  const linpred__careful *careful, linpred__factor *factor, linpred_error *error)
{
    int32_t d = careful->dimension;
    double *hessian = linpred__alloc((size_t)d * (size_t)d, sizeof *hessian);
    linpred_status status =
        hessian ? measure_hessian(result, some, pool, careful, hessian, error) : linpred__no_memory(error);
    if (status == LINPRED_OK && !linpred__factor_open(hessian, d, NULL, pool, factor))
        status = linpred__no_memory(error);
    linpred__release(hessian);
    return status;
}

static linpred_status bound_on(const linpred_result *result, const linpred_data *some, const linpred_data *data,
                               linpred__pool *pool, const linpred__careful *careful, linpred__gap_bounds *bounds,
                               linpred_error *error)
{
    int32_t d = careful->dimension;
    linpred__factor factor;
    linpred_status status = factor_rows(result, some, pool, careful, &factor, error);
    if (status != LINPRED_OK)
        return status;
    if (some == data || factor.n == d) {
        bounds->left_out = d - factor.n;
        status = bound_by(&factor, result, some, data, pool, careful, bounds, error);
    }
    linpred__factor_close(&factor);
    return status;
}

linpred_status linpred__check_standard_errors(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                              const linpred__careful *careful, linpred__logistic_finding *finding,
                                              linpred_error *error)
{
    int32_t d = careful->dimension, seen = 0, stated = 0;
    linpred__factor factor;
    linpred_status status = factor_rows(result, data, pool, careful, &factor, error);
    if (status != LINPRED_OK)
        return status;
    for (int32_t j = 0; j < d; j++)
        stated += !isnan(result->standard_error[j]);
    for (int32_t i = 0; i < factor.n; i++) {
        double found = factor.length[i] / sqrt(1.0 + 1e-4) * factor.scale[i] / sqrt(careful->weight);
        double model = result->standard_error[factor.keep[i]];
        if (isnan(model))
            continue;
        seen++;
        finding->errors_off = fmax(finding->errors_off, fabs(model / found - 1.0));
    }
    /* A column left out here that has a standard error there: the two do not agree on what depends on what. */
    finding->errors_doubt = seen == stated ? factor_error(&factor, d, data) : INFINITY;
    linpred__factor_close(&factor);
    return LINPRED_OK;
}

linpred_status linpred__gap_by_hessian(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                       const linpred__careful *careful, linpred__gap_bounds *bounds,
                                       linpred_error *error)
{
    double wanted = result->certificate.bound * (careful->objective - careful->loss_slop);
    linpred_data some;
    if (data->rows >= (int64_t)SAMPLE * ROWS_A_COLUMN * careful->dimension && data->blocks >= (int64_t)SAMPLE * SAMPLE) {
        if (!linpred__data_sample(data, SAMPLE, &some))
            return linpred__no_memory(error);
        linpred_status status = bound_on(result, &some, data, pool, careful, bounds, error);
        linpred__release(some.block);
        if (status != LINPRED_OK || bounds->proved <= wanted)
            return status;
    }
    return bound_on(result, data, data, pool, careful, bounds, error);
}
