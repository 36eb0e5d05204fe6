/* Deals of rows (see deals.h). */
#include "fit/fewest_errors/deals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/fewest_errors/limits.h"
#include "solve/cover/local_searches.h"

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

struct scored_row {
    double score;
    int32_t row;
};

static int by_score_of_best(const void *a, const void *b)
{
    const struct scored_row *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Scores of the best halfspace, as the data have it and not the scaled rows. */
static void score_rows_of_parts(const linpred__hyperplane_search *p, struct scored_row *scored)
{
    for (int32_t i = 0; i < p->n; i++) {
        const double *z = p->z + (int64_t)i * p->d;
        double sum = 0, size = p->constant >= 0 && z[p->constant] != 0.0 ? fabs(z[p->constant]) : 1.0;
        for (int32_t j = 0; j < p->d; j++)
            sum += p->best[j] * z[j];
        scored[i] = (struct scored_row){isfinite(sum / size) ? sum / size : 0.0, i};
    }
    qsort(scored, (size_t)p->n, sizeof *scored, by_score_of_best);
}

/* Each round of cards has an order of its own. */
static void draw_deal(const struct scored_row *scored, int32_t n, int32_t parts, int32_t *order,
                      linpred__random *random, int32_t *part_of)
{
    for (int32_t k = 0; k < parts; k++)
        order[k] = k;
    for (int32_t i = 0; i < n; i++) {
        int32_t at = i % parts, other = at + (int32_t)linpred__random_below(random, (uint64_t)(parts - at));
        int32_t k = order[other];
        order[other] = order[at];
        order[at] = k;
        part_of[scored[i].row] = k;
    }
}

/* ---- trying ------------------------------------------------------------------------------------------------------ */

struct deal_task {
    const linpred__deal_question *question;
    const int32_t *part_of; /* of each row, deal after deal */
    int64_t *cost;          /* what a local search found for each part, deal after deal */
    linpred_status *status; /* of each part */
    uint64_t round;         /* searches of each round differ */
    int32_t alone;          /* a part that all deals have alike: only the first tries it; -1: none */
};

/* Searches a part and says what its best halfspace costs. */
static linpred_status try_part(const linpred__deal_question *question, const linpred__chosen_rows *chosen,
                               uint64_t seed, int64_t *cost_of_best, linpred_error *error)
{
    linpred__gathered gathered = {0};
    linpred__hyperplane_search search = {0};
    linpred__local_searches local = {0};
    int64_t *cost = NULL;
    linpred_status status = linpred__open_chosen_rows(chosen, seed, &gathered, &cost, &search, error);
    if (status == LINPRED_OK)
        status = linpred__local_searches_open(&local, &search, error);
    if (status == LINPRED_OK) {
        linpred__hyperplane_search_offer_unscaled(&search, question->known);
        for (int turn = 0; turn < 4 && !linpred__team_stops(question->stop); turn++)
            linpred__local_searches_turn(&local, LINPRED__DEAL_WORK / 4.0);
        *cost_of_best = search.best_cost;
    }
    linpred__local_searches_close(&local);
    linpred__hyperplane_search_close(&search);
    linpred__gathered_clear(&gathered);
    linpred__release(cost);
    return status;
}

static void run_deal_task(void *context, int64_t task)
{
    struct deal_task *deals = context;
    const linpred__deal_question *question = deals->question;
    int32_t part = (int32_t)(task % question->parts), n = question->local->n;
    const int32_t *part_of = deals->part_of + task / question->parts * n;
    if (part == deals->alone && task >= question->parts)
        return;
    int64_t *row = linpred__alloc((size_t)n, sizeof *row);
    linpred__chosen_rows chosen = *question->all;
    chosen.row = row;
    chosen.rows = 0;
    for (int32_t i = 0; i < n && row; i++)
        if (part_of[i] == part)
            row[chosen.rows++] = question->all->row[i];
    deals->status[task] = row ? try_part(question, &chosen, question->seed + deals->round, &deals->cost[task], NULL)
                              : linpred__no_memory(NULL);
    linpred__release(row);
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

struct dealing {
    const linpred__deal_question *question;
    linpred__random random;
    struct scored_row *scored; /* all rows in the order of their scores */
    int32_t *order;            /* of the parts */
    int32_t *drawn;            /* the part of each row, deal after deal; the first deal is the present one */
    struct deal_task deals;
    int64_t *cost; /* the least that local searches found for each part of the present deal */
};

/* Tries all deals. */
static linpred_status try_deals(struct dealing *dealing, uint64_t round, linpred_error *error)
{
    int64_t tasks = (int64_t)LINPRED__DEALS * dealing->question->parts;
    dealing->deals.round = round;
    linpred__pool_run(dealing->question->pool, tasks, run_deal_task, &dealing->deals);
    for (int64_t task = 0; task < tasks; task++)
        if (dealing->deals.status[task] != LINPRED_OK)
            return linpred__no_memory(error); /* nothing else can fail */
    return LINPRED_OK;
}

/* What the parts a and b of a deal cost together. */
static int64_t cost_of_pair(const struct dealing *dealing, int32_t deal, int32_t a, int32_t b)
{
    const int64_t *cost = dealing->deals.cost + (int64_t)deal * dealing->question->parts;
    return cost[a] + cost[b];
}

/* Takes the parts a and b from another deal, in which both have the same rows together. */
static void take_pair(struct dealing *dealing, int32_t deal, int32_t a, int32_t b)
{
    int32_t n = dealing->question->local->n, *part_of = dealing->drawn;
    const int32_t *other = dealing->drawn + (int64_t)deal * n;
    const int64_t *cost = dealing->deals.cost + (int64_t)deal * dealing->question->parts;
    for (int32_t i = 0; i < n; i++)
        if (part_of[i] == a || part_of[i] == b)
            part_of[i] = other[i];
    dealing->cost[a] = cost[a];
    dealing->cost[b] = cost[b];
}

/* Draws deals of all rows. The dearest becomes the present one; the first of equals. Returns what its parts cost. */
static linpred_status deal_all(struct dealing *dealing, int64_t *most, linpred_error *error)
{
    int32_t n = dealing->question->local->n, parts = dealing->question->parts, dearest = 0;
    for (int32_t deal = 0; deal < LINPRED__DEALS; deal++)
        draw_deal(dealing->scored, n, parts, dealing->order, &dealing->random, dealing->drawn + (int64_t)deal * n);
    linpred_status status = try_deals(dealing, 0, error);
    *most = -1;
    for (int32_t deal = 0; deal < LINPRED__DEALS; deal++) {
        int64_t sum = 0;
        for (int32_t k = 0; k < parts; k++)
            sum += dealing->deals.cost[(int64_t)deal * parts + k];
        if (sum > *most) {
            *most = sum;
            dearest = deal;
        }
    }
    memmove(dealing->drawn, dealing->drawn + (int64_t)dearest * n, (size_t)n * sizeof *dealing->drawn);
    memcpy(dealing->cost, dealing->deals.cost + (int64_t)dearest * parts, (size_t)parts * sizeof *dealing->cost);
    return status;
}

/* Rows of each pair of parts change places: some of those that follow each other in the order of their scores. */
static void draw_pairs(struct dealing *dealing, int32_t *part_of)
{
    int32_t n = dealing->question->local->n, parts = dealing->question->parts;
    memcpy(part_of, dealing->drawn, (size_t)n * sizeof *part_of);
    for (int32_t q = 0; q + 1 < parts; q += 2) {
        int32_t a = dealing->order[q], b = dealing->order[q + 1], last = -1;
        for (int32_t k = 0; k < n; k++) {
            int32_t i = dealing->scored[k].row;
            if (part_of[i] != a && part_of[i] != b)
                continue;
            bool pair = last >= 0 && part_of[last] != part_of[i];
            if (pair && linpred__random_below(&dealing->random, LINPRED__DEAL_STAY) == 0) {
                int32_t other = part_of[last];
                part_of[last] = part_of[i];
                part_of[i] = other;
            }
            last = pair ? -1 : i;
        }
    }
}

/* Parts are paired at random, and each pair takes the dearest of several deals of its rows. The present deal is tried
   again beside them: so a part that a search found too dear does not stay so. */
static linpred_status deal_pairs(struct dealing *dealing, uint64_t round, linpred_error *error)
{
    int32_t n = dealing->question->local->n, parts = dealing->question->parts;
    for (int32_t k = parts - 1; k > 0; k--) {
        int32_t other = (int32_t)linpred__random_below(&dealing->random, (uint64_t)k + 1), at = dealing->order[k];
        dealing->order[k] = dealing->order[other];
        dealing->order[other] = at;
    }
    dealing->deals.alone = parts % 2 > 0 ? dealing->order[parts - 1] : -1;
    for (int32_t deal = 1; deal < LINPRED__DEALS; deal++)
        draw_pairs(dealing, dealing->drawn + (int64_t)deal * n);
    linpred_status status = try_deals(dealing, round, error);
    for (int32_t k = 0; k < parts && status == LINPRED_OK; k++) {
        if (dealing->deals.cost[k] < dealing->cost[k])
            dealing->cost[k] = dealing->deals.cost[k];
        dealing->deals.cost[k] = dealing->cost[k];
    }
    for (int32_t q = 0; q + 1 < parts && status == LINPRED_OK; q += 2) {
        int32_t a = dealing->order[q], b = dealing->order[q + 1], dearest = 0;
        for (int32_t deal = 1; deal < LINPRED__DEALS; deal++)
            if (cost_of_pair(dealing, deal, a, b) > cost_of_pair(dealing, dearest, a, b))
                dearest = deal;
        if (dearest > 0)
            take_pair(dealing, dearest, a, b);
    }
    return status;
}

static linpred_status choose_deal(struct dealing *dealing, linpred_error *error)
{
    int64_t most;
    linpred__random_seed(&dealing->random, dealing->question->seed + (uint64_t)dealing->question->parts);
    score_rows_of_parts(dealing->question->local, dealing->scored);
    linpred_status status = deal_all(dealing, &most, error);
    bool goes_on = status == LINPRED_OK && most > dealing->question->bound;
    for (int32_t round = 1; goes_on && round <= dealing->question->rounds; round++) {
        status = deal_pairs(dealing, (uint64_t)round, error);
        goes_on = status == LINPRED_OK && !linpred__team_stops(dealing->question->stop);
    }
    return status;
}

linpred_status linpred__deal_out(const linpred__deal_question *question, int32_t *part_of, linpred_error *error)
{
    size_t n = (size_t)question->local->n, parts = (size_t)question->parts;
    struct dealing dealing = {.question = question};
    dealing.scored = linpred__alloc(n, sizeof *dealing.scored);
    dealing.order = linpred__alloc(parts, sizeof *dealing.order);
    dealing.drawn = linpred__alloc(n * LINPRED__DEALS, sizeof *dealing.drawn);
    dealing.cost = linpred__alloc(parts, sizeof *dealing.cost);
    dealing.deals = (struct deal_task){question,
                                       dealing.drawn,
                                       linpred__calloc(parts * LINPRED__DEALS, sizeof *dealing.deals.cost),
                                       linpred__calloc(parts * LINPRED__DEALS, sizeof *dealing.deals.status),
                                       0,
                                       -1};
    bool good =
        dealing.scored && dealing.order && dealing.drawn && dealing.cost && dealing.deals.cost && dealing.deals.status;
    linpred_status status = good ? choose_deal(&dealing, error) : linpred__no_memory(error);
    if (status == LINPRED_OK)
        memcpy(part_of, dealing.drawn, n * sizeof *part_of);
    linpred__release(dealing.scored);
    linpred__release(dealing.order);
    linpred__release(dealing.drawn);
    linpred__release(dealing.cost);
    linpred__release(dealing.deals.cost);
    linpred__release(dealing.deals.status);
    return status;
}
