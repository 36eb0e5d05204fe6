/* A growing set of working rows, and exact answers about them.
 *
 * Two-way: is there a w with <w,z_i> > 0 on every working row? Three-way: are the working rows separated,
 * quasi-separated or overlapping? Logistic regression asks the second question.
 *
 * This is the small problem of constraint generation. Its caller repeats three steps:
 *   1. `propose` gives a w in floating point for the working rows, or `certify` and `three_way` give exact answers.
 *   2. The caller tries the w or the direction on all rows of the data.
 *   3. Rows that violate it become working rows.
 * A proof that the working rows are inseparable holds for all data. Adding rows keeps what was found before: the basis
 * of the linear program, and the rows that have positive weights in a sum of zero.
 */
#ifndef LINPRED_SOLVE_WORKING_WORKING_ROWS_H
#define LINPRED_SOLVE_WORKING_WORKING_ROWS_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "solve/exact_lp/exact_lp.h"
#include "solve/lp/lp.h"

typedef struct linpred__working_rows linpred__working_rows;

/* column_exponent is as in linpred__lp_open; it may be NULL. */
linpred_status linpred__working_rows_open(int32_t columns, const int32_t *column_exponent, linpred__working_rows **out,
                                          linpred_error *error);
void linpred__working_rows_close(linpred__working_rows *working);
/* Appends copies of the rows first .. first+count-1 of the view. */
linpred_status linpred__working_rows_add(linpred__working_rows *working, const linpred__rows *rows, int32_t first,
                                         int32_t count, linpred_error *error);
/* The working rows. The view is valid until rows are added. */
const linpred__rows *linpred__working_rows_view(const linpred__working_rows *working);
const linpred__lp *linpred__working_rows_lp(const linpred__working_rows *working);

/* Solves the linear program in floating point. FEASIBLE fills w, one value for each column. INFEASIBLE fills lambda,
   one value for each working row, unless lambda is NULL; it is all zero if CLP has no ray. */
linpred_status linpred__working_rows_propose(linpred__working_rows *working, bool (*stop)(void *context), void *context,
                                             linpred__lp_answer *answer, double *w, double *lambda,
                                             linpred_error *error);

/* Proves whether the working rows can be separated.
   SEPARATED: answer->rounded has <rounded,z_i> > 0 exactly. If it is the linear program's own w, answer->w is empty.
   Otherwise answer->w holds integers, and `rounded` is NULL if no doubles were found.
   INSEPARABLE: answer->row and answer->weight are a minimal set and its positive weights.
   UNDECIDED: the effort ran out. */
linpred_status linpred__working_rows_certify(linpred__working_rows *working, linpred__effort *effort,
                                             linpred__exact_answer *answer, linpred_error *error);

/* The three-way answer. Carriers are rows with positive weights that combine them to zero.
   SEPARATED: <direction,z_i> > 0 on all working rows, and `rounded` does the same in doubles.
   QUASI_SEPARATED: <direction,z_i> >= 0 on all working rows, > 0 on some, and 0 exactly on the rows in the span of the
   carriers. `witness` is a minimal set that cannot be separated.
   OVERLAPPING: the carriers span all working rows. */
typedef struct linpred__working_separation {
    linpred_separation kind;          /* SEPARATED, QUASI_SEPARATED, OVERLAPPING or UNDECIDED */
    linpred__integers direction;      /* one integer for each column; empty if `rounded` is the linear program's w */
    double *rounded;                  /* SEPARATED: one double for each column; NULL if none were found */
    int32_t carriers;                 /* number of carriers, at most 2 rank; 1 if all rows are zero */
    int32_t *carrier;                 /* their rows */
    linpred__integers carrier_weight; /* their weights, all positive */
    int32_t witnesses;                /* size of a minimal inseparable set, 0 if none was found */
    int32_t *witness;                 /* its rows */
    linpred__integers witness_weight; /* its positive weights, which combine its rows to zero */
    int32_t rank;                     /* rank of the carriers */
} linpred__working_separation;

linpred_status linpred__working_rows_three_way(linpred__working_rows *working, linpred__effort *effort,
                                               linpred__working_separation *answer, linpred_error *error);
void linpred__working_separation_close(linpred__working_separation *answer);

#endif
