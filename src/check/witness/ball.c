/* Balls in integers: the proof that no ball separates rows, and the test that integers describe a separating ball.
 *
 * No ball with +1 inside separates rows for which positive integers λ have, exactly,
 *
 *   Σ λ y x = 0,   Σ λ y = 0,   Σ λ y ||x||² >= 0.
 *
 * If y (ρ - ||x-v||²) > 0 held on all these rows, then 0 < Σ λ y (ρ - ||x||² + 2<v,x> - ||v||²) = -Σ λ y ||x||². If +1
 * is outside, the last sum must be <= 0.
 *
 * A double x is the integer x 2^1074 in the units used here.
 */
#include <gmp.h>

#include "check/witness/combination.h"
#include "check/witness/integers.h"
#include "core/error.h"
#include "core/memory.h"
#include "num/dd.h"

/* The sign of y (<w,x> + w_d ||x||² + w_{d+1}) of a row. */
static int side_of(mpz_t *w, int32_t d, const linpred__block *block, int32_t r)
{
    mpz_t x, square, term, sum;
    mpz_inits(x, square, term, sum, NULL);
    linpred__entries row = linpred__entries_of(block, r);
    mpz_mul_2exp(sum, w[d + 1], 2 * 1074); /* the sum is multiplied by 4^1074 */
    for (int64_t k = 0; k < row.count; k++) {
        linpred__set_shifted(x, row.values[k], 1074);
        mpz_addmul(square, x, x);
        mpz_mul(term, x, w[linpred__entry_column(&row, k)]);
        mpz_mul_2exp(term, term, 1074);
        mpz_add(sum, sum, term);
    }
    mpz_addmul(sum, square, w[d]);
    int side = block->target[r] > 0 ? mpz_sgn(sum) : -mpz_sgn(sum);
    mpz_clears(x, square, term, sum, NULL);
    return side;
}

linpred_status linpred__check_ball_mistakes(const linpred__direction *direction, const linpred_model *model,
                                            const linpred_data *data, bool *ball, double wrong[2], linpred_error *error)
{
    int32_t count = direction->count, d = data->columns;
    wrong[0] = wrong[1] = 0.0;
    *ball = count == d + 2;
    if (!*ball)
        return LINPRED_OK;
    mpz_t *w = linpred__alloc((size_t)count, sizeof *w);
    if (!w)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < count; j++)
        *ball = mpz_init_set_str(w[j], direction->entry[j] ? direction->entry[j] : "", 10) == 0 && *ball;
    /* The halfspace of (x, ||x||², 1) is a ball if the coefficient of ||x||² is negative; positive if +1 is outside. */
    *ball = *ball && mpz_sgn(w[d]) * (model->outside ? -1 : 1) < 0;
    linpred__dd sum[2] = {{0.0, 0.0}, {0.0, 0.0}};
    for (int64_t i = 0; i < data->blocks && *ball; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int32_t r = 0; r < block->rows; r++)
            if (side_of(w, d, block, r) <= 0) {
                int label = block->target[r] > 0;
                sum[label] = linpred__dd_add_double(sum[label], block->weight ? block->weight[r] : 1.0);
            }
    }
    for (int label = 0; label < 2; label++)
        wrong[label] = sum[label].hi;
    for (int32_t j = 0; j < count; j++)
        mpz_clear(w[j]);
    linpred__release(w);
    return LINPRED_OK;
}

linpred_status linpred__check_ball_direction(const linpred__direction *direction, const linpred_model *model,
                                             const linpred_data *data, bool *separates, linpred_error *error)
{
    double wrong[2];
    linpred_status status = linpred__check_ball_mistakes(direction, model, data, separates, wrong, error);
    *separates = *separates && wrong[0] == 0.0 && wrong[1] == 0.0;
    return status;
}

/* Adds λ y (x 2^1074, ||x||² 4^1074, 1) of the rows of the witness. Returns false if a row is not in the data, or a
   weight is no positive integer. */
static bool add_witness_rows(const linpred__combination *witness, const linpred_data *data, mpz_t *sum)
{
    mpz_t x, square, lambda;
    mpz_inits(x, square, lambda, NULL);
    bool good = true;
    for (int64_t i = 0; good && i < witness->count; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, witness->row[i], &r);
        good = block && linpred__read_positive(lambda, witness->weight[i]);
        if (!good)
            break;
        if (block->target[r] < 0)
            mpz_neg(lambda, lambda);
        linpred__entries row = linpred__entries_of(block, r);
        mpz_set_ui(square, 0);
        for (int64_t k = 0; k < row.count; k++) {
            linpred__set_shifted(x, row.values[k], 1074);
            mpz_addmul(square, x, x);
            mpz_addmul(sum[linpred__entry_column(&row, k)], x, lambda);
        }
        mpz_addmul(sum[data->columns], square, lambda);
        mpz_add(sum[data->columns + 1], sum[data->columns + 1], lambda);
    }
    mpz_clears(x, square, lambda, NULL);
    return good;
}

linpred_status linpred__check_ball_combination(const linpred__combination *witness, const linpred_model *model,
                                               const linpred_data *data, bool *holds, linpred_error *error)
{
    linpred__integers sum;
    if (!linpred__integers_open(data->columns + 2, &sum))
        return linpred__no_memory(error);
    *holds = witness->count > 0 && add_witness_rows(witness, data, sum.value);
    for (int32_t j = 0; j < sum.count; j++) {
        int sign = mpz_sgn(sum.value[j]);
        bool square = j == data->columns;
        *holds = *holds && (square && model->outside ? sign <= 0 : square ? sign >= 0 : sign == 0);
    }
    linpred__integers_close(&sum);
    return LINPRED_OK;
}
