/* Vertices and the steps between them (see vertex_steps.h). */
#include "solve/cover/vertex_steps.h"

#include <math.h>
#include <string.h>

#include "core/fast.h"
#include "solve/limits.h"

/* ---- the tableau ------------------------------------------------------------------------------------------------- */

/* The tableau without tight rows: its directions are the standardised features. The weights are those of the scaled
   rows. */
static void reset_tableau(linpred__vertex_search *s)
{
    const linpred__hyperplane_search *p = s->search;
    memset(s->at.tableau, 0, (size_t)p->d * (size_t)s->width * sizeof *s->at.tableau);
    for (int32_t k = 0; k < p->d; k++) {
        double *column = s->at.tableau + (int64_t)k * s->width, deviation = p->deviation[k];
        for (int32_t i = 0; i < p->n; i++) {
            const double *z = p->z + (int64_t)i * p->d;
            column[i] = (z[k] - (p->constant >= 0 ? z[p->constant] * p->mean[k] : 0.0)) / deviation;
        }
        column[p->n + k] = 1.0 / deviation;
        if (p->constant >= 0)
            column[p->n + p->constant] -= p->mean[k] / deviation;
        s->at.tight[k] = -1;
    }
    s->search->work += (double)p->n * p->d;
}

/* Adds `by` times the column to each score. */
LINPRED__FAST static void move_scores(const double *column, double by, double *score, int32_t width)
{
    for (int32_t i = 0; i < width; i++)
        score[i] += by * column[i];
}

/* Row i takes the place of direction k: its share in each row is divided by that in row i, and the other columns no
   longer move row i. */
LINPRED__FAST static void take_place(double *tableau, int32_t d, int32_t width, int32_t k, int32_t row)
{
    double *pivot = tableau + (int64_t)k * width, inverse = 1.0 / pivot[row];
    for (int32_t j = 0; j < d; j++) {
        double *column = tableau + (int64_t)j * width, factor = column[row] * inverse;
        if (j == k || factor == 0.0)
            continue;
        for (int32_t i = 0; i < width; i++)
            column[i] -= factor * pivot[i];
        column[row] = 0.0;
    }
    for (int32_t i = 0; i < width; i++)
        pivot[i] *= inverse;
    pivot[row] = 1.0;
}

void linpred__vertex_set_wrong(linpred__vertex_search *s, int32_t row, bool wrong)
{
    if (s->at.wrong[row] == wrong)
        return;
    s->at.wrong[row] = wrong;
    s->at.cost += wrong ? s->search->cost[row] : -s->search->cost[row];
    s->at.floor[row] = wrong ? -INFINITY : s->bar[row];
    s->moved[row] = s->moves;
}

/* Moves along direction k until row `row` is at its bar, and makes it tight. */
static void make_tight(linpred__vertex_search *s, int32_t k, int32_t row)
{
    linpred__vertex *at = &s->at;
    const double *column = at->tableau + (int64_t)k * s->width;
    move_scores(column, (s->bar[row] - at->score[row]) / column[row], at->score, s->width);
    take_place(at->tableau, s->search->d, s->width, k, row);
    at->tight[k] = row;
    at->score[row] = s->bar[row];
    s->search->work += LINPRED__VERTEX_ENTRY_WORK * s->search->d * s->width;
}

void linpred__vertex_step(linpred__vertex_search *s, int32_t k, int32_t row)
{
    linpred__vertex *at = &s->at;
    int32_t left = at->tight[k];
    make_tight(s, k, row);
    if (left >= 0 && !at->wrong[left])
        at->floor[left] = s->bar[left];
    linpred__vertex_set_wrong(s, row, false);
    at->floor[row] = -INFINITY;
    for (int32_t i = 0; i < s->search->n; i++)
        if (at->wrong[i] && at->score[i] >= s->bar[i])
            linpred__vertex_set_wrong(s, i, false);
}

