/* Progress of readers that do not read a file from its beginning to its end: how many of its parts are done. Any thread
 * may report. */
#ifndef LINPRED_TABLE_PARTS_H
#define LINPRED_TABLE_PARTS_H

#include <stdatomic.h>
#include <time.h>

#include "core/options.h"

typedef struct linpred__parts {
    const linpred_options *options; /* its on_progress is called */
    int64_t all;                    /* parts of the file; 0: not known, and parts are rows */
    int64_t bytes;                  /* of the file */
    struct timespec opened;
    struct timespec reported;
    _Atomic int64_t done;
    atomic_bool reporting; /* one thread at a time calls on_progress */
} linpred__parts;

void linpred__parts_begin(linpred__parts *parts, const linpred_options *options, int64_t all, int64_t bytes);
/* So many more parts are done. */
void linpred__parts_done(linpred__parts *parts, int64_t count);

#endif
