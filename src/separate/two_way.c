/* The two-way question by constraint generation (see two_way.h). Read from the end: `search_two_way` makes
 * rounds of `two_way_round`. */
#include "separate/two_way.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/violators.h"
#include "separate/large_scale.h"
#include "separate/largest_margin.h"
#include "separate/limits.h"
#include "separate/rows/contradictory_rows.h"
#include "separate/rows/solver_rows.h"
#include "separate/rows/working_set.h"
#include "separate/start.h"
#include "solve/row_signs.h"

struct two_way_search {
    linpred__run *run;
    const linpred__problem *problem;
    const linpred_data *data;
    bool has_intercept;
    double max_work;
    double spent; /* the work done so far, compared with max_work */
    linpred__two_way *answer;
    linpred__working_set working;
    double *w; /* the proposal: columns + 1 long, intercept last */
};

static bool stop_two_way(void *context)
{
    struct two_way_search *work = context;
    linpred__two_way *answer = work->answer;
    bool yes = linpred__run_should_stop(work->run, "separable?", answer->updates, answer->passes, NAN);
    answer->stopped = answer->stopped || yes;
    return yes;
}

/* Whether the limit of work is reached. */
static bool is_spent(const struct two_way_search *work)
{
    return work->max_work > 0 && work->spent > work->max_work;
}

/* The linear program calls this after every LINPRED__LP_SLICE iterations. The work of an iteration is estimated as a
   product with the matrix, one with its transpose, and the fill-in of the factors of the basis. */
static bool stop_lp(void *context)
{
    struct two_way_search *work = context;
    const linpred_data *data = work->data;
    double entries = (double)data->entries / (double)data->rows + work->has_intercept;
    work->spent += LINPRED__LP_SLICE * (2.0 * entries + 0.25 * data->columns) * (double)work->working.rows;
    return is_spent(work) || stop_two_way(work);
}

/* ---- working rows ------------------------------------------------------------------------------------------------ */

static linpred_status add_two_way_rows(struct two_way_search *work, const int64_t *row, int64_t count, int64_t *added,
                                       linpred_error *error)
{
    linpred_status status = linpred__working_set_add(&work->working, row, count, added, error);
    work->answer->working_rows = work->working.rows;
    return status;
}

static int32_t rows_a_round(const struct two_way_search *work)
{
    int64_t wanted = 100 + 4 * (int64_t)work->data->columns;
    return wanted > LINPRED__MAX_ROWS_A_ROUND ? LINPRED__MAX_ROWS_A_ROUND : (int32_t)wanted;
}

/* Finds the rows with the lowest scores by work->w, mistakes and rows below `below`, and adds them to the working rows
   if there are mistakes. *mistakes is the number of all mistakes, *added that of the rows added. */
