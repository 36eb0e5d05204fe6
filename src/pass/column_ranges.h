/* The least and the greatest value of each column among the rows of each label. */
#ifndef LINPRED_PASS_COLUMN_RANGES_H
#define LINPRED_PASS_COLUMN_RANGES_H

#include "data/tree.h"

typedef struct linpred__ranges {
    int64_t rows[2];  /* labelled -1 and +1 */
    double *least[2]; /* of each column, over the entries; NULL: not asked for */
    double *greatest[2];
    int64_t *entries[2]; /* of each column; NULL: dense rows */
} linpred__ranges;

/* The visitor that finds them; its total is a linpred__ranges. */
linpred__visitor linpred__ranges_visitor(const linpred_data *data);
void linpred__ranges_clear(linpred__ranges *ranges);

/* Of label k (0: -1, 1: +1) and column j; where a sparse row has no entry it has a zero. Infinite if no row has the
 * label. */
double linpred__ranges_least(const linpred__ranges *ranges, int k, int32_t j);
double linpred__ranges_greatest(const linpred__ranges *ranges, int k, int32_t j);

#endif
