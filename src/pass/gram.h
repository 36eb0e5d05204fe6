/* The Gram matrix of a chunk of rows that lies in cache: G += Σ_r x_r x_r'.
 *
 * Rows are `stride` = linpred__gram_stride(n) apart, a whole number of vectors. Entries n .. stride - 1 of a row are 0.
 * G is stride x stride; entry (i, j) with i <= j is G[i stride + j], the others mean nothing. Up to
 * LINPRED__GRAM_OWN_MAX columns our own kernel takes the rows as they stand, since BLAS would spend as long on packing
 * them as on multiplying. Beyond that it is BLAS.
 */
#ifndef LINPRED_PASS_GRAM_H
#define LINPRED_PASS_GRAM_H

#include <stddef.h>

size_t linpred__gram_stride(size_t n);
/* Rows of a chunk. */
size_t linpred__gram_rows(size_t n);
/* `ahead`: memory of about the size of the chunk that the caller reads next, prefetched meanwhile; NULL: not known. */
void linpred__gram_add(size_t n, size_t rows, const double *x, const double *ahead, double *gram);

#endif
