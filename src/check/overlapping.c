/* The claim `overlapping`: no v has <v,z> >= 0 on every row and > 0 on some.
 *
 * The witness is some rows with positive integers λ. Σ λ z = 0 must hold exactly, and the z must span the space
 * (witness/combination.c). If v has <v,z> >= 0 on every row, then Σ λ <v,z> = 0 makes <v,z> = 0 on the rows of the
 * witness. They span the space, so v = 0.
 *
 * A witness of all rows needs no span. Proved if both hold. Partly proved if the sum is 0 but the rank is not proved to
 * be full: the rows of the witness may span all rows, but that is not checked. Refuted if the sum is not 0.
 *
 * Beside the claim `no_minimiser` it speaks of the rows that its direction leaves at 0: the witness holds all of them.
 */
#include "check/check.h"
#include "check/witness/combination.h"

/* Beside `no_minimiser`: whether the rows of the witness, which sum to zero, are all that its direction v leaves. From
   Σ λ <v,z> = 0 and <v,z> >= 0 follows <v,z> = 0 on them, so it is enough to count. The same holds for every v without
   a negative row: none settles a row of the witness. */
static linpred_status judge_rows_left(const linpred__measured *measured, const linpred__claim *none,
                                      const linpred__combination *witness, linpred__claim_check *check,
                                      linpred_error *error)
{
    linpred__direction_signs signs;
    linpred_status status = linpred__check_direction(&none->by.direction, &measured->result->model, measured->data,
                                                     measured->pool, NULL, &signs, error);
    if (status != LINPRED_OK)
        return status;
    int64_t left = measured->data->rows - signs.positive;
    check->verdict = LINPRED_PROVED;
    if (signs.negative > 0 || signs.positive == 0 || witness->count != left)
        linpred__refute(check, "the witness holds %lld rows, but the direction leaves %lld", (long long)witness->count,
                        (long long)left);
    else
        linpred__find(check, "these %lld row%s with positive integers sum to zero exactly", (long long)left,
                      linpred__plural((double)left));
    return LINPRED_OK;
}

linpred_status linpred__check_overlapping(const linpred__measured *measured, const linpred__claim *claim,
                                          linpred__claim_check *check, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    const linpred__combination *witness = &claim->by.combination;
    int32_t dimension = measured->data->columns + model->has_intercept, rank = 0;
    bool holds = false;
    if (model->regression || model->task == LINPRED_TASK_BALL) {
        linpred__refute(check, "the claim is one of halfspaces");
        return LINPRED_OK;
    }
    const linpred__claim *none = linpred__claims_find(&measured->result->claims, LINPRED_CLAIM_NO_MINIMISER);
    linpred_status status = linpred__check_combination(witness, model, measured->data, &holds, error);
    if (status == LINPRED_OK && holds && none)
        return judge_rows_left(measured, none, witness, check, error);
    if (status == LINPRED_OK && holds)
        status = linpred__check_span(witness, measured->data, model->has_intercept, &rank, error);
    if (status != LINPRED_OK)
        return status;
    bool all = witness->count == measured->data->rows; /* then <v,z> = 0 on every row, whatever their rank */
    check->verdict = all || rank == dimension ? LINPRED_PROVED : LINPRED_PARTLY_PROVED;
    if (!holds) {
        linpred__refute(check, "the rows of the witness do not sum to zero");
        return LINPRED_OK;
    }
    if (rank == dimension)
        linpred__find(check, "the rows of the witness span the space");
    else if (all)
        linpred__find(check, "the witness holds all rows");
    else
        linpred__find(check, "the rows of the witness have rank %d of %d: that they span all rows is not proved here",
                      rank, dimension);
    if (witness->count == 1)
        linpred__find(check, "; a row of zeros is on the right side of no halfspace through the origin");
    else
        linpred__find(check,
                      "; %lld rows with their positive integers sum to zero exactly, so no halfspace separates them",
                      (long long)witness->count);
    return LINPRED_OK;
}
