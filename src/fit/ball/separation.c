/* Whether a ball separates the rows (see separation.h): the two-way answer for rounded rows, then rounds of exact
 * linear programming and pricing. */
#include "fit/ball/separation.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/violators.h"
#include "separate/limits.h"
#include "separate/two_way.h"
#include "solve/row_signs.h"
#include "solve/working/working_rows.h"

struct ball_search {
    linpred__run *run;
    const linpred__ball_lift *lift;
    linpred__best_ball *best;
    linpred__ball_separation *answer;
    linpred__working_rows *working;
    int64_t *row;    /* for each working row, the number of its lifted row */
    size_t capacity; /* of `row` */
    int64_t rows;    /* working rows */
    double *w;       /* the proposed weights of lifted rows, rounded to doubles */
    bool done;       /* answer->kind is final */
};

void linpred__ball_separation_clear(linpred__ball_separation *answer)
{
    linpred__direction_clear(&answer->direction);
    linpred__combination_clear(&answer->witness);
    *answer = (linpred__ball_separation){0};
}

static bool stop_ball_search(void *context)
{
    struct ball_search *work = context;
    const linpred__ball_separation *answer = work->answer;
    return linpred__run_should_stop(work->run, "ball?", answer->updates, answer->passes + work->best->passes, NAN);
}

/* Tries balls around the centre that weights of lifted rows describe. One that separates the rows becomes the best. If
   none does and `keep` is set, the one with the fewest mistakes becomes the best if it makes fewer. */
static linpred_status try_ball_weights(linpred__run *run, const linpred__ball_lift *lift, const double *w, bool keep,
                                       linpred__best_ball *best, bool *separates, linpred_error *error)
{
    double *centre = linpred__alloc((size_t)lift->data->columns, sizeof *centre);
    if (!centre)
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    *separates = false;
    if (linpred__ball_centre(lift, w, centre)) {
        status = linpred__ball_try_to_separate(run, lift, centre, best, separates, error);
        if (status == LINPRED_OK && !*separates && keep)
            status = linpred__ball_try(run, lift, centre, best, error);
    }
    linpred__release(centre);
    return status;
}

