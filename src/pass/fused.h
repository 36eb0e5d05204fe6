/* The workhorse of the smooth learners: one trip over the rows for everything a step needs.
 *
 * Per block  z = X_b w + b,  then the learner's row function turns (z, y, weight) into each row's loss, its derivative
 * r and curvature D, then  g += X_b' r  and, if asked,  H += X_b' D X_b  and  p += X_b' D X_b v. With an intercept the
 * coordinate 1 stands behind the features in g, H, p and v; it is never stored in X.
 *
 * With `center` c the sums are over x - c instead of x, each difference rounded once: where a column lies far from zero
 * for its spread, H over x itself would lose that spread to rounding. z = X_b w + b all the same.
 */
#ifndef LINPRED_PASS_FUSED_H
#define LINPRED_PASS_FUSED_H

#include "num/dd.h"
#include "core/threads.h"
#include "data/data.h"

/* For `rows` rows: loss, first derivative r and second derivative (curvature, >= 0) by z, weights multiplied in. */
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
    const double *center;    /* columns long; NULL: 0. Of dense rows, without `direction`. */
    /* out; those that are NULL are not computed. Length D = columns + has_intercept. */
    double *gradient;
    double *hessian; /* D x D, both triangles */
    double *product; /* X'DXv */
    linpred__dd loss;
} linpred__fused;

linpred_status linpred__fused_pass(const linpred_data *data, linpred__pool *pool, linpred__fused *fused,
                                   linpred_error *error);
/* An entry of the Hessian of a pass over this data has at most so many terms one after another. */
double linpred__fused_chain(const linpred_data *data);

#endif
