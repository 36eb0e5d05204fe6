/* What the files of least_distance share: the rows, the active set and its factorisation.
 *
 * Units. The rows are held as z_i = y_i (x_i 2^-k, u) with one k for all, chosen so that the largest |x| is about 1: no
 * square over- or underflows, and powers of two round nothing. In these units the primal vector is w 2^k and b.
 *  - `bordered` is false: the intercept is a coordinate like the others, u = 2^-k, and its entry of w is b 2^k.
 *  - `bordered` is true: u = 1, the entry of w is b itself, and the norm is ||w||² + φ b², with φ = 0 for the free
 * intercept and φ = 2^2k < 1 for homogeneous rows with small x. (The weight of b is then no part of the rows, which
 *    would be nearly parallel if it were.) Stationarity reads w = Σ α_i z_i in the columns and Σ α_i y_i = φ b.
 */
#ifndef LINPRED_SOLVE_LEAST_DISTANCE_STATE_H
#define LINPRED_SOLVE_LEAST_DISTANCE_STATE_H

#include "solve/least_distance/least_distance.h"
#include "solve/least_distance/triangle.h"

typedef struct linpred__distance_row {
    size_t values;  /* where its entries begin */
    size_t indices; /* where its column indices begin; sparse rows only */
    int64_t count;
    bool sparse;
    bool active;
    double length; /* ||z_i|| */
} linpred__distance_row;

struct linpred__least_distance {
    linpred__margin_form form;
    int64_t columns;
    int64_t width; /* columns, and one for the intercept unless through the origin: the length of z_i */
    bool scaled;   /* k is chosen */
    int scale;     /* k */
    bool bordered;
    double phi;

    int64_t rows;
    size_t rows_capacity, values_capacity, indices_capacity, values_used, indices_used;
    linpred__distance_row *row;
    double *values;
    int32_t *indices;

    linpred__dd_vector w; /* width long, as are d and axis */

    /* The active rows, in the order of the triangle's columns; the arrays below are `active_capacity` long. */
    int64_t active;
    int64_t active_capacity;
    int64_t *member;
    linpred__dd_vector alpha;
    linpred__dd_vector c;      /* coefficients of the entering row on the active rows */
    linpred__dd_vector step;   /* the direction of the multipliers: α - t step; c, but for the border */
    linpred__dd_vector g;      /* right-hand sides */
    linpred__dd_vector border; /* coefficients of the intercept's axis on the active rows (bordered only) */
    linpred__triangle r;       /* R'R = the active rows' products */
    bool careful;              /* solve with all of R: its leading parts alone have failed to contract */

    linpred__dd_vector d;    /* what the active rows leave over of the entering row; then the primal direction */
    linpred__dd_vector axis; /* what they leave over of the intercept's axis (bordered only) */
    bool border_current;

    /* The answer so far: the state when last all active rows were met and all multipliers were those of w. */
    linpred__dd_vector best_w;
    linpred__dd_vector best_alpha;
    int64_t *best_member;
    int64_t best_active;

    int64_t entering; /* the row that no w meets together with the active rows, when infeasible */
    linpred__distance_outcome outcome;
    bool solved;
    int64_t steps;

    /* the answer's arrays */
    double *weights;
    int64_t *support_rows;
    double *multipliers;
    double *tails;
};

/* rows */
double linpred__distance_value(const linpred__least_distance *p, int64_t row, const double *vector);
linpred__dd linpred__distance_careful_value(const linpred__least_distance *p, int64_t row, linpred__dd_vector vector);
double linpred__distance_magnitude(const linpred__least_distance *p, int64_t row, const double *vector);
void linpred__distance_add_row(const linpred__least_distance *p, int64_t row, double multiple,
                               linpred__dd_vector vector);
double linpred__distance_sign(const linpred__least_distance *p, int64_t row); /* y; forms with an intercept only */
bool linpred__distance_reserve(linpred__least_distance *p, int64_t active);   /* false: out of memory */
void linpred__distance_restart(linpred__least_distance *p);                   /* w = 0, no active rows */

/* Projections. Each answers false where double-doubles do not suffice. */
bool linpred__distance_project_row(linpred__least_distance *p, int64_t row, linpred__dd *rho, bool *dependent);
bool linpred__distance_direct(linpred__least_distance *p, linpred__dd *curvature);
bool linpred__distance_refine(linpred__least_distance *p, double tolerance);
void linpred__distance_rebuild(linpred__least_distance *p);

#endif
