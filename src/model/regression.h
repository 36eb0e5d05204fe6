/* What a regression keeps beside its coefficients: how good they are, and what its certificate rests on.
 *
 * Vectors have an entry for each coefficient, the intercept last: width = terms + intercept. With X the rows (powers
 * plain, 1 for the intercept) and V the row weights, `factor` S has S'(X'VX + penalty)S = I, so that S S' is the
 * (pseudo-)inverse: standard errors, intervals of prediction and the verifier's bounds all come from it. It is kept in
 * the basis, where its products with rows keep their digits.
 */
#ifndef LINPRED_MODEL_REGRESSION_H
#define LINPRED_MODEL_REGRESSION_H

#include "model/basis.h"

enum { LINPRED__FACTOR_MOST = 300 }; /* columns for which S is kept */

typedef struct linpred__regression {
    linpred_loss loss;
    double quantile;
    double l2;
    double residual_sd;        /* as in info; NaN: no standard errors */
    double degrees_of_freedom; /* total weight - rank; NaN: not known */
    int32_t width;
    double *tail;                    /* coefficient + tail is right beyond the precision of doubles */
    double *standard_error;          /* NaN: not known, or not estimable */
    double *error_bound;             /* by the verifier, NaN: unknown; not stored */
    linpred__polynomial_basis basis; /* of the polynomials; no polynomials: the columns */
    double *basis_weight;            /* coefficients in the basis: what predict uses where there are polynomials, */
    double *basis_tail;              /* with this part beyond the precision of doubles */
    int32_t rank;                    /* -1: not determined */
    double *factor;                  /* S in the basis, width x rank by rows; NULL: not kept */
    int32_t dependencies;
    double *dependency;       /* N, dependencies x width by rows: X n = 0 to rounding */
    bool *exact;              /* of each, whether X n = 0 without any rounding; powers are not tried */
    double *basis_dependency; /* N in the basis; NULL: the basis is that of the columns, or this is not squared loss */
    char **sentence;          /* the same in words, made when asked for the first time it is known */
} linpred__regression;

/* An empty one for so many terms; NULL: out of memory. */
linpred__regression *linpred__regression_new(const linpred__recipe *recipe, bool has_intercept);
void linpred__regression_free(linpred__regression *regression);
/* Makes room for S and for N; false if out of memory. */
bool linpred__regression_factor(linpred__regression *regression, int32_t rank);
bool linpred__regression_dependencies(linpred__regression *regression, int32_t count);
bool linpred__regression_basis_dependencies(
    linpred__regression *regression); /* after those, where there are polynomials */
/* Writes the sentences from N; false if out of memory. */
bool linpred__regression_write_sentences(linpred__regression *regression, const linpred__recipe *recipe);

#endif