static void conclude_ball_search(struct ball_search *work, linpred_separation kind)
{
    work->answer->kind = kind;
    work->done = true;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static linpred_status add_lifted_rows(struct ball_search *work, const int64_t *row, int64_t count, linpred_error *error)
{
    linpred__gathered gathered;
    bool whole;
    if (!linpred__grow(&work->row, &work->capacity, (size_t)(work->rows + count), sizeof *work->row))
        return linpred__no_memory(error);
    linpred_status status = linpred__ball_gather(work->lift, row, count, &gathered, &whole, error);
    if (status != LINPRED_OK)
        return status;
    if (!whole) {
        conclude_ball_search(work, LINPRED_SEPARATION_UNDECIDED);
        return LINPRED_OK;
    }
    status = linpred__working_rows_add(work->working, &gathered.rows, 0, (int32_t)count, error);
    linpred__gathered_clear(&gathered);
    if (status != LINPRED_OK)
        return status;
    memcpy(work->row + work->rows, row, (size_t)count * sizeof *row);
    work->rows += count;
    if (work->rows > work->answer->working_rows)
        work->answer->working_rows = work->rows;
    return LINPRED_OK;
}

/* Whether the exact product of the exact weights and the exact lifted row is certainly positive, judged by rounded
   ones. An entry of a row has a relative error of at most 2^-52, one of w of at most 2^-53. */
static bool clearly_right(const struct ball_search *work, int64_t row)
{
    const linpred_data *lifted = work->lift->lifted;
    int32_t r;
    const linpred__block *block = linpred__block_of(lifted, row, &r);
    linpred__entries entries = linpred__entries_of(block, r);
    double sum = 0.0, size = 0.0;
    for (int64_t k = 0; k < entries.count; k++) {
        double term = entries.values[k] * work->w[linpred__entry_column(&entries, k)];
        sum += term;
        size += fabs(term);
    }
    /* Entries of wide rows may be below the range of doubles. */
    return !work->lift->wide && block->target[r] * sum > ((double)entries.count + 16.0) * 0x1p-50 * size + 0x1p-900;
}

/* Sets *wrong if integer weights w do not have the row on its right side. */
static linpred_status try_row(struct ball_search *work, const linpred__integers *w, int64_t row, bool *wrong,
                              linpred_error *error)
{
    linpred__gathered gathered;
    bool whole;
    *wrong = false;
    linpred_status status = linpred__ball_gather(work->lift, &row, 1, &gathered, &whole, error);
    if (status != LINPRED_OK)
        return status;
    if (!whole) {
        conclude_ball_search(work, LINPRED_SEPARATION_UNDECIDED);
        return LINPRED_OK;
    }
    *wrong = linpred__row_sign_integers(&gathered.rows, 0, w) <= 0;
    linpred__gathered_clear(&gathered);
    return LINPRED_OK;
}

/* Adds the first rows that integer weights w get wrong to the working rows, at most 100 + 4 columns of them. *added is
   their number. */
static linpred_status price_lifted_rows(struct ball_search *work, const linpred__integers *w, int64_t *added,
                                        linpred_error *error)
{
    const linpred_data *data = work->lift->data;
    int64_t max = 100 + 4 * (int64_t)data->columns;
    int64_t *wrong = linpred__alloc((size_t)max, sizeof *wrong);
    linpred_status status = wrong ? LINPRED_OK : linpred__no_memory(error);
    *added = 0;
    work->answer->passes++;
    for (int64_t row = 0; status == LINPRED_OK && !work->done && row < data->rows && *added < max; row++) {
        bool is_wrong;
        if (clearly_right(work, row))
            continue;
        status = try_row(work, w, row, &is_wrong, error);
        if (status != LINPRED_OK)
            break;
        if (is_wrong)
            wrong[(*added)++] = row;
        if ((row & 0xFFF) == 0 && stop_ball_search(work))
            conclude_ball_search(work, LINPRED_SEPARATION_UNDECIDED);
    }
    if (status == LINPRED_OK && *added > 0 && !work->done)
        status = add_lifted_rows(work, wrong, *added, error);
    linpred__release(wrong);
    return status;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/* Takes the rows of the data from the combination that was found, in the order of the file. The hard row is left
   out. */
static linpred_status take_exact_witness(struct ball_search *work, linpred__exact_answer *found, linpred_error *error)
{
    linpred__combination *witness = &work->answer->witness;
    const linpred_data *data = work->lift->data;
    int32_t count = 0;
    for (int32_t i = 0; i < found->count; i++)
        if (work->row[found->row[i]] < data->rows) {
            int32_t at = count++;
            int32_t row = found->row[i];
            mpz_swap(found->weight.value[at], found->weight.value[i]);
            for (; at > 0 && work->row[found->row[at - 1]] > work->row[row]; at--) {
                found->row[at] = found->row[at - 1];
                mpz_swap(found->weight.value[at], found->weight.value[at - 1]);
            }
            found->row[at] = row;
        } else {
            mpz_set_ui(found->weight.value[i], 0); /* so that it does not count in the common divisor */
        }
    linpred__integers_reduce(&found->weight);
    if (!linpred__combination_open(witness, count))
        return linpred__no_memory(error);
    for (int32_t i = 0; i < count; i++) {
        witness->row[i] = linpred_data_source_row(data, work->row[found->row[i]]);
        witness->weight[i] = linpred__integers_text(&found->weight, i);
        if (!witness->weight[i])
            return linpred__no_memory(error);
    }
    conclude_ball_search(work, LINPRED_SEPARATION_INSEPARABLE);
    return LINPRED_OK;
}

/* found->rounded or found->w separates the working rows. Three ends are possible: a ball separates all rows, rows that
   are wrong join the working rows, or the integers separate all rows though no ball of doubles was found. */
static linpred_status try_separation(struct ball_search *work, linpred__exact_answer *found, linpred_error *error)
{
    int32_t columns = work->lift->lifted->columns;
    bool separates;
    if (found->w.count == 0) {
        if (!linpred__integers_open(columns, &found->w))
            return linpred__no_memory(error);
        linpred__integers_take(found->rounded, &found->w);
    }
    if (found->rounded && !work->lift->wide)
        memcpy(work->w, found->rounded, (size_t)columns * sizeof *work->w);
    else
        linpred__ball_round_exact(work->lift, &found->w, work->w);
    linpred_status status = try_ball_weights(work->run, work->lift, work->w, false, work->best, &separates, error);
    if (status != LINPRED_OK)
        return status;
    if (separates) {
        conclude_ball_search(work, LINPRED_SEPARATION_SEPARATED);
        return LINPRED_OK;
    }
    int64_t added = 0;
    linpred__ball_round_exact(work->lift, &found->w, work->w);
    status = price_lifted_rows(work, &found->w, &added, error);
    if (status != LINPRED_OK || work->done || added > 0)
        return status;
    conclude_ball_search(work, LINPRED_SEPARATION_SEPARATED);
    return linpred__ball_direction(work->lift, &found->w, &work->answer->direction, error);
}

/* One round: certifies the working rows, then takes the witness or tries the separation. */
static linpred_status certifying_round(struct ball_search *work, linpred_error *error)
{
    linpred__effort effort = {.limit = LINPRED__EXACT_WORK, .stop = stop_ball_search, .context = work};
    linpred__exact_answer found;
    double began = linpred__run_seconds(work->run);
    work->answer->rounds++;
    linpred_status status = linpred__working_rows_certify(work->working, &effort, &found, error);
    work->answer->solver_seconds += linpred__run_seconds(work->run) - began;
    if (status != LINPRED_OK)
        return status;
    if (found.kind == LINPRED_SEPARATION_INSEPARABLE)
        status = take_exact_witness(work, &found, error);
    else if (found.kind == LINPRED_SEPARATION_UNDECIDED)
        conclude_ball_search(work, LINPRED_SEPARATION_UNDECIDED);
    else
        status = try_separation(work, &found, error);
    linpred__exact_answer_close(&found);
    return status;
}

/* Adds the first working rows: the hard row, and the rows of the witness or those nearest to the halfspace. */
static linpred_status add_first_rows(struct ball_search *work, const linpred__problem *lifted,
                                     const linpred__two_way *known, linpred_error *error)
{
    int64_t hard = lifted->data->rows - 1, count = 0;
    linpred__violators near = {0};
    linpred_status status = LINPRED_OK;
    if (known->kind == LINPRED_SEPARATION_SEPARATED) {
        linpred__violators_sought sought = {known->w, 0.0, 2 * lifted->data->columns + 20, INFINITY};
        status = linpred__find_violators(work->run, lifted, &sought, &near, error);
    }
    if (status != LINPRED_OK)
        return status;
    int64_t *row = linpred__alloc((size_t)(1 + near.count + known->witness.count), sizeof *row);
    if (row) {
        row[count++] = hard;
        for (int64_t i = 0; i < near.count; i++)
            if (near.row[i] != hard)
                row[count++] = near.row[i];
        for (int64_t i = 0; i < known->witness.count; i++)
            if (known->witness.row[i] != hard + 1)
                row[count++] = known->witness.row[i] - 1;
        status = add_lifted_rows(work, row, count, error);
    } else {
        status = linpred__no_memory(error);
    }
    linpred__violators_clear(&near);
    linpred__release(row);
    return status;
}

/* `known` is the two-way answer for rounded rows: SEPARATED or INSEPARABLE. The first working rows are those of its
   witness, or those nearest to its halfspace. Sets kind, direction and witness of the answer and adds to its counts. */
static linpred_status search_exact_balls(linpred__run *run, const linpred__ball_lift *lift,
                                         const linpred__problem *lifted, const linpred__two_way *known,
                                         linpred__best_ball *best, linpred__ball_separation *answer,
                                         linpred_error *error)
{
    struct ball_search work = {.run = run, .lift = lift, .best = best, .answer = answer};
    work.w = linpred__calloc((size_t)lift->lifted->columns, sizeof *work.w);
    linpred_status status = work.w ? linpred__working_rows_open(lift->lifted->columns, NULL, &work.working, error)
                                   : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = add_first_rows(&work, lifted, known, error);
    while (status == LINPRED_OK && !work.done)
        if (stop_ball_search(&work))
            conclude_ball_search(&work, LINPRED_SEPARATION_UNDECIDED);
        else
            status = certifying_round(&work, error);
    linpred__working_rows_close(work.working);
    linpred__release(work.row);
    linpred__release(work.w);
    return status;
}

/* ---- what the two-way answer for rounded rows means for balls ---------------------------------------------------- */

/* Moves the witness to the answer, with row numbers of the file. The hard row, if present, is the last and is
   dropped. */
static void take_lifted_witness(const linpred_data *data, linpred__combination *witness,
                                linpred__ball_separation *answer)
{
    if (witness->row[witness->count - 1] > data->rows)
        linpred__release(witness->weight[--witness->count]);
    for (int64_t i = 0; i < witness->count; i++)
        witness->row[i] = linpred_data_source_row(data, witness->row[i] - 1);
    answer->kind = LINPRED_SEPARATION_INSEPARABLE;
    answer->witness = *witness;
    *witness = (linpred__combination){0};
}

static linpred_status take_two_way(linpred__run *run, const linpred__ball_lift *lift, const linpred__problem *lifted,
                                   linpred__two_way *found, linpred__best_ball *best, linpred__ball_separation *answer,
                                   linpred_error *error)
{
    bool separates;
    answer->updates = found->updates;
    answer->passes = found->passes;
    answer->rounds = found->rounds;
    answer->working_rows = found->working_rows;
    answer->solver_seconds = found->solver_seconds;
    linpred_status status = try_ball_weights(run, lift, found->w, true, best, &separates, error);
    if (status != LINPRED_OK)
        return status;
    if (separates)
        answer->kind = LINPRED_SEPARATION_SEPARATED;
    else if (found->kind == LINPRED_SEPARATION_INSEPARABLE && lift->exact)
        take_lifted_witness(lift->data, &found->witness, answer);
    else if (found->kind != LINPRED_SEPARATION_UNDECIDED)
        status = search_exact_balls(run, lift, lifted, found, best, answer, error);
    return status;
}

linpred_status linpred__ask_ball_separation(linpred__run *run, const linpred__ball_lift *lift,
                                            const linpred__problem *lifted, linpred__best_ball *best,
                                            linpred__ball_separation *answer, linpred_error *error)
{
    linpred__two_way found;
    *answer = (linpred__ball_separation){.kind = LINPRED_SEPARATION_UNDECIDED, .working_rows = -1};
    linpred_status status = linpred__ask_two_way(run, lifted, 0.0, &found, error);
    if (status != LINPRED_OK)
        return status;
    status = take_two_way(run, lift, lifted, &found, best, answer, error);
    linpred__two_way_clear(&found);
    if (status != LINPRED_OK)
        linpred__ball_separation_clear(answer);
    return status;
}
