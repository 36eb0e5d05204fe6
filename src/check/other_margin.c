/* The claim `other_margin`: the largest margin of the form that the model does not maximise.
 *
 * The witness is weights, and rows with multipliers α > 0. The weights separate the rows with margin γ; no halfspace
 * has a margin above β = ||Σ α z|| / Σ α (witness/margin_support.c). For the usual margin the intercept is left out of
 * both norms.
 *
 * Within tolerance if γ is as stated to 1e-9 and β / γ - 1 is at most 1e-9. Partly proved if that is up to twice as
 * large, because the fit computes it with its own rounding, and if β is no finite double. Refuted otherwise.
 */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"
#include "check/witness/combination.h"

static void judge_other_margin(const linpred__measured *measured, const linpred__support *support, double margin,
                               double bound, linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    double stated = support->without_intercept ? figures->largest_usual_margin : figures->largest_margin;
    if (!linpred__compare_required(check, "the largest margin", stated, margin, LINPRED__FIGURE_TOLERANCE * margin))
        return;
    if (!isfinite(bound)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "the weights have the margin %.12g; the bound leaves the range of doubles", margin);
        return;
    }
    double gap = fmax(bound / margin - 1.0, 0.0);
    check->verdict = gap <= LINPRED__GAP_ALLOWED ? LINPRED_WITHIN_TOLERANCE : LINPRED_PARTLY_PROVED;
    linpred__find(check,
                  "the weights have the margin %.12g, and the support (%lld row%s) proves that none is above %.12g: "
                  "relative gap %.2g",
                  margin, (long long)support->count, linpred__plural((double)support->count), bound, gap);
    if (!(gap <= 2.0 * LINPRED__GAP_ALLOWED))
        linpred__refute(check,
                        "the weights have the margin %.12g, but the support proves only that none is above %.12g",
                        margin, bound);
}

linpred_status linpred__check_other_margin(const linpred__measured *measured, const linpred__claim *claim,
                                           linpred__claim_check *check, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    const linpred__support *support = &claim->by.margin.support;
    bool holds = false;
    double margin = NAN;
    linpred__margin_bound bound = {NAN, NAN, 0};
    if (!measured->rows || model->task == LINPRED_TASK_BALL) {
        linpred__refute(check, "the model is no halfspace");
        return LINPRED_OK;
    }
    linpred_status status =
        linpred__margin_of_weights(measured, &claim->by.margin.weights, support->without_intercept, &margin, error);
    if (status == LINPRED_OK)
        status =
            linpred__check_support(support, model, measured->data, support->without_intercept, &holds, &bound, error);
    if (status != LINPRED_OK)
        return status;
    if (isnan(margin))
        linpred__refute(check, "the weights do not separate the rows");
    else if (!holds)
        linpred__refute(check, "the support rows prove nothing about the margin");
    else
        judge_other_margin(measured, support, margin, bound.above, check);
    return LINPRED_OK;
}
