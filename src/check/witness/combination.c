/* Checks the witness that no halfspace separates rows: Σ λ_i z_i = 0 exactly, with positive integers λ.
 *
 * If some w had <w,z_i> > 0 for all these rows, then 0 = <w, Σ λ z> = Σ λ <w,z> > 0.
 */
#include "check/witness/combination.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

#include "check/rows/whole.h"
#include "check/witness/integers.h"
#include "core/error.h"
#include "core/int128.h"
#include "core/memory.h"

bool linpred__add_signed_rows(int64_t count, const int64_t *rows, char *const *weight, const linpred_data *data,
                              linpred__integers *sum)
{
    mpz_t lambda, scratch;
    mpz_inits(lambda, scratch, NULL);
    bool good = count > 0;
    for (int64_t i = 0; good && i < count; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, rows[i], &r);
        good = block && linpred__read_positive(lambda, weight[i]);
        if (!good)
            break;
        mpz_add(sum->value[data->columns + 1], sum->value[data->columns + 1], lambda);
        if (block->target[r] < 0)
            mpz_neg(lambda, lambda);
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; k < row.count; k++) {
            int32_t j = linpred__entry_column(&row, k);
            double part[2];
            linpred__read_cell(block, j, row.values[k], part);
            linpred__add_exactly(sum->value[j], lambda, part[0], scratch);
            linpred__add_exactly(sum->value[j], lambda, part[1], scratch);
        }
        linpred__add_exactly(sum->value[data->columns], lambda, linpred__row_factor(block), scratch);
    }
    mpz_clears(lambda, scratch, NULL);
    return good;
}

linpred_status linpred__check_combination(const linpred__combination *witness, const linpred_model *model,
                                          const linpred_data *data, bool *holds, linpred_error *error)
{
    linpred__integers sum;
    if (model->task == LINPRED_TASK_BALL)
        return linpred__check_ball_combination(witness, model, data, holds, error);
    if (!linpred__integers_open(data->columns + 2, &sum))
        return linpred__no_memory(error);
    *holds = linpred__add_signed_rows(witness->count, witness->row, witness->weight, data, &sum);
    for (int32_t j = 0; j < data->columns + model->has_intercept; j++)
        *holds = *holds && mpz_sgn(sum.value[j]) == 0;
    linpred__integers_close(&sum);
    return LINPRED_OK;
}

/* The rank of the rows of a witness, modulo a prime.
 *
 * Rows overlap if Σ λ z = 0 with positive λ on rows that span the space. For if <v,z> >= 0 on every row, then 0 = <v, Σ
 * λ z> implies <v,z> = 0 on these rows, hence v = 0. The rank modulo a prime is at most the true rank, so full rank
 * modulo a prime is a proof.
 */

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t multiply_modulo(uint64_t a, uint64_t b)
{
    linpred__uint128 product = (linpred__uint128)a * b;
    uint64_t sum = (uint64_t)(product & prime) + (uint64_t)(product >> 61);
    return sum >= prime ? sum - prime : sum;
}

static uint64_t inverse(uint64_t a)
{
    uint64_t result = 1;
    for (uint64_t power = prime - 2; power > 0; power >>= 1, a = multiply_modulo(a, a))
        if (power & 1)
            result = multiply_modulo(result, a);
    return result;
}

/* x modulo the prime 2^61 - 1. There 2^61 = 1, so there are only 61 different powers of two. */
static uint64_t residue(double x)
{
    int exponent;
    double fraction = frexp(fabs(x), &exponent);
    uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
    int power = ((exponent - 53) % 61 + 61) % 61;
    uint64_t value = multiply_modulo(mantissa % prime, UINT64_C(1) << power);
    return x < 0 && value > 0 ? prime - value : value;
}

static uint64_t cell_residue(const linpred__block *block, int32_t column, double x)
{
    double part[2];
    linpred__read_cell(block, column, x, part);
    return (residue(part[0]) + residue(part[1])) % prime;
}

/* Reduces a row by the echelon form of `rank` rows. Returns its first column that is not 0; `columns` if there is none.
 */
static int32_t reduce_row(uint64_t *form, const int32_t *pivot, int32_t rank, int32_t columns, uint64_t *row)
{
    for (int32_t i = 0; i < rank; i++) {
        uint64_t factor = row[pivot[i]];
        const uint64_t *known = form + (int64_t)i * columns;
        for (int32_t j = 0; factor > 0 && j < columns; j++)
            if (known[j] > 0) {
                uint64_t less = multiply_modulo(factor, known[j]);
                row[j] = row[j] >= less ? row[j] - less : row[j] + prime - less;
            }
    }
    int32_t at = 0;
    while (at < columns && row[at] == 0)
        at++;
    uint64_t factor = at < columns ? inverse(row[at]) : 0;
    for (int32_t j = at; j < columns; j++)
        form[(int64_t)rank * columns + j] = multiply_modulo(row[j], factor);
    return at;
}

linpred_status linpred__check_span(const linpred__combination *witness, const linpred_data *data, bool has_intercept,
                                   int32_t *rank, linpred_error *error)
{
    int32_t columns = data->columns + has_intercept;
    uint64_t *form = linpred__calloc((size_t)columns * (size_t)columns, sizeof *form);
    uint64_t *row = linpred__alloc((size_t)columns, sizeof *row);
    int32_t *pivot = linpred__alloc((size_t)columns, sizeof *pivot);
    *rank = 0;
    for (int64_t i = 0; form && row && pivot && i < witness->count && *rank < columns; i++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, witness->row[i], &r);
        if (!block)
            continue;
        linpred__entries entries = linpred__entries_of(block, r);
        memset(row, 0, (size_t)columns * sizeof *row);
        for (int64_t k = 0; k < entries.count; k++)
            row[linpred__entry_column(&entries, k)] =
                cell_residue(block, linpred__entry_column(&entries, k), entries.values[k]);
        if (has_intercept)
            row[columns - 1] = residue(linpred__row_factor(block));
        pivot[*rank] = reduce_row(form, pivot, *rank, columns, row);
        *rank += pivot[*rank] < columns;
    }
    bool made = form && row && pivot;
    linpred__release(form);
    linpred__release(row);
    linpred__release(pivot);
    return made ? LINPRED_OK : linpred__no_memory(error);
}
