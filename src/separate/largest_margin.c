/* The largest margin by constraint generation (see largest_margin.h). */
#include "separate/largest_margin.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/certified_sign.h"
#include "pass/violators.h"
#include "separate/limits.h"
#include "separate/rows/solver_rows.h"

struct margin_search {
    linpred__run *run;
    const linpred__problem *problem;
    const linpred_data *data;
    linpred__margin_form form;
    linpred__largest_margin *answer;
    linpred__least_distance *solver;
    int64_t *row;    /* for each working row its data row */
    size_t capacity; /* of `row` */
    int64_t rows;    /* working rows */
};

void linpred__largest_margin_clear(linpred__largest_margin *answer)
{
    linpred__release(answer->w);
    linpred__release(answer->tails.value);
    linpred__support_clear(&answer->support);
    *answer = (linpred__largest_margin){0};
}

static linpred_status add_margin_row(struct margin_search *work, int64_t row, linpred_error *error)
{
    const linpred_data *data = work->data;
    int32_t r;
    const linpred__block *block = linpred__block_of(data, row, &r);
    if (!linpred__grow(&work->row, &work->capacity, (size_t)work->rows + 1, sizeof *work->row))
        return linpred__no_memory(error);
    linpred_status status;
    if (block->layout == LINPRED__DENSE) {
        status = linpred__least_distance_add_dense(work->solver, 1, block->values + r * block->stride, block->stride,
                                                   &block->target[r], error);
    } else {
        int64_t start[2] = {0, block->start[r + 1] - block->start[r]};
        status = linpred__least_distance_add_sparse(work->solver, 1, start, block->indices + block->start[r],
                                                    block->values + block->start[r], &block->target[r], error);
    }
    if (status == LINPRED_OK)
        work->row[work->rows++] = row;
    return status;
}

static bool is_working(const struct margin_search *work, int64_t row)
{
    for (int64_t i = 0; i < work->rows; i++)
        if (work->row[i] == row)
            return true;
    return false;
}

/* One pass with w, b. *lowest is the smallest y(<w,x>+b) of all rows. Rows below `below` join the working rows. */
static linpred_status price_margin(struct margin_search *work, const double *w, double b, double below, double *lowest,
                                   int64_t *added, linpred_error *error)
{
    int32_t twice = 2 * work->data->columns;
    linpred__violators_sought sought = {w, b, twice < 100 ? 100 : twice > 1000 ? 1000 : twice, below};
    linpred__violators violators;
    linpred_status status = linpred__find_violators(work->run, work->problem, &sought, &violators, error);
    if (status != LINPRED_OK)
        return status;
    work->answer->passes++;
    *lowest = violators.lowest;
    *added = 0;
    for (int64_t i = 0; status == LINPRED_OK && i < violators.count; i++) {
        if (is_working(work, violators.row[i]))
            continue;
        status = add_margin_row(work, violators.row[i], error);
        (*added)++;
    }
    work->answer->working_rows = work->rows;
    linpred__violators_clear(&violators);
    return status;
}

/* Solves the problem of the working rows in slices. Between slices the run is asked whether to stop. */
static linpred_status solve_working_rows(struct margin_search *work, linpred__distance_outcome *outcome, bool *stopped,
                                         linpred_error *error)
{
    work->answer->rounds++;
    linpred_status status = linpred__least_distance_propose(work->solver, work->run, error);
    if (status != LINPRED_OK)
        return status;
    do {
        status = linpred__least_distance_solve(work->solver, LINPRED__MARGIN_SLICE, outcome, error);
        work->run->working_rows = work->rows;
        *stopped = linpred__run_should_stop(work->run, "largest margin", 0, work->answer->passes, NAN);
    } while (status == LINPRED_OK && *outcome == LINPRED__DISTANCE_LIMIT && !*stopped);
    return status;
}

static double form_norm(const struct margin_search *work, const double *w, double b)
{
    return linpred__norm(w, work->data->columns, work->form == LINPRED__FORM_HOMOGENEOUS ? b : 0.0);
}

/* (R / margin)² of the homogeneous margin, also where the squares of numbers at 1e300 or 1e-300 leave the range. */
static double bound_updates(const struct margin_search *work, const double *w, double b, double lowest)
{
    int32_t columns = work->data->columns;
    const linpred__radius *radius = &work->problem->extents.radius;
    double norm_squared = linpred__norm_squared(w, columns, b);
    if (isnormal(radius->squared) && isnormal(norm_squared) && isnormal(lowest * lowest) &&
        isnormal(radius->squared * norm_squared))
        return radius->squared * norm_squared / (lowest * lowest);
    double ratio = radius->nearest / (lowest / linpred__norm(w, columns, b));
    return ratio * ratio;
}

