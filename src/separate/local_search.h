/* A halfspace with fewer mistakes than the one at hand, by local search (solve/cover/hyperplane_search.h) on all rows.
 *
 * The search is given an amount of work, goes from halfspace to halfspace on one thread by a seeded sequence, and keeps
 * a halfspace only if it makes fewer mistakes, the sign of every row being certain. So the answer is never worse than
 * the start, and the number of threads does not change it.
 */
#ifndef LINPRED_SEPARATE_LOCAL_SEARCH_H
#define LINPRED_SEPARATE_LOCAL_SEARCH_H

#include "core/run.h"
#include "pass/problem.h"

typedef struct linpred__local_search {
    bool better; /* than the start; else w is NULL */
    double *w;
    double b;
} linpred__local_search;

linpred_status linpred__ask_local_search(linpred__run *run, const linpred__problem *problem, uint64_t seed,
                                         const double *w, double b, linpred__local_search *answer,
                                         linpred_error *error);
void linpred__local_search_clear(linpred__local_search *answer);

#endif
