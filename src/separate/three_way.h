/* Are the rows separated, quasi-separated or overlapping? Answered with a proof, for any number of rows.
 *
 * Logistic regression has a minimum exactly if rows overlap: no v with <v,z_i> != 0 for some row has <v,z_i> >= 0 on
 * every row. Single columns are asked first (separate/one_column.h), then whether anything separates the rows
 * (separate/two_way.h). If nothing does, working rows are asked in exact arithmetic:
 *
 *     quasi-separated   The integer direction v is tried on all rows, by sign. Rows that refute it join.
 *     overlapping       Carriers, rows whose positive combination is zero, span the working rows. That holds for all
 *                       data once they span all rows. At full rank they do; else a row outside their span joins, and
 *                       exact elimination on all rows has the last word.
 */
#ifndef LINPRED_SEPARATE_THREE_WAY_H
#define LINPRED_SEPARATE_THREE_WAY_H

#include "core/run.h"
#include "separate/answer.h"

/* w, b (NULL: 0): where the search for working rows begins; they may separate the rows already. */
linpred_status linpred__ask_three_way(linpred__run *run, const linpred__problem *problem, const double *w, double b,
                                      linpred__three_way *answer, linpred_error *error);

#endif
