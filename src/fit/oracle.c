#include "fit/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "fit/extent.h"
#include "fit/gather.h"
#include "fit/twins.h"
#include "fit/violators.h"
#include "fit/wide.h"
#include "fit/walk.h"
#include "solve/separation.h"

enum {
    FIRST_PASSES = 2,       /* of the perceptron, before any linear program */
    FIRST_TWINS = 65536,    /* rows looked through for twins at first; all of them once the answer is no */
    MOST_PASSES = 200,      /* if it makes few mistakes in each: wide data that is easy to separate */
    MOST_A_ROUND = 2000,    /* rows that join in one round, at most */
    EXACT_SECONDS = 60      /* about: what one exact question may cost */
};

struct work {
    linpred__fit *fit;
    linpred__oracle *oracle;
    bool has_intercept;
    double radius;
    linpred__separation *separation;
    int64_t *row; /* of each working row: its data row */
    size_t room;
    int64_t rows;
    double *w; /* columns + 1 long, intercept last */
};

void linpred__oracle_clear(linpred__oracle *oracle)
{
    linpred__release(oracle->w);
    linpred__certificate_clear(&oracle->proof);
    *oracle = (linpred__oracle){0};
}

static bool stop(void *context)
{
    struct work *work = context;
    const linpred__oracle *oracle = work->oracle;
    return linpred__fit_should_stop(work->fit, "separable?", oracle->updates, oracle->passes, NAN);
}

/* ---- units: the largest exponent of each column ------------------------------------------------------------------------ */

static linpred_status open_separation(struct work *work, linpred_error *error)
{
    const linpred_data *data = work->fit->data;
    int32_t columns = data->columns + work->has_intercept;
    double *largest = linpred__alloc((size_t)data->columns, sizeof *largest);
    linpred_status status =
        largest ? linpred__find_extent(data, work->fit->pool, largest, error) : linpred__no_memory(error);
    if (status != LINPRED_OK) {
        linpred__release(largest);
        return status;
    }
    int32_t *exponent = linpred__calloc((size_t)columns, sizeof *exponent);
    if (exponent) {
        for (int32_t j = 0; j < data->columns; j++)
            exponent[j] = largest[j] > 0 ? ilogb(largest[j]) + 1 : 0;
        status = linpred__separation_open(columns, exponent, &work->separation, error);
    } else {
        status = linpred__no_memory(error);
    }
    linpred__release(largest);
    linpred__release(exponent);
    return status;
}

/* ---- working rows --------------------------------------------------------------------------------------------------------- */

