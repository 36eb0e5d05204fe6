/* The claim `logistic_optimum`: the objective has a minimum, and the model is within a relative gap of it.
 *
 * There is no witness. logistic/gap.c bounds the gap F - min F from the gradient, the penalty and the Hessian at the
 * model.
 *
 * Proved if the bound, with all rounding, is at most the claimed tolerance. Within tolerance if the bound without
 * rounding is. Refuted if the gap is certainly larger, and if a figure is missing, contradictory or not one of such a
 * fit. Partly proved otherwise.
 *
 * Columns may depend on others as far as rounding can tell, but not provably. The finding then states the gap with
 * their coefficients held fixed. It proves little, since the objective may fall further along these columns.
 *
 * A fit that states no tolerance did not reach a minimum. It is partly proved, and refuted if its stated gap is too
 * small.
 */
#include <float.h>
#include <math.h>

#include "check/check.h"
#include "check/limits.h"
#include "model/limits.h"

static int32_t count_inexact(const linpred__dependencies *vectors)
{
    int32_t count = 0;
    for (int32_t k = 0; k < vectors->count; k++)
        count += !vectors->exact[k];
    return count;
}

/* The relative gap is certainly at least this. If vectors hold only up to rounding, the claim is about coefficients
   that respect them. Where the checker can tell their columns from others, coefficients that do not may well do better,
   and only the intercept has no part in that. */
static double least_gap(const linpred_result *result, const linpred__logistic_finding *found)
{
    return found->left_out >= count_inexact(&result->dependencies) ? found->at_least : found->by_intercept;
}

static bool judge_stated_gap(const linpred_result *result, const linpred__logistic_finding *found,
                             linpred__claim_check *check)
{
    const linpred__figures *figures = &result->figures;
    bool reached = !isnan(figures->gap_tolerance);
    if (reached && !(figures->gap >= 0 && figures->gap <= figures->gap_tolerance))
        return linpred__refute(check, "the model does not state a relative gap that is within its claim of %.3g",
                               figures->gap_tolerance);
    /* If vectors hold only up to rounding, the gap is that among coefficients that respect them. The intercept has no
       part in that. A gap below the rounding of the objective is not told from 0. */
    double least = count_inexact(&result->dependencies) == 0 ? found->at_least : found->by_intercept;
    if (figures->gap < least && least > LINPRED__GAP_ROUNDING)
        return linpred__refute(check,
                               "the model says that the relative gap is at most %.3g, the rows give at least %.3g",
                               figures->gap, least);
    return true;
}

static void find_gap(const linpred__logistic_finding *found, bool near, bool proved, linpred__claim_check *check)
{
    if (found->objective < DBL_MIN)
        linpred__find(check, "objective below the range of numbers");
    else
        linpred__find(check, "objective %.12g", found->objective);
    if (near && check->verdict != LINPRED_REFUTED)
        linpred__find(check, "; a minimum exists, and the relative gap is at most %.2g, %s", check->gap,
                      proved ? "rounding included" : "rounding left out of account");
    else if (found->left_out > 0 && check->verdict != LINPRED_REFUTED)
        linpred__find(
            check,
            "; %d column%s depend%s on others as far as rounding can tell, and with the coefficients there held the "
            "relative gap is at most %.2g: along them the objective may fall further",
            found->left_out, linpred__plural(found->left_out), found->left_out == 1 ? "s" : "", found->held);
    else
        linpred__find(check,
                      isfinite(found->proved) ? ", relative gap at least %.2g, at most %.2g"
                                              : ", relative gap at least %.2g",
                      found->at_least, found->proved);
}

/* Whether some coefficient can be estimated. */
static bool any_estimable(const linpred_result *result)
{
    const linpred__dependencies *vectors = &result->dependencies;
    linpred__null_vectors null = {vectors->count, vectors->width, vectors->vector, vectors->drop};
    for (int32_t j = 0; j < result->model.columns + result->model.has_intercept; j++)
        if (linpred__null_estimable(&null, result->model.columns, j))
            return true;
    return false;
}

/* Refutes the claim if a figure is missing that the rows give. The reader refuses those that such a fit does not have.
 */
static bool states_its_figures(const linpred_result *result, linpred__claim_check *check)
{
    const linpred__figures *figures = &result->figures;
    bool plain = figures->class_weight_negative == 1.0 && figures->class_weight_positive == 1.0;
    bool inference = plain && figures->l2 == 0.0 && !isnan(figures->gap_tolerance);
    if (plain && isnan(figures->deviance))
        return linpred__refute(check, "the model does not say what the deviance is");
    if (inference && !linpred__claims_find(&result->claims, LINPRED_CLAIM_STANDARD_ERRORS) && any_estimable(result))
        return linpred__refute(check, "the model has no standard errors, though the rows give them");
    if (inference && figures->rank < 0)
        return linpred__refute(check, "the model does not say what the rank is");
    if (!isnan(figures->gap_tolerance) && figures->unique < 0)
        return linpred__refute(check, "the model does not say whether its coefficients are the only ones");
    return true;
}

void linpred__judge_gap(const linpred_result *result, const linpred__logistic_finding *found,
                        linpred__claim_check *check)
{
    double tolerance = result->figures.gap_tolerance;
    bool proved = found->proved <= tolerance, near = fmin(found->proved, found->estimated) <= tolerance;
    check->gap = proved ? found->proved : fmin(found->estimated, found->proved);
    check->verdict = least_gap(result, found) > tolerance ? LINPRED_REFUTED
                     : proved                             ? LINPRED_PROVED
                     : near                               ? LINPRED_WITHIN_TOLERANCE
                                                          : LINPRED_PARTLY_PROVED;
    check->respecting = check->verdict == LINPRED_PARTLY_PROVED && found->left_out > 0 && found->held <= tolerance &&
                        result->dependencies.count > 0 && found->null_worst <= LINPRED__RANK_THRESHOLD;
    find_gap(found, near, proved, check);
    if (check->verdict != LINPRED_REFUTED)
        judge_stated_gap(result, found, check);
}

linpred_status linpred__check_logistic_optimum(const linpred__measured *measured, const linpred__claim *claim,
                                               linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    const linpred__logistic_finding *found = measured->logistic;
    double tolerance = measured->result->figures.gap_tolerance;
    if (!found) {
        linpred__refute(check, "the model is no logistic one");
        return LINPRED_OK;
    }
    if (!states_its_figures(measured->result, check))
        return LINPRED_OK;
    if (!isfinite(found->objective)) {
        linpred__refute(check, "the objective is beyond the range of numbers");
        return LINPRED_OK;
    }
    if (isnan(tolerance)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "objective %.12g; a minimum is not claimed", found->objective);
        judge_stated_gap(measured->result, found, check);
        return LINPRED_OK;
    }
    linpred__judge_gap(measured->result, found, check);
    return LINPRED_OK;
}
