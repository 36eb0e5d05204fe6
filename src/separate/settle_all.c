/* A direction that settles all it can. A direction v has <v,z> >= 0 on every row; it settles the rows with <v,z> > 0.
 *
 * Let T be the rows that v leaves at 0. A direction u of T, extended to K v + u with K large enough, settles what v and
 * u settle. So T is asked the three-way question again and again until its rows overlap. Every direction of all rows is
 * >= 0 on T, and hence 0 there: no direction settles a row that the last one leaves.
 *
 * The proof is positive integers λ on every row of T with Σ λ z = 0. The carriers c of the answer span T and have
 * Σ λ_c z_c = 0. Each other row r has a relation a_r z_r + Σ a_rc z_c = 0 with a_r > 0. The sum of all relations and of
 * M times the carriers' is the proof, with M so large that the weights of the carriers are positive.
 *
 * Read from the end.
 */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/row_extents.h"
#include "separate/limits.h"
#include "separate/rows/direction_rows.h"
#include "separate/rows/solver_rows.h"
#include "separate/strict_separation.h"
#include "separate/three_way.h"
#include "solve/exact_lp/dependency.h"

struct settling {
    linpred__run *run;
    const linpred__problem *problem;
    linpred__three_way *answer;
    linpred__integers v;
};

static bool stop_settling(void *context)
{
    struct settling *work = context;
    return linpred__run_should_stop(work->run, "rows left?", work->answer->rounds, work->answer->passes, 0.0);
}

/* ---- the proof --------------------------------------------------------------------------------------------------- */

/* The rows that are left, and their weights. */
struct proof {
    const linpred_data *data; /* the rows that are left alone */
    bool has_intercept;
    bool *carrier;            /* for each row */
    int64_t *basis;           /* carriers that are independent, and the row that is tried behind them */
    int32_t members;          /* of the basis */
    linpred__integers weight; /* of each row */
    linpred__integers more;   /* of each carrier: its weight in the carriers' own sum */
};

/* Adds the relation of a row, the last of `relation`, to the weights. */
static void add_relation(struct proof *proof, const linpred__dependency *relation)
{
    int32_t last = relation->count - 1;
    bool negative = mpz_sgn(relation->weight.value[last]) < 0;
    for (int32_t k = 0; k <= last; k++) {
        mpz_t *weight = &proof->weight.value[proof->basis[relation->row[k]]];
        if (negative)
            mpz_sub(*weight, *weight, relation->weight.value[k]);
        else
            mpz_add(*weight, *weight, relation->weight.value[k]);
    }
}

