/* The rows of a 0-1 problem: equal rows (values and label) are one row that costs what all of them cost.
 *
 * A mistake on row i costs weight_i times the cost of its label. Costs become whole multiples of a unit: exactly where
 * weights and costs allow it (integers, halves, …), to the last digits where they are decimals or multiples of the
 * least, rounded down otherwise, by less than 2^-49 of all costs together.
 */
#ifndef LINPRED_SEPARATE_FEWEST_ERRORS_DISTINCT_ROWS_H
#define LINPRED_SEPARATE_FEWEST_ERRORS_DISTINCT_ROWS_H

#include "core/threads.h"
#include "data/data.h"

typedef struct linpred__distinct {
    int64_t rows;   /* distinct ones */
    int64_t *row;   /* the first data row of each, ascending */
    int64_t *cost;  /* in units */
    int64_t *place; /* of every data row: its distinct row */
    double unit;
    enum { LINPRED__WHOLE_UNITS, LINPRED__DECIMAL_UNITS, LINPRED__ROUNDED_DOWN } kind;
    double total;         /* of all costs, not rounded */
    double min_cost;      /* the least cost of a row, not rounded */
    int64_t min_cost_row; /* a row that has it */
} linpred__distinct;

linpred_status linpred__find_distinct(const linpred_data *data, linpred__pool *pool, const double class_cost[2],
                                      linpred__distinct *distinct, linpred_error *error);
void linpred__distinct_clear(linpred__distinct *distinct);

/* Refuses costs that units cannot tell apart, or that overflow. */
linpred_status linpred__check_costs(const linpred__distinct *distinct, const linpred_data *data, linpred_error *error);

/* What a bound of so many units says of a halfspace that costs `cost`: the bound, `cost` itself where they meet.
   *optimal: they do, or the search is done and what is left is within the last digits that linear programs have
   (LINPRED__COST_TOLERANCE). */
double linpred__bound_reached(const linpred__distinct *distinct, int64_t units, double cost, bool done, bool *optimal);

/* "A:B": what a mistake costs on a row labelled -1 and on one labelled +1. NULL: 1 and 1. */
linpred_status linpred__read_mistake_costs(const char *text, double class_cost[2], linpred_error *error);

#endif
