/* What the files of Newton's method by conjugate gradients share: its loop (newton_cg.c), its steps (cg_step.c), trips
 * over the rows (cg_trips.c) and work on vectors (cg_vectors.c).
 *
 * Vectors as long as the rows stay with their rows. Sums over rows are kept in a fixed number of lanes, which are added
 * in their order, so that the bits do not depend on the threads.
 */
#ifndef LINPRED_MINIMISE_CG_STATE_H
#define LINPRED_MINIMISE_CG_STATE_H

#include "minimise/logistic_point.h"
#include "num/dd.h"

enum { LINPRED__CG_SUMS = 3 }; /* sums that a task leaves for its chunk of columns */

typedef struct linpred__cg {
    linpred__logistic *problem;
    linpred__logistic_point *point;
    int64_t blocks;
    int64_t lanes;
    /* one number for each row */
    double *z;            /* scores at v */
    double *curvature;    /* D */
    double *derivative;   /* of the loss by the score */
    double *product;      /* X times the direction of conjugate gradients */
    double *score_change; /* X times the step */
    double *trial;        /* scores at v + step */
    /* one number for each column; the intercept last */
    double *sum;       /* one such vector for each lane */
    double *scale;     /* the unit of the data over W */
    double *inverse;   /* of M, the diagonal of H: the preconditioner */
    double *step;      /* the step so far */
    double *residual;  /* -g - H step */
    double *direction; /* of conjugate gradients */
    double *image;     /* H times the direction */
    double *units;     /* scratch: a direction in the units of the data */
    linpred__dd *lane_loss;
    /* chunks of columns, one task each */
    int64_t chunks;
    double *partial; /* LINPRED__CG_SUMS numbers for each chunk */
    /* what the tasks on chunks must know */
    double alpha;              /* factor of linpred__cg_advance */
    double factor;             /* factor of linpred__cg_turn */
    double ones;               /* linpred__cg_collect: the intercept's entry of X'a */
    const double *collect_for; /* linpred__cg_collect: v */
    double *collect_to;
    bool preconditioned; /* `inverse` was computed */
    /* the trust region */
    double first_square; /* g' M^-1 g at the beginning */
    double radius;       /* Δ of the trust region ||step||_M <= Δ */
    double length;       /* ||step||_M */
    double promised;     /* by how much the step lowers the quadratic model */
    bool at_boundary;    /* the step ends on the boundary of the trust region */
    int refused;         /* steps refused in a row */
    int flat;            /* steps in a row that did not lower F as computed */
    /* the loop */
    int steps;   /* tried so far */
    bool begun;  /* the scores and derivatives at the point were computed */
    bool judged; /* the point was judged by a goal that ended the run: the next run begins with a step */
    bool fresh;  /* objective and gradient of the point were evaluated from the rows themselves */
} linpred__cg;

/* ---- trips over the rows (cg_trips.c) ---------------------------------------------------------------------------- */

/* Sums are left in the lanes. The caller counts each trip that reads rows as a pass.
   SCORES     z = X units
   PRODUCTS   product = X units, sum = X' D product
   LOSSES     trial = z + score_change; its losses in lane_loss, derivatives and curvatures. No row of X is read.
   GRADIENT   sum = X' derivative
   DIAGONAL   sum = the diagonal of X' D X */
typedef enum linpred__cg_trip {
    LINPRED__CG_SCORES,
    LINPRED__CG_PRODUCTS,
    LINPRED__CG_LOSSES,
    LINPRED__CG_GRADIENT,
    LINPRED__CG_DIAGONAL
} linpred__cg_trip;

void linpred__cg_go(linpred__cg *cg, linpred__cg_trip trip);

/* ---- vectors as long as v (cg_vectors.c) ------------------------------------------------------------------------- */

/* to = (X - center)' a / W in the units of v, plus the penalty of v, where X'a is in the lanes. Answers <v,to>. */
double linpred__cg_collect(linpred__cg *cg, const double *v, double *to);
/* Makes the preconditioner from the diagonal in the lanes. */
void linpred__cg_precondition(linpred__cg *cg);
/* step += alpha direction, residual -= alpha image. Fills `promised`, answers <residual, M^-1 residual>. */
double linpred__cg_advance(linpred__cg *cg, double alpha);
/* direction = M^-1 residual + factor direction, also in `units`. Answers <residual, direction>. */
double linpred__cg_turn(linpred__cg *cg, double factor);
/* Moves the intercept's entry of `units` so that X units are scores about the centers. */
void linpred__cg_center(linpred__cg *cg);

/* ---- steps (cg_step.c) ------------------------------------------------------------------------------------------- */

/* Scores at the point, and what follows from them, from the rows themselves. */
void linpred__cg_begin(linpred__cg *cg);
/* The gradient at the point, and in some steps the preconditioner, from the derivatives and curvatures at hand. */
void linpred__cg_differentiate(linpred__cg *cg);
/* The step that minimises the quadratic model in the trust region, roughly. */
void linpred__cg_find_step(linpred__cg *cg);
/* Takes the step or refuses it, and sets the next trust region. False: no further step is worth it. */
bool linpred__cg_judge_step(linpred__cg *cg);

#endif
