/* What halfspaces cost on all distinct rows (see all_rows.h). */
#include "fit/fewest_errors/all_rows.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "num/dd.h"
#include "pass/certified_sign.h"
#include "separate/rows/solver_rows.h"
#include "solve/row_signs.h"

linpred_status linpred__cost_of_doubles(const linpred__problem *problem, const linpred__distinct *distinct,
                                        const double *w, bool *wrong, int64_t *cost, linpred_error *error)
{
    int32_t columns = problem->data->columns;
    linpred__hyperplane hyperplane;
    linpred_status status = linpred__hyperplane_open(&hyperplane, columns, w, problem->has_intercept ? w[columns] : 0.0,
                                                     problem->extents.radius.above, error);
    if (status != LINPRED_OK)
        return status;
    *cost = 0;
    for (int64_t k = 0; k < distinct->rows; k++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(problem->data, distinct->row[k], &r);
        bool mistake = linpred__certified_sign(&hyperplane, block, r) <= 0;
        *cost += mistake ? distinct->cost[k] : 0;
        if (wrong)
            wrong[k] = mistake;
    }
    linpred__hyperplane_close(&hyperplane);
    return LINPRED_OK;
}

linpred_status linpred__cost_of_integers(const linpred__problem *problem, const linpred__distinct *distinct,
                                         const linpred__integers *integers, bool *wrong, double *w,
                                         linpred__integers_tried *tried, linpred_error *error)
{
    linpred__gathered all;
    int32_t *right = linpred__alloc((size_t)distinct->rows, sizeof *right), count = 0;
    linpred_status status =
        right ? linpred__gather(problem->data, problem->has_intercept, distinct->row, distinct->rows, &all, error)
              : linpred__no_memory(error);
    if (status != LINPRED_OK) {
        linpred__release(right);
        return status;
    }
    tried->cost = 0;
    for (int32_t k = 0; k < all.rows.rows; k++) {
        wrong[k] = linpred__row_sign_integers(&all.rows, k, integers) <= 0;
        tried->cost += wrong[k] ? distinct->cost[k] : 0;
        if (!wrong[k])
            right[count++] = k;
    }
    tried->rounded = linpred__round_separating(&all.rows, right, count, integers, w);
    linpred__gathered_clear(&all);
    linpred__release(right);
    return LINPRED_OK;
}

double linpred__cost_of_wrong(const linpred_data *data, const linpred__distinct *distinct, const double class_cost[2],
                              const bool *wrong)
{
    linpred__dd sum[2] = {{0.0, 0.0}, {0.0, 0.0}};
    for (int64_t i = 0; i < data->rows; i++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, i, &r);
        int label = block->target[r] > 0;
        if (wrong[distinct->place[i]])
            sum[label] = linpred__dd_add_double(sum[label], linpred__row_weight(block, r));
    }
    return class_cost[0] * sum[0].hi + class_cost[1] * sum[1].hi;
}
