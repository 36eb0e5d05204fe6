/* Whether the logistic optimum is one: F and its gradient measured again, with a bound of their own rounding.
 *
 *   F(w,b) = (1/W) Σ c_i log(1 + exp(-y_i s_i)) + (l2/2)||w||²,   s_i = <w,x_i> + b
 *
 * A computed score is off by at most δ_i = (n+4) 2^-52 (Σ|w_j x_ij| + |b|), so that row i's derivative r_i is off by at
 * most δ_i times a curvature of at most 1/4, and a few units in its last place; a sum of K terms by K 2^-52 Σ|terms|.
 * All of that is added up in `slop` beside the sums themselves. exp and log1p are the C library's, not those of the
 * fit.
 *
 * With l2 > 0 the gap F - min F is at most  Σ (|g_j| + |g_b| max|x_j|)² / (2 l2) + |g_b| max(B + y s̄)
 * (docs/logistic.md); with l2 = 0, and where that bound is too loose, logistic_hessian.c bounds it.
 */
#include "check/logistic.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/dd.h"
#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "data/pass.h"

enum { MOST_IN_MATRIX = 5001 }; /* coefficients, for the bound by the Hessian */
static const double most_for_errors = 2e10; /* multiplications, for the standard errors: the Hessian of all rows */

struct lane {
    double *gradient; /* then slop, then extent: dimension each */
    linpred__dd loss;
    double loss_slop;
    double score_slop;
    double radius_square;
    double weight[2];
    double score[2];
};

struct work {
    const linpred_result *result;
    int32_t dimension;
    double chain; /* 2^-52 times the number of terms that one sum may have */
};

static bool init(void *context, void *state)
{
    const struct work *work = context;
    ((struct lane *)state)->gradient = linpred__calloc(3 * (size_t)work->dimension, sizeof(double));
    return ((struct lane *)state)->gradient != NULL;
}

static void clear(void *context, void *state)
{
    (void)context;
    linpred__release(((struct lane *)state)->gradient);
}

/* g += r x, slop += dr |x|, extent = max */
LINPRED__FAST static void add_dense(const double *x, int64_t n, double r, double dr, double *restrict g,
                                    double *restrict slop, double *restrict extent)
{
    for (int64_t j = 0; j < n; j++) {
        double size = fabs(x[j]);
        g[j] += r * x[j];
        slop[j] += dr * size;
        extent[j] = size > extent[j] ? size : extent[j];
    }
}

static void add_sparse(const linpred__entries *row, double r, double dr, double *g, double *slop, double *extent)
{
    for (int64_t k = 0; k < row->count; k++) {
        int32_t j = row->indices[k];
        double size = fabs(row->values[k]);
        g[j] += r * row->values[k];
        slop[j] += dr * size;
        extent[j] = size > extent[j] ? size : extent[j];
    }
}

/* One row's loss, derivative and their errors. */
static void add_row(const struct work *work, struct lane *lane, const linpred__block *block, int32_t i)
{
    const linpred_model *model = &work->result->model;
    linpred__entries row = linpred__entries_of(block, i);
    double score = model->b, size = fabs(model->b), square = model->has_intercept;
    for (int64_t k = 0; k < row.count; k++) {
        double product = row.values[k] * model->w[linpred__entry_column(&row, k)];
        score += product;
        size += fabs(product);
        square += row.values[k] * row.values[k];
    }
    double off = ((double)row.count + 4.0) * DBL_EPSILON * size + ((double)row.count + 1.0) * 0x1p-1073;
    int positive = block->target[i] > 0;
    double weight = (block->weight ? block->weight[i] : 1.0) * work->result->certificate.class_weight[positive];
    double t = positive ? score : -score;
    double e = exp(-fabs(t));
    double miss = t < 0 ? 1.0 / (1.0 + e) : e / (1.0 + e);
    double loss = weight * ((t < 0 ? -t : 0.0) + log1p(e));
    double r = (positive ? -1.0 : 1.0) * weight * miss;
    /* The curvature within `off` of the score is at most e^off times that at it, and at most 1/4. */
    double curvature = off < 0.1 ? 1.2 * miss * (1.0 - miss) + DBL_MIN : 0.25;
    double dr = weight * fmin(off * curvature, 1.0) + fabs(r) * (0x1p-48 + work->chain);
    int32_t d = work->dimension;
    double *g = lane->gradient, *slop = g + d, *extent = slop + d;
    if (row.indices)
        add_sparse(&row, r, dr, g, slop, extent);
    else
        add_dense(row.values, row.count, r, dr, g, slop, extent);
    if (model->has_intercept) {
        g[d - 1] += r;
        slop[d - 1] += dr;
        extent[d - 1] = 1.0;
    }
    lane->loss = linpred__dd_add_double(lane->loss, loss);
    lane->loss_slop += weight * fmin(off, 1e300) * fmin(1.0, 1.2 * miss + off) + loss * 0x1p-48;
    lane->score_slop = fmax(lane->score_slop, off);
    lane->radius_square = fmax(lane->radius_square, square);
    lane->weight[positive] += weight;
    lane->score[positive] += weight * score;
}

static void visit(void *context, void *state, const linpred__block *block)
{
    for (int32_t i = 0; i < block->rows; i++)
        add_row(context, state, block, i);
}

