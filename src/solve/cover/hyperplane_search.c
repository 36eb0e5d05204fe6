/* The local search for a halfspace of small cost. A sweep finds the best w on a circle: as the hyperplane turns from u
 * to v, each row changes its side once, and the costs are added up in the order of these crossings.
 */
#include "solve/cover/hyperplane_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "num/integers.h"
#include "solve/cover/sort_crossings.h"
#include "solve/limits.h"
#include "solve/row_signs.h"

/* ---- scaled rows ------------------------------------------------------------------------------------------------- */

/* Column j is multiplied by 2^-exponent_j, so that its largest entry is in [1/2, 1), and then each row in the same
   way. */
static void scale_rows(linpred__hyperplane_search *p)
{
    for (int32_t j = 0; j < p->d; j++)
        p->exponent[j] = INT32_MIN;
    for (int32_t i = 0; i < p->n; i++) {
        linpred__entries row = linpred__row_of(p->rows, i);
        for (int32_t k = 0; k < row.count; k++) {
            int32_t *top = &p->exponent[linpred__entry_column(&row, k)];
            if (row.values[k] == 0.0)
                continue;
            int exponent = ilogb(row.values[k]) + 1 + linpred__entry_exponent(p->rows, i, k);
            *top = exponent > *top ? exponent : *top;
        }
    }
    for (int32_t j = 0; j < p->d; j++)
        p->exponent[j] = p->exponent[j] == INT32_MIN ? 0 : p->exponent[j];
    for (int32_t i = 0; i < p->n; i++) {
        linpred__entries row = linpred__row_of(p->rows, i);
        double *z = p->z + (int64_t)i * p->d;
        int top = INT32_MIN;
        for (int32_t k = 0; k < row.count; k++)
            if (row.values[k] != 0.0) {
                int exponent = ilogb(row.values[k]) + 1 + linpred__entry_exponent(p->rows, i, k) -
                               p->exponent[linpred__entry_column(&row, k)];
                top = exponent > top ? exponent : top;
            }
        for (int32_t k = 0; k < row.count; k++) {
            int32_t j = linpred__entry_column(&row, k);
            z[j] += ldexp(row.values[k],
                          linpred__entry_exponent(p->rows, i, k) - p->exponent[j] - (top == INT32_MIN ? 0 : top));
        }
    }
}

/* Means and deviations of the features x_j = z_j / z_constant. Directions are drawn as if the features were
 * standardised. If no row is a data row, means are 0 and deviations 1.
 */
static void measure_features(linpred__hyperplane_search *p)
{
    for (int32_t j = 0; j < p->d; j++) {
        double sum = 0, squares = 0, count = 0;
        for (int32_t i = 0; i < p->n; i++) {
            const double *z = p->z + (int64_t)i * p->d;
            if (p->constant >= 0 && z[p->constant] == 0.0)
                continue; /* such a row is a condition on w and no data row */
            double x = p->constant >= 0 ? z[j] / z[p->constant] : z[j];
            sum += x;
            squares += x * x;
            count++;
        }
        p->mean[j] = p->constant >= 0 && j != p->constant && count > 0 ? sum / count : 0.0;
        double variance = count > 0 ? squares / count - p->mean[j] * p->mean[j] : 0.0;
        p->deviation[j] = j == p->constant || !(variance > 1e-24) ? 1.0 : sqrt(variance);
    }
}

linpred_status linpred__hyperplane_search_open(linpred__hyperplane_search *p, const linpred__rows *rows,
                                               const int64_t *cost, bool has_intercept, uint64_t seed,
                                               linpred_error *error)
{
    *p = (linpred__hyperplane_search){.rows = rows, .cost = cost, .n = rows->rows, .d = rows->columns};
    size_t n = (size_t)p->n, d = (size_t)p->d;
    p->constant = has_intercept ? p->d - 1 : -1;
    p->exponent = linpred__alloc(d, sizeof *p->exponent);
    p->z = linpred__calloc(n * d, sizeof *p->z);
    p->mean = linpred__alloc(d, sizeof *p->mean);
    p->deviation = linpred__alloc(d, sizeof *p->deviation);
    p->best = linpred__calloc(d, sizeof *p->best);
    p->current = linpred__calloc(d, sizeof *p->current);
    p->start = linpred__calloc(d, sizeof *p->start);
    p->a = linpred__alloc(n, sizeof *p->a);
    p->b = linpred__alloc(n, sizeof *p->b);
    p->direction = linpred__alloc(d, sizeof *p->direction);
    p->w = linpred__alloc(d, sizeof *p->w);
    p->unscaled = linpred__alloc(d, sizeof *p->unscaled);
    p->crossing = linpred__alloc(n, sizeof *p->crossing);
    if (!p->exponent || !p->z || !p->mean || !p->deviation || !p->best || !p->current || !p->start || !p->a || !p->b ||
        !p->direction || !p->w || !p->unscaled || !p->crossing) {
        linpred__hyperplane_search_close(p);
        return linpred__no_memory(error);
    }
    linpred__random_seed(&p->random, seed);
    for (int32_t i = 0; i < p->n; i++)
        p->total += cost[i];
    p->best_cost = p->current_cost = p->total;
    scale_rows(p);
    measure_features(p);
    return LINPRED_OK;
}

