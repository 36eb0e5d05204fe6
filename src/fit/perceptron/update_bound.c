#include "fit/perceptron/update_bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "separate/largest_margin.h"
#include "separate/two_way.h"
#include "pass/certified_sign.h"

void linpred__update_bound_clear(linpred__update_bound *bound)
{
    linpred__release(bound->w);
    *bound = (linpred__update_bound){0};
}

/* w* is the answer divided by its lowest score, a hair more, so that rounding leaves every y<w*,x> at 1 or above. */
static void take_star(const linpred__fit *asking, linpred__largest_margin *largest, linpred__update_bound *bound)
{
    int32_t columns = asking->problem.data->columns;
    double radius = asking->problem.extents.radius.above;
    double lowest = largest->margin * linpred__norm(largest->w, columns, largest->b);
    double slack = linpred__slack(columns, 2 * largest->norm, radius);
    if (!(lowest > 2 * slack) || !isfinite(lowest))
        return; /* too near to the boundary for the steps of the proof to be shown in doubles */
    double factor = (1.0 + 0x1p-40) / (lowest - slack);
    bound->w = largest->w;
    largest->w = NULL;
    for (int32_t j = 0; j < columns; j++)
        bound->w[j] *= factor;
    bound->b = largest->b * factor;
    bound->norm = linpred__norm_above(bound->w, columns, bound->b);
    bound->radius_squared = radius * radius * (1.0 + 0x1p-50);
}

linpred_status linpred__find_update_bound(linpred__fit *asking, linpred__update_bound *bound, linpred_error *error)
{
    linpred_info *info = &asking->result->info;
    linpred__margin_form form = asking->options->no_intercept ? LINPRED__MARGIN_ORIGIN : LINPRED__MARGIN_HOMOGENEOUS;
    linpred__largest_margin largest;
    linpred_status status =
        linpred__ask_largest_margin(&asking->run, &asking->problem, form, NULL, 0.0, &largest, error);
    if (status != LINPRED_OK)
        return status;
    if (largest.end == LINPRED__MARGIN_FOUND) {
        info->norm = 1.0 / largest.margin;
        info->margin_bound = largest.bound;
        info->update_bound = largest.updates;
        bound->radius = sqrt(largest.updates) * largest.margin;
        take_star(asking, &largest, bound);
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
    update->cosine = product / (bound->norm * sqrt(update->norm_squared));
    update->cosine_limit = sqrt(updates / bound->radius_squared) / bound->norm;
}

linpred_status linpred__explain_limit(linpred__fit *fit, linpred_error *error)
{
    linpred_info *info = &fit->result->info;
    if (linpred__run_seconds(&fit->run) >= fit->options->max_seconds)
        return LINPRED_OK; /* no time left to ask */
    char reason[sizeof info->reason];
    memcpy(reason, info->reason, sizeof reason);
    linpred__two_way oracle;
    linpred_status status = linpred__ask_two_way(&fit->run, &fit->problem, 0.0, &oracle, error);
    if (status != LINPRED_OK)
        return status;
    if (oracle.kind == LINPRED_SEPARATION_INSEPARABLE) {
        linpred__certify_combination(&fit->result->certificate, &oracle.witness);
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED,
                         "%.100s; it could never have ended, since %lld row%s cannot be separated", reason,
                         (long long)fit->result->certificate.witnesses,
                         fit->result->certificate.witnesses == 1 ? "" : "s");
    } else if (oracle.kind == LINPRED_SEPARATION_SEPARATED) {
        info->separation = LINPRED_SEPARATION_SEPARATED;
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED,
                         "%.100s; the rows are separable (--method margin finds how), so more updates would end it",
                         reason);
    } else {
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "%s", reason);
    }
    linpred__two_way_clear(&oracle);
    return status;
}
