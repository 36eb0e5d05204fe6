/* The three-way question (see three_way.h). Read from the end. */
#include "separate/three_way.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/violators.h"
#include "separate/rows/direction_rows.h"
#include "separate/rows/solver_rows.h"
#include "separate/limits.h"
#include "separate/one_column.h"
#include "separate/separated.h"
#include "separate/strict_separation.h"
#include "separate/rows/working_set.h"
#include "solve/exact_lp/span.h"

struct three_way_search {
    linpred__run *run;
    const linpred__problem *problem;
    const linpred_data *data;
    bool has_intercept;
    linpred__three_way *answer;
    linpred__working_set working;
};

static bool stop_three_way(void *context)
{
    struct three_way_search *work = context;
    linpred__three_way *answer = work->answer;
    bool yes = linpred__run_should_stop(work->run, "overlapping?", answer->rounds, answer->passes, NAN);
    answer->stopped = answer->stopped || yes;
    return yes;
}

/* ---- working rows ------------------------------------------------------------------------------------------------ */

static linpred_status add_three_way_rows(struct three_way_search *work, const int64_t *row, int64_t count,
                                         int64_t *added, linpred_error *error)
{
    linpred_status status = linpred__working_set_add(&work->working, row, count, added, error);
    work->answer->working_rows = work->working.rows;
    return status;
}

/* Adds the first working rows: those of the witness, and those near the hyperplane of w, b. */
static linpred_status add_first_three_way_rows(struct three_way_search *work, const linpred__combination *witness,
                                               const double *w, double b, linpred_error *error)
{
    int64_t added;
    for (int64_t i = 0; i < witness->count; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(work->data, witness->row[i], &r);
        int64_t row = block->first_row + r;
        linpred_status status = add_three_way_rows(work, &row, 1, &added, error);
        if (status != LINPRED_OK)
            return status;
    }
    linpred__violators_sought sought = {w, b, 100 + 2 * work->data->columns, INFINITY};
    linpred__violators near;
    work->answer->passes++;
    linpred_status status = linpred__find_violators(work->run, work->problem, &sought, &near, error);
    if (status != LINPRED_OK)
        return status;
    status = add_three_way_rows(work, near.row, near.count, &added, error);
    linpred__violators_clear(&near);
    return status;
}

/* ---- on all rows ------------------------------------------------------------------------------------------------- */

/* Tries the direction v on all rows. Either it becomes the answer, or rows that refute it join the working rows. */
static linpred_status try_direction(struct three_way_search *work, const linpred__integers *v, linpred_separation kind,
                                    bool *done, linpred_error *error)
{
    linpred__found_rows tried;
    linpred_status status = linpred__try_direction(work->run, work->problem, v, NULL, &tried, error);
    work->answer->passes++;
    if (status != LINPRED_OK)
        return status;
    int64_t added;
    if (tried.count > 0) {
        status = add_three_way_rows(work, tried.row, tried.count, &added, error);
        if (status == LINPRED_OK && added == 0)
            status = linpred__fail(error, LINPRED_ERROR_INTERNAL, "a proved direction fails on its own rows");
    } else {
        *done = true;
        work->answer->kind = kind;
        work->answer->settled_rows = tried.positive;
        status = linpred__take_direction(&work->answer->direction, v, error);
    }
    linpred__release(tried.row);
    return status;
}

/* Sets *proved if the carriers certainly span all rows: by their rank, or by exact elimination on all rows, if that is
   not too much work. */
static linpred_status spans_all(struct three_way_search *work, const linpred__working_separation *answer, bool *proved,
                                linpred_error *error)
{
    const linpred_data *data = work->data;
    *proved = answer->rank == data->columns + work->has_intercept;
    if (*proved || data->entries + data->rows > LINPRED__MAX_SPAN_VALUES)
        return LINPRED_OK;
    int64_t *row = linpred__alloc((size_t)data->rows, sizeof *row);
    int32_t *member = linpred__alloc((size_t)answer->carriers, sizeof *member);
    linpred__gathered gathered = {0};
    linpred_status status = row && member ? LINPRED_OK : linpred__no_memory(error);
    for (int64_t i = 0; status == LINPRED_OK && i < data->rows; i++)
        row[i] = i;
    for (int32_t i = 0; status == LINPRED_OK && i < answer->carriers; i++)
        member[i] = (int32_t)work->working.row[answer->carrier[i]];
    if (status == LINPRED_OK)
        status = linpred__gather(data, work->has_intercept, row, data->rows, &gathered, error);
    linpred__effort effort = {.limit = LINPRED__EXACT_WORK, .stop = stop_three_way, .context = work};
    bool decided = false, holds = false;
    if (status == LINPRED_OK)
        status = linpred__span_holds_all(&gathered.rows, member, answer->carriers, &effort, &holds, &decided, error);
    *proved = decided && holds;
    linpred__gathered_clear(&gathered);
    linpred__release(row);
    linpred__release(member);
    return status;
}

