/* From the coordinates of the design to the user's units and plain powers:
 *
 *   coefficient = P (2^target_exponent D w),   D = diag(2^-exponent_j),   P the change from the basis to plain powers
 *
 * If columns depend on each other, the coefficients are then those of least norm, or dependent columns stay dropped
 * (fit/coefficients.h).
 */
#include "fit/least_squares/user_units.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/limits.h"
#include "model/regression.h"

static linpred__dd scaled(linpred__dd a, int exponent)
{
    return (linpred__dd){ldexp(a.hi, exponent), ldexp(a.lo, exponent)};
}

void linpred__squares_column_sizes(const linpred__design *design, double *size)
{
    const linpred__polynomial_basis *basis = &design->basis;
    for (int32_t j = 0; j < design->width; j++)
        size[j] = ldexp(1.0, design->exponent[j]);
    for (int32_t i = 0; i < basis->polynomials; i++) {
        const linpred__polynomial *p = &basis->polynomial[i];
        bool constant = !(p->step[1] > 0.0); /* its unit then says nothing about its size */
        double largest = fabs(p->centre[0]) + (constant ? 0.0 : ldexp(1.0, p->exponent));
        for (int32_t k = 0; k < p->degree; k++)
            size[p->term + k] = pow(largest, k + 1);
    }
}

/* ---- dependencies ---- */

/* Sets to 0 the entries of a dependency that only the rounding of the change to plain powers made nonzero. */
static void drop_rounding(linpred__dd *n, const double *size, size_t p)
{
    double largest = 0.0;
    for (size_t j = 0; j < p; j++)
        largest = fmax(largest, fabs(n[j].hi) * size[j]);
    for (size_t j = 0; j < p; j++)
        if (fabs(n[j].hi) * size[j] < 0x1p-70 * largest)
            n[j] = (linpred__dd){0.0, 0.0};
}

/* Scales a pair by a power of two so that the largest part of its first half is between 1 and 2. */
static void normalise(linpred__dd *pair, size_t p)
{
    double largest = 0.0;
    for (size_t j = 0; j < p; j++)
        largest = fmax(largest, fabs(pair[j].hi));
    int exponent = largest > 0 ? ilogb(largest) : 0;
    for (size_t j = 0; j < 2 * p; j++)
        pair[j] = scaled(pair[j], -exponent);
}

/* Writes the dependencies into the answer, and as pairs. */
static bool convert_dependencies(const linpred__design *design, const linpred__squares_solution *solution,
                                 linpred__dd *pairs, linpred__least_squares *answer)
{
    size_t p = (size_t)design->width, count = (size_t)solution->dependencies;
    bool powers = design->basis.polynomials > 0;
    if (count == 0)
        return true;
    double *size = linpred__alloc(p, sizeof *size);
    answer->basis_dependency = powers ? linpred__calloc(count * p, sizeof *answer->basis_dependency) : NULL;
    bool complete = size && (!powers || answer->basis_dependency) &&
                    linpred__dependencies_open(&answer->coefficients.dependencies, (int32_t)count, design->width);
    if (complete)
        linpred__squares_column_sizes(design, size);
    for (size_t k = 0; complete && k < count; k++) {
        linpred__dd *pair = pairs + k * 2 * p;
        linpred__design_to_user(design, solution->null + k * p, 1, 0, pair + p, pair);
        if (powers)
            drop_rounding(pair, size, p);
        normalise(pair, p);
        for (size_t j = 0; j < p; j++) {
            answer->coefficients.dependencies.vector[k * p + j] = pair[j].hi;
            if (powers)
                answer->basis_dependency[k * p + j] = pair[p + j].hi;
        }
    }
    linpred__release(size);
    return complete;
}

/* ---- the factor ---- */

/* Computes the squared lengths of the rows of S in plain powers. Each row is divided by a power of two near its largest
   entry, because squares of 1e-200 or 1e200 would leave the range. Copies S in the basis to `kept` unless that is NULL.
   `columns` is scratch, 2 width long. */
