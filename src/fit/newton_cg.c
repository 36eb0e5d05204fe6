/* Newton's method by conjugate gradients, for logistic regression with more features than a matrix of them has room
 * for.
 *
 * Each step solves H p = -g roughly, by conjugate gradients preconditioned with the diagonal of H, until one more
 * direction adds less than a part of the average so far to what the quadratic model wins (the rule of Galli and Lin);
 * that part is one half at first and shrinks with the gradient, so that the last steps are nearly Newton's own. A
 * product H p = (1/W) X' D X p + penalty p is one trip over the rows: dot and update while a row is in cache. The
 * scores z = Xv, the curvatures D and the products Xp stay with their rows, so that a line search reads no row at all
 * and a gradient needs no scores. F is evaluated afresh before the end is believed.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "fit/cg_trips.h"

enum {
    MOST_STEPS = 500,
    MOST_DIRECTIONS = 300, /* in one step */
    MOST_HALVINGS = 40,
    MOST_FLAT = 4
};

/* ---- F and its derivatives --------------------------------------------------------------------------------------- */

LINPRED__FAST static double dot(const double *a, const double *b, int32_t n)
{
    return linpred__dot_dense(a, b, n);
}

static void to_data_units(linpred__cg *work, const double *v)
{
    for (int32_t j = 0; j < work->problem->dimension; j++)
        work->units[j] = work->problem->data_unit[j] * v[j];
}

/* F at v + t step, by the scores alone. */
static double objective_at(linpred__cg *work, double t)
{
    const linpred__logistic *problem = work->problem;
    linpred__dd loss = {0, 0};
    work->t = t;
    linpred__cg_go(work, LINPRED__CG_LOSSES);
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
static void differentiate(linpred__cg *work)
{
    int64_t step = work->problem->iterations;
    const linpred__logistic *problem = work->problem;
    linpred__logistic_point *point = work->point;
    linpred__cg_go(work, LINPRED__CG_GRADIENT);
    for (int32_t j = 0; j < problem->dimension; j++)
        point->gradient[j] = work->sum[j] / problem->weight * problem->data_unit[j] + problem->penalty[j] * point->v[j];
    work->problem->passes++;
    if ((step & (step + 1)) != 0)
        return;
    work->problem->passes++;
    linpred__cg_go(work, LINPRED__CG_DIAGONAL);
    for (int32_t j = 0; j < problem->dimension; j++) {
        double unit = problem->data_unit[j];
        work->diagonal[j] = work->sum[j] / problem->weight * unit * unit + problem->penalty[j];
        if (!(work->diagonal[j] > 0))
            work->diagonal[j] = 1.0; /* a column of zeros, or of vanishing curvature */
    }
}

static void multiply(linpred__cg *work)
{
    const linpred__logistic *problem = work->problem;
    to_data_units(work, work->direction);
    linpred__cg_go(work, LINPRED__CG_PRODUCTS);
    for (int32_t j = 0; j < problem->dimension; j++)
        work->image[j] =
            work->sum[j] / problem->weight * problem->data_unit[j] + problem->penalty[j] * work->direction[j];
    work->problem->passes++;
}

/* ---- a step -------------------------------------------------------------------------------------------------------- */

/* What conjugate gradients do to vectors as long as w. The sums are those of `dot`, so that all of it is done in whole
   vectors. */
LINPRED__FAST static void advance(double alpha, int32_t d, const double *restrict direction, const double *restrict image,
                                  const double *restrict diagonal, double *restrict step, double *restrict residual,
                                  double *restrict preconditioned)
{
    for (int32_t j = 0; j < d; j++) {
        step[j] += alpha * direction[j];
        residual[j] -= alpha * image[j];
        preconditioned[j] = residual[j] / diagonal[j];
    }
}

LINPRED__FAST static void add_scaled(double factor, int64_t n, const double *restrict from, double *restrict to)
{
    for (int64_t k = 0; k < n; k++)
        to[k] += factor * from[k];
}

LINPRED__FAST static void turn(double factor, int32_t d, const double *restrict preconditioned,
                               double *restrict direction)
{
    for (int32_t j = 0; j < d; j++)
        direction[j] = preconditioned[j] + factor * direction[j];
}

/* step ≈ -H^-1 g, and moved = X step. */
static void conjugate_gradients(linpred__cg *work)
{
    int32_t d = work->problem->dimension;
    int64_t rows = work->problem->data->rows;
    const double *g = work->point->gradient;
    memset(work->step, 0, (size_t)d * sizeof(double));
    memset(work->moved, 0, (size_t)rows * sizeof(double));
    for (int32_t j = 0; j < d; j++) {
        work->residual[j] = -g[j];
        work->direction[j] = work->residual[j] / work->diagonal[j];
    }
    double won = 0.0, part = 0.5, square = dot(work->residual, work->direction, d);
    if (work->first == 0.0)
        work->first = square;
    part = fmin(part, sqrt(sqrt(square / work->first)));
    for (int i = 1; i <= MOST_DIRECTIONS && square > 0; i++) {
        multiply(work);
        double curvature = dot(work->direction, work->image, d);
        if (!(curvature > 0))
            return;
        double alpha = square / curvature;
        advance(alpha, d, work->direction, work->image, work->diagonal, work->step, work->residual, work->units);
        add_scaled(alpha, rows, work->product, work->moved);
        double next = dot(work->residual, work->units, d);
        /* What the quadratic model has won so far, 1/2 <step, residual - g>. */
        double now = 0.5 * (dot(work->step, work->residual, d) - dot(work->step, g, d));
        if (i * (now - won) <= part * now || next <= 1e-30 * square)
            return;
        won = now;
        turn(next / square, d, work->units, work->direction);
        square = next;
    }
}

/* Goes along the step as far as F comes down fairly; false: no further. */
static bool search(linpred__cg *work)
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
            /* In the end F changes by its rounding alone, while the gradient still shrinks: a few such steps are
             * allowed. */
            work->flat = value < point->objective ? 0 : work->flat + 1;
            point->objective = value;
            return work->flat <= MOST_FLAT;
        }
    }
    return false;
}

