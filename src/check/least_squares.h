/* Checking least squares: what its files share. */
#ifndef LINPRED_CHECK_LEAST_SQUARES_H
#define LINPRED_CHECK_LEAST_SQUARES_H

#include "num/dd.h"
#include "core/threads.h"
#include "model/model.h"

enum { LINPRED__CHECK_MOST = 1500 }; /* columns for which a matrix is kept for each lane of a pass */

typedef struct linpred__squares_check {
    const linpred_data *data;
    linpred__pool *pool;
    const linpred__regression *regression;
    linpred__polynomial_basis powers; /* the coordinates of a row: linpred__check_coordinates */
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
    bool own;              /* the certificate has none, this one was made here */
    linpred__dd *gram;     /* p x p */
    linpred__dd *gradient; /* p */
    double *size;          /* with `doubt`: bounds the rounding of the gradient (linpred__residual) */
    double doubt;
    linpred__dd squares;
    double center;    /* the mean of y, without intercept 0 */
    double around;    /* Σ weight (y - center)² */
    double total;     /* Σ weight y² */
    double absolute;  /* Σ weight |r| */
    double *rational; /* whole-numbered vectors that span about what the dependencies do: dependencies x p */
} linpred__squares_check;

/* What the rows say of the dependencies. */
typedef struct linpred__squares_null {
    double worst;     /* the largest |<x,n>| / Σ|x_j n_j| of any row and dependency */
    bool exact;       /* X n = 0 without any rounding, for each dependency or a whole-numbered one beside it */
    bool independent; /* of each other, for sure */
} linpred__squares_null;

/* least_squares_null.c. `rational` is made; then for each row: whether <x,n> = 0 without rounding, n one of the
   dependencies as stated (bit 1 of what is answered if not) and as whole numbers (bit 2). `room` is 2 p long. */
bool linpred__squares_check_open_null(linpred__squares_check *check); /* false: out of memory */
unsigned linpred__squares_check_broken(const linpred__squares_check *check, const linpred__block *block, int32_t r,
                                       int32_t k, double *room);

/* A row in the check's units, leading and trailing parts; fits linpred__residual.expand with the check as context. */
void linpred__squares_check_row(const void *check, const linpred__block *block, int32_t r, double *hi, double *lo);

/* The Gram matrix (with the penalty) in one pass, and what the rows say of the dependencies. */
linpred_status linpred__squares_check_gram(linpred__squares_check *check, linpred__squares_null *null,
                                           linpred_error *error);

/* Where the certificate holds no S: one from the Gram matrix. None is no error. */
linpred_status linpred__squares_check_make_factor(linpred__squares_check *check, linpred_error *error);

typedef struct linpred__squares_bounds {
    double distance;  /* ||S'g||, at most, */
    double certain;   /* and at least */
    double departure; /* δ = ||I - S'GS|| */
    double measured;  /* δ without what rounding may have added */
    double reach;     /* Σ_k (Σ_j ||x_j|| |S_jk|)²: about the square of the condition */
} linpred__squares_bounds;

/* What the rounding of rows may be of the scores, over all of them. */
double linpred__squares_check_scores_off(const linpred__squares_check *check);

/* From the Gram matrix, S and the gradient; both with all that rounding may have added. */
linpred_status linpred__squares_check_bounds(const linpred__squares_check *check, linpred__squares_bounds *bounds,
                                             linpred_error *error);

#endif
