/* Steps of Newton's method by conjugate gradients, in a trust region.
 *
 * A step p roughly minimises the quadratic model -q(p) = <g,p> + p'Hp/2 within ||p||_M <= Δ, where M is the diagonal of
 * H. Conjugate gradients preconditioned with M find it (Steihaug). They end on the boundary of the region, or when one
 * more direction adds less to q than a certain part of the average so far (the rule of Galli and Lin). That part is one
 * half at first and shrinks with the gradient, so that the last steps are nearly Newton steps.
 *
 * The decrease of F divided by q(p) decides whether the step is taken and what Δ is next. Δ is infinite until a step
 * turns out too long. That is safe at v = 0: the curvature of the loss is largest there, so the model tends to promise
 * too little.
 */
#include <math.h>
#include <string.h>

#include "data/row.h"
#include "minimise/cg_state.h"
#include "minimise/limits.h"

/* ---- F and its derivatives --------------------------------------------------------------------------------------- */

LINPRED__FAST static double dot_fast(const double *a, const double *b, int32_t n)
{
    return linpred__dot_dense(a, b, n);
}

/* F at v + step, from the scores; no row is read. */
static double objective_ahead(linpred__cg *cg)
{
    const linpred__logistic_problem *problem = cg->problem;
    linpred__dd loss = {0, 0};
    linpred__cg_go(cg, LINPRED__CG_LOSSES);
    for (int64_t lane = 0; lane < cg->lanes; lane++)
        loss = linpred__dd_add(loss, cg->losses[lane].loss);
    double penalty = 0.0;
    for (int32_t j = 0; j < problem->dimension; j++) {
        double v = cg->point->v[j] + cg->step[j];
        penalty += 0.5 * problem->penalty[j] * v * v;
    }
    return loss.hi / problem->weight + penalty;
}

