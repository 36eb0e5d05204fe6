/* Newton's method by conjugate gradients, for logistic regression with more features than a matrix of them has room for.
 *
 * Each step solves H p = -g roughly, by conjugate gradients preconditioned with the diagonal of H, until one more direction
 * adds less than a part of the average so far to what the quadratic model wins (the rule of Galli and Lin); that part is one
 * half at first and shrinks with the gradient, so that the last steps are nearly Newton's own. A product
 *   H p = (1/W) X' D X p + penalty p
 * is one trip over the rows: dot and update while a row is in cache. The scores z = Xv, the curvatures D and the products Xp
 * stay with their rows, so that a line search reads no row at all and a gradient needs no scores. F is evaluated afresh
 * before the end is believed.
 *
 * Sums over rows are kept in a fixed number of lanes, added in their order: the bits do not depend on the threads.
 */
#include <math.h>
#include <string.h>

#include "core/dd.h"
#include "core/error.h"
#include "core/logistic.h"
#include "core/memory.h"
#include "data/row.h"
#include "fit/logistic.h"

enum {
    LANES = 8,
    CHUNK = 4096,          /* columns that one task merges */
    MOST_STEPS = 500,
    MOST_DIRECTIONS = 300, /* in one step */
    MOST_HALVINGS = 40,
    MOST_FLAT = 4
};

struct work {
    linpred__logistic *problem;
    linpred__logistic_point *point;
    int64_t blocks;
    int64_t lanes;
    /* with the rows */
    double *z;         /* scores at v */
    double *curvature; /* D */
    double *derivative;
    double *product;   /* X times the direction of conjugate gradients */
    double *moved;     /* X times the step */
    double *trial;     /* scratch: scores on the line */
    /* with the columns */
    double *sum;     /* for each lane: dimension long */
    double *diagonal; /* of H */
    double *step;
    double *residual;
    double *direction;
    double *image; /* H times the direction */
    double *units; /* scratch: a direction in the units of the data */
    linpred__dd *lane_loss;
    double t; /* how far along `moved` */
    double first; /* g' M^-1 g at the beginning, M the diagonal of H */
    int flat; /* steps in a row that did not lower F as computed */
};

/* ---- trips over the rows ----------------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) double dot_sparse(const double *value, const int32_t *index, int64_t n,
                                                               const double *w)
{
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    int64_t k = 0;
    for (; k + 4 <= n; k += 4) {
        a += value[k] * w[index[k]];
        b += value[k + 1] * w[index[k + 1]];
        c += value[k + 2] * w[index[k + 2]];
        d += value[k + 3] * w[index[k + 3]];
    }
    for (; k < n; k++)
        a += value[k] * w[index[k]];
    return (a + b) + (c + d);
}

static inline __attribute__((always_inline)) double dot_row(const linpred__block *block, int32_t r, const double *w)
{
    if (block->layout == LINPRED__DENSE)
        return linpred__dot_dense(block->values + r * block->stride, w, block->columns);
    int64_t from = block->start[r];
    return dot_sparse(block->values + from, block->indices + from, block->start[r + 1] - from, w);
}

static void clear_lane(const struct work *work, int64_t lane)
{
    size_t d = (size_t)work->problem->dimension;
    memset(work->sum + (size_t)lane * d, 0, d * sizeof(double));
}

/* product = X units, sum += X' D product. */
LINPRED__FAST static void multiply_block(const linpred__block *block, const double *w, double b, const double *curvature,
                                         double *product, double *sum, double *sum_b)
{
    for (int32_t r = 0; r < block->rows; r++) {
        double s = dot_row(block, r, w) + b;
        product[r] = s;
        linpred__row_add(block, r, curvature[r] * s, sum);
        *sum_b += curvature[r] * s;
    }
}

static void multiply_lane(void *context, int64_t lane)
{
    const struct work *work = context;
    const linpred__logistic *problem = work->problem;
    int32_t columns = problem->data->columns;
    double *sum = work->sum + lane * problem->dimension, none = 0.0;
    double b = problem->has_intercept ? work->units[columns] : 0.0;
    clear_lane(work, lane);
    for (int64_t i = lane; i < work->blocks; i += work->lanes) {
        const linpred__block *block = &problem->data->block[i];
        multiply_block(block, work->units, b, work->curvature + block->first_row, work->product + block->first_row, sum,
                       problem->has_intercept ? sum + columns : &none);
    }
}

LINPRED__FAST static void score_block(const linpred__block *block, const double *w, double b, double *z)
{
    for (int32_t r = 0; r < block->rows; r++)
        z[r] = dot_row(block, r, w) + b;
}

