/* The least-distance problem by a dual active-set method (Goldfarb and Idnani 1983), with the identity as Hessian.
 *
 * It starts at w = 0 without active rows, and repeats:
 *   1. Take the row p that w violates most. If there is none, w is optimal.
 *   2. Split z_p = A c + d, where the columns of A are the active rows and d is orthogonal to them.
 *   3. Move   w <- w + t d,   α_A <- α_A - t c,   α_p <- α_p + t   with the smaller of two t: at the first, row p
 * reaches the value 1 and joins the active rows; at the second, a multiplier reaches 0, and its row leaves.
 *   4. If a row left, go to 2 with the same p.
 * If d = 0 and no multiplier can reach 0, then z_p - Σ c_i z_i = 0 with all c_i <= 0. No w satisfies these rows, and
 * (1, -c) is the combination that proves it.
 *
 * The method ends: the multipliers are never negative, and the dual value Σ α - ||w||²/2 rises with every row that
 * joins. So no active set occurs twice. If rounding would break this, the solve stops as STALLED.
 */
#include "solve/least_distance/least_distance.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/least_distance/state.h"
#include "solve/limits.h"

/* ---- the most violated row --------------------------------------------------------------------------------------- */

/* The rounding bound of <z_i, w> computed in doubles. */
static double value_error(const linpred__least_distance *p, int64_t i, double length_of_w)
{
    return ((double)p->row[i].count + 4.0) * 0x1p-53 * p->row[i].length * length_of_w;
}

/* The violated row with the largest (1 - <z_i,w>) / ||z_i||, or -1. The values are computed in doubles first. If no row
   is certainly violated, the rows in doubt are computed again in double-double. */
static int64_t most_violated(const linpred__least_distance *p)
{
    double length = sqrt(linpred__dot(p->width, p->w.hi, p->w.hi));
    int64_t worst = -1;
    double depth = 0.0;
    bool doubtful = false;
    for (int64_t i = 0; i < p->rows; i++) {
        if (p->row[i].active)
            continue;
        double violation = 1.0 - linpred__distance_value(p, i, p->w.hi);
        double error = value_error(p, i, length);
        doubtful = doubtful || violation + error > LINPRED__DISTANCE_VIOLATION;
        if (violation - error > LINPRED__DISTANCE_VIOLATION && violation / p->row[i].length > depth) {
            depth = violation / p->row[i].length;
            worst = i;
        }
    }
    if (worst >= 0 || !doubtful)
        return worst;
    for (int64_t i = 0; i < p->rows; i++) {
        if (p->row[i].active ||
            1.0 - linpred__distance_value(p, i, p->w.hi) + value_error(p, i, length) <= LINPRED__DISTANCE_VIOLATION)
            continue;
        linpred__dd value = linpred__distance_careful_value(p, i, p->w);
        double violation = (1.0 - value.hi) - value.lo;
        if (violation > LINPRED__DISTANCE_VIOLATION && violation / p->row[i].length > depth) {
            depth = violation / p->row[i].length;
            worst = i;
        }
    }
    return worst;
}

/* ---- the active set ---------------------------------------------------------------------------------------------- */

void linpred__distance_leave(linpred__least_distance *p, int64_t k)
{
    p->row[p->member[k]].active = false;
    linpred__triangle_drop(&p->r, k);
    p->active--;
    for (int64_t i = k; i < p->active; i++) {
        p->member[i] = p->member[i + 1];
        linpred__dd_set(p->alpha, i, linpred__dd_get(p->alpha, i + 1));
    }
    p->border_current = false;
    p->steps++;
}

static linpred_status join(linpred__least_distance *p, int64_t row, linpred__dd alpha, linpred__dd rho,
                           linpred_error *error)
{
    if (!linpred__distance_reserve(p, p->active + 1) || !linpred__triangle_append(&p->r, p->c, rho))
        return linpred__no_memory(error);
    p->member[p->active] = row;
    linpred__dd_set(p->alpha, p->active, alpha);
    p->row[row].active = true;
    p->active++;
    p->border_current = false;
    p->steps++;
    return LINPRED_OK;
}

/* The active row whose multiplier α - t step reaches 0 first, and this t; -1 if none ever does. Entries of `step` that
   are only rounding are ignored. */
