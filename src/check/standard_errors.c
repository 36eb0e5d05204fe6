/* The claim `standard_errors`: the standard errors of the coefficients, and the numbers from which prediction intervals
 * are made.
 *
 *   regression:  s² = Σ weight r² / (W - rank),  SE_j = s ||row j of S||,  intervals from s and S
 *   logistic:    SE_j² = (W H)^-1_jj
 *
 * S is the factor of the model, S'(X'VX + penalty)S = I (regression/squares.c). H is the Hessian of the objective. Both
 * are measured on the rows.
 *
 * Within tolerance if all numbers agree to 1e-9 and rounding. Partly proved if rounding, or the work of a Hessian,
 * leaves standard errors unverified, or if they agree to 1e-6 and columns depend on each other to rounding only.
 * Refuted if a number differs, cannot be estimated, or is left out.
 */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"
#include "num/greater.h"

static const double tolerance = LINPRED__FIGURE_TOLERANCE;

static bool any_stated(const double *error, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        if (!isnan(error[j]))
            return true;
    return false;
}

/* ---- regressions ---- */

/* The largest relative difference of a stated standard error from s ||row j of S||. INFINITY: one is stated that cannot
   be estimated, or left out though it can. */
static double worst_of(const linpred_result *result, const double *length)
{
    const linpred__dependencies *stated_vectors = &result->model.regression->dependencies;
    linpred__null_vectors null = {stated_vectors->count, stated_vectors->width, stated_vectors->vector,
                                  stated_vectors->drop};
    double worst = 0.0;
    for (int32_t j = 0; j < result->model.regression->width; j++) {
        double stated = result->standard_error[j], found = result->figures.residual_sd * length[j];
        bool estimable = linpred__null_estimable(&null, result->model.columns, j);
        if (null.drop && !estimable && (length[j] != 0.0 || !isnan(stated)))
            return INFINITY; /* what is dropped has no part in S, so that the others are those without it */
        if (isnan(stated) ? !estimable || !isfinite(found) : stated == found)
            continue;
        worst =
            linpred__greater(worst, estimable && found > 0 && !isnan(stated) ? fabs(stated / found - 1.0) : INFINITY);
    }
    return worst;
}

static bool compare_sd(const linpred__measured *measured, const linpred__residual_sums *sums,
                       linpred__claim_check *check)
{
    double df;
    if (!linpred__compare_degrees(measured, sums, check, &df))
        return false;
    double sd = ldexp(sqrt(sums->squares) / sqrt(df), sums->unit);
    double off = ldexp(sums->noise / sqrt(df), sums->unit) + tolerance * sd;
    return linpred__compare_required(check, "the residual sd", measured->result->figures.residual_sd, sd, off);
}

static void judge_lengths(const linpred_result *result, const linpred__squares_finding *found,
                          linpred__claim_check *check)
{
    double within = fmax(tolerance, found->factor_off + found->factor_rounding);
    double off = worst_of(result, found->length), allowed = 4.0 * (within + found->length_rounding);
    if (!(found->length_rounding <= LINPRED__USABLE_FACTOR)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check,
                      "residual sd and intervals are those of the rows, to %.1g; standard errors are not part of what "
                      "was verified",
                      within);
    } else if (off > allowed) {
        linpred__refute(check, "the standard errors are not those of the rows: off by %.3g (relative)", off);
    } else if (!any_stated(result->standard_error, result->model.regression->width)) {
        linpred__find(
            check, "residual sd and intervals are those of the rows, to %.1g; no column is free of the others", within);
    } else {
        linpred__find(check, "residual sd, standard errors and intervals are those of the rows, to %.1g",
                      fmax(fmax(within, found->length_rounding), off));
    }
}

static void judge_regression_errors(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred_result *result = measured->result;
    const linpred__squares_finding *found = measured->squares;
    const linpred__residual_sums *sums = linpred__sums_of(measured, check);
    if (!sums || !linpred__must_not_state(check, "standard errors", linpred__model_l2(&result->model) > 0) ||
        !compare_sd(measured, sums, check))
        return;
    if (isnan(result->figures.residual_sd) || !result->standard_error)
        linpred__refute(check, "the model states no standard errors");
    else if (!found || !found->length || found->rank < 0 ||
             !(found->factor_off + found->factor_rounding <= LINPRED__USABLE_FACTOR)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "residual sd is that of the rows; standard errors and intervals are not part of what was "
                             "verified");
    } else {
        judge_lengths(result, found, check);
    }
}

/* ---- logistic fits ---- */

static void judge_logistic_errors(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    const linpred_model *model = &measured->result->model;
    const linpred__logistic_finding *found = measured->logistic;
    const double *stated = measured->result->standard_error;
    bool plain = figures->class_weight_negative == 1.0 && figures->class_weight_positive == 1.0;
    double rounding = tolerance + 4.0 * found->errors_rounding;
    if (!linpred__must_not_state(check, "standard errors",
                                 figures->l2 != 0.0 || !plain || isnan(figures->gap_tolerance)))
        return;
    if (!stated)
        linpred__refute(check, "the model states no standard errors");
    else if (found->error_missing >= 0)
        linpred__refute(check, "the model does not say what the standard error of %.60s is",
                        found->error_missing < model->columns ? linpred_model_feature(model, found->error_missing)
                                                              : "the intercept");
    else if (isinf(found->errors_off))
        linpred__refute(check, "the model has a standard error of a coefficient that cannot be estimated");
    else if (!any_stated(stated, model->columns + model->has_intercept))
        linpred__find(check, "none can be estimated");
    else if (!(rounding <= 1e-2)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "standard errors are not part of what was verified");
    } else if (found->errors_off <= rounding) {
        linpred__find(check, "standard errors are those of the rows, to %.1g", rounding);
    } else if (!found->null_exact && found->errors_off <= LINPRED__ROUNDED_ERRORS) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check,
                      "standard errors are those of the rows, to %.1g only: columns depend on each other to rounding, "
                      "and which of them is left out matters",
                      found->errors_off);
    } else {
        linpred__refute(check, "the standard errors are not those of the rows: off by %.3g (relative)",
                        found->errors_off);
    }
}

linpred_status linpred__check_standard_errors(const linpred__measured *measured, const linpred__claim *claim,
                                              linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    check->verdict = LINPRED_WITHIN_TOLERANCE;
    if (measured->result->model.regression)
        judge_regression_errors(measured, check);
    else if (measured->logistic)
        judge_logistic_errors(measured, check);
    else
        linpred__must_not_state(check, "standard errors", true);
    return LINPRED_OK;
}
