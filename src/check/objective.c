/* The claim `objective`: the weighted mean loss of the model on the rows, plus its penalty.
 *
 * The loss is that of the fit: logistic, squared, absolute or quantile. Halfspaces and balls have the 0-1 loss; if the
 * result claims `fewest_errors`, a mistake counts with the cost of its label. There is no witness.
 *
 * Within tolerance if the figure agrees to 1e-9 and the rounding error of the sums. Refuted otherwise, if predict uses
 * another function than the coefficients of a regression, and if class weights that are said to be balanced are not.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/limits.h"

static const double tolerance = LINPRED__FIGURE_TOLERANCE;

bool linpred__judge_balance(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    const char *said = linpred_result_option(measured->result, "class-weights");
    double sum[2] = {0.0, 0.0};
    if (!said || strcmp(said, "balanced") != 0)
        return true;
    for (int64_t i = 0; i < measured->data->blocks; i++) {
        const linpred__block *block = &measured->data->block[i];
        for (int32_t r = 0; r < block->rows; r++)
            sum[block->target[r] > 0] += block->weight ? block->weight[r] : 1.0;
    }
    double half = (sum[0] + sum[1]) / 2.0;
    return linpred__compare(check, "the weight of the label -1", figures->class_weight_negative, half / sum[0],
                            tolerance * half / sum[0]) &&
           linpred__compare(check, "the weight of the label +1", figures->class_weight_positive, half / sum[1],
                            tolerance * half / sum[1]);
}

static void judge_logistic_objective(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    const linpred__logistic_finding *found = measured->logistic;
    bool stated = figures->l2 >= 0 && figures->class_weight_negative > 0 && figures->class_weight_positive > 0;
    if (!stated)
        linpred__refute(check, "the model does not say what its penalty and its class weights are");
    else if (!isfinite(found->objective))
        linpred__refute(check, "the objective is beyond the range of numbers");
    else if (linpred__judge_balance(measured, check))
        linpred__compare_required(check, "the objective", figures->objective, found->objective,
                                  found->objective_error + tolerance * found->objective);
}

static void judge_regression_objective(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred_model *model = &measured->result->model;
    const linpred__figures *figures = &measured->result->figures;
    const linpred__residual_sums *sums = linpred__sums_of(measured, check);
    if (!sums)
        return;
    double root = sqrt(sums->squares), l2 = linpred__model_l2(model), penalty = 0.0;
    double mean = ldexp(sums->squares / sums->weight, 2 * sums->unit);
    double off = ldexp((2.0 * root + sums->noise) * sums->noise / sums->weight, 2 * sums->unit) + tolerance * mean;
    off += (model->columns + 2.0) * 0x1p-1074; /* each term of a denormal objective is rounded to its last bit */
    double distance_off = ldexp(sums->noise / sqrt(sums->weight), sums->unit) +
                          tolerance * ldexp(sums->absolute / sums->weight, sums->unit);
    for (int32_t j = 0; l2 > 0 && j < model->columns; j++)
        penalty += 0.5 * l2 * model->w[j] * model->w[j];
    bool squared = model->regression->loss == LINPRED_LOSS_SQUARED;
    double objective = squared ? mean + penalty : ldexp(sums->loss / sums->weight, sums->unit);
    if (!isfinite(objective))
        linpred__refute(check, "the objective is beyond the range of numbers");
    else if (linpred__compare_required(check, "the objective", figures->objective, objective,
                                       squared ? off + tolerance * penalty : 2.0 * distance_off))
        linpred__judge_forms(measured->squares ? &measured->squares->form : &measured->absolute->form, check);
}

static void judge_mistakes(const linpred__measured *measured, linpred__claim_check *check)
{
    const linpred__figures *figures = &measured->result->figures;
    const linpred__rows_finding *rows = measured->rows;
    bool costs = linpred__claims_find(&measured->result->claims, LINPRED_CLAIM_FEWEST_ERRORS);
    double negative = costs && !isnan(figures->cost_negative) ? figures->cost_negative : 1.0;
    double positive = costs && !isnan(figures->cost_positive) ? figures->cost_positive : 1.0;
    double objective = (negative * rows->wrong[0] + positive * rows->wrong[1]) / rows->weight;
    linpred__compare_required(check, "the objective", figures->objective, objective, tolerance * objective);
}

linpred_status linpred__check_objective(const linpred__measured *measured, const linpred__claim *claim,
                                        linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    check->verdict = LINPRED_WITHIN_TOLERANCE;
    if (measured->logistic)
        judge_logistic_objective(measured, check);
    else if (measured->result->model.regression)
        judge_regression_objective(measured, check);
    else
        judge_mistakes(measured, check);
    if (check->verdict != LINPRED_REFUTED && check->finding[0] == '\0')
        linpred__find(check, measured->logistic && measured->logistic->objective < DBL_MIN
                                 ? "it is below the range of numbers"
                                 : "the rows give the same value");
    return LINPRED_OK;
}
