/* The search from vertex to vertex. The header describes the method. */
#include "solve/cover/vertex_search.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "solve/limits.h"

static bool open_vertex(linpred__vertex *at, size_t n, size_t d, size_t width)
{
    at->tableau = linpred__calloc(d * width, sizeof *at->tableau);
    at->score = linpred__calloc(width, sizeof *at->score);
    at->floor = linpred__calloc(width, sizeof *at->floor);
    at->tight = linpred__calloc(d, sizeof *at->tight);
    at->wrong = linpred__calloc(n, sizeof *at->wrong);
    return at->tableau && at->score && at->floor && at->tight && at->wrong;
}

static void close_vertex(linpred__vertex *at)
{
    linpred__release(at->tableau);
    linpred__release(at->score);
    linpred__release(at->floor);
    linpred__release(at->tight);
    linpred__release(at->wrong);
}

linpred_status linpred__vertex_search_open(linpred__vertex_search *s, linpred__hyperplane_search *search,
                                           linpred_error *error)
{
    *s = (linpred__vertex_search){.search = search,
                                  .width = (search->n + search->d + LINPRED__VERTEX_LANES - 1) / LINPRED__VERTEX_LANES *
                                           LINPRED__VERTEX_LANES};
    size_t n = (size_t)search->n, d = (size_t)search->d, width = (size_t)s->width;
    if (LINPRED__VERTEX_ENTRY_WORK * (double)d * (double)d * (double)width > LINPRED__VERTEX_MAX_WORK)
        return LINPRED_OK;
    s->bar = linpred__alloc(n, sizeof *s->bar);
    s->moved = linpred__calloc(n, sizeof *s->moved);
    s->list = linpred__alloc(n, sizeof *s->list);
    s->known_cost = INT64_MAX;
    bool opened = open_vertex(&s->at, n, d, width);
    if (!opened || !open_vertex(&s->incumbent, n, d, width) || !s->bar || !s->moved || !s->list) {
        linpred__vertex_search_close(s);
        return linpred__no_memory(error);
    }
    return LINPRED_OK;
}

