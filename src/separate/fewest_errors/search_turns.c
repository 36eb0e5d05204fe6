/* Turns of branch and cut and of local search, and the proof from the tree (see search_turns.h). */
#include "separate/fewest_errors/search_turns.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "separate/limits.h"
#include "solve/cover/local_searches.h"

/* ---- turns ------------------------------------------------------------------------------------------------------- */

/* Runs local searches from least squares and from the halfspace `known`. */
static linpred_status start(linpred__hyperplane_search *p, const double *known, linpred_error *error)
{
    double *w = linpred__alloc((size_t)p->d, sizeof *w);
    if (!w)
        return linpred__no_memory(error);
    linpred__hyperplane_search_least_squares(p, w);
    linpred__hyperplane_search_offer(p, w);
    linpred__hyperplane_search_descend(p, w, LINPRED__FEWEST_SWEEPS);
    if (linpred__hyperplane_search_offer_unscaled(p, known)) {
        memcpy(w, p->best, (size_t)p->d * sizeof *w);
        linpred__hyperplane_search_descend(p, w, LINPRED__FEWEST_SWEEPS);
    }
    linpred__release(w);
    return LINPRED_OK;
}

/* The least share of work of the local search: half of the relative gap, since a bound that is near shows that little
   is left to be found. */
static double least_share(const linpred__tree *tree)
{
    double best = (double)tree->search->best_cost, bound = (double)linpred__tree_bound(tree);
    return fmin(fmax(LINPRED__LOCAL_LEAST_SHARE, 0.5 * (best - bound) / fmax(best, 1.0)), LINPRED__LOCAL_SHARE);
}

/* The local searches by turns, for so much work. */
static void search_locally(linpred__local_searches *local, double work, linpred__effort *effort)
{
    for (int k = 0; k < 20 && !effort->stop(effort->context); k++)
        linpred__local_searches_turn(local, work / 20.0);
}

linpred_status linpred__search_at_length(linpred__hyperplane_search *p, linpred__effort *effort, linpred_error *error)
{
    linpred__local_searches local;
    linpred_status status = linpred__local_searches_open(&local, p, error);
    double began = p->work, end = p->work + LINPRED__LENGTH_WORK;
    while (status == LINPRED_OK && p->work < end && !effort->stop(effort->context)) {
        int64_t before = p->best_cost;
        linpred__local_searches_turn(&local, LINPRED__LENGTH_SLICE);
        if (p->best_cost < before)
            end = fmin(began + 3.0 * (p->work - began), began + LINPRED__LENGTH_MAX_WORK) + LINPRED__LENGTH_WORK;
    }
    linpred__local_searches_close(&local);
    return status;
}

linpred_status linpred__take_turns(linpred__hyperplane_search *p, const double *known, linpred__tree *tree, double work,
                                   linpred__effort *effort, linpred__tree_end *end, linpred_error *error)
{
    linpred__local_searches local;
    double turn = fmax(LINPRED__FIRST_TURN, p->work / 10.0);
    linpred_status status = linpred__local_searches_open(&local, p, error);
    if (status == LINPRED_OK && !tree->search) {
        status = start(p, known, error);
        if (status == LINPRED_OK)
            status = linpred__tree_open(tree, p, error);
    }
    *end = LINPRED__TREE_OUT_OF_WORK;
    for (double share = LINPRED__LOCAL_SHARE; status == LINPRED_OK && *end == LINPRED__TREE_OUT_OF_WORK;) {
        int64_t before = p->best_cost;
        status = linpred__tree_search(tree, p->work + turn, effort, end, error);
        if (*end == LINPRED__TREE_OUT_OF_WORK)
            search_locally(&local, share * turn, effort);
        share = p->best_cost < before ? LINPRED__LOCAL_SHARE : fmax(0.8 * share, least_share(tree));
        turn *= 1.2;
        if (p->work > work)
            break;
    }
    linpred__local_searches_close(&local);
    return status;
}

/* ---- the proof --------------------------------------------------------------------------------------------------- */

struct proof_writer {
    const linpred__tree *tree;
    const int64_t *file_row;
    double unit;
    linpred__cover_proof *proof;
    int64_t *number; /* for each subset of the cover its number in the proof; -1: not used */
};

