/* Least squares with too many columns for a square matrix of them: conjugate gradients on the normal equations,
 * restarted from residuals in double-double.
 *
 * Each restart solves (X'VX + κT'T) d = g with g = X'V(y - Xw) - κT'Tw, in columns scaled to one length, until the
 * residual of that system has fallen by 1e-8 or falls no further. Then w <- w + d in double-double. The fit ends when g
 * is 1e-13 of the residual. Rank and standard errors are not found. If columns depend on each other, w is one of many
 * minimisers.
 */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "fit/least_squares/limits.h"
#include "fit/least_squares/ways.h"
#include "pass/normal_product.h"

/* out = (X'VX + κT'T) v, or the diagonal of the matrix if v is NULL. T is diagonal here. */
static linpred_status multiply_normal_matrix(const linpred__squares_objective *objective, const double *v, double *out,
                                             linpred_error *error)
{
    const linpred__design *design = &objective->design;
    linpred__normal_matrix matrix = {design->width, design->basis.has_intercept,
                                     design->plain ? NULL : linpred__design_row, design};
    linpred_status status = linpred__normal_product(design->data, design->run->pool, &matrix, v, out, error);
    for (int32_t j = 0; status == LINPRED_OK && objective->penalty > 0 && j < design->basis.terms; j++)
        out[j] += ldexp(objective->penalty, -2 * design->exponent[j]) * (v ? v[j] : 1.0);
    return status;
}

/* ---- one system ---- */

struct vectors {
    double *scale;     /* 1 / length of each column, 0 for an empty one */
    double *residual;  /* of the system, scaled */
    double *direction; /* scaled */
    double *image;     /* the matrix times the direction, scaled */
    double *solution;  /* d, scaled */
    double *unscaled;  /* the direction in the design's units */
};

static double dot_of_columns(const double *a, const double *b, int32_t n)
{
    return linpred__dot_dense(a, b, n);
}

/* One step of conjugate gradients. `square` is the squared length of the residual before and after. False: there is no
   curvature left along the direction, or the pass failed. */
static bool advance(const linpred__squares_objective *objective, struct vectors *v, double *square,
                    linpred_status *status, linpred_error *error)
{
    int32_t p = objective->design.width;
    for (int32_t j = 0; j < p; j++)
        v->unscaled[j] = v->direction[j] * v->scale[j];
    *status = multiply_normal_matrix(objective, v->unscaled, v->image, error);
    if (*status != LINPRED_OK)
        return false;
    for (int32_t j = 0; j < p; j++)
        v->image[j] *= v->scale[j];
    double curvature = dot_of_columns(v->direction, v->image, p);
    if (!(curvature > 0))
        return false;
    double step = *square / curvature;
    for (int32_t j = 0; j < p; j++) {
        v->solution[j] += step * v->direction[j];
        v->residual[j] -= step * v->image[j];
    }
    double next = dot_of_columns(v->residual, v->residual, p);
    for (int32_t j = 0; j < p; j++)
        v->direction[j] = v->residual[j] + next / *square * v->direction[j];
    *square = next;
    return true;
}

/* Solves for d given g, until the residual is small enough or the run is stopped. Counts passes. */
static linpred_status solve_system(const linpred__squares_objective *objective, const linpred__dd *g, struct vectors *v,
                                   int64_t *passes, linpred_error *error)
{
    const double tolerance = LINPRED__SQUARES_INNER_TOLERANCE * LINPRED__SQUARES_INNER_TOLERANCE;
    linpred__run *run = objective->design.run;
    int32_t p = objective->design.width;
    for (int32_t j = 0; j < p; j++) {
        v->residual[j] = v->direction[j] = g[j].hi * v->scale[j];
        v->solution[j] = 0.0;
    }
    linpred_status status = LINPRED_OK;
    double first = dot_of_columns(v->residual, v->residual, p), square = first;
    for (int32_t k = 0; k < 2 * p + 50 && square > tolerance * first; k++) {
        bool advanced = advance(objective, v, &square, &status, error);
        *passes += status == LINPRED_OK;
        if (!advanced || linpred__run_should_stop(run, "conjugate gradients", 0, *passes, NAN))
            break;
    }
    return status;
}

/* ---- restarts ---- */

/* Sets accuracy: the largest entry of g divided by the length of the residual, with columns scaled to length 1. If the
   fit is perfect, the length of y takes the place of the residual's. Returns the largest entry. */
static double measure_gradient(const linpred__dd *g, const double *scale, int32_t p,
                               linpred__squares_solution *solution)
{
    double size = 0.0;
    for (int32_t j = 0; j < p; j++)
        size = fmax(size, fabs(g[j].hi) * scale[j]);
    double length = fmax(sqrt(solution->squares.hi), 0x1p-50 * sqrt(solution->around.hi));
    solution->accuracy = length > 0 ? fmax(size / length, 0x1p-100) : 0x1p-100;
    return size;
}

static linpred_status restart(const linpred__squares_objective *objective, linpred__dd *g, struct vectors *v,
                              linpred__squares_solution *solution, linpred_error *error)
{
    int32_t p = objective->design.width;
    const linpred__run *run = objective->design.run;
    double before = INFINITY;
    bool perfect = false;
    for (int k = 0; k < LINPRED__SQUARES_MAX_RESTARTS && run->stopped == LINPRED__NOT_STOPPED; k++) {
        linpred_status status = linpred__squares_evaluate(objective, solution, g, error);
        if (status != LINPRED_OK)
            return status;
        double size = measure_gradient(g, v->scale, p, solution);
        /* The residual is only rounding. An objective is never below 0, so this one is the minimum up to rounding. */
        perfect = objective->penalty == 0.0 && solution->squares.hi <= 0x1p-84 * solution->around.hi;
        if (perfect)
            solution->accuracy = fmin(solution->accuracy, LINPRED__SQUARES_OUTER_TOLERANCE);
        if (solution->accuracy <= LINPRED__SQUARES_OUTER_TOLERANCE || perfect || size > 0.5 * before)
            break;
        before = size;
        status = solve_system(objective, g, v, &solution->passes, error);
        if (status != LINPRED_OK)
            return status;
        for (int32_t j = 0; j < p; j++)
            solution->w[j] = linpred__dd_add_double(solution->w[j], v->solution[j] * v->scale[j]);
    }
    solution->converged = perfect || solution->accuracy <= LINPRED__SQUARES_CONVERGED;
    bool stopped = run->stopped != LINPRED__NOT_STOPPED;
    return stopped ? linpred__squares_evaluate(objective, solution, NULL, error) : LINPRED_OK;
}

linpred_status linpred__squares_by_gradients(const linpred__squares_objective *objective,
                                             linpred__squares_solution *solution, linpred_error *error)
{
    size_t p = (size_t)objective->design.width;
    solution->method = LINPRED_METHOD_CG;
    linpred__dd *g = linpred__calloc(p, sizeof *g);
    double *memory = linpred__calloc(6 * p, sizeof *memory);
    struct vectors v = {memory, memory + p, memory + 2 * p, memory + 3 * p, memory + 4 * p, memory + 5 * p};
    linpred_status status =
        g && memory ? multiply_normal_matrix(objective, NULL, v.scale, error) : linpred__no_memory(error);
    solution->passes = 1;
    for (size_t j = 0; status == LINPRED_OK && j < p; j++)
        v.scale[j] = v.scale[j] > 0 ? 1.0 / sqrt(v.scale[j]) : 0.0;
    if (status == LINPRED_OK)
        status = restart(objective, g, &v, solution, error);
    linpred__release(g);
    linpred__release(memory);
    return status;
}
