#include "fit/fewest_errors/search.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "fit/fewest_errors/limits.h"
#include "num/dd.h"
#include "pass/certified_sign.h"
#include "pass/hyperplanes.h"
#include "pass/violators.h"
#include "separate/fewest_errors/distinct_rows.h"
#include "separate/rows/gather.h"
#include "separate/fewest_errors/search_turns.h"

struct work {
    linpred__run *run;
    const linpred__problem *problem;
    const linpred_data *data;
    bool has_intercept;
    const linpred__fewest_errors_question *question;
    linpred__fewest_errors *answer;
    linpred__distinct distinct;
    int64_t rows; /* worked on */
    int64_t *row; /* distinct rows, in the order they joined */
    bool *joined; /* for each distinct row */
    double *w;    /* the best halfspace on all rows, intercept last */
    int64_t cost; /* of w, in units */
    int64_t bound;
    int64_t proved;                    /* by going through all hyperplanes */
    linpred__hyperplane_search planes; /* of the round */
    linpred__tree tree;                /* of the round */
};

void linpred__fewest_errors_clear(linpred__fewest_errors *answer)
{
    linpred__release(answer->w);
    linpred__cover_proof_clear(&answer->proof);
    *answer = (linpred__fewest_errors){0};
}

static bool stop(void *context)
{
    struct work *work = context;
    double best = (double)work->cost;
    if (work->planes.n > 0 && work->planes.n == work->distinct.rows)
        best = (double)work->planes.best_cost;
    return linpred__run_should_stop(work->run, "exact", 0, 0, best * work->distinct.unit);
}

/* ---- halfspaces on all rows -------------------------------------------------------------------------------------- */

static linpred_status open_plane(const struct work *work, const double *w, linpred__hyperplane *plane,
                                 linpred_error *error)
{
    int32_t columns = work->data->columns;
    return linpred__hyperplane_open(plane, columns, w, work->has_intercept ? w[columns] : 0.0,
                                    work->problem->extents.radius.above, error);
}

/* What w's mistakes on all distinct rows cost, each sign certain. */
static linpred_status cost_of(const struct work *work, const double *w, int64_t *cost, linpred_error *error)
{
    linpred__hyperplane plane;
    linpred_status status = open_plane(work, w, &plane, error);
    if (status != LINPRED_OK)
        return status;
    *cost = 0;
    for (int64_t k = 0; k < work->distinct.rows; k++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(work->data, work->distinct.row[k], &r);
        if (linpred__certified_sign(&plane, block, r) <= 0)
            *cost += work->distinct.cost[k];
    }
    linpred__hyperplane_close(&plane);
    return LINPRED_OK;
}

/* Keeps w if it is the best so far on all rows. */
static linpred_status offer(struct work *work, const double *w, linpred_error *error)
{
    int64_t cost;
    linpred_status status = cost_of(work, w, &cost, error);
    if (status == LINPRED_OK && cost < work->cost) {
        work->cost = cost;
        memcpy(work->w, w, ((size_t)work->data->columns + work->has_intercept) * sizeof *w);
    }
    return status;
}

/* ---- the rows worked on ------------------------------------------------------------------------------------------ */

static void join(struct work *work, int64_t distinct)
{
    if (work->joined[distinct])
        return;
    work->joined[distinct] = true;
    work->row[work->rows++] = distinct;
}

/* The rows that w gets wrong or nearly so. */
static linpred_status join_violators(struct work *work, const double *w, int32_t max, double below,
                                     linpred_error *error)
{
    linpred__violators_sought sought = {w, work->has_intercept ? w[work->data->columns] : 0.0, max, below};
    linpred__violators violators;
    linpred_status status = linpred__find_violators(work->run, work->problem, &sought, &violators, error);
    if (status != LINPRED_OK)
        return status;
    for (int64_t i = 0; i < violators.count; i++)
        join(work, work->distinct.place[violators.row[i]]);
    linpred__violators_clear(&violators);
    return LINPRED_OK;
}

/* Opens work->planes on the rows worked on; `gathered` and `cost` hold what it borrows. */
static linpred_status open_planes(struct work *work, linpred__gathered *gathered, int64_t **cost, linpred_error *error)
{
    int64_t *row = linpred__alloc((size_t)work->rows, sizeof *row);
    *cost = linpred__alloc((size_t)work->rows, sizeof **cost);
    linpred_status status = row && *cost ? LINPRED_OK : linpred__no_memory(error);
    for (int64_t i = 0; i < work->rows && status == LINPRED_OK; i++) {
        row[i] = work->distinct.row[work->row[i]];
        (*cost)[i] = work->distinct.cost[work->row[i]];
    }
    if (status == LINPRED_OK)
        status = linpred__gather(work->data, work->has_intercept, row, work->rows, gathered, error);
    linpred__release(row);
    if (status == LINPRED_OK)
        status = linpred__hyperplane_search_open(&work->planes, &gathered->rows, *cost, work->has_intercept,
                                                 work->question->seed, error);
    return status;
}

