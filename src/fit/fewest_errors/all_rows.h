/* What a halfspace costs on all distinct rows: one of doubles by certified signs, one of integers exactly. */
#ifndef LINPRED_FIT_FEWEST_ERRORS_ALL_ROWS_H
#define LINPRED_FIT_FEWEST_ERRORS_ALL_ROWS_H

#include "num/integers.h"
#include "pass/problem.h"
#include "separate/fewest_errors/distinct_rows.h"

/* The cost of the mistakes of w, the intercept last, in units of distinct->unit. wrong[k], unless it is NULL, says
   whether distinct row k is one. */
linpred_status linpred__cost_of_doubles(const linpred__problem *problem, const linpred__distinct *distinct,
                                        const double *w, bool *wrong, int64_t *cost, linpred_error *error);

/* What integers cost, and whether there are doubles that are right on all rows on which the integers are. */
typedef struct linpred__integers_tried {
    int64_t cost;
    bool rounded;
} linpred__integers_tried;

/* The same for integers. `w` becomes the doubles; if there are none, doubles near the integers. */
linpred_status linpred__cost_of_integers(const linpred__problem *problem, const linpred__distinct *distinct,
                                         const linpred__integers *integers, bool *wrong, double *w,
                                         linpred__integers_tried *tried, linpred_error *error);

/* What these mistakes cost by the weights of the rows. The costs of `distinct` may be rounded. */
double linpred__cost_of_wrong(const linpred_data *data, const linpred__distinct *distinct, const double class_cost[2],
                              const bool *wrong);

#endif
