/* The claim `inseparable`: no halfspace (for a model that is a ball: no ball) separates the rows.
 *
 * The witness is some rows with positive integers λ. For a halfspace Σ λ z = 0 must hold exactly. If a halfspace w
 * separated these rows, then 0 = <w, Σ λ z> = Σ λ <w,z> > 0. witness/ball.c has the proof for balls.
 *
 * Proved if the sum is exactly 0, refuted otherwise.
 */
#include <stdio.h>

#include "check/check.h"
#include "check/witness/combination.h"

linpred_status linpred__check_inseparable(const linpred__measured *measured, const linpred__claim *claim,
                                          linpred__claim_check *check, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    const linpred__combination *witness = &claim->by.combination;
    bool holds = false, ball = model->task == LINPRED_TASK_BALL;
    if (model->regression) {
        linpred__refute(check, "the targets of a regression are no labels");
        return LINPRED_OK;
    }
    linpred_status status = linpred__check_combination(witness, model, measured->data, &holds, error);
    if (status != LINPRED_OK)
        return status;
    check->verdict = LINPRED_PROVED;
    if (!holds) {
        linpred__refute(check,
                        ball ? "the rows of the witness prove nothing" : "the rows of the witness do not sum to zero");
    } else if (ball) {
        char sides[LINPRED__SIDES];
        linpred__ball_sides(model, sides);
        linpred__find(check, "%lld rows with their positive integers prove exactly that no ball has %s",
                      (long long)witness->count, sides);
    } else if (witness->count == 1) {
        linpred__find(check, "a row of zeros is on the right side of no halfspace through the origin");
    } else {
        linpred__find(check,
                      "%lld rows with their positive integers sum to zero exactly, so no halfspace separates them",
                      (long long)witness->count);
    }
    return LINPRED_OK;
}
