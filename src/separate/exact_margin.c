/* The largest margin in rationals; see exact_margin.h. */
#include "separate/exact_margin.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "data/score.h"
#include "num/digits.h"
#include "num/integers.h"
#include "num/vector.h"
#include "separate/limits.h"
#include "solve/least_distance/rational.h"

struct exact_margin {
    const linpred__problem *problem;
    int32_t rows, columns, width; /* width counts the intercept */
    int shift;                    /* cells are counted in 2^-shift, so that they are integers */
    linpred__integers z;          /* rows x width */
    linpred__integers gram;       /* rows x rows */
    linpred__rational_distance solver;
};

bool linpred__has_exact_margin(const linpred_data *data, bool has_intercept)
{
    double width = data->columns + has_intercept;
    return !data->stored && width > 0 && data->rows <= LINPRED__EXACT_MARGIN_ROWS &&
           (double)data->rows * width * width <= LINPRED__EXACT_MARGIN_WORK;
}

/* sum += x 2^shift, which must be an integer. */
static void add_shifted(mpz_t sum, double x, int shift)
{
    mpz_t number;
    mpz_init(number);
    linpred__set_shifted(number, x, shift);
    mpz_add(sum, sum, number);
    mpz_clear(number);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Finds the shift, then with it the cells y (x,1) of a row. */
static void read_margin_row(struct exact_margin *work, int32_t row, bool shift)
{
    int32_t r;
    const linpred__block *block = linpred__block_of(work->problem->data, row, &r);
    linpred__entries entries = linpred__entries_of(block, r);
    mpz_t *z = work->z.value + (int64_t)row * work->width;
    for (int64_t k = 0; k < entries.count; k++) {
        int32_t j = linpred__entry_column(&entries, k);
        linpred__dd cell = linpred__cell(block, j, entries.values[k]);
        for (int half = 0; half < 2; half++) {
            double part = half ? cell.lo : cell.hi;
            if (shift && -linpred__lowest_bit(part) > work->shift)
                work->shift = -linpred__lowest_bit(part);
            if (!shift)
                add_shifted(z[j], block->target[r] * part, work->shift);
        }
    }
    if (!shift && work->width > work->columns)
        add_shifted(z[work->columns], block->target[r] * linpred__unit(block), work->shift);
}

static bool open_exact_margin(const linpred__problem *problem, struct exact_margin *work)
{
    *work = (struct exact_margin){.problem = problem, .rows = (int32_t)problem->data->rows};
    work->columns = problem->data->columns;
    work->width = work->columns + problem->has_intercept;
    bool ready = linpred__integers_open(work->rows * work->width, &work->z) &&
                 linpred__integers_open(work->rows * work->rows, &work->gram);
    if (!linpred__rational_open(&work->gram, work->rows, work->width, &work->solver) || !ready)
        return false;
    for (int shift = 1; shift >= 0; shift--)
        for (int32_t i = 0; i < work->rows; i++)
            read_margin_row(work, i, shift);
    for (int32_t i = 0; i < work->rows; i++)
        for (int32_t k = 0; k < work->rows; k++)
            for (int32_t j = 0; j < work->width; j++)
                mpz_addmul(work->gram.value[i * work->rows + k], work->z.value[i * work->width + j],
                           work->z.value[k * work->width + j]);
    return true;
}

static void close_exact_margin(struct exact_margin *work)
{
    linpred__integers_close(&work->z);
    linpred__integers_close(&work->gram);
    linpred__rational_close(&work->solver);
}

/* ---- rounding ---------------------------------------------------------------------------------------------------- */

static double log2_of(const mpq_t number)
{
    mpf_t rounded;
    mpf_init2(rounded, LINPRED__DIGITS);
    mpf_set_q(rounded, number);
    double log = linpred__digits_log2(rounded);
    mpf_clear(rounded);
    return log;
}

/* Sets the first entries of solver.system to ω, and finds two units for it. In the first, the largest weight is as far
   above 1 as the lowest score is below. In the second, weights and their products with cells are as large as they may
   be: so the smallest weights have the most bits. */
static void find_units(struct exact_margin *work, long unit[2])
{
    double largest = -INFINITY, top = -INFINITY;
    mpq_t term, *w = work->solver.system;
    mpq_init(term);
    for (int32_t j = 0; j < work->width; j++) {
        mpq_set_ui(w[j], 0, 1);
        for (int32_t a = 0; a < work->solver.count; a++) {
            mpq_set_z(term, work->z.value[work->solver.active[a] * work->width + j]);
            mpq_mul(term, term, work->solver.alpha[work->solver.active[a]]);
            mpq_add(w[j], w[j], term);
        }
        double size = log2_of(w[j]), cell = 0.0;
        for (int32_t i = 0; i < work->rows; i++)
            cell = fmax(cell, (double)mpz_sizeinbase(work->z.value[i * work->width + j], 2));
        largest = fmax(largest, size);
        top = fmax(top, size + fmax(0.0, cell - work->shift));
    }
    unit[0] = (long)floor(0.5 * (work->shift - largest));
    unit[1] = (long)floor(LINPRED__EXACT_WEIGHT_EXPONENT - top);
    mpq_clear(term);
}

/* ω 2^unit, rounded. False: weights leave the range of doubles. */
static bool round_weights(struct exact_margin *work, long unit, linpred__largest_margin *answer)
{
    bool good = true;
    mpq_t *w = work->solver.system;
    mpf_t weight;
    mpf_init2(weight, LINPRED__EXACT_WEIGHT_BITS);
    for (int32_t j = 0; good && j < work->width; j++) {
        mpf_set_q(weight, w[j]);
        if (unit >= 0)
            mpf_mul_2exp(weight, weight, (mp_bitcnt_t)unit);
        else
            mpf_div_2exp(weight, weight, (mp_bitcnt_t)-unit);
        double part[1 + LINPRED__EXACT_TAILS];
        good = linpred__digits_parts(weight, 1 + LINPRED__EXACT_TAILS, 1, part);
        *(j < work->columns ? &answer->w[j] : &answer->b) = part[0];
        for (int32_t p = 0; p < LINPRED__EXACT_TAILS; p++)
            answer->tails.value[p * work->width + j] = part[p + 1];
    }
    mpf_clear(weight);
    return good;
}

/* The multipliers as integers, of so many bits that ‖Σ α z‖ / Σ α grows by less than 2^-45 of itself: each is rounded
   down by less than 1, so that the sum changes by at most the lengths of all rows. False: out of memory. */
static bool take_multipliers(const struct exact_margin *work, linpred__largest_margin *answer)
{
    mpq_t total, number;
    mpz_t weight;
    mpq_inits(total, number, NULL);
    mpz_init(weight);
    int64_t count = 0;
    for (int32_t i = 0; i < work->rows; i++) {
        mpq_add(total, total, work->solver.alpha[i]);
        count += mpq_sgn(work->solver.alpha[i]) > 0;
    }
    /* log2 of the margin is that of 1 / sqrt(Σ α). */
    double length = (double)linpred__integers_bits(&work->z) + log2((double)work->rows * work->width);
    double bits = ceil(length + 0.5 * log2_of(total)) + LINPRED__EXACT_MARGIN_BITS;
    long shift = (long)(bits - floor(log2_of(total)));
    bool good = linpred__support_open_integers(&answer->support, count);
    count = 0;
    for (int32_t i = 0; good && i < work->rows; i++) {
        if (mpq_sgn(work->solver.alpha[i]) <= 0)
            continue;
        if (shift >= 0)
            mpq_mul_2exp(number, work->solver.alpha[i], (mp_bitcnt_t)shift);
        else
            mpq_div_2exp(number, work->solver.alpha[i], (mp_bitcnt_t)-shift);
        mpz_tdiv_q(weight, mpq_numref(number), mpq_denref(number));
        if (mpz_sgn(weight) == 0)
            continue;
        linpred__integers one = {1, &weight};
        answer->support.row[count] = linpred_data_source_row(work->problem->data, i);
        answer->support.weight[count] = linpred__integers_text(&one, 0);
        good = answer->support.weight[count++] != NULL;
    }
    answer->support.count = count;
    if (good)
        linpred__support_round(&answer->support);
    mpq_clears(total, number, NULL);
    mpz_clear(weight);
    return good;
}

/* bound = ‖Σ α z‖ / Σ α of the integers, in the units of the rows. */
static void bound_by_multipliers(const struct exact_margin *work, const linpred__support *support, mpf_t bound)
{
    mpf_t norm, total;
    mpz_t sum, number;
    mpf_init2(norm, LINPRED__DIGITS);
    mpf_init2(total, LINPRED__DIGITS);
    mpz_init(sum);
    mpz_init(number);
    for (int32_t j = 0; j <= work->width; j++) {
        mpz_set_ui(sum, 0);
        int64_t next = 0;
        for (int32_t i = 0; i < work->rows && next < support->count; i++) {
            if (support->row[next] != linpred_data_source_row(work->problem->data, i))
                continue;
            mpz_set_str(number, support->weight[next++], 10);
            if (j < work->width)
                mpz_addmul(sum, number, work->z.value[i * work->width + j]);
            else
                mpz_add(sum, sum, number);
        }
        mpf_set_z(bound, sum);
        if (j == work->width)
            mpf_set(total, bound);
        mpf_mul(bound, bound, bound);
        if (j < work->width)
            mpf_add(norm, norm, bound);
    }
    mpf_sqrt(norm, norm);
    mpf_div_2exp(norm, norm, (mp_bitcnt_t)work->shift);
    mpf_set_d(bound, linpred__unit(linpred__block_at(work->problem->data, 0)));
    mpf_mul(total, total, bound);
    mpf_div(bound, norm, total);
    mpf_clear(norm);
    mpf_clear(total);
    mpz_clear(sum);
    mpz_clear(number);
}

/* bound ‖(w,b)‖ / lowest - 1. */
static double gap_of(const mpf_t bound, double norm, double lowest)
{
    mpf_t ratio, part;
    mpf_init2(ratio, LINPRED__DIGITS);
    mpf_init2(part, LINPRED__DIGITS);
    mpf_set_d(part, norm);
    mpf_mul(ratio, bound, part);
    mpf_set_d(part, lowest);
    mpf_div(ratio, ratio, part);
    double gap = linpred__digits_double(ratio) - 1.0;
    mpf_clear(ratio);
    mpf_clear(part);
    return gap;
}

/* Margin, bound and updates of the rounded answer. */
static void measure_rounded(const struct exact_margin *work, linpred__largest_margin *answer)
{
    const linpred_data *data = work->problem->data;
    double lowest = INFINITY, radius = work->problem->extents.radius.nearest;
    for (int32_t i = 0; i < work->rows; i++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, i, &r);
        lowest = fmin(lowest, block->target[r] * linpred__tailed_score(block, r, answer->w, answer->b, &answer->tails));
    }
    answer->norm = linpred__norm(answer->w, work->columns, answer->b);
    bool normal = isnormal(lowest) && isnormal(answer->norm);
    mpf_t bound;
    mpf_init2(bound, LINPRED__DIGITS);
    bound_by_multipliers(work, &answer->support, bound);
    answer->margin = normal ? lowest / answer->norm : (double)NAN;
    answer->lowest = lowest;
    answer->bound = nextafter(linpred__digits_double(bound), INFINITY);
    answer->gap = normal ? gap_of(bound, answer->norm, lowest) : (double)NAN;
    mpf_clear(bound);
    double ratio = radius / answer->margin;
    answer->updates = ratio * ratio;
}

