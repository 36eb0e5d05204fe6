/* X' D X of sparse rows with many columns.
 *
 * Row j of the product is the sum over the rows of X that have an entry in column j. It is made at once, from the part
 * of those rows up to column j, while it is in cache. Adding row after row of X instead would touch a matrix that is in
 * no cache, and each thread would need a matrix of its own. The rows of a column are added in their order by one
 * thread.
 */
#ifndef LINPRED_PASS_SPARSE_GRAM_H
#define LINPRED_PASS_SPARSE_GRAM_H

#include "core/threads.h"
#include "data/data.h"

/* product = (X,1)' D (X,1), or X' D X, both triangles; D stands in curvature[first[i] + r] for row r of block i. */
linpred_status linpred__sparse_gram(const linpred_data *data, linpred__pool *pool, const double *curvature,
                                    const int64_t *first, bool has_intercept, double *product, linpred_error *error);

#endif
