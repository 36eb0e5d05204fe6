#include "separate/two_way.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "separate/gather.h"
#include "separate/file_rows.h"
#include "separate/contradictory_rows.h"
#include "pass/violators.h"
#include "separate/walk.h"
#include "separate/large_scale.h"
#include "separate/working_set.h"
#include "solve/row_signs.h"

enum {
    FIRST_PASSES = 2,       /* of the perceptron, before any linear program */
    FIRST_VALUES = 1 << 22, /* about so many numbers they are made on: every n-th block of larger data */
    FIRST_TWINS = 65536,    /* rows looked through for twins at first; all of them once the answer is no */
    MOST_PASSES = 200,      /* if it makes few mistakes in each: wide data that is easy to separate */
    MOST_A_ROUND = 2000,    /* rows that join in one round, at most */
    EXACT_SECONDS = 60      /* about: what one exact question may cost */
};

struct work {
    linpred__fit *fit;
    linpred__two_way *oracle;
    bool has_intercept;
    linpred__working_set working;
    double *w;    /* columns + 1 long, intercept last */
    double spent; /* of fit->oracle_work */
};

void linpred__two_way_clear(linpred__two_way *oracle)
{
    linpred__release(oracle->w);
    linpred__certificate_clear(&oracle->proof);
    *oracle = (linpred__two_way){0};
}

static bool stop(void *context)
{
    struct work *work = context;
    linpred__two_way *oracle = work->oracle;
    bool yes = linpred__fit_should_stop(work->fit, "separable?", oracle->updates, oracle->passes, NAN);
    oracle->stopped = oracle->stopped || yes;
    return yes;
}

/* By size, never by the clock: what is found must not depend on the machine's speed. */
static bool is_spent(const struct work *work)
{
    return work->fit->oracle_work > 0 && work->spent > work->fit->oracle_work;
}

/* Asked by the linear program after so many iterations: each takes about a product with its matrix and with the
   transpose, and what factors of a basis fill in. */
static bool stop_lp(void *context)
{
    struct work *work = context;
    const linpred_data *data = work->fit->problem.data;
    double entries = (double)data->entries / (double)data->rows + work->has_intercept;
    work->spent += LINPRED__LP_SLICE * (2.0 * entries + 0.25 * data->columns) * (double)work->working.rows;
    return is_spent(work) || stop(work);
}

/* ---- working rows
 * --------------------------------------------------------------------------------------------------------- */

static linpred_status add_rows(struct work *work, const int64_t *row, int64_t count, int64_t *added,
                               linpred_error *error)
{
    linpred_status status = linpred__working_set_add(&work->working, row, count, added, error);
    work->oracle->working_rows = work->working.rows;
    return status;
}

static int32_t rows_a_round(const struct work *work)
{
    int64_t wanted = 100 + 4 * (int64_t)work->fit->problem.data->columns;
    return wanted > MOST_A_ROUND ? MOST_A_ROUND : (int32_t)wanted;
}

/* The worst rows by work->w: *mistakes in all, *added of them new to the working rows. */
static linpred_status look(struct work *work, double below, int64_t *mistakes, int64_t *added, linpred_error *error)
{
    const linpred_data *data = work->fit->problem.data;
    linpred__violators violators;
    linpred_status status =
        linpred__find_violators(work->fit, work->w, work->has_intercept ? work->w[data->columns] : 0.0,
                                rows_a_round(work), below, &violators, error);
    if (status != LINPRED_OK)
        return status;
    work->oracle->passes++;
    *mistakes = violators.mistakes;
    *added = 0;
    if (*mistakes > 0)
        status = add_rows(work, violators.row, violators.count, added, error);
    linpred__violators_clear(&violators);
    return status;
}

/* ---- answers
 * ---------------------------------------------------------------------------------------------------------------- */

static void keep_w(struct work *work)
{
    int32_t columns = work->fit->problem.data->columns;
    memcpy(work->oracle->w, work->w, (size_t)columns * sizeof(double));
    work->oracle->b = work->has_intercept ? work->w[columns] : 0.0;
}