/* ---- a round
 * -------------------------------------------------------------------------------------------------------------------
 */

/* All hyperplanes, where they are few: *end DONE if none costs less than the best. */
static linpred_status go_through(struct work *work, linpred__tree_end *end, linpred_error *error)
{
    const linpred_data *data = work->data;
    int64_t *cost = linpred__calloc((size_t)data->rows, sizeof *cost);
    linpred__hyperplanes_end found;
    if (!cost)
        return linpred__no_memory(error);
    for (int64_t k = 0; k < work->distinct.rows; k++) /* equal rows: the first pays for all */
        cost[work->distinct.row[k]] = work->distinct.cost[k];
    linpred_status status =
        linpred__go_through_hyperplanes(data, work->run->pool, work->has_intercept, cost, work->planes.best_cost,
                                        LINPRED__MAX_HYPERPLANE_SIGNS, stop, work, &found, error);
    linpred__release(cost);
    if (status != LINPRED_OK)
        return status;
    if (found == LINPRED__HYPERPLANES_NONE_LESS) {
        work->proved = work->planes.best_cost;
        *end = LINPRED__TREE_DONE;
    } else if (found == LINPRED__HYPERPLANES_STOPPED) {
        *end = LINPRED__TREE_STOPPED;
    }
    return LINPRED_OK;
}

/* Branch and cut; if that takes longer than going through all hyperplanes would, those; then branch and cut again. */
static linpred_status find_least(struct work *work, linpred__tree_end *end, linpred_error *error)
{
    linpred__effort effort = {.stop = stop, .context = work};
    double signs = linpred__hyperplane_signs(work->data, work->has_intercept);
    bool few = signs <= LINPRED__MAX_HYPERPLANE_SIGNS && work->rows == work->distinct.rows;
    linpred_status status =
        linpred__take_turns(&work->planes, work->w, &work->tree, few ? 0.3 * signs : INFINITY, &effort, end, error);
    if (status == LINPRED_OK && *end == LINPRED__TREE_WORKED)
        status = go_through(work, end, error);
    if (status == LINPRED_OK && *end == LINPRED__TREE_WORKED)
        status = linpred__take_turns(&work->planes, work->w, &work->tree, INFINITY, &effort, end, error);
    return status;
}

static linpred_status keep_proof(struct work *work, linpred_error *error)
{
    int64_t *file_row = linpred__alloc((size_t)work->rows, sizeof *file_row);
    if (!file_row)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < work->rows; i++)
        file_row[i] = linpred_data_source_row(work->data, work->distinct.row[work->row[i]]);
    linpred__cover_proof_clear(&work->answer->proof);
    linpred_status status =
        linpred__keep_cover_proof(&work->tree, file_row, work->distinct.unit, &work->answer->proof, error);
    linpred__release(file_row);
    return status;
}

/* The least cost on the rows worked on; *done if there is nothing more to be had. */
static linpred_status round_of(struct work *work, bool *done, linpred_error *error)
{
    linpred__gathered gathered = {0};
    int64_t *cost = NULL;
    double *w = linpred__alloc((size_t)work->data->columns + 1, sizeof *w);
    linpred__tree_end end = LINPRED__TREE_STOPPED;
    linpred_status status = w ? open_planes(work, &gathered, &cost, error) : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = find_least(work, &end, error);
    int64_t before = work->rows;
    if (status == LINPRED_OK) {
        work->answer->rounds++;
        linpred__hyperplane_search_best(&work->planes, w);
        status = offer(work, w, error);
    }
    int64_t bound = status == LINPRED_OK ? linpred__tree_bound(&work->tree) : 0;
    bound = work->proved > bound ? work->proved : bound;
    if (status == LINPRED_OK && bound >= work->bound) {
        work->bound = bound;
        status = keep_proof(work, error);
    }
    if (status == LINPRED_OK && end == LINPRED__TREE_DONE && work->rows < work->distinct.rows)
        status = join_violators(work, w, LINPRED__EXACT_ROWS_A_ROUND, -INFINITY, error);
    *done = end != LINPRED__TREE_DONE || work->rows == before;
    work->answer->end = end;
    linpred__tree_close(&work->tree);
    linpred__hyperplane_search_close(&work->planes);
    linpred__gathered_clear(&gathered);
    linpred__release(cost);
    linpred__release(w);
    return status;
}

