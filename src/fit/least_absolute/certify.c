/* Proves a vertex optimal, from its basis h and the unperturbed y.
 *
 *   X_h w = y_h,   X_h' a_h = -Σ a_i x_i over the rows outside of the basis,   both in double-double
 *
 * Rows whose residual is 0 as far as rounding can tell are listed with their duals, like the basis. The duals of all
 * other rows follow from the signs of their residuals.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"
#include "fit/least_absolute/limits.h"
#include "fit/least_absolute/proof.h"
#include "fit/least_absolute/row.h"
#include "fit/least_absolute/row_sums.h"
#include "solve/dense/dd_system.h"

/* ---- the equations of a basis ------------------------------------------------------------------------------------ */

/* The equations X_h w = y_h and X_h' a = s of a basis, solved in double-double. */

/* Writes the rows X_h of the basis in the independent columns, rank x rank by rows, and their targets. */
static void basis_rows(const linpred__deviations *question, const linpred__deviation_span *span, const int64_t *basis,
                       linpred__dd *matrix, linpred__dd *target)
{
    size_t n = (size_t)span->rank;
    int32_t width = question->design.width;
    for (size_t i = 0; i < n; i++) {
        int32_t at;
        const linpred__block *block = linpred__deviations_fetch(question, basis[i], &at);
        for (size_t k = 0; k < n; k++) {
            int32_t j = span->column[k];
            matrix[i * n + k] = (linpred__dd){question->scratch[j], question->scratch[width + j]};
        }
        target[i] = (linpred__dd){linpred__deviations_target(question, block, at),
                                  linpred__deviations_lost(question, block, at)};
    }
}

/* Finds w with X_h w = target. The coefficients of dependent columns are 0, and coefficients that are only rounding are
   set to 0. Returns false if memory runs out. */
static bool basis_weights(const linpred__deviation_span *span, const linpred__dd *matrix,
                          const linpred__dd_system *equations, const linpred__dd *target, linpred__dd *w)
{
    size_t n = (size_t)span->rank;
    if (n == 0)
        return true;
    linpred__dd *solution = linpred__alloc(n, sizeof *solution);
    if (!solution || !linpred__dd_system_solve(equations, false, target, solution)) {
        linpred__release(solution);
        return false;
    }
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(target[i].hi));
    for (size_t k = 0; k < n; k++) {
        double size = 0.0;
        for (size_t i = 0; i < n; i++)
            size = fmax(size, fabs(matrix[i * n + k].hi));
        bool zero = !(fabs(solution[k].hi) * size > 0x1p-95 * largest);
        w[span->column[k]] = zero ? (linpred__dd){0.0, 0.0} : linpred__dd_without_noise(solution[k]);
    }
    linpred__release(solution);
    return true;
}

/* How far the row in question->scratch may be from the fit: `off`, its residual in double-double, or the rounding of
   its terms, which add up to `size`. If the residual is 0 in either order of the terms, nothing was rounded. */
static double distance_of(const linpred__deviations *question, const linpred__dd *w, linpred__dd target,
                          linpred__dd off, double size)
{
    int32_t p = question->design.width;
    linpred__dd back = target;
    for (int32_t j = p; j-- > 0;) {
        linpred__dd x = {question->scratch[j], question->scratch[p + j]};
        back = linpred__dd_add(back, linpred__dd_negate(linpred__dd_multiply(x, w[j])));
    }
    double distance = fmax(fabs(off.hi), fabs(back.hi));
    return distance > 0.0 ? fmax(distance, 0x1p-106 * size) : 0.0;
}

/* Whether w goes through the rows of the basis. It does not if they depend on each other as far as double-double can
   tell, or if what it leaves of their residuals, times their weights, is too much beside the loss. Sets *largest to the
   largest Σ |x w| of these rows. */