/* Minima are taken for each place of a vector, so that every instruction set gives the same. */
LINPRED__FAST static double least_ratio(const linpred__vertex *at, const double *column, double sign, double over,
                                        int32_t width)
{
    double least[LINPRED__VERTEX_LANES];
    for (int32_t l = 0; l < LINPRED__VERTEX_LANES; l++)
        least[l] = INFINITY;
    for (int32_t i = 0; i < width; i += LINPRED__VERTEX_LANES)
        for (int32_t l = 0; l < LINPRED__VERTEX_LANES; l++) {
            double fall = -sign * column[i + l], above = at->score[i + l] - at->floor[i + l] + over;
            double step = fall > LINPRED__VERTEX_PIVOT ? above / fall : INFINITY;
            least[l] = step < least[l] ? step : least[l];
        }
    for (int32_t l = 1; l < LINPRED__VERTEX_LANES; l++)
        least[0] = least[l] < least[0] ? least[l] : least[0];
    return least[0];
}

double linpred__vertex_longest_step(const linpred__vertex_search *s, int32_t k, double sign)
{
    return least_ratio(&s->at, s->at.tableau + (int64_t)k * s->width, sign, 0.0, s->width);
}

int32_t linpred__vertex_block(linpred__vertex_search *s, int32_t k, double sign, double *farthest)
{
    const linpred__vertex *at = &s->at;
    const double *column = at->tableau + (int64_t)k * s->width;
    int32_t row = -1;
    double steepest = LINPRED__VERTEX_PIVOT;
    *farthest = least_ratio(at, column, sign, LINPRED__VERTEX_OVER, s->width);
    s->search->work += 2.0 * s->search->n;
    if (*farthest == INFINITY)
        return -1;
    for (int32_t i = 0; i < s->search->n; i++) {
        double fall = -sign * column[i];
        if (fall > steepest && at->score[i] - at->floor[i] <= *farthest * fall) {
            steepest = fall;
            row = i;
        }
    }
    return row;
}

/* The wrong row that is the last one to get to its bar along direction k; -1 if none does. */
static int32_t last_to_rise(const linpred__vertex_search *s, int32_t k, double sign)
{
    const double *column = s->at.tableau + (int64_t)k * s->width;
    int32_t row = -1;
    double last = 0;
    for (int32_t i = 0; i < s->search->n; i++) {
        double rise = sign * column[i];
        if (s->at.wrong[i] && rise > LINPRED__VERTEX_PIVOT && (s->bar[i] - s->at.score[i]) / rise > last) {
            last = (s->bar[i] - s->at.score[i]) / rise;
            row = i;
        }
    }
    return row;
}

void linpred__vertex_copy(linpred__vertex_search *s, const linpred__vertex *from, linpred__vertex *to)
{
    size_t n = (size_t)s->search->n, d = (size_t)s->search->d, width = (size_t)s->width;
    memcpy(to->tableau, from->tableau, d * width * sizeof *to->tableau);
    memcpy(to->score, from->score, width * sizeof *to->score);
    memcpy(to->floor, from->floor, width * sizeof *to->floor);
    memcpy(to->tight, from->tight, d * sizeof *to->tight);
    memcpy(to->wrong, from->wrong, n * sizeof *to->wrong);
    to->cost = from->cost;
    s->search->work += LINPRED__VERTEX_ENTRY_WORK * (double)(d * width);
}

/* ---- where the search stands ------------------------------------------------------------------------------------- */

/* Which rows are wrong, from the scores and the tight rows. */
static void judge_rows(linpred__vertex_search *s)
{
    linpred__vertex *at = &s->at;
    const linpred__hyperplane_search *p = s->search;
    at->cost = 0;
    for (int32_t i = 0; i < s->width; i++)
        at->floor[i] = -INFINITY;
    for (int32_t i = 0; i < p->n; i++) {
        at->wrong[i] = at->score[i] < s->bar[i] - LINPRED__VERTEX_OVER;
        at->cost += at->wrong[i] ? p->cost[i] : 0;
        at->floor[i] = at->wrong[i] ? -INFINITY : s->bar[i];
    }
    for (int32_t k = 0; k < p->d; k++)
        if (at->tight[k] >= 0)
            at->floor[at->tight[k]] = -INFINITY;
}

