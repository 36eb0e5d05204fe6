/* Kernels over the rows of one block, for visitors. The layout is switched on once a block.
 *
 *   linpred__block_scores   z_r  = <w, x_r> + b
 *   linpred__block_add      sum += Σ_r a_r (x_r - c)
 *
 * w, c and sum have linpred__padded(columns) entries (data/row.h). Those of w from `columns` on are 0; those of sum
 * mean nothing. A sum over rows is added row after row, so dense and sparse rows give the same bits. A score has the
 * bits of linpred__row_dot for a dense row, of linpred__row_dot_quick for a sparse one.
 */
#ifndef LINPRED_DATA_BLOCK_SUMS_H
#define LINPRED_DATA_BLOCK_SUMS_H

#include "data/data.h"

void linpred__block_scores(const linpred__block *block, const double *w, double b, double *z);
/* c NULL: 0. Only dense rows may have a c. */
void linpred__block_add(const linpred__block *block, const double *a, const double *c, double *sum);

#endif
