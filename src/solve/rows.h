/* Working rows: a borrowed view of a few thousand signed homogeneous rows z_i, dense or sparse.
 *
 * Sparse rows may have tens of thousands of columns: the solvers drop the columns that no row touches by themselves.
 * In a sparse row a column may occur several times, and its entries add up: the way to give a number that is no double,
 * as a sum of doubles with no bit in common. (Least distance takes none of these.)
 */
#ifndef LINPRED_SOLVE_ROWS_H
#define LINPRED_SOLVE_ROWS_H

#include <stddef.h>
#include <stdint.h>

typedef struct linpred__rows {
    int32_t rows;
    int32_t columns;
    const double *values;   /* dense: rows x columns, row by row; sparse: the entries; all finite */
    const int64_t *start;   /* sparse: rows + 1 long, row i is entries start[i] .. start[i+1]-1; NULL: dense */
    const int32_t *indices; /* sparse: the column of each entry, ascending within a row; equal ones add up */
} linpred__rows;

typedef struct linpred__row {
    int32_t count;
    const double *values;
    const int32_t *indices; /* NULL: entry k is in column k */
} linpred__row;

static inline linpred__row linpred__row_of(const linpred__rows *rows, int32_t i)
{
    if (!rows->start)
        return (linpred__row){rows->columns, rows->values + (int64_t)i * rows->columns, NULL};
    int64_t first = rows->start[i];
    return (linpred__row){(int32_t)(rows->start[i + 1] - first), rows->values + first, rows->indices + first};
}

static inline int32_t linpred__row_column(const linpred__row *row, int32_t k)
{
    return row->indices ? row->indices[k] : k;
}

#endif
