/* Least distance in rationals; see rational.h. */
#include "solve/least_distance/rational.h"

#include "core/memory.h"

static mpq_t *open_fractions(size_t count)
{
    mpq_t *numbers = linpred__alloc(count, sizeof *numbers);
    for (size_t i = 0; numbers && i < count; i++)
        mpq_init(numbers[i]);
    return numbers;
}

static void close_fractions(mpq_t *numbers, size_t count)
{
    for (size_t i = 0; numbers && i < count; i++)
        mpq_clear(numbers[i]);
    linpred__release(numbers);
}

bool linpred__rational_open(const linpred__integers *gram, int32_t rows, int32_t rank, linpred__rational_distance *work)
{
    size_t most = (size_t)rank + 1;
    *work = (linpred__rational_distance){.rows = rows, .rank = rank, .gram = gram};
    work->alpha = open_fractions((size_t)rows);
    work->score = open_fractions((size_t)rows);
    work->r = open_fractions(most);
    work->system = open_fractions(most * (most + 1));
    work->active = linpred__alloc(most, sizeof *work->active);
    return work->alpha && work->score && work->r && work->system && work->active;
}

void linpred__rational_close(linpred__rational_distance *work)
{
    size_t most = (size_t)work->rank + 1;
    close_fractions(work->alpha, (size_t)work->rows);
    close_fractions(work->score, (size_t)work->rows);
    close_fractions(work->r, most);
    close_fractions(work->system, most * (most + 1));
    linpred__release(work->active);
}

static void product_of(const linpred__rational_distance *work, int32_t i, int32_t k, mpq_t value)
{
    mpq_set_z(value, work->gram->value[i * work->rows + k]);
}

/* <ω,z> = Σ α <z,z_i> of a row. */
static void find_exact_score(linpred__rational_distance *work, int32_t row)
{
    mpq_t term;
    mpq_init(term);
    mpq_set_ui(work->score[row], 0, 1);
    for (int32_t a = 0; a < work->count; a++) {
        product_of(work, row, work->active[a], term);
        mpq_mul(term, term, work->alpha[work->active[a]]);
        mpq_add(work->score[row], work->score[row], term);
    }
    mpq_clear(term);
}

/* The row of the lowest score below 1; -1: there is none. */
static int32_t find_lowest(linpred__rational_distance *work)
{
    int32_t lowest = -1;
    for (int32_t i = 0; i < work->rows; i++) {
        find_exact_score(work, i);
        if (mpq_cmp_ui(work->score[i], 1, 1) < 0 && (lowest < 0 || mpq_cmp(work->score[i], work->score[lowest]) < 0))
            lowest = i;
    }
    return lowest;
}

/* r with Σ_b <z_a,z_b> r_b = <z_a,z_p> for the active rows, which are independent; and |z_p - Σ r z|². */
static void find_combination(linpred__rational_distance *work, int32_t p, mpq_t rest)
{
    int32_t n = work->count, width = n + 1;
    mpq_t *s = work->system, factor, term;
    mpq_init(factor);
    mpq_init(term);
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = 0; b <= n; b++)
            product_of(work, work->active[a], b < n ? work->active[b] : p, s[a * width + b]);
    for (int32_t k = 0; k < n; k++) /* the matrix is positive definite: its pivots are not 0 */
        for (int32_t a = 0; a < n; a++) {
            if (a == k || mpq_sgn(s[a * width + k]) == 0)
                continue;
            mpq_div(factor, s[a * width + k], s[k * width + k]);
            for (int32_t b = k; b <= n; b++) {
                mpq_mul(term, factor, s[k * width + b]);
                mpq_sub(s[a * width + b], s[a * width + b], term);
            }
        }
    product_of(work, p, p, rest);
    for (int32_t a = 0; a < n; a++) {
        mpq_div(work->r[a], s[a * width + n], s[a * width + a]);
        product_of(work, p, work->active[a], term);
        mpq_mul(term, term, work->r[a]);
        mpq_sub(rest, rest, term);
    }
    mpq_clear(factor);
    mpq_clear(term);
}

/* The active row whose multiplier is the first to become 0 along -r, and the step to there; -1: there is none. */
static int32_t find_blocking(const linpred__rational_distance *work, mpq_t step)
{
    int32_t first = -1;
    mpq_t ratio;
    mpq_init(ratio);
    for (int32_t a = 0; a < work->count; a++) {
        if (mpq_sgn(work->r[a]) <= 0)
            continue;
        mpq_div(ratio, work->alpha[work->active[a]], work->r[a]);
        if (first < 0 || mpq_cmp(ratio, step) < 0) {
            mpq_set(step, ratio);
            first = a;
        }
    }
    mpq_clear(ratio);
    return first;
}

/* Moves the multipliers: α_p += step, α -= step r. */
static void move_multipliers(linpred__rational_distance *work, int32_t p, const mpq_t step)
{
    mpq_t term;
    mpq_init(term);
    mpq_add(work->alpha[p], work->alpha[p], step);
    for (int32_t a = 0; a < work->count; a++) {
        mpq_mul(term, step, work->r[a]);
        mpq_sub(work->alpha[work->active[a]], work->alpha[work->active[a]], term);
    }
    mpq_clear(term);
}

/* Makes <ω,z_p> = 1. False: no ω has all rows above 0. */
static bool satisfy(linpred__rational_distance *work, int32_t p)
{
    mpq_t rest, full, step, own;
    mpq_inits(rest, full, step, own, NULL);
    bool done = false, possible = true;
    while (!done && possible) {
        find_combination(work, p, rest);
        int32_t first = find_blocking(work, step);
        find_exact_score(work, p); /* of the active rows; that of p itself comes with its multiplier */
        product_of(work, p, p, own);
        mpq_mul(own, own, work->alpha[p]);
        mpq_add(own, own, work->score[p]);
        mpq_set_ui(full, 1, 1);
        mpq_sub(full, full, own);
        bool depends = mpq_sgn(rest) == 0;
        if (!depends)
            mpq_div(full, full, rest);
        possible = !depends || first >= 0;
        if (!possible)
            break;
        done = !depends && (first < 0 || mpq_cmp(full, step) <= 0);
        move_multipliers(work, p, done ? full : step);
        if (done)
            work->active[work->count++] = p;
        else { /* the blocking row leaves */
            mpq_set_ui(work->alpha[work->active[first]], 0, 1);
            work->active[first] = work->active[--work->count];
        }
    }
    mpq_clears(rest, full, step, own, NULL);
    return possible;
}

bool linpred__rational_solve(linpred__rational_distance *work, int32_t steps)
{
    int32_t p = 0;
    for (int32_t k = 0; k < steps && (p = find_lowest(work)) >= 0; k++)
        if (!satisfy(work, p))
            return false;
    return p < 0;
}
