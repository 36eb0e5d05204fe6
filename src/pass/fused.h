/* One pass for all that a step of a smooth learner needs.
 *
 * For each block  z = X_b w + b.  The learner's row function turns (z, y, weight) into the loss of each row, its
 * derivative r and its curvature D. Then  g += X_b' r  and, if asked for,  H += X_b' D X_b  and  p += X_b' D X_b v.
 * With an intercept the coordinate 1 stands behind the features in g, H, p and v; it is not stored in X.
 *
 * With `centre` c, g and H are sums over x - c instead of x, each difference rounded once. If the values of a column
 * are large beside their spread, H over x would lose the spread to rounding. z is X_b w + b in either case.
 */
#ifndef LINPRED_PASS_FUSED_H
#define LINPRED_PASS_FUSED_H

#include "num/dd.h"
#include "data/tree.h"

/* For each row of the block, times its weight: loss, first derivative r and second derivative (curvature >= 0) by z. */
typedef void (*linpred__row_function)(void *context, const linpred__block *block, const double *z, double *loss,
                                      double *r, double *curvature);

typedef struct linpred__fused {
    /* in */
    const double *weights; /* columns long */
    double intercept;
    bool has_intercept;
    linpred__row_function row_function;
    void *context;
    const double *direction; /* v, or NULL */
    const double *centre;    /* columns long; NULL: 0. Only for dense rows and without `direction`. */
    /* out; what is NULL is not computed. D = columns + has_intercept. */
    double *gradient; /* D long */
    double *hessian;  /* D x D, both triangles */
    double *product;  /* X'DXv, D long */
    linpred__dd loss;
} linpred__fused;

linpred_status linpred__fused_pass(const linpred_data *data, linpred__pool *pool, linpred__fused *fused,
                                   linpred_error *error);
/* How its rows are cut. */
linpred__cut linpred__fused_cut(const linpred_data *data, bool hessian);
/* The largest number of additions that a term of an entry of the Hessian takes part in. Bounds on rounding need it. */
double linpred__fused_chain(const linpred_data *data);

#endif
