/* How a computation may work: its threads, its clock, and who can stop it. Every question of the library takes a run.
 *
 * A run that was told to stop stays stopped and remembers why. The function that assembles the result reads the cause.
 */
#ifndef LINPRED_CORE_RUN_H
#define LINPRED_CORE_RUN_H

#include <time.h>

#include "core/threads.h"

typedef enum linpred__stop_cause {
    LINPRED__NOT_STOPPED,
    LINPRED__STOPPED_BY_TIME,  /* max_seconds are over */
    LINPRED__STOPPED_BY_CALLER /* on_progress answered false */
} linpred__stop_cause;

typedef struct linpred__run {
    linpred__pool *pool;                                                  /* NULL: one thread */
    double max_seconds;                                                   /* from `began` on; infinite: no limit */
    bool (*on_progress)(void *context, const linpred_progress *progress); /* NULL: nobody is told */
    void *context;                                                        /* of on_progress */
    struct timespec began;
    struct timespec reported;    /* when on_progress was last called */
    linpred__stop_cause stopped; /* why the run is to end; never set back */
} linpred__run;

double linpred__run_seconds(const linpred__run *run);

/* Whether to stop, because the time is up or because on_progress answered false. on_progress is called at most ten
   times a second. `stage` names what is being done; the numbers are passed on as they are. */
bool linpred__run_should_stop(linpred__run *run, const char *stage, int64_t updates, int64_t passes, double errors);

/* Why a stopped run was stopped, as a sentence. */
void linpred__run_describe_stop(const linpred__run *run, char *text, size_t capacity);

#endif