/* Undecided: the combination λ that the linear program offers proves that no margin is above ||Σ λ z|| / Σ λ. */
static linpred_status take_bound(struct work *work, linpred_error *error)
{
    linpred__two_way *oracle = work->oracle;
    const linpred__working_set *working = &work->working;
    oracle->kind = LINPRED__ORACLE_UNDECIDED;
    double *lambda = linpred__calloc((size_t)working->rows, sizeof *lambda);
    int64_t *row = linpred__alloc((size_t)working->rows, sizeof *row);
    linpred__lp_answer answer = LINPRED__LP_FAILED;
    linpred_status status = lambda && row ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && working->rows > 0 && !is_spent(work))
        status = linpred__working_rows_propose(working->separation, stop_lp, work, &answer, work->w, lambda, error);
    int64_t support = 0;
    for (int64_t i = 0; status == LINPRED_OK && answer == LINPRED__LP_INFEASIBLE && i < working->rows; i++)
        if (lambda[i] > 0 && isfinite(lambda[i])) {
            row[support] = working->row[i];
            lambda[support++] = lambda[i];
        }
    if (support > 0)
        status =
            linpred__take_support(&oracle->proof, work->fit->problem.data, row, NULL, support, lambda, NULL, error);
    if (status == LINPRED_OK && support > 0)
        status = linpred__bound_margin(work->fit->problem.data, work->has_intercept, row, lambda, support,
                                       &oracle->proof.bound, error);
    linpred__release(lambda);
    linpred__release(row);
    return status;
}

/* ---- the search
 * ---------------------------------------------------------------------------------------------------------------- */

/* Passes of the perceptron over `data`, all rows or a sample; its last weights are the first proposal. */
static linpred_status walk_over(struct work *work, const linpred_data *data, int passes, bool *separated,
                                linpred_error *error)
{
    linpred__fit *fit = work->fit;
    linpred_options options;
    linpred__options_init(&options);
    options.no_intercept = fit->options->no_intercept;
    linpred__walk walk;
    linpred_status status =
        linpred__walk_open(&walk, data, fit->run.pool, &options, fit->problem.extents.radius.above, NULL, 0.0, error);
    if (status != LINPRED_OK)
        return status;
    walk.eager = true;
    for (int pass = 0; !*separated && pass < passes && isfinite(walk.norm);) {
        if (linpred__walk_advance(&walk) != LINPRED__WALK_PASS_END)
            continue;
        pass++;
        *separated = walk.clean;
        work->oracle->updates = walk.updates;
        if (!*separated && stop(work))
            break; /* the search asks again, and ends */
        linpred__walk_next_pass(&walk);
    }
    memcpy(work->w, walk.plane.w, (size_t)data->columns * sizeof(double));
    if (work->has_intercept)
        work->w[data->columns] = walk.plane.b;
    work->oracle->updates = walk.updates;
    work->oracle->passes = walk.visited / fit->problem.data->rows;
    linpred__walk_close(&walk);
    return LINPRED_OK;
}

static linpred_status try_perceptron(struct work *work, bool *separated, linpred_error *error)
{
    const linpred_data *data = work->fit->problem.data;
    bool promising = data->rows <= 4 * (int64_t)data->columns;
    int64_t every = (data->entries + data->rows) / FIRST_VALUES;
    bool sampled = every > 1 && !promising;
    linpred_data sample = *data;
    if (sampled && !linpred__data_sample(data, every, &sample))
        return linpred__no_memory(error);
    *separated = false;
    linpred_status status = walk_over(work, &sample, promising ? MOST_PASSES : FIRST_PASSES, separated, error);
    if (sampled) {
        *separated = false; /* of all rows that is not known yet */
        linpred__release(sample.block);
    }
    if (*separated)
        work->oracle->kind = LINPRED__ORACLE_SEPARATED;
    return status;
}

