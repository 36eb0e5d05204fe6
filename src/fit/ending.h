/* How a fit ended: the outcome and its reason, as one value.
 *
 * A learner computes the ending from its answers with functions that change nothing. Its assemble function writes it
 * into the result once.
 */
#ifndef LINPRED_FIT_ENDING_H
#define LINPRED_FIT_ENDING_H

#include "core/run.h"
#include "model/figures.h"

typedef struct linpred__ending {
    linpred_outcome outcome;
    char reason[LINPRED__REASON]; /* a sentence */
} linpred__ending;

/* The ending with this outcome. The reason is written as by printf. */
linpred__ending linpred__make_ending(linpred_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The ending of a run that was stopped: LIMIT_REACHED if its time was up, STOPPED if the caller asked for it. */
linpred__ending linpred__stopped_ending(const linpred__run *run);

/* Writes outcome and reason. */
void linpred__set_ending(linpred__figures *figures, const linpred__ending *ending);

#endif
