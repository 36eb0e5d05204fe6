/* The search for the ball with the fewest mistakes (see fewest_errors.h). */
#include "fit/ball/fewest_errors.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/ball/limits.h"
#include "separate/fewest_errors/distinct_rows.h"
#include "separate/limits.h"
#include "separate/fewest_errors/search_turns.h"

struct ball_cost_search {
    linpred__run *run;
    const linpred__ball_lift *lift;
    linpred__best_ball *best;
    linpred__distinct distinct;
    linpred__gathered gathered;
    bool few;          /* distinct rows and columns are within the limits */
    bool whole;        /* they are, and the lifted rows are exact sums of doubles */
    int64_t *row;      /* lifted rows searched; the hard row is the last */
    int64_t *file_row; /* for each of them its row in the file; 0 for the hard row */
    int64_t *cost;     /* of a mistake on each of them, in units of distinct.unit */
    double *w;         /* weights of lifted rows */
    linpred__hyperplane_search hyperplanes;
    linpred__tree tree;
};

void linpred__ball_fewest_errors_clear(linpred__ball_fewest_errors *answer)
{
    linpred__cover_proof_clear(&answer->proof);
    *answer = (linpred__ball_fewest_errors){0};
}

static bool stop_ball_cost_search(void *context)
{
    struct ball_cost_search *work = context;
    double found = (double)work->hyperplanes.best_cost * work->distinct.unit;
    if (linpred__run_reports(work->run) && work->tree.branches > 0)
        work->run->lower_bound = (double)linpred__tree_bound(&work->tree) * work->distinct.unit;
    return linpred__run_should_stop(work->run, "exact", 0, 0, fmin(work->best->errors, found));
}

/* Lists the distinct rows and the hard row with their costs, and gathers them as exact lifted rows. */
static linpred_status gather_rows(struct ball_cost_search *work, linpred_error *error)
{
    const linpred_data *data = work->lift->data;
    int64_t n = work->distinct.rows, total = 1;
    work->row = linpred__alloc((size_t)n + 1, sizeof *work->row);
    work->file_row = linpred__calloc((size_t)n + 1, sizeof *work->file_row);
    work->cost = linpred__alloc((size_t)n + 1, sizeof *work->cost);
    work->w = linpred__calloc((size_t)data->columns + 2, sizeof *work->w);
    if (!work->row || !work->file_row || !work->cost || !work->w)
        return linpred__no_memory(error);
    for (int64_t k = 0; k < n; k++) {
        work->row[k] = work->distinct.row[k];
        work->file_row[k] = linpred_data_source_row(data, work->distinct.row[k]);
        work->cost[k] = work->distinct.cost[k];
        total += work->cost[k];
    }
    work->row[n] = data->rows;
    work->cost[n] = total;
    return linpred__ball_gather(work->lift, work->row, n + 1, &work->gathered, &work->whole, error);
}

static linpred_status open_ball_cost_search(struct ball_cost_search *work, linpred_error *error)
{
    static const double each[2] = {1.0, 1.0};
    const linpred_data *data = work->lift->data;
    linpred_status status = linpred__ball_try_again(work->run, work->lift, work->best, error);
    if (status == LINPRED_OK)
        status = linpred__find_distinct(data, work->run->pool, each, &work->distinct, error);
    if (status != LINPRED_OK)
        return status;
    work->few = work->distinct.rows <= LINPRED__BALL_MAX_ROWS && data->columns <= LINPRED__BALL_MAX_COLUMNS;
    return work->few ? gather_rows(work, error) : LINPRED_OK;
}

static void close_work(struct ball_cost_search *work)
{
    linpred__tree_close(&work->tree);
    linpred__hyperplane_search_close(&work->hyperplanes);
    linpred__gathered_clear(&work->gathered);
    linpred__distinct_clear(&work->distinct);
    linpred__release(work->row);
    linpred__release(work->file_row);
    linpred__release(work->cost);
    linpred__release(work->w);
}

/* Opens the search for halfspaces on the gathered rows and sets w to the weights of the best ball. */
static linpred_status open_hyperplanes(struct ball_cost_search *work, uint64_t seed, linpred_error *error)
{
    const linpred__best_ball *best = work->best;
    linpred__ball ball = linpred__ball_of(best->centre, work->lift->data->columns, best->radius_squared);
    linpred__ball_weights(work->lift, &ball, work->w);
    linpred__ball_to_exact(work->lift, work->w);
    return linpred__hyperplane_search_open(&work->hyperplanes, &work->gathered.rows, work->cost, true, seed, error);
}