void linpred__hyperplane_search_close(linpred__hyperplane_search *p)
{
    linpred__release(p->exponent);
    linpred__release(p->z);
    linpred__release(p->mean);
    linpred__release(p->deviation);
    linpred__release(p->best);
    linpred__release(p->current);
    linpred__release(p->start);
    linpred__release(p->a);
    linpred__release(p->b);
    linpred__release(p->direction);
    linpred__release(p->w);
    linpred__release(p->unscaled);
    linpred__release(p->crossing);
    linpred__integers_close(&p->integers);
    *p = (linpred__hyperplane_search){0};
}

/* ---- candidates -------------------------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b, int32_t n)
{
    double sum[4] = {0, 0, 0, 0};
    int32_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[j + k] * b[j + k];
    for (; j < n; j++)
        sum[0] += a[j] * b[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void scores(linpred__hyperplane_search *p, const double *w, double *score)
{
    for (int32_t i = 0; i < p->n; i++)
        score[i] = dot(p->z + (int64_t)i * p->d, w, p->d);
    p->work += (double)p->n * p->d;
}

/* Returns whether that is exact: no entry overflows or loses bits by underflow. */
static bool to_unscaled(const linpred__hyperplane_search *p, const double *w, double *unscaled)
{
    bool exact = true;
    for (int32_t j = 0; j < p->d; j++) {
        unscaled[j] = ldexp(w[j], -p->exponent[j]);
        exact = exact && ldexp(unscaled[j], p->exponent[j]) == w[j];
    }
    return exact;
}

/* The cost of the unscaled w by certified signs. Returns `total` as soon as the cost is at least `bar`, or if the
   unscaled w overflows. `largest` is max |w_j|. If unscaling is not exact, the signs of the scaled w prove nothing
   about the unscaled one, and every sign is computed exactly. */
static int64_t certified_cost(linpred__hyperplane_search *p, const double *w, double largest, int64_t bar)
{
    int64_t cost = 0;
    bool exact = to_unscaled(p, w, p->unscaled);
    for (int32_t j = 0; j < p->d; j++)
        if (!isfinite(p->unscaled[j]))
            return p->total;
    double underflow = 0x1p-900 * fmax(1.0, largest); /* more than entries of z that underflowed can add to a sum */
    for (int32_t i = 0; i < p->n && cost < bar; i++) {
        const double *z = p->z + (int64_t)i * p->d;
        double sum = 0, size = 0;
        for (int32_t j = 0; j < p->d; j++) {
            sum += w[j] * z[j];
            size += fabs(w[j] * z[j]);
        }
        bool clear = exact && fabs(sum) > (p->d + 8.0) * 0x1p-52 * size + underflow;
        if (clear ? sum < 0 : linpred__row_sign(p->rows, i, p->unscaled) <= 0)
            cost += p->cost[i];
    }
    return cost < bar ? cost : p->total;
}

bool linpred__hyperplane_search_offer(linpred__hyperplane_search *p, const double *w)
{
    double largest = 0;
    for (int32_t j = 0; j < p->d; j++)
        largest = fmax(largest, fabs(w[j]));
    if (!(largest > 0) || !isfinite(largest))
        return false;
    int64_t cost = certified_cost(p, w, largest, p->best_cost);
    p->work += (double)p->n * p->d;
    if (cost >= p->best_cost)
        return false;
    p->best_cost = cost;
    memcpy(p->best, w, (size_t)p->d * sizeof *w);
    linpred__integers_close(&p->integers);
    return true;
}

bool linpred__hyperplane_search_offer_unscaled(linpred__hyperplane_search *p, const double *w)
{
    for (int32_t j = 0; j < p->d; j++)
        p->w[j] = ldexp(w[j], p->exponent[j]);
    return linpred__hyperplane_search_offer(p, p->w);
}