/* Rows outside the span of the carriers join the working rows. If there certainly is none, the rows overlap. */
static linpred_status try_carriers(struct three_way_search *work, const linpred__working_separation *answer, bool *done,
                                   linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    linpred__found_rows outside = {0};
    int64_t added = 0;
    if (answer->rank < work->data->columns + work->has_intercept) {
        linpred__span *span = NULL;
        status = linpred__span_open(linpred__working_rows_view(work->working.solver), answer->carrier, answer->carriers,
                                    1, &span, error);
        if (status == LINPRED_OK)
            status = linpred__find_outside(work->run, work->problem, span, &outside, error);
        linpred__span_close(span);
        work->answer->passes++;
    }
    if (status == LINPRED_OK && outside.count > 0)
        status = add_three_way_rows(work, outside.row, outside.count, &added, error);
    linpred__release(outside.row);
    if (status != LINPRED_OK || added > 0)
        return status;
    bool proved;
    *done = true;
    status = spans_all(work, answer, &proved, error);
    if (status != LINPRED_OK || !proved)
        return status;
    work->answer->kind = LINPRED_SEPARATION_OVERLAPPING;
    return linpred__take_combination(&work->answer->carriers, work->data, work->working.row, answer->carrier,
                                     answer->carriers, &answer->carrier_weight, error);
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

static linpred_status three_way_round(struct three_way_search *work, bool *done, linpred_error *error)
{
    linpred__effort effort = {.limit = LINPRED__EXACT_WORK, .stop = stop_three_way, .context = work};
    linpred__working_separation answer;
    work->answer->rounds++;
    linpred_status status = linpred__working_rows_three_way(work->working.solver, &effort, &answer, error);
    if (status != LINPRED_OK)
        return status;
    if (answer.kind == LINPRED_SEPARATION_QUASI_SEPARATED) {
        status = try_direction(work, &answer.direction, LINPRED_SEPARATION_QUASI_SEPARATED, done, error);
    } else if (answer.kind == LINPRED_SEPARATION_OVERLAPPING) {
        status = try_carriers(work, &answer, done, error);
    } else {
        *done = true;
    }
    linpred__working_separation_close(&answer);
    return status;
}

/* The witness proves that nothing separates the rows. Are they quasi-separated or overlapping? */
static linpred_status search_three_way(struct three_way_search *work, const linpred__combination *witness,
                                       const double *w, double b, linpred_error *error)
{
    bool done = false;
    linpred_status status = linpred__working_set_open(work->problem, &work->working, error);
    if (status == LINPRED_OK)
        status = add_first_three_way_rows(work, witness, w, b, error);
    while (status == LINPRED_OK && !done) {
        if (stop_three_way(work))
            break;
        status = three_way_round(work, &done, error);
    }
    linpred__working_set_close(&work->working);
    return status;
}

static void take_separated(struct three_way_search *work, linpred__separated *found)
{
    linpred__three_way *answer = work->answer;
    answer->passes += found->passes;
    answer->rounds += found->rounds;
    answer->stopped = found->stopped;
    if (found->kind != LINPRED_SEPARATION_SEPARATED)
        return;
    answer->kind = LINPRED_SEPARATION_SEPARATED;
    answer->settled_rows = work->data->rows;
    answer->direction = found->direction;
    found->direction = (linpred__direction){0};
}

/* The rest of the question, if no single column gives a direction. */
static linpred_status ask_all_columns(struct three_way_search *work, const double *w, double b, linpred_error *error)
{
    linpred__separated found;
    linpred_status status = linpred__ask_separated(work->run, work->problem, 0.0, w, b, &found, error);
    if (status != LINPRED_OK)
        return status;
    take_separated(work, &found);
    if (found.kind == LINPRED_SEPARATION_INSEPARABLE)
        status = search_three_way(work, &found.witness, w, b, error);
    linpred__three_way *answer = work->answer;
    if (answer->kind == LINPRED_SEPARATION_QUASI_SEPARATED) {
        answer->witness = found.witness;
        found.witness = (linpred__combination){0};
    }
    linpred__separated_clear(&found);
    answer->stopped = answer->stopped && answer->kind == LINPRED_SEPARATION_UNDECIDED;
    return status;
}

/* Single columns gave a direction that is 0 on some rows. Asks whether another is strict on all rows. */
static linpred_status ask_strict(struct three_way_search *work, linpred__three_way *columns, const double *w, double b,
                                 linpred_error *error)
{
    linpred__three_way *answer = work->answer;
    linpred_status status =
        linpred__ask_strict_separation(work->run, work->problem, &columns->direction, w, b, answer, error);
    answer->passes += columns->passes;
    return status;
}

linpred_status linpred__ask_three_way(linpred__run *run, const linpred__problem *problem, const double *w, double b,
                                      linpred__three_way *answer, linpred_error *error)
{
    *answer = (linpred__three_way){.kind = LINPRED_SEPARATION_UNDECIDED};
    struct three_way_search work = {.run = run,
                                    .problem = problem,
                                    .data = problem->data,
                                    .has_intercept = problem->has_intercept,
                                    .answer = answer};
    linpred__three_way columns;
    linpred_status status = linpred__ask_one_column(run, problem, &columns, error);
    if (status != LINPRED_OK)
        return status;
    if (columns.kind == LINPRED_SEPARATION_SEPARATED) {
        *answer = columns;
        return LINPRED_OK;
    }
    double *start = linpred__calloc((size_t)problem->data->columns, sizeof *start);
    for (int32_t j = 0; start && w && j < problem->data->columns; j++)
        start[j] = w[j];
    if (!start)
        status = linpred__no_memory(error);
    else if (columns.kind == LINPRED_SEPARATION_UNDECIDED)
        status = ask_all_columns(&work, start, b, error);
    else
        status = ask_strict(&work, &columns, start, b, error);
    linpred__release(start);
    linpred__three_way_clear(&columns);
    if (status != LINPRED_OK)
        linpred__three_way_clear(answer);
    return status;
}
