/* Newton's method to many digits, in the scores of a basis of the rows; see digits.h.
 *
 * Row i is Σ_k M_ik (row of the basis), with each row divided by the root of its curvature, and |M_ik| <= 2. So the
 * Hessian M'M lies between I and a small multiple of it, and doubles are enough for its factor: each step leaves about
 * 1e-13 of the gradient, besides what the curvature of third order leaves.
 */
#include <math.h>

#include "core/memory.h"
#include "fit/logistic/digits.h"
#include "fit/logistic/limits.h"

/* T_ik scale_i / scale_k of the basis, times 2^-less; 0 in columns without a row of the basis. */
static double entry_by_scale(const linpred__fine_fit *fit, int32_t i, int32_t k, double log2_scale, double less)
{
    int32_t basis = fit->tableau.basis[k];
    if (basis < 0)
        return 0.0;
    double size = exp2(linpred__tableau_log2(&fit->tableau, i, k) + log2_scale - fit->log2_scale[basis] - less);
    return mpz_sgn(*linpred__tableau_at(&fit->tableau, i, k)) * mpz_sgn(fit->tableau.divisor) < 0 ? -size : size;
}

/* The factor L of M'M, with 1 in columns without a row of the basis. `row` is scratch. */
static void factor_hessian(const linpred__fine_fit *fit, double *l, double *row)
{
    int32_t n = fit->width;
    for (int32_t a = 0; a < n * n; a++)
        l[a] = 0.0;
    for (int32_t i = 0; i < fit->tableau.rows; i++) {
        if (!(fit->log2_scale[i] > -INFINITY))
            continue;
        for (int32_t k = 0; k < n; k++)
            row[k] = entry_by_scale(fit, i, k, fit->log2_scale[i], 0.0);
        for (int32_t a = 0; a < n; a++)
            for (int32_t b = 0; b <= a; b++)
                l[a * n + b] += row[a] * row[b];
    }
    for (int32_t j = 0; j < n; j++) {
        if (fit->tableau.basis[j] < 0)
            l[j * n + j] = 1.0;
        for (int32_t i = j; i < n; i++) {
            double sum = l[i * n + j];
            for (int32_t k = 0; k < j; k++)
                sum -= l[i * n + k] * l[j * n + k];
            l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
        }
    }
}

static void solve_lower(const double *l, int32_t n, double *x)
{
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = 0; k < i; k++)
            x[i] -= l[i * n + k] * x[k];
        x[i] /= l[i * n + i];
    }
}

/* A step of the values of the basis, an entry for each column. */
struct fine_step {
    mpf_t *start, *gradient, *step;
};

/* |g| / sqrt(κ) of column k. */
static void scaled_gradient(const linpred__fine_fit *fit, const struct fine_step *move, int32_t k, mpf_t result)
{
    mpf_sqrt(result, fit->curvature[fit->tableau.basis[k]]);
    mpf_div(result, move->gradient[k], result);
}

/* Fills gradient and step. `x` is scratch. */
static void find_fine_step(const linpred__fine_fit *fit, const double *l, double *x, struct fine_step *move)
{
    int32_t n = fit->width;
    double most = -INFINITY;
    mpf_t number;
    mpf_init2(number, LINPRED__DIGITS);
    for (int32_t k = 0; k < n; k++) {
        mpf_set_ui(move->gradient[k], 0);
        if (fit->tableau.basis[k] < 0)
            continue;
        linpred__fine_gradient(fit, k, move->gradient[k]);
        scaled_gradient(fit, move, k, number);
        most = fmax(most, linpred__digits_log2(number));
    }
    most = isfinite(most) ? floor(most) : 0.0;
    for (int32_t k = 0; k < n; k++) { /* in a unit in which the largest is about 1 */
        x[k] = 0.0;
        if (fit->tableau.basis[k] < 0)
            continue;
        scaled_gradient(fit, move, k, number);
        x[k] = -mpf_sgn(number) * exp2(linpred__digits_log2(number) - most);
    }
    solve_lower(l, n, x);
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < n; k++)
            x[i] -= l[k * n + i] * x[k];
        x[i] /= l[i * n + i];
    }
    for (int32_t k = 0; k < n; k++) {
        mpf_set_d(move->step[k], isfinite(x[k]) ? x[k] : 0.0);
        if (fit->tableau.basis[k] < 0)
            continue;
        mpf_sqrt(number, fit->curvature[fit->tableau.basis[k]]);
        mpf_div(move->step[k], move->step[k], number);
        if (most >= 0.0)
            mpf_mul_2exp(move->step[k], move->step[k], (mp_bitcnt_t)most);
        else
            mpf_div_2exp(move->step[k], move->step[k], (mp_bitcnt_t)-most);
    }
    mpf_clear(number);
}