/* Rounds the weights in a unit, to more and more tails, until their margin is the largest. */
static bool find_rounded(struct exact_margin *work, long unit, linpred__largest_margin *made)
{
    bool rounded = round_weights(work, unit, made), found = false;
    made->tails.count = 0;
    for (int32_t more = 1; rounded && !found && made->tails.count < LINPRED__EXACT_TAILS; more *= 2) {
        made->tails.count +=
            more < LINPRED__EXACT_TAILS - made->tails.count ? more : LINPRED__EXACT_TAILS - made->tails.count;
        measure_rounded(work, made);
        found = fabs(made->gap) <= LINPRED__MARGIN_GAP_MAX && isfinite(made->margin) && isfinite(made->bound);
    }
    return found;
}

linpred_status linpred__ask_exact_margin(const linpred__problem *problem, linpred__largest_margin *answer, bool *found,
                                         linpred_error *error)
{
    struct exact_margin work;
    linpred__largest_margin made = {.end = LINPRED__MARGIN_FOUND};
    *found = false;
    made.w = linpred__calloc((size_t)problem->data->columns, sizeof *made.w);
    made.tails.width = problem->data->columns + problem->has_intercept;
    made.tails.value = linpred__calloc((size_t)LINPRED__EXACT_TAILS * (size_t)made.tails.width, sizeof(double));
    bool ready = open_exact_margin(problem, &work) && made.w && made.tails.value;
    if (ready && linpred__rational_solve(&work.solver, LINPRED__EXACT_MARGIN_STEPS)) {
        long unit[2];
        find_units(&work, unit);
        ready = take_multipliers(&work, &made);
        for (int k = 0; ready && k < 2 && !*found; k++)
            *found = find_rounded(&work, unit[k], &made);
    }
    close_exact_margin(&work);
    if (*found) {
        made.rounds = answer->rounds;
        made.passes = answer->passes;
        made.working_rows = answer->working_rows;
        linpred__largest_margin_clear(answer);
        *answer = made;
    } else
        linpred__largest_margin_clear(&made);
    return ready ? LINPRED_OK : linpred__no_memory(error);
}