static bool meets_basis(const linpred__deviations *question, const int64_t *basis, size_t n, const linpred__dd *target,
                        const linpred__deviation_proof *proof, double *largest)
{
    int32_t p = question->design.width;
    const linpred__dd *w = proof->w;
    double left = 0.0;
    *largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        int32_t at;
        const linpred__block *block = linpred__deviations_fetch(question, basis[i], &at);
        double size = fabs(target[i].hi);
        for (int32_t j = 0; j < p; j++)
            size += fabs(question->scratch[j] * w[j].hi);
        *largest = fmax(*largest, size);
        linpred__dd off = linpred__dd_add(target[i], linpred__dd_negate(linpred__deviations_score(question, w)));
        if (!(fabs(off.hi) <= LINPRED__DEVIATIONS_SINGULAR * size))
            return false;
        left += 2.0 * linpred__row_weight(block, at) * distance_of(question, w, target[i], off, size);
    }
    return proof->perfect || left <= LINPRED__DEVIATIONS_OFF_BASIS * proof->loss;
}

/* ---- the proof --------------------------------------------------------------------------------------------------- */

/* ---- the duals of the basis ---- */

struct vertex_system {
    const linpred__deviations *question;
    const linpred__deviation_span *span;
    const int64_t *basis;
    const linpred__dd *matrix; /* X_h, rank x rank by rows */
    const linpred__dd_system *equations;
    const linpred__dd *dual; /* of the basis */
};

static void slopes_of(const linpred__deviations *question, int64_t row, double *up, double *down)
{
    int32_t at;
    const linpred__block *block = linpred__block_of(question->design.data, row, &at);
    linpred__deviations_slopes(question, block, at, up, down);
}

/* Whether moving w along d raises the loss of some row with residual 0. */
static bool costs(const struct vertex_system *system, const linpred__dd *d, const linpred__deviation_sums *sums)
{
    const linpred__deviations *question = system->question;
    for (size_t z = 0; z < sums->zeros; z++) {
        int32_t at;
        linpred__deviations_fetch(question, sums->zero[z].row, &at);
        double change = 0.0, size = 0.0;
        for (int32_t j = 0; j < system->span->rank; j++) {
            double part = question->scratch[system->span->column[j]] * d[j].hi;
            change -= part;
            size += fabs(part);
        }
        if (fabs(change) > 1e-9 * size && (change > 0) != (sums->zero[z].dual.hi > 0))
            return true;
    }
    return false;
}

/* Sets *unique to whether the loss grows along every edge out of the vertex, so that the optimum is unique. It stays
   constant along an edge if the dual of its basis row is at its bound and no row with residual 0 resists. `buffer` is
   2 rank long. Returns false if memory runs out. */
static bool find_uniqueness(const struct vertex_system *system, const linpred__deviation_sums *sums,
                            linpred__dd *buffer, bool *unique)
{
    size_t n = (size_t)system->span->rank;
    *unique = true;
    for (size_t k = 0; *unique && k < n; k++) {
        double up, down, dual = system->dual[k].hi;
        slopes_of(system->question, system->basis[k], &up, &down);
        if (fmin(up - dual, dual + down) > LINPRED__DEVIATIONS_TOLERANCE * (up + down)) /* as the checker asks it */
            continue;
        bool above = up - dual < dual + down;
        memset(buffer, 0, 2 * n * sizeof *buffer);
        buffer[k].hi = above ? -1.0 : 1.0; /* X_h d = ∓e_k: the residual of row k grows, or falls */
        if (!linpred__dd_system_solve(system->equations, false, buffer, buffer + n))
            return false;
        *unique = costs(system, buffer + n, sums);
    }
    return true;
}

/* The fault of the duals: how far those of the basis exceed their bounds, or Σ a x differs from 0. Both are
   relative. */
static double dual_fault(const struct vertex_system *system, const linpred__deviation_sums *sums)
{
    size_t n = (size_t)system->span->rank, p = (size_t)system->question->design.width;
    double worst = 0.0;
    for (size_t k = 0; k < n; k++) {
        size_t column = (size_t)system->span->column[k];
        linpred__dd left = linpred__two_sum(sums->slopes[column], sums->slopes[p + column]);
        double size = fabs(left.hi), fault = 0.0;
        for (size_t i = 0; i < n; i++) {
            double up, down;
            linpred__dd x = system->matrix[i * n + k], dual = system->dual[i];
            slopes_of(system->question, system->basis[i], &up, &down);
            left = linpred__dd_add(left, linpred__dd_multiply(x, dual));
            size += (up + down) * fabs(x.hi);
            if (i == k)
                fault = fmax(dual.hi - up, -down - dual.hi) / (up + down);
        }
        fault = fmax(fault, size > 0.0 ? fabs(left.hi) / size : 0.0);
        worst = isnan(left.hi) ? INFINITY : fmax(worst, fault);
    }
    return worst;
}