void linpred__hyperplane_search_best(const linpred__hyperplane_search *p, double *w)
{
    to_unscaled(p, p->best, w);
}

/* ---- local search ------------------------------------------------------------------------------------------------ */

/* An arc of the circle through u and v: the halfspaces w = sign (cot u + v) between two crossings. */
typedef struct arc {
    double cot;   /* in the middle of the arc */
    double sign;  /* +1 or -1 */
    int64_t cost; /* the same on the whole arc */
} arc;

/* Finds the arc of smallest cost, where a are the scores of u and b those of v. The score cot a_i + b_i of row i is 0
   at cot = -b_i/a_i. Arcs of equal cost are chosen at random; arcs shorter than rounding are skipped. */
static arc sweep(linpred__hyperplane_search *p, const double *a, const double *b)
{
    int32_t events = 0;
    int64_t cost = 0, always_wrong = 0; /* always_wrong: cost of the rows with score 0 on the whole circle */
    for (int32_t i = 0; i < p->n; i++) {
        bool wrong = a[i] < 0 || (a[i] == 0.0 && b[i] < 0);
        double key = a[i] != 0.0 ? -b[i] / a[i] : NAN;
        if (a[i] == 0.0 && b[i] == 0.0)
            always_wrong += p->cost[i];
        cost += wrong ? p->cost[i] : 0;
        if (isfinite(key))
            p->crossing[events++] = (linpred__crossing){key, wrong ? -p->cost[i] : p->cost[i]};
    }
    linpred__sort_crossings(p->crossing, events);
    p->work += 12.0 * p->n;
    int64_t all = p->total - always_wrong;
    arc best = {events > 0 ? p->crossing[0].cot + 1.0 + fabs(p->crossing[0].cot) : 1.0, 1.0, cost};
    if (all - cost < best.cost)
        best = (arc){best.cot, -1.0, all - cost};
    uint64_t ties = 1;
    for (int32_t k = 0; k < events; k++) {
        const linpred__crossing *c = &p->crossing[k];
        cost += c->delta;
        double next = k + 1 < events ? c[1].cot : c->cot - 1.0 - fabs(c->cot);
        int64_t lower = cost < all - cost ? cost : all - cost;
        if (lower > best.cost || !(c->cot - next > 1e-11 * (fabs(c->cot) + fabs(next))))
            continue;
        ties = lower < best.cost ? 1 : ties + 1;
        if (ties == 1 || linpred__random_below(&p->random, ties) == 0)
            best = (arc){0.5 * (c->cot + next), cost <= all - cost ? 1.0 : -1.0, lower};
    }
    best.cost += always_wrong;
    return best;
}

/* Draws a direction in standardised features, one of four kinds with equal probability: one column, a row on the wrong
   side, all columns at random, about two columns at random. Then it is converted to scaled columns. */
static void draw_direction(linpred__hyperplane_search *p, const double *a)
{
    double *v = p->direction;
    uint64_t kind = linpred__random_below(&p->random, 4);
    memset(v, 0, (size_t)p->d * sizeof *v);
    if (kind == 0) {
        v[linpred__random_below(&p->random, (uint64_t)p->d)] = 1.0;
    } else if (kind == 1) {
        int32_t i = (int32_t)linpred__random_below(&p->random, (uint64_t)p->n);
        for (int32_t tries = 0; tries < 50 && a[i] > 0; tries++)
            i = (int32_t)linpred__random_below(&p->random, (uint64_t)p->n);
        const double *z = p->z + (int64_t)i * p->d;
        double y = p->constant >= 0 ? z[p->constant] : 1.0;
        for (int32_t j = 0; j < p->d; j++)
            v[j] = (z[j] - (j == p->constant ? 0.0 : y * p->mean[j])) / p->deviation[j];
    } else {
        for (int32_t j = 0; j < p->d; j++)
            if (kind == 2 || linpred__random_below(&p->random, (uint64_t)p->d) < 2)
                v[j] = linpred__random_normal(&p->random);
    }
    double shift = 0;
    for (int32_t j = 0; j < p->d; j++) {
        v[j] /= p->deviation[j];
        shift += v[j] * p->mean[j];
    }
    if (p->constant >= 0)
        v[p->constant] -= shift;
}

