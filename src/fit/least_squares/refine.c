/* Refinement: w <- w + S S' g with g = X'V(y - Xw) - κT'Tw in double-double, w kept in double-double.
 *
 * Each step multiplies the error by about `contraction` (how far S'(X'VX + κT'T)S is from I); it ends when the next
 * step could not change w beyond its 60th bit, so that w is right to the last digit of a double.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/least_squares/least_squares.h"

enum { MOST_STEPS = 40 };

/* w += S S' g; answers the length of the step beside that of w, both measured by S, that is as lengths of X w. */
static double step(linpred__squares *squares, const linpred__dd *g, linpred__dd *along, const double *size)
{
    size_t p = (size_t)squares->width, rank = (size_t)squares->rank;
    memset(along, 0, rank * sizeof *along);
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < rank; k++)
            along[k] = linpred__dd_add(along[k], linpred__dd_multiply_double(g[j], squares->factor[j * rank + k].hi));
    double change = 0.0, length = 0.0;
    for (size_t j = 0; j < p; j++) {
        linpred__dd sum = {0.0, 0.0};
        for (size_t k = 0; k < rank; k++)
            sum = linpred__dd_add(sum, linpred__dd_multiply_double(along[k], squares->factor[j * rank + k].hi));
        squares->w[j] = linpred__dd_add(squares->w[j], sum);
        change = fmax(change, fabs(sum.hi) / size[j]);
        length = fmax(length, fabs(squares->w[j].hi) / size[j]);
    }
    return length > 0 ? change / length : change > 0 ? 1.0 : 0.0;
}

linpred_status linpred__squares_refine(linpred__squares *squares, double contraction, linpred_error *error)
{
    size_t p = (size_t)squares->width, rank = (size_t)squares->rank;
    linpred__dd *g = linpred__alloc(p, sizeof *g);
    linpred__dd *along = linpred__alloc(rank, sizeof *along);
    double *size = linpred__calloc(p, sizeof *size);
    linpred_status status = g && along && size ? LINPRED_OK : linpred__no_memory(error);
    for (size_t j = 0; status == LINPRED_OK && j < p; j++) { /* coefficients beside their own uncertainty */
        for (size_t k = 0; k < rank; k++)
            size[j] += squares->factor[j * rank + k].hi * squares->factor[j * rank + k].hi;
        size[j] = size[j] > 0 ? sqrt(size[j]) : 1.0;
    }
    double before = INFINITY;
    for (int i = 0; status == LINPRED_OK && i < MOST_STEPS; i++) {
        status = linpred__squares_residual(squares, g, error);
        if (status != LINPRED_OK)
            break;
        double change = step(squares, g, along, size);
        if (isfinite(before) && before > 0)
            contraction = fmax(contraction, change / before);
        squares->accuracy = fmax(change * fmin(contraction, 1.0), 0x1p-100);
        if (change * contraction < 0x1p-60 || (i > 2 && change >= 0.5 * before))
            break;
        before = change;
    }
    linpred__release(g);
    linpred__release(along);
    linpred__release(size);
    return status;
}
