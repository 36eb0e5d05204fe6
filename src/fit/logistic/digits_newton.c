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
    mpf_t *steep; /* four times the |slope| of the row's own loss where the step begins */
};

/* log2 of the scale of the row of the basis that column k has: of sqrt(κ), if its loss bends no more than that. */
static double column_scale(const linpred__fine_fit *fit, int32_t k)
{
    int32_t basis = fit->tableau.basis[k];
    return fit->log2_scale[basis] + (basis < fit->rows ? log2(fit->factor) : 0.0);
}

/* Fills the gradient. Where q = |g| / κ > 1, the step q is too long for a loss that is nearly exponential or linear:
   back from where exp(-s) has died out the way to the minimum is about ln q. So κ becomes |g| / ln(1+q) in the scale of
   such a row, until the next evaluation. What is left of a gradient by rounding counts as 0: beside it the gradients of
   rows with tiny losses would be lost. */
static void find_fine_gradient(linpred__fine_fit *fit, const struct fine_step *move)
{
    for (int32_t k = 0; k < fit->width; k++) {
        int32_t basis = fit->tableau.basis[k];
        mpf_set_ui(move->gradient[k], 0);
        if (basis < 0)
            continue;
        linpred__fine_gradient(fit, k, move->gradient[k]);
        mpf_abs(move->steep[k], fit->slope[basis]);
        mpf_mul_2exp(move->steep[k], move->steep[k], 2);
        double q = linpred__digits_log2(move->gradient[k]) - linpred__digits_log2(fit->curvature[basis]); /* log2 */
        if (basis < fit->rows && q < 40.0 - LINPRED__DIGITS_RIGHT)
            mpf_set_ui(move->gradient[k], 0);
        if (basis < fit->rows && q > 0.0)
            fit->log2_scale[basis] += 0.5 * (q - log2(q < 60.0 ? log1p(exp2(q)) : q * log(2.0)));
    }
}

/* Fills the step. `x` is scratch. */
static void find_fine_step(const linpred__fine_fit *fit, const double *l, double *x, const struct fine_step *move)
{
    int32_t n = fit->width;
    double most = -INFINITY;
    for (int32_t k = 0; k < n; k++)
        if (fit->tableau.basis[k] >= 0)
            most = fmax(most, linpred__digits_log2(move->gradient[k]) - column_scale(fit, k));
    most = isfinite(most) ? floor(most) : 0.0;
    for (int32_t k = 0; k < n; k++) { /* in a unit in which the largest is about 1 */
        x[k] = 0.0;
        if (fit->tableau.basis[k] >= 0)
            x[k] = -mpf_sgn(move->gradient[k]) *
                   exp2(linpred__digits_log2(move->gradient[k]) - column_scale(fit, k) - most);
    }
    solve_lower(l, n, x);
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < n; k++)
            x[i] -= l[k * n + i] * x[k];
        x[i] /= l[i * n + i];
    }
    for (int32_t k = 0; k < n; k++) {
        double exponent = fit->tableau.basis[k] < 0 ? 0.0 : most - column_scale(fit, k), whole = floor(exponent);
        mpf_set_d(move->step[k], isfinite(x[k]) ? x[k] * exp2(exponent - whole) : 0.0);
        if (whole >= 0.0)
            mpf_mul_2exp(move->step[k], move->step[k], (mp_bitcnt_t)whole);
        else
            mpf_div_2exp(move->step[k], move->step[k], (mp_bitcnt_t)-whole);
    }
}