static void score_lane(void *context, int64_t lane)
{
    const struct work *work = context;
    const linpred__logistic *problem = work->problem;
    for (int64_t i = lane; i < work->blocks; i += work->lanes) {
        const linpred__block *block = &problem->data->block[i];
        score_block(block, work->units, problem->has_intercept ? work->units[block->columns] : 0.0,
                    work->z + block->first_row);
    }
}

/* Loss, derivatives and curvatures at the scores z + t moved, into `trial`; no row of X is read. */
static void loss_lane(void *context, int64_t lane)
{
    struct work *work = context;
    const linpred__logistic *problem = work->problem;
    linpred__dd loss = {0, 0};
    for (int64_t i = lane; i < work->blocks; i += work->lanes) {
        const linpred__block *block = &problem->data->block[i];
        int64_t first = block->first_row;
        enum { AT_A_TIME = 512 };
        double each[AT_A_TIME];
        for (int32_t from = 0; from < block->rows; from += AT_A_TIME) {
            int32_t n = block->rows - from < AT_A_TIME ? block->rows - from : AT_A_TIME;
            int64_t at = first + from;
            for (int32_t k = 0; k < n; k++)
                work->trial[at + k] = work->z[at + k] + work->t * work->moved[at + k];
            linpred__logistic_rows(n, work->trial + at, block->target + from, block->weight ? block->weight + from : NULL,
                                   problem->class_weight, each, work->derivative + at, work->curvature + at);
            for (int32_t k = 0; k < n; k++)
                loss = linpred__dd_add_double(loss, each[k]);
        }
    }
    work->lane_loss[lane] = loss;
}

/* sum += X' derivative */
LINPRED__FAST static void gradient_block(const linpred__block *block, const double *derivative, double *sum, double *sum_b)
{
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__row_add(block, r, derivative[r], sum);
        *sum_b += derivative[r];
    }
}

static void gradient_lane(void *context, int64_t lane)
{
    const struct work *work = context;
    const linpred__logistic *problem = work->problem;
    double *sum = work->sum + lane * problem->dimension, none = 0.0;
    clear_lane(work, lane);
    for (int64_t i = lane; i < work->blocks; i += work->lanes) {
        const linpred__block *block = &problem->data->block[i];
        gradient_block(block, work->derivative + block->first_row, sum,
                       problem->has_intercept ? sum + problem->data->columns : &none);
    }
}

/* sum += the squares of X, each row times its curvature: the diagonal of X' D X. */
static void diagonal_lane(void *context, int64_t lane)
{
    const struct work *work = context;
    const linpred__logistic *problem = work->problem;
    double *sum = work->sum + lane * problem->dimension;
    clear_lane(work, lane);
    for (int64_t i = lane; i < work->blocks; i += work->lanes) {
        const linpred__block *block = &problem->data->block[i];
        for (int32_t r = 0; r < block->rows; r++) {
            double a = work->curvature[block->first_row + r];
            bool dense = block->layout == LINPRED__DENSE;
            int64_t from = dense ? r * block->stride : block->start[r];
            int64_t count = dense ? block->columns : block->start[r + 1] - from;
            for (int64_t k = 0; k < count; k++) {
                int32_t j = dense ? (int32_t)k : block->indices[from + k];
                sum[j] += a * block->values[from + k] * block->values[from + k];
            }
            if (problem->has_intercept)
                sum[block->columns] += a;
        }
    }
}

/* Lanes are added in order into the first, a chunk of columns at a time. */
static void merge_chunk(void *context, int64_t chunk)
{
    const struct work *work = context;
    int64_t d = work->problem->dimension;
    int64_t end = (chunk + 1) * CHUNK < d ? (chunk + 1) * CHUNK : d;
    for (int64_t lane = 1; lane < work->lanes; lane++)
        for (int64_t j = chunk * CHUNK; j < end; j++)
            work->sum[j] += work->sum[lane * d + j];
}

static void trip(struct work *work, void (*task)(void *, int64_t))
{
    linpred__pool *pool = work->problem->fit->pool;
    linpred__pool_run(pool, work->lanes, task, work);
    if (task == score_lane || task == loss_lane)
        return;
    linpred__pool_run(pool, (work->problem->dimension + CHUNK - 1) / CHUNK, merge_chunk, work);
}

