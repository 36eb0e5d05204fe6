/* The claim `fit_quality`: the mean errors of a regression, R² and F.
 *
 *   R² = 1 - squares / around,   F = ((around - squares) / (rank - 1)) / (squares / (W - rank))
 *
 * squares = Σ weight r², around = Σ weight (y - mean y)². Without an intercept around = Σ weight y², and F has rank in
 * place of rank - 1. There is no witness; the figures are computed from the rows. The rounding error of sqrt(squares)
 * is at most `noise`, so that of squares is at most (2 sqrt(squares) + noise) noise.
 *
 * The degrees of freedom, W - rank, are those of F; they stand here where no standard errors are claimed.
 *
 * Within tolerance if all figures agree to 1e-9 (p as such an F allows) and rounding. Refuted otherwise, and if a
 * figure is missing that the rows give.
 */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"
#include "num/distribution.h"

static const double tolerance = LINPRED__FIGURE_TOLERANCE;

/* Compares F and its p value. The rounding of the sums of squares leaves an interval for F, which is wide if the
   residuals are little more than rounding. Residuals of which nothing is certain need not have an F. */
static bool compare_f(const linpred__measured *measured, const linpred__residual_sums *sums, int32_t rank,
                      linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    double df = sums->weight - rank, model_df = rank - (measured->result->model.has_intercept ? 1 : 0);
    if (rank < 0)
        return true;
    if (linpred__model_l2(&measured->result->model) > 0 || !(model_df > 0) || !(df > 0) || !(sums->around > 0))
        return linpred__must_not_state(check, "F", !isnan(figures->f_statistic) || !isnan(figures->f_p_value));
    double root = sqrt(sums->squares), most = root + sums->noise, least = fmax(0.0, root - sums->noise);
    double low = (sums->around - sums->around_error - most * most) / model_df / (most * most / df),
           high = (sums->around + sums->around_error - least * least) / model_df / (least * least / df);
    low -= tolerance * fabs(low), high += tolerance * fabs(high); /* high is infinite if `least` is 0 */
    double p_least = linpred__f_upper(high, model_df, df), p_most = linpred__f_upper(fmax(low, 0.0), model_df, df);
    if (least > 0 && isfinite(high) && (isnan(figures->f_statistic) || isnan(figures->f_p_value)))
        return linpred__refute(check, "the model does not say what F is, the rows give %.9g", high);
    if (figures->f_statistic < low || figures->f_statistic > high)
        return linpred__refute(check, "the model says that F is %.9g, the rows give %.9g to %.9g", figures->f_statistic,
                               low, high);
    if (figures->f_p_value < p_least * (1.0 - tolerance) || figures->f_p_value > p_most * (1.0 + tolerance))
        return linpred__refute(check, "the model says that the p value of F is %.9g, the rows give %.9g to %.9g",
                               figures->f_p_value, p_least, p_most);
    return true;
}

static bool compare_means(const linpred__figures *figures, const linpred__residual_sums *sums,
                          linpred__claim_check *check)
{
    double weight = sums->weight, root = sqrt(sums->squares);
    double lost = (2.0 * root + sums->noise) * sums->noise; /* a bound of the rounding error of `squares` */
    double mean = ldexp(sums->squares / weight, 2 * sums->unit);
    double mean_off = ldexp(lost / weight, 2 * sums->unit) + tolerance * mean + 0x1p-1073; /* or the last of its bits */
    double distance = ldexp(sums->absolute / weight, sums->unit);
    double distance_off = ldexp(sums->noise / sqrt(weight), sums->unit) + tolerance * distance;
    double r_squared = sums->around > 0 ? 1.0 - sums->squares / sums->around : (double)NAN;
    return linpred__compare_required(check, "the mean squared error", figures->mean_squared_error, mean, mean_off) &&
           linpred__compare_required(check, "the mean absolute error", figures->mean_absolute_error, distance,
                                     distance_off) &&
           linpred__compare_required(check, "R²", figures->r_squared, r_squared,
                                     tolerance + (sums->around_error + lost) / sums->around);
}

linpred_status linpred__check_fit_quality(const linpred__measured *measured, const linpred__claim *claim,
                                          linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    const linpred__residual_sums *sums = linpred__sums_of(measured, check);
    if (!sums)
        return LINPRED_OK;
    double degrees;
    check->verdict = LINPRED_WITHIN_TOLERANCE;
    if (linpred__compare_degrees(measured, sums, check, &degrees) &&
        compare_means(&measured->result->figures, sums, check) &&
        compare_f(measured, sums, measured->squares ? measured->squares->rank : -1, check)) {
        bool squares = isfinite(sums->squares) || isnan(measured->result->figures.mean_squared_error);
        linpred__find(check,
                      squares ? "those of the rows" : "the squares of the residuals are beyond the range of numbers");
        if (!squares)
            linpred__at_best(check, LINPRED_PARTLY_PROVED);
    }
    return LINPRED_OK;
}
