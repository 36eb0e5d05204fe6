/* The claim `no_minimiser`: the logistic loss without a penalty has no minimum.
 *
 * The witness is integers v, the intercept last, with <v,z> >= 0 on every row and > 0 on some. Along v the loss of no
 * row grows, and that of some row falls without end. So every (w,b) can be improved.
 *
 * Proved if all signs are as the witness needs. Refuted otherwise, and if the stated number of settled rows is wrong.
 */
#include <math.h>

#include "check/check.h"
#include "check/witness/combination.h"

linpred_status linpred__check_no_minimiser(const linpred__measured *measured, const linpred__claim *claim,
                                           linpred__claim_check *check, linpred_error *error)
{
    const linpred_result *result = measured->result;
    linpred__direction_signs signs;
    if (result->model.regression || result->model.task == LINPRED_TASK_BALL || result->figures.l2 > 0) {
        linpred__refute(check, "only the logistic loss without a penalty may have no minimum");
        return LINPRED_OK;
    }
    linpred_status status = linpred__check_direction(&claim->by.direction, &result->model, measured->data,
                                                     measured->pool, NULL, &signs, error);
    if (status != LINPRED_OK)
        return status;
    bool holds = signs.negative == 0 && signs.positive > 0;
    int64_t zero = measured->data->rows - signs.positive - signs.negative;
    check->verdict = holds ? LINPRED_PROVED : LINPRED_REFUTED;
    check->exact_signs = signs.exact_signs;
    linpred__find(check, "y<v,%s> is positive on %lld row%s, zero on %lld, negative on %lld, each sign certain",
                  result->model.has_intercept ? "(x,1)" : "x", (long long)signs.positive,
                  linpred__plural((double)signs.positive), (long long)zero, (long long)signs.negative);
    if (holds)
        linpred__compare(check, "the number of rows that the direction settles",
                         linpred__count_figure(result->figures.settled_rows), (double)signs.positive, 0.0);
    return LINPRED_OK;
}
