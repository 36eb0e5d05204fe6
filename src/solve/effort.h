/* How much work an exact computation may do, and who can stop it.
 *
 * One unit is one multiplication and addition of machine words, about a nanosecond. The caller's `stop` is asked about
 * a hundred times a second.
 */
#ifndef LINPRED_SOLVE_EFFORT_H
#define LINPRED_SOLVE_EFFORT_H

#include <stdbool.h>

typedef struct linpred__effort {
    double limit; /* 0: none */
    bool (*stop)(void *context);
    void *context;
    double spent;
    double asked; /* spent when `stop` was last asked */
    bool over;    /* the limit is reached, or `stop` answered true: nothing goes on from here */
} linpred__effort;

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
