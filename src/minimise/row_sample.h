/* Samples of the rows: one on which a method gets near the minimum at a fraction of the cost, and one from which a
 * rough Hessian of sparse rows is made. */
#ifndef LINPRED_MINIMISE_ROW_SAMPLE_H
#define LINPRED_MINIMISE_ROW_SAMPLE_H

#include "minimise/logistic_problem.h"

typedef struct linpred__row_sample {
    linpred_data data; /* a view of the problem's data */
    double weight;     /* Σ c_i of its rows: weight times class weight */
    double *values;    /* of its rows, if the problem's lie in a file and these fit into memory; else NULL */
} linpred__row_sample;

/* Takes about one row in `every`: the first rows of blocks all over the file, so that a sorted file is sampled evenly.
   Returns false if the sample has one class only, or if memory runs out. */
bool linpred__row_sample_open(const linpred__logistic_problem *problem, int64_t every, linpred__row_sample *sample);
void linpred__row_sample_close(linpred__row_sample *sample);

/* ---- a rough Hessian of sparse rows ------------------------------------------------------------------------------ */

/* Whether a sampled Hessian is worth it: it needs at most a third of the rows. */
bool linpred__hessian_sample_pays(const linpred__logistic_problem *problem);
/* Computes problem->leverage, which the sample needs, in two passes, unless it is known. */
linpred_status linpred__logistic_measure_leverage(linpred__logistic_problem *problem, linpred_error *error);
/* Samples the rows of a block. The curvatures of rows that are left out become 0; those of rows that represent others
   are increased. `mean` is the expected mean curvature of all rows. */
void linpred__hessian_sample(const linpred__logistic_problem *problem, const linpred__block *block, double mean,
                             double *curvature);

#endif
