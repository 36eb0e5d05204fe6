/* The search by a smooth loss. The header has the formulas. */
#include "solve/cover/smooth_search.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "num/select.h"
#include "solve/limits.h"

enum { LANES = 8 };

/* ---- standardised rows ------------------------------------------------------------------------------------------- */

/* The features of a row become (x_j - mean_j) / deviation_j. A row that is a condition on w and no data row has no
   entry of the intercept to divide by. */
static void standardise_rows(linpred__smooth_search *s)
{
    const linpred__hyperplane_search *p = s->search;
    double mean = (double)p->total / p->n;
    for (int32_t i = 0; i < p->n; i++) {
        const double *z = p->z + (int64_t)i * p->d;
        double *row = s->row + (int64_t)i * s->width;
        double y = p->constant >= 0 ? z[p->constant] : 0.0, size = y != 0.0 ? fabs(y) : 1.0;
        for (int32_t j = 0; j < p->d; j++)
            row[j] = (z[j] / size - y / size * p->mean[j]) / p->deviation[j];
        s->cost[i] = fmin((double)p->cost[i] / mean, LINPRED__SMOOTH_MAX_COST);
    }
}

linpred_status linpred__smooth_search_open(linpred__smooth_search *s, linpred__hyperplane_search *search,
                                           linpred_error *error)
{
    *s = (linpred__smooth_search){.search = search, .width = (search->d + LANES - 1) / LANES * LANES};
    size_t n = (size_t)search->n, width = (size_t)s->width;
    s->row = linpred__calloc(n * width, sizeof *s->row);
    s->cost = linpred__alloc(n, sizeof *s->cost);
    s->weight = linpred__alloc(n, sizeof *s->weight);
    s->score = linpred__alloc(n, sizeof *s->score);
    s->current = linpred__calloc(width, sizeof *s->current);
    s->v = linpred__calloc(width, sizeof *s->v);
    s->trial = linpred__calloc(width, sizeof *s->trial);
    s->gradient = linpred__calloc(width, sizeof *s->gradient);
    s->trial_gradient = linpred__calloc(width, sizeof *s->trial_gradient);
    s->direction = linpred__calloc(width, sizeof *s->direction);
    s->step = linpred__calloc(LINPRED__SMOOTH_PAIRS * width, sizeof *s->step);
    s->change = linpred__calloc(LINPRED__SMOOTH_PAIRS * width, sizeof *s->change);
    if (!s->row || !s->cost || !s->weight || !s->score || !s->current || !s->v || !s->trial || !s->gradient ||
        !s->trial_gradient || !s->direction || !s->step || !s->change) {
        linpred__smooth_search_close(s);
        return linpred__no_memory(error);
    }
    s->known_cost = INT64_MAX;
    standardise_rows(s);
    return LINPRED_OK;
}

void linpred__smooth_search_close(linpred__smooth_search *s)
{
    linpred__release(s->row);
    linpred__release(s->cost);
    linpred__release(s->weight);
    linpred__release(s->score);
    linpred__release(s->current);
    linpred__release(s->v);
    linpred__release(s->trial);
    linpred__release(s->gradient);
    linpred__release(s->trial_gradient);
    linpred__release(s->direction);
    linpred__release(s->step);
    linpred__release(s->change);
    *s = (linpred__smooth_search){0};
}

/* w for the scaled rows from v for the standardised ones. */
static void to_scaled(const linpred__smooth_search *s, const double *v, double *w)
{
    const linpred__hyperplane_search *p = s->search;
    double shift = 0;
    for (int32_t j = 0; j < p->d; j++) {
        w[j] = v[j] / p->deviation[j];
        shift += w[j] * p->mean[j];
    }
    if (p->constant >= 0)
        w[p->constant] -= shift;
}

static void from_scaled(const linpred__smooth_search *s, const double *w, double *v)
{
    const linpred__hyperplane_search *p = s->search;
    double shift = 0;
    for (int32_t j = 0; j < p->d; j++) {
        v[j] = w[j] * p->deviation[j];
        shift += w[j] * p->mean[j];
    }
    if (p->constant >= 0)
        v[p->constant] += shift;
}

/* ---- the loss ---------------------------------------------------------------------------------------------------- */

/* Sums of LANES products each, which are added in a fixed order, so that every instruction set gives the same bits. */
LINPRED__FAST static void score_rows(const linpred__smooth_search *s, const double *v)
{
    for (int32_t i = 0; i < s->search->n; i++) {
        const double *row = s->row + (int64_t)i * s->width;
        double sum[LANES] = {0};
        for (int32_t j = 0; j < s->width; j += LANES)
            for (int32_t k = 0; k < LANES; k++)
                sum[k] += row[j + k] * v[j + k];
        s->score[i] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }
}

