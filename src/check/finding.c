/* What the files of the claims share: building findings, comparing figures, the margin of the model, and comparing the
 * two forms of a fit with powers.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "check/limits.h"

void linpred__find(linpred__claim_check *check, const char *format, ...)
{
    size_t used = strlen(check->finding);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->finding + used, sizeof check->finding - used, format, arguments);
    va_end(arguments);
}

bool linpred__refute(linpred__claim_check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->finding, sizeof check->finding, format, arguments);
    va_end(arguments);
    check->verdict = LINPRED_REFUTED;
    return false;
}

void linpred__at_best(linpred__claim_check *check, linpred_verdict verdict)
{
    if (check->verdict < verdict)
        check->verdict = verdict;
}

bool linpred__compare(linpred__claim_check *check, const char *name, double stated, double found, double within)
{
    if (isnan(stated) || isnan(found) || fabs(stated - found) <= within || stated == found)
        return true;
    return linpred__refute(check, "the model says that %s is %.9g, the rows give %.9g", name, stated, found);
}

bool linpred__compare_required(linpred__claim_check *check, const char *name, double stated, double found,
                               double within)
{
    if (isnan(stated) && isfinite(found))
        return linpred__refute(check, "the model does not say what %s is, the rows give %.9g", name, found);
    return linpred__compare(check, name, stated, found, within);
}

bool linpred__must_not_state(linpred__claim_check *check, const char *name, bool stated)
{
    return !stated || linpred__refute(check, "the model states %s, which a fit of this kind does not have", name);
}

double linpred__count_figure(int64_t count)
{
    return count >= 0 ? (double)count : (double)NAN;
}

bool linpred__finished(const linpred_result *result)
{
    return result->figures.outcome != LINPRED_OUTCOME_LIMIT_REACHED &&
           result->figures.outcome != LINPRED_OUTCOME_STOPPED;
}

void linpred__find_all_rows(int64_t rows, linpred__claim_check *check)
{
    if (rows > 2)
        linpred__find(check, "all %lld rows are", (long long)rows);
    else
        linpred__find(check, "%s", rows == 2 ? "both rows are" : "the row is");
}

/* The margin of the model is the result times 2^exponent. */
static double margin_parts(const linpred__measured *measured, bool without_intercept, int *exponent)
{
    const linpred_model *model = &measured->result->model;
    double largest = without_intercept ? 0.0 : fabs(model->b), sum = 0.0;
    for (int32_t j = 0; j < model->columns; j++)
        largest = fmax(largest, fabs(model->w[j]));
    *exponent = 0;
    if (largest == 0.0 || !isnormal(measured->rows->lowest))
        return NAN;
    int unit = ilogb(largest);
    for (int32_t j = 0; j < model->columns; j++)
        sum += ldexp(model->w[j], -unit) * ldexp(model->w[j], -unit);
    if (!without_intercept)
        sum += ldexp(model->b, -unit) * ldexp(model->b, -unit);
    double fraction = frexp(measured->rows->lowest, exponent);
    *exponent -= unit;
    return fraction / sqrt(sum);
}

double linpred__own_margin(const linpred__measured *measured, bool without_intercept)
{
    int exponent;
    double fraction = margin_parts(measured, without_intercept, &exponent);
    return ldexp(fraction, exponent);
}

double linpred__own_gap(const linpred__measured *measured, bool without_intercept, double fraction, long exponent)
{
    int own;
    double ratio = fraction / margin_parts(measured, without_intercept, &own);
    long apart = exponent - own;
    return ldexp(ratio, apart > 5000 ? 5000 : apart < -5000 ? -5000 : (int)apart) - 1.0;
}

linpred_status linpred__margin_of_weights(const linpred__measured *measured, const linpred__vector *weights,
                                          bool without_intercept, double *margin, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    linpred_result other = {.model = *model};
    linpred__rows_finding rows;
    *margin = NAN;
    bool usable = weights->count == model->columns + model->has_intercept;
    for (int32_t j = 0; usable && j < weights->count; j++)
        usable = isfinite(weights->value[j]);
    if (!usable)
        return LINPRED_OK;
    other.model.w = weights->value;
    other.model.tails.count = 0;
    other.model.b = model->has_intercept ? weights->value[model->columns] : 0.0;
    linpred_status status = linpred__measure_rows(&other.model, measured->data, measured->pool, false, &rows, error);
    linpred__measured again = {.result = &other, .rows = &rows};
    if (status == LINPRED_OK && rows.errors == 0.0)
        *margin = linpred__own_margin(&again, without_intercept);
    return status;
}

const linpred__residual_sums *linpred__sums_of(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred__residual_sums *sums = measured->squares    ? &measured->squares->sums
                                         : measured->absolute ? &measured->absolute->sums
                                                              : NULL;
    if (!sums)
        linpred__refute(
            check, "the model is no regression, or its factor and its dependencies do not make up its coefficients");
    /* The absolute loss needs no squares. */
    if (!sums || (isfinite(sums->absolute) && (measured->absolute || isfinite(sums->squares))))
        return sums;
    check->verdict = LINPRED_PARTLY_PROVED;
    linpred__find(check, isfinite(sums->absolute) ? "the squares of the residuals are beyond the range of numbers"
                                                  : "the residuals are beyond the range of numbers");
    return NULL;
}

bool linpred__compare_degrees(const linpred__measured *measured, const linpred__residual_sums *sums,
                              linpred__claim_check *check, double *found)
{
    static const char name[] = "the number of degrees of freedom";
    const linpred__figures *figures = &measured->result->figures;
    bool free = measured->squares && linpred__model_l2(&measured->result->model) == 0.0;
    double rank = measured->squares && measured->squares->rank >= 0 ? (double)measured->squares->rank
                                                                    : linpred__count_figure(figures->rank);
    *found = isnan(rank) ? (double)NAN : fmax(0.0, sums->weight - rank);
    return linpred__must_not_state(check, name, !free && !isnan(figures->degrees_of_freedom)) &&
           (figures->rank < 0 || !free ||
            linpred__compare_required(check, name, figures->degrees_of_freedom, *found,
                                      LINPRED__FIGURE_TOLERANCE * sums->weight));
}

void linpred__judge_forms(const linpred__form_finding *form, linpred__claim_check *check)
{
    static const double same =
        1e-12; /* forms whose predictions differ by less, relative to the targets, are the same */
    const double tolerance = LINPRED__FIGURE_TOLERANCE;
    if (check->verdict == LINPRED_REFUTED)
        return;
    bool differ = form->apart > same && !(form->apart <= form->rounding);
    if (differ || (form->dependencies > tolerance && !(form->dependencies <= form->dependencies_rounding))) {
        linpred__refute(check,
                        "what predict uses (basis_weights) is not the same function as the coefficients: they differ "
                        "by %.3g of the targets",
                        fmax(form->apart, form->dependencies));
    } else if (!(form->apart + form->rounding <= same) || form->dependencies > tolerance) {
        linpred__at_best(check, LINPRED_PARTLY_PROVED);
        linpred__find(check, "; that predict's polynomials are the same function is lost in rounding");
    }
}
