/* The claim `largest_margin`: the model separates the rows with margin γ, and no halfspace has a larger one.
 *
 * The witness is rows with multipliers α > 0. No margin is above β = ||Σ α z|| / Σ α (witness/margin_support.c). The
 * relative gap is β / γ - 1. For the usual margin the intercept is left out of both norms.
 *
 * Where γ or β is below the range of normal doubles, the gap is that of γ and β before they are rounded.
 *
 * Within tolerance if the gap is at most 1e-9. Partly proved if it is larger, if γ or β is no finite double, or if no
 * gap is stated because ||w|| is below the range of normal doubles. Refuted if the model makes a mistake, if the bound
 * is larger than stated, if the stated gap is not that of the stated bound to 1e-9, or if the multipliers are not a
 * witness.
 */
#include <math.h>

#include "check/check.h"
#include "check/witness/combination.h"
#include "check/limits.h"

/* Whether the stated bound is that of the support or above it, to 1e-9. Denormals are compared before they are rounded.
 */
static bool reaches(double stated, const linpred__margin_bound *bound)
{
    if (isnormal(stated))
        return bound->above <= stated * (1.0 + LINPRED__GAP_ALLOWED);
    static const int64_t beyond = 4000; /* any double but 0 is infinite at this power of two */
    int shift = (int)(bound->exponent > -beyond ? -bound->exponent : beyond);
    return bound->fraction <= ldexp(stated, shift) * (1.0 + LINPRED__GAP_ALLOWED);
}

/* Whether the norm that divides the smallest score is surely a normal double; so near to 2^-1022 both sides may round.
 */
static bool has_normal_norm(const linpred__measured *measured, double margin)
{
    return measured->rows->lowest >= 0x1p-1020 && measured->rows->lowest / margin >= 0x1p-1020;
}

static void judge_largest_margin(const linpred__measured *measured, const linpred__support *support,
                                 const linpred__margin_bound *bound, linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    double margin = linpred__own_margin(measured, support->without_intercept);
    double stated = support->without_intercept ? figures->usual_margin_bound : figures->margin_bound;
    double found = bound->above,
           gap = linpred__own_gap(measured, support->without_intercept, bound->fraction, bound->exponent);
    /* No bound can be below a margin that exists. A computed one can, if numbers overflowed or underflowed. */
    if (!(gap >= -LINPRED__GAP_ALLOWED && gap < INFINITY && isfinite(margin) && isfinite(found))) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "its margin, %.6g, or the bound, %.6g, leaves the range of doubles", margin, found);
        return;
    }
    check->gap = fmax(gap, 0.0);
    check->verdict = check->gap <= LINPRED__GAP_ALLOWED ? LINPRED_WITHIN_TOLERANCE : LINPRED_PARTLY_PROVED;
    linpred__find(
        check, "its margin is %.12g, and the support (%lld row%s) proves that none is above %.12g: relative gap %.2g",
        margin, (long long)support->count, linpred__plural((double)support->count), found, check->gap);
    bool tiny = !isnormal(stated) || !isnormal(margin), enough = reaches(stated, bound);
    if (!enough || (tiny && !(stated <= found + 0x1p-1073))) { /* the last bits of two denormals */
        linpred__find(check, ", which is %s than the %.12g that the model states", enough ? "less" : "more", stated);
        check->verdict = LINPRED_REFUTED;
    } else if (isnan(figures->gap) && !has_normal_norm(measured, margin)) {
        linpred__find(check, "; the model states no gap, as its weights are below the range of normal doubles");
        linpred__at_best(check, LINPRED_PARTLY_PROVED);
    } else {
        /* The model's bound may be rounded up where Σ α z cancels. Its gap is that of its own bound. */
        double own = tiny ? check->gap : fmax(stated / margin - 1.0, 0.0);
        linpred__compare_required(check, "the relative gap", figures->gap, own, LINPRED__GAP_ALLOWED * (1.0 + own));
    }
}

linpred_status linpred__check_largest_margin(const linpred__measured *measured, const linpred__claim *claim,
                                             linpred__claim_check *check, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    const linpred__support *support = &claim->by.support;
    bool holds = false;
    linpred__margin_bound found;
    if (model->regression || model->task == LINPRED_TASK_BALL || measured->rows->errors > 0.0) {
        linpred__refute(check, "the model does not separate the rows, so it has no margin");
        return LINPRED_OK;
    }
    linpred_status status =
        linpred__check_support(support, model, measured->data, support->without_intercept, &holds, &found, error);
    if (status != LINPRED_OK)
        return status;
    check->verdict = LINPRED_PROVED;
    if (holds) {
        judge_largest_margin(measured, support, &found, check);
    } else {
        linpred__refute(check, "the support rows prove nothing about the margin");
    }
    return LINPRED_OK;
}
