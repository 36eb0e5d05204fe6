/* What the benchmark programs share: a clock, medians, seeded numbers that need no library, and rows written for a peer
 * to read. */
#ifndef LINPRED_BENCH_MEASURE_H
#define LINPRED_BENCH_MEASURE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Seconds of wall clock. */
static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts x. */
static inline double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, by_size);
    return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

/* In (0,1): xorshift. */
static inline double uniform(void)
{
    static uint64_t bits = 88172645463325252u;
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    return (double)(bits >> 11) * 0x1p-53 + 0x1p-54;
}

static inline double normal(void)
{
    return sqrt(-2.0 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Rows of raw doubles, y last. */
static inline void write_rows(const char *path, const double *x, const double *y, int64_t rows, int32_t columns)
{
    FILE *file = fopen(path, "wb");
    for (int64_t i = 0; file && i < rows; i++) {
        fwrite(x + i * columns, sizeof(double), (size_t)columns, file);
        fwrite(y + i, sizeof(double), 1, file);
    }
    if (file)
        fclose(file);
}

#endif