static void merge(void *context, void *into, const void *from)
{
    const struct work *work = context;
    struct lane *a = into;
    const struct lane *b = from;
    int32_t d = work->dimension;
    for (int32_t j = 0; j < 2 * d; j++)
        a->gradient[j] += b->gradient[j];
    for (int32_t j = 2 * d; j < 3 * d; j++)
        a->gradient[j] = fmax(a->gradient[j], b->gradient[j]);
    a->loss = linpred__dd_add(a->loss, b->loss);
    a->loss_slop += b->loss_slop;
    a->score_slop = fmax(a->score_slop, b->score_slop);
    a->radius_square = fmax(a->radius_square, b->radius_square);
    for (int k = 0; k < 2; k++) {
        a->weight[k] += b->weight[k];
        a->score[k] += b->score[k];
    }
}

static void clear_careful(linpred__careful *careful)
{
    linpred__release(careful->gradient);
    *careful = (linpred__careful){0};
}

static linpred_status measure(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                              linpred__careful *careful, linpred_error *error)
{
    const linpred_model *model = &result->model;
    int32_t d = model->columns + model->has_intercept;
    double l2 = result->certificate.l2;
    struct work work = {result, d, ((double)data->rows + 40.0) * 0x1p-52};
    linpred__visitor visitor = {sizeof(struct lane), init, visit, merge, clear, &work};
    struct lane total;
    void *totals[] = {&total};
    linpred_status status = linpred__pass_all(data, pool, &visitor, totals, 1, linpred__pass_lanes(data), error);
    if (status != LINPRED_OK)
        return status;
    double weight = total.weight[0] + total.weight[1];
    *careful = (linpred__careful){.dimension = d,
                                  .objective = total.loss.hi / weight,
                                  .loss_slop = 1.01 * total.loss_slop / weight,
                                  .gradient = total.gradient,
                                  .slop = total.gradient + d,
                                  .extent = total.gradient + 2 * (int64_t)d,
                                  .radius = sqrt(total.radius_square) * 1.01,
                                  .score_slop = total.score_slop,
                                  .weight = weight};
    for (int32_t j = 0; j < d; j++) {
        double w = j < model->columns ? model->w[j] : 0.0;
        careful->gradient[j] = careful->gradient[j] / weight + l2 * w;
        careful->slop[j] = 1.01 * careful->slop[j] / weight + 0x1p-50 * (fabs(careful->gradient[j]) + l2 * fabs(w));
        careful->objective += 0.5 * l2 * w * w;
    }
    for (int k = 0; k < 2; k++) {
        careful->share[k] = total.weight[k] / weight;
        careful->mean_score[k] = total.score[k] / total.weight[k];
    }
    return LINPRED_OK;
}

/* ---- the gap ----------------------------------------------------------------------------------------------------- */

/* For l2 > 0. Where the sign of g_b is not certain, both classes count. */
static double penalised_gap(const linpred__careful *careful, double l2, bool has_intercept, bool with_slop)
{
    int32_t columns = careful->dimension - has_intercept;
    double gb = has_intercept ? fabs(careful->gradient[columns]) + (with_slop ? careful->slop[columns] : 0.0) : 0.0;
    double sum = 0.0, farthest = 0.0;
    for (int32_t j = 0; j < columns; j++) {
        double g = fabs(careful->gradient[j]) + (with_slop ? careful->slop[j] : 0.0) + gb * careful->extent[j];
        sum += g * g;
    }
    for (int k = 0; k < 2; k++) {
        double x = (careful->objective + careful->loss_slop) / careful->share[k];
        double most = x > 30 ? x : log(expm1(x));
        farthest = fmax(farthest, most + (k ? 1.0 : -1.0) * careful->mean_score[k]);
    }
    return (sum / (2.0 * l2) + gb * (farthest + careful->score_slop)) * 1.001;
}

/* F is smooth: its curvature is at most R²/4 + l2, so that one gradient step wins at least this. */
static double least_gap(const linpred__careful *careful, double l2)
{
    double sum = 0.0;
    for (int32_t j = 0; j < careful->dimension; j++) {
        double g = fmax(0.0, fabs(careful->gradient[j]) - careful->slop[j]);
        sum += g * g;
    }
    return sum / (2.0 * (0.25 * careful->radius * careful->radius + l2));
}

linpred_status linpred__check_logistic(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                       linpred__logistic_finding *finding, linpred_error *error)
{
    double l2 = result->certificate.l2;
    linpred__careful careful;
    linpred_status status = measure(result, data, pool, &careful, error);
    if (status != LINPRED_OK)
        return status;
    linpred__gap_bounds bounds = {INFINITY, INFINITY, least_gap(&careful, l2), 0};
    double least = careful.objective - careful.loss_slop;
    if (l2 > 0) {
        bounds.proved = penalised_gap(&careful, l2, result->model.has_intercept, true);
        bounds.estimated = penalised_gap(&careful, l2, result->model.has_intercept, false);
    }
    if (!(bounds.proved <= result->certificate.bound * least) && careful.dimension <= MOST_IN_MATRIX)
        status = linpred__gap_by_hessian(result, data, pool, &careful, &bounds, error);
    *finding = (linpred__logistic_finding){.objective = careful.objective,
                                           .proved = least > 0 ? bounds.proved / least : INFINITY,
                                           .estimated = bounds.estimated / careful.objective,
                                           .at_least = bounds.at_least / (careful.objective + careful.loss_slop),
                                           .left_out = bounds.left_out,
                                           .errors_off = NAN,
                                           .errors_doubt = INFINITY};
    double a_row = (double)data->entries / (double)data->rows + 1.0, work = (double)data->rows * a_row * a_row;
    if (status == LINPRED_OK && result->standard_error) {
        finding->errors_off = 0.0;
        if (careful.dimension <= MOST_IN_MATRIX && work <= most_for_errors)
            status = linpred__check_standard_errors(result, data, pool, &careful, finding, error);
    }
    clear_careful(&careful);
    return status;
}
