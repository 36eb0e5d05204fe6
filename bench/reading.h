/* The time of merely reading a matrix: what a pass is measured against. */
#ifndef LINPRED_BENCH_READING_H
#define LINPRED_BENCH_READING_H

#include "core/threads.h"
#include "data/data.h"
#include "measure.h"

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
    int64_t count = block->layout == LINPRED__DENSE ? (block->rows - 1) * block->stride + block->columns
                                                    : block->start[block->rows];
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
    return 1e3 * (now() - began);
}

#endif
