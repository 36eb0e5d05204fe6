/* The claim `standard_errors`: the standard errors of the coefficients, and the numbers from which prediction intervals
 * are made.
 *
 *   regression:  s² = Σ weight r² / (W - rank),  SE_j = s ||row j of S||,  intervals from s and S
 *   logistic:    SE_j² = (W H)^-1_jj
 *
 * S is the factor of the model, S'(X'VX + penalty)S = I (regression/squares.c). H is the Hessian of the objective. Both
 * are measured on the rows.
 *
 * Within tolerance if all numbers agree to 1e-6 and rounding. Partly proved if rounding, or the work of a Hessian,
 * leaves standard errors unverified. Refuted if a number differs or cannot be estimated, and if a logistic model leaves
 * one out.
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
   be estimated. */
static double worst_of(const linpred__regression *regression, const double *length)
{
    double worst = 0.0;
    for (int32_t j = 0; j < regression->width; j++) {
        double stated = regression->standard_error[j], found = regression->residual_sd * length[j];
        bool estimable = true;
        for (int32_t k = 0; k < regression->dependencies.count; k++)
            estimable =
                estimable && regression->dependencies.vector[(size_t)k * (size_t)regression->width + (size_t)j] == 0.0;
        if (isnan(stated) || stated == found)
            continue;
        worst = linpred__greater(worst, estimable && found > 0 ? fabs(stated / found - 1.0) : INFINITY);
    }
    return worst;
}

/* Compares s and the degrees of freedom, those that the claim states and those that the model uses for intervals. */
static bool compare_sd(const linpred__measured *measured, const linpred__residual_sums *sums, int32_t rank,
                       linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    const linpred__regression *regression = measured->result->model.regression;
    double df = rank >= 0            ? sums->weight - rank
                : figures->rank >= 0 ? sums->weight - (double)figures->rank
                                     : (double)NAN;
    double sd = ldexp(sqrt(sums->squares) / sqrt(df), sums->unit);
    double sd_off = ldexp(sums->noise / sqrt(df), sums->unit) + tolerance * sd;
    static const char degrees[] = "the number of degrees of freedom", deviation[] = "the residual sd";
    return linpred__compare(check, degrees, regression->degrees_of_freedom, df, tolerance * sums->weight) &&
           linpred__compare(check, degrees, figures->degrees_of_freedom, df, tolerance * sums->weight) &&
           linpred__compare(check, deviation, regression->residual_sd, sd, sd_off) &&
           linpred__compare(check, deviation, figures->residual_sd, sd, sd_off);
}

static void judge_lengths(const linpred__regression *regression, const linpred__squares_finding *found,
                          linpred__claim_check *check)
{
    double within = fmax(tolerance, found->factor_off + found->factor_rounding);
    double off = worst_of(regression, found->length), allowed = 1e-6 + 4.0 * (within + found->length_rounding);
    if (!(found->length_rounding <= LINPRED__USABLE_FACTOR)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check,
                      "residual sd and intervals are those of the rows, to %.1g; standard errors are not part of what "
                      "was verified",
                      within);
    } else if (off > allowed) {
        linpred__refute(check, "the standard errors are not those of the rows: off by %.3g (relative)", off);
    } else {
        linpred__find(check, "residual sd, standard errors and intervals are those of the rows, to %.1g",
                      fmax(within, found->length_rounding));
    }
}

static void judge_regression_errors(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred__regression *regression = measured->result->model.regression;
    const linpred__squares_finding *found = measured->squares;
    const linpred__residual_sums *sums = linpred__sums_of(measured, check);
    if (!sums || !compare_sd(measured, sums, found ? found->rank : -1, check))
        return;
    double usual = found ? fmin(LINPRED__USABLE_FACTOR, found->factor_usual) : (double)NAN;
    bool inference = !isnan(regression->residual_sd);
    if (!inference && !any_stated(regression->standard_error, regression->width))
        linpred__find(check, "the degrees of freedom are those of the rows");
    else if (found && inference && found->factor_off > usual + 2.0 * found->factor_rounding)
        linpred__refute(check, "what intervals are made of (factor) is not that of the rows: off by %.3g",
                        found->factor_off);
    else if (!found || !found->length || found->rank < 0 ||
             !(found->factor_off + found->factor_rounding <= LINPRED__USABLE_FACTOR)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "residual sd is that of the rows; standard errors and intervals are not part of what was "
                             "verified");
    } else {
        judge_lengths(regression, found, check);
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
    double rounding = 1e-6 + 4.0 * found->errors_rounding;
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
