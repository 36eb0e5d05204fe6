#include "separate/three_way.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "separate/gather.h"
#include "separate/one_column.h"
#include "separate/two_way.h"
#include "separate/direction_rows.h"
#include "separate/file_rows.h"
#include "separate/strict_separation.h"
#include "pass/violators.h"
#include "separate/working_set.h"
#include "solve/exact_lp/span.h"

enum {
    EXACT_SECONDS = 60,     /* about: what one exact question may cost */
    MOST_GATHERED = 1 << 23 /* values, for the last word on all rows */
};

struct work {
    linpred__fit *fit;
    linpred__three_way *overlap;
    bool has_intercept;
    bool weak; /* a direction with >= 0 on every row is at hand: only a strict one is sought */
    linpred__working_set working;
};

static bool stop(void *context)
{
    struct work *work = context;
    linpred__three_way *overlap = work->overlap;
    bool yes = linpred__fit_should_stop(work->fit, "overlapping?", overlap->rounds, overlap->passes, NAN);
    overlap->stopped = overlap->stopped || yes;
    return yes;
}

void linpred__three_way_clear(linpred__three_way *overlap)
{
    linpred__certificate_clear(&overlap->proof);
    *overlap = (linpred__three_way){0};
}

/* ---- working rows ------------------------------------------------------------------------------------------------ */

static linpred_status add_rows(struct work *work, const int64_t *row, int64_t count, int64_t *added,
                               linpred_error *error)
{
    linpred_status status = linpred__working_set_add(&work->working, row, count, added, error);
    work->overlap->working_rows = work->working.rows;
    return status;
}

