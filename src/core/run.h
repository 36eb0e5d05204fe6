/* How a computation may work: its threads, its time limit, and the caller's request to stop. Every question of the
 * library takes a run.
 *
 * A run that must stop stays stopped and records why. The function that assembles the result reads the cause.
 */
#ifndef LINPRED_CORE_RUN_H
#define LINPRED_CORE_RUN_H

#include <time.h>

#include "core/threads.h"

typedef enum linpred__stop_cause {
    LINPRED__NOT_STOPPED,
    LINPRED__STOPPED_BY_TIME,  /* max_seconds have passed */
    LINPRED__STOPPED_BY_CALLER /* on_progress returned false */
} linpred__stop_cause;

typedef struct linpred__run {
    linpred__pool *pool;                                                  /* NULL: one thread */
    double max_seconds;                                                   /* counted from `began`; infinite: no limit */
    bool (*on_progress)(void *context, const linpred_progress *progress); /* NULL: not called */
    void *context;                                                        /* the argument of on_progress */
    struct timespec began;                                                /* when the run began */
    struct timespec reported;                                             /* when on_progress was last called */
    double lower_bound;                                                   /* for progress; 0: not known */
    double gap;                                                           /* for progress; 0: not known */
    int64_t working_rows;                                                 /* for progress; 0: there are none */
    linpred__stop_cause stopped; /* why the run must stop; it never returns to NOT_STOPPED */
} linpred__run;

/* Seconds since the run began. */
double linpred__run_seconds(const linpred__run *run);

/* Whether on_progress is due, so that numbers for it are worth computing. */
bool linpred__run_reports(const linpred__run *run);

/* Whether the run must stop, because its time is up or on_progress returned false. on_progress is called at most ten
   times a second. It gets `stage`, which names what is being done, and the numbers. */
bool linpred__run_should_stop(linpred__run *run, const char *stage, int64_t updates, int64_t passes, double errors);

/* Writes why a stopped run was stopped. */
void linpred__run_describe_stop(const linpred__run *run, char *text, size_t capacity);

#endif