/* Sets the gradient of the loss at the scores, and returns the loss. */
LINPRED__FAST static double add_losses(const linpred__smooth_search *s, double inverse, double *gradient)
{
    double loss = 0;
    memset(gradient, 0, (size_t)s->width * sizeof *gradient);
    for (int32_t i = 0; i < s->search->n; i++) {
        const double *row = s->row + (int64_t)i * s->width;
        double t = s->score[i] * inverse, q = 1.0 / sqrt(1.0 + t * t);
        double slope = -0.5 * s->weight[i] * inverse * (q * q * q);
        loss += s->weight[i] * (0.5 - 0.5 * t * q);
        for (int32_t j = 0; j < s->width; j++)
            gradient[j] += slope * row[j];
    }
    return loss;
}

static double loss_at(linpred__smooth_search *s, const double *v, double temperature, double *gradient)
{
    score_rows(s, v);
    s->search->work +=
        (0.5 * s->width + 3.0) * s->search->n; /* in vectors, four multiplications take the time of one */
    return add_losses(s, 1.0 / temperature, gradient);
}

/* ---- descent ----------------------------------------------------------------------------------------------------- */

static double dot_of(const double *a, const double *b, int32_t n)
{
    double sum = 0;
    for (int32_t j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

static void add_multiple(double factor, const double *a, double *b, int32_t n)
{
    for (int32_t j = 0; j < n; j++)
        b[j] += factor * a[j];
}

/* The direction of the limited-memory quasi-Newton method (Nocedal's two loops) from the last `pairs` pairs, of which
   `newest` is the last one. */
static void take_direction(linpred__smooth_search *s, int32_t pairs, int32_t newest)
{
    double factor[LINPRED__SMOOTH_PAIRS], curvature[LINPRED__SMOOTH_PAIRS];
    int32_t n = s->width;
    for (int32_t j = 0; j < n; j++)
        s->direction[j] = -s->gradient[j];
    for (int32_t k = 0; k < pairs; k++) {
        int32_t at = (newest + LINPRED__SMOOTH_PAIRS - k) % LINPRED__SMOOTH_PAIRS;
        const double *step = s->step + (int64_t)at * n, *change = s->change + (int64_t)at * n;
        curvature[at] = dot_of(step, change, n);
        factor[at] = dot_of(step, s->direction, n) / curvature[at];
        add_multiple(-factor[at], change, s->direction, n);
    }
    if (pairs > 0) {
        const double *change = s->change + (int64_t)newest * n;
        double scale = curvature[newest] / dot_of(change, change, n);
        for (int32_t j = 0; j < n; j++)
            s->direction[j] *= scale;
    }
    for (int32_t k = pairs; k-- > 0;) {
        int32_t at = (newest + LINPRED__SMOOTH_PAIRS - k) % LINPRED__SMOOTH_PAIRS;
        const double *step = s->step + (int64_t)at * n, *change = s->change + (int64_t)at * n;
        add_multiple(factor[at] - dot_of(change, s->direction, n) / curvature[at], step, s->direction, n);
    }
}

/* Keeps the step to the trial and the change of the gradient, if the loss curves upwards along it. */
static void keep_pair(linpred__smooth_search *s, int32_t *pairs, int32_t *newest)
{
    int32_t n = s->width, at = *pairs > 0 ? (*newest + 1) % LINPRED__SMOOTH_PAIRS : 0;
    double *step = s->step + (int64_t)at * n, *change = s->change + (int64_t)at * n;
    for (int32_t j = 0; j < n; j++) {
        step[j] = s->trial[j] - s->v[j];
        change[j] = s->trial_gradient[j] - s->gradient[j];
    }
    if (!(dot_of(step, change, n) > 1e-10 * sqrt(dot_of(step, step, n) * dot_of(change, change, n))))
        return;
    *newest = at;
    *pairs = *pairs < LINPRED__SMOOTH_PAIRS ? *pairs + 1 : *pairs;
}

static void swap_vectors(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

/* Descends from v at one temperature until a step gains little. The scores at the end are those of v. */
static void descend_at(linpred__smooth_search *s, double temperature)
{
    int32_t n = s->width, pairs = 0, newest = 0;
    double loss = loss_at(s, s->v, temperature, s->gradient);
    for (int32_t k = 0; k < LINPRED__SMOOTH_STEPS && s->search->work < s->work_limit; k++) {
        take_direction(s, pairs, newest);
        double slope = dot_of(s->gradient, s->direction, n), norm = sqrt(dot_of(s->gradient, s->gradient, n));
        if (!(slope < 0) || !isfinite(norm))
            break;
        double length = pairs > 0 ? 1.0 : fmin(1.0, temperature / norm), next = INFINITY;
        int32_t tries = 0;
        for (; tries < LINPRED__SMOOTH_TRIES; tries++, length *= 0.3) {
            for (int32_t j = 0; j < n; j++)
                s->trial[j] = s->v[j] + length * s->direction[j];
            next = loss_at(s, s->trial, temperature, s->trial_gradient);
            if (next <= loss + 1e-4 * length * slope)
                break;
        }
        if (tries == LINPRED__SMOOTH_TRIES) {
            score_rows(s, s->v);
            break;
        }
        keep_pair(s, &pairs, &newest);
        swap_vectors(&s->v, &s->trial);
        swap_vectors(&s->gradient, &s->trial_gradient);
        bool little = loss - next < LINPRED__SMOOTH_LITTLE * loss;
        loss = next;
        if (little)
            break;
    }
}

/* The cost of the mistakes at the scores, up to rounding. */
static int64_t cost_of_scores(const linpred__smooth_search *s)
{
    int64_t cost = 0;
    for (int32_t i = 0; i < s->search->n; i++)
        cost += s->score[i] <= 0 ? s->search->cost[i] : 0;
    return cost;
}

/* Scales v so that the median of |<v,r_i>| is 1. False if that is no number. */
static bool scale_to_median(linpred__smooth_search *s)
{
    score_rows(s, s->v);
    for (int32_t i = 0; i < s->search->n; i++)
        s->score[i] = fabs(s->score[i]);
    double median = linpred__select_number(s->score, s->search->n, s->search->n / 2);
    if (!(median > 0) || !isfinite(1.0 / median))
        return false;
    for (int32_t j = 0; j < s->width; j++)
        s->v[j] /= median;
    return true;
}

/* Stands at the best halfspace if that is new, or after many iterations without a better one. */
static void return_to_best(linpred__smooth_search *s)
{
    linpred__hyperplane_search *p = s->search;
    if (s->known_cost == p->best_cost && ++s->idle <= LINPRED__SMOOTH_PATIENCE)
        return;
    from_scaled(s, p->best, s->current);
    s->current_cost = s->known_cost = p->best_cost;
    s->idle = 0;
}

/* The costs, but a few of the rows that v gets wrong count much more: the search tries to correct these. */
static void stress_mistakes(linpred__smooth_search *s)
{
    int32_t wrong = 0;
    score_rows(s, s->v);
    for (int32_t i = 0; i < s->search->n; i++)
        wrong += s->score[i] <= 0;
    for (int32_t i = 0; i < s->search->n; i++) {
        bool chosen =
            s->score[i] <= 0 && linpred__random_below(&s->search->random, (uint64_t)wrong) < LINPRED__SMOOTH_STRESSED;
        s->weight[i] = s->cost[i] * (chosen ? LINPRED__SMOOTH_STRESS : 1.0);
    }
}

/* Costs times sizes of normal numbers, or even powers of them: most rows count less, some much more. One time in four a
   few mistakes are stressed instead. */
static void draw_weights(linpred__smooth_search *s)
{
    linpred__random *random = &s->search->random;
    uint64_t kind = linpred__random_below(random, 4);
    if (kind == 3) {
        stress_mistakes(s);
        return;
    }
    for (int32_t i = 0; i < s->search->n; i++) {
        double size = fabs(linpred__random_normal(random));
        s->weight[i] = s->cost[i] * (kind == 0 ? size : kind == 1 ? size * size : size * size * size * size);
    }
}

/* Follows the minimum of the true costs from this temperature down. Stands at each v that costs at most `bar`, which
   falls with it. */
static void cool_down(linpred__smooth_search *s, double temperature, int64_t bar)
{
    linpred__hyperplane_search *p = s->search;
    memcpy(s->weight, s->cost, (size_t)p->n * sizeof *s->cost);
    for (; temperature > LINPRED__SMOOTH_LAST_TEMPERATURE; temperature *= 0.5) {
        descend_at(s, temperature);
        int64_t cost = cost_of_scores(s);
        if (cost < p->best_cost) {
            to_scaled(s, s->v, p->start);
            if (linpred__hyperplane_search_offer(p, p->start)) {
                s->known_cost = p->best_cost;
                s->idle = 0;
            }
        }
        if (cost <= bar) {
            memcpy(s->current, s->v, (size_t)s->width * sizeof *s->v);
            s->current_cost = bar = cost;
        }
    }
}

bool linpred__smooth_search_iterate(linpred__smooth_search *s, double work)
{
    linpred__hyperplane_search *p = s->search;
    double end = p->work + work;
    while (p->work < end) {
        s->work_limit = p->work + LINPRED__SMOOTH_MAX_WORK;
        return_to_best(s);
        memcpy(s->v, s->current, (size_t)s->width * sizeof *s->v);
        if (!scale_to_median(s))
            return false;
        double temperature = ldexp(LINPRED__SMOOTH_TEMPERATURE, -(int)linpred__random_below(&p->random, 3));
        draw_weights(s);
        descend_at(s, temperature);
        bool worse = linpred__random_below(&p->random, LINPRED__SMOOTH_WORSE) == 0;
        cool_down(s, temperature, s->current_cost + (worse ? p->total / p->n : 0));
    }
    return true;
}