/* The rows of all that integers w get wrong, in exact arithmetic: rare, so one after the other. */
static linpred_status look_exactly(struct work *work, const linpred__integers *w, int64_t *added, linpred_error *error)
{
    const linpred_data *data = work->fit->problem.data;
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
        status = add_rows(work, wrong, *added, added, error);
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

/* Two rows with the same x and both labels need no search: 1 z + 1 z' = 0. */
static linpred_status try_twins(struct work *work, int64_t rows, bool *done, linpred_error *error)
{
    linpred__certificate *proof = &work->oracle->proof;
    int64_t twin[2];
    linpred_status status =
        linpred__find_contradictory_rows(work->fit->problem.data, work->fit->run.pool, rows, done, twin, error);
    work->oracle->passes += rows >= work->fit->problem.data->rows;
    if (status != LINPRED_OK || !*done)
        return status;
    /* Through the origin a row of zeros is a proof by itself. */
    int count = !work->has_intercept && is_zero(work->fit->problem.data, twin[0]) ? 1 : 2;
    if (!linpred__certificate_witnesses(proof, count))
        return linpred__no_memory(error);
    for (int i = 0; i < count; i++) {
        proof->witness_row[i] = linpred_data_source_row(work->fit->problem.data, twin[i]);
        proof->witness_weight[i] = linpred__copy_text("1", 1);
        if (!proof->witness_weight[i])
            return linpred__no_memory(error);
    }
    work->oracle->kind = LINPRED__ORACLE_INSEPARABLE;
    return LINPRED_OK;
}

/* The exact answer for the working rows: done if they are inseparable or too hard, else a better w to try on all rows,
   or new working rows already. */
static linpred_status settle(struct work *work, bool *done, bool *new_rows, linpred_error *error)
{
    linpred__effort effort = {.limit = EXACT_SECONDS * 1e9, .stop = stop, .context = work};
    if (work->fit->oracle_work > 0)
        effort.limit = fmin(effort.limit, fmax(1.0, work->fit->oracle_work - work->spent));
    linpred__exact_answer answer;
    double began = linpred__run_seconds(&work->fit->run);
    linpred_status status = linpred__working_rows_certify(work->working.separation, &effort, &answer, error);
    work->oracle->solver_seconds += linpred__run_seconds(&work->fit->run) - began;
    work->spent += effort.spent;
    if (status != LINPRED_OK)
        return status;
    *done = true;
    if (answer.verdict == LINPRED__INSEPARABLE) {
        work->oracle->kind = LINPRED__ORACLE_INSEPARABLE;
        status = linpred__take_witness(&work->oracle->proof, work->fit->problem.data, work->working.row, answer.row,
                                       answer.count, &answer.weight, error);
    } else if (answer.verdict == LINPRED__UNDECIDED) {
        status = take_bound(work, error);
    } else if (answer.rounded) {
        memcpy(work->w, answer.rounded,
               (size_t)(work->fit->problem.data->columns + work->has_intercept) * sizeof(double));
        *done = false;
    } else {
        int64_t added;
        status = look_exactly(work, &answer.w, &added, error);
        *done = status == LINPRED_OK && added == 0;
        *new_rows = added > 0;
        if (*done) {
            status = linpred__take_direction(&work->oracle->proof, &answer.w, error);
            work->oracle->kind = LINPRED__ORACLE_SEPARATED;
        }
    }
    linpred__exact_answer_close(&answer);
    return status;
}

/* Whether the weights proposed fit into doubles: those for subnormal rows may not. */
static bool all_finite(const struct work *work)
{
    for (int32_t j = 0; j < work->fit->problem.data->columns + work->has_intercept; j++)
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
    double began = linpred__run_seconds(&work->fit->run);
    linpred_status status =
        linpred__working_rows_propose(work->working.separation, stop_lp, work, &answer, work->w, NULL, error);
    work->oracle->solver_seconds += linpred__run_seconds(&work->fit->run) - began;
    if (status != LINPRED_OK)
        return status;
    if (answer == LINPRED__LP_STOPPED) {
        *done = true;
        return take_bound(work, error);
    }
    bool settled = answer != LINPRED__LP_FEASIBLE || !all_finite(work);
    bool new_rows = false;
    if (answer == LINPRED__LP_INFEASIBLE && work->fit->problem.data->rows > FIRST_TWINS)
        status = try_twins(work, work->fit->problem.data->rows, done, error);
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
    if (status == LINPRED_OK && !done && linpred__is_large_scale(work->fit->problem.data))
        return linpred__ask_large_scale(work->fit, work->oracle, error);
    if (status == LINPRED_OK && !done)
        status = linpred__working_set_open(work->fit, &work->working, error);
    if (status == LINPRED_OK && !done) {
        status = look(work, INFINITY, &mistakes, &added, error);
        done = mistakes == 0;
        work->oracle->kind = LINPRED__ORACLE_SEPARATED;
    }
    while (status == LINPRED_OK && !done) {
        if (is_spent(work) || stop(work)) {
            status = take_bound(work, error);
            break;
        }
        status = round_of(work, &done, error);
    }
    keep_w(work);
    return status;
}

linpred_status linpred__ask_two_way(linpred__fit *fit, linpred__two_way *oracle, linpred_error *error)
{
    *oracle = (linpred__two_way){.proof = {.errors = NAN, .bound = NAN}};
    struct work work = {.fit = fit, .oracle = oracle, .has_intercept = !fit->options->no_intercept};
    work.w = linpred__calloc((size_t)fit->problem.data->columns + 1, sizeof(double));
    oracle->w = linpred__calloc((size_t)fit->problem.data->columns, sizeof(double));
    linpred_status status = work.w && oracle->w ? search(&work, error) : linpred__no_memory(error);
    linpred__working_set_close(&work.working);
    linpred__release(work.w);
    oracle->stopped = oracle->stopped && oracle->kind == LINPRED__ORACLE_UNDECIDED;
    if (status != LINPRED_OK)
        linpred__two_way_clear(oracle);
    return status;
}
