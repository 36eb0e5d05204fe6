/* The exact linear program: can these rows be separated? Integers decide; floating point only guides.
 *
 * Gordan's theorem says that exactly one of two things exists for rows z_i:
 *   a w with <w,z_i> > 0 on every row, or
 *   weights lambda >= 0, not all zero, with Σ lambda_i z_i = 0.
 * Anchors are optional rows e on which w must vanish: <w,e> = 0. Their weights in the sum may have any sign.
 *
 * The method is the dual simplex on <w,z_i> >= 1:
 *   1. A basis B of independent rows, anchors included, fixes w by <w,z_b> = 1, and <w,e> = 0 on anchors.
 *   2. If w violates no row, it separates all rows.
 *   3. Otherwise take a violated row i. If it is independent of B, it joins B, and w is computed again.
 *   4. Otherwise z_i = Σ alpha_b z_b. If some alpha_b > 0 on a row that is no anchor, i replaces such a b.
 *   5. If no such alpha_b is positive, z_i + Σ (-alpha_b) z_b = 0 proves that the rows are inseparable.
 * In case 5 the basis is independent, so these weights are the only ones on these rows. Without any one of them the
 * rest are independent, hence separable. So the set of rows is minimal.
 *
 * After many pivots Bland's rule chooses i and b. It never cycles, so the method ends.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_EXACT_LP_H
#define LINPRED_SOLVE_EXACT_LP_EXACT_LP_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "num/integers.h"
#include "solve/rows.h"

typedef struct linpred__exact_question {
    const linpred__rows *rows; /* the view that all row numbers below refer to */
    const int32_t *use;        /* the rows asked about; NULL: all rows. Anchors among them are ignored. */
    int32_t used;              /* length of `use` */
    const int32_t *anchor;     /* independent rows on which w must vanish */
    int32_t anchors;           /* length of `anchor` */
    const int32_t *start;      /* rows to begin the basis with, for example the tight rows of a floating-point w */
    int32_t starts;            /* length of `start`; dependent rows among them are skipped */
    int32_t max_pivots;        /* the answer is UNDECIDED after this many pivots; 0: no limit */
    bool round;                /* if the rows are separated, try to round w to doubles */
} linpred__exact_question;

typedef struct linpred__exact_answer {
    linpred_separation kind;  /* SEPARATED, INSEPARABLE, or UNDECIDED: effort or pivots ran out, or a basis could have
                                    more than LINPRED__MAX_BASIS_ROWS rows */
    linpred__integers w;      /* SEPARATED: one integer for each column, common divisor 1 */
    double *rounded;          /* SEPARATED: <rounded,z_i> > 0 exactly on the rows asked about; NULL: none found */
    int32_t count;            /* INSEPARABLE: size of a minimal set, at most rank + 1 */
    int32_t *row;             /* its rows, ascending */
    linpred__integers weight; /* its weights, all positive */
    linpred__integers anchor_weight; /* one weight of any sign for each anchor; with `weight` the common divisor is 1 */
    int32_t pivots;                  /* pivots done */
    int32_t basis_rows;              /* size of the last basis without its anchors */
    int32_t *basis;                  /* its rows; if UNDECIDED, a later question can start with them */
} linpred__exact_answer;

/* Returns LINPRED_OK with kind UNDECIDED if the effort ran out. On any other status *answer does not change. */
linpred_status linpred__exact_lp(const linpred__exact_question *question, linpred__effort *effort,
                                 linpred__exact_answer *answer, linpred_error *error);
void linpred__exact_answer_close(linpred__exact_answer *answer);

#endif
