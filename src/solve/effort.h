/* A budget of work for an exact computation, with the caller's request to stop.
 *
 * One unit is one multiplication and one addition of machine words, about a nanosecond. Work is counted, never timed,
 * so the answer does not depend on the speed of the machine.
 */
#ifndef LINPRED_SOLVE_EFFORT_H
#define LINPRED_SOLVE_EFFORT_H

#include <stdbool.h>

typedef struct linpred__effort {
    double limit;                /* units that may be spent; 0: no limit */
    bool (*stop)(void *context); /* returns true if the caller wants to stop; NULL: never */
    void *context;               /* the argument of `stop` */
    double spent;                /* units spent so far */
    double asked;                /* value of `spent` when `stop` was last called */
    bool over;                   /* the limit is reached or `stop` returned true; the computation must end */
} linpred__effort;

/* Adds to the work done and returns whether the computation may go on. It calls `stop` every 10^7 units, which is about
   a hundred times a second. */
static inline bool linpred__effort_spend(linpred__effort *effort, double units)
{
    effort->spent += units;
    if (effort->limit > 0 && effort->spent > effort->limit)
        effort->over = true;
    if (effort->stop && effort->spent - effort->asked > 1e7) {
        effort->asked = effort->spent;
        if (effort->stop(effort->context))
            effort->over = true;
    }
    return !effort->over;
}

#endif
