/* The checker's own reading of cells that have decimals (data/decimals.h says what they mean): n = x 10^k rounded to a
 * whole number, and 10^K x = n 10^(K-k) as the sum of two doubles, for the most decimals K of any column. Rows are
 * judged as 10^K (x, 1), which changes no sign and no combination that is zero.
 */
#ifndef LINPRED_CHECK_ROWS_WHOLE_H
#define LINPRED_CHECK_ROWS_WHOLE_H

#include <math.h>

#include "data/data.h"

/* 10^k, which is a double up to 10^22. */
static inline double linpred__ten_to(int k)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return power[k > 0 ? k : 0];
}

/* x 10^k rounded to a whole number: below 2^51 in size, so that adding 1.5 2^52 rounds it. */
static inline double linpred__whole_of(double x, int k)
{
    return x * linpred__ten_to(k) + 0x1.8p52 - 0x1.8p52;
}

/* A cell in a unit of its column in which decimals are whole numbers. */
static inline double linpred__in_own_unit(const linpred__block *block, int32_t column, double x)
{
    int k = block->decimals ? block->decimals->column[column] : 0;
    return k > 0 ? linpred__whole_of(x, k) : x;
}

/* 10^K; 1 if the cells of the block mean their doubles. */
static inline double linpred__row_factor(const linpred__block *block)
{
    return block->decimals ? linpred__ten_to(block->decimals->most) : 1.0;
}

/* Sets part[0] + part[1] = 10^K x. */
static inline void linpred__read_cell(const linpred__block *block, int32_t column, double x, double part[2])
{
    part[0] = x;
    part[1] = 0.0;
    if (!block->decimals)
        return;
    int k = block->decimals->column[column] > 0 ? block->decimals->column[column] : 0;
    double n = k > 0 ? linpred__whole_of(x, k) : x;
    double factor = linpred__ten_to(block->decimals->most - k);
    part[0] = n * factor;
    part[1] = fma(n, factor, -part[0]); /* what the product was rounded by: a double, since factor >= 1 is whole */
}

/* What a double x lacks of the number with k decimals that it means: (n - 10^k x) 10^-k, to 2^-104 |x|. */
static inline double linpred__rest_of(double x, int k)
{
    double factor = linpred__ten_to(k);
    return k > 0 ? fma(-factor, x, linpred__whole_of(x, k)) / factor : 0.0;
}

static inline double linpred__cell_rest(const linpred__block *block, int32_t column, double x)
{
    return block->decimals ? linpred__rest_of(x, block->decimals->column[column]) : 0.0;
}

static inline double linpred__target_rest(const linpred_data *data, double y)
{
    return data->decimals ? linpred__rest_of(y, data->decimals->target) : 0.0;
}

#endif