static int64_t first_to_leave(const linpred__least_distance *p, linpred__dd *t)
{
    double largest = 0.0;
    for (int64_t i = 0; i < p->active; i++)
        largest = fmax(largest, fabs(p->step.hi[i]) * p->row[p->member[i]].length);
    int64_t first = -1;
    for (int64_t i = 0; i < p->active; i++) {
        if (p->step.hi[i] * p->row[p->member[i]].length <= 0x1p-70 * largest)
            continue;
        linpred__dd ratio = {0.0, 0.0};
        if (p->alpha.hi[i] > 0.0)
            ratio = linpred__dd_divide(linpred__dd_get(p->alpha, i), linpred__dd_get(p->step, i));
        if (first < 0 || ratio.hi < t->hi) {
            first = i;
            *t = ratio;
        }
    }
    return first;
}

/* ---- one row enters ---------------------------------------------------------------------------------------------- */

/* With a free intercept and no active rows, b = y meets the row, and b does not count in the norm. */
static linpred_status enter_free(linpred__least_distance *p, int64_t row, linpred_error *error)
{
    linpred__dd rho;
    bool dependent;
    linpred__distance_project_row(p, row, &rho, &dependent);
    linpred__dd_set(p->w, p->columns, (linpred__dd){linpred__distance_sign(p, row), 0.0});
    return join(p, row, (linpred__dd){0.0, 0.0}, rho, error);
}

typedef enum progress {
    ENTERED,       /* the row joined the active rows */
    LEFT,          /* an active row left */
    CONTRADICTION, /* no w satisfies the row and the active rows */
    INACCURATE     /* double-doubles are not accurate enough */
} progress;

/* Steps 2 and 3 of the method for one row. *alpha is the multiplier of the row, which grows by t. */
static linpred_status move(linpred__least_distance *p, int64_t row, linpred__dd *alpha, progress *done,
                           linpred_error *error)
{
    linpred__dd rho, curvature, t = {INFINITY, 0.0}, full = {INFINITY, 0.0};
    bool dependent;
    *done = INACCURATE;
    if (!linpred__distance_project_row(p, row, &rho, &dependent) || !linpred__distance_direct(p, &curvature))
        return LINPRED_OK;
    int64_t leaver = first_to_leave(p, &t);
    if (dependent && leaver < 0) {
        *done = CONTRADICTION;
        return LINPRED_OK;
    }
    if (!dependent) {
        linpred__dd value = linpred__distance_careful_value(p, row, p->w);
        full = linpred__dd_divide(linpred__dd_add_double(linpred__dd_negate(value), 1.0), curvature);
    }
    bool enters = full.hi <= t.hi;
    if (enters)
        t = full;
    if (!isfinite(t.hi))
        return LINPRED_OK;
    linpred__dd_add_multiple_both(p->active, linpred__dd_negate(t), p->step, p->alpha);
    *alpha = linpred__dd_add(*alpha, t);
    if (!dependent)
        linpred__dd_add_multiple_both(p->width, t, p->d, p->w);
    *done = enters ? ENTERED : LEFT;
    if (!enters) {
        linpred__distance_leave(p, leaver);
        return LINPRED_OK;
    }
    return join(p, row, *alpha, rho, error);
}

/* Repeats moves until the row has entered. *going is false if the solve must stop. */
static linpred_status enter(linpred__least_distance *p, int64_t row, bool *going, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    linpred__dd alpha = {0.0, 0.0};
    progress done = LEFT;
    while (done == LEFT && status == LINPRED_OK) {
        if (p->active == 0 && p->bordered && p->phi == 0.0) {
            done = ENTERED;
            status = enter_free(p, row, error);
        } else {
            status = move(p, row, &alpha, &done, error);
        }
    }
    if (status != LINPRED_OK)
        return status;
    if (done == CONTRADICTION) {
        p->outcome = LINPRED__DISTANCE_INFEASIBLE; /* the answer needs `step` as it is now */
        p->entering = row;
    } else if (done == INACCURATE || !linpred__distance_refine(p, LINPRED__DISTANCE_STEP_ACCURACY)) {
        p->outcome = LINPRED__DISTANCE_STALLED;
    } else {
        *going = true;
    }
    return LINPRED_OK;
}

/* ---- the solve --------------------------------------------------------------------------------------------------- */

void linpred__distance_remember(linpred__least_distance *p)
{
    size_t active = (size_t)p->active * sizeof(double), width = (size_t)p->width * sizeof(double);
    memcpy(p->best_w.hi, p->w.hi, width);
    memcpy(p->best_w.lo, p->w.lo, width);
    memcpy(p->best_alpha.hi, p->alpha.hi, active);
    memcpy(p->best_alpha.lo, p->alpha.lo, active);
    memcpy(p->best_member, p->member, (size_t)p->active * sizeof(int64_t));
    p->best_active = p->active;
}

