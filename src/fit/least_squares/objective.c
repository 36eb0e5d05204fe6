/* The objective of least squares and its gradient at a point in double-double, by one pass over the rows, and the
 * steps that refine a solution by its gradient. */
#include "fit/least_squares/objective.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/least_squares/limits.h"
#include "pass/residual.h"

void linpred__squares_objective_clear(linpred__squares_objective *objective)
{
    linpred__design_close(&objective->design);
    linpred__release(objective->map);
    objective->map = NULL;
}

void linpred__squares_set_penalty(linpred__squares_objective *objective, double l2)
{
    objective->penalty = l2 * (0.5 * objective->design.weight);
}

bool linpred__squares_make_map(linpred__squares_objective *objective)
{
    const linpred__design *design = &objective->design;
    size_t p = (size_t)design->width, terms = (size_t)design->basis.terms;
    if (objective->penalty == 0.0)
        return true;
    objective->map = linpred__calloc(terms * p, sizeof *objective->map);
    linpred__dd *unit = linpred__calloc(2 * p, sizeof *unit);
    bool complete = objective->map && unit;
    for (size_t k = 0; complete && k < p; k++) { /* column k of T is the image of the k-th unit vector */
        unit[k].hi = ldexp(1.0, -design->exponent[k]);
        linpred__polynomial_basis_to_powers(&design->basis, unit, unit + p);
        unit[k].hi = 0.0;
        for (size_t j = 0; j < terms; j++)
            objective->map[j * p + k] = unit[p + j];
    }
    linpred__release(unit);
    return complete;
}

bool linpred__squares_solution_open(linpred__squares_solution *solution, int32_t width)
{
    *solution = (linpred__squares_solution){
        .rank = -1, .condition = NAN, .threshold = NAN, .accuracy = NAN, .converged = true, .passes = -1};
    solution->w = linpred__calloc((size_t)width, sizeof *solution->w);
    return solution->w != NULL;
}

void linpred__squares_solution_clear(linpred__squares_solution *solution)
{
    linpred__release(solution->w);
    linpred__release(solution->factor);
    linpred__release(solution->null);
    *solution = (linpred__squares_solution){0};
}

bool linpred__squares_solution_factor(linpred__squares_solution *solution, int32_t width, int32_t rank)
{
    linpred__release(solution->factor);
    solution->rank = rank;
    solution->factor = linpred__calloc((size_t)width * (size_t)rank, sizeof *solution->factor);
    return solution->factor != NULL;
}

/* g -= κ T'T w */
static void subtract_penalty(const linpred__squares_objective *objective, const linpred__dd *w, linpred__dd *g)
{
    const linpred__design *design = &objective->design;
    size_t p = (size_t)design->width;
    bool diagonal = !objective->map && objective->penalty > 0;
    for (int32_t j = 0; diagonal && j < design->basis.terms; j++) {
        double scale = ldexp(objective->penalty, -2 * design->exponent[j]);
        g[j] = linpred__dd_add(g[j], linpred__dd_multiply_double(w[j], -scale));
    }
    for (int32_t j = 0; objective->map && j < design->basis.terms; j++) {
        const linpred__dd *row = objective->map + (size_t)j * p;
        linpred__dd u = {0.0, 0.0};
        for (size_t k = 0; k < p; k++)
            u = linpred__dd_add(u, linpred__dd_multiply(row[k], w[k]));
        u = linpred__dd_multiply_double(u, -objective->penalty);
        for (size_t k = 0; k < p; k++)
            g[k] = linpred__dd_add(g[k], linpred__dd_multiply(row[k], u));
    }
}

