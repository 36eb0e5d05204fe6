/* Whether --start names a model that the fit can start from. */
#include "fit/start.h"

#include <string.h>

#include "core/error.h"

linpred_status linpred__check_start(const linpred_data *data, const linpred_options *options, linpred_error *error)
{
    const linpred_model *start = options->start;
    if (!start)
        return LINPRED_OK;
    if (start->task != LINPRED_TASK_HALFSPACE && start->task != LINPRED_TASK_LOGISTIC)
        return linpred__fail(
            error, LINPRED_ERROR_USAGE,
            "the start is a model of fit %s: only one of fit halfspace or logistic has weights to begin at",
            linpred_task_name(start->task));
    if (start->columns != data->columns)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "the start has %d features, the data has %d", start->columns,
                             data->columns);
    if (options->no_intercept && start->b != 0.0)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the start has an intercept, but the fit is through the origin");
    for (int32_t j = 0; !data->from_arrays && j < data->columns; j++) {
        const char *name = linpred__recipe_feature(data->recipe, j);
        const char *other = linpred__recipe_feature(start->recipe, j);
        if (strcmp(name, other) != 0)
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "feature %d is '%.60s' in the data but '%.60s' in the start", j + 1, name, other);
    }
    return LINPRED_OK;
}
