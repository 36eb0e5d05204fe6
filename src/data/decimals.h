/* Decimals: what the numbers of a text file mean.
 *
 * 6.7 in a text file means 6.7, not the double nearest to it. A cell is kept as a double x all the same. A column has k
 * decimals if each of its values is the double nearest to some n 10^-k with a whole |n| < 10^15; k is the smallest such
 * number, at most 22. Its cells then mean these n 10^-k. There is one n for each x, since two decimals of 15 digits
 * never share their nearest double, and n is x 10^k rounded to a whole number: both roundings together are below 1/4.
 * A column without such a k means its doubles. Files of binary doubles and arrays have no decimals at all.
 *
 * Exact work takes the row (x, 1) times 10^K, K being the most decimals of any column. All its entries are then whole
 * numbers, or doubles times 10^K, and an entry is the sum of two doubles without rounding:
 *
 *   10^K x = n 10^(K-k),   |n| < 2^53 and 10^(K-k) <= 10^22 < 2^53 5^22.
 *
 * A factor common to all rows changes no sign, no combination Σ λ z = 0, no rank and no halfspace.
 */
#ifndef LINPRED_DATA_DECIMALS_H
#define LINPRED_DATA_DECIMALS_H

#include <math.h>

#include "data/data.h"
#include "num/dd.h"

struct linpred__pool;

enum { LINPRED__MAX_DECIMALS = 22 };

/* What values of a column need. */
typedef struct linpred__need {
    uint64_t largest; /* the bits of the largest |x|; they are ordered as the numbers are */
    int needed;       /* decimals; more than LINPRED__MAX_DECIMALS: they have none */
} linpred__need;
/* Raises what is known of the columns of a block, on several threads at once; false: out of memory. */
bool linpred__note_needs(const linpred__block *block, linpred__need *column);

/* Finds the decimals of data. limit[j] is the most that column j may have, -1 for none; that of targets
   comes behind those of the columns. What would need more means its doubles. *decimals is NULL if nothing has
   decimals: then all numbers are doubles or whole. Else the caller gives it to linpred__release.
   `stated` is what the columns need, as the file says; NULL: all rows are looked at. */
linpred_status linpred__find_decimals(const linpred_data *data, const signed char *limit, const linpred__need *stated,
                                      struct linpred__pool *pool, linpred__decimals **decimals, linpred_error *error);

/* The fewest decimals, from k on, that x needs; more than LINPRED__MAX_DECIMALS if it has none. */
int linpred__decimals_needed(double x, int k);
/* Whether numbers that need so many decimals, the largest being `largest`, have them. */
bool linpred__has_decimals(int needed, double largest);

/* Whether both mean the same decimals, or none. Where a column has none, what it needs depends on the order of the
   rows. */
bool linpred__same_needs(const linpred__need *one, const linpred__need *other);

/* 10^k for 0 <= k <= 22: these are the powers of ten that are doubles. */
extern const double linpred__tens[LINPRED__MAX_DECIMALS + 1];

/* 10^K x for a cell x of a column. `decimals` is that of a block and not NULL. */
static inline linpred__dd linpred__whole_cell(const linpred__decimals *decimals, int32_t column, double x)
{
    signed char k = decimals->column[column];
    if (k <= 0)
        return linpred__two_product(x, decimals->unit);
    return linpred__two_product(rint(x * linpred__tens[k]), linpred__tens[decimals->most - k]);
}

/* The same for the cells of any block: x itself, if they mean their doubles; and what stands for the 1 of (x, 1). */
static inline linpred__dd linpred__cell(const linpred__block *block, int32_t column, double x)
{
    return block->decimals ? linpred__whole_cell(block->decimals, column, x) : (linpred__dd){x, 0.0};
}

static inline double linpred__unit(const linpred__block *block)
{
    return block->decimals ? block->decimals->unit : 1.0;
}

/* What a cell lacks of the decimal d that it means: |x + lost - d| <= 2^-104 |x|. power is 10^k, 0 for doubles, and
   inverse its reciprocal or 0. The difference n - 10^k x is rounded once, its quotient twice, and it is at most
   2^-53 n. */
static inline double linpred__lost(double x, double power, double inverse)
{
    return fma(-x, power, rint(x * power)) * inverse;
}

static inline double linpred__lost_by(double x, int decimals)
{
    return decimals > 0 ? linpred__lost(x, linpred__tens[decimals], 1.0 / linpred__tens[decimals]) : 0.0;
}

static inline double linpred__cell_lost(const linpred__block *block, int32_t column, double x)
{
    return block->decimals ? linpred__lost_by(x, block->decimals->column[column]) : 0.0;
}

/* The same for the target of a row. */
static inline double linpred__target_lost(const linpred_data *data, double y)
{
    return data->decimals ? linpred__lost_by(y, data->decimals->target) : 0.0;
}

#endif