linpred_status linpred__squares_evaluate(const linpred__squares_objective *objective,
                                         linpred__squares_solution *solution, linpred__dd *g, linpred_error *error)
{
    const linpred__design *design = &objective->design;
    size_t p = (size_t)design->width;
    double *parts = linpred__alloc(2 * p, sizeof *parts);
    if (!parts)
        return linpred__no_memory(error);
    for (size_t j = 0; j < p; j++) {
        parts[j] = solution->w[j].hi;
        parts[p + j] = solution->w[j].lo;
    }
    linpred__residual residual = {.width = design->width,
                                  .has_intercept = design->basis.has_intercept,
                                  .hi = parts,
                                  .lo = parts + p,
                                  .centre = design->basis.has_intercept ? design->target_mean : 0.0,
                                  .target_exponent = design->target_exponent,
                                  .expand = design->plain ? NULL : linpred__design_row,
                                  .context = design,
                                  .gradient = g,
                                  .fingerprint = solution->has_fingerprint ? NULL : &solution->fingerprint};
    linpred_status status = linpred__residual_pass(design->data, design->run->pool, &residual, error);
    linpred__release(parts);
    if (status != LINPRED_OK)
        return status;
    solution->has_fingerprint = true;
    solution->squares = residual.squares;
    solution->absolute = residual.absolute;
    solution->around = residual.around;
    if (g)
        subtract_penalty(objective, solution->w, g);
    return LINPRED_OK;
}

/* Refinement: w <- w + S S' g with g = X'V(y - Xw) - κT'Tw, where g and w are in double-double.
 *
 * Each step multiplies the error of w by about `contraction` = ||S'(X'VX + κT'T)S - I||. The steps end when the next
 * one would change w by less than 2^-60 of it. Then w is right to the last digit of a double.
 */

/* w += S S' g. Returns the largest change of a coefficient divided by the largest coefficient. Both are first divided
   by `size`, the length of the coefficient's row of S. */
static double step(linpred__squares_solution *solution, size_t p, const linpred__dd *g, linpred__dd *along,
                   const double *size)
{
    size_t rank = (size_t)solution->rank;
    const linpred__dd *factor = solution->factor;
    memset(along, 0, rank * sizeof *along);
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < rank; k++)
            along[k] = linpred__dd_add(along[k], linpred__dd_multiply_double(g[j], factor[j * rank + k].hi));
    double change = 0.0, length = 0.0;
    for (size_t j = 0; j < p; j++) {
        linpred__dd sum = {0.0, 0.0};
        for (size_t k = 0; k < rank; k++)
            sum = linpred__dd_add(sum, linpred__dd_multiply_double(along[k], factor[j * rank + k].hi));
        solution->w[j] = linpred__dd_add(solution->w[j], sum);
        change = fmax(change, fabs(sum.hi) / size[j]);
        length = fmax(length, fabs(solution->w[j].hi) / size[j]);
    }
    return length > 0 ? change / length : change > 0 ? 1.0 : 0.0;
}

static void row_lengths(const linpred__squares_solution *solution, size_t p, double *size)
{
    size_t rank = (size_t)solution->rank;
    for (size_t j = 0; j < p; j++) {
        for (size_t k = 0; k < rank; k++)
            size[j] += solution->factor[j * rank + k].hi * solution->factor[j * rank + k].hi;
        size[j] = size[j] > 0 ? sqrt(size[j]) : 1.0;
    }
}

linpred_status linpred__squares_refine(const linpred__squares_objective *objective, double contraction,
                                       linpred__squares_solution *solution, linpred_error *error)
{
    size_t p = (size_t)objective->design.width;
    linpred__dd *g = linpred__alloc(p, sizeof *g);
    linpred__dd *along = linpred__alloc((size_t)solution->rank, sizeof *along);
    double *size = linpred__calloc(p, sizeof *size);
    linpred_status status = g && along && size ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        row_lengths(solution, p, size);
    double before = INFINITY;
    for (int i = 0; status == LINPRED_OK && i < LINPRED__SQUARES_MAX_REFINEMENTS; i++) {
        status = linpred__squares_evaluate(objective, solution, g, error);
        if (status != LINPRED_OK)
            break;
        double change = step(solution, p, g, along, size);
        if (isfinite(before) && before > 0)
            contraction = fmax(contraction, change / before);
        solution->accuracy = fmax(change * fmin(contraction, 1.0), 0x1p-100);
        if (change * contraction < LINPRED__SQUARES_REFINED || (i > 2 && change >= 0.5 * before))
            break;
        before = change;
        if (linpred__run_should_stop(objective->design.run, "refinement", 0, i + 1, NAN)) {
            status = linpred__squares_evaluate(objective, solution, NULL, error);
            break;
        }
    }
    linpred__release(g);
    linpred__release(along);
    linpred__release(size);
    return status;
}
