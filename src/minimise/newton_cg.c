/* Newton's method by conjugate gradients, for logistic regression with more features than a matrix of them has room
 * for.
 *
 * Each step minimises the quadratic model -q(p) = <g,p> + p'Hp/2 roughly within a trust region ||p||_M <= Δ, M the
 * diagonal of H, by conjugate gradients preconditioned with M (Steihaug): until they leave the region, where the step
 * ends on its boundary, or one more direction adds less than a part of the average so far to q (the rule of Galli and
 * Lin); that part is one half at first and shrinks with the gradient, so that the last steps are nearly Newton's own.
 * What F comes down by, as a part of q(p), says whether the step is taken and what Δ is next. There is no region before
 * a step is found wanting: at v = 0, where the curvature of the loss is largest, the model promises too little rather
 * than too much.
 *
 * A product H p = (1/W) X' D X p + penalty p is one trip over the rows: dot and update while a row is in cache. The
 * scores z = Xv, the curvatures D and the products Xp stay with their rows, so that F at the end of a step reads no row
 * at all and a gradient needs no scores. F is evaluated afresh before the end is believed.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "minimise/cg_trips.h"

enum {
    MOST_STEPS = 500,
    MOST_DIRECTIONS = 300, /* in one step */
    MOST_REFUSED = 40,     /* steps in a row */
    MOST_FLAT = 4
};

/* Of what the model promises: below `poor` a step is refused; below `fair` the region shrinks, above `good` it may
 * grow. */
static const double poor = 1e-4, fair = 0.25, good = 0.75;
static const double rounding = 1e-14; /* of F */

/* ---- F and its derivatives --------------------------------------------------------------------------------------- */

LINPRED__FAST static double dot(const double *a, const double *b, int32_t n)
{
    return linpred__dot_dense(a, b, n);
}

/* F at v + step, by the scores alone. */
static double objective_ahead(linpred__cg *work)
{
    const linpred__logistic *problem = work->problem;
    linpred__dd loss = {0, 0};
    linpred__cg_go(work, LINPRED__CG_LOSSES);
    for (int64_t lane = 0; lane < work->lanes; lane++)
        loss = linpred__dd_add(loss, work->lane_loss[lane]);
    double penalty = 0.0;
    for (int32_t j = 0; j < problem->dimension; j++) {
        double v = work->point->v[j] + work->step[j];
        penalty += 0.5 * problem->penalty[j] * v * v;
    }
    return loss.hi / problem->weight + penalty;
}

/* The gradient from derivatives at hand; and the diagonal of H, afresh in steps 0, 1, 3, 7, …: it need not be exact. */
static void differentiate(linpred__cg *work)
{
    int64_t step = work->problem->iterations;
    double curvature = 0.0;
    for (int64_t i = 0; i < work->problem->data->rows; i++)
        curvature += work->curvature[i];
    work->point->curvature = curvature / work->problem->weight;
    linpred__cg_go(work, LINPRED__CG_GRADIENT);
    (void)linpred__cg_collect(work, work->point->v, work->point->gradient);
    work->problem->passes++;
    if ((step & (step + 1)) != 0)
        return;
    work->problem->passes++;
    linpred__cg_go(work, LINPRED__CG_DIAGONAL);
    linpred__cg_precondition(work);
}

/* ---- a step --------------------------------------------------------------------------------------------------------
 */

LINPRED__FAST static void add_scaled(double factor, int64_t n, const double *restrict from, double *restrict to)
{
    for (int64_t k = 0; k < n; k++)
        to[k] += factor * from[k];
}

/* How far along `direction` from `step` the region ends; lengths by M: a = ||step||², ab = <step,direction>, b =
 * ||direction||². */
static double to_boundary(double radius, double a, double ab, double b)
{
    double rest = fmax(0.0, radius * radius - a), root = sqrt(ab * ab + b * rest);
    return ab > 0 ? rest / (ab + root) : (root - ab) / b;
}

