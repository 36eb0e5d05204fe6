/* The claim `update_bound`: no run of the perceptron from 0 makes more than (R B)² updates.
 *
 * R = max ||(x,1)||, and B = ||(w,b)|| / min y(<w,x>+b) for weights that separate the rows. The witness is such
 * weights; without one they are those of the model. Any separating weights prove the bound that their B gives.
 *
 * Within tolerance if R, B and (R B)² are as stated. Partly proved on other rows, if the fit standardized the rows, and
 * if the stated B is smaller than that of the model and the witness has no weights. Refuted otherwise.
 */
#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/limits.h"

/* Sets *margin to the margin 1/B of the weights of the witness, or of the model if the witness has none. NaN: they do
   not separate the rows, or have the wrong length. */
static linpred_status margin_of_weights(const linpred__measured *measured, const linpred__vector *weights,
                                        double *margin, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    *margin = NAN;
    if (weights->count == 0) {
        *margin = measured->rows->errors == 0.0 ? linpred__own_margin(measured, false) : (double)NAN;
        return LINPRED_OK;
    }
    if (weights->count != model->columns + model->has_intercept)
        return LINPRED_OK;
    linpred_result other = {.model = *model};
    linpred__rows_finding rows;
    other.model.w = weights->value;
    other.model.b = model->has_intercept ? weights->value[model->columns] : 0.0;
    linpred_status status = linpred__measure_rows(&other.model, measured->data, measured->pool, false, &rows, error);
    linpred__measured again = {.result = &other, .rows = &rows};
    if (status == LINPRED_OK && rows.errors == 0.0)
        *margin = linpred__own_margin(&again, false);
    return status;
}

/* The stated norm belongs to weights that are neither in the witness nor in the model. All that can be tested is that
   it is not above `own`, the norm of the model's weights. */
static void judge_without_weights(const linpred__figures *figures, double own, linpred__claim_check *check)
{
    if (figures->norm > own * (1.0 + LINPRED__FIGURE_TOLERANCE)) {
        linpred__compare(check, "the least norm", figures->norm, own, 0.0);
        return;
    }
    linpred__at_best(check, LINPRED_PARTLY_PROVED);
    linpred__find(check, "weights of the norm %.9g are not part of the model", figures->norm);
}

static void judge(const linpred__measured *measured, const linpred__claim *claim, double margin,
                  linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    const double tolerance = LINPRED__FIGURE_TOLERANCE;
    double norm = 1.0 / margin, bound = figures->radius * figures->norm * figures->radius * figures->norm;
    if (!isnan(figures->margin_bound) && figures->margin_bound * figures->norm < 1.0 - 1e-6)
        linpred__refute(check, "the bound of the margin, %.9g, is below the margin 1/%.9g", figures->margin_bound,
                        figures->norm);
    else if (isnan(figures->norm))
        linpred__refute(check, "the model states no norm");
    else if (!linpred__compare(check, "the bound on updates", figures->update_bound, bound, 1e-6 * bound))
        return;
    else if (isnan(margin) && claim->by.weights.count > 0)
        linpred__refute(check, "the weights of the witness do not separate the rows");
    else if (isnan(margin) || (claim->by.weights.count == 0 && fabs(figures->norm - norm) > 1e-6 * norm))
        judge_without_weights(figures, isnan(margin) ? (double)INFINITY : norm, check);
    else if (linpred__compare(check, "the least norm", figures->norm, norm, fmax(tolerance, 1e-6) * norm))
        linpred__find(check, "(R B)² = %.9g with R = %.9g and B = %.9g", bound, figures->radius, figures->norm);
}

linpred_status linpred__check_update_bound(const linpred__measured *measured, const linpred__claim *claim,
                                           linpred__claim_check *check, linpred_error *error)
{
    const linpred_result *result = measured->result;
    const char *standardize = linpred_result_option(result, "standardize");
    double margin = NAN;
    if (!measured->rows || result->model.task != LINPRED_TASK_HALFSPACE) {
        linpred__refute(check, "the bound is one of the perceptron, and this model is none");
        return LINPRED_OK;
    }
    if (linpred__other_rows(measured, check))
        return LINPRED_OK;
    check->verdict = LINPRED_WITHIN_TOLERANCE;
    if (standardize && strcmp(standardize, "no") != 0 && strcmp(standardize, "false") != 0) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "speaks of standardized rows, which are not checked");
        return LINPRED_OK;
    }
    double radius = measured->rows->radius;
    if (!linpred__compare(check, "the radius", result->figures.radius, radius, LINPRED__FIGURE_TOLERANCE * radius))
        return LINPRED_OK;
    linpred_status status = margin_of_weights(measured, &claim->by.weights, &margin, error);
    if (status == LINPRED_OK)
        judge(measured, claim, margin, check);
    return status;
}
