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

/* number 2^exponent as a double and a tail of the same sign. */
static linpred__dd round_fraction(const mpq_t number, long exponent)
{
    linpred__dd rounded;
    mpf_t rest, part;
    mpf_init2(rest, LINPRED__DIGITS);
    mpf_init2(part, LINPRED__DIGITS);
    mpf_set_q(rest, number);
    if (exponent >= 0)
        mpf_mul_2exp(rest, rest, (mp_bitcnt_t)exponent);
    else
        mpf_div_2exp(rest, rest, (mp_bitcnt_t)-exponent);
    rounded.hi = linpred__digits_double(rest);
    mpf_set_d(part, isfinite(rounded.hi) ? rounded.hi : 0.0);
    mpf_sub(rest, rest, part);
    rounded.lo = linpred__digits_double(rest);
    mpf_clear(rest);
    mpf_clear(part);
    return rounded;
}

static double log2_of(const mpq_t number)
{
    mpf_t rounded;
    mpf_init2(rounded, LINPRED__DIGITS);
    mpf_set_q(rounded, number);
    double log = linpred__digits_log2(rounded);
    mpf_clear(rounded);
    return log;
}

/* ω, rounded in a unit in which neither weights nor scores leave the range of doubles. */
static void round_weights(struct exact_margin *work, linpred__largest_margin *answer)
{
    double largest = -INFINITY;
    mpq_t term, *w = work->solver.system;
    mpq_init(term);
    for (int32_t j = 0; j < work->width; j++) {
        mpq_set_ui(w[j], 0, 1);
        for (int32_t a = 0; a < work->solver.count; a++) {
            mpq_set_z(term, work->z.value[work->solver.active[a] * work->width + j]);
            mpq_mul(term, term, work->solver.alpha[work->solver.active[a]]);
            mpq_add(w[j], w[j], term);
        }
        largest = fmax(largest, log2_of(w[j]));
    }
    long unit = (long)floor(0.5 * (work->shift - largest));
    for (int32_t j = 0; j < work->width; j++) {
        linpred__dd rounded = round_fraction(w[j], unit);
        rounded = linpred__quick_two_sum(rounded.hi, rounded.lo);
        if (j < work->columns)
            answer->w[j] = rounded.hi;
        else
            answer->b = rounded.hi;
        answer->tail[j] = rounded.lo;
    }
    mpq_clear(term);
}

/* The multipliers, with the mean of the rows that they make near 1, as a support. False: out of memory. */
static bool round_multipliers(const struct exact_margin *work, linpred__largest_margin *answer)
{
    double largest = -INFINITY;
    int64_t count = 0;
    for (int32_t a = 0; a < work->solver.count; a++)
        largest = fmax(largest, log2_of(work->solver.alpha[work->solver.active[a]]));
    for (int32_t i = 0; i < work->rows; i++)
        count += mpq_sgn(work->solver.alpha[i]) > 0;
    if (!linpred__support_open(&answer->support, count))
        return false;
    count = 0;
    for (int32_t i = 0; i < work->rows; i++) {
        linpred__dd rounded = {0.0, 0.0};
        if (mpq_sgn(work->solver.alpha[i]) > 0)
            rounded = round_fraction(work->solver.alpha[i], (long)floor(-largest) + LINPRED__EXACT_MARGIN_UNIT);
        if (rounded.hi == 0.0)
            continue;
        answer->support.row[count] = linpred_data_source_row(work->problem->data, i);
        answer->support.multiplier[count] = rounded.hi;
        answer->support.tail[count++] = rounded.lo;
    }
    answer->support.count = count;
    return true;
}

/* ‖Σ α z‖ / Σ α of the rounded multipliers, in the units of the rows. */
static double bound_by_multipliers(const struct exact_margin *work, const linpred__support *support)
{
    mpf_t norm, total, part;
    mpz_t sum, number;
    mpf_init2(norm, LINPRED__DIGITS);
    mpf_init2(total, LINPRED__DIGITS);
    mpf_init2(part, LINPRED__DIGITS);
    mpz_init(sum);
    mpz_init(number);
    for (int32_t j = 0; j <= work->width; j++) {
        mpz_set_ui(sum, 0);
        int64_t next = 0;
        for (int32_t i = 0; i < work->rows && next < support->count; i++) {
            if (support->row[next] != linpred_data_source_row(work->problem->data, i))
                continue;
            mpz_set_ui(number, 0);
            add_shifted(number, support->multiplier[next], 1074);
            add_shifted(number, support->tail[next++], 1074);
            if (j < work->width)
                mpz_addmul(sum, number, work->z.value[i * work->width + j]);
            else
                mpz_add(sum, sum, number);
        }
        mpf_set_z(part, sum);
        if (j < work->width) {
            mpf_mul(part, part, part);
            mpf_add(norm, norm, part);
        } else
            mpf_set(total, part);
    }
    mpf_sqrt(norm, norm);
    mpf_div_2exp(norm, norm, (mp_bitcnt_t)work->shift);
    mpf_set_d(part, linpred__unit(linpred__block_at(work->problem->data, 0)));
    mpf_mul(total, total, part);
    mpf_div(norm, norm, total);
    double bound = linpred__digits_double(norm);
    mpf_clear(norm);
    mpf_clear(total);
    mpf_clear(part);
    mpz_clear(sum);
    mpz_clear(number);
    return nextafter(bound, INFINITY);
}

/* Margin, bound and updates of the rounded answer. */
static void measure_rounded(const struct exact_margin *work, linpred__largest_margin *answer)
{
    const linpred_data *data = work->problem->data;
    double lowest = INFINITY, radius = work->problem->extents.radius.nearest;
    for (int32_t i = 0; i < work->rows; i++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, i, &r);
        lowest = fmin(lowest, block->target[r] * linpred__tailed_score(block, r, answer->w, answer->b, answer->tail));
    }
    answer->norm = linpred__norm(answer->w, work->columns, answer->b);
    answer->margin = isnormal(lowest) && isnormal(answer->norm) ? lowest / answer->norm : (double)NAN;
    answer->lowest = lowest;
    answer->bound = bound_by_multipliers(work, &answer->support);
    double ratio = radius / answer->margin;
    answer->updates = ratio * ratio;
}

linpred_status linpred__ask_exact_margin(const linpred__problem *problem, linpred__largest_margin *answer, bool *found,
                                         linpred_error *error)
{
    struct exact_margin work;
    linpred__largest_margin made = {.end = LINPRED__MARGIN_FOUND};
    *found = false;
    made.w = linpred__calloc((size_t)problem->data->columns, sizeof *made.w);
    made.tail = linpred__calloc((size_t)problem->data->columns + 1, sizeof *made.tail);
    bool ready = open_exact_margin(problem, &work) && made.w && made.tail;
    if (ready && linpred__rational_solve(&work.solver, LINPRED__EXACT_MARGIN_STEPS)) {
        round_weights(&work, &made);
        ready = round_multipliers(&work, &made);
        if (ready)
            measure_rounded(&work, &made);
        double gap = made.bound / made.margin - 1.0;
        *found = ready && gap <= LINPRED__MARGIN_GAP_MAX && gap >= -LINPRED__MARGIN_GAP_MAX;
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
