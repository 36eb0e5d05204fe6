/* Can a halfspace of integers separate the rows? The two-way question (separate/two_way.h), whose halfspace is given as
 * integers: small ones where rounding (w, b) to two to eight digits still separates every row.
 */
#ifndef LINPRED_SEPARATE_SEPARATED_H
#define LINPRED_SEPARATE_SEPARATED_H

#include "core/run.h"
#include "pass/problem.h"
#include "proof/witness.h"

typedef struct linpred__separated {
    linpred_separation kind;      /* SEPARATED, INSEPARABLE or UNDECIDED */
    bool stopped;                 /* UNDECIDED because the run was stopped */
    linpred__direction direction; /* SEPARATED */
    linpred__combination witness; /* INSEPARABLE */
    int64_t rounds;
    int64_t passes;
} linpred__separated;

/* w, b (NULL: 0): a halfspace to try first. `max_work` as in linpred__ask_two_way. */
linpred_status linpred__ask_separated(linpred__run *run, const linpred__problem *problem, double max_work,
                                      const double *w, double b, linpred__separated *answer, linpred_error *error);
void linpred__separated_clear(linpred__separated *answer);

#endif