/* Writes the rows of subset s in the order of the file, with their integers. */
static linpred_status put_subset(const struct proof_writer *work, int32_t s, linpred__combination *out,
                                 linpred_error *error)
{
    const linpred__cover *cover = &work->tree->explorer.cover;
    int32_t count = (int32_t)(cover->start[s + 1] - cover->start[s]), given = 0;
    const int32_t *row = cover->row + cover->start[s];
    for (int32_t i = 0; i < count; i++)
        given += work->file_row[row[i]] > 0;
    if (!linpred__combination_open(out, given))
        return linpred__no_memory(error);
    given = 0;
    for (int32_t i = 0; i < count; i++) {
        int64_t file_row = work->file_row[row[i]];
        if (file_row == 0)
            continue;
        char *text = linpred__integers_text(&cover->weight[s], i);
        if (!text)
            return linpred__no_memory(error);
        int32_t at = given++;
        for (; at > 0 && out->row[at - 1] > file_row; at--) {
            out->row[at] = out->row[at - 1];
            out->weight[at] = out->weight[at - 1];
        }
        out->row[at] = file_row;
        out->weight[at] = text;
    }
    return LINPRED_OK;
}

static linpred_status put_leaf(const struct proof_writer *work, const linpred__packing *packing, linpred__node *node,
                               linpred_error *error)
{
    if (!linpred__node_multipliers(node, packing->count))
        return linpred__no_memory(error);
    for (int32_t k = 0; k < packing->count; k++) {
        /* Insertion keeps the subsets ascending. */
        int64_t subset = work->number[packing->subset[k]], at = k;
        for (; at > 0 && node->subset[at - 1] > subset; at--) {
            node->subset[at] = node->subset[at - 1];
            node->multiplier[at] = node->multiplier[at - 1];
        }
        node->subset[at] = subset;
        node->multiplier[at] = ldexp((double)packing->y[k], -work->tree->explorer.cover.bits) * work->unit;
    }
    return LINPRED_OK;
}

static void mark(const struct proof_writer *work, const linpred__packing *packing)
{
    for (int32_t k = 0; k < packing->count; k++)
        work->number[packing->subset[k]] = 0;
}

/* Writes all branches in the order of the proof: each before its children, the first child before the second. */
static linpred_status put_branches(const struct proof_writer *work, linpred_error *error)
{
    const linpred__tree *tree = work->tree;
    int32_t *next = linpred__alloc((size_t)tree->branches, sizeof *next), waiting = 0;
    linpred_status status = next ? LINPRED_OK : linpred__no_memory(error);
    if (next)
        next[waiting++] = 0;
    for (int64_t k = 0; waiting > 0 && status == LINPRED_OK; k++) {
        const linpred__branch *branch = &tree->branch[next[--waiting]];
        linpred__node *node = &work->proof->node[k];
        if (branch->child < 0) {
            status = put_leaf(work, &branch->packing, node, error);
        } else {
            node->row = work->file_row[tree->branch[branch->child].row];
            next[waiting++] = branch->child + 1;
            next[waiting++] = branch->child;
        }
    }
    linpred__release(next);
    return status;
}

linpred_status linpred__keep_cover_proof(const linpred__tree *tree, const int64_t *file_row, double unit,
                                         linpred__cover_proof *proof, linpred_error *error)
{
    struct proof_writer work = {.tree = tree, .file_row = file_row, .unit = unit, .proof = proof};
    int64_t multipliers = 0, used = 0;
    for (int32_t b = 0; b < tree->branches; b++)
        multipliers += tree->branch[b].packing.count;
    bool whole = multipliers <= LINPRED__MAX_MULTIPLIERS;
    work.number = linpred__alloc((size_t)tree->explorer.cover.subsets, sizeof *work.number);
    linpred_status status = work.number && linpred__cover_proof_nodes(proof, whole ? tree->branches : 1)
                                ? LINPRED_OK
                                : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        memset(work.number, -1, (size_t)tree->explorer.cover.subsets * sizeof *work.number);
        for (int32_t b = 0; b < tree->branches && whole; b++)
            mark(&work, &tree->branch[b].packing);
        if (!whole)
            mark(&work, &tree->root);
        for (int32_t s = 0; s < tree->explorer.cover.subsets; s++)
            used += work.number[s] == 0;
        if (!linpred__cover_proof_subsets(proof, used))
            status = linpred__no_memory(error);
    }
    used = 0;
    for (int32_t s = 0; s < tree->explorer.cover.subsets && status == LINPRED_OK; s++)
        if (work.number[s] == 0) {
            work.number[s] = used;
            status = put_subset(&work, s, &proof->subset[used++], error);
        }
    if (status == LINPRED_OK)
        status = whole ? put_branches(&work, error) : put_leaf(&work, &tree->root, &proof->node[0], error);
    linpred__release(work.number);
    return status;
}