/* The step within the region, moved = X step, and what the model promises of it. */
static void conjugate_gradients(linpred__cg *work)
{
    int32_t d = work->problem->dimension;
    int64_t rows = work->problem->data->rows;
    memset(work->step, 0, (size_t)d * sizeof(double));
    memset(work->moved, 0, (size_t)rows * sizeof(double));
    for (int32_t j = 0; j < d; j++)
        work->residual[j] = -work->point->gradient[j];
    double square = linpred__cg_turn(work, 0.0), part = 0.5;
    double a = 0.0, ab = 0.0, b = square; /* as in to_boundary */
    if (work->first == 0.0)
        work->first = square;
    part = fmin(part, sqrt(sqrt(square / work->first)));
    work->promised = work->length = 0.0;
    work->at_boundary = false;
    for (int i = 1; i <= MOST_DIRECTIONS && square > 0 && !work->at_boundary; i++) {
        linpred__cg_go(work, LINPRED__CG_PRODUCTS);
        double curvature = linpred__cg_collect(work, work->direction, work->image);
        work->problem->passes++;
        double alpha = square / curvature, ahead = a + alpha * (2.0 * ab + alpha * b);
        work->at_boundary = !(curvature > 0 && ahead < work->radius * work->radius);
        if (work->at_boundary)
            alpha = to_boundary(work->radius, a, ab, b);
        if (!isfinite(alpha))
            return; /* no curvature is left, and there is no region */
        a += alpha * (2.0 * ab + alpha * b);
        work->length = sqrt(a);
        double won = work->promised, next = linpred__cg_advance(work, alpha);
        add_scaled(alpha, rows, work->product, work->moved);
        if (i * (work->promised - won) <= part * work->promised || next <= 1e-30 * square)
            return;
        double factor = next / square;
        ab = factor * (ab + alpha * b);
        b = next + factor * factor * b;
        (void)linpred__cg_turn(work, factor);
        square = next;
    }
}

/* Where the slope at v and the value F(v + step) put the minimum on the way, as a part of the step, within limits. */
static double shrink(double slope, double change)
{
    double part = change > slope ? -0.5 * slope / (change - slope) : 0.5;
    return fmin(0.5, fmax(0.0625, part));
}

/* Takes the step or refuses it, and sets the region of the next; false: no further. */
static bool judge(linpred__cg *work)
{
    linpred__logistic_point *point = work->point;
    double value = objective_ahead(work), change = value - point->objective, noise = rounding * point->objective;
    bool drowned = work->promised < 1e3 * noise; /* the change of F is one of its rounding */
    double share = drowned ? 1.0 : -change / work->promised;
    bool taken = change <= -poor * work->promised + noise;
    if (!taken || share < fair)
        work->radius = shrink(dot(point->gradient, work->step, work->problem->dimension), change) * work->length;
    else if (share > good && work->at_boundary)
        work->radius *= 4.0;
    if (!taken) {
        memset(work->moved, 0, (size_t)work->problem->data->rows * sizeof(double));
        linpred__cg_go(work, LINPRED__CG_LOSSES); /* derivatives and curvatures at v again */
        return ++work->refused <= MOST_REFUSED && work->length > 0;
    }
    for (int32_t j = 0; j < work->problem->dimension; j++)
        point->v[j] += point->step[j] = work->step[j];
    point->moved = 0.0;
    for (int64_t i = 0; work->problem->l2 == 0.0 && i < work->problem->data->rows; i++)
        point->moved = fmax(point->moved, fabs(work->moved[i]));
    double *z = work->z;
    work->z = work->trial;
    work->trial = z;
    /* In the end F changes by its rounding alone, while the gradient still shrinks: a few such steps are allowed. */
    work->flat = change < 0 ? 0 : work->flat + 1;
    work->refused = 0;
    point->objective = value;
    return work->flat <= MOST_FLAT;
}

