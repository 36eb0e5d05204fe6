/* Do single columns prove that there is no minimum?
 *
 * If no row labelled -1 has more in column j than any row labelled +1, then for a c between them y(x_j - c) >= 0 on
 * every row: the loss falls for ever along (e_j, -c), unless the column is constant. The other way round it falls along
 * (-e_j, c). Through the origin c must be 0. A word that occurs under one label only is such a column, with c = 0. The
 * sum of such directions is one too: it settles every row that one of them settles.
 */
#ifndef LINPRED_SEPARATE_ONE_COLUMN_H
#define LINPRED_SEPARATE_ONE_COLUMN_H

#include "core/run.h"
#include "separate/answer.h"

/* The sum of these directions, tried on every row: SEPARATED or QUASI_SEPARATED. UNDECIDED: there is no such column, or
   the problem's extents have no ranges. */
linpred_status linpred__ask_one_column(linpred__run *run, const linpred__problem *problem, linpred__three_way *answer,
                                       linpred_error *error);

#endif
