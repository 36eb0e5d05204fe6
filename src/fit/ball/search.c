/* Does a ball separate the rows? The oracle answers for rounded lifted rows; what it says is settled on exact ones.
 *
 * First the ball around the mean of the rows inside: it may do. Then the oracle's halfspace gives a centre. A radius is
 * looked for between the farthest row inside and the nearest outside, and a ball is accepted if every row's sign is
 * certain. The oracle's witness is one as it stands where nothing was rounded. Otherwise, and where no ball of doubles
 * came of its halfspace, constraint generation goes on with exact rows, from the rows that mattered.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/ball/ball.h"
#include "separate/limits.h"
#include "separate/two_way.h"
#include "pass/violators.h"
#include "solve/row_signs.h"
#include "solve/working/working_rows.h"

struct work {
    linpred__fit *fit;
    const linpred__ball_lift *lift;
    linpred__working_rows *separation;
    int64_t *row; /* of each working row: its lifted row */
    size_t room;
    int64_t rows;
    double *w;     /* weights of lifted rows, the last proposed */
    double fewest; /* mistakes of the best ball tried, which is the model */
    bool done;
};

static bool stop(void *context)
{
    struct work *work = context;
    const linpred_info *info = &work->fit->result->info;
    return linpred__fit_should_stop(work->fit, "ball?", info->updates, info->passes, NAN);
}

