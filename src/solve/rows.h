/* A borrowed view of rows z_i, dense or sparse: the input of every solver in this room.
 *
 * A solver gets a few thousand signed homogeneous rows. Sparse rows may have tens of thousands of columns; the solvers
 * themselves drop the columns in which no row has an entry.
 *
 * In a sparse row a column may occur several times. Its value is then the sum of its entries, and these entries must
 * have no bit position in common. This is how a number with more than 53 bits is passed exactly. An entry may also have
 * an exponent, for numbers beyond the range of doubles. The least-distance solver accepts neither repeated columns nor
 * exponents, and spans (exact_lp/span.h) accept no exponents.
 */
#ifndef LINPRED_SOLVE_ROWS_H
#define LINPRED_SOLVE_ROWS_H

#include "num/entries.h"

typedef struct linpred__rows {
    int32_t rows;
    int32_t columns;
    const double *values;     /* dense: rows x columns, row by row; sparse: the entries of all rows; all are finite */
    const int64_t *start;     /* sparse: rows + 1 long, row i has the entries start[i] .. start[i+1]-1; NULL: dense */
    const int32_t *indices;   /* sparse: the column of each entry, ascending within a row; NULL: dense */
    const int16_t *exponents; /* sparse: entry k is values[k] 2^exponents[k]; NULL: all are 0 */
} linpred__rows;

static inline linpred__entries linpred__row_of(const linpred__rows *rows, int32_t i)
{
    if (!rows->start)
        return (linpred__entries){rows->columns, rows->values + (int64_t)i * rows->columns, NULL};
    int64_t first = rows->start[i];
    return (linpred__entries){rows->start[i + 1] - first, rows->values + first, rows->indices + first};
}

/* The exponent of entry k of row i. */
static inline int linpred__entry_exponent(const linpred__rows *rows, int32_t i, int64_t k)
{
    return rows->exponents ? rows->exponents[rows->start[i] + k] : 0;
}

#endif