/* ---- the answer ---------------------------------------------------------------------------------------------------
 */

/* What the mistakes of w cost by the weights themselves: in units they may be rounded. */
static linpred_status find_true_cost(struct work *work, linpred_error *error)
{
    const linpred_data *data = work->data;
    const double *class_cost = work->question->class_cost;
    linpred__hyperplane plane;
    linpred__dd wrong[2] = {{0, 0}, {0, 0}};
    linpred_status status = open_plane(work, work->w, &plane, error);
    if (status != LINPRED_OK)
        return status;
    for (int64_t row = 0; row < data->rows; row++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, row, &r);
        if (linpred__certified_sign(&plane, block, r) > 0)
            continue;
        linpred__dd *sum = &wrong[block->target[r] > 0];
        *sum = linpred__dd_add_double(*sum, linpred__row_weight(block, r));
    }
    linpred__hyperplane_close(&plane);
    work->answer->cost = class_cost[0] * wrong[0].hi + class_cost[1] * wrong[1].hi;
    return LINPRED_OK;
}

static linpred_status take_answer(struct work *work, linpred_error *error)
{
    linpred__fewest_errors *answer = work->answer;
    int32_t columns = work->data->columns;
    linpred_status status = find_true_cost(work, error);
    if (status != LINPRED_OK)
        return status;
    answer->w = linpred__alloc((size_t)columns, sizeof(double));
    if (!answer->w)
        return linpred__no_memory(error);
    memcpy(answer->w, work->w, (size_t)columns * sizeof(double));
    answer->b = work->has_intercept ? work->w[columns] : 0.0;
    answer->working_rows = work->rows;
    answer->lower_bound = linpred__bound_reached(&work->distinct, work->bound, answer->cost,
                                                 answer->end == LINPRED__TREE_DONE, &answer->optimal);
    return LINPRED_OK;
}

static linpred_status search(struct work *work, linpred_error *error)
{
    bool done = false;
    linpred_status status = LINPRED_OK;
    work->row = linpred__alloc((size_t)work->distinct.rows, sizeof *work->row);
    work->joined = linpred__calloc((size_t)work->distinct.rows, sizeof *work->joined);
    if (!work->row || !work->joined)
        return linpred__no_memory(error);
    if (work->distinct.rows <= LINPRED__EXACT_ALL_ROWS) {
        for (int64_t k = 0; k < work->distinct.rows; k++)
            join(work, k);
    } else {
        status = join_violators(work, work->w, LINPRED__EXACT_FIRST_ROWS, INFINITY, error);
    }
    while (status == LINPRED_OK && !done)
        status = round_of(work, &done, error);
    return status == LINPRED_OK ? take_answer(work, error) : status;
}

/* The rows, and the halfspace to begin with. */
static linpred_status open_work(struct work *work, linpred_error *error)
{
    int32_t columns = work->data->columns;
    work->w = linpred__calloc((size_t)columns + 1, sizeof *work->w);
    if (!work->w)
        return linpred__no_memory(error);
    memcpy(work->w, work->question->w, (size_t)columns * sizeof *work->w);
    work->w[columns] = work->question->b;
    linpred_status status =
        linpred__find_distinct(work->data, work->run->pool, work->question->class_cost, &work->distinct, error);
    if (status == LINPRED_OK)
        status = linpred__check_costs(&work->distinct, work->data, error);
    return status == LINPRED_OK ? cost_of(work, work->w, &work->cost, error) : status;
}

linpred_status linpred__ask_fewest_errors(linpred__run *run, const linpred__problem *problem,
                                          const linpred__fewest_errors_question *question,
                                          linpred__fewest_errors *answer, linpred_error *error)
{
    struct work work = {.run = run,
                        .problem = problem,
                        .data = problem->data,
                        .has_intercept = problem->has_intercept,
                        .question = question,
                        .answer = answer};
    *answer = (linpred__fewest_errors){0};
    linpred_status status = open_work(&work, error);
    if (status == LINPRED_OK)
        status = search(&work, error);
    linpred__distinct_clear(&work.distinct);
    linpred__release(work.row);
    linpred__release(work.joined);
    linpred__release(work.w);
    if (status != LINPRED_OK)
        linpred__fewest_errors_clear(answer);
    return status;
}