linpred_status linpred__ball_subfit(const linpred__fit *fit, const linpred__ball_lift *lift, linpred_options *options,
                                    linpred__fit *subfit, linpred_error *error)
{
    *options = *fit->options;
    options->task = LINPRED_TASK_HALFSPACE;
    options->no_intercept = true;
    options->rate = 1.0;
    options->on_update = NULL;
    *subfit = (linpred__fit){.run = fit->run, .problem = {.data = lift->lifted}, .options = options};
    linpred_status status = linpred__result_new(lift->lifted, options, &subfit->result, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__find_row_extents(lift->lifted, fit->run.pool, false, false, &subfit->problem.extents, error);
    if (status != LINPRED_OK)
        linpred__ball_subfit_close(subfit);
    return status;
}

void linpred__ball_subfit_close(linpred__fit *subfit)
{
    linpred_result_free(subfit->result);
    linpred__row_extents_clear(&subfit->problem.extents);
}

/* ---- answers
 * ---------------------------------------------------------------------------------------------------------------- */

static void say_separated(struct work *work)
{
    linpred__fit_end(work->fit, LINPRED_OUTCOME_SEPARATED,
                     work->fit->result->certificate.directions > 0
                         ? "a ball with every row on its right side exists, but none of doubles was found"
                         : "a ball with every row on its right side was found");
    work->done = true;
}

static void say_inseparable(struct work *work)
{
    linpred__ball_say_inseparable(work->fit, "");
    work->done = true;
}

/* Unless it was stopped, which has been said. */
static void say_undecided(struct work *work)
{
    if (work->fit->result->info.reason[0] == '\0')
        linpred__fit_end(work->fit, LINPRED_OUTCOME_UNDECIDED,
                         "too many rows and columns, or too wide a range of numbers, for exact arithmetic");
    work->done = true;
}

/* A ball around this centre, if one has every row on its right side; if not, and `keep`, the best around it. */
static linpred_status try_centre(struct work *work, const double *centre, bool keep, linpred_error *error)
{
    bool separates;
    double radius_squared = 0.0;
    linpred_status status =
        linpred__ball_separating_radius(work->fit, work->lift, centre, &radius_squared, &separates, error);
    if (status == LINPRED_OK && separates) {
        linpred_model *model = &work->fit->result->model;
        memcpy(model->w, centre, (size_t)model->columns * sizeof *centre);
        model->b = radius_squared;
        say_separated(work);
    } else if (status == LINPRED_OK && keep) {
        status = linpred__ball_try(work->fit, work->lift, centre, &work->fewest, error);
    }
    return status;
}

/* The same for the weights proposed. */
static linpred_status try_weights(struct work *work, bool keep, linpred_error *error)
{
    double *centre = linpred__alloc((size_t)work->lift->data->columns, sizeof *centre);
    if (!centre)
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    if (linpred__ball_centre(work->lift, work->w, centre))
        status = try_centre(work, centre, keep, error);
    linpred__release(centre);
    return status;
}

/* The oracle's witness, whose last row may be the hard one: that is understood. */
static void take_oracle_witness(struct work *work, linpred__combination *proof)
{
    linpred__certificate *certificate = &work->fit->result->certificate;
    const linpred_data *data = work->lift->data;
    if (proof->row[proof->count - 1] > data->rows)
        linpred__release(proof->weight[--proof->count]);
    for (int64_t i = 0; i < proof->count; i++)
        proof->row[i] = linpred_data_source_row(data, proof->row[i] - 1);
    linpred__certify_combination(certificate, proof);
    say_inseparable(work);
}

/* The same of exact rows: those of the data, in the order of the file. */
static linpred_status take_witness(struct work *work, linpred__exact_answer *answer, linpred_error *error)
{
    linpred__certificate *certificate = &work->fit->result->certificate;
    int32_t count = 0;
    for (int32_t i = 0; i < answer->count; i++)
        if (work->row[answer->row[i]] < work->lift->data->rows) {
            int32_t at = count++;
            int32_t row = answer->row[i];
            mpz_swap(answer->weight.value[at], answer->weight.value[i]);
            for (; at > 0 && work->row[answer->row[at - 1]] > work->row[row]; at--) {
                answer->row[at] = answer->row[at - 1];
                mpz_swap(answer->weight.value[at], answer->weight.value[at - 1]);
            }
            answer->row[at] = row;
        } else {
            mpz_set_ui(answer->weight.value[i], 0); /* no part in the common divisor */
        }
    linpred__integers_reduce(&answer->weight);
    if (!linpred__certificate_witnesses(certificate, count))
        return linpred__no_memory(error);
    for (int32_t i = 0; i < count; i++) {
        certificate->witness_row[i] = linpred_data_source_row(work->lift->data, work->row[answer->row[i]]);
        certificate->witness_weight[i] = linpred__integers_text(&answer->weight, i);
        if (!certificate->witness_weight[i])
            return linpred__no_memory(error);
    }
    say_inseparable(work);
    return LINPRED_OK;
}

/* ---- exact rows
 * ---------------------------------------------------------------------------------------------------------------- */

static linpred_status add_rows(struct work *work, const int64_t *row, int64_t count, linpred_error *error)
{
    linpred__gathered gathered;
    bool whole;
    if (!linpred__grow(&work->row, &work->room, (size_t)(work->rows + count), sizeof *work->row))
        return linpred__no_memory(error);
    linpred_status status = linpred__ball_gather(work->lift, row, count, &gathered, &whole, error);
    if (status != LINPRED_OK)
        return status;
    if (!whole) {
        say_undecided(work);
        return LINPRED_OK;
    }
    status = linpred__working_rows_add(work->separation, &gathered.rows, 0, (int32_t)count, error);
    linpred__gathered_clear(&gathered);
    if (status != LINPRED_OK)
        return status;
    memcpy(work->row + work->rows, row, (size_t)count * sizeof *row);
    work->rows += count;
    linpred_info *info = &work->fit->result->info;
    info->working_rows = work->rows > info->working_rows ? work->rows : info->working_rows;
    return LINPRED_OK;
}

/* Whether <w, lifted row> is positive whatever was rounded: in the row at most 2^-52 of an entry, in w 2^-53. */
static bool clearly_right(const struct work *work, int64_t row)
{
    const linpred_data *lifted = work->lift->lifted;
    const linpred__block *block = &lifted->block[row / lifted->block_rows];
    int64_t r = row % lifted->block_rows;
    bool dense = block->layout == LINPRED__DENSE;
    int64_t from = dense ? r * block->stride : block->start[r];
    int64_t count = dense ? block->columns : block->start[r + 1] - from;
    double sum = 0.0, size = 0.0;
    for (int64_t k = 0; k < count; k++) {
        double term = block->values[from + k] * work->w[dense ? k : block->indices[from + k]];
        sum += term;
        size += fabs(term);
    }
    return block->target[r] * sum > ((double)count + 16.0) * 0x1p-50 * size + 0x1p-900;
}

/* The rows that integers w get wrong join the working rows, some hundred of them; *added: how many. */
static linpred_status look_exactly(struct work *work, const linpred__integers *w, int64_t *added, linpred_error *error)
{
    const linpred_data *data = work->lift->data;
    int64_t most = 100 + 4 * (int64_t)data->columns;
    int64_t *wrong = linpred__alloc((size_t)most, sizeof *wrong);
    linpred_status status = wrong ? LINPRED_OK : linpred__no_memory(error);
    *added = 0;
    work->fit->result->info.passes++;
    for (int64_t row = 0; status == LINPRED_OK && !work->done && row < data->rows && *added < most; row++) {
        linpred__gathered gathered;
        bool whole;
        if (clearly_right(work, row))
            continue;
        status = linpred__ball_gather(work->lift, &row, 1, &gathered, &whole, error);
        if (status != LINPRED_OK)
            break;
        if (!whole)
            say_undecided(work);
        else if (linpred__row_sign_integers(&gathered.rows, 0, w) <= 0)
            wrong[(*added)++] = row;
        if (whole)
            linpred__gathered_clear(&gathered);
        if ((row & 0xFFF) == 0 && stop(work))
            work->done = true;
    }
    if (status == LINPRED_OK && *added > 0 && !work->done)
        status = add_rows(work, wrong, *added, error);
    linpred__release(wrong);
    return status;
}

/* w of doubles as integers, times a power of two. */
static void to_integers(const double *w, linpred__integers *out)
{
    int lowest = 2000, exponent;
    for (int32_t j = 0; j < out->count; j++)
        if (w[j] != 0.0) {
            frexp(w[j], &exponent);
            lowest = exponent < lowest ? exponent : lowest;
        }
    for (int32_t j = 0; j < out->count; j++) {
        mpz_set_d(out->value[j], ldexp(frexp(w[j], &exponent), 53));
        if (w[j] != 0.0)
            mpz_mul_2exp(out->value[j], out->value[j], (mp_bitcnt_t)(exponent - lowest));
    }
}

/* And back, the largest below 1. */
static void to_doubles(const linpred__integers *w, double *out)
{
    long top = (long)linpred__integers_bits(w);
    for (int32_t j = 0; j < w->count; j++) {
        long exponent;
        double fraction = linpred__integer_fraction(w->value[j], &exponent);
        out[j] = exponent - top < -1000 ? 0.0 : ldexp(fraction, (int)(exponent - top));
    }
}

/* The working rows are separated by answer->rounded or answer->w: a ball, more rows, or the integers themselves. */
static linpred_status try_separation(struct work *work, linpred__exact_answer *answer, linpred_error *error)
{
    int32_t columns = work->lift->lifted->columns;
    if (answer->w.count == 0) {
        if (!linpred__integers_open(columns, &answer->w))
            return linpred__no_memory(error);
        to_integers(answer->rounded, &answer->w);
    }
    if (answer->rounded)
        memcpy(work->w, answer->rounded, (size_t)columns * sizeof *work->w);
    else
        to_doubles(&answer->w, work->w);
    linpred_status status = try_weights(work, false, error);
    int64_t added = 0;
    if (status == LINPRED_OK && !work->done) {
        to_doubles(&answer->w, work->w);
        status = look_exactly(work, &answer->w, &added, error);
    }
    if (status != LINPRED_OK || work->done || added > 0)
        return status;
    status = linpred__ball_direction(work->lift, &answer->w, &work->fit->result->certificate, error);
    if (status == LINPRED_OK)
        say_separated(work);
    return status;
}

static linpred_status settle(struct work *work, linpred_error *error)
{
    linpred__effort effort = {.limit = LINPRED__EXACT_WORK, .stop = stop, .context = work};
    linpred__exact_answer answer;
    linpred_info *info = &work->fit->result->info;
    double began = linpred__run_seconds(&work->fit->run);
    info->rounds++;
    linpred_status status = linpred__working_rows_certify(work->separation, &effort, &answer, error);
    info->solver_seconds += linpred__run_seconds(&work->fit->run) - began;
    if (status != LINPRED_OK)
        return status;
    if (answer.verdict == LINPRED_SEPARATION_INSEPARABLE)
        status = take_witness(work, &answer, error);
    else if (answer.verdict == LINPRED_SEPARATION_UNDECIDED)
        say_undecided(work);
    else
        status = try_separation(work, &answer, error);
    linpred__exact_answer_close(&answer);
    return status;
}

/* The rows to begin with: the oracle's witness, or those nearest to its halfspace. */
static linpred_status first_rows(struct work *work, linpred__fit *subfit, const linpred__two_way *oracle,
                                 linpred_error *error)
{
    const linpred_data *lifted = work->lift->lifted;
    int64_t hard = lifted->rows - 1, count = 0;
    linpred__violators near = {0};
    linpred_status status = LINPRED_OK;
    if (oracle->kind == LINPRED_SEPARATION_SEPARATED) {
        linpred__violators_sought sought = {oracle->w, 0.0, 2 * lifted->columns + 20, INFINITY};
        status = linpred__find_violators(&subfit->run, &subfit->problem, &sought, &near, error);
    }
    int64_t most = 1 + near.count + oracle->witness.count;
    int64_t *row = status == LINPRED_OK ? linpred__alloc((size_t)most, sizeof *row) : NULL;
    if (status == LINPRED_OK && !row)
        status = linpred__no_memory(error);
    if (status == LINPRED_OK) {
        row[count++] = hard;
        for (int64_t i = 0; i < near.count; i++)
            if (near.row[i] != hard)
                row[count++] = near.row[i];
        for (int64_t i = 0; i < oracle->witness.count; i++)
            if (oracle->witness.row[i] != hard + 1)
                row[count++] = oracle->witness.row[i] - 1;
        status = add_rows(work, row, count, error);
    }
    linpred__violators_clear(&near);
    linpred__release(row);
    return status;
}

static linpred_status search_exactly(struct work *work, linpred__fit *subfit, const linpred__two_way *oracle,
                                     linpred_error *error)
{
    linpred_status status = linpred__working_rows_open(work->lift->lifted->columns, NULL, &work->separation, error);
    if (status == LINPRED_OK)
        status = first_rows(work, subfit, oracle, error);
    while (status == LINPRED_OK && !work->done)
        if (stop(work))
            work->done = true;
        else
            status = settle(work, error);
    linpred__working_rows_close(work->separation);
    linpred__release(work->row);
    return status;
}

static linpred_status take_oracle(struct work *work, linpred__fit *subfit, linpred__two_way *oracle,
                                  linpred_error *error)
{
    linpred_info *info = &work->fit->result->info;
    info->updates += oracle->updates;
    info->passes += oracle->passes;
    info->rounds += oracle->rounds;
    info->working_rows = oracle->working_rows;
    info->solver_seconds += oracle->solver_seconds;
    work->w = oracle->w;
    if (oracle->stopped) {
        work->fit->run.stopped = subfit->run.stopped;
        linpred__fit_note_stop(work->fit);
    }
    linpred_status status = try_weights(work, true, error);
    if (status != LINPRED_OK || work->done)
        return status;
    if (oracle->kind == LINPRED_SEPARATION_UNDECIDED)
        say_undecided(work);
    else if (oracle->kind == LINPRED_SEPARATION_INSEPARABLE && work->lift->exact)
        take_oracle_witness(work, &oracle->witness);
    else
        status = search_exactly(work, subfit, oracle, error);
    return status;
}

linpred_status linpred__ball_search(linpred__fit *fit, const linpred__ball_lift *lift, linpred_error *error)
{
    struct work work = {.fit = fit, .lift = lift, .fewest = INFINITY};
    linpred_options options;
    linpred__fit subfit;
    linpred__two_way oracle;
    linpred_status status = try_centre(&work, lift->mean, true, error);
    if (status != LINPRED_OK || work.done)
        return status;
    status = linpred__ball_subfit(fit, lift, &options, &subfit, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__ask_two_way(&subfit.run, &subfit.problem, 0.0, &oracle, error);
    if (status == LINPRED_OK) {
        status = take_oracle(&work, &subfit, &oracle, error);
        linpred__two_way_clear(&oracle);
    }
    linpred__ball_subfit_close(&subfit);
    return status;
}
