/* The summary of a logistic fit: rank, uniqueness, deviances, AIC, and standard errors from the observed information,
 * SE_j² = (W H)^-1_jj, where W is the total weight. */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/logistic/logistic.h"
#include "minimise/newton_factor.h"
#include "proof/limits.h"

/* The intercept is v_b - <center, w>. Its variance is t' H^-1 t with t = (-center, 1). `t` is scratch. */
static double intercept_variance(const linpred__logistic_problem *problem, const linpred__newton *newton, double *t)
{
    for (int32_t i = 0; i < newton->rank; i++) {
        int32_t j = newton->kept[i];
        t[i] = j < problem->data->columns ? -problem->center[j] * problem->data_unit[j] : 1.0;
    }
    return linpred__cholesky_squared_length(&newton->cholesky, t);
}

/* A coefficient has a standard error if its entry in every dependency is 0. */
static bool is_estimable(const linpred__dependencies *dependencies, int32_t j)
{
    for (int32_t k = 0; k < dependencies->count; k++)
        if (dependencies->vector[(int64_t)k * dependencies->width + j] != 0.0)
            return false;
    return true;
}

static linpred_status find_standard_errors(linpred__logistic_work *work, linpred_error *error)
{
    const linpred__logistic_problem *problem = &work->problem;
    linpred__newton *newton = &work->newton;
    int32_t columns = problem->original->data->columns;
    double *each = linpred__alloc((size_t)columns + 1, sizeof *each);
    work->answer.standard_error = each;
    if (!each)
        return linpred__no_memory(error);
    linpred_status status = linpred__newton_invert(newton, error);
    if (status != LINPRED_OK)
        return status;
    for (int32_t j = 0; j <= columns; j++)
        each[j] = NAN;
    for (int32_t i = 0; i < newton->rank; i++) {
        int32_t j = newton->kept[i];
        if (is_estimable(&work->answer.null_space.dependencies, j))
            each[j] = problem->unit[j] * sqrt(newton->inverse[i] / problem->weight);
    }
    if (problem->is_centered && !isnan(each[columns]))
        each[columns] = sqrt(intercept_variance(problem, newton, newton->step) / problem->weight);
    return LINPRED_OK;
}

static const char *reason_for_none(const linpred__logistic_work *work, bool has_class_weights)
{
    if (has_class_weights)
        return "class weights are no frequencies, so the information is not that of the data";
    if (work->problem.terms.l2 > 0)
        return "a penalty biases the coefficients on purpose";
    if (work->problem.data->columns > LINPRED__MAX_MATRIX_FEATURES)
        return "there are too many features for a matrix of them";
    if (!work->answer.has_matrix || !linpred__logistic_is_optimal(work))
        return "the fit is not proved to be a maximum of the likelihood";
    return NULL;
}

linpred_status linpred__logistic_summary(linpred__logistic_work *work, linpred_error *error)
{
    const linpred__logistic_problem *problem = &work->problem;
    linpred__logistic_answer *answer = &work->answer;
    const double *class_weight = problem->terms.class_weight;
    bool plain = class_weight[0] == 1.0 && class_weight[1] == 1.0, penalised = problem->terms.l2 > 0;
    bool ranked = answer->has_matrix && !answer->null_space.nearly_dependent && !penalised;
    if (plain) {
        double one = problem->share[1], other = problem->share[0];
        answer->deviance = 2.0 * problem->weight * answer->loss;
        answer->null_deviance =
            2.0 * problem->weight * (problem->has_intercept ? -one * log(one) - other * log(other) : log(2.0));
    }
    if (ranked)
        answer->rank = work->newton.rank;
    if (ranked || penalised)
        answer->unique = penalised || work->newton.rank == problem->dimension;
    if (plain && ranked && linpred__logistic_is_optimal(work))
        answer->aic = answer->deviance + 2.0 * work->newton.rank;
    answer->reason_no_standard_errors = reason_for_none(work, !plain);
    return answer->reason_no_standard_errors ? LINPRED_OK : find_standard_errors(work, error);
}