/* A direction that changes no row, but for rounding, is not used: columns may depend on each other. */
static void drop_unused(linpred__vertex_search *s)
{
    for (int32_t k = 0; k < s->search->d; k++)
        if (s->at.tight[k] < 0)
            memset(s->at.tableau + (int64_t)k * s->width, 0, (size_t)s->width * sizeof *s->at.tableau);
}

void linpred__vertex_refresh(linpred__vertex_search *s)
{
    linpred__vertex *at = &s->at;
    const linpred__hyperplane_search *p = s->search;
    int32_t *tight = s->list, count = 0; /* no more than n, since tight rows differ */
    for (int32_t k = 0; k < p->d; k++)
        if (at->tight[k] >= 0)
            tight[count++] = at->tight[k];
    reset_tableau(s);
    memset(at->score, 0, (size_t)s->width * sizeof *at->score);
    for (int32_t m = 0; m < count; m++) {
        int32_t best = -1;
        double largest = LINPRED__VERTEX_PIVOT;
        for (int32_t k = 0; k < p->d; k++) {
            double size = fabs(at->tableau[(int64_t)k * s->width + tight[m]]);
            if (at->tight[k] < 0 && size > largest) {
                largest = size;
                best = k;
            }
        }
        if (best >= 0)
            make_tight(s, best, tight[m]);
    }
    drop_unused(s);
    judge_rows(s);
}

/* Scales the best halfspace so that its right rows are above their bars, except those that are very near to it: these
   count as wrong at first. */
static bool score_best(linpred__vertex_search *s)
{
    const linpred__hyperplane_search *p = s->search;
    double least = INFINITY, sum = 0;
    memset(s->at.score, 0, (size_t)s->width * sizeof *s->at.score);
    for (int32_t i = 0; i < p->n; i++) {
        double score = 0;
        for (int32_t j = 0; j < p->d; j++)
            score += p->z[(int64_t)i * p->d + j] * p->best[j];
        s->at.score[i] = score;
        sum += fabs(score);
        if (score > 0)
            least = fmin(least, score / s->bar[i]);
    }
    memcpy(s->at.score + p->n, p->best, (size_t)p->d * sizeof *p->best);
    s->search->work += (double)p->n * p->d;
    double scale = 1.0 / fmax(least, LINPRED__VERTEX_NEAREST * sum / p->n);
    if (!(scale > 0) || !isfinite(scale) || !isfinite(scale * sum))
        return false;
    for (int32_t i = 0; i < s->width; i++)
        s->at.score[i] *= scale;
    return true;
}

/* Along one direction after the other, to the side on which wrong rows rise. */
bool linpred__vertex_stand(linpred__vertex_search *s)
{
    linpred__hyperplane_search *p = s->search;
    for (int32_t i = 0; i < p->n; i++)
        s->bar[i] = 1.0 + linpred__random_uniform(&p->random);
    reset_tableau(s);
    if (!score_best(s))
        return false;
    judge_rows(s);
    for (int32_t k = 0; k < p->d; k++) {
        const double *column = s->at.tableau + (int64_t)k * s->width;
        double rise = 0, farthest;
        for (int32_t i = 0; i < p->n; i++)
            rise += s->at.wrong[i] ? column[i] : 0.0;
        int32_t row = -1;
        for (int side = 0; side < 2 && row < 0; side++) {
            double sign = (rise >= 0) == (side == 0) ? 1.0 : -1.0;
            row = linpred__vertex_block(s, k, sign, &farthest);
            row = row < 0 ? last_to_rise(s, k, sign) : row;
        }
        if (row >= 0)
            linpred__vertex_step(s, k, row);
    }
    drop_unused(s);
    linpred__vertex_copy(s, &s->at, &s->incumbent);
    s->known_cost = p->best_cost;
    s->idle = 0;
    return true;
}