/* Computes the last digits after no row is violated. Rows with a multiplier of 0 or, by rounding, below 0 leave.
   Returns false if a row left or a multiplier is still not positive. */
static bool finish_digits(linpred__least_distance *p)
{
    int64_t before = p->active;
    for (int64_t i = p->active - 1; i >= 0; i--)
        if (p->alpha.hi[i] <= 0.0)
            linpred__distance_leave(p, i);
    linpred__distance_rebuild(p);
    linpred__distance_refine(p, LINPRED__DISTANCE_FINAL_ACCURACY);
    bool positive = true;
    for (int64_t i = 0; i < p->active; i++)
        positive = positive && p->alpha.hi[i] > 0.0;
    return positive && p->active == before;
}

/* The dual value Σ α - (||w||² + φ b²)/2. At the optimum an error of the multipliers changes it by its square only. */
static linpred__dd dual_value(const linpred__least_distance *p)
{
    int64_t n = p->bordered ? p->columns : p->width;
    linpred__dd square = linpred__dd_dot_both(n, p->w, p->w);
    if (p->bordered) {
        linpred__dd b = linpred__dd_get(p->w, p->columns);
        square = linpred__dd_add(square, linpred__dd_multiply(b, linpred__dd_multiply_double(b, p->phi)));
    }
    linpred__dd sum = linpred__dd_sum(p->active, p->alpha);
    return linpred__dd_add(sum, linpred__dd_multiply_double(square, -0.5));
}

/* Begins to watch for cycles, unless the solve goes on where a limit of steps ended it. */
static void watch_for_cycles(linpred__least_distance *p)
{
    if (p->last_step > 0)
        return;
    p->last_step = p->steps + 1000 + 100 * (p->rows + p->width);
    p->highest = dual_value(p);
    p->without_rise = 0;
}

/* Whether the solve may go on: the dual value has risen since one of the last LINPRED__ROWS_WITHOUT_RISE rows joined. A
   single rise can be smaller than the rounding of the value. A cycle never rises. The number of steps is a second
   guard, since rounding could look like a rise. */
static bool rising(linpred__least_distance *p)
{
    linpred__dd now = dual_value(p), *highest = &p->highest;
    if (now.hi > highest->hi || (now.hi == highest->hi && now.lo > highest->lo)) {
        *highest = now;
        p->without_rise = 0;
    } else {
        p->without_rise++;
    }
    return p->without_rise <= LINPRED__ROWS_WITHOUT_RISE && p->steps <= p->last_step;
}

static linpred_status run_active_set(linpred__least_distance *p, int64_t limit, linpred_error *error)
{
    int finishes = 0;
    watch_for_cycles(p);
    for (;;) {
        int64_t row = most_violated(p);
        if (row < 0) {
            bool done = finish_digits(p) || ++finishes > 3;
            linpred__distance_remember(p);
            p->outcome = LINPRED__DISTANCE_OPTIMAL;
            if (done)
                return LINPRED_OK;
            continue;
        }
        p->outcome = LINPRED__DISTANCE_LIMIT;
        if (p->steps >= limit)
            return LINPRED_OK;
        bool going = false;
        linpred_status status = enter(p, row, &going, error);
        if (status != LINPRED_OK || !going)
            return status;
        p->outcome = LINPRED__DISTANCE_STALLED;
        if (!rising(p))
            return LINPRED_OK;
        linpred__distance_remember(p);
    }
}

linpred_status linpred__least_distance_solve(linpred__least_distance *p, int64_t steps,
                                             linpred__distance_outcome *outcome, linpred_error *error)
{
    bool again = p->solved || p->outcome == LINPRED__DISTANCE_INFEASIBLE; /* more rows cannot make it feasible */
    linpred_status status = LINPRED_OK;
    if (!again) {
        if (p->outcome == LINPRED__DISTANCE_STALLED)
            linpred__distance_restart(p);
        p->careful = false;
        status = run_active_set(p, steps > 0 ? p->steps + steps : INT64_MAX, error);
        if (status != LINPRED_OK) { /* memory ran out, and a move may be half done */
            linpred__distance_restart(p);
            return status;
        }
        p->solved = p->outcome != LINPRED__DISTANCE_LIMIT;
    }
    *outcome = p->outcome;
    return LINPRED_OK;
}
