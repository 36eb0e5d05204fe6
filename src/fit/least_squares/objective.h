/* The objective of least squares in the coordinates and units of the design, and its solution.
 *
 *   minimise  Σ v (y - <x, w>)² + κ ||T w||²,   κ = l2 · W / 2
 *
 * v are the weights of the rows, W is their sum. T maps w to the coefficients of plain powers in the user's units,
 * without the intercept. So the objective is W times (mean squared error + l2/2 ||T w||²).
 */
#ifndef LINPRED_FIT_LEAST_SQUARES_OBJECTIVE_H
#define LINPRED_FIT_LEAST_SQUARES_OBJECTIVE_H

#include "fit/design.h"

typedef struct linpred__squares_objective {
    linpred__design design;
    bool drop;        /* columns that depend on those before them are dropped, instead of the least norm */
    bool as_is;       /* columns count as independent unless they depend on others to the last digit of double-double */
    double penalty;   /* κ */
    linpred__dd *map; /* T, terms x width by rows; NULL: no penalty, or T is the diagonal 2^-exponent of the design */
} linpred__squares_objective;

void linpred__squares_objective_clear(linpred__squares_objective *objective);

/* Sets κ. The total weight of the design must be known. */
void linpred__squares_set_penalty(linpred__squares_objective *objective, double l2);
/* Makes T if there is a penalty. The polynomials of the design must be found. False: out of memory. */
bool linpred__squares_make_map(linpred__squares_objective *objective);

/* A solution w, and what else the way of solving found: a factor S and dependencies N with
 *   S'(X'VX + κT'T)S = I,   X n = 0 for every row n of N.   p is the width. */
typedef struct linpred__squares_solution {
    linpred_method method;
    bool in_double_double; /* solved in double-double throughout */
    linpred__dd *w;        /* p */
    int32_t rank;          /* -1: not determined */
    linpred__dd *factor;   /* S, p x rank by rows; NULL: not known */
    int32_t dependencies;
    linpred__dd *null; /* N, dependencies x p by rows */
    double condition;  /* condition number of the columns scaled to one length; NaN: not known */
    double threshold;  /* a column is dependent if others leave less than this part of its length; NaN: not tested */
    double accuracy;   /* refinement: relative error of w; conjugate gradients: |gradient| / |residual| */
    bool converged;    /* false: conjugate gradients ended before the gradient was small */
    int64_t passes;    /* of conjugate gradients; -1: not counted */
    /* Sums over the rows at w, with targets in the unit of the design; linpred__squares_evaluate sets them. */
    linpred__dd squares;  /* Σ v r² */
    linpred__dd absolute; /* Σ v |r| */
    linpred__dd around;   /* Σ v (y - mean)², mean 0 without intercept */
    bool has_fingerprint; /* `fingerprint` is set; the first evaluation does it */
    uint64_t fingerprint; /* of the data */
} linpred__squares_solution;

/* w = 0, nothing known. False: out of memory. */
bool linpred__squares_solution_open(linpred__squares_solution *solution, int32_t width);
void linpred__squares_solution_clear(linpred__squares_solution *solution);
/* Allocates S, all zero, and sets the rank. False: out of memory. */
bool linpred__squares_solution_factor(linpred__squares_solution *solution, int32_t width, int32_t rank);

/* One pass: sets the sums at w and, unless it is NULL, g = X'V(y - Xw) - κT'Tw, minus half the gradient. */
linpred_status linpred__squares_evaluate(const linpred__squares_objective *objective,
                                         linpred__squares_solution *solution, linpred__dd *g, linpred_error *error);

/* Repeats w <- w + S S' g until w no longer changes. Sets `accuracy` to the relative error of w. */
linpred_status linpred__squares_refine(const linpred__squares_objective *objective, double contraction,
                                       linpred__squares_solution *solution, linpred_error *error);

#endif
