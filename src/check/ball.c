/* Balls: signs of ρ - ||x-v||², and the proof that no ball separates rows.
 *
 * A computed score differs from the exact one by at most (3n+4) 2^-53 of the sum of the sizes of its terms, and a few
 * 2^-1074. Beyond that its sign is certain; nearer to zero x x, 2 x v and v v are added exactly.
 *
 * No ball: positive integers λ with Σ λ y x = 0, Σ λ y = 0 and Σ λ y ||x||² >= 0 exactly, +1 inside. Were ρ - ||x-v||²
 * of the sign of y on all these rows, then 0 < Σ λ y (ρ - ||x||² + 2<v,x> - ||v||²) = -Σ λ y ||x||². With +1 outside:
 * <= 0.
 */
#include <float.h>
#include <gmp.h>
#include <math.h>
#include <string.h>

#include "check/check.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"

/* ---- signs
 * --------------------------------------------------------------------------------------------------------------- */

struct ball {
    const linpred_model *model;
    double centre_squared;
};

static void exact_sum(const linpred_model *model, const linpred__entries *row, linpred__exact *sum)
{
    linpred__exact_clear(sum);
    for (int64_t k = 0; k < row->count; k++) {
        double x = row->values[k], v = model->w[linpred__entry_column(row, k)];
        linpred__exact_add(sum, -x, x);
        linpred__exact_add(sum, x, v);
        linpred__exact_add(sum, x, v);
    }
    for (int32_t j = 0; j < model->columns; j++)
        linpred__exact_add(sum, -model->w[j], model->w[j]);
    linpred__exact_add(sum, model->b, 1.0);
}

/* ||x-v||², and what its rounding is relative to. */
static double squared_distance(const struct ball *ball, const linpred__entries *row, double *size)
{
    const double *v = ball->model->w;
    double sum = 0.0;
    *size = 0.0;
    if (!row->indices) { /* nothing cancels but in x - v itself */
        for (int64_t k = 0; k < row->count; k++)
            sum += (row->values[k] - v[k]) * (row->values[k] - v[k]);
        *size = sum;
        return sum;
    }
    for (int64_t k = 0; k < row->count; k++) {
        double x = row->values[k], term = x * (x - 2.0 * v[row->indices[k]]);
        sum += term;
        *size += fabs(term);
    }
    *size += ball->centre_squared;
    return ball->centre_squared + sum;
}

static void visit(void *context, void *state, const linpred__block *block)
{
    const struct ball *ball = context;
    const linpred_model *model = ball->model;
    double n = (double)model->columns, side = model->outside ? -1.0 : 1.0;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        double size, sum = model->b - squared_distance(ball, &row, &size);
        double bound = (3.0 * n + 8.0) * DBL_EPSILON * (size + fabs(model->b)) + (n + 2.0) * 0x1p-1070;
        linpred__signs_row(state, block, r, side * block->target[r], sum, bound, exact_sum, model);
    }
}

linpred_status linpred__check_ball_signs(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                         linpred__signs *signs, uint64_t *fingerprint, linpred_error *error)
{
    struct ball ball = {model, 0.0};
    for (int32_t j = 0; j < model->columns; j++)
        ball.centre_squared += model->w[j] * model->w[j];
    return linpred__signs_pass(data, pool, visit, &ball, signs, fingerprint, error);
}

/* ---- integers
 * ------------------------------------------------------------------------------------------------------------- */

/* x 2^1074, an integer. */
static void set_integer(mpz_t integer, double x)
{
    int exponent;
    double fraction = frexp(x, &exponent);
    mpz_set_d(integer, ldexp(fraction, 53));
    if (fraction == 0.0)
        return;
    int shift = exponent - 53 + 1074;
    if (shift >= 0)
        mpz_mul_2exp(integer, integer, (mp_bitcnt_t)shift);
    else
        mpz_tdiv_q_2exp(integer, integer, (mp_bitcnt_t)-shift); /* exact: a subnormal's low bits are zero */
}