static linpred_status price_two_way(struct two_way_search *work, double below, int64_t *mistakes, int64_t *added,
                                    linpred_error *error)
{
    const linpred_data *data = work->data;
    linpred__violators_sought sought = {work->w, work->has_intercept ? work->w[data->columns] : 0.0, rows_a_round(work),
                                        below};
    linpred__violators violators;
    linpred_status status = linpred__find_violators(work->run, work->problem, &sought, &violators, error);
    if (status != LINPRED_OK)
        return status;
    work->answer->passes++;
    *mistakes = violators.mistakes;
    *added = 0;
    if (*mistakes > 0)
        status = add_two_way_rows(work, violators.row, violators.count, added, error);
    linpred__violators_clear(&violators);
    return status;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void keep_w(struct two_way_search *work)
{
    int32_t columns = work->data->columns;
    memcpy(work->answer->w, work->w, (size_t)columns * sizeof(double));
    work->answer->b = work->has_intercept ? work->w[columns] : 0.0;
}

/* For an undecided answer: asks the linear program for multipliers λ. They prove that no margin is above ||Σ λ z|| / Σ
   λ, even if the combination is not exactly zero. */
static linpred_status bound_margin(struct two_way_search *work, double *lambda, int64_t *row, linpred_error *error)
{
    const linpred__working_set *working = &work->working;
    linpred__lp_answer found = LINPRED__LP_FAILED;
    linpred_status status = LINPRED_OK;
    if (working->rows > 0 && !is_spent(work))
        status = linpred__working_rows_propose(working->solver, stop_lp, work, &found, work->w, lambda, error);
    if (status != LINPRED_OK || found != LINPRED__LP_INFEASIBLE)
        return status;
    int64_t count = 0;
    for (int64_t i = 0; i < working->rows; i++)
        if (lambda[i] > 0 && isfinite(lambda[i])) {
            row[count] = working->row[i];
            lambda[count++] = lambda[i];
        }
    if (count == 0)
        return LINPRED_OK;
    linpred__multipliers multipliers = {.count = count, .multiplier = lambda};
    status = linpred__take_support(&work->answer->support, work->data, row, &multipliers, error);
    if (status != LINPRED_OK)
        return status;
    return linpred__bound_margin(work->data, work->has_intercept, row, lambda, count, &work->answer->margin_bound,
                                 error);
}

static linpred_status leave_undecided(struct two_way_search *work, linpred_error *error)
{
    work->answer->kind = LINPRED_SEPARATION_UNDECIDED;
    double *lambda = linpred__calloc((size_t)work->working.rows, sizeof *lambda);
    int64_t *row = linpred__alloc((size_t)work->working.rows, sizeof *row);
    linpred_status status = lambda && row ? bound_margin(work, lambda, row, error) : linpred__no_memory(error);
    linpred__release(lambda);
    linpred__release(row);
    return status;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* Takes the first proposal from passes of the perceptron. */
static linpred_status try_perceptron(struct two_way_search *work, bool *separated, linpred_error *error)
{
    linpred__two_way *answer = work->answer;
    linpred__first_passes first;
    linpred_status status = linpred__ask_first_passes(work->run, work->problem, work->w, &first, error);
    if (status != LINPRED_OK)
        return status;
    answer->updates = first.updates;
    answer->passes = first.passes;
    answer->stopped = first.stopped;
    *separated = first.separated;
    if (*separated)
        answer->kind = LINPRED_SEPARATION_SEPARATED;
    return LINPRED_OK;
}

/* Adds rows that integer weights w get wrong, by exact arithmetic, to the working rows. This is rarely needed, so the
   rows are simply tried one after another. */
static linpred_status price_exactly(struct two_way_search *work, const linpred__integers *w, int64_t *added,
                                    linpred_error *error)
{
    const linpred_data *data = work->data;
    int32_t max = rows_a_round(work);
    int64_t *wrong = linpred__alloc((size_t)max, sizeof *wrong);
    linpred_status status = wrong ? LINPRED_OK : linpred__no_memory(error);
    *added = 0;
    work->answer->passes++;
    for (int64_t row = 0; status == LINPRED_OK && row < data->rows && *added < max; row++) {
        linpred__gathered gathered = {0};
        status = linpred__gather(data, work->has_intercept, &row, 1, &gathered, error);
        if (status == LINPRED_OK && linpred__row_sign_integers(&gathered.rows, 0, w) <= 0)
            wrong[(*added)++] = row;
        linpred__gathered_clear(&gathered);
    }
    if (status == LINPRED_OK && *added > 0)
        status = add_two_way_rows(work, wrong, *added, added, error);
    linpred__release(wrong);
    return status;
}

static bool is_zero(const linpred_data *data, int64_t row)
{
    int32_t r;
    const linpred__block *block = linpred__block_of(data, row, &r);
    linpred__entries entries = linpred__entries_of(block, r);
    bool zero = true;
    for (int64_t k = 0; k < entries.count; k++)
        zero = zero && entries.values[k] == 0.0;
    return zero;
}

/* Looks for contradictory rows among the first `rows` rows. Two such rows are a witness: z + z' = 0. */
static linpred_status try_contradictory_rows(struct two_way_search *work, int64_t rows, bool *done,
                                             linpred_error *error)
{
    linpred__combination *witness = &work->answer->witness;
    int64_t pair[2];
    linpred_status status = linpred__find_contradictory_rows(work->data, work->run->pool, rows, done, pair, error);
    work->answer->passes += rows >= work->data->rows;
    if (status != LINPRED_OK || !*done)
        return status;
    /* Without intercept a row of zeros is a witness by itself. */
    int count = !work->has_intercept && is_zero(work->data, pair[0]) ? 1 : 2;
    if (!linpred__combination_open(witness, count))
        return linpred__no_memory(error);
    for (int i = 0; i < count; i++) {
        witness->row[i] = linpred_data_source_row(work->data, pair[i]);
        witness->weight[i] = linpred__copy_text("1", 1);
        if (!witness->weight[i])
            return linpred__no_memory(error);
    }
    work->answer->kind = LINPRED_SEPARATION_INSEPARABLE;
    return LINPRED_OK;
}

/* The exact solver separated the working rows. If doubles do, they become the proposal. If only integers do, they are
   tried on all rows here. */
static linpred_status try_certified(struct two_way_search *work, const linpred__exact_answer *found, bool *done,
                                    bool *new_rows, linpred_error *error)
{
    if (found->rounded) {
        memcpy(work->w, found->rounded, (size_t)(work->data->columns + work->has_intercept) * sizeof(double));
        return LINPRED_OK;
    }
    int64_t added;
    linpred_status status = price_exactly(work, &found->w, &added, error);
    *new_rows = added > 0;
    if (status != LINPRED_OK || *new_rows)
        return status;
    *done = true;
    work->answer->kind = LINPRED_SEPARATION_SEPARATED;
    return linpred__take_direction(&work->answer->direction, &found->w, error);
}

/* Asks the exact solver about the working rows. *done is set if they are inseparable, or if that would take too much
   work. Otherwise there is a better proposal, or *new_rows says that rows have joined. */
static linpred_status certify(struct two_way_search *work, bool *done, bool *new_rows, linpred_error *error)
{
    linpred__effort effort = {.limit = LINPRED__EXACT_WORK, .stop = stop_two_way, .context = work};
    if (work->max_work > 0)
        effort.limit = fmin(effort.limit, fmax(1.0, work->max_work - work->spent));
    linpred__exact_answer found;
    double began = linpred__run_seconds(work->run);
    linpred_status status = linpred__working_rows_certify(work->working.solver, &effort, &found, error);
    work->answer->solver_seconds += linpred__run_seconds(work->run) - began;
    work->spent += effort.spent;
    if (status != LINPRED_OK)
        return status;
    if (found.kind == LINPRED_SEPARATION_INSEPARABLE) {
        *done = true;
        work->answer->kind = LINPRED_SEPARATION_INSEPARABLE;
        status = linpred__take_combination(&work->answer->witness, work->data, work->working.row, found.row,
                                           found.count, &found.weight, error);
    } else if (found.kind == LINPRED_SEPARATION_UNDECIDED) {
        *done = true;
        status = leave_undecided(work, error);
    } else {
        status = try_certified(work, &found, done, new_rows, error);
    }
    linpred__exact_answer_close(&found);
    return status;
}

/* Whether the proposed weights are finite. For rows of subnormal numbers they may not be. */
static bool all_finite(const struct two_way_search *work)
{
    for (int32_t j = 0; j < work->data->columns + work->has_intercept; j++)
        if (!isfinite(work->w[j]))
            return false;
    return true;
}

/* One round: the linear program proposes weights for the working rows, and they are tried on all rows. */
static linpred_status two_way_round(struct two_way_search *work, bool *done, linpred_error *error)
{
    linpred__lp_answer answer;
    int64_t mistakes = 0, added = 0;
    work->answer->rounds++;
    double began = linpred__run_seconds(work->run);
    linpred_status status =
        linpred__working_rows_propose(work->working.solver, stop_lp, work, &answer, work->w, NULL, error);
    work->answer->solver_seconds += linpred__run_seconds(work->run) - began;
    if (status != LINPRED_OK)
        return status;
    if (answer == LINPRED__LP_STOPPED) {
        *done = true;
        return leave_undecided(work, error);
    }
    bool certified = answer != LINPRED__LP_FEASIBLE || !all_finite(work);
    bool new_rows = false;
    if (answer == LINPRED__LP_INFEASIBLE && work->data->rows > LINPRED__FIRST_CONTRADICTORY)
        status = try_contradictory_rows(work, work->data->rows, done, error);
    if (status == LINPRED_OK && certified && !*done)
        status = certify(work, done, &new_rows, error);
    while (status == LINPRED_OK && !*done && !new_rows) {
        status = price_two_way(work, -INFINITY, &mistakes, &added, error);
        if (status != LINPRED_OK || added > 0)
            return status;
        if (mistakes == 0) {
            work->answer->kind = LINPRED_SEPARATION_SEPARATED;
            *done = true;
        } else if (certified) {
            return linpred__fail(error, LINPRED_ERROR_INTERNAL, "a proved halfspace fails on its own rows");
        } else {
            certified = true; /* the proposal gets working rows wrong because of rounding: the exact solver decides */
            status = certify(work, done, &new_rows, error);
        }
    }
    return status;
}

/* Large data: minimising the logistic loss takes the place of linear programs. */
static linpred_status ask_large_scale(struct two_way_search *work, linpred_error *error)
{
    linpred__two_way *answer = work->answer, found;
    linpred_status status = linpred__ask_large_scale(work->run, work->problem, &found, error);
    if (status != LINPRED_OK)
        return status;
    found.updates += answer->updates;
    found.passes += answer->passes;
    found.solver_seconds += answer->solver_seconds;
    linpred__two_way_clear(answer);
    *answer = found;
    return LINPRED_OK;
}

/* Few rows with many columns: linear programs take long, and a rough largest margin often separates the rows. */
static linpred_status try_rough_margin(struct two_way_search *work, bool *done, linpred_error *error)
{
    bool found;
    int64_t mistakes = -1, added;
    linpred_status status = linpred__ask_rough_margin(work->run, work->problem, work->w, &found, error);
    if (status != LINPRED_OK || !found || !all_finite(work))
        return status;
    status = price_two_way(work, -INFINITY, &mistakes, &added, error);
    *done = mistakes == 0;
    if (*done)
        work->answer->kind = LINPRED_SEPARATION_SEPARATED;
    return status;
}

static linpred_status search_two_way(struct two_way_search *work, linpred_error *error)
{
    bool done = false;
    int64_t mistakes = -1, added;
    linpred_status status = try_perceptron(work, &done, error);
    if (status == LINPRED_OK && !done)
        status = try_contradictory_rows(work, LINPRED__FIRST_CONTRADICTORY, &done, error);
    if (status == LINPRED_OK && !done && linpred__is_large_scale(work->data))
        return ask_large_scale(work, error);
    if (status == LINPRED_OK && !done)
        status = linpred__working_set_open(work->problem, &work->working, error);
    if (status == LINPRED_OK && !done && linpred__margin_takes_all_rows(work->data))
        status = try_rough_margin(work, &done, error);
    if (status == LINPRED_OK && !done) {
        status = price_two_way(work, INFINITY, &mistakes, &added, error);
        done = mistakes == 0;
        work->answer->kind = LINPRED_SEPARATION_SEPARATED;
    }
    while (status == LINPRED_OK && !done) {
        if (is_spent(work) || stop_two_way(work)) {
            status = leave_undecided(work, error);
            break;
        }
        status = two_way_round(work, &done, error);
    }
    keep_w(work);
    return status;
}

linpred_status linpred__ask_two_way(linpred__run *run, const linpred__problem *problem, double max_work,
                                    linpred__two_way *answer, linpred_error *error)
{
    struct two_way_search work = {.run = run,
                                  .problem = problem,
                                  .data = problem->data,
                                  .has_intercept = problem->has_intercept,
                                  .max_work = max_work,
                                  .answer = answer};
    linpred_status status = linpred__two_way_open(problem, answer, error);
    work.w = linpred__calloc((size_t)problem->data->columns + 1, sizeof(double));
    if (status == LINPRED_OK)
        status = work.w ? search_two_way(&work, error) : linpred__no_memory(error);
    linpred__working_set_close(&work.working);
    linpred__release(work.w);
    answer->stopped = answer->stopped && answer->kind == LINPRED_SEPARATION_UNDECIDED;
    if (status != LINPRED_OK)
        linpred__two_way_clear(answer);
    return status;
}