/* ---- the proof ---- */

void linpred__deviation_proof_clear(linpred__deviation_proof *proof)
{
    linpred__release(proof->w);
    linpred__release(proof->support);
    *proof = (linpred__deviation_proof){0};
}

/* Moves the rows with residual 0 and the basis into the proof, ascending. */
static bool take_supports(const struct vertex_system *system, linpred__deviation_sums *sums,
                          linpred__deviation_proof *proof)
{
    size_t rank = (size_t)system->span->rank, count = sums->zeros + rank;
    if (!linpred__grow(&sums->zero, &sums->capacity, count, sizeof *sums->zero))
        return false;
    for (size_t k = 0; k < rank; k++)
        sums->zero[sums->zeros + k] = (linpred__deviation_support){system->basis[k], system->dual[k]};
    if (count > 0)
        qsort(sums->zero, count, sizeof *sums->zero, linpred__ascending);
    proof->supports = count;
    proof->support = sums->zero;
    sums->zero = NULL;
    return true;
}

/* Σ weight |y| over the basis. */
static double targets_of_basis(const struct vertex_system *system)
{
    double sum = 0.0;
    for (int32_t k = 0; k < system->span->rank; k++) {
        int32_t at;
        const linpred__block *block = linpred__block_of(system->question->design.data, system->basis[k], &at);
        sum += linpred__row_weight(block, at) * fabs(linpred__deviations_target(system->question, block, at));
    }
    return sum;
}

/* Sets loss, gap and fault. If all residuals are only rounding, the duals mean nothing. But no loss is below 0, so the
   loss itself bounds the gap. */
static void judge_vertex(const struct vertex_system *system, const linpred__deviation_sums *sums,
                         linpred__deviation_proof *proof)
{
    const linpred__deviations *question = system->question;
    linpred__dd tilt = linpred__dd_multiply_double(sums->sum, 2.0 * question->quantile - 1.0);
    proof->weight = sums->weight.hi;
    proof->loss = linpred__dd_add(sums->absolute, tilt).hi;
    proof->absolute = sums->absolute.hi;
    proof->squares = sums->squares.hi;
    double scale = sums->targets + targets_of_basis(system);
    proof->perfect = proof->loss <= LINPRED__DEVIATIONS_PERFECT * scale;
    proof->gap = proof->loss > 0.0 ? (proof->perfect ? proof->loss / scale : sums->excess / proof->loss) : 0.0;
    proof->fault = proof->perfect ? 0.0 : dual_fault(system, sums);
}

/* Finds the duals of the basis from the sums, then uniqueness, supports and gap. */
static bool conclude_proof(struct vertex_system *system, linpred__deviation_sums *sums, linpred__deviation_proof *proof)
{
    size_t n = (size_t)system->span->rank, p = (size_t)system->question->design.width;
    linpred__dd *buffer = linpred__calloc(3 * n, sizeof *buffer), *dual = buffer ? buffer + 2 * n : NULL;
    for (size_t k = 0; buffer && k < n; k++) {
        size_t column = (size_t)system->span->column[k];
        buffer[k] = linpred__dd_negate(linpred__two_sum(sums->slopes[column], sums->slopes[p + column]));
    }
    system->dual = dual;
    bool complete = buffer && !sums->failed &&
                    (n == 0 || linpred__dd_system_solve(system->equations, true, buffer, dual)) &&
                    find_uniqueness(system, sums, buffer, &proof->unique);
    if (complete) {
        judge_vertex(system, sums, proof);
        complete = take_supports(system, sums, proof);
    }
    linpred__release(buffer);
    return complete;
}

/* Residuals in doubles above this are accurate enough. The rows of the basis show how large the terms of <x,w> are. If
   the terms cancel, residuals in doubles lose digits, and INFINITY asks for every residual in double-double. */