/* ---- F and its derivatives -------------------------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b, int32_t n)
{
    return linpred__dot_dense(a, b, n);
}

static void to_data_units(struct work *work, const double *v)
{
    for (int32_t j = 0; j < work->problem->dimension; j++)
        work->units[j] = work->problem->data_unit[j] * v[j];
}

/* F at v + t step, by the scores alone. */
static double objective_at(struct work *work, double t)
{
    const linpred__logistic *problem = work->problem;
    linpred__dd loss = {0, 0};
    work->t = t;
    trip(work, loss_lane);
    for (int64_t lane = 0; lane < work->lanes; lane++)
        loss = linpred__dd_add(loss, work->lane_loss[lane]);
    double penalty = 0.0;
    for (int32_t j = 0; j < problem->dimension; j++) {
        double v = work->point->v[j] + t * work->step[j];
        penalty += 0.5 * problem->penalty[j] * v * v;
    }
    return loss.hi / problem->weight + penalty;
}

/* The gradient from derivatives at hand; and the diagonal of H, afresh in steps 0, 1, 3, 7, …: it need not be exact. */
static void differentiate(struct work *work)
{
    int64_t step = work->problem->iterations;
    const linpred__logistic *problem = work->problem;
    linpred__logistic_point *point = work->point;
    trip(work, gradient_lane);
    for (int32_t j = 0; j < problem->dimension; j++)
        point->gradient[j] =
            work->sum[j] / problem->weight * problem->data_unit[j] + problem->penalty[j] * point->v[j];
    work->problem->passes++;
    if ((step & (step + 1)) != 0)
        return;
    work->problem->passes++;
    trip(work, diagonal_lane);
    for (int32_t j = 0; j < problem->dimension; j++) {
        double unit = problem->data_unit[j];
        work->diagonal[j] = work->sum[j] / problem->weight * unit * unit + problem->penalty[j];
        if (!(work->diagonal[j] > 0))
            work->diagonal[j] = 1.0; /* a column of zeros, or of vanishing curvature */
    }
}

static void multiply(struct work *work)
{
    const linpred__logistic *problem = work->problem;
    to_data_units(work, work->direction);
    trip(work, multiply_lane);
    for (int32_t j = 0; j < problem->dimension; j++)
        work->image[j] =
            work->sum[j] / problem->weight * problem->data_unit[j] + problem->penalty[j] * work->direction[j];
    work->problem->passes++;
}

/* ---- a step ------------------------------------------------------------------------------------------------------------------- */

/* step ≈ -H^-1 g, and moved = X step. */
static void conjugate_gradients(struct work *work)
{
    int32_t d = work->problem->dimension;
    int64_t rows = work->problem->data->rows;
    const double *g = work->point->gradient;
    memset(work->step, 0, (size_t)d * sizeof(double));
    memset(work->moved, 0, (size_t)rows * sizeof(double));
    double square = 0.0, won = 0.0, part = 0.5;
    for (int32_t j = 0; j < d; j++) {
        work->residual[j] = -g[j];
        work->direction[j] = work->residual[j] / work->diagonal[j];
        square += work->residual[j] * work->direction[j];
    }
    if (work->first == 0.0)
        work->first = square;
    part = fmin(part, sqrt(sqrt(square / work->first)));
    for (int i = 1; i <= MOST_DIRECTIONS && square > 0; i++) {
        multiply(work);
        double curvature = dot(work->direction, work->image, d);
        if (!(curvature > 0))
            return;
        double alpha = square / curvature, next = 0.0;
        for (int32_t j = 0; j < d; j++) {
            work->step[j] += alpha * work->direction[j];
            work->residual[j] -= alpha * work->image[j];
            next += work->residual[j] * work->residual[j] / work->diagonal[j];
        }
        for (int64_t k = 0; k < rows; k++)
            work->moved[k] += alpha * work->product[k];
        /* What the quadratic model has won so far, 1/2 <step, residual - g>. */
        double now = 0.5 * (dot(work->step, work->residual, d) - dot(work->step, g, d));
        if (i * (now - won) <= part * now || next <= 1e-30 * square)
            return;
        won = now;
        for (int32_t j = 0; j < d; j++)
            work->direction[j] = work->residual[j] / work->diagonal[j] + next / square * work->direction[j];
        square = next;
    }
}

/* Goes along the step as far as F comes down fairly; false: no further. */
static bool search(struct work *work)
{
    linpred__logistic_point *point = work->point;
    double slope = dot(point->gradient, work->step, work->problem->dimension);
    double t = 1.0;
    for (int k = 0; k < MOST_HALVINGS; k++, t *= 0.5) {
        double value = objective_at(work, t);
        if (value <= point->objective + 1e-4 * t * slope + 1e-14 * point->objective) {
            for (int32_t j = 0; j < work->problem->dimension; j++)
                point->v[j] += t * work->step[j];
            double *z = work->z;
            work->z = work->trial;
            work->trial = z;
            /* In the end F changes by its rounding alone, while the gradient still shrinks: a few such steps are allowed. */
            work->flat = value < point->objective ? 0 : work->flat + 1;
            point->objective = value;
            return work->flat <= MOST_FLAT;
        }
    }
    return false;
}

