/* Weights in the units of exact rows, and what integers cost on the rows of the file. */
#include <math.h>

#include "core/error.h"
#include "data/row.h"
#include "fit/ball/lift.h"

/* ---- units ------------------------------------------------------------------------------------------------------- */

/* The exponent by which a weight of a lifted row is larger than that of an exact row. */
static int unit_of(const linpred__ball_lift *lift, int32_t column)
{
    int32_t d = lift->data->columns;
    return column < d ? lift->exponent - lift->unit : column == d ? 2 * lift->exponent - lift->square_unit : 0;
}

/* Multiplies the weights by 2^(sign unit), and all by the power of two that makes the largest less than 1. */
static void change_lift_units(const linpred__ball_lift *lift, int sign, double *w)
{
    int32_t count = lift->data->columns + 2;
    int top = -10000, exponent;
    for (int32_t j = 0; j < count; j++) {
        frexp(w[j], &exponent);
        exponent += sign * unit_of(lift, j);
        top = w[j] != 0.0 && exponent > top ? exponent : top;
    }
    for (int32_t j = 0; j < count; j++)
        w[j] = w[j] != 0.0 ? ldexp(w[j], sign * unit_of(lift, j) - top) : 0.0;
}

void linpred__ball_to_exact(const linpred__ball_lift *lift, double *w)
{
    if (lift->wide)
        change_lift_units(lift, -1, w);
}

void linpred__ball_from_exact(const linpred__ball_lift *lift, double *w)
{
    if (lift->wide)
        change_lift_units(lift, 1, w);
}

void linpred__ball_round_exact(const linpred__ball_lift *lift, const linpred__integers *w, double *rounded)
{
    long top = -100000, exponent;
    for (int32_t j = 0; j < w->count; j++) {
        double fraction = linpred__integer_fraction(w->value[j], &exponent);
        exponent += unit_of(lift, j);
        top = fraction != 0.0 && exponent > top ? exponent : top;
    }
    for (int32_t j = 0; j < w->count; j++) {
        double fraction = linpred__integer_fraction(w->value[j], &exponent);
        exponent += unit_of(lift, j) - top;
        rounded[j] = exponent < -1000 ? 0.0 : ldexp(fraction, (int)exponent);
    }
}

/* ---- answers in integers ----------------------------------------------------------------------------------------- */

/* The sign of <v, (x, ||x||², 1)> of a row. Entries of x are counted in 2^-1074, squares in 4^-1074. */
static int lifted_sign(const linpred__block *block, int32_t r, const linpred__integers *v)
{
    int32_t d = v->count - 2;
    mpz_t x, square, sum, constant;
    mpz_inits(x, square, sum, constant, NULL);
    linpred__entries row = linpred__entries_of(block, r);
    for (int64_t k = 0; k < row.count; k++) {
        linpred__set_shifted(x, row.values[k], 1074);
        mpz_addmul(square, x, x);
        mpz_addmul(sum, v->value[linpred__entry_column(&row, k)], x);
    }
    mpz_mul_2exp(sum, sum, 1074);
    mpz_addmul(sum, v->value[d], square);
    mpz_mul_2exp(constant, v->value[d + 1], 2 * 1074);
    mpz_add(sum, sum, constant);
    int sign = mpz_sgn(sum);
    mpz_clears(x, square, sum, constant, NULL);
    return sign;
}

linpred_status linpred__ball_mistakes(const linpred__ball_lift *lift, const linpred__direction *direction,
                                      double *mistakes, linpred_error *error)
{
    const linpred_data *data = lift->data;
    linpred__integers v = {0, NULL};
    bool ready = linpred__integers_open(direction->count, &v);
    *mistakes = 0.0;
    for (int32_t j = 0; j < v.count; j++)
        mpz_set_str(v.value[j], direction->entry[j], 10);
    for (int64_t i = 0; ready && i < data->rows; i++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, i, &r);
        if (block->target[r] * lifted_sign(block, r, &v) <= 0)
            *mistakes += linpred__row_weight(block, r);
    }
    linpred__integers_close(&v);
    return ready ? LINPRED_OK : linpred__no_memory(error);
}
