/* The line search: how far to go along a step of Newton's method. */
#ifndef LINPRED_MINIMISE_LINE_SEARCH_H
#define LINPRED_MINIMISE_LINE_SEARCH_H

#include "minimise/logistic_problem.h"

/* A sample of the rows of each class, and scratch for them. Arrays have one number for each row of the sample. */
typedef struct linpred__line_search {
    int32_t rows;
    int64_t *row;           /* their numbers in the data */
    double *values;         /* of the rows, if those of the data are dense and lie in a file; else NULL */
    linpred__block kept;    /* the rows as a block, with `values` */
    double class_weight[2]; /* factors that turn sums over these rows into estimated means over all rows */
    double *target;
    double *weight;
    double *z;      /* scores at v */
    double *change; /* the change of the scores by the whole step */
    double *trial;  /* scores at v + t step */
    double *loss;
    double *derivative;
    double *curvature;
    double *w; /* coefficients in the units of the data, dimension long */
} linpred__line_search;

/* False: out of memory. */
bool linpred__line_search_open(const linpred__logistic_problem *problem, linpred__line_search *line);
void linpred__line_search_close(linpred__line_search *line);
/* Returns an estimate of the t that minimises F(v + t step); *curvature is the mean curvature of the rows there.
   `slope` is -<gradient, step> at v; it must be positive. */
double linpred__line_search_step(const linpred__line_search *line, const linpred__logistic_problem *problem,
                                 const double *v, const double *step, double slope, double *curvature);

#endif