/* Takes a solution of the solver as the answer, unless the answer separates all rows and the solution does not. */
static linpred_status keep(struct margin_search *work, const linpred__distance_answer *found, double lowest,
                           linpred_error *error)
{
    linpred__largest_margin *answer = work->answer;
    int32_t columns = work->data->columns;
    if (answer->margin > 0 && !(lowest > 0))
        return LINPRED_OK;
    memcpy(answer->w, found->weights, (size_t)columns * sizeof(double));
    answer->b = found->intercept;
    answer->norm = form_norm(work, found->weights, found->intercept);
    answer->margin = answer->norm > 0 ? lowest / answer->norm : INFINITY;
    /* The solver saw doubles. Decimals differ from them by at most 2^-53 ||x||, and so does each mean of rows. */
    answer->bound = found->margin_bound + (work->data->decimals ? 0x1p-52 * work->problem->extents.radius.above : 0.0);
    answer->updates = bound_updates(work, answer->w, answer->b, lowest);
    linpred__support_clear(&answer->support);
    linpred__multipliers multipliers = {found->support, found->rows, found->multipliers, found->tails};
    return linpred__take_support(&answer->support, work->data, work->row, &multipliers, error);
}

static linpred_status search_margin(struct margin_search *work, linpred_error *error)
{
    linpred__largest_margin *answer = work->answer;
    for (;;) {
        linpred__distance_outcome outcome;
        bool stopped;
        double lowest;
        int64_t added;
        linpred_status status = solve_working_rows(work, &outcome, &stopped, error);
        if (status != LINPRED_OK)
            return status;
        answer->end = stopped ? LINPRED__MARGIN_STOPPED : LINPRED__MARGIN_NONE;
        if (stopped || outcome == LINPRED__DISTANCE_INFEASIBLE)
            return LINPRED_OK;
        linpred__distance_answer found = linpred__least_distance_answer(work->solver);
        status = price_margin(work, found.weights, found.intercept, 1.0 - 1e-13, &lowest, &added, error);
        if (status == LINPRED_OK)
            status = keep(work, &found, lowest, error);
        if (status != LINPRED_OK)
            return status;
        double gap = answer->bound / answer->margin - 1.0;
        bool met = answer->margin > 0 && gap <= LINPRED__MARGIN_GAP_WANTED;
        if (met || added == 0) {
            bool good = met || (answer->margin > 0 && gap <= LINPRED__MARGIN_GAP_MAX);
            answer->end = good ? LINPRED__MARGIN_FOUND : LINPRED__MARGIN_STALLED;
            return LINPRED_OK;
        }
    }
}

bool linpred__margin_takes_all_rows(const linpred_data *data)
{
    return data->columns >= LINPRED__MARGIN_MIN_COLUMNS && data->rows <= LINPRED__MARGIN_ALL_ROWS &&
           data->rows <= 10 * (int64_t)data->columns;
}

/* Adds the first working rows: all rows, those nearest to the hyperplane of w, b, or the first 100 rows. */
static linpred_status add_first_rows(struct margin_search *work, const double *w, double b, linpred_error *error)
{
    double lowest;
    int64_t added;
    const linpred_data *data = work->data;
    bool all = linpred__margin_takes_all_rows(data);
    if (w && !all)
        return price_margin(work, w, b, INFINITY, &lowest, &added, error);
    linpred_status status = LINPRED_OK;
    if (all)
        status = linpred__least_distance_reserve(work->solver, data->rows, data->entries,
                                                 data->layout == LINPRED__SPARSE, error);
    for (int64_t row = 0; status == LINPRED_OK && row < data->rows && (all || work->rows < 100); row++)
        status = add_margin_row(work, row, error);
    work->answer->working_rows = work->rows;
    if (status == LINPRED_OK && w)
        status = linpred__least_distance_start(work->solver, w, b, error);
    return status;
}

static linpred_status open_margin_search(struct margin_search *work, linpred__margin_form form, linpred_error *error)
{
    return linpred__least_distance_open(work->data->columns, form, &work->solver, error);
}

static void close_margin_search(struct margin_search *work)
{
    linpred__least_distance_close(work->solver);
    linpred__release(work->row);
}

/* Asks for the margin in the form of the solver. w, b as for linpred__ask_largest_margin; they are used if there are no
   working rows yet. */
static linpred_status ask_margin(struct margin_search *work, linpred__margin_form form, const double *w, double b,
                                 linpred__largest_margin *answer, linpred_error *error)
{
    *answer = (linpred__largest_margin){.margin = -INFINITY, .bound = NAN};
    work->form = form;
    work->answer = answer;
    answer->w = linpred__calloc((size_t)work->data->columns, sizeof(double));
    linpred_status status = answer->w ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && work->rows == 0)
        status = add_first_rows(work, w, b, error);
    if (status == LINPRED_OK)
        status = search_margin(work, error);
    if (status != LINPRED_OK)
        linpred__largest_margin_clear(answer);
    return status;
}

