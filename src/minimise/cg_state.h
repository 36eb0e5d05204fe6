/* The state of Newton's method by conjugate gradients. Its files share it: the loop (newton_cg.c), the steps
 * (cg_step.c), the trips over the rows (cg_trips.c), what processes send each other (cg_processes.c), the work on
 * vectors (cg_vectors.c) and checkpoints (cg_checkpoint.c).
 *
 * Sums over rows are kept in a fixed number of lanes, which are merged along a fixed tree. So the bits do not depend on
 * the number of threads. Processes that work together (core/comm.h) have some lanes each, and own some chunks of
 * columns each. What is stored for each row is known to the process of its lane only; image, residual and direction of
 * a column, and the step until it is found, are known to its owner only.
 */
#ifndef LINPRED_MINIMISE_CG_STATE_H
#define LINPRED_MINIMISE_CG_STATE_H

#include "core/comm.h"
#include "minimise/logistic_point.h"
#include "num/dd.h"

enum { LINPRED__CG_SUMS = 3 }; /* the number of sums that a task computes for its chunk of columns */

/* What the trip LOSSES finds in the rows of a lane. */
typedef struct linpred__cg_losses {
    linpred__dd loss;      /* the sum */
    double curvature;      /* the sum */
    double largest_change; /* of a score */
    int64_t errors;        /* rows whose label and score do not agree */
} linpred__cg_losses;

/* Where the loop stands, beside point and vectors. A checkpoint holds it as it is. */
typedef struct linpred__cg_standing {
    /* the trust region */
    double first_square; /* g' M^-1 g at the first step */
    double radius;       /* Δ of the trust region ||step||_M <= Δ */
    double length;       /* ||step||_M */
    double promised;     /* by how much the step lowers the quadratic model */
    int refused;         /* steps refused in a row */
    int flat;            /* steps in a row that did not lower F as computed */
    int steps;           /* steps tried so far */
    bool at_boundary;    /* the step ends on the boundary of the trust region */
    bool preconditioned; /* `inverse` was computed */
    bool judged;         /* the point reached the goal of the last run, so the next run begins with a step */
    bool fresh;          /* objective and gradient of the point were computed from the rows, not updated */
} linpred__cg_standing;

typedef struct linpred__cg {
    linpred__logistic_problem *problem;
    linpred__logistic_point *point;
    int64_t blocks;
    int64_t lanes;
    const linpred__comm *comm; /* NULL: this process is alone */
    linpred__share own;        /* lanes of this process */
    /* one number for each row */
    double *z;            /* scores at v */
    double *curvature;    /* D */
    double *derivative;   /* of the loss by the score */
    double *product;      /* X times the direction of conjugate gradients */
    double *score_change; /* X times the step */
    double *trial;        /* scores at v + step */
    /* one number for each column; the intercept last */
    double *sum;                /* one such vector for each lane */
    double *scale;              /* data_unit / W of each column */
    double *inverse;            /* M^-1, where the preconditioner M is the diagonal of H */
    double *step;               /* the step so far */
    double *residual;           /* -g - H step */
    double *direction;          /* of conjugate gradients */
    double *image;              /* H times the direction */
    double *units;              /* scratch: a direction in the units of the data */
    linpred__cg_losses *losses; /* of each lane */
    /* chunks of columns, one task each */
    int64_t chunks;
    int owners;            /* processes that own some, in their order; 1: every process works on all */
    linpred__share worked; /* those on which this process works */
    double *partial;       /* LINPRED__CG_SUMS numbers for each chunk */
    /* arguments of the tasks on chunks */
    int64_t first_chunk;       /* of task 0 */
    double alpha;              /* factor of linpred__cg_advance, and of the trip CHANGES after it */
    double factor;             /* factor of linpred__cg_turn */
    double ones;               /* linpred__cg_collect: the intercept's entry of X'a */
    const double *collect_for; /* linpred__cg_collect: v */
    double *collect_to;        /* linpred__cg_collect: the result */
    /* the loop */
    linpred__cg_standing now;
    uint64_t number; /* of this run, in a checkpoint */
    bool begun;      /* the scores and derivatives at the point were computed */
} linpred__cg;

