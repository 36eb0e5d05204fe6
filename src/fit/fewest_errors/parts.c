/* Lower bounds from parts of the rows. The header describes the method. */
#include "fit/fewest_errors/parts.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/fewest_errors/deals.h"
#include "fit/fewest_errors/limits.h"
#include "separate/fewest_errors/search_turns.h"

struct linpred__row_part {
    linpred__chosen_rows chosen;
    int64_t *row;  /* of `chosen` */
    int64_t *cost; /* of each */
    linpred__gathered gathered;
    linpred__hyperplane_search search;
    linpred__tree tree;
    linpred__tree_end end; /* OUT_OF_WORK: it goes on */
    linpred_status status;
    linpred_error error;
};

/* ---- dealing rows out -------------------------------------------------------------------------------------------- */

/* Gives each part its rows. */
static linpred_status deal_parts(linpred__row_parts *parts, int64_t bound, linpred_error *error)
{
    const linpred__hyperplane_search *p = parts->team->local;
    linpred__deal_question question = {.all = parts->all,
                                       .local = p,
                                       .known = parts->known,
                                       .parts = parts->count,
                                       .bound = bound > parts->bound ? bound : parts->bound,
                                       .rounds = LINPRED__DEAL_ROUNDS,
                                       .seed = parts->seed,
                                       .pool = parts->pool,
                                       .stop = parts->stop};
    int32_t *part_of = linpred__alloc((size_t)p->n, sizeof *part_of);
    linpred_status status = part_of ? linpred__deal_out(&question, part_of, error) : linpred__no_memory(error);
    for (int32_t k = 0; k < parts->count && status == LINPRED_OK; k++) {
        linpred__row_part *part = &parts->part[k];
        part->row = linpred__alloc((size_t)p->n, sizeof *part->row);
        part->chosen = *parts->all;
        part->chosen.row = part->row;
        part->chosen.rows = 0;
        if (!part->row)
            status = linpred__no_memory(error);
        for (int32_t i = 0; i < p->n && part->row; i++)
            if (part_of[i] == k)
                part->row[part->chosen.rows++] = parts->all->row[i];
    }
    linpred__release(part_of);
    return status;
}

static void close_parts(linpred__row_parts *parts)
{
    for (int32_t k = 0; k < parts->count && parts->part; k++) {
        linpred__row_part *part = &parts->part[k];
        linpred__tree_close(&part->tree);
        linpred__hyperplane_search_close(&part->search);
        linpred__gathered_clear(&part->gathered);
        linpred__release(part->row);
        linpred__release(part->cost);
    }
    linpred__release(parts->part);
    parts->part = NULL;
    parts->count = 0;
}

