/* Rows of integers in terms of some of them, exactly.
 *
 * A is a matrix of integers whose last rows are those of the identity. T = A C for a regular C, so that the rows in the
 * basis become those of the identity: row i of A is Σ_k T_ik (row basis_k of A). T is entry / divisor, and all
 * divisions are without rest (Edmonds): entry and divisor are minors of A.
 */
#ifndef LINPRED_NUM_TABLEAU_H
#define LINPRED_NUM_TABLEAU_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct linpred__tableau {
    int32_t rows, columns;
    mpz_t *entry; /* rows x columns */
    mpz_t divisor;
    int32_t *basis; /* the row that belongs to each column; -1: none yet, or all rows that may are 0 there */
} linpred__tableau;

/* All entries are 0 but those of the identity. False: out of memory, and *tableau is empty. */
bool linpred__tableau_open(int32_t rows, int32_t columns, linpred__tableau *tableau);
/* Does nothing to an empty one. */
void linpred__tableau_close(linpred__tableau *tableau);

static inline mpz_t *linpred__tableau_at(const linpred__tableau *tableau, int32_t row, int32_t column)
{
    return &tableau->entry[(int64_t)row * tableau->columns + column];
}

/* T_row,column: rounded, and log2 of its size (-INFINITY for 0). */
void linpred__tableau_value(const linpred__tableau *tableau, int32_t row, int32_t column, mpf_t value);
double linpred__tableau_log2(const linpred__tableau *tableau, int32_t row, int32_t column);

/* Takes rows into the basis until |T_ik| scale_i <= 2 scale_basis_k for every row. log2_scale is -INFINITY for rows
   that may not be in it. Each exchange at least doubles the volume of the scaled basis. Returns the rank of the rows
   that may be in it; -1: exchanges did not end. */
int32_t linpred__tableau_choose(linpred__tableau *tableau, const double *log2_scale);

#endif
