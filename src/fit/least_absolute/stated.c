/* The vertex as the model states it: in the user's units, with the coefficients of least norm.
 *
 * The least norm, if it was taken along dependencies that hold to rounding only, moves fitted values by that rounding;
 * in the user's units tails may be lost. The independent coefficients are then corrected, so that the fit goes through
 * the rows of its basis again, which changes the norm by as little. Rows outside of the basis may still have changed
 * sides. They join the support with the dual that they had at the vertex, where the duals cancel, and the gap counts
 * them:  Σ (ρ(r) - a r)  over the support.
 */
#include "fit/least_absolute/stated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"
#include "fit/least_absolute/limits.h"
#include "fit/least_absolute/row.h"
#include "fit/least_absolute/row_sums.h"
#include "fit/least_norm.h"

/* The place of a row in the support, which is sorted; NULL if it is not there. */
static const linpred__deviation_support *find_support(const linpred__deviation_support *support, size_t count,
                                                      int64_t row)
{
    return count > 0 ? bsearch(&row, support, count, sizeof *support, linpred__ascending) : NULL;
}

/* Adds the rows that `sums` lists to the support. The rows that lie on the vertex stay there with their duals, though
   rounding may have moved the stated fit off them: whether it is the only one depends on all of them. */
static bool renew_support(linpred__deviation_sums *sums, linpred__deviation_proof *proof)
{
    size_t count = proof->supports;
    linpred__deviation_support *support = linpred__alloc(count + sums->zeros, sizeof *support);
    if (!support)
        return false;
    for (size_t i = 0; i < count; i++)
        support[i] = proof->support[i];
    for (size_t z = 0; z < sums->zeros; z++)
        if (!find_support(proof->support, proof->supports, sums->zero[z].row))
            support[count++] = sums->zero[z];
    if (count > 0)
        qsort(support, count, sizeof *support, linpred__ascending);
    linpred__release(proof->support);
    proof->support = support;
    proof->supports = count;
    return true;
}

/* Σ (ρ(r) - a r) over the rows of the support, at w. */
static double gap_of_support(const linpred__deviations *question, const linpred__deviation_proof *proof,
                             const linpred__dd *w)
{
    double gap = 0.0;
    for (size_t i = 0; i < proof->supports; i++) {
        int32_t at;
        const linpred__block *block = linpred__deviations_fetch(question, proof->support[i].row, &at);
        linpred__dd y = {linpred__deviations_target(question, block, at),
                         linpred__deviations_lost(question, block, at)};
        double up, down;
        linpred__deviations_slopes(question, block, at, &up, &down);
        linpred__dd r = linpred__dd_add(y, linpred__dd_negate(linpred__deviations_score(question, w)));
        gap += fabs(r.hi) * fabs((r.hi > 0 ? up : -down) - proof->support[i].dual.hi);
    }
    return gap;
}

/* The coefficients in the units of the design. Returns whether they are not those of the vertex. */
static bool to_design(const linpred__design *design, const linpred__dd *plain, const linpred__dd *vertex,
                      linpred__dd *w)
{
    bool moved = false;
    for (int32_t j = 0; j < design->width; j++) {
        int exponent = design->exponent[j] - design->target_exponent;
        w[j] = (linpred__dd){ldexp(plain[j].hi, exponent), ldexp(plain[j].lo, exponent)};
        moved = moved || w[j].hi != vertex[j].hi || w[j].lo != vertex[j].lo;
    }
    return moved;
}

