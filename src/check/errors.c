/* The claim `errors`: the mistakes of the model, rows with y s(x) <= 0, have this total weight.
 *
 * There is no witness: rows.c counts the mistakes with certified signs. The claim may also state the perceptron's loss,
 * the weighted mean of max(0, -y s(x)).
 *
 * Proved if the weight is as stated. Within tolerance if it differs by at most 1e-9 of it, since sums of weights are
 * rounded. Refuted otherwise, and if the loss differs, or a halfspace does not state it.
 */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"

linpred_status linpred__check_errors(const linpred__measured *measured, const linpred__claim *claim,
                                     linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    const linpred__figures *figures = &measured->result->figures;
    const linpred__rows_finding *rows = measured->rows;
    double stated = figures->errors;
    if (!rows || isnan(stated)) {
        linpred__refute(check, "the model does not say how many mistakes it makes");
        return LINPRED_OK;
    }
    bool near = fabs(rows->errors - stated) <= LINPRED__FIGURE_TOLERANCE * stated;
    check->verdict = rows->errors == stated ? LINPRED_PROVED : near ? LINPRED_WITHIN_TOLERANCE : LINPRED_REFUTED;
    if (rows->errors == 0.0) {
        linpred__find_all_rows(measured->data->rows, check);
        linpred__find(check, " on %s right side, each sign certain", measured->data->rows == 1 ? "its" : "their");
    } else {
        linpred__find(
            check, "%.12g of %.12g%s %s on the wrong side or on the boundary, each sign certain; worst is row %lld",
            rows->errors, rows->weight, measured->data->block[0].weight ? " (by weight)" : "",
            rows->errors == 1 ? "is" : "are", (long long)linpred_data_source_row(measured->data, rows->worst_row));
    }
    double loss = rows->loss / rows->weight;
    /* Terms, and the mean, may be denormal: then each is off by up to 2^-1074, here and in the fit. */
    double underflow = 0x1p-1073 + (double)measured->data->rows * 0x1p-1073 / rows->weight;
    if (check->verdict != LINPRED_REFUTED && measured->result->model.task == LINPRED_TASK_HALFSPACE)
        linpred__compare_required(check, "the perceptron's loss", figures->perceptron_loss, loss,
                                  rows->loss_error / rows->weight + LINPRED__FIGURE_TOLERANCE * loss + underflow);
    return LINPRED_OK;
}
