/* The claim `data`: the rows are those of the fit.
 *
 * The witness is the fingerprint of the rows. The pass computes it again. Number of rows, number of columns and total
 * weight must be as stated, and so must the decimals of columns and targets. The radius R = max ||(x,1)|| is
 * compared here, unless the claim `update_bound` states it.
 *
 * Proved if everything agrees. Partly proved if the fingerprint differs: these are other rows, or another order, and no
 * other claim is judged (verify.c). Refuted if a figure differs.
 */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"
#include "table/recipe/recipe.h"

/* Whether the numbers have the decimals that the recipe states: what they mean depends on it. */
static bool check_decimals(const linpred__recipe *recipe, const linpred_data *data, linpred__claim_check *check)
{
    const linpred__decimals *decimals = data->decimals;
    int target = decimals && decimals->target > 0 ? decimals->target : 0;
    if (recipe->target_decimals != target)
        return linpred__refute(check, "the model does not say that the targets have %d decimals", target);
    for (int32_t i = 0, feature = 0; i < recipe->sources; i++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, i);
        int found = linpred__source_decimals(decimals, &source, feature);
        if (linpred__recipe_decimals(recipe, i) != found)
            return linpred__refute(check, "the model does not say that column '%.60s' has %d decimals", source.name,
                                   found);
        feature += linpred__recipe_column_features(&source);
    }
    return true;
}

linpred_status linpred__check_data(const linpred__measured *measured, const linpred__claim *claim,
                                   linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    const linpred__figures *figures = &measured->result->figures;
    double weight = linpred__shape_of(measured->data).weight;
    check->verdict = LINPRED_PROVED;
    if (!measured->same_data) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "these are not the rows of the fit, or not in its order");
        return LINPRED_OK;
    }
    if (!(fabs(figures->total_weight - weight) <= LINPRED__FIGURE_TOLERANCE * weight)) {
        linpred__refute(check, "the model does not say that the rows' weight is %.9g in all", weight);
        return LINPRED_OK;
    }
    if (!check_decimals(measured->result->model.recipe, measured->data, check))
        return LINPRED_OK;
    bool bound = linpred__claims_find(&measured->result->claims, LINPRED_CLAIM_UPDATE_BOUND);
    double radius = measured->rows && !bound ? measured->rows->radius : (double)NAN;
    bool hold =
        linpred__compare_required(check, "the number of rows", linpred__count_figure(figures->rows),
                                  (double)measured->data->rows, 0.0) &&
        linpred__compare_required(check, "the number of columns", linpred__count_figure(figures->columns),
                                  measured->result->model.columns, 0.0) &&
        linpred__compare_required(check, "the radius", figures->radius, radius,
                                  LINPRED__FIGURE_TOLERANCE * radius + 0x1p-1073); /* the last bit of denormals */
    if (hold)
        linpred__find(check, "number, weight and fingerprint of the rows are those of the fit");
    return LINPRED_OK;
}