static linpred_status add_rows(struct work *work, const int64_t *row, int64_t count, linpred_error *error)
{
    linpred__gathered gathered;
    if (!linpred__grow(&work->row, &work->room, (size_t)(work->rows + count), sizeof *work->row))
        return linpred__no_memory(error);
    linpred_status status = linpred__gather(work->fit->data, work->has_intercept, row, count, &gathered, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__separation_add(work->separation, &gathered.rows, 0, (int32_t)count, error);
    linpred__gathered_clear(&gathered);
    if (status != LINPRED_OK)
        return status;
    memcpy(work->row + work->rows, row, (size_t)count * sizeof *row);
    work->rows += count;
    work->oracle->working_rows = work->rows;
    return LINPRED_OK;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Leaves out of `row` the rows that are working rows already; answers how many remain. */
static int64_t leave_new(const struct work *work, int64_t *row, int64_t count)
{
    int64_t *known = work->rows > 0 ? linpred__alloc((size_t)work->rows, sizeof *known) : NULL;
    if (!known)
        return count; /* there are none, or no memory: a row twice does no harm */
    memcpy(known, work->row, (size_t)work->rows * sizeof *known);
    qsort(known, (size_t)work->rows, sizeof *known, by_number);
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (!bsearch(&row[i], known, (size_t)work->rows, sizeof *known, by_number))
            row[kept++] = row[i];
    linpred__release(known);
    return kept;
}

static int32_t rows_a_round(const struct work *work)
{
    int64_t wanted = 100 + 4 * (int64_t)work->fit->data->columns;
    return wanted > MOST_A_ROUND ? MOST_A_ROUND : (int32_t)wanted;
}

/* The worst rows by work->w: *mistakes in all, *added of them new to the working rows. */
static linpred_status look(struct work *work, double below, int64_t *mistakes, int64_t *added, linpred_error *error)
{
    const linpred_data *data = work->fit->data;
    linpred__hyperplane plane = {.w = work->w, .b = work->has_intercept ? work->w[data->columns] : 0.0};
    plane.slack =
        linpred__slack(data->columns, linpred__norm_above(plane.w, data->columns, plane.b), work->radius);
    linpred__violators violators;
    linpred_status status =
        linpred__find_violators(data, work->fit->pool, &plane, rows_a_round(work), below, &violators, error);
    if (status != LINPRED_OK)
        return status;
    work->oracle->passes++;
    *mistakes = violators.mistakes;
    *added = leave_new(work, violators.row, violators.count);
    status = *mistakes > 0 && *added > 0 ? add_rows(work, violators.row, *added, error) : LINPRED_OK;
    linpred__violators_clear(&violators);
    return status;
}

/* ---- answers ---------------------------------------------------------------------------------------------------------------- */

static void keep_w(struct work *work)
{
    int32_t columns = work->fit->data->columns;
    memcpy(work->oracle->w, work->w, (size_t)columns * sizeof(double));
    work->oracle->b = work->has_intercept ? work->w[columns] : 0.0;
}

struct entry {
    int64_t row;
    int32_t place;
};

static int by_row(const void *a, const void *b)
{
    return by_number(&((const struct entry *)a)->row, &((const struct entry *)b)->row);
}

/* Working rows place[0 .. count-1] (NULL: all) in the order of the file. NULL: out of memory. */
static struct entry *in_file_order(const struct work *work, const int32_t *place, int32_t count)
{
    struct entry *entry = linpred__alloc((size_t)count, sizeof *entry);
    for (int32_t i = 0; entry && i < count; i++) {
        int32_t at = place ? place[i] : i;
        entry[i] = (struct entry){linpred_data_source_row(work->fit->data, work->row[at]), i};
    }
    if (entry)
        qsort(entry, (size_t)count, sizeof *entry, by_row);
    return entry;
}

static linpred_status take_witness(struct work *work, const linpred__exact_answer *answer, linpred_error *error)
{
    linpred__certificate *proof = &work->oracle->proof;
    struct entry *entry = in_file_order(work, answer->row, answer->count);
    if (!entry || !linpred__certificate_witnesses(proof, answer->count)) {
        linpred__release(entry);
        return linpred__no_memory(error);
    }
    linpred_status status = LINPRED_OK;
    for (int32_t i = 0; i < answer->count && status == LINPRED_OK; i++) {
        proof->witness_row[i] = entry[i].row;
        proof->witness_weight[i] = linpred__integers_text(&answer->weight, entry[i].place);
        if (!proof->witness_weight[i])
            status = linpred__no_memory(error);
    }
    linpred__release(entry);
    work->oracle->kind = LINPRED__ORACLE_INSEPARABLE;
    return status;
}

static linpred_status take_integers(struct work *work, const linpred__exact_answer *answer, linpred_error *error)
{
    linpred__certificate *proof = &work->oracle->proof;
    if (!linpred__certificate_directions(proof, answer->w.count))
        return linpred__no_memory(error);
    for (int32_t j = 0; j < answer->w.count; j++) {
        proof->direction[j] = linpred__integers_text(&answer->w, j);
        if (!proof->direction[j])
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}

/* ||Σ λ z|| / Σ λ over the support, rounded up. Columns are summed one after the other in double-double. */
static linpred_status bound_margin(struct work *work, const int64_t *row, linpred_error *error)
{
    linpred__certificate *proof = &work->oracle->proof;
    linpred__gathered gathered;
    linpred_status status =
        linpred__gather(work->fit->data, work->has_intercept, row, proof->supports, &gathered, error);
    if (status != LINPRED_OK)
        return status;
    linpred__dd *sum = linpred__calloc((size_t)gathered.rows.columns, sizeof *sum);
    double *column = linpred__alloc((size_t)gathered.rows.columns, sizeof *column);
    linpred__dd total = {0, 0};
    for (int32_t i = 0; sum && column && i < gathered.rows.rows; i++) {
        linpred__row z = linpred__row_of(&gathered.rows, i);
        total = linpred__dd_add_double(total, proof->multiplier[i]);
        for (int32_t k = 0; k < z.count; k++) {
            linpred__dd *at = &sum[linpred__row_column(&z, k)];
            *at = linpred__dd_add(*at, linpred__two_product(proof->multiplier[i], z.values[k]));
        }
    }
    if (sum && column) {
        for (int32_t j = 0; j < gathered.rows.columns; j++)
            column[j] = sum[j].hi;
        proof->bound = linpred__norm_above(column, gathered.rows.columns, 0.0) / total.hi * (1.0 + 0x1p-40);
    } else {
        status = linpred__no_memory(error);
    }
    linpred__release(sum);
    linpred__release(column);
    linpred__gathered_clear(&gathered);
    return status;
}

/* Undecided: the combination λ that the linear program offers proves that no margin is above ||Σ λ z|| / Σ λ. */
static linpred_status take_bound(struct work *work, linpred_error *error)
{
    linpred__oracle *oracle = work->oracle;
    oracle->kind = LINPRED__ORACLE_UNDECIDED;
    double *lambda = linpred__calloc((size_t)work->rows, sizeof *lambda);
    int64_t *row = linpred__alloc((size_t)work->rows, sizeof *row);
    struct entry *entry = in_file_order(work, NULL, (int32_t)work->rows);
    linpred__lp_answer answer = LINPRED__LP_FAILED;
    linpred_status status = lambda && row && entry ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && work->rows > 0)
        status = linpred__separation_propose(work->separation, stop, work, &answer, work->w, lambda, error);
    int64_t support = 0;
    for (int64_t i = 0; status == LINPRED_OK && answer == LINPRED__LP_INFEASIBLE && i < work->rows; i++)
        support += lambda[i] > 0 && isfinite(lambda[i]);
    if (support > 0) {
        int64_t at = 0;
        if (!linpred__certificate_supports(&oracle->proof, support))
            status = linpred__no_memory(error);
        for (int64_t i = 0; status == LINPRED_OK && i < work->rows; i++) {
            double multiplier = lambda[entry[i].place];
            if (!(multiplier > 0 && isfinite(multiplier)))
                continue;
            row[at] = work->row[entry[i].place];
            oracle->proof.support_row[at] = entry[i].row;
            oracle->proof.multiplier[at++] = multiplier;
        }
        if (status == LINPRED_OK)
            status = bound_margin(work, row, error);
    }
    linpred__release(lambda);
    linpred__release(row);
    linpred__release(entry);
    return status;
}

/* ---- the search ---------------------------------------------------------------------------------------------------------------- */

/* A few passes of the perceptron; its last weights are the first proposal. */
static linpred_status try_perceptron(struct work *work, bool *separated, linpred_error *error)
{
    linpred__fit *fit = work->fit;
    linpred_options options;
    linpred_options_init(&options);
    options.no_intercept = fit->options->no_intercept;
    linpred__walk walk;
    linpred_status status = linpred__walk_open(&walk, fit->data, fit->pool, &options, NULL, 0.0, error);
    if (status != LINPRED_OK)
        return status;
    walk.eager = true;
    *separated = false;
    bool promising = fit->data->rows <= 4 * (int64_t)fit->data->columns;
    for (int pass = 0; !*separated && pass < (promising ? MOST_PASSES : FIRST_PASSES) && isfinite(walk.norm);) {
        if (linpred__walk_advance(&walk) != LINPRED__WALK_PASS_END)
            continue;
        pass++;
        *separated = walk.clean;
        work->oracle->updates = walk.updates;
        if (!*separated && stop(work))
            break; /* the search asks again, and ends */
        linpred__walk_next_pass(&walk);
    }
    work->radius = walk.radius;
    memcpy(work->w, walk.plane.w, (size_t)fit->data->columns * sizeof(double));
    if (work->has_intercept)
        work->w[fit->data->columns] = walk.plane.b;
    work->oracle->updates = walk.updates;
    work->oracle->passes = walk.visited / fit->data->rows;
    work->oracle->kind = LINPRED__ORACLE_SEPARATED;
    linpred__walk_close(&walk);
    return LINPRED_OK;
}

/* The rows of all that integers w get wrong, in exact arithmetic: rare, so one after the other. */
static linpred_status look_exactly(struct work *work, const linpred__integers *w, int64_t *added, linpred_error *error)
{
    const linpred_data *data = work->fit->data;
    int32_t most = rows_a_round(work);
    int64_t *wrong = linpred__alloc((size_t)most, sizeof *wrong);
    linpred_status status = wrong ? LINPRED_OK : linpred__no_memory(error);
    *added = 0;
    work->oracle->passes++;
    for (int64_t row = 0; status == LINPRED_OK && row < data->rows && *added < most; row++) {
        linpred__gathered gathered;
        status = linpred__gather(data, work->has_intercept, &row, 1, &gathered, error);
        if (status == LINPRED_OK && linpred__row_sign_integers(&gathered.rows, 0, w) <= 0)
            wrong[(*added)++] = row;
        linpred__gathered_clear(&gathered);
    }
    if (status == LINPRED_OK && *added > 0)
        status = add_rows(work, wrong, *added, error);
    linpred__release(wrong);
    return status;
}

static bool is_zero(const linpred_data *data, int64_t row)
{
    const linpred__block *block = &data->block[row / data->block_rows];
    int64_t r = row % data->block_rows;
    bool dense = block->layout == LINPRED__DENSE;
    int64_t from = dense ? r * block->stride : block->start[r];
    int64_t count = dense ? block->columns : block->start[r + 1] - from;
    return linpred__norm_above(block->values + from, count, 0.0) == 0.0;
}

/* Two rows with the same x and both labels need no search: 1 z + 1 z' = 0. */
static linpred_status try_twins(struct work *work, int64_t rows, bool *done, linpred_error *error)
{
    linpred__certificate *proof = &work->oracle->proof;
    int64_t twin[2];
    linpred_status status = linpred__find_twins(work->fit->data, work->fit->pool, rows, done, twin, error);
    work->oracle->passes += rows >= work->fit->data->rows;
    if (status != LINPRED_OK || !*done)
        return status;
    /* Through the origin a row of zeros is a proof by itself. */
    int count = !work->has_intercept && is_zero(work->fit->data, twin[0]) ? 1 : 2;
    if (!linpred__certificate_witnesses(proof, count))
        return linpred__no_memory(error);
    for (int i = 0; i < count; i++) {
        proof->witness_row[i] = linpred_data_source_row(work->fit->data, twin[i]);
        proof->witness_weight[i] = linpred__copy_text("1", 1);
        if (!proof->witness_weight[i])
            return linpred__no_memory(error);
    }
    work->oracle->kind = LINPRED__ORACLE_INSEPARABLE;
    return LINPRED_OK;
}

/* The exact answer for the working rows: done if they are inseparable or too hard, else a better w to try on all rows, or
   new working rows already. */
static linpred_status settle(struct work *work, bool *done, bool *new_rows, linpred_error *error)
{
    linpred__effort effort = {.limit = EXACT_SECONDS * 1e9, .stop = stop, .context = work};
    linpred__exact_answer answer;
    double began = linpred__fit_seconds(work->fit);
    linpred_status status = linpred__separation_settle(work->separation, &effort, &answer, error);
    work->oracle->solver_seconds += linpred__fit_seconds(work->fit) - began;
    if (status != LINPRED_OK)
        return status;
    *done = true;
    if (answer.verdict == LINPRED__INSEPARABLE) {
        status = take_witness(work, &answer, error);
    } else if (answer.verdict == LINPRED__UNDECIDED) {
        work->oracle->stopped = work->fit->result->info.reason[0] != '\0';
        status = take_bound(work, error);
    } else if (answer.rounded) {
        memcpy(work->w, answer.rounded, (size_t)(work->fit->data->columns + work->has_intercept) * sizeof(double));
        *done = false;
    } else {
        int64_t added;
        status = look_exactly(work, &answer.w, &added, error);
        *done = status == LINPRED_OK && added == 0;
        *new_rows = added > 0;
        if (*done) {
            status = take_integers(work, &answer, error);
            work->oracle->kind = LINPRED__ORACLE_SEPARATED;
        }
    }
    linpred__exact_answer_close(&answer);
    return status;
}

/* Whether the weights proposed fit into doubles: those for subnormal rows may not. */
static bool all_finite(const struct work *work)
{
    for (int32_t j = 0; j < work->fit->data->columns + work->has_intercept; j++)
        if (!isfinite(work->w[j]))
            return false;
    return true;
}

/* One round: a proposal for the working rows, tried on all rows. */
static linpred_status round_of(struct work *work, bool *done, linpred_error *error)
{
    linpred__lp_answer answer;
    int64_t mistakes = 0, added = 0;
    work->oracle->rounds++;
    double began = linpred__fit_seconds(work->fit);
    linpred_status status =
        linpred__separation_propose(work->separation, stop, work, &answer, work->w, NULL, error);
    work->oracle->solver_seconds += linpred__fit_seconds(work->fit) - began;
    if (status != LINPRED_OK)
        return status;
    if (answer == LINPRED__LP_STOPPED) {
        work->oracle->stopped = true;
        *done = true;
        return take_bound(work, error);
    }
    bool settled = answer != LINPRED__LP_FEASIBLE || !all_finite(work);
    bool new_rows = false;
    if (answer == LINPRED__LP_INFEASIBLE && work->fit->data->rows > FIRST_TWINS)
        status = try_twins(work, work->fit->data->rows, done, error);
    if (status == LINPRED_OK && settled && !*done)
        status = settle(work, done, &new_rows, error);
    while (status == LINPRED_OK && !*done && !new_rows) {
        status = look(work, -INFINITY, &mistakes, &added, error);
        if (status != LINPRED_OK || added > 0)
            return status;
        if (mistakes == 0) {
            work->oracle->kind = LINPRED__ORACLE_SEPARATED;
            *done = true;
        } else if (settled) {
            return linpred__fail(error, LINPRED_ERROR_INTERNAL, "a proved halfspace fails on its own rows");
        } else {
            settled = true; /* the proposal fails on rows it was made for: too near for floating point */
            status = settle(work, done, &new_rows, error);
        }
    }
    return status;
}

static linpred_status search(struct work *work, linpred_error *error)
{
    bool done = false;
    int64_t mistakes = -1, added;
    linpred_status status = try_perceptron(work, &done, error);
    if (status == LINPRED_OK && !done)
        status = try_twins(work, FIRST_TWINS, &done, error);
    if (status == LINPRED_OK && !done && linpred__is_wide(work->fit->data))
        return linpred__ask_wide(work->fit, work->oracle, error);
    if (status == LINPRED_OK && !done)
        status = open_separation(work, error);
    if (status == LINPRED_OK && !done) {
        status = look(work, INFINITY, &mistakes, &added, error);
        done = mistakes == 0;
    }
    while (status == LINPRED_OK && !done) {
        if (stop(work)) {
            work->oracle->stopped = true;
            status = take_bound(work, error);
            break;
        }
        status = round_of(work, &done, error);
    }
    keep_w(work);
    return status;
}

linpred_status linpred__ask_oracle(linpred__fit *fit, linpred__oracle *oracle, linpred_error *error)
{
    *oracle = (linpred__oracle){.proof = {.errors = NAN, .bound = NAN}};
    struct work work = {.fit = fit, .oracle = oracle, .has_intercept = !fit->options->no_intercept};
    work.w = linpred__calloc((size_t)fit->data->columns + 1, sizeof(double));
    oracle->w = linpred__calloc((size_t)fit->data->columns, sizeof(double));
    linpred_status status = work.w && oracle->w ? search(&work, error) : linpred__no_memory(error);
    linpred__separation_close(work.separation);
    linpred__release(work.row);
    linpred__release(work.w);
    if (status != LINPRED_OK)
        linpred__oracle_clear(oracle);
    return status;
}
