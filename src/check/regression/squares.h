/* Measuring a least-squares fit: what its files share. See squares.c for the argument. */
#ifndef LINPRED_CHECK_REGRESSION_SQUARES_H
#define LINPRED_CHECK_REGRESSION_SQUARES_H

#include "core/threads.h"
#include "model/model.h"
#include "num/dd.h"

typedef struct linpred__squares_problem {
    const linpred_model *model;
    const linpred_data *data;
    linpred__pool *pool;
    const linpred__regression *regression;
    linpred__polynomial_basis powers; /* the coordinates of a row: linpred__judged_coordinates */
    bool in_basis;                    /* they are the fit's polynomials */
    double *w;                        /* coefficients in them, leading and trailing parts, in the units below */
    double *row_error; /* of each coordinate, what the rounding of rows may be over all of them: sqrt(Σ weight e²) */
    size_t p;
    bool plain; /* rows as they are: no powers, units that cannot overflow */
    bool careful;
    int *exponent; /* coordinate j is taken times 2^exponent_j, which makes it about as long as 1/||row j of S|| */
    int target_exponent;
    double penalty;
    double weight;
    size_t rank;           /* of S */
    double *factor;        /* S, p x rank by rows; NULL: there is none */
    bool own;              /* S was made here, since the model has none */
    linpred__dd *gram;     /* p x p */
    linpred__dd *gradient; /* p */
    double *size;          /* with `doubt`: bounds the rounding of the gradient (linpred__residual) */
    double doubt;          /* Σ weight A², A 2^-104 being about the rounding error of a residual */
    linpred__dd squares;
    double center;    /* the mean of y, without intercept 0 */
    double around;    /* Σ weight (y - center)² */
    double total;     /* Σ weight y² */
    double absolute;  /* Σ weight |r| */
    double *rational; /* whole-numbered vectors that span about what the dependencies do: dependencies x p */
} linpred__squares_problem;

/* What the rows say of the dependencies. */
typedef struct linpred__squares_null {
    double worst;     /* the largest |<x,n>| / Σ|x_j n_j| of any row and dependency */
    bool exact;       /* X n = 0 without any rounding, for each dependency or a whole-numbered one beside it */
    bool independent; /* of each other, for sure */
} linpred__squares_null;

/* squares_null.c. `rational` is made; then for each row: whether <x,n> = 0 without rounding, n one of the
   dependencies as stated (bit 1 of what is answered if not) and as whole numbers (bit 2). `buffer` is 2 p long. */
bool linpred__squares_open_null(linpred__squares_problem *squares); /* false: out of memory */
unsigned linpred__squares_broken(const linpred__squares_problem *squares, const linpred__block *block, int32_t r,
                                 int32_t k, double *buffer);

/* A row in the units of the problem, leading and trailing parts; fits linpred__residual.expand with the problem as
 * context. */
void linpred__squares_row(const void *squares, const linpred__block *block, int32_t r, double *hi, double *lo);

/* squares_gram.c: the Gram matrix (with the penalty) in one pass, and what the rows say of the dependencies. */
linpred_status linpred__squares_find_gram(linpred__squares_problem *squares, linpred__squares_null *null,
                                          linpred_error *error);

/* squares_bounds.c. Where the model holds no S: one from the Gram matrix. That none comes of it is no error. */
linpred_status linpred__squares_own_factor(linpred__squares_problem *squares, linpred_error *error);

typedef struct linpred__squares_bounds {
    double distance;  /* ||S'g|| is at most this */
    double certain;   /* ||S'g|| is at least this */
    double departure; /* δ = ||I - S'GS|| */
    double measured;  /* δ without what rounding may have added */
    double reach;     /* Σ_k (Σ_j ||x_j|| |S_jk|)²: about the square of the condition */
} linpred__squares_bounds;

/* What the rounding of rows may be of the scores, over all of them. */
double linpred__squares_scores_off(const linpred__squares_problem *squares);

/* From the Gram matrix, S and the gradient; both with all that rounding may have added. */
linpred_status linpred__squares_find_bounds(const linpred__squares_problem *squares, linpred__squares_bounds *bounds,
                                            linpred_error *error);

#endif
