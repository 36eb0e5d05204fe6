/* The claim `means`: the numbers that the recipe puts in place of missing values are the means of the columns.
 *
 *   mean_j = Σ weight x_j / W over the rows of the fit
 *
 * Replacing missing values by the mean does not change the mean. So it is computed from the rows after they were
 * replaced.
 *
 * Within tolerance if each mean agrees to 1e-9 of the largest |x_j|. Partly proved if rows were left out because of
 * missing values. Refuted otherwise.
 */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"
#include "num/dd.h"

/* Returns the mean of a feature and sets *largest to its largest |x|. */
static double mean_of(const linpred_data *data, int32_t column, double *largest)
{
    linpred__dd sum = {0.0, 0.0};
    double weight = 0.0;
    *largest = 0.0;
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int32_t r = 0; r < block->rows; r++) {
            linpred__entries row = linpred__entries_of(block, r);
            double w = block->weight ? block->weight[r] : 1.0;
            double x = row.indices ? 0.0 : row.values[column];
            for (int64_t k = 0; row.indices && k < row.count; k++)
                x = row.indices[k] == column ? row.values[k] : x;
            sum = linpred__dd_add(sum, linpred__two_product(w, x));
            weight += w;
            *largest = fmax(*largest, fabs(x));
        }
    }
    return sum.hi / weight;
}

linpred_status linpred__check_means(const linpred__measured *measured, const linpred__claim *claim,
                                    linpred__claim_check *check, linpred_error *error)
{
    (void)claim, (void)error;
    const linpred__recipe *recipe = measured->result->model.recipe;
    check->verdict = LINPRED_WITHIN_TOLERANCE;
    if (measured->data->dropped_missing > 0) {
        check->verdict = LINPRED_PARTLY_PROVED;
        linpred__find(check, "rows were left out for missing values, and the means may be of more rows than are here");
        return LINPRED_OK;
    }
    int32_t feature = 0;
    for (int32_t i = 0; recipe->source && i < recipe->sources; i++) {
        const linpred__recipe_column *source = &recipe->source[i];
        double largest = 0.0, found = isnan(source->mean) ? (double)NAN : mean_of(measured->data, feature, &largest);
        if (!isnan(source->mean) && isfinite(found) &&
            !(fabs(found - source->mean) <= LINPRED__FIGURE_TOLERANCE * largest)) {
            linpred__refute(
                check,
                "the model says that the mean of %.60s, which stands for missing values, is %.9g; the rows give %.9g",
                source->name, source->mean, found);
            return LINPRED_OK;
        }
        feature += linpred__recipe_column_features(source);
    }
    linpred__find(check, "those of the rows");
    return LINPRED_OK;
}
