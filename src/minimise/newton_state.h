/* The state of Newton's method with factors: its point, its factor, its columns. */
#ifndef LINPRED_MINIMISE_NEWTON_STATE_H
#define LINPRED_MINIMISE_NEWTON_STATE_H

#include "minimise/line_search.h"
#include "minimise/logistic_point.h"
#include "solve/dense/cholesky.h"

/* Where a factor of the Hessian comes from. */
typedef enum linpred__factor_origin {
    LINPRED__FACTOR_NONE,
    LINPRED__FACTOR_OF_SAMPLE, /* from a sample of the rows, at an earlier point */
    LINPRED__FACTOR_NEAR,      /* from all rows at an earlier point, or with a ridge, or of a sampled Hessian */
    LINPRED__FACTOR_FRESH      /* from all rows at the point itself */
} linpred__factor_origin;

typedef struct linpred__newton {
    linpred__logistic_problem *problem;
    linpred__logistic_point point;
    bool evaluated;        /* objective and gradient at `point` are over all rows */
    bool costly_hessian;   /* a Hessian costs enough to be used for several steps */
    bool samples_hessians; /* Hessians far from the minimum are sampled. That is for sparse rows without a start, and
                              ends if a sampled Hessian proves too rough. */
    linpred__line_search line;
    double *step; /* dimension long, then scratch of the same length */

    /* the factor L */
    linpred__cholesky cholesky; /* of the Hessian on the kept columns */
    linpred__factor_origin factor;
    double *factor_at;   /* v where the factor was made */
    double factor_share; /* the share in W of the rows it was made from; 0 if H is not bounded by it */
    double *inverse;     /* the diagonal of (L L')^-1; NULL: not computed yet */

    /* columns */
    int32_t rank;
    int32_t *kept;  /* the independent columns, `rank` of them; coefficients of the others stay 0 */
    double *square; /* if l2 = 0: the diagonal of the Hessian at v = 0, or NaN if it is not known */
    double *gram;   /* the Hessian at v = 0 if l2 = 0 and columns are dependent; else NULL */
} linpred__newton;

#endif
