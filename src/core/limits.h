/* Limits of src/core, each with its reason. */
#ifndef LINPRED_CORE_LIMITS_H
#define LINPRED_CORE_LIMITS_H

enum {
    /* Bytes read from a file at a time: large enough that system calls cost little. */
    LINPRED__INPUT_BYTES = 1 << 17,
    /* Memory is large from here on: 4 MB hold a whole huge page of 2 MB wherever they begin. */
    LINPRED__LARGE_BYTES = 1 << 22,
    /* Chunks of a spill, of 64 MB or more each: 4 TB. */
    LINPRED__MAX_CHUNKS = 1 << 16,
    /* Tests of the gate before a thread sleeps; about the time between two short rounds of work. */
    LINPRED__SPINS = 2000
};

/* Seconds between two calls of on_progress: often enough for the eye, seldom enough to cost nothing. */
#define LINPRED__PROGRESS_SECONDS 0.1

#endif
