/* The distinct rows for a search for the fewest mistakes. Rows with equal values and label become one row, whose cost
 * is the sum of their costs.
 *
 * A mistake on row i costs weight_i times the cost of its label. Costs become whole multiples of a unit in one of three
 * ways. If weights and costs are integers, halves and the like, the multiples are exact. If they are decimals such as
 * 0.1, or multiples of the smallest cost, they are rounded to the nearest. Otherwise they are rounded down, by less
 * than 2^-49 of the total.
 */
#ifndef LINPRED_SEPARATE_FEWEST_ERRORS_DISTINCT_ROWS_H
#define LINPRED_SEPARATE_FEWEST_ERRORS_DISTINCT_ROWS_H

#include "core/threads.h"
#include "data/data.h"

typedef struct linpred__distinct {
    int64_t rows;   /* the number of distinct rows */
    int64_t *row;   /* for each distinct row its first data row, ascending */
    int64_t *cost;  /* the cost of each distinct row, in units */
    int64_t *place; /* for each data row the number of its distinct row */
    double unit;    /* what one unit costs */
    enum { LINPRED__WHOLE_UNITS, LINPRED__DECIMAL_UNITS, LINPRED__ROUNDED_DOWN } kind; /* the way of the three above */
    double total;         /* the sum of all costs, not rounded */
    double min_cost;      /* the smallest cost of a data row, not rounded */
    int64_t min_cost_row; /* a data row with this cost */
} linpred__distinct;

linpred_status linpred__find_distinct(const linpred_data *data, linpred__pool *pool, const double class_cost[2],
                                      linpred__distinct *distinct, linpred_error *error);
void linpred__distinct_clear(linpred__distinct *distinct);

/* Fails if the costs overflow, or are so unequal that the smallest is lost beside the total. */
linpred_status linpred__check_costs(const linpred__distinct *distinct, const linpred_data *data, linpred_error *error);

/* Turns a lower bound in units into a lower bound of costs. The result is `cost`, that of the best halfspace, if the
   bound reaches it. Then *optimal is set. It is also set if the search is done and the difference is within the
   relative error of linear programs, LINPRED__COST_TOLERANCE. */
double linpred__bound_reached(const linpred__distinct *distinct, int64_t units, double cost, bool done, bool *optimal);

/* Reads the option --cost, "A:B": the costs of mistakes on rows labelled -1 and +1. NULL gives 1 and 1. */
linpred_status linpred__read_mistake_costs(const char *text, double class_cost[2], linpred_error *error);

#endif