/* Tries a row behind the basis: a carrier joins it, or is left out; another row has a relation, which is added. */
static linpred_status try_behind_basis(struct settling *work, struct proof *proof, int64_t row, bool *decided,
                                       linpred_error *error)
{
    linpred__gathered gathered;
    linpred__dependency relation;
    linpred__effort effort = {.limit = LINPRED__EXACT_WORK, .stop = stop_settling, .context = work};
    proof->basis[proof->members] = row;
    linpred_status status =
        linpred__gather(proof->data, proof->has_intercept, proof->basis, proof->members + 1, &gathered, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__find_dependency(&gathered.rows, &effort, &relation, error);
    linpred__gathered_clear(&gathered);
    if (status != LINPRED_OK)
        return status;
    *decided = relation.decided && (proof->carrier[row] || relation.count > 0);
    if (*decided && relation.count == 0)
        proof->members++;
    else if (*decided && !proof->carrier[row])
        add_relation(proof, &relation);
    linpred__dependency_close(&relation);
    return status;
}

/* Adds so many times the carriers' own sum that all their weights are positive. */
static void lift_carriers(struct proof *proof)
{
    mpz_t times, needed;
    mpz_inits(times, needed, NULL);
    mpz_set_si(times, 0);
    for (int32_t i = 0; i < proof->weight.count; i++)
        if (proof->carrier[i]) { /* weight + times more >= 1 */
            mpz_ui_sub(needed, 1, proof->weight.value[i]);
            mpz_cdiv_q(needed, needed, proof->more.value[i]);
            if (mpz_cmp(needed, times) > 0)
                mpz_set(times, needed);
        }
    for (int32_t i = 0; i < proof->weight.count; i++)
        if (proof->carrier[i])
            mpz_addmul(proof->weight.value[i], times, proof->more.value[i]);
    mpz_clears(times, needed, NULL);
    linpred__integers_reduce(&proof->weight);
}

/* Marks the carriers and reads their weights. */
static void mark_carriers(struct proof *proof, const linpred__combination *carriers)
{
    for (int64_t k = 0; k < carriers->count; k++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(proof->data, carriers->row[k], &r);
        int64_t row = block->first_row + r;
        proof->carrier[row] = true;
        mpz_set_str(proof->more.value[row], carriers->weight[k], 10);
    }
}

/* Takes the weights as the proof, with the numbers of the file. */
static linpred_status take_proof(struct settling *work, const struct proof *proof, const linpred__rest *rest,
                                 linpred_error *error)
{
    linpred__combination *out = &work->answer->carriers;
    int64_t next = 0;
    linpred__combination_clear(out);
    if (!linpred__combination_open(out, proof->weight.count))
        return linpred__no_memory(error);
    for (int32_t i = 0; i < proof->weight.count; i++) {
        while (rest->on && !rest->on[next])
            next++;
        out->row[i] = linpred_data_source_row(rest->data, next++);
        out->weight[i] = linpred__integers_text(&proof->weight, i);
        if (!out->weight[i])
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}

/* Makes the proof for the rows that are left from their carriers. Carriers that span the space are a proof already. */
static linpred_status prove_overlap(struct settling *work, const linpred__rest *rest, const linpred_data *rows,
                                    const linpred__combination *carriers, linpred_error *error)
{
    struct proof proof = {.data = rows, .has_intercept = work->problem->has_intercept};
    int32_t width = rows->columns + proof.has_intercept;
    proof.carrier = linpred__calloc((size_t)rows->rows, sizeof *proof.carrier);
    proof.basis = linpred__calloc((size_t)width + 1, sizeof *proof.basis);
    bool ready = linpred__integers_open((int32_t)rows->rows, &proof.weight) &&
                 linpred__integers_open((int32_t)rows->rows, &proof.more) && proof.carrier && proof.basis,
         decided = true;
    linpred_status status = ready ? LINPRED_OK : linpred__no_memory(error);
    if (ready)
        mark_carriers(&proof, carriers);
    for (int turn = 0; turn < 2; turn++) /* carriers first */
        for (int64_t i = 0; status == LINPRED_OK && decided && proof.members < width && i < rows->rows; i++)
            if (proof.carrier[i] == (turn == 0))
                status = try_behind_basis(work, &proof, i, &decided, error);
    if (status == LINPRED_OK && decided && proof.members < width) {
        lift_carriers(&proof);
        status = take_proof(work, &proof, rest, error);
    }
    linpred__integers_close(&proof.weight);
    linpred__integers_close(&proof.more);
    linpred__release(proof.carrier);
    linpred__release(proof.basis);
    return status;
}

/* ---- one more direction ------------------------------------------------------------------------------------------ */

/* Makes v the first of K v + u, K = 1, 2, 4, 16, …, that is positive on `wanted` rows and negative on none. *done is
   set if there is none. */
static linpred_status add_direction(struct settling *work, const linpred__direction *more, int64_t wanted, bool *done,
                                    linpred_error *error)
{
    linpred__integers u, sum;
    if (!linpred__direction_integers(more, &u))
        return linpred__no_memory(error);
    if (!linpred__integers_open(work->v.count, &sum)) {
        linpred__integers_close(&u);
        return linpred__no_memory(error);
    }
    linpred_status status = LINPRED_OK;
    *done = true;
    for (mp_bitcnt_t bits = 0; status == LINPRED_OK && *done && bits <= 1024; bits = bits > 0 ? 2 * bits : 1) {
        linpred__found_rows tried;
        for (int32_t j = 0; j < sum.count; j++) {
            mpz_mul_2exp(sum.value[j], work->v.value[j], bits);
            mpz_add(sum.value[j], sum.value[j], u.value[j]);
        }
        status = linpred__try_direction(work->run, work->problem, &sum, NULL, &tried, error);
        work->answer->passes++;
        if (status == LINPRED_OK) {
            *done = tried.count > 0 || tried.positive != wanted;
            linpred__release(tried.row);
        }
    }
    if (status == LINPRED_OK && !*done) {
        linpred__integers_reduce(&sum);
        linpred__integers kept = work->v;
        work->v = sum;
        sum = kept;
        work->answer->settled_rows = wanted;
    }
    linpred__integers_close(&u);
    linpred__integers_close(&sum);
    return status;
}

/* Asks the rows that are left for a direction of their own. */
static linpred_status ask_rows_left(struct settling *work, const linpred__rest *rest, linpred_data *rows, bool *done,
                                    linpred_error *error)
{
    linpred__problem left = {.data = rows, .has_intercept = work->problem->has_intercept};
    linpred__three_way found;
    linpred_status status =
        linpred__find_row_extents(rows, work->run->pool, left.has_intercept, false, &left.extents, error);
    if (status != LINPRED_OK)
        return status;
    *done = true;
    status = linpred__ask_three_way(work->run, &left, NULL, 0.0, &found, error);
    if (status == LINPRED_OK) {
        work->answer->passes += found.passes; /* the rounds stay those of the question whether there is a direction */
        if (found.direction.count > 0)
            status =
                add_direction(work, &found.direction, work->answer->settled_rows + found.settled_rows, done, error);
        else if (found.kind == LINPRED_SEPARATION_OVERLAPPING)
            status = prove_overlap(work, rest, rows, &found.carriers, error);
        linpred__three_way_clear(&found);
    }
    linpred__row_extents_clear(&left.extents);
    return status;
}

static bool is_too_much(const linpred_data *data, int64_t rows)
{
    double columns = data->columns + 1.0;
    return (double)rows * columns * columns > LINPRED__SETTLE_WORK || rows > INT32_MAX;
}

static linpred_status settle_more(struct settling *work, bool *done, linpred_error *error)
{
    linpred__rest rest = {.data = work->problem->data};
    linpred_data *rows = NULL;
    linpred__found_rows tried = {0};
    rest.on = linpred__alloc((size_t)rest.data->rows, sizeof *rest.on);
    linpred_status status = rest.on ? linpred__try_direction(work->run, work->problem, &work->v, rest.on, &tried, error)
                                    : linpred__no_memory(error);
    linpred__release(tried.row);
    work->answer->passes++;
    *done = tried.positive == rest.data->rows || is_too_much(rest.data, rest.data->rows - tried.positive);
    if (status == LINPRED_OK && !*done)
        status = linpred__rest_copy(&rest, &rows, error);
    if (status == LINPRED_OK && !*done)
        status = ask_rows_left(work, &rest, rows, done, error);
    linpred_data_free(rows);
    linpred__rest_clear(&rest);
    return status;
}

linpred_status linpred__settle_all(linpred__run *run, const linpred__problem *problem, linpred__three_way *answer,
                                   linpred_error *error)
{
    struct settling work = {.run = run, .problem = problem, .answer = answer};
    bool done = false;
    if (answer->kind == LINPRED_SEPARATION_OVERLAPPING && !is_too_much(problem->data, problem->data->rows)) {
        linpred__combination carriers = answer->carriers;
        linpred__rest all = {.data = problem->data};
        answer->carriers = (linpred__combination){0};
        linpred_status made = prove_overlap(&work, &all, problem->data, &carriers, error);
        if (answer->carriers.count == 0)
            answer->carriers = carriers;
        else
            linpred__combination_clear(&carriers);
        return made;
    }
    if (answer->kind != LINPRED_SEPARATION_QUASI_SEPARATED || answer->direction.count == 0)
        return LINPRED_OK;
    if (!linpred__direction_integers(&answer->direction, &work.v))
        return linpred__no_memory(error);
    int64_t before = answer->settled_rows;
    linpred_status status = LINPRED_OK;
    while (status == LINPRED_OK && !done && !stop_settling(&work))
        status = settle_more(&work, &done, error);
    if (status == LINPRED_OK && answer->settled_rows > before) {
        linpred__direction_clear(&answer->direction);
        status = linpred__take_direction(&answer->direction, &work.v, error);
    }
    linpred__integers_close(&work.v);
    return status;
}
