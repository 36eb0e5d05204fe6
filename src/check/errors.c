/* The claim `errors`: rows of this total weight have y s(x) <= 0. Each sign is certain. Also the perceptron's loss, the
 * weighted mean of max(0, -y s(x)). */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"

linpred_status linpred__check_errors(const linpred__measured *measured, const linpred__claim *claim,
                                     linpred__claim_check *check, linpred_error *error)
{
    (void)error;
    const linpred__figures *figures = &measured->result->figures;
    const linpred__rows_finding *rows = measured->rows;
    double stated = figures->errors;
    if (!rows || isnan(stated)) {
        linpred__refute(check, "the model does not say how many mistakes it makes");
        return LINPRED_OK;
    }
    bool near = fabs(rows->errors - stated) <= LINPRED__FIGURE_TOLERANCE * stated; /* weights add up with rounding */
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
    if (!measured->same_data && !claim->main) /* a detail of the rows of the fit */
        check->verdict = LINPRED_PARTLY_PROVED;
    double loss = rows->loss / rows->weight;
    if (check->verdict != LINPRED_REFUTED && measured->same_data)
        linpred__compare(check, "the perceptron's loss", figures->perceptron_loss, loss,
                         rows->loss_error / rows->weight + LINPRED__FIGURE_TOLERANCE * loss);
    return LINPRED_OK;
}
