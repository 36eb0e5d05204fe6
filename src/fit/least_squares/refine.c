/* Refinement: w <- w + S S' g with g = X'V(y - Xw) - κT'Tw, where g and w are in double-double.
 *
 * Each step multiplies the error of w by about `contraction` = ||S'(X'VX + κT'T)S - I||. The steps end when the next
 * one would change w by less than 2^-60 of it. Then w is right to the last digit of a double.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/least_squares/limits.h"
#include "fit/least_squares/ways.h"

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
    }
    linpred__release(g);
    linpred__release(along);
    linpred__release(size);
    return status;
}