static double nearness(const linpred__deviations *question, const linpred__deviation_span *span,
                       const linpred__dd *matrix, const linpred__dd *w)
{
    size_t n = (size_t)span->rank;
    double near = question->spread * 0x1p-16;
    for (size_t k = 0; k < n; k++) {
        double size = 0.0;
        for (size_t j = 0; j < n; j++)
            size += fabs(matrix[k * n + j].hi * w[span->column[j]].hi);
        if (size > 64.0 * question->spread)
            near = INFINITY;
    }
    return near;
}

static void mark_basis(const linpred__deviation_vertex *vertex, int32_t rank, int8_t mark, int8_t *side)
{
    for (int32_t k = 0; k < rank; k++)
        side[vertex->basis[k]] = mark;
}

/* Makes the pass and completes the proof, whose w is known. */
static linpred_status prove_vertex(struct vertex_system *system, const linpred__deviation_vertex *vertex, int8_t *side,
                                   linpred__deviation_proof *proof, linpred_error *error)
{
    const linpred__deviation_span *span = system->span;
    double near = nearness(system->question, span, system->matrix, proof->w);
    linpred__deviation_sums sums;
    mark_basis(vertex, span->rank, LINPRED__BASIS_SIDE, side);
    linpred_status status = linpred__deviations_sum(system->question, vertex, side, proof->w, near, &sums, error);
    mark_basis(vertex, span->rank, 0, side);
    if (status != LINPRED_OK)
        return status;
    bool complete = conclude_proof(system, &sums, proof);
    linpred__deviation_sums_clear(&sums);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__deviations_return(const linpred__deviations *question, const linpred__deviation_span *span,
                                          const linpred__deviation_vertex *vertex, linpred__dd *w, linpred_error *error)
{
    size_t n = (size_t)span->rank;
    linpred__dd *matrix = linpred__calloc(n * n + 2 * n, sizeof *matrix), *off = matrix ? matrix + n * n : NULL;
    linpred__dd_system equations = {0};
    if (matrix)
        basis_rows(question, span, vertex->basis, matrix, off);
    for (size_t i = 0; matrix && i < n; i++) {
        int32_t at;
        linpred__deviations_fetch(question, vertex->basis[i], &at);
        off[i] = linpred__dd_add(off[i], linpred__dd_negate(linpred__deviations_score(question, w)));
    }
    bool made =
        matrix && (n == 0 || (linpred__dd_system_open(&equations, span->rank, matrix, LINPRED__DEVIATIONS_SINGULAR) &&
                              linpred__dd_system_solve(&equations, false, off, off + n)));
    for (size_t k = 0; made && k < n; k++)
        w[span->column[k]] = linpred__dd_add(w[span->column[k]], off[n + k]);
    linpred__dd_system_close(&equations);
    linpred__release(matrix);
    return made ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__deviations_certify(const linpred__deviations *question, const linpred__deviation_span *span,
                                           const linpred__deviation_vertex *vertex, int8_t *side,
                                           linpred__deviation_proof *proof, linpred_error *error)
{
    size_t n = (size_t)span->rank;
    linpred__deviation_proof_clear(proof);
    proof->w = linpred__calloc((size_t)question->design.width, sizeof *proof->w);
    linpred__dd *matrix = linpred__calloc(n * n + n, sizeof *matrix), *target = matrix ? matrix + n * n : NULL;
    linpred__dd_system equations = {0};
    if (matrix)
        basis_rows(question, span, vertex->basis, matrix, target);
    bool made = proof->w && matrix &&
                linpred__dd_system_open(&equations, span->rank, matrix, LINPRED__DEVIATIONS_SINGULAR) &&
                basis_weights(span, matrix, &equations, target, proof->w);
    linpred_status status = made ? LINPRED_OK : linpred__no_memory(error);
    struct vertex_system system = {question, span, vertex->basis, matrix, &equations, NULL};
    if (status == LINPRED_OK)
        status = prove_vertex(&system, vertex, side, proof, error);
    double size;
    if (status == LINPRED_OK && (!meets_basis(question, vertex->basis, n, target, proof, &size) ||
                                 (question->design.basis.polynomials > 0 && !proof->perfect &&
                                  LINPRED__DEVIATIONS_NOISE * size * proof->weight > proof->loss)))
        proof->gap = proof->fault = INFINITY;
    linpred__dd_system_close(&equations);
    linpred__release(matrix);
    return status;
}
