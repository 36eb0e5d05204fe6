/* The claim `least_squares`: the coefficients minimise the mean squared error plus the penalty.
 *
 * The claim has no witness of its own. The factor S and the trailing parts of the coefficients in the model give bounds
 * of the gap (regression/squares.c).
 *
 * With S: within tolerance if the relative gap is at most 1e-9, refuted if it is certainly larger and the fit is
 * finished, partly proved otherwise. Without S the gradient is compared with the sums that it is made of. Refuted if it
 * is more than 1e-9 of them and the fit is finished. Within tolerance if it is at most that and there are too many
 * columns for a Gram matrix, or if there is no penalty and the residuals are only rounding. Partly proved otherwise.
 *
 * Dependencies that do not hold to 1e-9, and a fit that was stopped, make the claim partly proved at best. A factor
 * that the model states and that is not S refutes it: intervals and standard errors are made of it.
 */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"
#include "model/limits.h"

static const double tolerance = LINPRED__FIGURE_TOLERANCE; /* of the relative gap and of the relative gradient */

/* Says how near to an exact minimiser's the coefficients are: in digits, and those that are 0, which have no digits, by
   their distance. */
static void find_digits(const linpred__squares_finding *found, linpred__claim_check *check)
{
    linpred__find(check, "the objective is within %.2g (relative) of the least possible", found->gap);
    if (!found->all_zero)
        linpred__find(check, ", every coefficient%s right to %.1f digits or more",
                      found->off_zero > 0.0 ? " that is not 0" : "", fmax(0.0, fmin(found->digits, 15.9)));
    if (found->off_zero > 0.0)
        linpred__find(check, ", those that are 0 right to within %.2g", found->off_zero);
}

/* Judges by the bounds that the factor S gives. */
static void judge_bounds(const linpred__squares_finding *found, bool finished, bool drop, linpred__claim_check *check)
{
    check->gap = found->gap;
    check->verdict = found->gap <= tolerance                  ? LINPRED_WITHIN_TOLERANCE
                     : found->gap_min > tolerance && finished ? LINPRED_REFUTED
                                                              : LINPRED_PARTLY_PROVED;
    if (check->verdict == LINPRED_REFUTED)
        linpred__find(check, "the gradient is not 0: the objective is at least %.3g (relative) above the least",
                      found->gap_min);
    else if (!found->whole)
        linpred__find(check, "among coefficients that %s the objective is within %.2g (relative) of the least possible",
                      drop ? "leave out what depends on others" : "respect the dependencies", found->gap);
    else
        find_digits(found, check);
}

/* Judges by the gradient, if there is no S. */
static void judge_gradient(const linpred_model *model, const linpred__squares_finding *found, bool finished,
                           linpred__claim_check *check)
{
    const linpred__regression *regression = model->regression;
    double left = found->gradient_left, l2 = linpred__model_l2(model);
    check->gap = found->gap;
    if (found->perfect && l2 == 0.0) {
        check->verdict = LINPRED_WITHIN_TOLERANCE;
        linpred__find(check, "the residuals' squares are %.2g of the targets': no fit is better by more", found->gap);
        return;
    }
    if (!isfinite(left)) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "the gradient is beyond the range of numbers");
        return;
    }
    check->verdict = left <= tolerance ? LINPRED_WITHIN_TOLERANCE : finished ? LINPRED_REFUTED : LINPRED_PARTLY_PROVED;
    linpred__find(check, "the gradient is %s0 to within %.2g of the sums it is made of",
                  left <= tolerance ? "" : "only ", left);
    if (!(left <= tolerance))
        return;
    linpred__find(check, "; how far the coefficients are from exact ones is not bounded");
    if (regression->width > LINPRED__MAX_GRAM_COLUMNS) {
        linpred__find(check, ", for there are more than %d", LINPRED__MAX_GRAM_COLUMNS);
        return;
    }
    /* A small gradient says little along columns that nearly depend on each other. */
    check->verdict = LINPRED_PARTLY_PROVED;
    if (l2 > 0 && regression->dependencies.count > 0)
        linpred__find(check, ", for the penalty is lost in rounding beside columns that depend on each other");
    else
        linpred__find(check, ", for their columns are too near to depending on each other");
}

/* Whether the factor of the model, if it has one, is S to the accuracy with which it can be computed. */
static bool judge_factor(const linpred_model *model, const linpred__squares_finding *found, linpred__claim_check *check)
{
    /* With a penalty S is part of this proof alone, and less accurate where columns nearly depend on each other. */
    double usual =
        linpred__model_l2(model) > 0 ? LINPRED__USABLE_FACTOR : fmin(LINPRED__USABLE_FACTOR, found->factor_usual);
    if (!model->regression->factor || !(found->factor_off > usual + 2.0 * found->factor_rounding))
        return true;
    return linpred__refute(check, "what intervals are made of (factor) is not that of the rows: off by %.3g",
                           found->factor_off);
}

linpred_status linpred__check_least_squares(const linpred__measured *measured, const linpred__claim *claim,
                                            linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    const linpred__regression *regression = measured->result->model.regression;
    const linpred__squares_finding *found = measured->squares;
    bool finished = linpred__finished(measured->result);
    if (!regression || regression->loss != LINPRED_LOSS_SQUARED) {
        linpred__refute(check, "the model is no least-squares fit");
        return LINPRED_OK;
    }
    if (!found) {
        linpred__refute(check, "a factor of %d columns and %d dependencies do not make up %d coefficients",
                        regression->factor_columns, regression->dependencies.count, regression->width);
        return LINPRED_OK;
    }
    if (!judge_factor(&measured->result->model, found, check))
        return LINPRED_OK;
    if (found->by_factor)
        judge_bounds(found, finished, regression->dependencies.drop, check);
    else
        judge_gradient(&measured->result->model, found, finished, check);
    linpred__judge_forms(&found->form, check);
    bool lost = !found->whole || !(found->null_worst <= 1e-9) || !(found->norm_left <= 1e-9);
    check->respecting = check->verdict == LINPRED_WITHIN_TOLERANCE && found->by_factor && !found->whole && finished &&
                        found->null_worst <= LINPRED__RANK_THRESHOLD && found->norm_left <= 1e-9;
    if (regression->dependencies.count > 0 && lost)
        linpred__at_best(check, LINPRED_PARTLY_PROVED);
    if (!finished) {
        linpred__at_best(check, LINPRED_PARTLY_PROVED);
        linpred__find(check, "; the fit was ended before its end");
    }
    return LINPRED_OK;
}