/* ---- trips over the rows (cg_trips.c) ---------------------------------------------------------------------------- */

/* The kinds of trips. Sums are left in the lanes; those of several processes are merged into the first lane. The
   caller counts each trip that reads rows as a pass.
   SCORES     z = X units
   PRODUCTS   product = X units, sum = X' D product
   LOSSES     trial = z + score_change; what it finds in `losses`, derivatives and curvatures. No row of X is read.
   GRADIENT   sum = X' derivative
   DIAGONAL   sum = the diagonal of X' D X
   CHANGES    score_change += alpha product. No row of X is read. */
typedef enum linpred__cg_trip {
    LINPRED__CG_SCORES,
    LINPRED__CG_PRODUCTS,
    LINPRED__CG_LOSSES,
    LINPRED__CG_GRADIENT,
    LINPRED__CG_DIAGONAL,
    LINPRED__CG_CHANGES
} linpred__cg_trip;

void linpred__cg_go(linpred__cg *cg, linpred__cg_trip trip);

/* ---- lanes and processes (cg_processes.c) ------------------------------------------------------------------------ */

/* Divides lanes and chunks among the processes. */
void linpred__cg_divide(linpred__cg *cg);
/* Merges the lanes for some columns, into the first; does nothing if processes have done so. */
void linpred__cg_merge_lanes(const linpred__cg *cg, int64_t from, int64_t count);
/* Merges the lanes of all processes: each owner gets the sums of its columns; a single owner gives them to all. */
void linpred__cg_add_up(linpred__cg *cg);
/* Gives all processes what each has found in its lanes. */
void linpred__cg_share_losses(linpred__cg *cg);
/* Gives all processes what each has worked out of a vector; the same for `partial`. */
void linpred__cg_gather(const linpred__cg *cg, double *vector);
void linpred__cg_gather_partial(const linpred__cg *cg);

/* ---- vectors as long as v (cg_vectors.c) ------------------------------------------------------------------------- */

/* to = (X - centre)' a / W in the units of v, plus penalty · v, where X'a is in the lanes. Returns <v,to>.
   Each process gets the part of `to` on which it works. */
double linpred__cg_collect(linpred__cg *cg, const double *v, double *to);
/* Makes the preconditioner from the diagonal in the lanes. */
void linpred__cg_precondition(linpred__cg *cg);
/* step += alpha direction, residual -= alpha image. Sets `promised` and returns <residual, M^-1 residual>. */
double linpred__cg_advance(linpred__cg *cg, double alpha);
/* direction = M^-1 residual + factor direction, which is also written to `units`. Returns <residual, direction>. */
double linpred__cg_turn(linpred__cg *cg, double factor);
/* Changes the intercept's entry of `units` so that X units = (X - centre) units before the change. */
void linpred__cg_centre(linpred__cg *cg);

/* ---- steps (cg_step.c) ------------------------------------------------------------------------------------------- */

/* Computes the scores at the point from the rows, then losses, derivatives and curvatures. */
void linpred__cg_begin(linpred__cg *cg);
/* Computes the gradient at the point from these derivatives, and in some steps the preconditioner from the
   curvatures. */
void linpred__cg_differentiate(linpred__cg *cg);
/* Finds a step that roughly minimises the quadratic model in the trust region. */
void linpred__cg_find_step(linpred__cg *cg);
/* Takes the step or refuses it, and sets the next trust region. Returns false if further steps would gain nothing. */
bool linpred__cg_judge_step(linpred__cg *cg);

/* ---- checkpoints (cg_checkpoint.c) ------------------------------------------------------------------------------- */

/* At the beginning of a run: goes on from where the last one that was killed stood. False if there is none. */
bool linpred__cg_resume(linpred__cg *cg);
/* Before a step: records where the run stands, if there is a checkpoint. */
void linpred__cg_record(linpred__cg *cg);

#endif
