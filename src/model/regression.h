/* What the model of a regression keeps beside its coefficients.
 *
 * Every vector has one entry for each coefficient, the intercept last: width = terms + (1 with an intercept). Let X be
 * the rows in the basis (model/basis.h), V the weights of the rows, κT'T the penalty. The factor S satisfies
 *
 *   S'(X'VX + κT'T)S = I,   so that   S S' = (X'VX + κT'T)^-1   (the pseudo-inverse if columns depend on others).
 *
 * Standard errors, prediction intervals and the checker's bounds all come from S. It is kept in the basis, where its
 * products with rows keep their digits.
 */
#ifndef LINPRED_MODEL_REGRESSION_H
#define LINPRED_MODEL_REGRESSION_H

#include "model/basis.h"
#include "model/dependency.h"

typedef struct linpred__regression {
    linpred_loss loss;
    double quantile;                    /* of absolute loss; 0.5 for squared loss */
    int32_t width;                      /* number of coefficients, the intercept included */
    double *tail;                       /* coefficient + tail is the coefficient in double-double */
    linpred__polynomial_basis basis;    /* without polynomials it is the columns themselves */
    double *basis_weight;               /* coefficients in the basis; prediction uses them if there are polynomials */
    double *basis_tail;                 /* basis_weight + basis_tail is the coefficient in double-double */
    int32_t factor_columns;             /* the number of columns of S; 0: there is none, or it is not kept */
    double *factor;                     /* S, width x factor_columns by rows; NULL: not kept */
    linpred__dependencies dependencies; /* vectors n with X n = 0, in plain powers */
    double *basis_dependency;           /* the same vectors in the basis; NULL: no polynomials, or absolute loss */
} linpred__regression;

/* A regression of squared loss with all coefficients 0. NULL: out of memory. */
linpred__regression *linpred__regression_new(const linpred__recipe *recipe, bool has_intercept);
void linpred__regression_free(linpred__regression *regression);

/* These allocate S, and the dependencies in the basis, all zero. False: out of memory. */
bool linpred__regression_factor(linpred__regression *regression, int32_t columns);
bool linpred__regression_basis_dependencies(linpred__regression *regression); /* after the dependencies */

#endif
