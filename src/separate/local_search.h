/* Is there a halfspace with fewer mistakes near a given one? The local searches (solve/cover/local_searches.h) on
 * all rows, by turns.
 *
 * The search runs on one thread with a seeded sequence, up to a limit of work. It keeps a halfspace only if it makes
 * fewer mistakes by certified signs. So the answer is never worse than the start and does not depend on the number of
 * threads.
 */
#ifndef LINPRED_SEPARATE_LOCAL_SEARCH_H
#define LINPRED_SEPARATE_LOCAL_SEARCH_H

#include "core/run.h"
#include "pass/problem.h"

typedef struct linpred__local_search {
    bool better; /* the mistakes of w, b cost less than those of the start; if false w is NULL */
    double *w;
    double b;
} linpred__local_search;

typedef struct linpred__local_search_question {
    double class_cost[2]; /* what a mistake costs on a row labelled -1 and on one labelled +1 */
    uint64_t seed;
    const double *w; /* the halfspace to start from */
    double b;
} linpred__local_search_question;

linpred_status linpred__ask_local_search(linpred__run *run, const linpred__problem *problem,
                                         const linpred__local_search_question *question, linpred__local_search *answer,
                                         linpred_error *error);
void linpred__local_search_clear(linpred__local_search *answer);

#endif