/* The values of all rows from those of the basis, moved by step 2^exponent. */
static void move_values(linpred__fine_fit *fit, mpf_t *start, mpf_t *step, int exponent)
{
    mpf_t term, moved;
    mpf_init2(term, LINPRED__DIGITS);
    mpf_init2(moved, LINPRED__DIGITS);
    for (int32_t i = 0; i < fit->tableau.rows; i++)
        mpf_set_ui(fit->value[i], 0);
    for (int32_t k = 0; k < fit->width; k++) {
        if (fit->tableau.basis[k] < 0)
            continue;
        if (exponent < 0)
            mpf_div_2exp(moved, step[k], (mp_bitcnt_t)-exponent);
        else
            mpf_mul_2exp(moved, step[k], (mp_bitcnt_t)exponent);
        mpf_add(moved, start[k], moved);
        for (int32_t i = 0; i < fit->tableau.rows; i++) {
            mpf_mul(term, fit->entry[i * fit->width + k], moved);
            mpf_add(fit->value[i], fit->value[i], term);
        }
    }
    mpf_clear(term);
    mpf_clear(moved);
}

/* log2 of the largest change of a score of the basis. */
static double longest_change(const linpred__fine_fit *fit, mpf_t *step)
{
    double most = -INFINITY;
    for (int32_t k = 0; k < fit->width; k++)
        if (fit->tableau.basis[k] >= 0 && fit->tableau.basis[k] < fit->rows)
            most = fmax(most, linpred__digits_log2(step[k]));
    return most;
}

/* Whether the values, moved by step 2^exponent, are still on the way down: F is not above `highest`, and no score of
   the basis that moved by more than 1/2 has passed the place where F rises along it. With `some` the rise may be half
   as steep as the fall was. The digits of F do not show what rows with tiny losses do, so its gradient is asked too. */
static bool goes_down(linpred__fine_fit *fit, const struct fine_step *move, int exponent, const mpf_t highest,
                      bool some)
{
    mpf_t g, most;
    mpf_init2(g, LINPRED__DIGITS);
    mpf_init2(most, LINPRED__DIGITS);
    move_values(fit, move->start, move->step, exponent);
    linpred__fine_evaluate(fit);
    bool down = mpf_cmp(fit->objective, highest) <= 0;
    for (int32_t k = 0; down && k < fit->width; k++) {
        bool moved = fit->tableau.basis[k] >= 0 && fit->tableau.basis[k] < fit->rows &&
                     linpred__digits_log2(move->step[k]) + exponent > -1.0;
        if (!moved)
            continue;
        linpred__fine_gradient(fit, k, g);
        if (mpf_sgn(g) * mpf_sgn(move->step[k]) <= 0)
            continue;
        mpf_abs(g, g);
        mpf_abs(most, move->gradient[k]);
        mpf_div_2exp(most, most, 1);
        down = some && mpf_cmp(g, most) <= 0;
    }
    mpf_clear(g);
    mpf_clear(most);
    return down;
}

