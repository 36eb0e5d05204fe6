/* Null vectors: vectors n with <n,(x,1)> = 0 in every row, with an entry for each coefficient, the intercept last.
 *
 * With k independent null vectors the rank of the columns is at most width - k. The predictor does not change along a
 * null vector, so coefficients (w,b) of least ||w|| have n'w = 0, where the intercept counts neither in n nor in w.
 */
#ifndef LINPRED_CHECK_NULL_VECTORS_H
#define LINPRED_CHECK_NULL_VECTORS_H

#include "core/threads.h"
#include "model/model.h"

typedef struct linpred__null_vectors {
    int32_t count;
    int32_t width;
    const double *vector; /* count x width by rows */
    bool drop;            /* the last column of each vector is said to be dropped; false: the least norm is claimed */
} linpred__null_vectors;

/* The last of the columns that vector k has a part in. */
int32_t linpred__null_last(const linpred__null_vectors *vectors, int32_t k, int32_t columns);
/* Whether a coefficient can be estimated: if columns are dropped, all but theirs; else those that no vector has a part
   in. */
bool linpred__null_estimable(const linpred__null_vectors *vectors, int32_t columns, int32_t coefficient);

/* rows.c. Sets worst[k] to the largest |<n_k,(x,1)>| / Σ|n_kj x_j| of any row. It is 0 only if the product is exactly 0
   in every row. apart[k] is the same for the lengths of both over all rows, with or without their
   weights, whichever is less; NULL: not wanted. */
linpred_status linpred__null_residuals(const linpred_data *data, linpred__pool *pool, bool has_intercept,
                                       const linpred__null_vectors *vectors, double *worst, double *apart,
                                       linpred_error *error);

/* rows.c: what was found of the dependencies of a regression without powers. */
typedef struct linpred__null_finding {
    bool seen;        /* the vectors were tested on the rows */
    bool as_stated;   /* those that are said to hold exactly do */
    bool exact;       /* all hold exactly */
    bool independent; /* they are certainly independent of each other */
    double worst;     /* the largest |<n,(x,1)>| / Σ|n_j x_j| of any row */
    double apart;     /* the same for the lengths over all rows */
} linpred__null_finding;

linpred_status linpred__measure_null(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                     linpred__null_finding *finding, linpred_error *error);

/* Gauss-Jordan elimination on `a` (count x p by rows), which is overwritten. `inverse` (count x count) must be I; it
   becomes about the inverse of the columns `pivot` of `a`. The pivot of row k is the j with the largest |a_j| scale_j;
   scale NULL: all 1. */
bool linpred__null_eliminate(double *a, size_t count, size_t p, const double *scale, double *inverse, size_t *pivot);

/* Returns 1 if the vectors (count x p by rows) are certainly independent, 0 if that is not certain, -1 if memory runs
   out. `pivot` gets `count` columns in which they are independent; NULL: not wanted. */
int linpred__null_independent(const double *vectors, size_t count, size_t p, const double *scale, size_t *pivot);

/* How far the coefficients are from those that are claimed. Dropped columns: 0 if each vector ends in a column of its
   own, in which no other vector has a part and whose coefficient is 0; else INFINITY. So a dropped column depends on
   kept ones before it.
   Least norm: the largest |n'w| / (||n|| ||w||) of the vectors, the intercept left out. If `extent` (the largest |x_j|)
   is given, Σ |n_j| / extent_j is added to the denominator: if w is 0 up to rounding, n'w is about 1e-16 of that sum.
 */
double linpred__null_norm_left(const linpred_model *model, const linpred__null_vectors *vectors, const double *extent);

#endif
