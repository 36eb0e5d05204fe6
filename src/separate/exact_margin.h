/* The largest margin of few rows in rationals, where doubles cannot find it or hold its weights.
 *
 *     minimise ‖ω‖²   subject to   <ω,z> >= 1 on all rows,   ω = Σ α z
 *
 * in rationals (solve/least_distance/rational.h). ω is rounded to doubles with tails, and α to integers.
 */
#ifndef LINPRED_SEPARATE_EXACT_MARGIN_H
#define LINPRED_SEPARATE_EXACT_MARGIN_H

#include "separate/largest_margin.h"

/* Whether rows are few enough. */
bool linpred__has_exact_margin(const linpred_data *data, bool has_intercept);

/* The margin in the homogeneous form, or through the origin. *found: the rounded weights have the largest margin,
   within LINPRED__MARGIN_GAP_MAX; `answer` is then theirs, with tails. */
linpred_status linpred__ask_exact_margin(const linpred__problem *problem, linpred__largest_margin *answer, bool *found,
                                         linpred_error *error);

#endif
