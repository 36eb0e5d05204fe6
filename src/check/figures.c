/* The figures of a regression against those of its rows: what a model file says of its fit, and what intervals of
 * prediction are made of, must be what the verifier's own sums give.
 *
 *   s² = Σ weight r² / (W - rank),   standard errors s ||row j of S||,   R², F, the mean errors and the objective
 *
 * A residual has the rounding of its double-double sum, so sums of squares are compared as lengths, with what rounding
 * may be.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/regression.h"
#include "num/distribution.h"
#include "num/greater.h"

static const double tolerance = 1e-9;

void linpred__check_append(linpred_check *check, const char *format, ...)
{
    size_t used = strlen(check->finding);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->finding + used, sizeof check->finding - used, format, arguments);
    va_end(arguments);
}

bool linpred__check_refute(linpred_check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->finding, sizeof check->finding, format, arguments);
    va_end(arguments);
    check->verdict = LINPRED_REFUTED;
    return false;
}

bool linpred__check_figure(linpred_check *check, const char *name, double stated, double found, double within)
{
    if (isnan(stated) || isnan(found) || fabs(stated - found) <= within || stated == found)
        return true;
    return linpred__check_refute(check, "the model says that %s is %.9g, the rows give %.9g", name, stated, found);
}

bool linpred__check_finished(const linpred_result *result)
{
    return result->info.outcome != LINPRED_OUTCOME_LIMIT_REACHED && result->info.outcome != LINPRED_OUTCOME_STOPPED;
}

void linpred__check_claim_less(const linpred_result *result, linpred_check *check)
{
    char claim[160];
    snprintf(claim, sizeof claim, "%.159s", check->claim);
    snprintf(check->claim, sizeof check->claim, "%snot that %s, but that its figures are those of the rows",
             linpred__check_finished(result) ? "" : "the fit was ended before its end: ", claim);
    if (check->verdict != LINPRED_REFUTED)
        check->verdict = LINPRED_PARTLY_PROVED;
}

static double standard_error_off(const linpred__regression *regression, const double *length)
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

static bool any_standard_error(const linpred__regression *regression)
{
    for (int32_t j = 0; j < regression->width; j++)
        if (!isnan(regression->standard_error[j]))
            return true;
    return false;
}

/* F, where the residuals are more than rounding. */
static bool compare_f(const linpred_result *result, const linpred__figures *figures, linpred_check *check)
{
    const linpred_info *info = &result->info;
    double df = figures->weight - figures->rank, model_df = figures->rank - (result->model.has_intercept ? 1 : 0);
    if (figures->rank < 0 || !(model_df > 0) || !(df > 0) || !(sqrt(figures->squares) > 1e6 * figures->noise))
        return true;
    double f = (figures->around - figures->squares) / model_df / (figures->squares / df);
    double p = linpred__f_upper(f, model_df, df);
    return linpred__check_figure(check, "F", info->f_statistic, f, 1e-6 * fabs(f)) &&
           linpred__check_figure(check, "the p value of F", info->f_p_value, p, 1e-6);
}

