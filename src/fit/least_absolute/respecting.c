/* Whether a vertex is the best fit among coefficients that respect dependencies.
 *
 * The vertex was proved with the dependent columns left out. Where n'w = 0 is demanded of a dependency n that holds to
 * rounding only, these columns take part, and their rounding times large coefficients may make another vertex the best.
 * With N a basis of all w that respect the dependencies, the rows are N'x. For them the basis h has the equations
 *
 *   (X_h N) u = y_h,   (X_h N)' a_h = -Σ a_i N'x_i over the rows outside of the basis,
 *
 * and the vertex w = N u is the best if a_h lies in its intervals. The support keeps the duals that it has: those
 * cancel in every column, these only along what respects the dependencies.
 */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/least_absolute/limits.h"
#include "fit/least_absolute/row.h"
#include "fit/least_absolute/row_sums.h"
#include "fit/least_absolute/stated.h"
#include "solve/dense/dd_system.h"

/* N, a row of `rank` entries for each coefficient; X_h N by rows; vectors of length rank. */
struct respecting {
    size_t p, rank, count;
    linpred__dd *basis, *rows, *right, *dual;
    linpred__dd_system equations; /* of X_h N */
};

static void close_respecting(struct respecting *r)
{
    linpred__dd_system_close(&r->equations);
    linpred__release(r->basis);
}

static bool open_respecting(struct respecting *r, size_t p, size_t rank)
{
    *r = (struct respecting){.p = p, .rank = rank, .count = p - rank};
    r->basis = linpred__calloc(p * rank + rank * rank + 2 * rank, sizeof *r->basis);
    if (!r->basis)
        return false;
    r->rows = r->basis + p * rank;
    r->right = r->rows + rank * rank;
    r->dual = r->right + rank;
    return true;
}

/* n_kj in the units of the design; the intercept has no part. */
static linpred__dd part_in_design(const linpred__design *design, const linpred__dependencies *dependencies, size_t k,
                                  size_t j)
{
    double part = j < (size_t)design->basis.terms ? dependencies->vector[k * (size_t)design->width + j] : 0.0;
    return (linpred__dd){ldexp(part, -design->exponent[j]), 0.0};
}

/* Fills N: the unit vector of an independent column, and what the others must be beside it. */
static bool fill_basis(const linpred__design *design, const linpred__deviation_span *span,
                       const linpred__dependencies *dependencies, struct respecting *r)
{
    size_t rank = r->rank, count = r->count;
    linpred__dd *matrix = linpred__calloc(count * count + 2 * count, sizeof *matrix);
    size_t *others = linpred__calloc(r->p, sizeof *others), found = 0;
    linpred__dd_system equations = {0};
    for (size_t j = 0; others && j < r->p; j++) {
        bool independent = false;
        for (size_t k = 0; k < rank; k++)
            independent = independent || (size_t)span->column[k] == j;
        if (!independent)
            others[found++] = j;
    }
    for (size_t k = 0; matrix && others && k < count * count; k++)
        matrix[k] = part_in_design(design, dependencies, k / count, others[k % count]);
    bool made =
        matrix && others && linpred__dd_system_open(&equations, (int32_t)count, matrix, LINPRED__DEVIATIONS_SINGULAR);
    linpred__dd *right = matrix ? matrix + count * count : NULL;
    for (size_t c = 0; made && c < rank; c++) {
        size_t column = (size_t)span->column[c];
        for (size_t k = 0; k < count; k++)
            right[k] = linpred__dd_negate(part_in_design(design, dependencies, k, column));
        made = linpred__dd_system_solve(&equations, false, right, right + count);
        r->basis[column * rank + c] = (linpred__dd){1.0, 0.0};
        for (size_t k = 0; k < count; k++)
            r->basis[others[k] * rank + c] = right[count + k];
    }
    linpred__dd_system_close(&equations);
    linpred__release(matrix);
    linpred__release(others);
    return made;
}

/* Sets `to` to N'x, x given as leading and trailing parts. */
static void times_basis(const struct respecting *r, const double *x, linpred__dd *to)
{
    for (size_t k = 0; k < r->rank; k++) {
        to[k] = (linpred__dd){0.0, 0.0};
        for (size_t j = 0; j < r->p; j++) {
            linpred__dd entry = linpred__two_sum(x[j], x[r->p + j]);
            to[k] = linpred__dd_add(to[k], linpred__dd_multiply(entry, r->basis[j * r->rank + k]));
        }
    }
}

