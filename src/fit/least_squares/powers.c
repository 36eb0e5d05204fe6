/* Whether a least-squares fit still holds in plain powers, after rounding its coefficients there.
 *
 *   g = X'V(y - Xc) - κc in plain powers;   the objective exceeds its minimum by ||S'g||²
 */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/least_squares/limits.h"
#include "fit/least_squares/user_units.h"
#include "pass/residual.h"

static void powers_row(const void *context, const linpred__block *block, int32_t r, double *hi, double *lo)
{
    linpred__polynomial_basis_row(context, block, r, hi, lo);
}

struct powers {
    linpred__dd *gradient; /* g, p long; column of S behind it, 2p long */
    double *c;             /* coefficients: leading parts, trailing parts, 2p */
    double *size;          /* sums that g is made of, 2p: see pass/residual.h */
    linpred__residual sums;
};

/* The sums and g at the coefficients of plain powers. */
static linpred_status evaluate(const linpred__design *design, const linpred__recipe *recipe, struct powers *powers,
                               linpred_error *error)
{
    linpred__polynomial_basis basis = {0};
    if (!linpred__polynomial_basis_make(&basis, recipe, design->basis.has_intercept))
        return linpred__no_memory(error);
    powers->sums = (linpred__residual){.width = design->width,
                                       .has_intercept = basis.has_intercept,
                                       .hi = powers->c,
                                       .lo = powers->c + design->width,
                                       .target_exponent = design->target_exponent,
                                       .expand = powers_row,
                                       .context = &basis,
                                       .gradient = powers->gradient,
                                       .size = powers->size};
    linpred_status status = linpred__residual_pass(design->data, design->run->pool, &powers->sums, error);
    linpred__polynomial_basis_clear(&basis);
    return status;
}

/* Subtracts κc from g. Returns whether g is small compared with the sums it is made of. */
static bool gradient_vanishes(const linpred__squares_objective *objective, struct powers *powers)
{
    size_t p = (size_t)objective->design.width;
    bool small = true;
    for (size_t j = 0; j < p; j++) {
        double pull = j < (size_t)objective->design.basis.terms ? objective->penalty : 0.0;
        linpred__dd c = {powers->c[j], powers->c[p + j]};
        powers->gradient[j] = linpred__dd_add(powers->gradient[j], linpred__dd_multiply_double(c, -pull));
        double sum = fmax(powers->size[j] + pull * fabs(c.hi), 1e-6 * (powers->size[p + j] + pull * fabs(c.hi)));
        small = small && (fabs(powers->gradient[j].hi) <= LINPRED__SQUARES_GRADIENT_MAX * sum || sum == 0.0);
    }
    return small;
}

/* ||S'g||²; infinity if S is not known or columns are too large or small. */
static double excess(const linpred__design *design, const linpred__squares_solution *solution, struct powers *powers)
{
    size_t p = (size_t)design->width;
    linpred__dd *column = powers->gradient + p;
    double sum = solution->factor ? 0.0 : (double)INFINITY;
    for (int32_t k = 0; k < solution->rank; k++) {
        linpred__dd along = {0.0, 0.0};
        linpred__design_to_user(design, solution->factor + k, (size_t)solution->rank, 0, column, column + p);
        for (size_t j = 0; j < p; j++)
            along = linpred__dd_add(along, linpred__dd_multiply(column[p + j], powers->gradient[j]));
        sum += along.hi * along.hi;
    }
    linpred__squares_column_sizes(design, powers->size);
    for (size_t j = 0; j < p; j++)
        sum =
            powers->size[j] < LINPRED__SQUARES_SIZE_MIN || powers->size[j] > LINPRED__SQUARES_SIZE_MAX ? INFINITY : sum;
    return sum;
}

/* Whether Σ v |r| is that of the basis, but for rounding of its terms. A row that outweighs all others may have a
   residual that is lost in the sum of squares and not in this one. */
static bool absolute_agrees(const linpred__design *design, const linpred__squares_solution *solution,
                            struct powers *powers)
{
    double absolute = powers->sums.absolute.hi, terms = 1.0; /* targets are at most 1 */
    linpred__squares_column_sizes(design, powers->size);
    for (int32_t j = 0; j < design->width; j++)
        terms += fabs(powers->c[j]) * powers->size[j];
    return fabs(absolute - solution->absolute.hi) <=
           LINPRED__SQUARES_GRADIENT_MAX * absolute + LINPRED__SQUARES_TERMS_APART_MAX * design->weight * terms;
}

linpred_status linpred__squares_hold_in_powers(const linpred__squares_objective *objective,
                                               const linpred__squares_solution *solution, const linpred__recipe *recipe,
                                               const linpred__dd *coefficient, bool *holds, linpred_error *error)
{
    const linpred__design *design = &objective->design;
    size_t p = (size_t)design->width;
    struct powers powers = {.gradient = linpred__calloc(3 * p, sizeof(linpred__dd)),
                            .c = linpred__calloc(2 * p, sizeof(double)),
                            .size = linpred__calloc(2 * p, sizeof(double))};
    bool ready = powers.gradient && powers.c && powers.size;
    for (size_t j = 0; ready && j < p; j++) {
        powers.c[j] = ldexp(coefficient[j].hi, -design->target_exponent);
        powers.c[p + j] = ldexp(coefficient[j].lo, -design->target_exponent);
    }
    linpred_status status = ready ? evaluate(design, recipe, &powers, error) : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        double squares = powers.sums.squares.hi, around = powers.sums.around.hi;
        double apart = fabs(sqrt(squares) - sqrt(solution->squares.hi));
        bool perfect = objective->penalty == 0.0 && squares <= 0x1p-80 * around; /* g is then only rounding */
        bool small = perfect || gradient_vanishes(objective, &powers);
        *holds = apart <= LINPRED__SQUARES_SUMS_APART_MAX * sqrt(around) &&
                 (small || excess(design, solution, &powers) <= LINPRED__SQUARES_GRADIENT_MAX * squares) &&
                 absolute_agrees(design, solution, &powers);
    }
    linpred__release(powers.gradient);
    linpred__release(powers.c);
    linpred__release(powers.size);
    return status;
}
