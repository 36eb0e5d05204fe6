/* The ranges of the columns (problem.h), by a visitor of the rows. */
#ifndef LINPRED_PASS_COLUMN_RANGES_H
#define LINPRED_PASS_COLUMN_RANGES_H

#include "data/tree.h"
#include "pass/problem.h"

/* A visitor whose state is a linpred__ranges. */
linpred__visitor linpred__ranges_visitor(const linpred_data *data);
void linpred__ranges_clear(linpred__ranges *ranges);

/* The smallest and the largest value of column j among the rows of label k (0: -1, 1: +1), the zeros of sparse rows
   included. +∞ and -∞ if no row has the label. */
double linpred__ranges_min(const linpred__ranges *ranges, int k, int32_t j);
double linpred__ranges_max(const linpred__ranges *ranges, int k, int32_t j);

#endif
