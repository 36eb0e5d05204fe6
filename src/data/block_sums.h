/* Kernels over all rows of a block, for visitors. They branch on the layout once per block.
 *
 *   linpred__block_scores   z_r  = <w, x_r> + b
 *   linpred__block_add      sum += Σ_r a_r (x_r - c)
 *
 * w, c and sum have linpred__padded(columns) entries (data/row.h). The entries of w from `columns` on must be 0; those
 * of sum are undefined. A sum is added row after row, so that dense and sparse rows give the same bits. A score has the
 * bits of linpred__row_dot for a dense row, and those of linpred__row_dot_quick for a sparse one.
 */
#ifndef LINPRED_DATA_BLOCK_SUMS_H
#define LINPRED_DATA_BLOCK_SUMS_H

#include "data/data.h"

void linpred__block_scores(const linpred__block *block, const double *w, double b, double *z);
/* c may be NULL, which means 0. For sparse rows it must be NULL. */
void linpred__block_add(const linpred__block *block, const double *a, const double *c, double *sum);

#endif