/* Scores and what follows from them at v, from the rows themselves. */
static void begin(struct work *work)
{
    to_data_units(work, work->point->v);
    trip(work, score_lane);
    memset(work->step, 0, (size_t)work->problem->dimension * sizeof(double));
    memset(work->moved, 0, (size_t)work->problem->data->rows * sizeof(double));
    (void)objective_at(work, 0.0);
    differentiate(work);
    work->problem->passes++;
}

/* Small enough for the caller: by the penalty's bound, or for want of one, by the gradient's length in the norm of the
   diagonal. */
static bool is_small(const struct work *work, double gap)
{
    const linpred__logistic_point *point = work->point;
    if (work->problem->l2 > 0)
        return linpred__penalised_gap(work->problem, point) <= gap * point->objective;
    double square = 0.0;
    for (int32_t j = 0; j < work->problem->dimension; j++)
        square += point->gradient[j] * point->gradient[j] / work->diagonal[j];
    return square <= 0.01 * gap * point->objective;
}

/* F and its gradient afresh: is it small indeed? If not, scores are made afresh too. */
static linpred_status confirm(struct work *work, double gap, bool *small, linpred_error *error)
{
    linpred_status status = linpred__logistic_evaluate(work->problem, NULL, false, work->point, error);
    if (status != LINPRED_OK)
        return status;
    *small = is_small(work, gap);
    if (!*small)
        begin(work);
    return LINPRED_OK;
}

static linpred_status loop(struct work *work, double gap, linpred__logistic_end *end, linpred_error *error)
{
    linpred__logistic *problem = work->problem;
    bool small = false, afresh = true;
    for (int32_t j = 0; j < problem->dimension; j++)
        work->diagonal[j] = 1.0;
    linpred_status status = confirm(work, 0.0, &small, error);
    *end = LINPRED__LOGISTIC_STALLED;
    for (int i = 0; status == LINPRED_OK && i < MOST_STEPS; i++) {
        if (is_small(work, gap)) {
            status = confirm(work, gap, &small, error);
            if (status == LINPRED_OK && small)
                *end = LINPRED__LOGISTIC_SMALL;
            if (status != LINPRED_OK || small)
                return status;
            afresh = true;
        }
        if (linpred__fit_should_stop(problem->fit, "newton-cg", problem->iterations, problem->passes, NAN)) {
            *end = LINPRED__LOGISTIC_STOPPED;
            break;
        }
        conjugate_gradients(work);
        bool moved = search(work);
        problem->iterations++;
        if (moved) {
            afresh = false;
            differentiate(work);
        } else if (afresh) {
            break;
        } else {
            afresh = true;
            status = confirm(work, 0.0, &small, error);
        }
    }
    return status == LINPRED_OK && !afresh ? confirm(work, 0.0, &small, error) : status;
}

linpred_status linpred__newton_cg(linpred__logistic *problem, linpred__logistic_point *point, double gap,
                                  linpred__logistic_end *end, linpred_error *error)
{
    size_t rows = (size_t)problem->data->rows, d = (size_t)problem->dimension;
    const linpred_model *start = problem->fit->options->start;
    struct work work = {.problem = problem, .point = point, .blocks = problem->data->blocks};
    work.lanes = work.blocks < LANES ? work.blocks : LANES;
    double **with_rows[] = {&work.z, &work.curvature, &work.derivative, &work.product, &work.moved, &work.trial};
    double **with_columns[] = {&work.diagonal, &work.step, &work.residual, &work.direction, &work.image, &work.units};
    bool made = true;
    for (size_t i = 0; i < 6; i++) {
        *with_rows[i] = linpred__alloc(rows, sizeof(double));
        *with_columns[i] = linpred__alloc(d, sizeof(double));
        made = made && *with_rows[i] && *with_columns[i];
    }
    work.sum = linpred__alloc((size_t)work.lanes * d, sizeof(double));
    work.lane_loss = linpred__alloc((size_t)work.lanes, sizeof *work.lane_loss);
    linpred_status status = made && work.sum && work.lane_loss ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t j = 0; start && j < problem->dimension; j++)
        point->v[j] = (j < start->columns ? start->w[j] : start->b) / problem->unit[j];
    if (status == LINPRED_OK)
        status = loop(&work, gap, end, error);
    for (size_t i = 0; i < 6; i++) {
        linpred__release(*with_rows[i]);
        linpred__release(*with_columns[i]);
    }
    linpred__release(work.sum);
    linpred__release(work.lane_loss);
    return status;
}
