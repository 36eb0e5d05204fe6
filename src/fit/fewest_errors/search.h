/* The search of method exact: the halfspace whose mistakes cost least, and the proof that none costs less.
 *
 * Equal rows become one row with the sum of their costs. A local search finds a good halfspace. Branch and cut over
 * inseparable subsets proves that none costs less, or finds a better one (solve/cover/branch.h).
 *
 * If there are very many rows, the search runs on working rows near the boundary. A lower bound for some of the rows
 * holds for all. The halfspace found is tried on all rows, and rows that it gets wrong join the working rows.
 */
#ifndef LINPRED_FIT_FEWEST_ERRORS_SEARCH_H
#define LINPRED_FIT_FEWEST_ERRORS_SEARCH_H

#include "core/run.h"
#include "pass/problem.h"
#include "proof/witness.h"
#include "solve/cover/branch.h"

typedef struct linpred__fewest_errors_question {
    double class_cost[2]; /* what a mistake costs on a row labelled -1 and on one labelled +1 */
    uint64_t seed;
    const double *w; /* weights of the halfspace to start from */
    double b;        /* its intercept */
} linpred__fewest_errors_question;

typedef struct linpred__fewest_errors {
    double *w;
    double b;
    double cost;           /* of the mistakes of w, b, or of the integers proof.direction, which cost less */
    double lower_bound;    /* no halfspace's mistakes cost less; equal to `cost` if that is proved the minimum */
    bool optimal;          /* `cost` is the minimum, up to the last digits that linear programs cannot decide */
    linpred__tree_end end; /* how the search of the last round ended */
    linpred__cover_proof proof;
    int64_t rounds;
    int64_t working_rows;
} linpred__fewest_errors;

linpred_status linpred__ask_fewest_errors(linpred__run *run, const linpred__problem *problem,
                                          const linpred__fewest_errors_question *question,
                                          linpred__fewest_errors *answer, linpred_error *error);
void linpred__fewest_errors_clear(linpred__fewest_errors *answer);

#endif