linpred_status linpred__check_ball_direction(const linpred_result *result, const linpred_data *data, bool *separates,
                                             linpred_error *error)
{
    const linpred__certificate *certificate = &result->certificate;
    int32_t count = certificate->directions, d = data->columns;
    mpz_t *w = linpred__alloc((size_t)count, sizeof *w);
    if (!w)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < count; j++)
        mpz_init_set_str(w[j], certificate->direction[j], 10);
    mpz_t x, square, term, sum;
    mpz_inits(x, square, term, sum, NULL);
    *separates = count == d + 2 && mpz_sgn(w[d]) * (result->model.outside ? -1 : 1) < 0; /* a ball, on the right side */
    for (int64_t i = 0; i < data->blocks && *separates; i++)
        for (int32_t r = 0; r < data->block[i].rows && *separates; r++) {
            linpred__entries row = linpred__entries_of(&data->block[i], r);
            /* All times 4^1074. */
            mpz_mul_2exp(sum, w[d + 1], 2 * 1074);
            mpz_set_ui(square, 0);
            for (int64_t k = 0; k < row.count; k++) {
                set_integer(x, row.values[k]);
                mpz_addmul(square, x, x);
                mpz_mul(term, x, w[linpred__entry_column(&row, k)]);
                mpz_mul_2exp(term, term, 1074);
                mpz_add(sum, sum, term);
            }
            mpz_addmul(sum, square, w[d]);
            *separates = data->block[i].target[r] * mpz_sgn(sum) > 0;
        }
    mpz_clears(x, square, term, sum, NULL);
    for (int32_t j = 0; j < count; j++)
        mpz_clear(w[j]);
    linpred__release(w);
    return LINPRED_OK;
}

/* Σ λ y (x 2^1074, ||x||² 4^1074, 1) over the witness; false if a row is not in the data or a weight not positive. */
static bool add_rows(int64_t rows, const int64_t *file_row, char *const *weight, const linpred_data *data, mpz_t *sum)
{
    mpz_t x, square, lambda;
    mpz_inits(x, square, lambda, NULL);
    bool good = true;
    for (int64_t i = 0; good && i < rows; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, file_row[i], &r);
        good = block && mpz_set_str(lambda, weight[i], 10) == 0 && mpz_sgn(lambda) > 0;
        if (!good)
            break;
        if (block->target[r] < 0)
            mpz_neg(lambda, lambda);
        linpred__entries row = linpred__entries_of(block, r);
        mpz_set_ui(square, 0);
        for (int64_t k = 0; k < row.count; k++) {
            set_integer(x, row.values[k]);
            mpz_addmul(square, x, x);
            mpz_addmul(sum[linpred__entry_column(&row, k)], x, lambda);
        }
        mpz_addmul(sum[data->columns], square, lambda);
        mpz_add(sum[data->columns + 1], sum[data->columns + 1], lambda);
    }
    mpz_clears(x, square, lambda, NULL);
    return good;
}

linpred_status linpred__check_ball_combination(int64_t rows, const int64_t *row, char *const *weight,
                                               const linpred_data *data, bool outside, bool *holds,
                                               linpred_error *error)
{
    int32_t columns = data->columns + 2;
    mpz_t *sum = linpred__alloc((size_t)columns, sizeof *sum);
    if (!sum)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < columns; j++)
        mpz_init(sum[j]);
    *holds = rows > 0 && add_rows(rows, row, weight, data, sum);
    for (int32_t j = 0; j < columns; j++) {
        int sign = mpz_sgn(sum[j]);
        if (j == data->columns)
            *holds = *holds && (outside ? sign <= 0 : sign >= 0);
        else
            *holds = *holds && sign == 0;
        mpz_clear(sum[j]);
    }
    linpred__release(sum);
    return LINPRED_OK;
}
