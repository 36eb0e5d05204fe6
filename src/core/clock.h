/* Seconds that have passed, by the monotonic clock, which is never set back. */
#ifndef LINPRED_CORE_CLOCK_H
#define LINPRED_CORE_CLOCK_H

#include <time.h>

static inline struct timespec linpred__now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now;
}

static inline double linpred__seconds_since(const struct timespec *then)
{
    struct timespec now = linpred__now();
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

#endif
