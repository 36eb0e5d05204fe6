/* Least squares under way: what its ways of solving share.
 *
 * Minimise Σ weight (y - <row, w>)² + κ ||T w||², κ = λ W/2 with W the total weight (so that it is W times the mean
 * loss plus (λ/2)||w||²), T w the coefficients of plain powers without the intercept. All in the design's coordinates
 * and units.
 */
#ifndef LINPRED_FIT_LEAST_SQUARES_LEAST_SQUARES_H
#define LINPRED_FIT_LEAST_SQUARES_LEAST_SQUARES_H

#include "pass/residual.h"
#include "fit/design.h"
#include "fit/fit.h"

typedef struct linpred__squares {
    linpred__fit *fit;
    linpred__design design;
    int32_t width;       /* p */
    double penalty;      /* κ, in the user's units */
    linpred__dd *map;    /* T, terms x width by rows, in the design's units; NULL if there is no penalty */
    linpred__dd *w;      /* p */
    int32_t rank;        /* -1: not determined */
    linpred__dd *factor; /* S, p x rank by rows: S'(X'VX + κT'T)S = I; NULL: not known */
    int32_t dependencies;
    linpred__dd *null; /* N, dependencies x p by rows */
    double condition;
    double threshold;
    double accuracy; /* about: relative error of w, where it is not that of rounding */
    linpred_method method;
    /* at w, in units of the design's target */
    linpred__dd squares;
    linpred__dd absolute;
    linpred__dd around;
} linpred__squares;

enum { LINPRED__SQUARES_MOST = 1500 }; /* columns for which a square matrix is kept for each lane of a pass */

/* The ways. Each fills w, rank, factor, null, condition, method and the sums. */
linpred_status linpred__squares_small(linpred__squares *squares, linpred_error *error); /* all in double-double */
linpred_status linpred__squares_blocks(linpred__squares *squares,
                                       linpred_error *error); /* Gram matrix, or what follows */
linpred_status linpred__squares_qr(linpred__squares *squares,
                                   linpred_error *error); /* QR in doubles; penalty and map are set */
linpred_status linpred__squares_gradients(linpred__squares *squares, linpred_error *error); /* conjugate gradients */

/* Many rows: they are written out as (1, terms, target) sqrt(weight), p + 1 entries; the intercept first, so that
   columns depend on it rather than it on them. `tail` is scratch, p + 1 long. */
void linpred__squares_write_row(const linpred__squares *squares, const linpred__block *block, int32_t r, double *tail,
                                double *out);
/* Where coordinate j (terms, then the intercept) stands in a written row. */
size_t linpred__squares_place(const linpred__squares *squares, int32_t j);
/* Makes room for S, cleared, and sets the rank; false if out of memory. */
bool linpred__squares_make_factor(linpred__squares *squares, int32_t rank);

/* One pass: the sums at w and, unless NULL, minus half the gradient: X'V(y - Xw) - κT'Tw. */
linpred_status linpred__squares_residual(linpred__squares *squares, linpred__dd *gradient, linpred_error *error);
/* w <- w + S S' g until it stands still; answers the last relative change in `accuracy`. */
linpred_status linpred__squares_refine(linpred__squares *squares, double contraction, linpred_error *error);

/* T w for the j-th term, and its transpose: sum += κ T' u. */
bool linpred__squares_make_map(linpred__squares *squares); /* false: out of memory */

#endif
