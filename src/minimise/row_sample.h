/* Some of the rows, standing for all: a sample on which a method gets near the minimum at a fraction of the cost. */
#ifndef LINPRED_MINIMISE_ROW_SAMPLE_H
#define LINPRED_MINIMISE_ROW_SAMPLE_H

#include "minimise/logistic_problem.h"

typedef struct linpred__row_sample {
    linpred_data data; /* a view of the problem's data */
    double weight;     /* of its rows, class weights counted */
} linpred__row_sample;

/* About one row in `every`: the first rows of blocks all over the file, so that a sorted file is sampled evenly. False:
   the sample has one class only, or there is no memory. */
bool linpred__row_sample_open(const linpred__logistic *problem, int64_t every, linpred__row_sample *sample);
void linpred__row_sample_close(linpred__row_sample *sample);

#endif
