/* What Newton's method with factors holds: its point, its factor, its columns. */
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
    linpred__logistic *problem;
    linpred__logistic_point point;
    bool evaluated;        /* objective and gradient at `point` are over all rows */
    bool costly_hessian;   /* a Hessian costs enough to be used for several steps */
    bool samples_hessians; /* far from the minimum Hessians are sampled: sparse rows, no start, and it works so far */
    linpred__line_search line;
    double *step; /* dimension long; as much scratch follows */

    /* the factor L */
    linpred__cholesky cholesky; /* of the Hessian on the kept columns */
    linpred__factor_origin factor;
    double *factor_at;   /* v where the factor was made */
    double factor_share; /* the share in W of the rows it was made from; 0: the factor bounds no Hessian */
    double *inverse;     /* the diagonal of (L L')^-1; NULL: not computed yet */

    /* columns */
    int32_t rank;
    int32_t *kept;  /* the independent columns, `rank` of them; coefficients of the others stay 0 */
    double *square; /* l2 = 0: the diagonal of the Hessian at v = 0; NaN: not known */
    double *gram;   /* the Hessian at v = 0 if columns are dependent; else NULL */
} linpred__newton;

#endif
