/* The objective of least squares at a point, in double-double: one pass over the rows, and the penalty. */
#include "fit/least_squares/objective.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
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