linpred_status linpred__ask_largest_margin(linpred__run *run, const linpred__problem *problem,
                                           linpred__margin_form form, const double *w, double b,
                                           linpred__largest_margin *answer, linpred_error *error)
{
    struct margin_search work = {.run = run, .problem = problem, .data = problem->data};
    *answer = (linpred__largest_margin){.margin = -INFINITY, .bound = NAN};
    linpred_status status = open_margin_search(&work, form, error);
    if (status == LINPRED_OK)
        status = ask_margin(&work, form, w, b, answer, error);
    close_margin_search(&work);
    return status;
}

linpred_status linpred__ask_rough_margin(linpred__run *run, const linpred__problem *problem, double *w, bool *found,
                                         linpred_error *error)
{
    linpred__largest_margin unused = {0};
    struct margin_search work = {.run = run, .problem = problem, .data = problem->data, .answer = &unused};
    linpred__margin_form form = problem->has_intercept ? LINPRED__FORM_HOMOGENEOUS : LINPRED__FORM_ORIGIN;
    *found = false;
    linpred_status status = open_margin_search(&work, form, error);
    if (status == LINPRED_OK)
        status = add_first_rows(&work, NULL, 0.0, error);
    if (status == LINPRED_OK)
        status = linpred__least_distance_rough(work.solver, run, w, found, error);
    close_margin_search(&work);
    return status;
}

/* ---- both forms -------------------------------------------------------------------------------------------------- */

void linpred__both_margins_clear(linpred__both_margins *answer)
{
    linpred__largest_margin_clear(&answer->largest);
    linpred__largest_margin_clear(&answer->other);
    linpred__vector_clear(&answer->other_weights);
    linpred__vector_clear(&answer->bound_weights);
    *answer = (linpred__both_margins){0};
}

/* Whether the answer can be used: weights in the range of doubles, and multipliers that left it on neither side. */
static bool is_better(const linpred__largest_margin *largest, int32_t columns)
{
    bool better = largest->support.count > 0 && largest->margin > 0 && isfinite(largest->b);
    for (int32_t j = 0; j < columns; j++)
        better = better && isfinite(largest->w[j]);
    for (int64_t i = 0; better && i < largest->support.count; i++)
        better = largest->support.multiplier[i] > 0 && isfinite(largest->support.multiplier[i]);
    return better;
}

static linpred_status copy_weights(linpred__both_margins *answer, int32_t columns, linpred_error *error)
{
    const linpred__largest_margin *other = &answer->other;
    if (!answer->other_found)
        return LINPRED_OK;
    bool made = linpred__vector_of_weights(other->w, columns, &other->b, &answer->other_weights) &&
                (!answer->without_intercept ||
                 linpred__vector_of_weights(other->w, columns, &other->b, &answer->bound_weights));
    return made ? LINPRED_OK : linpred__no_memory(error);
}

/* Asks for the first form, then for the other form with the working rows of the first. */
static linpred_status ask_forms(struct margin_search *work, const linpred__margin_form form[2], const double *w,
                                double b, linpred__both_margins *answer, linpred_error *error)
{
    int32_t columns = work->data->columns;
    linpred__largest_margin *largest = &answer->largest, *other = &answer->other;
    linpred_status status = ask_margin(work, form[0], w, b, largest, error);
    if (status != LINPRED_OK)
        return status;
    answer->better = is_better(largest, columns);
    if (!answer->better || form[0] == LINPRED__FORM_ORIGIN || largest->end != LINPRED__MARGIN_FOUND)
        return LINPRED_OK;
    linpred__least_distance_change_form(work->solver, form[1]);
    status = ask_margin(work, form[1], NULL, 0.0, other, error);
    if (status != LINPRED_OK)
        return status;
    answer->other_found = other->end == LINPRED__MARGIN_FOUND && is_better(other, columns) && isfinite(other->margin);
    return copy_weights(answer, columns, error);
}

linpred_status linpred__ask_both_margins(linpred__run *run, const linpred__problem *problem, bool without_intercept,
                                         const double *w, double b, linpred__both_margins *answer, linpred_error *error)
{
    *answer = (linpred__both_margins){.without_intercept = without_intercept && problem->has_intercept};
    linpred__margin_form form[2] = {LINPRED__FORM_HOMOGENEOUS, LINPRED__FORM_WITHOUT_INTERCEPT};
    if (without_intercept) {
        form[0] = LINPRED__FORM_WITHOUT_INTERCEPT;
        form[1] = LINPRED__FORM_HOMOGENEOUS;
    }
    if (!problem->has_intercept)
        form[0] = LINPRED__FORM_ORIGIN;
    struct margin_search work = {.run = run, .problem = problem, .data = problem->data};
    linpred_status status = open_margin_search(&work, form[0], error);
    if (status == LINPRED_OK)
        status = ask_forms(&work, form, w, b, answer, error);
    close_margin_search(&work);
    if (status != LINPRED_OK)
        linpred__both_margins_clear(answer);
    return status;
}
