/* A sample of the rows, on which a method gets near the minimum at a fraction of the cost. */
#ifndef LINPRED_MINIMISE_ROW_SAMPLE_H
#define LINPRED_MINIMISE_ROW_SAMPLE_H

#include "minimise/logistic_problem.h"

typedef struct linpred__row_sample {
    linpred_data data; /* a view of the problem's data */
    double weight;     /* Σ c_i of its rows: weight times class weight */
} linpred__row_sample;

/* Takes about one row in `every`: the first rows of blocks all over the file, so that a sorted file is sampled evenly.
   Returns false if the sample has one class only, or if memory runs out. */
bool linpred__row_sample_open(const linpred__logistic_problem *problem, int64_t every, linpred__row_sample *sample);
void linpred__row_sample_close(linpred__row_sample *sample);

#endif
