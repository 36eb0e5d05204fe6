/* The claim `update_bound`: no run of the perceptron from 0 makes more than (R B)² updates.
 *
 * R = max ||(x,1)||, and B = ||(w,b)|| / min y(<w,x>+b) for weights that separate the rows. The witness is such
 * weights; without one they are those of the model. Any separating weights prove the bound that their B gives.
 *
 * Within tolerance if R, B and (R B)² are as stated to 1e-9. Partly proved if the fit standardized the rows: then only
 * that the three figures agree with each other is checked. Refuted otherwise.
 */
#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/limits.h"

static const double tolerance = LINPRED__FIGURE_TOLERANCE;

/* Whether the rows were standardized for the perceptron. */
static bool is_standardized(const linpred_result *result)
{
    const char *standardize = linpred_result_option(result, "standardize");
    return standardize && strcmp(standardize, "no") != 0 && strcmp(standardize, "false") != 0;
}

/* Compares the stated bound with (R B)² of the stated R and B. */
static bool judge_product(const linpred__figures *figures, linpred__claim_check *check)
{
    double root = figures->radius * figures->norm, bound = root * root;
    if (isnan(figures->norm) || isnan(figures->radius))
        return linpred__refute(check, "the model does not state radius and norm");
    return linpred__compare_required(check, "the bound on updates", figures->update_bound, bound, tolerance * bound);
}

static void judge_update_bound(const linpred__measured *measured, double margin, linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    double radius = measured->rows->radius, norm = 1.0 / margin;
    if (isnan(margin))
        linpred__refute(check, "the weights that the bound rests on do not separate the rows");
    else if (linpred__compare(check, "the radius", figures->radius, radius, tolerance * radius) &&
             linpred__compare(check, "the norm of the weights", figures->norm, norm, tolerance * norm) &&
             judge_product(figures, check))
        linpred__find(check, "(R B)² = %.9g with R = %.9g and B = %.9g", radius * norm * (radius * norm), radius, norm);
}

linpred_status linpred__check_update_bound(const linpred__measured *measured, const linpred__claim *claim,
                                           linpred__claim_check *check, linpred_error *error)
{
    const linpred_result *result = measured->result;
    double margin = NAN;
    if (!measured->rows || result->model.task != LINPRED_TASK_HALFSPACE) {
        linpred__refute(check, "the bound is one of the perceptron, and this model is none");
        return LINPRED_OK;
    }
    check->verdict = LINPRED_WITHIN_TOLERANCE;
    if (is_standardized(result)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        if (judge_product(&result->figures, check))
            linpred__find(check, "speaks of standardized rows, which are not checked");
        return LINPRED_OK;
    }
    linpred_status status = LINPRED_OK;
    if (claim->by.weights.count > 0)
        status = linpred__margin_of_weights(measured, &claim->by.weights, false, &margin, error);
    else if (measured->rows->errors == 0.0)
        margin = linpred__own_margin(measured, false);
    if (status == LINPRED_OK)
        judge_update_bound(measured, margin, check);
    return status;
}
