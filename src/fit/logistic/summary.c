/* What is said of a logistic fit: standard errors from the observed information, SE_j² = (W H)^-1_jj; deviances and
 * AIC. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "minimise/logistic.h"

/* ---- the summary ------------------------------------------------------------------------------------------------- */

/* The intercept is v_b - <center, w>: its variance is t' H^-1 t with t = (-center, 1). `t` is scratch. */
static double intercept_variance(const linpred__logistic *problem, const linpred__newton *newton, double *t)
{
    for (int32_t i = 0; i < newton->rank; i++) {
        int32_t j = newton->keep[i];
        t[i] = j < problem->data->columns ? -problem->center[j] * problem->data_unit[j] : 1.0;
    }
    return linpred__cholesky_square(&newton->cholesky, t);
}

static linpred_status standard_errors(const linpred__logistic *problem, linpred__newton *newton, linpred_error *error)
{
    linpred_result *result = problem->fit->result;
    const linpred__dependencies *dependencies = &result->dependencies;
    result->standard_error = linpred__alloc((size_t)result->model.columns + 1, sizeof(double));
    if (!result->standard_error)
        return linpred__no_memory(error);
    linpred_status status = linpred__newton_invert(newton, error);
    if (status != LINPRED_OK)
        return status;
    for (int32_t j = 0; j <= result->model.columns; j++)
        result->standard_error[j] = NAN;
    for (int32_t i = 0; i < newton->rank; i++) {
        int32_t j = newton->keep[i];
        bool estimable = true;
        for (int32_t k = 0; k < dependencies->count; k++)
            estimable = estimable && dependencies->vector[(int64_t)k * dependencies->width + j] == 0.0;
        if (estimable)
            result->standard_error[j] = problem->unit[j] * sqrt(newton->inverse[i] / problem->weight);
    }
    double *intercept = &result->standard_error[result->model.columns];
    if (problem->centred && !isnan(*intercept))
        *intercept = sqrt(intercept_variance(problem, newton, newton->step) / problem->weight);
    return LINPRED_OK;
}

linpred_status linpred__logistic_summary(const linpred__logistic *problem, linpred__newton *newton, double loss,
                                         linpred_error *error)
{
    linpred_info *info = &problem->fit->result->info;
    bool plain = problem->class_weight[0] == 1.0 && problem->class_weight[1] == 1.0;
    bool ranked = newton && !newton->apart && problem->l2 == 0.0;
    info->l2 = problem->l2;
    if (plain) {
        double one = problem->share[1], other = problem->share[0];
        info->deviance = 2.0 * problem->weight * loss;
        info->null_deviance =
            2.0 * problem->weight * (problem->has_intercept ? -one * log(one) - other * log(other) : log(2.0));
    }
    if (ranked)
        info->rank = newton->rank;
    if (ranked || problem->l2 > 0)
        info->unique = problem->l2 > 0 || newton->rank == problem->dimension;
    if (plain && ranked && info->outcome == LINPRED_OUTCOME_OPTIMAL) /* elsewhere it is not that of the maximum */
        info->aic = info->deviance + 2.0 * newton->rank;
    const char *reason = !plain ? "class weights are no frequencies, so the information is not that of the data"
                         : problem->l2 > 0 ? "a penalty biases the coefficients on purpose"
                         : problem->data->columns > LINPRED__MOST_IN_MATRIX
                             ? "there are too many features for a matrix of them"
                         : !newton || info->outcome != LINPRED_OUTCOME_OPTIMAL
                             ? "the fit is not proved to be a maximum of the likelihood"
                             : NULL;
    if (!reason)
        return standard_errors(problem, newton, error);
    strcpy(info->reason_no_errors, reason);
    return LINPRED_OK;
}