/* Sums, support and gap at w. */
static linpred_status judge_at(const linpred__deviations *question, linpred__deviation_search *search,
                               const linpred__dd *w, linpred__deviation_proof *proof, linpred_error *error)
{
    linpred__deviation_sums sums;
    linpred_status status =
        linpred__deviations_sum(question, &search->vertex, search->sides.side, w, INFINITY, &sums, error);
    if (status != LINPRED_OK)
        return status;
    linpred__dd tilt = linpred__dd_multiply_double(sums.sum, 2.0 * question->quantile - 1.0);
    double scale = sums.targets; /* of all rows */
    bool complete = !sums.failed && renew_support(&sums, proof);
    if (complete) {
        proof->loss = linpred__dd_add(sums.absolute, tilt).hi;
        proof->absolute = sums.absolute.hi;
        proof->squares = sums.squares.hi;
        proof->perfect = proof->loss <= LINPRED__DEVIATIONS_PERFECT * scale;
        double gap = proof->perfect ? proof->loss / scale : gap_of_support(question, proof, w) / proof->loss;
        proof->gap = proof->loss > 0.0 ? gap : 0.0;
    }
    linpred__deviation_sums_clear(&sums);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

/* Brings the coefficients back to the vertex and to the least norm, in turn: each moves the other by the rounding to
   which the dependencies hold. */
static linpred_status return_to_vertex(const linpred__deviations *question, const linpred__deviation_search *search,
                                       linpred__coefficients *coefficients, linpred__dd *w, linpred_error *error)
{
    const linpred__design *design = &question->design;
    const linpred__dependencies *dependencies = &coefficients->dependencies;
    size_t p = (size_t)design->width, entries = (size_t)dependencies->count * p;
    linpred__dd *null = linpred__alloc(entries, sizeof *null), *plain = coefficients->plain;
    linpred_status status = null ? LINPRED_OK : linpred__no_memory(error);
    for (int turn = 0; status == LINPRED_OK && turn < LINPRED__DEVIATIONS_RETURNS; turn++) {
        status = linpred__deviations_return(question, &search->span, &search->vertex, w, error);
        for (size_t j = 0; status == LINPRED_OK && j < p; j++) {
            int exponent = design->target_exponent - design->exponent[j];
            plain[j] = (linpred__dd){ldexp(w[j].hi, exponent), ldexp(w[j].lo, exponent)};
        }
        for (size_t i = 0; i < entries; i++)
            null[i] = (linpred__dd){dependencies->vector[i], 0.0};
        if (status == LINPRED_OK && !dependencies->drop)
            linpred__take_least_norm(null, dependencies->count, (size_t)design->basis.terms, p, plain);
        to_design(design, plain, search->proof.w, w);
    }
    memcpy(coefficients->in_basis, plain, p * sizeof *plain);
    linpred__release(null);
    return status;
}

/* Takes the best fit that respects the dependencies, if the basis is still its basis. */
static linpred_status state_respecting(const linpred__deviations *question, linpred__deviation_search *search,
                                       linpred__coefficients *coefficients, linpred__dd *w, bool *best,
                                       linpred_error *error)
{
    const linpred__design *design = &question->design;
    size_t bytes = (size_t)design->width * sizeof *w;
    linpred__dd *moved = linpred__alloc((size_t)design->width, sizeof *moved);
    if (!moved)
        return linpred__no_memory(error);
    memcpy(moved, w, bytes);
    linpred_status status =
        linpred__deviations_respect(question, search, &coefficients->dependencies, moved, best, error);
    for (int32_t j = 0; j < design->width; j++)
        *best = *best && isfinite(moved[j].hi) && isfinite(moved[j].lo);
    if (*best)
        memcpy(w, moved, bytes);
    for (int32_t j = 0; status == LINPRED_OK && *best && j < design->width; j++) {
        int exponent = design->target_exponent - design->exponent[j];
        coefficients->plain[j] = (linpred__dd){ldexp(w[j].hi, exponent), ldexp(w[j].lo, exponent)};
        coefficients->in_basis[j] = coefficients->plain[j];
    }
    linpred__release(moved);
    return status;
}

/* Rows that dependent columns tell apart by their rounding are the same to the vertex, and may not be to coefficients
   that respect the dependencies: huge ones fit that rounding. */
static bool hold_to_rounding(const linpred__dependencies *dependencies)
{
    bool rounded = false;
    for (int32_t k = 0; k < dependencies->count; k++)
        rounded = rounded || !dependencies->exact[k];
    return rounded;
}

linpred_status linpred__deviations_as_stated(const linpred__deviations *question, linpred__deviation_search *search,
                                             linpred__least_absolute *answer, linpred_error *error)
{
    const linpred__design *design = &question->design;
    linpred__deviation_proof *proof = &search->proof;
    linpred__dd *w = linpred__alloc((size_t)design->width, sizeof *w);
    linpred_status status = w ? LINPRED_OK : linpred__no_memory(error);
    bool moved = status == LINPRED_OK && design->basis.polynomials == 0 &&
                 to_design(design, answer->coefficients.plain, proof->w, w);
    bool was_perfect = proof->perfect, held = answer->proved, best = true;
    if (moved && search->span.dependencies > 0)
        status = return_to_vertex(question, search, &answer->coefficients, w, error);
    if (status == LINPRED_OK && moved && !was_perfect && !answer->coefficients.dependencies.drop &&
        hold_to_rounding(&answer->coefficients.dependencies))
        status = state_respecting(question, search, &answer->coefficients, w, &best, error);
    if (status == LINPRED_OK && moved)
        status = judge_at(question, search, w, proof, error);
    linpred__release(w);
    if (status != LINPRED_OK || !moved)
        return status;
    answer->loss = proof->loss;
    answer->absolute = proof->absolute;
    answer->squares = proof->squares;
    answer->gap = proof->gap;
    /* The duals of a perfect fit need not cancel. */
    answer->proved = held && best && proof->gap <= LINPRED__DEVIATIONS_MOVED && (proof->perfect || !was_perfect);
    return held && !answer->proved ? linpred__design_lost(design, error) : LINPRED_OK;
}