/* The preconditioner need not be exact, so it is renewed only in steps 0, 1, 3, 7, … */
void linpred__cg_differentiate(linpred__cg *cg)
{
    int64_t step = cg->problem->progress.iterations;
    double curvature = 0.0;
    for (int64_t lane = 0; lane < cg->lanes; lane++)
        curvature += cg->losses[lane].curvature;
    cg->point->curvature = curvature / cg->problem->weight;
    linpred__cg_go(cg, LINPRED__CG_GRADIENT);
    (void)linpred__cg_collect(cg, cg->point->v, cg->point->gradient);
    linpred__cg_gather(cg, cg->point->gradient);
    cg->problem->progress.passes++;
    if (cg->now.preconditioned && (step & (step + 1)) != 0)
        return;
    cg->now.preconditioned = true;
    cg->problem->progress.passes++;
    linpred__cg_go(cg, LINPRED__CG_DIAGONAL);
    linpred__cg_precondition(cg);
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* The t >= 0 with ||step + t direction||_M = radius, given a = ||step||_M², ab = <step,direction>_M and
   b = ||direction||_M². */
static double to_boundary(double radius, double a, double ab, double b)
{
    double rest = fmax(0.0, radius * radius - a), root = sqrt(ab * ab + b * rest);
    return ab > 0 ? rest / (ab + root) : (root - ab) / b;
}

/* It also sets score_change = X step, and `promised` = q(step). Each process knows the step of its own columns. */
static void find_own_step(linpred__cg *cg)
{
    int32_t d = cg->problem->dimension;
    int64_t rows = cg->problem->data->rows;
    memset(cg->step, 0, (size_t)d * sizeof(double));
    memset(cg->score_change, 0, (size_t)rows * sizeof(double));
    for (int32_t j = 0; j < d; j++)
        cg->residual[j] = -cg->point->gradient[j];
    double square = linpred__cg_turn(cg, 0.0), part = 0.5;
    double a = 0.0, ab = 0.0, b = square; /* as in to_boundary */
    if (cg->now.first_square == 0.0)
        cg->now.first_square = square;
    part = fmin(part, sqrt(sqrt(square / cg->now.first_square)));
    cg->now.promised = cg->now.length = 0.0;
    cg->now.at_boundary = false;
    for (int i = 1; i <= LINPRED__CG_MAX_DIRECTIONS && square > 0 && !cg->now.at_boundary; i++) {
        linpred__cg_go(cg, LINPRED__CG_PRODUCTS);
        double curvature = linpred__cg_collect(cg, cg->direction, cg->image);
        cg->problem->progress.passes++;
        double alpha = square / curvature, ahead = a + alpha * (2.0 * ab + alpha * b);
        cg->now.at_boundary = !(curvature > 0 && ahead < cg->now.radius * cg->now.radius);
        if (cg->now.at_boundary)
            alpha = to_boundary(cg->now.radius, a, ab, b);
        if (!isfinite(alpha))
            return; /* there is no curvature along the direction, and Δ is infinite */
        a += alpha * (2.0 * ab + alpha * b);
        cg->now.length = sqrt(a);
        double won = cg->now.promised, next = linpred__cg_advance(cg, alpha);
        linpred__cg_go(cg, LINPRED__CG_CHANGES);
        if (i * (cg->now.promised - won) <= part * cg->now.promised || next <= 1e-30 * square)
            return;
        double factor = next / square;
        ab = factor * (ab + alpha * b);
        b = next + factor * factor * b;
        (void)linpred__cg_turn(cg, factor);
        square = next;
    }
}

void linpred__cg_find_step(linpred__cg *cg)
{
    find_own_step(cg);
    linpred__cg_gather(cg, cg->step);
}

/* After a step that was too long, the part of its length that is allowed next. It is the minimum of the parabola with
   the slope at v and the value F(v + step), within limits. */
static double shrink(double slope, double change)
{
    double part = change > slope ? -0.5 * slope / (change - slope) : 0.5;
    return fmin(0.5, fmax(0.0625, part));
}

static void take_step(linpred__cg *cg)
{
    linpred__logistic_point *point = cg->point;
    for (int32_t j = 0; j < cg->problem->dimension; j++)
        point->v[j] += point->step[j] = cg->step[j];
    point->max_score_change = 0.0;
    for (int64_t lane = 0; cg->problem->terms.l2 == 0.0 && lane < cg->lanes; lane++)
        point->max_score_change = fmax(point->max_score_change, cg->losses[lane].largest_change);
    double *z = cg->z;
    cg->z = cg->trial;
    cg->trial = z;
}

bool linpred__cg_judge_step(linpred__cg *cg)
{
    linpred__logistic_point *point = cg->point;
    double value = objective_ahead(cg), change = value - point->objective,
           noise = linpred__cg_rounding * point->objective;
    bool drowned = cg->now.promised < 1e3 * noise; /* the change of F as computed is mostly rounding */
    double share = drowned ? 1.0 : -change / cg->now.promised;
    bool taken = change <= -linpred__cg_poor * cg->now.promised + noise;
    if (!taken || share < linpred__cg_fair)
        cg->now.radius = shrink(dot_fast(point->gradient, cg->step, cg->problem->dimension), change) * cg->now.length;
    else if (share > linpred__cg_good && cg->now.at_boundary)
        cg->now.radius *= 4.0;
    if (!taken) {
        memset(cg->score_change, 0, (size_t)cg->problem->data->rows * sizeof(double));
        linpred__cg_go(cg, LINPRED__CG_LOSSES); /* restores the derivatives and curvatures at v */
        return ++cg->now.refused <= LINPRED__CG_MAX_REFUSED && cg->now.length > 0;
    }
    take_step(cg);
    /* Near the minimum the computed F changes only by rounding while the gradient still shrinks. A few such
       steps are allowed. */
    cg->now.flat = change < 0 ? 0 : cg->now.flat + 1;
    cg->now.refused = 0;
    point->objective = value;
    return cg->now.flat <= LINPRED__CG_MAX_FLAT;
}

void linpred__cg_begin(linpred__cg *cg)
{
    for (int32_t j = 0; j < cg->problem->dimension; j++)
        cg->units[j] = cg->problem->data_unit[j] * cg->point->v[j];
    linpred__cg_centre(cg);
    linpred__cg_go(cg, LINPRED__CG_SCORES);
    memset(cg->step, 0, (size_t)cg->problem->dimension * sizeof(double));
    memset(cg->score_change, 0, (size_t)cg->problem->data->rows * sizeof(double));
    cg->point->objective = objective_ahead(cg);
    linpred__cg_differentiate(cg);
    cg->problem->progress.passes++;
}
