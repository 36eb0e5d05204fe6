/* The claim `margin_at_most`: no halfspace has a homogeneous margin above the stated bound.
 *
 * The witness is rows with multipliers α > 0. No margin is above ||Σ α z|| / Σ α (witness/margin_support.c). Without a
 * witness, α are the derivatives of the logistic losses of the model on all rows.
 *
 * Proved if the bound computed and rounded up is at most the stated one. Within tolerance if it is larger by at most
 * 1e-9. Refuted otherwise, and if the stated bound is above that of the witness by more than 1e-9 of it and of the
 * longest row: sums that cancel are rounded up.
 */
#include <math.h>

#include "check/check.h"
#include "check/witness/combination.h"
#include "check/limits.h"

linpred_status linpred__check_margin_at_most(const linpred__measured *measured, const linpred__claim *claim,
                                             linpred__claim_check *check, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    const linpred__support *support = &claim->by.support;
    double stated = measured->result->figures.margin_bound;
    linpred__margin_bound bound = {NAN, NAN, 0};
    bool holds = true;
    if (model->regression || model->task == LINPRED_TASK_BALL || isnan(stated)) {
        linpred__refute(check, "the model states no bound of the margin");
        return LINPRED_OK;
    }
    linpred_status status = support->count > 0
                                ? linpred__check_support(support, model, measured->data, false, &holds, &bound, error)
                                : linpred__check_derivatives(model, measured->data, &bound, error);
    if (status != LINPRED_OK)
        return status;
    double found = bound.above;
    if (!holds)
        linpred__find(check, "the support proves nothing");
    else if (support->count > 0)
        linpred__find(check, "the support (%lld row%s) proves that none is above %.6g", (long long)support->count,
                      linpred__plural((double)support->count), found);
    else
        linpred__find(check,
                      "the rows, weighted by the derivatives of their logistic losses, prove that none is above %.6g",
                      found);
    check->verdict = holds && found <= stated ? LINPRED_PROVED : LINPRED_WITHIN_TOLERANCE;
    if (!holds || !(found <= stated * (1.0 + LINPRED__GAP_ALLOWED)))
        check->verdict = LINPRED_REFUTED;
    else
        linpred__compare(check, "the bound", stated, found,
                         LINPRED__FIGURE_TOLERANCE * (4.0 * found + measured->rows->radius));
    return LINPRED_OK;
}
