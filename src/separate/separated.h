/* The two-way question (separate/two_way.h) with the halfspace given as integers. They are small if (w, b), rounded to
 * two, four, six or eight digits, still separates every row.
 */
#ifndef LINPRED_SEPARATE_SEPARATED_H
#define LINPRED_SEPARATE_SEPARATED_H

#include "core/run.h"
#include "pass/problem.h"
#include "proof/witness.h"

typedef struct linpred__separated {
    linpred_separation kind;      /* SEPARATED, INSEPARABLE or UNDECIDED */
    bool stopped;                 /* kind is UNDECIDED because the run was stopped */
    linpred__direction direction; /* if SEPARATED: the integers, intercept last */
    linpred__combination witness; /* if INSEPARABLE: the proof */
    int64_t rounds;
    int64_t passes;
} linpred__separated;

/* w, b is a halfspace that is tried first; w NULL: there is none. `max_work` is as in linpred__ask_two_way. */
linpred_status linpred__ask_separated(linpred__run *run, const linpred__problem *problem, double max_work,
                                      const double *w, double b, linpred__separated *answer, linpred_error *error);
void linpred__separated_clear(linpred__separated *answer);

#endif
