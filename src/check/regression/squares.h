/* What the files that measure a least-squares fit share. squares.c gives the argument. */
#ifndef LINPRED_CHECK_REGRESSION_SQUARES_H
#define LINPRED_CHECK_REGRESSION_SQUARES_H

#include "core/threads.h"
#include "data/tree.h"
#include "model/model.h"
#include "num/dd.h"

typedef struct linpred__squares_problem {
    const linpred_model *model;
    const linpred_data *data;
    linpred__pool *pool;
    const linpred__regression *regression;
    linpred__polynomial_basis powers; /* the coordinates in which the fit is judged (linpred__judged_coordinates) */
    bool in_basis;                    /* these coordinates are the polynomials of the fit, not plain powers */
    double *w;                        /* coefficients in these coordinates and in the units below: leading parts, then
                                         trailing parts */
    double *row_error;   /* for each coordinate sqrt(Σ weight e²), where e bounds its rounding error in a row */
    size_t p;            /* the number of coordinates */
    bool plain;          /* the rows are those of the data: there are no powers, and all exponents are 0 */
    linpred__cut cut;    /* how the pass cuts the rows */
    bool careful;        /* the Gram matrix is summed in double-double */
    int *exponent;       /* coordinate j is multiplied by 2^exponent_j, so that its length is about 1/||row j of S|| */
    int target_exponent; /* targets are multiplied by 2^-target_exponent */
    linpred__dd penalty; /* κ */
    double weight;       /* Σ weight */
    size_t rank;         /* the number of columns of S */
    double *factor;      /* S, p x rank by rows; NULL: there is none */
    bool own;            /* S was made by the checker, because the model has none */
    linpred__dd *gram;   /* G = X'VX + κI, p x p */
    linpred__dd *gradient; /* g = X'V(y - Xw) - κw, p long */
    double *size; /* 2 p long: Σ weight |x_j| |r|, then Σ weight |x_j| A, A = |y| + Σ_k |x_k w_k|; with `doubt` they
                     bound the rounding of g */
    double doubt; /* Σ weight A², where the rounding error of a residual is about A 2^-104 */
    linpred__dd squares; /* Σ weight r² */
    double centre;       /* the mean of y, or 0 without intercept */
    double around;       /* Σ weight (y - centre)² */
    double total;        /* Σ weight y² */
    double absolute;     /* Σ weight |r| */
    double *rational;    /* vectors of whole numbers that span about the same as the dependencies, dependencies x p */
} linpred__squares_problem;

/* How well the dependencies hold in the rows. */
typedef struct linpred__squares_null {
    double worst;     /* the largest |<x,n>| / Σ|x_j n_j| of any row and dependency */
    bool exact;       /* X n = 0 in exact arithmetic, for the dependencies as stated or in whole numbers */
    bool independent; /* the dependencies are certainly independent of each other */
} linpred__squares_null;

/* squares_null.c. The first function makes `rational`. The second tests in exact arithmetic whether <x,n> = 0 in a row.
   The result has bit 1 set if that fails for dependency k as stated, and bit 2 if it fails for the one in whole
   numbers. `buffer` is 2 p long. */
bool linpred__squares_open_null(linpred__squares_problem *squares); /* false: out of memory */
unsigned linpred__squares_broken(const linpred__squares_problem *squares, const linpred__block *block, int32_t r,
                                 int32_t k, double *buffer);

/* Writes a row in the units of the problem, leading and trailing parts. */
void linpred__squares_row(const linpred__squares_problem *squares, const linpred__block *block, int32_t r, double *hi,
                          double *lo);

/* squares_gradient.c: g at the coefficients, the sums of residuals, and those that bound their rounding. The second
   function takes them from the state of the pass. */
linpred__visitor linpred__gradient_visitor(linpred__squares_problem *squares);
void linpred__take_gradient(linpred__squares_problem *squares, const void *state);

/* squares_gram.c: the Gram matrix, with the penalty, and a test of the dependencies. The second function takes them
   from the state of the pass; false: out of memory. */
linpred__visitor linpred__gram_visitor(linpred__squares_problem *squares);
bool linpred__take_gram(linpred__squares_problem *squares, void *state, linpred__squares_null *null);

/* squares_bounds.c. Makes S from the Gram matrix for a model without one. If that fails, `factor` stays NULL. */
linpred_status linpred__squares_own_factor(linpred__squares_problem *squares, linpred_error *error);

typedef struct linpred__squares_bounds {
    double distance;  /* ||S'g|| is at most this */
    double certain;   /* ||S'g|| is at least this */
    double departure; /* an upper bound of δ = ||I - S'GS|| */
    double measured;  /* δ as computed, without the bound of its rounding */
    double reach;     /* Σ_k (Σ_j ||x_j|| |S_jk|)², about the square of the condition number */
} linpred__squares_bounds;

/* A bound of sqrt(Σ weight e²) over the rows, where e is the error of a score by the rounding of its row. */
double linpred__squares_scores_off(const linpred__squares_problem *squares);

/* Computes the bounds from the Gram matrix, S and the gradient. They include all rounding of the check. */
linpred_status linpred__squares_find_bounds(const linpred__squares_problem *squares, linpred__squares_bounds *bounds,
                                            linpred_error *error);

#endif