/* Moves w, which respects the dependencies, to the rows of the basis. */
static bool move_to_basis(const linpred__deviations *question, const int64_t *basis, struct respecting *r,
                          linpred__dd *w)
{
    for (size_t i = 0; i < r->rank; i++) {
        int32_t at;
        const linpred__block *block = linpred__deviations_fetch(question, basis[i], &at);
        linpred__dd y = {linpred__deviations_target(question, block, at),
                         linpred__deviations_lost(question, block, at)};
        times_basis(r, question->scratch, r->rows + i * r->rank);
        r->right[i] = linpred__dd_add(y, linpred__dd_negate(linpred__deviations_score(question, w)));
    }
    if (!linpred__dd_system_open(&r->equations, (int32_t)r->rank, r->rows, LINPRED__DEVIATIONS_SINGULAR) ||
        !linpred__dd_system_solve(&r->equations, false, r->right, r->dual))
        return false;
    for (size_t j = 0; j < r->p; j++)
        for (size_t k = 0; k < r->rank; k++)
            w[j] = linpred__dd_add(w[j], linpred__dd_multiply(r->basis[j * r->rank + k], r->dual[k]));
    return true;
}

/* Whether the duals solve their equations, as near as those of a vertex must; a singular X_h N does not ensure it. */
static bool duals_cancel(const linpred__deviations *question, const int64_t *basis, const struct respecting *r)
{
    bool cancel = true;
    for (size_t k = 0; k < r->rank; k++) {
        linpred__dd off = linpred__dd_negate(r->right[k]);
        double size = fabs(off.hi);
        for (size_t i = 0; i < r->rank; i++) {
            int32_t at;
            const linpred__block *block = linpred__block_of(question->design.data, basis[i], &at);
            linpred__dd entry = r->rows[i * r->rank + k];
            off = linpred__dd_add(off, linpred__dd_multiply(entry, r->dual[i]));
            size += 2.0 * linpred__row_weight(block, at) * fabs(entry.hi);
        }
        cancel = cancel && fabs(off.hi) <= LINPRED__DEVIATIONS_TOLERANCE * size;
    }
    return cancel;
}

/* How far the duals of the basis exceed their intervals, relative to these. */
static double excess_of(const linpred__deviations *question, const int64_t *basis, const struct respecting *r)
{
    double worst = 0.0;
    for (size_t k = 0; k < r->rank; k++) {
        int32_t at;
        const linpred__block *block = linpred__block_of(question->design.data, basis[k], &at);
        double up, down, dual = r->dual[k].hi;
        linpred__deviations_slopes(question, block, at, &up, &down);
        double excess = fmax(dual - up, -down - dual) / (up + down);
        worst = isnan(excess) ? INFINITY : fmax(worst, excess);
    }
    return worst;
}

linpred_status linpred__deviations_respect(const linpred__deviations *question, linpred__deviation_search *search,
                                           const linpred__dependencies *dependencies, linpred__dd *w, bool *best,
                                           linpred_error *error)
{
    const linpred__deviation_vertex *vertex = &search->vertex;
    struct respecting r;
    *best = false;
    linpred__deviation_sums sums = {0};
    bool made = open_respecting(&r, (size_t)question->design.width, (size_t)search->span.rank) && r.rank > 0 &&
                fill_basis(&question->design, &search->span, dependencies, &r) &&
                move_to_basis(question, vertex->basis, &r, w);
    linpred_status status = made ? LINPRED_OK : linpred__no_memory(error);
    int8_t *side = search->sides.side;
    for (size_t k = 0; made && k < r.rank; k++)
        side[vertex->basis[k]] = LINPRED__BASIS_SIDE;
    if (made)
        status = linpred__deviations_sum(question, vertex, side, w, INFINITY, &sums, error);
    for (size_t k = 0; made && k < r.rank; k++)
        side[vertex->basis[k]] = 0;
    if (status == LINPRED_OK) {
        times_basis(&r, sums.slopes, r.right);
        for (size_t k = 0; k < r.rank; k++)
            r.right[k] = linpred__dd_negate(r.right[k]);
        made = !sums.failed && linpred__dd_system_solve(&r.equations, true, r.right, r.dual);
        *best = made && duals_cancel(question, vertex->basis, &r) &&
                excess_of(question, vertex->basis, &r) <= LINPRED__DEVIATIONS_TOLERANCE;
        linpred__deviation_sums_clear(&sums);
        status = made ? LINPRED_OK : linpred__no_memory(error);
    }
    close_respecting(&r);
    return status;
}
