/* Checks the witness that no halfspace separates rows: Σ λ_i z_i = 0 exactly, with positive integers λ.
 *
 * If some w had <w,z_i> > 0 for all these rows, then 0 = <w, Σ λ z> = Σ λ <w,z> > 0.
 */
#include <gmp.h>

#include "check/witness/combination.h"
#include "check/witness/integers.h"
#include "core/error.h"
#include "core/memory.h"

/* Adds λ z of the rows of the witness to `sum`, which has an entry for each column and one for the intercept. Returns
   false if a row is not in the data, or a weight is no positive integer. */
static bool add_combination(const linpred__combination *witness, const linpred_data *data, bool has_intercept,
                            mpz_t *sum)
{
    mpz_t lambda, scratch;
    mpz_inits(lambda, scratch, NULL);
    bool found = true;
    for (int64_t i = 0; found && i < witness->count; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, witness->row[i], &r);
        found = block && linpred__read_positive(lambda, witness->weight[i]);
        if (!found)
            break;
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; k < row.count; k++)
            linpred__add_exactly(sum[linpred__entry_column(&row, k)], lambda, block->target[r] * row.values[k],
                                 scratch);
        if (has_intercept)
            linpred__add_exactly(sum[data->columns], lambda, block->target[r], scratch);
    }
    mpz_clears(lambda, scratch, NULL);
    return found;
}

linpred_status linpred__check_combination(const linpred__combination *witness, const linpred_model *model,
                                          const linpred_data *data, bool *holds, linpred_error *error)
{
    if (model->task == LINPRED_TASK_BALL)
        return linpred__check_ball_combination(witness, model, data, holds, error);
    size_t columns = (size_t)data->columns + 1;
    mpz_t *sum = linpred__alloc(columns, sizeof *sum);
    if (!sum)
        return linpred__no_memory(error);
    for (size_t j = 0; j < columns; j++)
        mpz_init(sum[j]);
    *holds = witness->count > 0 && add_combination(witness, data, model->has_intercept, sum);
    for (size_t j = 0; j < columns; j++) {
        *holds = *holds && mpz_sgn(sum[j]) == 0;
        mpz_clear(sum[j]);
    }
    linpred__release(sum);
    return LINPRED_OK;
}