int64_t linpred__hyperplane_search_descend(linpred__hyperplane_search *p, double *w, int32_t sweeps)
{
    memcpy(p->w, w, (size_t)p->d * sizeof *w);
    scores(p, p->w, p->a);
    int64_t current = INT64_MAX;
    for (int32_t k = 0; k < sweeps; k++) {
        draw_direction(p, p->a);
        scores(p, p->direction, p->b);
        arc found = sweep(p, p->a, p->b);
        if (found.cost > current)
            continue;
        double largest = 0;
        for (int32_t j = 0; j < p->d; j++) {
            p->w[j] = found.sign * (found.cot * p->w[j] + p->direction[j]);
            largest = fmax(largest, fabs(p->w[j]));
        }
        if (!(largest > 0) || !isfinite(largest))
            return p->total;
        double scale = ldexp(1.0, -ilogb(largest));
        for (int32_t j = 0; j < p->d; j++)
            p->w[j] *= scale;
        scores(p, p->w, p->a); /* computed anew, so that rounding errors do not add up over the sweeps */
        current = found.cost;
        if (current < p->best_cost)
            linpred__hyperplane_search_offer(p, p->w);
    }
    memcpy(w, p->w, (size_t)p->d * sizeof *w);
    return current;
}

void linpred__hyperplane_search_iterate(linpred__hyperplane_search *p, double work)
{
    size_t bytes = (size_t)p->d * sizeof *p->start;
    double end = p->work + work;
    while (p->work < end) {
        if (p->best_cost < p->current_cost) { /* the tree search found a better one */
            memcpy(p->current, p->best, bytes);
            p->current_cost = p->best_cost;
        }
        double norm = 0, shift = 0;
        for (int32_t j = 0; j < p->d; j++)
            norm += j == p->constant ? 0.0 : p->current[j] * p->deviation[j] * p->current[j] * p->deviation[j];
        /* The step has 0.03 to 1.92 times the length of w, in standardised features. */
        double step = 0.03 * pow(64.0, linpred__random_uniform(&p->random)) * sqrt(norm / p->d);
        for (int32_t j = 0; j < p->d; j++) {
            double by = step * linpred__random_normal(&p->random) / p->deviation[j] * (j == p->constant ? 0.3 : 1.0);
            p->start[j] = p->current[j] + by;
            shift += j == p->constant ? 0.0 : by * p->mean[j];
        }
        if (p->constant >= 0)
            p->start[p->constant] -= shift;
        int64_t cost = linpred__hyperplane_search_descend(p, p->start, LINPRED__HYPERPLANE_SWEEPS);
        if (cost <= p->current_cost) {
            memcpy(p->current, p->start, bytes);
            p->current_cost = cost;
        }
    }
}

/* Solves (Z'CZ + ridge) w = Z'c by Cholesky's factor, for the target <w,z_i> = 1 on every row. C = diag(c), where c_i
   is cost_i / total. A ridge of 1e-10 makes it solvable if columns are dependent. */
void linpred__hyperplane_search_least_squares(linpred__hyperplane_search *p, double *w)
{
    int32_t d = p->d;
    double *g = d <= LINPRED__HYPERPLANE_START_COLUMNS ? linpred__calloc((size_t)d * (size_t)d, sizeof *g) : NULL;
    memset(w, 0, (size_t)d * sizeof *w);
    if (!g) { /* too many columns, or memory ran out */
        for (int32_t i = 0; i < p->n; i++)
            for (int32_t j = 0; j < d; j++)
                w[j] += (double)p->cost[i] * p->z[(int64_t)i * d + j];
        return;
    }
    for (int32_t i = 0; i < p->n; i++) {
        const double *z = p->z + (int64_t)i * d;
        double c = (double)p->cost[i] / (double)p->total;
        if (c > 0.5)
            continue; /* a row on which no mistake is allowed: its distance from the hyperplane does not matter */
        for (int32_t j = 0; j < d; j++) {
            w[j] += c * z[j];
            for (int32_t k = 0; k <= j; k++)
                g[(int64_t)j * d + k] += c * z[j] * z[k];
        }
    }
    for (int32_t j = 0; j < d; j++) {
        double *row = g + (int64_t)j * d;
        for (int32_t k = 0; k <= j; k++) {
            double sum = row[k];
            for (int32_t l = 0; l < k; l++)
                sum -= row[l] * g[(int64_t)k * d + l];
            row[k] = k < j ? sum / g[(int64_t)k * d + k] : sqrt(fmax(sum, 0.0) + 1e-10);
        }
        for (int32_t l = 0; l < j; l++)
            w[j] -= row[l] * w[l];
        w[j] /= row[j];
    }
    for (int32_t j = d; j-- > 0;) {
        w[j] /= g[(int64_t)j * d + j];
        for (int32_t l = 0; l < j; l++)
            w[l] -= g[(int64_t)j * d + l] * w[j];
    }
    p->work += (double)p->n * d * d;
    linpred__release(g);
}
