/* The intercept of given weights that costs least: one sort of the scores <w,x>.
 *
 * With the scores in ascending order, moving the threshold over a row labelled +1 adds its cost, over one labelled -1
 * takes its cost away. Running sums give the cost of every threshold between two neighbours.
 */
#ifndef LINPRED_SEPARATE_FEWEST_ERRORS_THRESHOLD_H
#define LINPRED_SEPARATE_FEWEST_ERRORS_THRESHOLD_H

#include "core/run.h"
#include "pass/problem.h"

/* Sets *b to the middle of the widest gap between scores whose threshold costs least, as far as rounding can tell. A
   mistake on a row costs its weight times class_cost of its label, -1 first. If scores are not finite, *b is left. */
linpred_status linpred__find_threshold(linpred__run *run, const linpred__problem *problem, const double class_cost[2],
                                       const double *w, double *b, linpred_error *error);

#endif
