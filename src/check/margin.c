/* The claim `margin`: the margins of the model on the rows.
 *
 *   margin = min y s(x) / ||(w,b)||,   usual margin = min y s(x) / ||w||,   of a ball: the smallest | r - ||x-v|| |
 *
 * There is no witness; the margins are computed from the rows.
 *
 * Within tolerance if the figures agree to 1e-9. Partly proved if a margin leaves the range of doubles. Refuted
 * otherwise, if a margin is missing, and if the model does not separate the rows.
 */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"

static bool compare_margin(const linpred__measured *measured, const char *name, double stated, bool without_intercept,
                           linpred__claim_check *check)
{
    double own = linpred__own_margin(measured, without_intercept);
    double within = LINPRED__FIGURE_TOLERANCE * fabs(own) + 0x1p-1073; /* the last bit of two denormals */
    /* A margin is stated if the smallest score and the norm are normal doubles. */
    bool needed = isnormal(measured->rows->lowest) && isnormal(measured->rows->lowest / own);
    if (isnan(stated) && !needed)
        return true;
    if (isnan(own)) {
        linpred__at_best(check, LINPRED_PARTLY_PROVED);
        linpred__find(check, "%s of the model leaves the range of doubles; ", name);
        return true;
    }
    return linpred__compare_required(check, name, stated, own, within);
}

/* A distance is stated if it is a normal double. */
static bool compare_nearest(double stated, double nearest, linpred__claim_check *check)
{
    static const double surely_normal = 0x1p-1021; /* both sides may round near 2^-1022 */
    double within = LINPRED__FIGURE_TOLERANCE * nearest + 0x1p-1073;
    return (isnan(stated) && !(nearest >= surely_normal)) ||
           linpred__compare_required(check, "the distance of the nearest row", stated, nearest, within);
}

linpred_status linpred__check_margin(const linpred__measured *measured, const linpred__claim *claim,
                                     linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    const linpred__figures *figures = &measured->result->figures;
    const linpred__rows_finding *rows = measured->rows;
    bool ball = measured->result->model.task == LINPRED_TASK_BALL, hold;
    if (!rows || rows->errors > 0.0) {
        linpred__refute(check, "the model does not separate the rows, so it has no margin");
        return LINPRED_OK;
    }
    check->verdict = LINPRED_WITHIN_TOLERANCE;
    if (ball)
        hold = linpred__must_not_state(check, "a margin with its intercept", !isnan(figures->margin)) &&
               compare_nearest(figures->margin_without_intercept, rows->nearest, check);
    else
        hold = compare_margin(measured, "the margin", figures->margin, false, check) &&
               compare_margin(measured, "the margin without intercept", figures->margin_without_intercept, true, check);
    if (hold)
        linpred__find(check, "the nearest row is row %lld",
                      (long long)linpred_data_source_row(measured->data, rows->worst_row));
    return LINPRED_OK;
}
