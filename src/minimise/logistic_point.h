/* A point v of the logistic problem, F with its derivatives there, and the gap that a penalty proves. */
#ifndef LINPRED_MINIMISE_LOGISTIC_POINT_H
#define LINPRED_MINIMISE_LOGISTIC_POINT_H

#include "minimise/row_sample.h"

typedef struct linpred__logistic_point {
    double *v; /* dimension long */
    double objective;
    double *gradient;
    double *hessian;         /* dimension x dimension; NULL: not wanted */
    double errors;           /* weight of the rows with y(<w,x>+b) <= 0 as computed, without class weights */
    int64_t unsure;          /* rows whose sign rounding may have changed */
    double mean_score[2];    /* the mean score of each class */
    double curvature;        /* the mean curvature of the rows: the second derivative of F by the intercept. Before an
                                evaluation it is an estimate, which LINPRED__HESSIAN_SAMPLED uses. */
    double decrement;        /* ν² = g' H^-1 g, by the factor of H that was used last; NaN: not known */
    double *step;            /* conjugate gradients: the last step taken */
    double max_score_change; /* conjugate gradients: the largest change of a score by that step */
} linpred__logistic_point;

/* Sets v = 0 and evaluates nothing. Returns false if memory runs out. */
bool linpred__logistic_point_open(const linpred__logistic_problem *problem, bool hessian,
                                  linpred__logistic_point *point);
void linpred__logistic_point_close(linpred__logistic_point *point);

/* Which Hessian a pass makes. */
typedef enum linpred__hessian {
    LINPRED__HESSIAN_NONE,
    LINPRED__HESSIAN_WHOLE,  /* of all rows of the pass */
    LINPRED__HESSIAN_SAMPLED /* an estimate from few rows (row_sample.h) */
} linpred__hessian;

/* Evaluates F and its derivatives at point->v in one pass over the sample (NULL: over all rows). */
linpred_status linpred__logistic_evaluate(linpred__logistic_problem *problem, const linpred__row_sample *sample,
                                          linpred__hessian hessian, linpred__logistic_point *point,
                                          linpred_error *error);

/* Moves the point to the start of the terms, or to 0 if F at the start is not below F(0). A start may be a halfspace
   with weights of any scale. If they make all scores large, the curvature is almost 0 and no useful step exists. */
linpred_status linpred__logistic_begin(linpred__logistic_problem *problem, linpred__logistic_point *point,
                                       linpred_error *error);

/* An upper bound of F(v) - min F for l2 > 0. It needs the gradient but no Hessian. */
double linpred__penalised_gap(const linpred__logistic_problem *problem, const linpred__logistic_point *point);

#endif