/* What the rows give, against what is stated; false once refuted. */
static bool compare_sums(const linpred_result *result, const linpred__figures *figures, linpred_check *check)
{
    const linpred_info *info = &result->info;
    const linpred__regression *regression = result->model.regression;
    bool squared = regression->loss == LINPRED_LOSS_SQUARED;
    double weight = figures->weight, root = sqrt(figures->squares), penalty = 0.0;
    double mean = ldexp(figures->squares / weight, 2 * figures->unit);
    double off = ldexp((2.0 * root + figures->noise) * figures->noise / weight, 2 * figures->unit) + tolerance * mean;
    double distance = ldexp(figures->absolute / weight, figures->unit);
    double distance_off = ldexp(figures->noise / sqrt(weight), figures->unit) + tolerance * distance;
    for (int32_t j = 0; regression->l2 > 0 && j < result->model.columns; j++)
        penalty += 0.5 * regression->l2 * result->model.w[j] * result->model.w[j];
    double objective = squared ? mean + penalty : ldexp(figures->loss / weight, figures->unit);
    double objective_off = squared ? off + tolerance * penalty : 2.0 * distance_off;
    double df = weight - (figures->rank >= 0 ? figures->rank : (double)info->rank);
    if (figures->rank < 0 && info->rank < 0)
        df = NAN;
    double sd = ldexp(root / sqrt(df), figures->unit),
           unique = figures->rank < 0 ? (double)NAN : figures->rank == regression->width;
    double sd_off = ldexp(figures->noise / sqrt(df), figures->unit) + tolerance * sd;
    return linpred__check_figure(check, "the mean squared error", info->mean_squared_error, mean, off) &&
           linpred__check_figure(check, "the mean absolute error", info->mean_absolute_error, distance, distance_off) &&
           linpred__check_figure(check, "the objective", info->objective, objective, objective_off) &&
           linpred__check_figure(
               check, "R²", info->r_squared, figures->around > 0 ? 1.0 - figures->squares / figures->around : NAN,
               tolerance + (figures->around_off + (2.0 * root + figures->noise) * figures->noise) / figures->around) &&
           linpred__check_figure(check, "the number of rows", (double)info->rows, (double)figures->rows, 0.0) &&
           linpred__check_figure(check, "l2", info->l2, regression->l2, 0.0) &&
           linpred__check_figure(check, "the uniqueness", info->unique >= 0 ? (double)info->unique : (double)NAN,
                                 squared ? unique : (double)NAN, 0.0) &&
           linpred__check_figure(check, "the rank", info->rank >= 0 ? (double)info->rank : (double)NAN,
                                 figures->rank >= 0 ? (double)figures->rank : (double)NAN, 0.0) &&
           linpred__check_figure(check, "the number of degrees of freedom", regression->degrees_of_freedom, df,
                                 tolerance * weight) &&
           linpred__check_figure(check, "the number of degrees of freedom", info->degrees_of_freedom, df,
                                 tolerance * weight) &&
           linpred__check_figure(check, "the residual sd", regression->residual_sd, sd, sd_off) &&
           linpred__check_figure(check, "the residual sd", info->residual_sd, sd, sd_off) &&
           compare_f(result, figures, check);
}

void linpred__check_figures(const linpred_result *result, const linpred__figures *figures, linpred_check *check)
{
    static const double usable =
        2e-3; /* S may be off by this, if its columns are near to depending on each other; the finding says it */
    double usual = fmin(usable, figures->factor_usual);
    const linpred__regression *regression = result->model.regression;
    if (!compare_sums(result, figures, check))
        return;
    bool inference = !isnan(regression->residual_sd);
    if (inference && figures->factor_off > usual + 2.0 * figures->factor_doubt) {
        check->verdict = LINPRED_REFUTED;
        snprintf(check->finding, sizeof check->finding,
                 "what intervals are made of (factor) is not that of the rows: off by %.3g", figures->factor_off);
    } else if (inference && figures->rank < 0) {
        linpred__check_append(check, "; the rank, standard errors and intervals are not part of what was verified");
    } else if (!inference && !any_standard_error(regression)) {
        linpred__check_append(check, "; the figures of the fit are those of the rows");
    } else if (!figures->length || !(figures->factor_off + figures->factor_doubt <= usable)) {
        linpred__check_append(
            check, "; residual sd and R² are those of the rows; standard errors and intervals are not part of what "
                   "was verified");
    } else {
        double within = fmax(tolerance, figures->factor_off + figures->factor_doubt);
        double off = standard_error_off(regression, figures->length),
               allowed = 1e-6 + 4.0 * (within + figures->length_doubt);
        if (!(figures->length_doubt <= usable)) {
            linpred__check_append(
                check,
                "; residual sd, R² and intervals are those of the rows, to %.1g; standard errors are not part of "
                "what was verified",
                within);
            return;
        }
        if (off > allowed) {
            check->verdict = LINPRED_REFUTED;
            snprintf(check->finding, sizeof check->finding,
                     "the standard errors are not those of the rows: off by %.3g (relative)", off);
            return;
        }
        linpred__check_append(check, "; residual sd, R², standard errors and intervals are those of the rows, to %.1g",
                              fmax(within, figures->length_doubt));
    }
}

void linpred__check_forms(const linpred__polynomial_basis_form *form, linpred_check *check)
{
    static const double same = 1e-12;
    if (check->verdict == LINPRED_REFUTED)
        return;
    bool differ = form->apart > same && !(form->apart <= form->doubt);
    if (differ || (form->dependencies > tolerance && !(form->dependencies <= form->dependencies_doubt))) {
        check->verdict = LINPRED_REFUTED;
        snprintf(check->finding, sizeof check->finding,
                 "what predict uses (basis_weights) is not the same function as the coefficients: they differ by %.3g "
                 "of the targets",
                 fmax(form->apart, form->dependencies));
    } else if (!(form->apart + form->doubt <= same) || form->dependencies > tolerance) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__check_append(check, "; that predict's polynomials are the same function is lost in rounding");
    }
}