/* Takes the step, shortened until it goes down, or longer as long as it does: far out a loss is an exponential, and
   steps are too short. False: no step is short enough, and the values stay. */
static bool step_down(linpred__fine_fit *fit, const struct fine_step *move)
{
    mpf_t highest;
    mpf_init2(highest, LINPRED__DIGITS);
    mpf_div_2exp(highest, fit->objective, LINPRED__DIGITS_RIGHT - 40);
    mpf_add(highest, highest, fit->objective);
    for (int32_t k = 0; k < fit->width; k++)
        if (fit->tableau.basis[k] >= 0)
            mpf_set(move->start[k], fit->value[fit->tableau.basis[k]]);
    double change = longest_change(fit, move->step);
    int exponent = change > 6.0 ? -(int)ceil(change - 6.0) : 0; /* no score may change by more than 64 at once */
    int shortest = exponent - LINPRED__FINE_HALVINGS, longest = exponent + LINPRED__FINE_DOUBLINGS;
    while (exponent > shortest && !goes_down(fit, move, exponent, highest, true))
        exponent--;
    bool lower = exponent > shortest;
    if (lower && exponent == longest - LINPRED__FINE_DOUBLINGS && change > -1.0)
        while (exponent < longest && goes_down(fit, move, exponent + 1, highest, false))
            exponent++;
    for (int32_t k = 0; !lower && k < fit->width; k++)
        mpf_set_ui(move->step[k], 0);
    move_values(fit, move->start, move->step, exponent);
    linpred__fine_evaluate(fit);
    mpf_clear(highest);
    return lower;
}

bool linpred__fine_minimise(linpred__fine_fit *fit)
{
    size_t n = (size_t)fit->width;
    double *l = linpred__alloc(n * n + n, sizeof *l);
    struct fine_step move = {linpred__digits_open(n), linpred__digits_open(n), linpred__digits_open(n)};
    bool ready = l && move.step && move.start && move.gradient;
    for (int k = 0; ready && k < LINPRED__FINE_STEPS && fit->losses <= LINPRED__FINE_LOSSES; k++) {
        double q;
        if (!linpred__fine_choose(fit) ||
            (linpred__fine_gap(fit, &q) <= linpred__fine_enough && q <= linpred__fine_ratio))
            break;
        const linpred__logistic_progress *progress = &fit->problem->progress;
        if (linpred__run_should_stop(fit->problem->run, "newton", progress->iterations, progress->passes, NAN))
            break;
        factor_hessian(fit, l, l + n * n);
        find_fine_step(fit, l, l + n * n, &move);
        if (!step_down(fit, &move))
            break;
    }
    linpred__release(l);
    linpred__digits_close(move.step, n);
    linpred__digits_close(move.start, n);
    linpred__digits_close(move.gradient, n);
    return ready;
}

bool linpred__fine_errors(const linpred__fine_fit *fit, double *standard_error)
{
    int32_t n = fit->width;
    double *l = linpred__alloc((size_t)n * (size_t)n + (size_t)n, sizeof *l), *x = l + (size_t)n * (size_t)n;
    if (!l)
        return false;
    factor_hessian(fit, l, x);
    for (int32_t j = 0; j < n; j++) {
        double most = -INFINITY, sum = 0.0;
        for (int32_t k = 0; k < n; k++)
            if (fit->tableau.basis[k] >= 0)
                most = fmax(most, linpred__tableau_log2(&fit->tableau, fit->rows + j, k) -
                                      fit->log2_scale[fit->tableau.basis[k]]);
        for (int32_t k = 0; k < n; k++)
            x[k] = entry_by_scale(fit, fit->rows + j, k, 0.0, most);
        solve_lower(l, n, x);
        for (int32_t k = 0; k < n; k++)
            sum += x[k] * x[k];
        standard_error[j] = exp2(most + fit->shift[j]) * sqrt(sum);
    }
    linpred__release(l);
    return true;
}
