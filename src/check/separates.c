/* The claim `separates`: every row has y s(x) > 0.
 *
 * If the claim has a direction, these integers v are the witness: <v,z> > 0 on every row, in exact arithmetic; for a
 * ball <v, (x, ||x||², 1)> has the sign of y. The doubles of the model need not separate then. Without a direction the
 * scores of the model are tested, by certified signs.
 *
 * Proved if every row is on its right side. Refuted otherwise, and if the stated number of settled rows is wrong.
 */
#include <math.h>

#include "check/check.h"
#include "check/witness/combination.h"

/* Judges by the integers of the direction. *settled becomes the number of rows on their right side; for a ball it is
   all rows or 0. */
static linpred_status by_integers(const linpred__measured *measured, const linpred__claim *claim,
                                  linpred__claim_check *check, int64_t *settled, linpred_error *error)
{
    const linpred_model *model = &measured->result->model;
    int64_t rows = measured->data->rows;
    linpred_status status;
    if (model->task == LINPRED_TASK_BALL) {
        bool separates = false;
        status = linpred__check_ball_direction(&claim->by.direction, model, measured->data, &separates, error);
        *settled = separates ? rows : 0;
    } else {
        linpred__direction_signs signs = {0};
        status =
            linpred__check_direction(&claim->by.direction, model, measured->data, measured->pool, NULL, &signs, error);
        *settled = signs.positive;
    }
    if (status != LINPRED_OK)
        return status;
    check->verdict = *settled == rows ? LINPRED_PROVED : LINPRED_REFUTED;
    if (*settled == rows) {
        linpred__find_all_rows(rows, check);
        linpred__find(check, " on the right side of the integers, in exact arithmetic");
    } else if (model->task == LINPRED_TASK_BALL) {
        linpred__find(check, "not every row is on the right side of the integers");
    } else {
        linpred__find(check, "%lld of %lld row%s %s not on the right side of the integers",
                      (long long)(rows - *settled), (long long)rows, linpred__plural((double)rows),
                      rows - *settled == 1 ? "is" : "are");
    }
    return LINPRED_OK;
}

linpred_status linpred__check_separates(const linpred__measured *measured, const linpred__claim *claim,
                                        linpred__claim_check *check, linpred_error *error)
{
    const linpred__rows_finding *rows = measured->rows;
    int64_t settled = measured->data->rows;
    linpred_status status = LINPRED_OK;
    if (!rows) {
        linpred__refute(check, "a regression separates no rows");
        return LINPRED_OK;
    }
    if (claim->by.direction.count > 0) {
        status = by_integers(measured, claim, check, &settled, error);
    } else if (rows->errors == 0.0) {
        check->verdict = LINPRED_PROVED;
        linpred__find_all_rows(settled, check);
        linpred__find(check, " on %s right side, each sign certain", settled == 1 ? "its" : "their");
    } else {
        linpred__refute(
            check, "%.12g of %.12g%s %s on the wrong side or on the boundary, each sign certain; worst is row %lld",
            rows->errors, rows->weight, measured->data->block[0].weight ? " (by weight)" : "",
            rows->errors == 1 ? "is" : "are", (long long)linpred_data_source_row(measured->data, rows->worst_row));
    }
    if (status == LINPRED_OK && check->verdict != LINPRED_REFUTED)
        linpred__compare(check, "the number of rows that the direction settles",
                         linpred__count_figure(measured->result->figures.settled_rows), (double)settled, 0.0);
    return status;
}
