/* The time of merely reading a matrix: what a pass is measured against. */
#ifndef LINPRED_BENCH_READING_H
#define LINPRED_BENCH_READING_H

#include <stdlib.h>
#include <time.h>

#include "core/threads.h"
#include "data/data.h"

/* In milliseconds. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, by_size);
    return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

struct reading {
    const linpred_data *data;
    double sum;
};

static void read_block(void *context, int64_t task)
{
    struct reading *reading = context;
    const linpred__block *block = &reading->data->block[task];
    double sum[8] = {0};
    const double *x = block->values;
    int64_t count = block->layout == LINPRED__DENSE ? (block->rows - 1) * block->stride + block->columns : block->start[block->rows];
    for (int64_t i = 0; i + 8 <= count; i += 8)
        for (int l = 0; l < 8; l++)
            sum[l] += x[i + l];
    if (sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7] == 0.123)
        reading->sum = 1;
}

/* Milliseconds to read all values once; pool NULL: on this thread. */
static double read_once(const linpred_data *data, linpred__pool *pool)
{
    struct reading reading = {data, 0};
    double began = now();
    linpred__pool_run(pool, data->blocks, read_block, &reading);
    return now() - began;
}

#endif
