/* The means that a recipe puts in place of missing values: those of the columns, which filling them in does not change.
 *
 *   mean_j = Σ weight x_j / W over the rows of the fit
 */
#include <math.h>

#include "check/check.h"
#include "num/dd.h"
#include "data/row.h"

static const double tolerance = 1e-9; /* of the largest |x| */

/* The mean of a feature, and its largest |x|. */
static double mean_of(const linpred_data *data, int32_t column, double *largest)
{
    linpred__dd sum = {0.0, 0.0};
    double weight = 0.0;
    *largest = 0.0;
    for (int64_t i = 0; i < data->blocks; i++)
        for (int32_t r = 0; r < data->block[i].rows; r++) {
            linpred__entries row = linpred__entries_of(&data->block[i], r);
            double w = linpred__row_weight(&data->block[i], r), x = row.indices ? 0.0 : row.values[column];
            for (int64_t k = 0; row.indices && k < row.count; k++)
                x = row.indices[k] == column ? row.values[k] : x;
            sum = linpred__dd_add(sum, linpred__two_product(w, x));
            weight += w;
            *largest = fmax(*largest, fabs(x));
        }
    return sum.hi / weight;
}

void linpred__check_means(const linpred_model *model, const linpred_data *data, linpred_check *check)
{
    const linpred__recipe *recipe = model->recipe;
    bool fills = recipe->missing == LINPRED_MISSING_MEAN &&
                 data->dropped_missing == 0; /* else a mean may be of more rows than are here */
    int32_t feature = 0;
    for (int32_t i = 0; recipe->source && fills && i < recipe->sources; i++) {
        const linpred__recipe_column *source = &recipe->source[i];
        double largest, found = isnan(source->mean) ? (double)NAN : mean_of(data, feature, &largest);
        if (!isnan(source->mean) && isfinite(found) && !(fabs(found - source->mean) <= tolerance * largest)) {
            linpred__check_refute(
                check,
                "the model says that the mean of %.60s, which stands for missing values, is %.9g; the rows give %.9g",
                source->name, source->mean, found);
            return;
        }
        feature += linpred__recipe_column_features(source);
    }
}
