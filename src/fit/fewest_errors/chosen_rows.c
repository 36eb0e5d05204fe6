/* Rows chosen from the distinct ones (see chosen_rows.h). */
#include "fit/fewest_errors/chosen_rows.h"

#include "core/error.h"
#include "core/memory.h"
#include "separate/fewest_errors/search_turns.h"

linpred_status linpred__open_chosen_rows(const linpred__chosen_rows *chosen, uint64_t seed, linpred__gathered *gathered,
                                         int64_t **cost, linpred__hyperplane_search *search, linpred_error *error)
{
    int64_t *row = linpred__alloc((size_t)chosen->rows, sizeof *row);
    *cost = linpred__alloc((size_t)chosen->rows, sizeof **cost);
    linpred_status status = row && *cost ? LINPRED_OK : linpred__no_memory(error);
    for (int64_t i = 0; i < chosen->rows && status == LINPRED_OK; i++) {
        row[i] = chosen->distinct->row[chosen->row[i]];
        (*cost)[i] = chosen->distinct->cost[chosen->row[i]];
    }
    if (status == LINPRED_OK)
        status = linpred__gather(chosen->data, chosen->has_intercept, row, chosen->rows, gathered, error);
    linpred__release(row);
    if (status == LINPRED_OK)
        status = linpred__hyperplane_search_open(search, &gathered->rows, *cost, chosen->has_intercept, seed, error);
    return status;
}

linpred_status linpred__prove_by_tree(const linpred__chosen_rows *chosen, const linpred__tree *tree,
                                      linpred__cover_proof *proof, linpred_error *error)
{
    int64_t *file_row = linpred__alloc((size_t)chosen->rows, sizeof *file_row);
    if (!file_row)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < chosen->rows; i++)
        file_row[i] = linpred_data_source_row(chosen->data, chosen->distinct->row[chosen->row[i]]);
    linpred_status status = linpred__keep_cover_proof(tree, file_row, chosen->distinct->unit, proof, error);
    linpred__release(file_row);
    return status;
}
