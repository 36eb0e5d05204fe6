/* What conjugate gradients (newton_cg.c), their trips over the rows (cg_trips.c) and what they do to vectors
 * (cg_vectors.c) share.
 *
 * Vectors as long as the rows stay with their rows; sums over rows are kept in a fixed number of lanes, added in their
 * order, so that the bits do not depend on the threads.
 */
#ifndef LINPRED_MINIMISE_CG_TRIPS_H
#define LINPRED_MINIMISE_CG_TRIPS_H

#include "num/dd.h"
#include "minimise/logistic.h"

enum {
    LINPRED__CG_LANES = 8,
    LINPRED__CG_CHUNK = 2048, /* columns of one task */
    LINPRED__CG_SUMS = 3      /* of a chunk */
};

typedef struct linpred__cg {
    linpred__logistic *problem;
    linpred__logistic_point *point;
    int64_t blocks;
    int64_t lanes;
    /* with the rows */
    double *z;         /* scores at v */
    double *curvature; /* D */
    double *derivative;
    double *product; /* X times the direction of conjugate gradients */
    double *moved;   /* X times the step */
    double *trial;   /* scores at the end of the step */
    /* with the columns */
    double *sum;     /* for each lane: dimension long */
    double *scale;   /* the unit of the data over W */
    double *inverse; /* of M, the diagonal of H: the preconditioner */
    double *step;
    double *residual;
    double *direction;
    double *image; /* H times the direction */
    double *units; /* scratch: a direction in the units of the data */
    linpred__dd *lane_loss;
    /* with the chunks of columns */
    int64_t chunks;
    double *partial;
    /* what a task must know */
    double alpha, factor, ones;
    const double *collect_for;
    double *collect_to;
    /* the trust region */
    double first;     /* g' M^-1 g at the beginning */
    double radius;    /* Δ of the trust region ||step||_M <= Δ */
    double length;    /* ||step||_M */
    double promised;  /* what the step wins by the quadratic model */
    bool at_boundary; /* the step ends on that of the region */
    int refused;      /* steps in a row */
    int flat;         /* steps in a row that did not lower F as computed */
} linpred__cg;

/* Trips over all rows; sums are left in the lanes. Each is counted as one pass by the caller:
   SCORES     z = X units
   PRODUCTS   product = X units, sum = X' D product
   LOSSES     trial = z + moved, its losses in lane_loss, derivatives and curvatures; no row of X is read
   GRADIENT   sum = X' derivative
   DIAGONAL   sum = the diagonal of X' D X */
typedef enum linpred__cg_trip {
    LINPRED__CG_SCORES,
    LINPRED__CG_PRODUCTS,
    LINPRED__CG_LOSSES,
    LINPRED__CG_GRADIENT,
    LINPRED__CG_DIAGONAL
} linpred__cg_trip;

void linpred__cg_go(linpred__cg *work, linpred__cg_trip trip);

/* to = (X - center)' a / W in our units, and the penalty of v, where X'a is in the lanes; answers <v,to>. */
double linpred__cg_collect(linpred__cg *work, const double *v, double *to);
/* M from the lanes. */
void linpred__cg_precondition(linpred__cg *work);
/* step += alpha direction, residual -= alpha image; fills `promised`, answers <residual, M^-1 residual>. */
double linpred__cg_advance(linpred__cg *work, double alpha);
/* direction = M^-1 residual + factor direction, and in units of the data; answers <residual, direction>. */
double linpred__cg_turn(linpred__cg *work, double factor);
/* Scores are about the centers: so is the intercept's part of `units`. */
void linpred__cg_center(linpred__cg *work);

#endif