/* Scores and what follows from them at v, from the rows themselves. */
static void begin(linpred__cg *work)
{
    to_data_units(work, work->point->v);
    linpred__cg_go(work, LINPRED__CG_SCORES);
    memset(work->step, 0, (size_t)work->problem->dimension * sizeof(double));
    memset(work->moved, 0, (size_t)work->problem->data->rows * sizeof(double));
    (void)objective_at(work, 0.0);
    differentiate(work);
    work->problem->passes++;
}

/* Small enough for the caller: by the penalty's bound, or for want of one, by the gradient's length in the norm of the
   diagonal. */
static bool is_small(const linpred__cg *work, double gap)
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
static linpred_status confirm(linpred__cg *work, double gap, bool *small, linpred_error *error)
{
    linpred_status status = linpred__logistic_evaluate(work->problem, NULL, LINPRED__HESSIAN_NONE, work->point, error);
    if (status != LINPRED_OK)
        return status;
    *small = is_small(work, gap);
    if (!*small)
        begin(work);
    return LINPRED_OK;
}

/* Whether at most problem->enough scores are on their row's wrong side, as computed. With none and without a penalty there is
   no minimum. */
static bool separates(const linpred__cg *work)
{
    const linpred_data *data = work->problem->data;
    const double *z = work->z;
    int64_t left = work->problem->enough;
    if (work->problem->l2 > 0)
        return false;
    for (int64_t i = 0; i < data->blocks && left >= 0; i++)
        for (int32_t r = 0; r < data->block[i].rows && left >= 0; r++)
            left -= !(data->block[i].target[r] * *z++ > 0);
    return left >= 0;
}

static linpred_status loop(linpred__cg *work, double gap, linpred__logistic_end *end, linpred_error *error)
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
        if (separates(work)) {
            *end = LINPRED__LOGISTIC_SEPARATES;
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
    linpred__cg work = {.problem = problem, .point = point, .blocks = problem->data->blocks};
    /* A lane must earn what clearing and merging its sums costs. */
    int64_t earned = problem->data->entries / problem->dimension;
    work.lanes = earned < 1 ? 1 : earned < LINPRED__CG_LANES ? earned : LINPRED__CG_LANES;
    work.lanes = work.blocks < work.lanes ? work.blocks : work.lanes;
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
