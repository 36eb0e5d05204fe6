/* Single columns that prove that there is no minimum.
 *
 * If no row labelled -1 has more in column j than any row labelled +1, then for a c between, y(x_j - c) >= 0 on every
 * row: the loss falls for ever along (e_j, -c), unless the column is constant. The other way round along (-e_j, c).
 * Through the origin c must be 0. A word that occurs under one label only is such a column, with c = 0. The sum of such
 * directions is one: it settles every row that one of them settles.
 */
#ifndef LINPRED_SEPARATE_ONE_COLUMN_H
#define LINPRED_SEPARATE_ONE_COLUMN_H

#include "separate/three_way.h"

/* The sum of their directions, tried on every row: overlap->kind says what came of it. NOT_ASKED: there is none, or
   the extents were not looked at. */
linpred_status linpred__try_columns(linpred__fit *fit, linpred__three_way *overlap, linpred_error *error);

#endif
