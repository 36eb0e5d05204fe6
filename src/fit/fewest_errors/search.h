/* The halfspace whose mistakes cost least, and a proof: the search of method exact.
 *
 * Equal rows become one. A local search finds a good halfspace, and branch and cut over inseparable subsets proves it
 * the best, or finds a better one (solve/cover/branch.h). If there are very many rows, the search works on those near
 * the boundary: what is proved of some rows holds for all, and the halfspace found is tried on all rows; those that it
 * gets wrong join.
 */
#ifndef LINPRED_FIT_FEWEST_ERRORS_SEARCH_H
#define LINPRED_FIT_FEWEST_ERRORS_SEARCH_H

#include "core/run.h"
#include "pass/problem.h"
#include "proof/cover_proof.h"
#include "solve/cover/branch.h"

typedef struct linpred__fewest_errors_question {
    double class_cost[2]; /* what a mistake costs on a row labelled -1 and on one labelled +1 */
    uint64_t seed;
    const double *w; /* a halfspace to begin with */
    double b;
} linpred__fewest_errors_question;

typedef struct linpred__fewest_errors {
    double *w;
    double b;
    double cost;           /* of the mistakes of w, b */
    double lower_bound;    /* no halfspace's mistakes cost less; `cost` itself where they meet */
    bool optimal;          /* they meet, or what is between them is within the last digits of linear programs */
    linpred__tree_end end; /* of the last search */
    linpred__cover_proof proof;
    int64_t rounds;
    int64_t working_rows;
} linpred__fewest_errors;

linpred_status linpred__ask_fewest_errors(linpred__run *run, const linpred__problem *problem,
                                          const linpred__fewest_errors_question *question,
                                          linpred__fewest_errors *answer, linpred_error *error);
void linpred__fewest_errors_clear(linpred__fewest_errors *answer);

#endif
