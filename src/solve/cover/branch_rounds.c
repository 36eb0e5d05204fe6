/* Branch and cut on all threads. The header describes the method. */
#include "solve/cover/branch_rounds.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"

enum { LEAVES = LINPRED__EXPLORERS * LINPRED__EXPLORER_LEAVES };

/* Leaf k of a round belongs to explorer k % LINPRED__EXPLORERS. */
struct branch_round {
    const linpred__tree_rounds *rounds;
    int32_t leaves;
    int32_t leaf[LEAVES];
    bool explored[LEAVES];
    int32_t row[LEAVES]; /* to divide on; -1: none */
    double before[LINPRED__EXPLORERS];
    linpred_status status[LINPRED__EXPLORERS];
    linpred_error error[LINPRED__EXPLORERS];
};

static void run_explorer(void *context, int64_t task)
{
    struct branch_round *round = context;
    linpred__explorer *e = round->rounds->explorer[task];
    linpred__branch *branch = round->rounds->tree->branch;
    linpred__effort effort = {.stop = round->rounds->stop, .context = round->rounds->context};
    round->before[task] = e->search->work;
    round->status[task] = LINPRED_OK;
    for (int32_t k = (int32_t)task; k < round->leaves && round->status[task] == LINPRED_OK; k += LINPRED__EXPLORERS) {
        if (effort.over || e->search->work > round->before[task] + LINPRED__EXPLORER_WORK)
            return;
        round->status[task] = linpred__explore(e, branch, round->leaf[k], INFINITY, &effort, &round->error[task]);
        round->explored[k] = !effort.over;
        round->row[k] = linpred__undecided_row(e);
    }
}

/* An explorer learns the subsets of the tree that it does not know. */
static linpred_status learn_subsets(linpred__explorer *e, const linpred__cover *all, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    for (int32_t s = e->cover.subsets; s < all->subsets && status == LINPRED_OK; s++) {
        linpred__integers none = {0, NULL}; /* the tree keeps the integers that prove a subset */
        int64_t start = all->start[s];
        status = linpred__cover_add(&e->cover, all->row + start, (int32_t)(all->start[s + 1] - start), &none, error);
    }
    return status;
}

/* The tree takes the subsets of an explorer from number `known` on. The leaves that it explored get their new
   numbers. */
static linpred_status take_subsets(struct branch_round *round, int32_t task, int32_t known, linpred_error *error)
{
    linpred__tree *tree = round->rounds->tree;
    linpred__cover *all = &tree->explorer.cover, *own = &round->rounds->explorer[task]->cover;
    linpred_status status = LINPRED_OK;
    int32_t shift = all->subsets - known;
    for (int32_t s = known; s < own->subsets && status == LINPRED_OK; s++)
        status = linpred__cover_add(all, own->row + own->start[s], (int32_t)(own->start[s + 1] - own->start[s]),
                                    &own->weight[s], error);
    if (status == LINPRED_OK)
        own->subsets = known;
    for (int32_t k = task; k < round->leaves; k += LINPRED__EXPLORERS) {
        const linpred__packing *packing = &tree->branch[round->leaf[k]].packing;
        for (int32_t i = 0; i < packing->count; i++)
            packing->subset[i] += packing->subset[i] >= known ? shift : 0;
    }
    return status;
}

/* The tree takes over what all explorers found. */
static linpred_status take_round(struct branch_round *round, int32_t known, linpred_error *error)
{
    linpred__tree *tree = round->rounds->tree;
    linpred_status status = LINPRED_OK;
    for (int32_t task = 0; task < LINPRED__EXPLORERS && status == LINPRED_OK; task++) {
        const linpred__hyperplane_search *search = round->rounds->explorer[task]->search;
        status = round->status[task];
        if (status != LINPRED_OK && error)
            *error = round->error[task];
        if (status == LINPRED_OK)
            status = take_subsets(round, task, known, error);
        tree->search->work += search->work - round->before[task];
        if (search->best_cost < tree->search->best_cost)
            linpred__hyperplane_search_offer(tree->search, search->best);
    }
    return status;
}

/* Divides the leaves that were explored; the others return to the heap. A leaf without a row to divide on is visited by
   the tree itself. */
static linpred_status divide_leaves(struct branch_round *round, linpred__effort *effort, linpred__tree_end *end,
                                    linpred_error *error)
{
    linpred__tree *tree = round->rounds->tree;
    linpred_status status = LINPRED_OK;
    for (int32_t k = 0; k < round->leaves && status == LINPRED_OK; k++) {
        int32_t b = round->leaf[k];
        tree->explored += round->explored[k];
        if (linpred__bound_closes(&tree->explorer, tree->branch[b].bound))
            continue;
        if (!round->explored[k] || *end != LINPRED__TREE_OUT_OF_WORK)
            linpred__tree_push(tree, b);
        else if (round->row[k] >= 0)
            status = linpred__tree_divide(tree, b, round->row[k], error);
        else
            status = linpred__tree_visit(tree, b, INFINITY, effort, end, error);
    }
    return status;
}

/* One round. *end becomes DONE if there are no leaves to explore. */
static linpred_status explore_leaves(const linpred__tree_rounds *rounds, linpred__effort *effort,
                                     linpred__tree_end *end, linpred_error *error)
{
    struct branch_round round = {.rounds = rounds};
    linpred__tree *tree = rounds->tree;
    linpred__cover *all = &tree->explorer.cover;
    linpred_status status = LINPRED_OK;
    if (!linpred__grow(&tree->open, &tree->open_capacity, (size_t)tree->opens + 2 * (size_t)LEAVES, sizeof *tree->open))
        return linpred__no_memory(error); /* leaves return to the heap beside the halves of others */
    while (round.leaves < LEAVES && tree->opens > 0 &&
           !linpred__bound_closes(&tree->explorer, tree->branch[tree->open[0]].bound))
        round.leaf[round.leaves++] = linpred__tree_pop(tree);
    if (round.leaves == 0) {
        *end = LINPRED__TREE_DONE;
        return LINPRED_OK;
    }
    for (int32_t k = 0; k < LINPRED__EXPLORERS && status == LINPRED_OK; k++)
        status = learn_subsets(rounds->explorer[k], all, error);
    if (status != LINPRED_OK)
        return status;
    int32_t known = all->subsets;
    linpred__pool_run(rounds->pool, LINPRED__EXPLORERS, run_explorer, &round);
    status = take_round(&round, known, error);
    return status == LINPRED_OK ? divide_leaves(&round, effort, end, error) : status;
}

linpred_status linpred__tree_search_rounds(const linpred__tree_rounds *rounds, double work, linpred__tree_end *end,
                                           linpred_error *error)
{
    linpred__tree *tree = rounds->tree;
    linpred__effort effort = {.stop = rounds->stop, .context = rounds->context};
    double until = tree->search->work + work;
    linpred_status status = LINPRED_OK;
    *end = LINPRED__TREE_OUT_OF_WORK;
    while (status == LINPRED_OK && *end == LINPRED__TREE_OUT_OF_WORK && tree->search->work < until) {
        if (tree->branches > LINPRED__MAX_BRANCHES)
            *end = LINPRED__TREE_FULL;
        else if (rounds->stop(rounds->context))
            *end = LINPRED__TREE_STOPPED;
        else
            status = explore_leaves(rounds, &effort, end, error);
    }
    return status;
}
