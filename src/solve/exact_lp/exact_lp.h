/* The exact alternative (Gordan): for rows z_i, either a w with <w,z_i> > 0 on every row, or weights lambda >= 0, not
 * all zero, with sum lambda_i z_i = 0. Which one holds is decided in integers; floating point only guides.
 *
 * Optional anchors e are rows on which w must vanish: <w,e> = 0; their multipliers in the sum may then have any sign.
 *
 * The method is the dual simplex on  <w,z_i> >= 1. A basis of independent rows fixes w by <w,z_b> = 1. A row i that w
 * violates is z_i = sum alpha_b z_b. If no alpha_b > 0, then z_i + sum (-alpha_b) z_b = 0 is the answer: the basis is
 * independent, so these weights are the only ones on these rows, all positive, and dropping any row leaves independent,
 * hence separable rows (a minimal set). Otherwise i takes the place of a b with alpha_b > 0; after a while by Bland's
 * rule, which ends always.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_EXACT_LP_H
#define LINPRED_SOLVE_EXACT_LP_EXACT_LP_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "num/integers.h"
#include "solve/rows.h"

typedef struct linpred__exact_question {
    const linpred__rows *rows;
    const int32_t *use; /* the rows asked about; NULL: all. Anchors among them are left out. */
    int32_t used;
    const int32_t *anchor; /* independent rows */
    int32_t anchors;
    const int32_t *start; /* rows to begin the basis with, best first: the tight rows of a floating-point solution */
    int32_t starts;
    int32_t max_pivots; /* give up after so many changes of basis; 0: never */
    bool round;         /* if separated: try to round w to doubles */
} linpred__exact_question;

typedef struct linpred__exact_answer {
    linpred_separation verdict; /* SEPARATED, INSEPARABLE; UNDECIDED: effort or pivots ran out, or there are too many
                                   rows for exact work */
    linpred__integers w;        /* SEPARATED: columns long, common divisor 1 */
    double *rounded;          /* columns long, <rounded,z_i> > 0 certainly on all rows asked about; NULL: none found */
    int32_t count;            /* INSEPARABLE: a minimal set of rows, at most rank + 1 */
    int32_t *row;             /* ascending */
    linpred__integers weight; /* > 0, count long */
    linpred__integers anchor_weight; /* of any sign, anchors long; common divisor 1 together with `weight` */
    int32_t pivots;
    int32_t basis_rows; /* the basis it ended with, anchors left out: where to go on from if undecided */
    int32_t *basis;
} linpred__exact_answer;

/* LINPRED_OK with verdict UNDECIDED if the effort ran out. On any other status *answer is empty. */
linpred_status linpred__exact_lp(const linpred__exact_question *question, linpred__effort *effort,
                                 linpred__exact_answer *answer, linpred_error *error);
void linpred__exact_answer_close(linpred__exact_answer *answer);

#endif