/* Scores and what follows from them at v, from the rows themselves. */
static void begin(linpred__cg *work)
{
    for (int32_t j = 0; j < work->problem->dimension; j++)
        work->units[j] = work->problem->data_unit[j] * work->point->v[j];
    linpred__cg_center(work);
    linpred__cg_go(work, LINPRED__CG_SCORES);
    memset(work->step, 0, (size_t)work->problem->dimension * sizeof(double));
    memset(work->moved, 0, (size_t)work->problem->data->rows * sizeof(double));
    work->point->objective = objective_ahead(work);
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
        square += point->gradient[j] * point->gradient[j] * work->inverse[j];
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

/* Whether at most problem->enough scores are on their row's wrong side, as computed. With none and without a penalty
   there is no minimum. */
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
    bool small = false, afresh = false; /* afresh: F and g were evaluated here */
    linpred_status status = LINPRED_OK;
    begin(work);
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
        bool further = judge(work);
        problem->iterations += work->refused == 0;
        if (further) {
            afresh = false;
            if (work->refused == 0)
                differentiate(work);
        } else if (afresh) {
            break;
        } else {
            afresh = true;
            work->refused = 0;
            work->radius = INFINITY;
            status = confirm(work, 0.0, &small, error);
        }
    }
    return status == LINPRED_OK && !afresh ? confirm(work, 0.0, &small, error) : status;
}

linpred_status linpred__newton_cg(linpred__logistic *problem, linpred__logistic_point *point, double gap,
                                  linpred__logistic_end *end, linpred_error *error)
{
    size_t rows = (size_t)problem->data->rows, d = (size_t)problem->dimension;
    linpred__cg work = {.problem = problem, .point = point, .blocks = problem->data->blocks, .radius = INFINITY};
    int32_t columns = problem->data->columns;
    int64_t paid = columns > 0 ? problem->data->entries / columns : LINPRED__CG_LANES; /* a lane clears and adds them */
    work.lanes = paid < 1 ? 1 : paid < LINPRED__CG_LANES ? paid : LINPRED__CG_LANES;
    work.lanes = work.blocks < work.lanes ? work.blocks : work.lanes;
    double **with_rows[] = {&work.z, &work.curvature, &work.derivative, &work.product, &work.moved, &work.trial};
    double **with_columns[] = {&work.scale,     &work.inverse, &work.step, &work.residual,
                               &work.direction, &work.image,   &work.units};
    enum {
        WITH_ROWS = sizeof with_rows / sizeof with_rows[0],
        WITH_COLUMNS = sizeof with_columns / sizeof with_columns[0]
    };
    bool made = true;
    for (size_t i = 0; i < WITH_ROWS; i++)
        made = (*with_rows[i] = linpred__alloc(rows, sizeof(double))) && made;
    for (size_t i = 0; i < WITH_COLUMNS; i++)
        made = (*with_columns[i] = linpred__calloc(d, sizeof(double))) && made;
    work.chunks = (problem->dimension + LINPRED__CG_CHUNK - 1) / LINPRED__CG_CHUNK;
    work.partial = linpred__alloc(LINPRED__CG_SUMS * (size_t)work.chunks, sizeof(double));
    work.sum = linpred__alloc((size_t)work.lanes * d, sizeof(double));
    work.lane_loss = linpred__alloc((size_t)work.lanes, sizeof *work.lane_loss);
    linpred_status status = made && work.partial && work.sum && work.lane_loss ? LINPRED_OK : linpred__no_memory(error);
    for (size_t j = 0; status == LINPRED_OK && j < d; j++)
        work.scale[j] = problem->data_unit[j] / problem->weight;
    if (status == LINPRED_OK)
        status = loop(&work, gap, end, error);
    for (size_t i = 0; i < WITH_ROWS; i++)
        linpred__release(*with_rows[i]);
    for (size_t i = 0; i < WITH_COLUMNS; i++)
        linpred__release(*with_columns[i]);
    linpred__release(work.partial);
    linpred__release(work.sum);
    linpred__release(work.lane_loss);
    return status;
}
