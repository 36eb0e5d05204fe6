/* Do single columns give a direction, so that logistic regression has no minimum?
 *
 * If max x_j over the rows labelled -1 is at most min x_j over those labelled +1, and c lies between the two, then
 * y(x_j - c) >= 0 on every row. So (e_j, -c) is a direction, unless the column is constant. With the labels exchanged
 * (-e_j, c) is one. Without intercept c must be 0. A word that occurs only with one label is such a column, with c = 0.
 * The sum of such directions is a direction too; it settles every row that one of them settles.
 */
#ifndef LINPRED_SEPARATE_ONE_COLUMN_H
#define LINPRED_SEPARATE_ONE_COLUMN_H

#include "core/run.h"
#include "separate/answer.h"

/* The answer has the sum of these directions, which is tried on every row; kind is SEPARATED or QUASI_SEPARATED. It is
   UNDECIDED if there is no such column, or if the problem's extents have no ranges. */
linpred_status linpred__ask_one_column(linpred__run *run, const linpred__problem *problem, linpred__three_way *answer,
                                       linpred_error *error);

#endif
