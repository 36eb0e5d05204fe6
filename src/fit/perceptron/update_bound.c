/* w* of smallest norm, from the largest margin, and the inequalities of update_bound.h in numbers. */
#include "fit/perceptron/update_bound.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/certified_sign.h"
#include "separate/largest_margin.h"

void linpred__update_bound_clear(linpred__update_bound *bound)
{
    linpred__release(bound->w);
    linpred__support_clear(&bound->support);
    linpred__vector_clear(&bound->weights);
    *bound = (linpred__update_bound){0};
}

/* w* is the answer divided by a little less than its lowest score, so that rounding leaves every y<w*,x> at 1 or
   above. */
static void take_star(const linpred__problem *problem, linpred__largest_margin *largest, linpred__update_bound *bound)
{
    int32_t columns = problem->data->columns;
    double radius = problem->extents.radius.above;
    double lowest = largest->margin * linpred__norm(largest->w, columns, largest->b);
    double rounding_bound = linpred__rounding_bound(columns, 2 * largest->norm, radius);
    if (!(lowest > 2 * rounding_bound) || !isfinite(lowest))
        return; /* the rounding of a score is as large as the lowest score, so doubles cannot show the proof */
    double factor = (1.0 + 0x1p-40) / (lowest - rounding_bound);
    bound->w = largest->w;
    largest->w = NULL;
    for (int32_t j = 0; j < columns; j++)
        bound->w[j] *= factor;
    bound->b = largest->b * factor;
    bound->norm_above = linpred__norm_above(bound->w, columns, bound->b);
    bound->radius_squared = radius * radius * (1.0 + 0x1p-50);
}

linpred_status linpred__find_update_bound(linpred__run *run, const linpred__problem *problem,
                                          linpred__update_bound *bound, linpred_error *error)
{
    linpred__margin_form form = problem->has_intercept ? LINPRED__FORM_HOMOGENEOUS : LINPRED__FORM_ORIGIN;
    linpred__largest_margin largest;
    *bound = (linpred__update_bound){0};
    linpred_status status = linpred__ask_largest_margin(run, problem, form, NULL, 0.0, &largest, error);
    if (status != LINPRED_OK)
        return status;
    bound->found = largest.end == LINPRED__MARGIN_FOUND;
    if (bound->found) {
        bound->norm = 1.0 / largest.margin;
        bound->margin_bound = largest.bound;
        bound->updates = largest.updates;
        bound->radius = sqrt(largest.updates) * largest.margin;
        bound->support = largest.support;
        largest.support = (linpred__support){0};
        if (!linpred__vector_of_weights(largest.w, problem->data->columns, problem->has_intercept ? &largest.b : NULL,
                                        &bound->weights))
            status = linpred__no_memory(error);
        take_star(problem, &largest, bound);
    }
    linpred__largest_margin_clear(&largest);
    return status;
}

void linpred__update_bound_step(const linpred__update_bound *bound, linpred_update *update)
{
    double updates = (double)update->update;
    double product = bound->b * update->intercept;
    for (int32_t j = 0; j < update->columns; j++)
        product += bound->w[j] * update->weights[j];
    update->star_product = product;
    update->norm_limit = updates * bound->radius_squared;
    update->cosine = product / (bound->norm_above * sqrt(update->norm_squared));
    update->cosine_limit = sqrt(updates / bound->radius_squared) / bound->norm_above;
}
