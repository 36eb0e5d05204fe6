/* The local search of method auto (see local_search.h). */
#include "separate/local_search.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "separate/fewest_errors/distinct_rows.h"
#include "separate/rows/solver_rows.h"
#include "separate/limits.h"
#include "solve/cover/local_searches.h"

struct local_search {
    linpred__run *run;
    const linpred__problem *problem;
    const linpred__local_search_question *question;
    linpred__local_search *answer;
    linpred__distinct distinct;
    linpred__gathered gathered;
    linpred__hyperplane_search hyperplanes;
    linpred__local_searches by_turns;
    double sweep; /* work of one sweep over all rows */
};

void linpred__local_search_clear(linpred__local_search *answer)
{
    linpred__release(answer->w);
    *answer = (linpred__local_search){0};
}

static bool stop_local_search(struct local_search *work)
{
    double errors = (double)work->hyperplanes.best_cost * work->distinct.unit;
    return linpred__run_should_stop(work->run, "local search", 0, 0, errors);
}

/* Searches from w, columns + 1 long, which is overwritten. */
static linpred_status search_from(struct local_search *work, double *w, linpred_error *error)
{
    linpred__hyperplane_search *hyperplanes = &work->hyperplanes;
    int32_t columns = work->problem->data->columns;
    if (!linpred__hyperplane_search_offer_unscaled(hyperplanes, w) || stop_local_search(work))
        return LINPRED_OK;
    int64_t known = hyperplanes->best_cost, best = known;
    memcpy(w, hyperplanes->best, (size_t)hyperplanes->d * sizeof *w);
    linpred__hyperplane_search_descend(hyperplanes, w,
                                       (int32_t)fmin(LINPRED__LOCAL_SWEEPS, LINPRED__LOCAL_SEARCH_WORK / work->sweep));
    for (int idle = 0; idle < LINPRED__LOCAL_PATIENCE &&
                       hyperplanes->work + LINPRED__LOCAL_SWEEPS * work->sweep < LINPRED__LOCAL_SEARCH_WORK &&
                       !stop_local_search(work);
         idle++) {
        linpred__local_searches_turn(&work->by_turns, LINPRED__LOCAL_SWEEPS * work->sweep);
        if (hyperplanes->best_cost < best) {
            best = hyperplanes->best_cost;
            idle = -1;
        }
    }
    if (hyperplanes->best_cost == known)
        return LINPRED_OK;
    work->answer->w = linpred__alloc((size_t)columns, sizeof(double));
    if (!work->answer->w)
        return linpred__no_memory(error);
    linpred__hyperplane_search_best(hyperplanes, w);
    memcpy(work->answer->w, w, (size_t)columns * sizeof *w);
    work->answer->b = work->problem->has_intercept ? w[columns] : 0.0;
    work->answer->better = true;
    return LINPRED_OK;
}

static linpred_status open_and_search(struct local_search *work, double *w, linpred_error *error)
{
    const linpred__problem *problem = work->problem;
    linpred_status status =
        linpred__find_distinct(problem->data, work->run->pool, work->question->class_cost, &work->distinct, error);
    if (status != LINPRED_OK || linpred__check_costs(&work->distinct, problem->data, NULL) != LINPRED_OK)
        return status; /* the costs are too unequal for integer units, so there is no search */
    status = linpred__gather(problem->data, problem->has_intercept, work->distinct.row, work->distinct.rows,
                             &work->gathered, error);
    if (status == LINPRED_OK)
        status = linpred__hyperplane_search_open(&work->hyperplanes, &work->gathered.rows, work->distinct.cost,
                                                 problem->has_intercept, work->question->seed, error);
    if (status == LINPRED_OK)
        status = linpred__local_searches_open(&work->by_turns, &work->hyperplanes, error);
    return status == LINPRED_OK ? search_from(work, w, error) : status;
}

linpred_status linpred__ask_local_search(linpred__run *run, const linpred__problem *problem,
                                         const linpred__local_search_question *question, linpred__local_search *answer,
                                         linpred_error *error)
{
    int32_t columns = problem->data->columns;
    struct local_search work = {.run = run, .problem = problem, .question = question, .answer = answer};
    *answer = (linpred__local_search){0};
    work.sweep = (double)problem->data->rows * (2.0 * (columns + problem->has_intercept) + 12.0);
    if (work.sweep * LINPRED__LOCAL_MIN_SWEEPS > LINPRED__LOCAL_SEARCH_WORK)
        return LINPRED_OK;
    double *start = linpred__calloc((size_t)columns + 1, sizeof *start);
    if (!start)
        return linpred__no_memory(error);
    memcpy(start, question->w, (size_t)columns * sizeof *start);
    start[columns] = question->b;
    linpred_status status = open_and_search(&work, start, error);
    linpred__local_searches_close(&work.by_turns);
    linpred__hyperplane_search_close(&work.hyperplanes);
    linpred__gathered_clear(&work.gathered);
    linpred__distinct_clear(&work.distinct);
    linpred__release(start);
    if (status != LINPRED_OK)
        linpred__local_search_clear(answer);
    return status;
}