/* `bound` is known without parts. */
static linpred_status open_parts(linpred__row_parts *parts, int64_t bound, linpred_error *error)
{
    parts->count = parts->next;
    parts->next = (int32_t)ceil((parts->count - 1) * LINPRED__PARTS_FEWER);
    parts->part = linpred__calloc((size_t)parts->count, sizeof *parts->part);
    linpred__hyperplane_search_best(parts->team->local, parts->known);
    linpred_status status = parts->part ? deal_parts(parts, bound, error) : linpred__no_memory(error);
    for (int32_t k = 0; k < parts->count && status == LINPRED_OK; k++) {
        linpred__row_part *part = &parts->part[k];
        part->end = LINPRED__TREE_OUT_OF_WORK;
        status =
            linpred__open_chosen_rows(&part->chosen, parts->seed, &part->gathered, &part->cost, &part->search, error);
    }
    if (status != LINPRED_OK)
        close_parts(parts);
    return status;
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

struct parts_task {
    linpred__row_parts *parts;
    double work;
};

static int64_t multipliers_of(const linpred__tree *tree)
{
    int64_t count = 0;
    for (int32_t b = 0; b < tree->branches; b++)
        count += tree->branch[b].packing.count;
    return count;
}

/* The first tasks are the parts, the others the members of the team. A part whose proof would be too long ends. */
static void run_parts_task(void *context, int64_t task)
{
    struct parts_task *turn = context;
    linpred__row_parts *parts = turn->parts;
    if (task >= parts->count) {
        linpred__search_team_work(parts->team, task - parts->count, turn->work / LINPRED__TEAM, parts->stop);
        return;
    }
    linpred__row_part *part = &parts->part[task];
    linpred__effort effort = {.stop = linpred__team_stops, .context = parts->stop};
    if (part->end != LINPRED__TREE_OUT_OF_WORK)
        return;
    part->status = linpred__take_turns(&part->search, parts->known, &part->tree, part->search.work + turn->work,
                                       &effort, &part->end, &part->error);
    if (part->status == LINPRED_OK && part->end == LINPRED__TREE_OUT_OF_WORK &&
        multipliers_of(&part->tree) > LINPRED__MAX_MULTIPLIERS / parts->count)
        part->end = LINPRED__TREE_FULL;
}

/* What the parts prove, and in *most what they may prove at most. *ended: none goes on. */
static int64_t sum_of_parts(const linpred__row_parts *parts, int64_t *most, bool *ended)
{
    int64_t sum = 0;
    *most = 0;
    *ended = true;
    for (int32_t k = 0; k < parts->count; k++) {
        const linpred__row_part *part = &parts->part[k];
        int64_t bound = part->tree.branches > 0 ? linpred__tree_bound(&part->tree) : 0;
        sum += bound;
        *most += part->end == LINPRED__TREE_OUT_OF_WORK ? part->search.best_cost : bound;
        *ended = *ended && part->end != LINPRED__TREE_OUT_OF_WORK;
    }
    return sum;
}

static linpred_status run_parts(linpred__row_parts *parts, double work, linpred_error *error)
{
    struct parts_task turn = {parts, work};
    linpred__pool_run(parts->pool, parts->count + LINPRED__TEAM, run_parts_task, &turn);
    linpred__search_team_meet(parts->team);
    for (int32_t k = 0; k < parts->count; k++)
        if (parts->part[k].status != LINPRED_OK) {
            if (error)
                *error = parts->part[k].error;
            return parts->part[k].status;
        }
    return LINPRED_OK;
}

linpred_status linpred__parts_turn(linpred__row_parts *parts, double work, int64_t known_bound, linpred__tree_end *end,
                                   linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    const linpred__hyperplane_search *local = parts->team->local;
    if (!parts->begun) {
        parts->known = linpred__alloc((size_t)local->d, sizeof *parts->known);
        if (!parts->known)
            return linpred__no_memory(error);
        parts->begun = true;
        double mistakes = (double)local->best_cost * local->n / (double)local->total; /* of mean cost */
        parts->next = (int32_t)ceil(mistakes / LINPRED__PARTS_FIRST_MISTAKES);
    }
    for (double done = 0; status == LINPRED_OK && done < work && (parts->part || parts->next > 1);) {
        int64_t most;
        bool ended, first = !parts->part;
        if (first)
            status = open_parts(parts, known_bound, error);
        if (status == LINPRED_OK)
            status = run_parts(parts, first ? LINPRED__PARTS_FIRST_WORK : LINPRED__PARTS_TURN, error);
        done += first ? LINPRED__DEALS_WORK + LINPRED__PARTS_FIRST_WORK : LINPRED__PARTS_TURN;
        if (status != LINPRED_OK)
            break;
        if (linpred__team_stops(parts->stop)) {
            *end = LINPRED__TREE_STOPPED;
            break;
        }
        sum_of_parts(parts, &most, &ended);
        if (ended)
            status = linpred__parts_keep(parts, error);
        if (ended || most <= (known_bound > parts->bound ? known_bound : parts->bound))
            close_parts(parts);
        if (parts->bound >= local->best_cost) {
            *end = LINPRED__TREE_DONE;
            break;
        }
    }
    return status;
}

/* ---- the proof --------------------------------------------------------------------------------------------------- */

/* Moves the proof `from` behind the proof `to`, which has room for it. */
static void append_proof(linpred__cover_proof *from, linpred__cover_proof *to, int64_t subsets, int64_t nodes)
{
    for (int64_t k = 0; k < from->nodes; k++)
        for (int64_t i = 0; i < from->node[k].count; i++)
            from->node[k].subset[i] += subsets;
    memcpy(to->subset + subsets, from->subset, (size_t)from->subsets * sizeof *from->subset);
    memcpy(to->node + nodes, from->node, (size_t)from->nodes * sizeof *from->node);
    from->subsets = from->nodes = 0;
    linpred__cover_proof_clear(from);
}

linpred_status linpred__parts_keep(linpred__row_parts *parts, linpred_error *error)
{
    int64_t most, subsets = 0, nodes = 0;
    bool ended;
    if (!parts->part)
        return LINPRED_OK;
    int64_t bound = sum_of_parts(parts, &most, &ended);
    if (bound <= parts->bound)
        return LINPRED_OK;
    linpred__cover_proof whole = {0}, *proof = linpred__calloc((size_t)parts->count, sizeof *proof);
    linpred_status status = proof ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t k = 0; k < parts->count && status == LINPRED_OK; k++) {
        if (parts->part[k].tree.branches > 0)
            status = linpred__prove_by_tree(&parts->part[k].chosen, &parts->part[k].tree, &proof[k], error);
        subsets += proof[k].subsets;
        nodes += proof[k].nodes;
    }
    if (status == LINPRED_OK &&
        (!linpred__cover_proof_subsets(&whole, subsets) || !linpred__cover_proof_nodes(&whole, nodes)))
        status = linpred__no_memory(error);
    subsets = nodes = 0;
    for (int32_t k = 0; k < parts->count && proof; k++) {
        int64_t more_subsets = proof[k].subsets, more_nodes = proof[k].nodes;
        if (status == LINPRED_OK)
            append_proof(&proof[k], &whole, subsets, nodes);
        subsets += more_subsets;
        nodes += more_nodes;
        linpred__cover_proof_clear(&proof[k]);
    }
    linpred__release(proof);
    if (status != LINPRED_OK) {
        linpred__cover_proof_clear(&whole);
        return status;
    }
    linpred__cover_proof_clear(&parts->proof);
    parts->proof = whole;
    parts->bound = bound;
    return LINPRED_OK;
}

void linpred__parts_close(linpred__row_parts *parts)
{
    close_parts(parts);
    linpred__cover_proof_clear(&parts->proof);
    linpred__release(parts->known);
    parts->known = NULL;
}
