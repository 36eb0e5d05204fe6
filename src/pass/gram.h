/* Sums of products of rows, G += Σ_r x_r x_r', for a chunk of rows that lies in cache.
 *
 * Rows are `stride` apart (linpred__gram_stride: whole vectors), entries from n on zero. G is stride x stride; entry
 * (i, j) with i <= j is at G[i stride + j], the others are not meant. Up to a few hundred columns a kernel of our own
 * takes the rows as they stand, where BLAS would spend as long on packing them as on multiplying; beyond that it is
 * BLAS.
 */
#ifndef LINPRED_PASS_GRAM_H
#define LINPRED_PASS_GRAM_H

#include <stddef.h>

size_t linpred__gram_stride(size_t n);
/* How many rows a chunk should have. */
size_t linpred__gram_rows(size_t n);
/* `ahead`: memory of about the same size that is read next, asked for meanwhile; NULL: not known. */
void linpred__gram_add(size_t n, size_t rows, const double *x, const double *ahead, double *gram);

#endif