/* The row of the data that came from this row of the file (1-based). */
static int64_t data_row(const linpred_data *data, int64_t row)
{
    if (!data->source_row)
        return row - 1;
    int64_t low = 0, high = data->rows - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (data->source_row[middle] < row - 1)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Rows that w, b get wrong or have nearer than `below`. */
static linpred_status look(struct work *work, const double *w, double b, int32_t most, double below,
                           linpred__violators *violators, linpred_error *error)
{
    work->overlap->passes++;
    return linpred__find_violators(work->fit, w, b, most, below, violators, error);
}

/* The witness that nothing separates, and rows near the hyperplane of w, b. */
static linpred_status first_rows(struct work *work, const linpred__certificate *witness, double *w, double b,
                                 linpred_error *error)
{
    const linpred_data *data = work->fit->problem.data;
    int64_t added;
    for (int64_t i = 0; i < witness->witnesses; i++) {
        int64_t row = data_row(data, witness->witness_row[i]);
        linpred_status status = add_rows(work, &row, 1, &added, error);
        if (status != LINPRED_OK)
            return status;
    }
    linpred__violators near;
    linpred_status status = look(work, w, b, 100 + 2 * data->columns, INFINITY, &near, error);
    if (status != LINPRED_OK)
        return status;
    status = add_rows(work, near.row, near.count, &added, error);
    linpred__violators_clear(&near);
    return status;
}

/* ---- on all rows ------------------------------------------------------------------------------------------------- */

/* Tries the direction v on all rows: accepted, or rows that refute it join. */
static linpred_status try_direction(struct work *work, const linpred__integers *v, linpred_separation kind, bool *done,
                                    linpred_error *error)
{
    linpred__tried tried;
    linpred_status status = linpred__try_direction(work->fit->problem.data, work->fit->run.pool, work->has_intercept, v,
                                                   work->fit->problem.extents.radius.above, NULL, &tried, error);
    work->overlap->passes++;
    if (status != LINPRED_OK)
        return status;
    int64_t added;
    if (tried.count > 0) {
        status = add_rows(work, tried.row, tried.count, &added, error);
        if (status == LINPRED_OK && added == 0)
            status = linpred__fail(error, LINPRED_ERROR_INTERNAL, "a proved direction fails on its own rows");
    } else {
        *done = true;
        work->overlap->kind = kind;
        work->overlap->settled = tried.positive;
        status = linpred__take_direction(&work->overlap->proof, v, error);
    }
    linpred__release(tried.row);
    return status;
}

/* Whether carriers span all rows for certain, by exact elimination on all rows, if that is not too much. */
static linpred_status spans_all(struct work *work, const linpred__three_way_answer *answer, bool *proved,
                                linpred_error *error)
{
    const linpred_data *data = work->fit->problem.data;
    *proved = answer->rank == data->columns + work->has_intercept;
    if (*proved || data->entries + data->rows > MOST_GATHERED)
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
    linpred__effort effort = {.limit = EXACT_SECONDS * 1e9, .stop = stop, .context = work};
    bool decided = false, holds = false;
    if (status == LINPRED_OK)
        status = linpred__span_holds_all(&gathered.rows, member, answer->carriers, &effort, &holds, &decided, error);
    *proved = decided && holds;
    linpred__gathered_clear(&gathered);
    linpred__release(row);
    linpred__release(member);
    return status;
}

/* Rows outside the span of the carriers join; if there is none and that is certain, rows overlap. */
static linpred_status try_carriers(struct work *work, const linpred__three_way_answer *answer, bool *done,
                                   linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    linpred__tried outside = {0};
    int64_t added = 0;
    if (answer->rank < work->fit->problem.data->columns + work->has_intercept) {
        linpred__span *span = NULL;
        status = linpred__span_open(linpred__working_rows_view(work->working.separation), answer->carrier,
                                    answer->carriers, 1, &span, error);
        if (status == LINPRED_OK)
            status = linpred__find_outside(work->fit->problem.data, work->fit->run.pool, work->has_intercept, span,
                                           &outside, error);
        linpred__span_close(span);
        work->overlap->passes++;
    }
    if (status == LINPRED_OK && outside.count > 0)
        status = add_rows(work, outside.row, outside.count, &added, error);
    linpred__release(outside.row);
    if (status != LINPRED_OK || added > 0)
        return status;
    bool proved;
    *done = true;
    status = spans_all(work, answer, &proved, error);
    if (status != LINPRED_OK || !proved)
        return status;
    work->overlap->kind = LINPRED_SEPARATION_OVERLAPPING;
    return linpred__take_witness(&work->overlap->proof, work->fit->problem.data, work->working.row, answer->carrier,
                                 answer->carriers, &answer->carrier_weight, error);
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

static linpred_status round_of(struct work *work, bool *done, linpred_error *error)
{
    linpred__effort effort = {.limit = EXACT_SECONDS * 1e9, .stop = stop, .context = work};
    linpred__three_way_answer answer;
    work->overlap->rounds++;
    linpred_status status = linpred__working_rows_three_way(work->working.separation, &effort, &answer, error);
    if (status != LINPRED_OK)
        return status;
    if (answer.kind == LINPRED__THREE_WAY_QUASI_SEPARATED) {
        status = try_direction(work, &answer.direction, LINPRED_SEPARATION_QUASI_SEPARATED, done, error);
    } else if (answer.kind == LINPRED__THREE_WAY_OVERLAPPING) {
        status = try_carriers(work, &answer, done, error);
    } else {
        *done = true;
    }
    linpred__three_way_answer_close(&answer);
    return status;
}

/* People like small integers: (w, b) rounded so that the largest is about `most`, if that still separates all rows. */
static linpred_status try_rounded(struct work *work, const double *w, double b, double most, bool *taken,
                                  linpred_error *error)
{
    const linpred_data *data = work->fit->problem.data;
    int32_t columns = data->columns;
    double *small = linpred__alloc((size_t)columns + 1, sizeof *small);
    double largest = fabs(b);
    linpred__integers v;
    for (int32_t j = 0; j < columns; j++)
        largest = fmax(largest, fabs(w[j]));
    for (int32_t j = 0; small && j <= columns; j++)
        small[j] = nearbyint((j < columns ? w[j] : b) / largest * most);
    if (!small || !linpred__integers_of_doubles(small, columns, work->has_intercept ? &small[columns] : NULL, &v)) {
        linpred__release(small);
        return linpred__no_memory(error);
    }
    linpred__tried tried;
    linpred_status status = linpred__try_direction(data, work->fit->run.pool, work->has_intercept, &v,
                                                   work->fit->problem.extents.radius.above, NULL, &tried, error);
    if (status == LINPRED_OK) {
        work->overlap->passes++;
        *taken = tried.positive == data->rows;
        linpred__release(tried.row);
    }
    if (status == LINPRED_OK && *taken)
        status = linpred__take_direction(&work->overlap->proof, &v, error);
    linpred__integers_close(&v);
    linpred__release(small);
    return status;
}

/* The oracle's halfspace as a direction of integers. */
static linpred_status take_separated(struct work *work, linpred__certificate *proof, const double *w, double b,
                                     linpred_error *error)
{
    work->overlap->kind = LINPRED_SEPARATION_SEPARATED;
    work->overlap->settled = work->fit->problem.data->rows;
    if (proof->directions > 0) {
        work->overlap->proof = *proof;
        *proof = (linpred__certificate){0};
        return LINPRED_OK;
    }
    linpred__integers v;
    linpred_status status = LINPRED_OK;
    bool taken = false;
    for (double most = 100.0; status == LINPRED_OK && !taken && most < 1e10; most *= 100.0)
        status = try_rounded(work, w, b, most, &taken, error);
    if (status != LINPRED_OK || taken)
        return status;
    if (!linpred__integers_of_doubles(w, work->fit->problem.data->columns, work->has_intercept ? &b : NULL, &v))
        return linpred__no_memory(error);
    status = linpred__take_direction(&work->overlap->proof, &v, error);
    linpred__integers_close(&v);
    return status;
}

/* Whether w, b separate the rows: then there is nothing more to ask. */
static linpred_status try_given(struct work *work, double *w, double b, bool *done, linpred_error *error)
{
    linpred__violators wrong;
    linpred_status status = look(work, w, b, 1, -INFINITY, &wrong, error);
    if (status != LINPRED_OK)
        return status;
    *done = wrong.mistakes == 0;
    linpred__violators_clear(&wrong);
    linpred__certificate none = {0};
    return *done ? take_separated(work, &none, w, b, error) : LINPRED_OK;
}

static linpred_status search(struct work *work, double *w, double b, linpred_error *error)
{
    bool done = false;
    linpred_status status = linpred__working_set_open(work->fit, &work->working, error);
    if (status == LINPRED_OK)
        status = try_given(work, w, b, &done, error);
    if (status != LINPRED_OK || done)
        return status;
    linpred__two_way oracle;
    status = linpred__ask_two_way(work->fit, &oracle, error);
    if (status != LINPRED_OK)
        return status;
    work->overlap->passes += oracle.passes;
    work->overlap->rounds += oracle.rounds;
    done = work->weak || oracle.kind != LINPRED__ORACLE_INSEPARABLE;
    if (!done)
        status = first_rows(work, &oracle.proof, w, b, error);
    else if (oracle.kind == LINPRED__ORACLE_SEPARATED)
        status = take_separated(work, &oracle.proof, oracle.w, oracle.b, error);
    else if (oracle.kind == LINPRED__ORACLE_INSEPARABLE)
        work->overlap->kind = LINPRED_SEPARATION_QUASI_SEPARATED;
    work->overlap->stopped = oracle.stopped;
    linpred__two_way_clear(&oracle);
    while (status == LINPRED_OK && !done) {
        if (stop(work))
            break;
        status = round_of(work, &done, error);
    }
    return status;
}

static linpred_status ask(linpred__fit *fit, const double *w, double b, bool weak, linpred__three_way *overlap,
                          linpred_error *error)
{
    *overlap = (linpred__three_way){.proof = {.errors = NAN, .bound = NAN}};
    struct work work = {.fit = fit, .overlap = overlap, .has_intercept = !fit->options->no_intercept, .weak = weak};
    double *start = linpred__calloc((size_t)fit->problem.data->columns, sizeof *start);
    for (int32_t j = 0; start && w && j < fit->problem.data->columns; j++)
        start[j] = w[j];
    linpred_status status = start ? search(&work, start, b, error) : linpred__no_memory(error);
    linpred__working_set_close(&work.working);
    linpred__release(start);
    overlap->stopped = overlap->stopped && overlap->kind == LINPRED_SEPARATION_NOT_ASKED;
    if (status != LINPRED_OK)
        linpred__three_way_clear(overlap);
    return status;
}

linpred_status linpred__ask_separated(linpred__fit *fit, const double *w, double b, linpred__three_way *overlap,
                                      linpred_error *error)
{
    return ask(fit, w, b, true, overlap, error);
}

linpred_status linpred__ask_three_way(linpred__fit *fit, const double *w, double b, linpred__three_way *overlap,
                                      linpred_error *error)
{
    linpred_status status = linpred__try_columns(fit, overlap, error);
    if (status != LINPRED_OK || overlap->kind == LINPRED_SEPARATION_SEPARATED)
        return status;
    return overlap->kind == LINPRED_SEPARATION_NOT_ASKED ? ask(fit, w, b, false, overlap, error)
                                                         : linpred__ask_strict_separation(fit, w, b, overlap, error);
}
