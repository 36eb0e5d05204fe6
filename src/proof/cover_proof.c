/* Allocating and freeing cover proofs. */
#include "proof/cover_proof.h"

#include "core/memory.h"

void linpred__cover_proof_clear(linpred__cover_proof *search)
{
    for (int64_t s = 0; s < search->subsets; s++)
        linpred__combination_clear(&search->subset[s]);
    for (int64_t k = 0; k < search->nodes; k++) {
        linpred__release(search->node[k].subset);
        linpred__release(search->node[k].multiplier);
    }
    linpred__release(search->subset);
    linpred__release(search->node);
    *search = (linpred__cover_proof){0};
}

bool linpred__cover_proof_subsets(linpred__cover_proof *search, int64_t count)
{
    search->subset = linpred__calloc((size_t)count, sizeof *search->subset);
    search->subsets = search->subset ? count : 0;
    return search->subset != NULL;
}

bool linpred__cover_proof_nodes(linpred__cover_proof *search, int64_t count)
{
    search->node = linpred__calloc((size_t)count, sizeof *search->node);
    search->nodes = search->node ? count : 0;
    return search->node != NULL;
}

bool linpred__node_multipliers(linpred__node *node, int64_t count)
{
    node->subset = linpred__calloc((size_t)count, sizeof *node->subset);
    node->multiplier = linpred__calloc((size_t)count, sizeof *node->multiplier);
    node->count = count;
    return node->subset && node->multiplier;
}