/* The values of all rows from those of the basis, moved by step 2^exponent. */
static void move_values(linpred__fine_fit *fit, mpf_t *start, mpf_t *step, int exponent)
{
    mpf_t term, moved;
    mpf_init2(term, fit->bits);
    mpf_init2(moved, fit->bits);
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

/* Makes the step 2^exponent shorter if it would bring a row that is far on its right side, where no loss is left of it,
   nearer than linpred__fine_near: such rows bound the way, and what is left of the way is taken in a basis that has
   them. */
static void stay_far(const linpred__fine_fit *fit, const struct fine_step *move, int exponent)
{
    mpf_t change, way, part, shortest;
    mpf_init2(change, fit->bits);
    mpf_init2(way, fit->bits);
    mpf_init2(part, fit->bits);
    mpf_init2(shortest, fit->bits);
    mpf_set_ui(shortest, 1);
    for (int32_t i = 0; i < fit->rows; i++) {
        if (!(linpred__digits_log2(fit->value[i]) > 20.0) || mpf_sgn(fit->value[i]) != mpf_sgn(fit->sign[i]))
            continue;
        mpf_set_ui(change, 0);
        for (int32_t k = 0; k < fit->width; k++) {
            mpf_mul(part, fit->entry[i * fit->width + k], move->step[k]);
            mpf_add(change, change, part);
        }
        if (mpf_sgn(change) * mpf_sgn(fit->sign[i]) >= 0)
            continue;
        mpf_abs(change, change);
        mpf_abs(way, fit->value[i]);
        mpf_set_d(part, linpred__fine_near);
        mpf_sub(way, way, part);
        mpf_div(way, way, change);
        if (exponent < 0)
            mpf_mul_2exp(way, way, (mp_bitcnt_t)-exponent);
        if (mpf_cmp(way, shortest) < 0)
            mpf_set(shortest, way);
    }
    for (int32_t k = 0; k < fit->width; k++)
        mpf_mul(move->step[k], move->step[k], shortest);
    mpf_clear(change);
    mpf_clear(way);
    mpf_clear(part);
    mpf_clear(shortest);
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
   the basis that moved by more than 1/2 has passed the place where F rises along it. With `some` F may rise
   along it, if the rise is at most half as steep as the fall was, or if the slope of the row's own loss is at most
   that, or at most `steep`. The digits of F do not show what rows with tiny losses do, so its gradient is asked too. */
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
        if (some && !down) {
            mpf_abs(g, fit->slope[fit->tableau.basis[k]]);
            down = mpf_cmp(g, most) <= 0 || mpf_cmp(g, move->steep[k]) <= 0;
        }
    }
    mpf_clear(g);
    mpf_clear(most);
    return down;
}

/* How often the step must be halved to go down: 0, 1, 2, 4, … times are tried, then what is between. The rows of the
   basis may be so small that what moves them a little moves others far. More than LINPRED__FINE_HALVINGS: no step is
   short enough. */
static int find_halvings(linpred__fine_fit *fit, const struct fine_step *move, int exponent, const mpf_t highest)
{
    int few = -1, enough = 0;
    while (enough <= LINPRED__FINE_HALVINGS && !goes_down(fit, move, exponent - enough, highest, true)) {
        few = enough;
        enough = enough > 0 ? 2 * enough : 1;
    }
    while (enough <= LINPRED__FINE_HALVINGS && enough - few > 1) {
        int middle = few + (enough - few) / 2;
        bool down = goes_down(fit, move, exponent - middle, highest, true);
        enough = down ? middle : enough;
        few = down ? few : middle;
    }
    return enough;
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
    stay_far(fit, move, exponent);
    int halvings = find_halvings(fit, move, exponent, highest), longest = exponent + LINPRED__FINE_DOUBLINGS;
    bool lower = halvings <= LINPRED__FINE_HALVINGS;
    exponent -= halvings;
    if (halvings == 0 && change > -1.0)
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
    struct fine_step move = {linpred__digits_open(n, fit->bits), linpred__digits_open(n, LINPRED__DIGITS),
                             linpred__digits_open(n, fit->bits), linpred__digits_open(n, LINPRED__DIGITS)};
    bool ready = l && move.step && move.start && move.gradient && move.steep;
    for (int k = 0; ready && k < LINPRED__FINE_STEPS && fit->losses <= LINPRED__FINE_LOSSES; k++) {
        double q;
        bool chosen = linpred__fine_choose(fit);
        fit->gap = chosen ? linpred__fine_gap(fit, &q) : (double)INFINITY;
        if (!chosen || (fit->gap <= linpred__fine_enough && q <= linpred__fine_ratio))
            break;
        const linpred__logistic_progress *progress = &fit->problem->progress;
        if (linpred__run_should_stop(fit->problem->run, "newton", progress->iterations, progress->passes, NAN))
            break;
        find_fine_gradient(fit, &move);
        factor_hessian(fit, l, l + n * n);
        find_fine_step(fit, l, l + n * n, &move);
        if (!step_down(fit, &move))
            break;
    }
    linpred__release(l);
    linpred__digits_close(move.step, n);
    linpred__digits_close(move.start, n);
    linpred__digits_close(move.gradient, n);
    linpred__digits_close(move.steep, n);
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
