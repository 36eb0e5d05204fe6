/* The first passes of the perceptron (see first_passes.h). */
#include "separate/start/first_passes.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "separate/limits.h"
#include "separate/walk/walk.h"

/* Runs the passes on `rows`, which is the problem or a sample of its rows. */
static linpred_status walk_over(linpred__run *run, const linpred__problem *rows, int passes, double *w,
                                linpred__first_passes *answer, linpred_error *error)
{
    linpred__walk_rules rules = {.max_updates = INT64_MAX, .eager = true};
    linpred__walk walk;
    linpred_status status = linpred__walk_open(&walk, run, rows, &rules, NULL, 0.0, error);
    if (status != LINPRED_OK)
        return status;
    for (int pass = 0; !answer->separated && !answer->stopped && pass < passes && isfinite(walk.norm);) {
        if (linpred__walk_advance(&walk) != LINPRED__WALK_PASS_END)
            continue;
        pass++;
        answer->separated = walk.clean;
        if (!answer->separated)
            answer->stopped = linpred__run_should_stop(run, "separable?", walk.updates, 0, NAN);
        linpred__walk_next_pass(&walk);
    }
    memcpy(w, walk.hyperplane.w, (size_t)rows->data->columns * sizeof(double));
    w[rows->data->columns] = walk.hyperplane.b;
    answer->updates = walk.updates;
    answer->passes = walk.visited;
    linpred__walk_close(&walk);
    return LINPRED_OK;
}

linpred_status linpred__ask_first_passes(linpred__run *run, const linpred__problem *problem, double *w,
                                         linpred__first_passes *answer, linpred_error *error)
{
    const linpred_data *data = problem->data;
    bool few_rows = data->rows <= 4 * (int64_t)data->columns;
    int64_t every = (data->entries + data->rows) / LINPRED__FIRST_VALUES;
    bool sampled = every > 1 && !few_rows;
    linpred_data sample = *data;
    linpred__problem rows = *problem; /* the extents are upper bounds for the sample too */
    *answer = (linpred__first_passes){0};
    if (sampled && !linpred__data_sample(data, every, &sample))
        return linpred__no_memory(error);
    rows.data = &sample;
    int passes = few_rows ? LINPRED__FIRST_PASSES_FEW_ROWS : LINPRED__FIRST_PASSES;
    linpred_status status = walk_over(run, &rows, passes, w, answer, error);
    answer->passes /= data->rows;
    if (sampled) {
        answer->separated = false; /* the sample is separated, but perhaps not all rows */
        linpred__release(sample.block);
    }
    return status;
}