void linpred__vertex_search_close(linpred__vertex_search *s)
{
    linpred__release(s->bar);
    linpred__release(s->moved);
    linpred__release(s->list);
    close_vertex(&s->at);
    close_vertex(&s->incumbent);
    *s = (linpred__vertex_search){0};
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

/* The mean cost of the wrong rows of the incumbent: what one mistake costs. */
static int64_t unit_of_cost(const linpred__vertex_search *s)
{
    int64_t wrong = 0;
    for (int32_t i = 0; i < s->search->n; i++)
        wrong += s->incumbent.wrong[i];
    return wrong > 0 && s->incumbent.cost > wrong ? s->incumbent.cost / wrong : 1;
}

/* A wrong row that has been so for some moves; -1 if there is none. */
static int32_t draw_entering(linpred__vertex_search *s)
{
    linpred__random *random = &s->search->random;
    int32_t entering = -1;
    uint64_t count = 0;
    for (int32_t i = 0; i < s->search->n; i++) {
        if (!s->at.wrong[i])
            continue;
        int64_t stays = LINPRED__VERTEX_TABU + (int64_t)linpred__random_below(random, LINPRED__VERTEX_TABU);
        if (s->moves - s->moved[i] > stays && linpred__random_below(random, ++count) == 0)
            entering = i;
    }
    return entering;
}

/* The direction along which the entering row rises fastest while all right rows stay right; -1 if there is none. */
static int32_t direction_that_raises(const linpred__vertex_search *s, int32_t entering)
{
    int32_t best = -1;
    double fastest = LINPRED__VERTEX_PIVOT;
    for (int32_t k = 0; k < s->search->d; k++) {
        double rise = s->at.tableau[(int64_t)k * s->width + entering];
        if (s->at.tight[k] >= 0 && rise > fastest) {
            fastest = rise;
            best = k;
        }
    }
    return best;
}

/* The direction whose tight row is to become wrong; -1 if none raises the entering row. What counts is how much of its
   way the entering row rises in the next step, and the mistakes that the step mends, less those that it makes; and a
   little chance. A row that moved lately stays right, unless its step mends at least two mistakes. */
static int32_t direction_to_give_up(linpred__vertex_search *s, int32_t entering, double unit)
{
    linpred__hyperplane_search *p = s->search;
    int32_t best = -1, wrong = 0;
    double highest = -INFINITY, missing = s->bar[entering] - s->at.score[entering];
    for (int32_t i = 0; i < p->n; i++)
        if (s->at.wrong[i] && i != entering)
            s->list[wrong++] = i;
    for (int32_t k = 0; k < p->d; k++) {
        const double *column = s->at.tableau + (int64_t)k * s->width;
        int32_t row = s->at.tight[k];
        if (row < 0 || !(column[entering] < -LINPRED__VERTEX_PIVOT))
            continue;
        double step = linpred__vertex_longest_step(s, k, -1.0), whole = missing / -column[entering];
        bool reaches = step >= whole;
        step = reaches ? whole : step;
        double mended = reaches ? (double)p->cost[entering] / unit : 0.0;
        for (int32_t m = 0; m < wrong; m++)
            if (s->at.score[s->list[m]] - step * column[s->list[m]] >= s->bar[s->list[m]])
                mended += (double)p->cost[s->list[m]] / unit;
        double value = mended - (double)p->cost[row] / unit + (reaches ? 0.0 : 0.9 * step / whole) +
                       LINPRED__VERTEX_CHANCE * linpred__random_uniform(&p->random);
        if (s->moves - s->moved[row] <= LINPRED__VERTEX_TABU && mended < 2.0)
            value -= LINPRED__VERTEX_PENALTY;
        if (value > highest) {
            highest = value;
            best = k;
        }
        p->work += 2.0 * p->n;
    }
    return best;
}

/* Makes the entering row right, unless the wrong rows then cost more than `max_cost`. */
static void move_to(linpred__vertex_search *s, int32_t entering, int64_t max_cost, double unit)
{
    for (int32_t k = 0; k < LINPRED__VERTEX_STEPS && s->at.wrong[entering] && s->at.cost <= max_cost; k++) {
        int32_t direction = direction_that_raises(s, entering);
        double sign = 1.0, farthest;
        if (direction < 0) {
            direction = direction_to_give_up(s, entering, unit);
            sign = -1.0;
        }
        if (direction < 0)
            return;
        int32_t row = linpred__vertex_block(s, direction, sign, &farthest);
        double rise = sign * s->at.tableau[(int64_t)direction * s->width + entering];
        if (row < 0 || s->bar[entering] - s->at.score[entering] <= farthest * rise)
            row = entering;
        if (sign < 0)
            linpred__vertex_set_wrong(s, s->at.tight[direction], true);
        linpred__vertex_step(s, direction, row);
    }
}

/* The cost of the rows whose scores, as computed, are at most 0. A row between 0 and its bar is no mistake. */
static int64_t cost_of_mistakes(const linpred__vertex_search *s)
{
    int64_t cost = 0;
    for (int32_t i = 0; i < s->search->n; i++)
        cost += s->at.score[i] <= 0 ? s->search->cost[i] : 0;
    return cost;
}

/* Offers the halfspace, and makes the vertex the incumbent if it costs no more; or returns to the incumbent if it costs
 * too much. */
static void settle_move(linpred__vertex_search *s, int64_t unit)
{
    linpred__hyperplane_search *p = s->search;
    bool better = cost_of_mistakes(s) < p->best_cost;
    if (better || s->at.cost < s->incumbent.cost || s->moves % LINPRED__VERTEX_REFRESH == 0)
        linpred__vertex_refresh(s);
    if (better && linpred__hyperplane_search_offer(p, s->at.score + p->n))
        s->known_cost = p->best_cost;
    if (s->at.cost <= s->incumbent.cost) {
        s->idle = s->at.cost < s->incumbent.cost ? 0 : s->idle;
        linpred__vertex_copy(s, &s->at, &s->incumbent);
    } else if (s->at.cost > s->incumbent.cost + s->allowed * unit) {
        linpred__vertex_copy(s, &s->incumbent, &s->at);
        s->allowed = 1 + (int64_t)linpred__random_below(&p->random, LINPRED__VERTEX_MORE_MISTAKES);
        s->idle++;
    }
}

bool linpred__vertex_search_iterate(linpred__vertex_search *s, double work)
{
    linpred__hyperplane_search *p = s->search;
    double end = p->work + work;
    if (!s->at.tableau)
        return false;
    while (p->work < end) {
        if ((p->best_cost < s->known_cost || s->idle > LINPRED__VERTEX_PATIENCE) && !linpred__vertex_stand(s))
            return false;
        int64_t unit = unit_of_cost(s);
        int32_t entering = draw_entering(s);
        s->moves++;
        p->work += p->n;
        if (entering < 0)
            continue;
        move_to(s, entering, s->incumbent.cost + s->allowed * unit, (double)unit);
        settle_move(s, unit);
    }
    return true;
}