static void square_rows(const linpred__design *design, const linpred__squares_solution *solution, linpred__dd *columns,
                        double *kept, double *largest, linpred__dd *square)
{
    size_t p = (size_t)design->width, rank = (size_t)solution->rank;
    for (size_t k = 0; k < rank; k++) {
        linpred__design_to_user(design, solution->factor + k, rank, 0, columns, columns + p);
        for (size_t j = 0; j < p; j++) {
            largest[j] = fmax(largest[j], fabs(columns[p + j].hi));
            if (kept)
                kept[j * rank + k] = columns[j].hi;
        }
    }
    for (size_t k = 0; k < rank; k++) {
        linpred__design_to_user(design, solution->factor + k, rank, 0, columns, columns + p);
        for (size_t j = 0; j < p; j++) {
            linpred__dd part = scaled(columns[p + j], largest[j] > 0 ? -ilogb(largest[j]) : 0);
            square[j] = linpred__dd_add(square[j], linpred__dd_multiply(part, part));
        }
    }
}

/* Writes S in the basis, and the length of row j of S in plain powers: the standard error of coefficient j divided by
   the residual standard deviation. Rows of S that belong to dependent columns are 0, so the others are those of the
   problem without these columns. */
static bool convert_factor(const linpred__design *design, const linpred__squares_solution *solution,
                           linpred__dd *columns, linpred__least_squares *answer)
{
    size_t p = (size_t)design->width, rank = (size_t)solution->rank;
    const linpred__dependencies *dependencies = &answer->coefficients.dependencies;
    if (!solution->factor)
        return true;
    bool kept = design->width <= LINPRED__FACTOR_MAX_WIDTH;
    answer->factor = kept ? linpred__calloc(p * rank, sizeof *answer->factor) : NULL;
    answer->error_per_sd = linpred__alloc(p, sizeof *answer->error_per_sd);
    linpred__dd *square = linpred__calloc(p, sizeof *square);
    double *largest = linpred__calloc(p, sizeof *largest);
    bool complete = (!kept || answer->factor) && answer->error_per_sd && square && largest;
    if (complete)
        square_rows(design, solution, columns, answer->factor, largest, square);
    for (size_t i = 0; complete && answer->factor && i < p * rank; i++)
        if (!isfinite(answer->factor[i])) { /* of columns below the range; the checker makes a factor of its own */
            linpred__release(answer->factor);
            answer->factor = NULL;
        }
    for (size_t j = 0; complete && j < p; j++) {
        bool estimable = linpred__dependencies_leave(dependencies, design->basis.terms, (int32_t)j);
        double length = ldexp(linpred__dd_square_root(square[j]).hi, largest[j] > 0 ? ilogb(largest[j]) : 0);
        answer->error_per_sd[j] = estimable ? length : NAN;
    }
    linpred__release(square);
    linpred__release(largest);
    return complete;
}

/* ---- all of it ---- */

linpred_status linpred__squares_to_user(const linpred__squares_objective *objective,
                                        const linpred__squares_solution *solution, const linpred__problem *problem,
                                        const linpred__recipe *recipe, linpred__least_squares *answer,
                                        linpred_error *error)
{
    const linpred__design *design = &objective->design;
    size_t p = (size_t)design->width;
    linpred__dd *buffer = linpred__calloc((2 * (size_t)solution->dependencies + 2) * p, sizeof *buffer);
    linpred__coefficients *coefficients = &answer->coefficients;
    bool complete = linpred__coefficients_open(coefficients, design->width) && buffer;
    linpred__dd *columns = buffer, *pairs = buffer + 2 * p;
    linpred_status status = LINPRED_OK;
    complete = complete && convert_dependencies(design, solution, pairs, answer);
    if (complete) {
        linpred__design_to_user(design, solution->w, 1, design->target_exponent, coefficients->in_basis,
                                coefficients->plain);
        coefficients->dependencies.drop = objective->drop;
        status = linpred__coefficients_choose(design, problem, recipe, pairs, coefficients, error);
        complete = status != LINPRED_OK || convert_factor(design, solution, columns, answer);
    }
    linpred__release(buffer);
    return complete ? status : linpred__no_memory(error);
}
