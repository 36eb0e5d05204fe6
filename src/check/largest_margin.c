/* The claim `largest_margin`: the model separates with margin γ, and no margin is above ||Σ α z|| / Σ α, α being the
 * multipliers of the support. The gap between the two is computed, not believed. */
#include <math.h>

#include "check/check.h"
#include "check/witness/combination.h"
#include "check/limits.h"

static void judge(const linpred__measured *measured, const linpred__support *support, double found,
                  linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    double margin = linpred__own_margin(measured, support->usual);
    double stated = support->usual ? figures->usual_margin_bound : figures->margin_bound;
    double gap = found / margin - 1.0;
    /* A bound clearly below a margin that is there would contradict the theorem: numbers beyond what doubles can tell.
     */
    if (!isfinite(margin) || !isfinite(found) || !(gap >= -LINPRED__GAP_ALLOWED)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "its margin, %.6g, or the bound, %.6g, leaves the range of doubles", margin, found);
        return;
    }
    check->gap = fmax(gap, 0.0);
    check->verdict = check->gap <= LINPRED__GAP_ALLOWED ? LINPRED_WITHIN_TOLERANCE : LINPRED_PARTLY_PROVED;
    linpred__find(
        check, "its margin is %.12g, and the support (%lld row%s) proves that none is above %.12g: relative gap %.2g",
        margin, (long long)support->count, linpred__plural((double)support->count), found, check->gap);
    if (!(found <= stated * (1.0 + LINPRED__GAP_ALLOWED))) {
        linpred__find(check, ", which is more than the %.12g that the model states", stated);
        linpred__witness_fails(measured, check);
    } else if (figures->gap < check->gap - LINPRED__GAP_ALLOWED) {
        linpred__find(check, ", which is more than the %.3g that the model states", figures->gap);
        linpred__witness_fails(measured, check);
    }
}

linpred_status linpred__check_largest_margin(const linpred__measured *measured, const linpred__claim *claim,
                                             linpred__claim_check *check, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    const linpred__support *support = &claim->by.support;
    bool holds = false;
    double found = NAN;
    if (model->regression || model->task == LINPRED_TASK_BALL || measured->rows->errors > 0.0) {
        linpred__refute(check, "the model does not separate the rows, so it has no margin");
        return LINPRED_OK;
    }
    linpred_status status =
        linpred__check_support(support, model, measured->data, support->usual, &holds, &found, error);
    if (status != LINPRED_OK)
        return status;
    check->verdict = LINPRED_PROVED;
    if (holds) {
        judge(measured, support, found, check);
    } else {
        linpred__find(check, "the support rows prove nothing about the margin");
        linpred__witness_fails(measured, check);
    }
    return LINPRED_OK;
}
