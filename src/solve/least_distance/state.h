/* The state of a least-distance problem: its rows, its active set, and the factor of the active rows. Only the files of
 * this folder include this header.
 *
 * Units. The rows are stored as z_i = y_i (x_i 2^-k, u). One k for all rows makes the largest |x| 2^-k about 1, so that
 * squares neither overflow nor underflow; powers of two cause no rounding. The vector w here is 2^k times the caller's
 * w. Its last entry belongs to the intercept. There are two cases:
 *  - `bordered` is false: u = 2^-k, the last entry of w is b 2^k, and the intercept is a coordinate like the others.
 *  - `bordered` is true: u = 1, the last entry of w is b, and ||w||² + φ b² is minimised, where ||w|| is the norm of
 * the other entries. φ = 0 for the free intercept, and φ = 2^2k < 1 for homogeneous rows with small x. With u = 2^-k >
 * 1 such rows would be nearly parallel. Optimality means w = Σ α_i z_i in the columns and Σ α_i y_i = φ b.
 */
#ifndef LINPRED_SOLVE_LEAST_DISTANCE_STATE_H
#define LINPRED_SOLVE_LEAST_DISTANCE_STATE_H

#include "solve/least_distance/least_distance.h"
#include "solve/least_distance/triangle.h"

typedef struct linpred__distance_row {
    size_t values;  /* index of its first entry in `values` of the problem */
    size_t indices; /* sparse rows: index of its first column in `indices` of the problem */
    int64_t count;  /* number of entries, that of the intercept included */
    bool sparse;
    bool active;   /* the row is in the active set */
    double length; /* ||z_i|| */
} linpred__distance_row;

struct linpred__least_distance {
    linpred__margin_form form;
    int64_t columns;
    int64_t width;  /* length of z_i: the columns, and one for the intercept unless through the origin */
    bool scaled;    /* k is chosen: some row had an entry other than 0 */
    double largest; /* the |x| that chose k */
    int scale;      /* k */
    bool bordered;  /* the intercept has a weight of its own in the norm, see above */
    double phi;     /* φ, this weight */

    int64_t rows;               /* rows added so far */
    size_t rows_capacity;       /* allocated length of row */
    size_t values_capacity;     /* allocated length of values */
    size_t indices_capacity;    /* allocated length of indices */
    size_t values_used;         /* used length of values */
    size_t indices_used;        /* used length of indices */
    linpred__distance_row *row; /* where each row is, and its state */
    double *values;             /* the entries of all rows */
    int32_t *indices;           /* the columns of the entries of sparse rows */

    linpred__pool *pool;   /* threads for work on many rows; NULL: one */
    double *products;      /* K of the first rows, see row_products.h; NULL: not computed */
    int64_t products_rows; /* of this many rows */
    double *start;         /* multipliers from which the next proposal starts; NULL: none yet */
    int64_t start_rows;    /* of this many rows */

    linpred__dd_vector w; /* width long */

    /* The active rows are the columns of A, in the order of R. The vectors here are `active_capacity` long. */
    int64_t active;            /* number of active rows */
    int64_t active_capacity;   /* allocated length of the vectors; above `active` */
    int64_t *member;           /* the active rows */
    linpred__dd_vector alpha;  /* their multipliers */
    linpred__dd_vector c;      /* the entering row is A c + d */
    linpred__dd_vector step;   /* the multipliers change to α - t step; step = c unless bordered */
    linpred__dd_vector g;      /* scratch: right sides and corrections */
    linpred__dd_vector border; /* bordered only: the unit vector of the intercept is A border + axis */
    linpred__triangle r;       /* R, upper triangular with R'R = A'A */
    bool careful;              /* solve with R in double-double, because its leading parts did not converge */

    linpred__dd_vector d;    /* width long: the entering row minus A c, then the direction of w */
    linpred__dd_vector axis; /* width long, bordered only: see border */
    bool border_current;     /* border and axis belong to the current active set */

    /* The last state in which all active rows had the value 1 and w = Σ α_i z_i. */
    linpred__dd_vector best_w;     /* width long */
    linpred__dd_vector best_alpha; /* active_capacity long */
    int64_t *best_member;          /* active_capacity long */
    int64_t best_active;           /* used length of the two */

    int64_t entering; /* INFEASIBLE: no w meets this row and the active rows */
    linpred__distance_outcome outcome;
    bool solved;   /* `outcome` is final for the rows that are here */
    int64_t steps; /* rows that joined or left the active set so far */

    /* The watch for cycles, which goes on over the slices of a solve. */
    int64_t last_step;   /* the solve gives up after this step; 0: new rows or a restart, the watch begins anew */
    linpred__dd highest; /* dual value so far */
    int without_rise;    /* rows that joined since it rose */

    /* The arrays of the answer. */
    double *weights;       /* columns long */
    int64_t *support_rows; /* active_capacity long, as are the two below */
    double *multipliers;
    double *tails;
};

/* rows.c: <z_i, vector> in double, in double-double, and Σ |z_ij| |vector_j|, to which rounding errors are relative. */
double linpred__distance_value(const linpred__least_distance *p, int64_t row, const double *vector);
linpred__dd linpred__distance_careful_value(const linpred__least_distance *p, int64_t row, linpred__dd_vector vector);
double linpred__distance_magnitude(const linpred__least_distance *p, int64_t row, const double *vector);
/* vector += multiple · z_i */
void linpred__distance_add_row(const linpred__least_distance *p, int64_t row, double multiple,
                               linpred__dd_vector vector);
double linpred__distance_sign(const linpred__least_distance *p, int64_t row); /* y; forms with an intercept only */
/* Makes active_capacity larger than `active`. False: out of memory. */
bool linpred__distance_reserve(linpred__least_distance *p, int64_t active);
void linpred__distance_restart(linpred__least_distance *p); /* w = 0, no active rows */

/* many_rows.c: the values of the active rows, in double arithmetic or in double-double; the smallest <z_i, vector> of
   all rows, rounded down, for a vector without trailing parts; and vector += sign A g. */
void linpred__distance_active_values(const linpred__least_distance *p, linpred__dd_vector vector, bool doubles,
                                     linpred__dd_vector values);
double linpred__distance_smallest_value(const linpred__least_distance *p, linpred__dd_vector vector);
void linpred__distance_add_active(const linpred__least_distance *p, double sign, linpred__dd_vector g,
                                  linpred__dd_vector vector);

/* active_set.c: the k-th active row leaves; the state becomes the best so far. */
void linpred__distance_leave(linpred__least_distance *p, int64_t k);
void linpred__distance_remember(linpred__least_distance *p);

/* project.c. The first three return false if double-doubles are not accurate enough. */

/* Computes c and d of a row, and ρ = ||d||. *dependent: d is only rounding, the row lies in the span of A. */
bool linpred__distance_project_row(linpred__least_distance *p, int64_t row, linpred__dd *rho, bool *dependent);
/* Computes step and the direction d of w from the projection of the entering row. *curvature is the rate at which the
   value of the entering row grows along them. */
bool linpred__distance_direct(linpred__least_distance *p, linpred__dd *curvature);
/* Corrects α and w until the values of the active rows are 1 within the tolerance. */
bool linpred__distance_refine(linpred__least_distance *p, double tolerance);
/* Computes w = A α anew. */
void linpred__distance_rebuild(linpred__least_distance *p);

#endif
