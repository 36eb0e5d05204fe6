/* Working rows and what can be proved about them: the two-way answer (separated or not) and the three-way answer that
 * logistic regression asks for.
 *
 * For constraint generation: rows are added as passes over the data find them; `propose` gives a floating-point w to
 * try on all rows; `settle` and `three_way` give answers with exact witnesses. A witness on working rows that they are
 * inseparable holds for all data. A w or a direction must be tried on all rows; rows that refute it are added, and what
 * was found before (the linear program's basis, the rows that carry positive weights) is kept.
 */
#ifndef LINPRED_SOLVE_WORKING_WORKING_ROWS_H
#define LINPRED_SOLVE_WORKING_WORKING_ROWS_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "solve/exact_lp/exact_lp.h"
#include "solve/lp/lp.h"

typedef struct linpred__working_rows linpred__working_rows;

linpred_status linpred__working_rows_open(int32_t columns, const int32_t *column_exponent, linpred__working_rows **out,
                                          linpred_error *error);
void linpred__working_rows_close(linpred__working_rows *separation);
/* Copies rows first .. first+count-1 of the view to the end of the working rows. */
linpred_status linpred__working_rows_add(linpred__working_rows *separation, const linpred__rows *rows, int32_t first,
                                         int32_t count, linpred_error *error);
/* The working rows; the view is good until rows are added. */
const linpred__rows *linpred__working_rows_view(const linpred__working_rows *separation);
const linpred__lp *linpred__working_rows_lp(const linpred__working_rows *separation);

/* Floating point only. FEASIBLE: w (columns long) is filled. INFEASIBLE: lambda (working rows long, may be NULL). */
linpred_status linpred__working_rows_propose(linpred__working_rows *separation, bool (*stop)(void *context),
                                             void *context, linpred__lp_answer *answer, double *w, double *lambda,
                                             linpred_error *error);

/* Proved on the working rows: SEPARATED with `rounded` (or, where no double vector was found, with integers w alone),
   INSEPARABLE with a minimal set of rows and weights. If the linear program's w separates certainly, only `rounded` is
   given and answer->w is empty. */
linpred_status linpred__working_rows_certify(linpred__working_rows *separation, linpred__effort *effort,
                                             linpred__exact_answer *answer, linpred_error *error);

/* SEPARATED: direction with <direction,z_i> > 0 on all rows, and `rounded` as above.
   QUASI_SEPARATED: direction with >= 0 on all rows, > 0 on some; 0 exactly on the span of the rows in `carrier`; and
   `witness`, a minimal set that cannot be separated.
   OVERLAPPING: `carrier`, at most 2 rank rows (one, if all rows are zero), with positive weights that combine them to
   zero, and that span all working rows. */
typedef struct linpred__three_way_answer {
    linpred_separation kind;     /* one of those three, or UNDECIDED */
    linpred__integers direction; /* empty if `rounded` came from the linear program */
    double *rounded;
    int32_t carriers;
    int32_t *carrier;
    linpred__integers carrier_weight;
    int32_t witnesses;
    int32_t *witness;
    linpred__integers witness_weight;
    int32_t rank; /* of the carriers */
} linpred__three_way_answer;

linpred_status linpred__working_rows_three_way(linpred__working_rows *separation, linpred__effort *effort,
                                               linpred__three_way_answer *answer, linpred_error *error);
void linpred__three_way_answer_close(linpred__three_way_answer *answer);

#endif
