/* The summary of a logistic fit: rank, uniqueness, deviances, AIC, and standard errors from the observed information,
 * SE_j² = (W H)^-1_jj, where W is the total weight. */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/logistic/careful_errors.h"
#include "fit/logistic/logistic.h"
#include "minimise/newton_factor.h"
#include "proof/limits.h"

/* The intercept is v_b - <origin, w>. Its variance is t' H^-1 t with t = (-origin, 1). `t` is scratch. */
static double intercept_variance(const linpred__logistic_problem *problem, const linpred__newton *newton, double *t)
{
    for (int32_t i = 0; i < newton->rank; i++) {
        int32_t j = newton->kept[i];
        t[i] = j < problem->data->columns ? -problem->origin[j] * problem->data_unit[j] : 1.0;
    }
    return linpred__cholesky_squared_length(&newton->cholesky, t);
}

/* By the factor of Newton's method. */
static linpred_status errors_by_factor(const linpred__logistic_problem *problem, linpred__newton *newton, double *each,
                                       linpred_error *error)
{
    int32_t columns = problem->original->data->columns;
    linpred_status status = linpred__newton_invert(newton, error);
    if (status != LINPRED_OK)
        return status;
    for (int32_t i = 0; i < newton->rank; i++) {
        int32_t j = newton->kept[i];
        each[j] = problem->unit[j] * sqrt(newton->inverse[i] / problem->weight);
    }
    if ((problem->is_centred || problem->shifted) && !isnan(each[columns]))
        each[columns] = sqrt(intercept_variance(problem, newton, newton->step) / problem->weight);
    return LINPRED_OK;
}

static linpred_status check_errors(const double *each, int32_t count, linpred_error *error)
{
    for (int32_t j = 0; j < count; j++)
        if (isinf(each[j]))
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "the numbers of feature %d are so small that the standard error of its coefficient "
                                 "is beyond the range of doubles: scale the column",
                                 j + 1);
    return LINPRED_OK;
}

static linpred_status find_standard_errors(const linpred__logistic_problem *problem, linpred__logistic_found *found,
                                           const linpred__logistic_values *values, double **standard_error,
                                           linpred_error *error)
{
    int32_t columns = problem->original->data->columns;
    double *each = linpred__alloc((size_t)columns + 1, sizeof *each);
    if (!each)
        return linpred__no_memory(error);
    for (int32_t j = 0; j <= columns; j++)
        each[j] = NAN;
    bool known = false;
    linpred_status status = linpred__logistic_careful_errors(problem, &found->newton, values, each, &known, error);
    if (status == LINPRED_OK && !known)
        status = errors_by_factor(problem, &found->newton, each, error);
    for (int32_t j = 0; status == LINPRED_OK && j < columns + problem->has_intercept; j++)
        if (!linpred__dependencies_leave(&found->null_space.dependencies, columns, j))
            each[j] = NAN;
    if (status == LINPRED_OK)
        status = check_errors(each, columns + problem->has_intercept, error);
    if (status != LINPRED_OK) {
        linpred__release(each);
        return status;
    }
    *standard_error = each;
    return LINPRED_OK;
}

static const char *reason_for_none(const linpred__logistic_problem *problem, const linpred__logistic_found *found,
                                   const linpred__logistic_fine *fine, bool has_class_weights)
{
    if (has_class_weights)
        return "class weights are no frequencies, so the information is not that of the data";
    if (problem->terms.l2 > 0)
        return "a penalty biases the coefficients on purpose";
    if (problem->data->columns > LINPRED__MAX_MATRIX_FEATURES)
        return "there are too many features for a matrix of them";
    if ((!found->has_matrix && !fine->made) || !(found->gap <= problem->terms.tolerance))
        return "the fit is not proved to be a maximum of the likelihood";
    return NULL;
}

/* The least mean loss of an intercept alone: -p log p - q log q, where q = 1 - p is the smaller share. log p is
   log1p(-q): p itself is rounded, and where it is near 1 its logarithm would lose what q still holds. */
static double loss_of_intercept(const double *share)
{
    double q = fmin(share[0], share[1]), p = fmax(share[0], share[1]);
    return q > 0.0 ? -p * log1p(-q) - q * log(q) : 0.0;
}

linpred_status linpred__logistic_summarise(const linpred__logistic_problem *problem, linpred__logistic_found *found,
                                           const linpred__logistic_values *values, linpred__logistic_fine *fine,
                                           linpred__logistic_summary *summary, linpred_error *error)
{
    const double *class_weight = problem->terms.class_weight;
    bool plain = class_weight[0] == 1.0 && class_weight[1] == 1.0, penalised = problem->terms.l2 > 0;
    bool ranked = (fine->made || (found->has_matrix && !found->null_space.nearly_dependent)) && !penalised;
    bool optimal = found->gap <= problem->terms.tolerance;
    int32_t rank = !ranked ? -1 : fine->made ? fine->rank : found->newton.rank;
    double null_loss = problem->has_intercept ? loss_of_intercept(problem->share) : log(2.0);
    double deviance = plain ? 2.0 * problem->weight * values->loss : NAN;
    *summary = (linpred__logistic_summary){
        .rank = rank,
        .unique = penalised ? 1
                  : ranked  ? rank == problem->original->data->columns + problem->has_intercept
                            : -1,
        .deviance = deviance,
        .null_deviance = plain ? 2.0 * problem->weight * null_loss : NAN,
        .aic = plain && ranked && optimal ? deviance + 2.0 * rank : NAN,
        .reason_no_standard_errors = reason_for_none(problem, found, fine, !plain),
    };
    if (summary->reason_no_standard_errors)
        return LINPRED_OK;
    if (fine->made) {
        summary->standard_error = fine->standard_error;
        fine->standard_error = NULL;
        return check_errors(summary->standard_error, problem->original->data->columns + problem->has_intercept, error);
    }
    return find_standard_errors(problem, found, values, &summary->standard_error, error);
}
