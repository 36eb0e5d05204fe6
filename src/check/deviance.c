/* The claim `deviance`: the deviances of a logistic model and its AIC.
 *
 *   deviance = 2 Σ weight log(1 + exp(-y s(x))),   null deviance = that of the intercept alone (without one: of s = 0),
 *   AIC = deviance + 2 rank, only at a minimum
 *
 * There is no witness; the figures are computed from the rows. Within tolerance if all agree to 1e-9 and the rounding
 * error of the sums, or to what the smallest double makes of them. Refuted otherwise, and if a model with class weights
 * states a deviance: it has none.
 */
#include <float.h>
#include <math.h>

#include "check/check.h"
#include "check/limits.h"

linpred_status linpred__check_deviance(const linpred__measured *measured, const linpred__claim *claim,
                                       linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    const linpred__figures *figures = &measured->result->figures;
    const linpred__logistic_finding *found = measured->logistic;
    const double tolerance = LINPRED__FIGURE_TOLERANCE;
    if (!found || isnan(found->deviance)) { /* class weights, or no logistic model */
        linpred__must_not_state(check, "deviances", true);
        return LINPRED_OK;
    }
    /* 2 W; less if the objective has a penalty. Sums of many digits have a step, which is all that is left of their
       error where doubles end. */
    bool stepped = found->deviance_step > 0 && found->objective < DBL_MIN;
    double scale = found->objective > 0 && !stepped ? found->deviance / found->objective : 0.0;
    double within = found->objective_error + tolerance * found->objective;
    bool minimum = !isnan(figures->gap_tolerance) && figures->rank >= 0;
    double aic = minimum ? found->deviance + 2.0 * (double)figures->rank : (double)NAN;
    check->verdict = LINPRED_WITHIN_TOLERANCE;
    bool hold = linpred__compare_required(check, "the deviance", figures->deviance, found->deviance,
                                          fmax(scale * within, tolerance * found->deviance) + found->deviance_step) &&
                linpred__compare_required(check, "the null deviance", figures->null_deviance, found->null_deviance,
                                          tolerance * found->null_deviance) &&
                linpred__compare_required(check, "AIC", figures->aic, aic,
                                          tolerance * fabs(aic) + 2.0 * found->objective_error * scale) &&
                linpred__must_not_state(check, "AIC", isnan(aic) && !isnan(figures->aic));
    if (hold)
        linpred__find(check, "those of the rows");
    return LINPRED_OK;
}
