/* Tests in exact arithmetic whether dependencies hold, X n = 0.
 *
 * If X n is only nearly 0, a step along n may still lower the objective by any amount: the decrease (r'Xn)²/||Xn||²
 * does not shrink with Xn. So a dependency counts only if every <x,n> is exactly 0. n is stated in doubles, which
 * cannot hold 1/3, for instance. Therefore vectors of whole numbers that span about the same space are tested too.
 */
#include <math.h>
#include <string.h>

#include "check/limits.h"
#include "check/null/vectors.h"
#include "check/regression/polynomials.h"
#include "check/regression/squares.h"
#include "check/rows/whole.h"
#include "num/exact_sum.h"
#include "core/memory.h"
#include "data/row.h"

/* Finds the smallest multiple of n that is nearly in whole numbers and rounds it; n itself if there is none. */
static void make_whole(const double *n, size_t p, double *whole)
{
    for (double multiple = 1.0; multiple <= LINPRED__LARGEST_MULTIPLE; multiple += 1.0) {
        size_t j = 0;
        for (; j < p; j++) {
            whole[j] = nearbyint(multiple * n[j]);
            if (!(fabs(multiple * n[j] - whole[j]) <= 0x1p-40 * multiple))
                break;
        }
        if (j == p)
            return;
    }
    memcpy(whole, n, p * sizeof *n);
}

/* Makes vectors that span the same space, each with 1 in a column where the others have 0. If the space has a basis of
   small whole numbers, the entries of these vectors are ratios of small numbers. */
bool linpred__squares_open_null(linpred__squares_problem *problem)
{
    size_t p = problem->p, count = (size_t)problem->regression->dependencies.count;
    if (count == 0)
        return true;
    const double *stated = problem->regression->dependencies.vector;
    double *reduced = linpred__alloc(count * p, sizeof *reduced);
    double *inverse = linpred__calloc(count * count, sizeof *inverse);
    size_t *pivot = linpred__alloc(count, sizeof *pivot);
    problem->rational = linpred__alloc(count * p, sizeof *problem->rational);
    bool ready = reduced && inverse && pivot && problem->rational;
    if (ready)
        memcpy(reduced, stated, count * p * sizeof *reduced);
    bool regular = ready && count <= p && linpred__null_eliminate(reduced, count, p, NULL, inverse, pivot);
    for (size_t k = 0; ready && k < count; k++)
        make_whole((regular ? reduced : stated) + k * p, p, problem->rational + k * p);
    linpred__release(reduced);
    linpred__release(inverse);
    linpred__release(pivot);
    return ready;
}

/* The polynomial of which coordinate j is the second or a higher power; -1: coordinate j is a number of the data. */
static int32_t polynomial_of(const linpred__polynomial_basis *powers, size_t j)
{
    for (int32_t i = 0; i < powers->polynomials; i++) {
        size_t first = (size_t)powers->polynomial[i].term;
        if (j > first && j < first + (size_t)powers->polynomial[i].degree)
            return i;
    }
    return -1;
}

/* Whether the power at coordinate j was computed without rounding: the lower powers are doubles, and nothing
   underflowed. */
static bool power_is_exact(const linpred__polynomial_basis *powers, size_t j, const double *hi, const double *lo)
{
    int32_t i = polynomial_of(powers, j);
    if (i < 0)
        return true;
    size_t first = (size_t)powers->polynomial[i].term;
    for (size_t l = first; l < j; l++)
        if (lo[l] != 0.0)
            return false;
    return hi[first] == 0.0 || fabs(hi[j]) > 0x1p-900;
}

/* Whether the entries of n for the same power of the same number add up to 0. Then its value does not matter. */
static bool cancels(const linpred__polynomial_basis *powers, size_t j, const double *hi, const double *n)
{
    const linpred__polynomial *polynomial = powers->polynomial + polynomial_of(powers, j);
    size_t power = j - (size_t)polynomial->term;
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int32_t i = 0; i < powers->polynomials; i++) {
        size_t first = (size_t)powers->polynomial[i].term;
        if (power < (size_t)powers->polynomial[i].degree && hi[first] == hi[polynomial->term])
            linpred__exact_add(&sum, n[first + power], 1.0);
    }
    return linpred__exact_sign(&sum) == 0;
}

static bool holds(const linpred__squares_problem *problem, const double *hi, const double *lo, const double *n)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (size_t j = 0; j < problem->p; j++) {
        if (n[j] == 0.0)
            continue;
        if (!isfinite(hi[j]) || !isfinite(n[j]))
            return false;
        if (power_is_exact(&problem->powers, j, hi, lo)) {
            linpred__exact_add(&sum, hi[j], n[j]);
            linpred__exact_add(&sum, lo[j], n[j]);
        } else if (!cancels(&problem->powers, j, hi, n)) {
            return false;
        }
    }
    return linpred__exact_sign(&sum) == 0;
}

/* The same for a row with decimals, without powers: times 10^K it is whole. */
static bool holds_whole(const linpred__squares_problem *problem, const linpred__block *block, int32_t r,
                        const double *n)
{
    linpred__entries row = linpred__entries_of(block, r);
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t i = 0; i < row.count; i++) {
        int32_t j = linpred__entry_column(&row, i);
        double part[2];
        linpred__read_cell(block, j, row.values[i], part);
        linpred__exact_add(&sum, part[0], n[j]);
        linpred__exact_add(&sum, part[1], n[j]);
    }
    if (problem->powers.has_intercept)
        linpred__exact_add(&sum, linpred__row_factor(block), n[problem->p - 1]);
    return linpred__exact_sign(&sum) == 0;
}

/* Whether n has an entry for a power of a column with decimals: these are not known exactly. */
static bool uses_decimals(const linpred__squares_problem *problem, const linpred__block *block, const double *n)
{
    for (int32_t j = 0; j < problem->powers.features; j++) {
        size_t first = (size_t)problem->powers.term_of[j];
        size_t next =
            j + 1 < problem->powers.features ? (size_t)problem->powers.term_of[j + 1] : (size_t)problem->powers.terms;
        for (size_t k = first; block->decimals->column[j] > 0 && k < next; k++)
            if (n[k] != 0.0)
                return true;
    }
    return false;
}

static bool holds_in_row(const linpred__squares_problem *problem, const linpred__block *block, int32_t r,
                         const double *n, double *buffer)
{
    if (block->decimals && problem->powers.polynomials == 0)
        return holds_whole(problem, block, r, n);
    return !(block->decimals && uses_decimals(problem, block, n)) && holds(problem, buffer, buffer + problem->p, n);
}

unsigned linpred__squares_broken(const linpred__squares_problem *problem, const linpred__block *block, int32_t r,
                                 int32_t k, double *buffer)
{
    size_t p = problem->p;
    linpred__row_in_basis(&problem->powers, block, r, buffer,
                          buffer + p); /* not in the check's units: those may round */
    const double *stated = problem->regression->dependencies.vector + (size_t)k * p;
    return (holds_in_row(problem, block, r, stated, buffer) ? 0u : 1u) |
           (holds_in_row(problem, block, r, problem->rational + (size_t)k * p, buffer) ? 0u : 2u);
}