/* Tries the ball that the best halfspace of the search describes. */
static linpred_status take_best(struct ball_cost_search *work, linpred_error *error)
{
    double *centre = linpred__alloc((size_t)work->lift->data->columns, sizeof *centre);
    if (!centre)
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    linpred__hyperplane_search_best(&work->hyperplanes, work->w);
    linpred__ball_from_exact(work->lift, work->w);
    if (linpred__ball_centre(work->lift, work->w, centre))
        status = linpred__ball_try(work->run, work->lift, centre, work->best, error);
    linpred__release(centre);
    return status;
}

/* Where the best halfspace of the search makes fewer mistakes than the best ball of doubles, takes it in integers.
   Exact signs on the rows of the file say what its mistakes weigh. */
static linpred_status take_integers(struct ball_cost_search *work, linpred__ball_fewest_errors *answer,
                                    linpred_error *error)
{
    linpred__integers w;
    answer->cost = work->best->errors;
    if (!((double)work->hyperplanes.best_cost * work->distinct.unit < (1.0 - 1e-9) * answer->cost))
        return LINPRED_OK;
    if (!linpred__integers_open(work->lift->lifted->columns, &w))
        return linpred__no_memory(error);
    const linpred__integers *found = &work->hyperplanes.integers;
    linpred__hyperplane_search_best(&work->hyperplanes, work->w);
    linpred__integers_take(work->w, &w);
    linpred_status status =
        linpred__ball_direction(work->lift, found->count > 0 ? found : &w, &answer->proof.direction, error);
    linpred__integers_close(&w);
    if (status != LINPRED_OK)
        return status;
    double cost;
    status = linpred__ball_mistakes(work->lift, &answer->proof.direction, &cost, error);
    if (status != LINPRED_OK)
        return status;
    if (cost < answer->cost)
        answer->cost = cost;
    else
        linpred__direction_clear(&answer->proof.direction);
    return LINPRED_OK;
}

static linpred_status search_fewest_errors(struct ball_cost_search *work, uint64_t seed,
                                           linpred__ball_fewest_errors *answer, linpred_error *error)
{
    linpred__effort effort = {.stop = stop_ball_cost_search, .context = work};
    linpred_status status = open_hyperplanes(work, seed, error);
    if (status == LINPRED_OK)
        status = linpred__take_turns(&work->hyperplanes, work->w, &work->tree, INFINITY, &effort, &answer->end, error);
    if (status == LINPRED_OK)
        status = take_best(work, error);
    if (status == LINPRED_OK)
        status = linpred__keep_cover_proof(&work->tree, work->file_row, work->distinct.unit, &answer->proof, error);
    if (status == LINPRED_OK)
        status = take_integers(work, answer, error);
    if (status != LINPRED_OK)
        return status;
    answer->whole = true;
    answer->working_rows = work->distinct.rows;
    answer->lower_bound = linpred__bound_reached(&work->distinct, linpred__tree_bound(&work->tree), answer->cost,
                                                 answer->end == LINPRED__TREE_DONE, &answer->optimal);
    return LINPRED_OK;
}

linpred_status linpred__ask_ball_fewest_errors(linpred__run *run, const linpred__ball_lift *lift, uint64_t seed,
                                               linpred__best_ball *best, linpred__ball_fewest_errors *answer,
                                               linpred_error *error)
{
    struct ball_cost_search work = {.run = run, .lift = lift, .best = best};
    *answer = (linpred__ball_fewest_errors){0};
    linpred_status status = open_ball_cost_search(&work, error);
    if (status == LINPRED_OK)
        status = linpred__check_costs(&work.distinct, lift->data, error);
    if (status == LINPRED_OK && !work.few)
        status = linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "--method exact takes at most %d different rows and %d features for a ball: use --method auto",
            LINPRED__BALL_MAX_ROWS, LINPRED__BALL_MAX_COLUMNS);
    if (status == LINPRED_OK && work.whole)
        status = search_fewest_errors(&work, seed, answer, error);
    close_work(&work);
    if (status != LINPRED_OK)
        linpred__ball_fewest_errors_clear(answer);
    return status;
}

linpred_status linpred__ask_ball_local_search(linpred__run *run, const linpred__ball_lift *lift, uint64_t seed,
                                              linpred__best_ball *best, linpred_error *error)
{
    struct ball_cost_search work = {.run = run, .lift = lift, .best = best};
    linpred_status status = open_ball_cost_search(&work, error);
    if (status == LINPRED_OK && work.whole)
        status = open_hyperplanes(&work, seed, error);
    if (status == LINPRED_OK && work.whole) {
        linpred__hyperplane_search_offer_unscaled(&work.hyperplanes, work.w);
        while (work.hyperplanes.work < LINPRED__LOCAL_SEARCH_WORK && !stop_ball_cost_search(&work))
            linpred__hyperplane_search_iterate(&work.hyperplanes, 1.0); /* one walk */
        status = take_best(&work, error);
    }
    close_work(&work);
    return status;
}
