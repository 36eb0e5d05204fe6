/* The three-way question: are the rows separated, quasi-separated or overlapping? The answer comes with a proof.
 *
 * Rows overlap if no v has <v,z_i> >= 0 on every row and > 0 on some. Exactly then logistic regression has a minimum.
 * Single columns are tried first (separate/one_column.h), then the two-way question is asked (separate/two_way.h). If
 * nothing separates the rows, exact arithmetic on working rows gives one of two answers, which is then tried on all
 * rows:
 *
 *     quasi-separated   an integer direction v for the working rows
 *     overlapping       carriers: rows that span the working rows, with a positive combination that is zero
 *
 * A direction holds if it has the right signs on all rows; rows that refute it join the working rows. Carriers prove
 * that all rows overlap if they span all rows, which they do if they have full rank. Otherwise rows outside of their
 * span join the working rows. If none is found, exact elimination on all rows decides.
 */
#ifndef LINPRED_SEPARATE_THREE_WAY_H
#define LINPRED_SEPARATE_THREE_WAY_H

#include "core/run.h"
#include "separate/answer.h"

/* w, b (w NULL: 0) is a halfspace that is tried first. Rows near its hyperplane are the first working rows. */
linpred_status linpred__ask_three_way(linpred__run *run, const linpred__problem *problem, const double *w, double b,
                                      linpred__three_way *answer, linpred_error *error);

/* settle_all.c. Improves the direction of a quasi-separated answer. answer->carriers becomes the proof for the rows
   that are left; it stays empty if that is too much work, and the direction may then leave rows that another settles.
   If the rows overlap and their carriers do not span the space, they become such a proof for all rows. */
linpred_status linpred__settle_all(linpred__run *run, const linpred__problem *problem, linpred__three_way *answer,
                                   linpred_error *error);

#endif
