/* The perceptron's walk: opening, closing, and the order in which rows are visited. */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "separate/limits.h"
#include "separate/walk/walk.h"

/* Rows of a chunk: a power-of-two fraction of a block. */
static int32_t chunk_rows(const linpred_data *data)
{
    double values = (double)data->entries / (double)data->rows + 1.0;
    int32_t rows = data->block_rows;
    while (rows > 8 && rows * values > LINPRED__WALK_CHUNK_VALUES)
        rows /= 2;
    return rows;
}

static void shuffle_rows(linpred__walk *walk, int64_t block)
{
    int32_t *order = walk->row_order + block * walk->data->block_rows;
    for (int32_t i = walk->data->block[block].rows - 1; i > 0; i--) {
        int32_t j = (int32_t)linpred__random_below(&walk->random, (uint64_t)i + 1);
        int32_t t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
}

/* Shuffles the blocks, then the rows of each block. So rows that are near in memory are visited one soon after another,
   which the cache needs. */
static void shuffle(linpred__walk *walk)
{
    for (int64_t i = walk->data->blocks - 1; i > 0; i--) {
        int64_t j = (int64_t)linpred__random_below(&walk->random, (uint64_t)i + 1);
        int64_t t = walk->block_order[i];
        walk->block_order[i] = walk->block_order[j];
        walk->block_order[j] = t;
    }
    for (int64_t b = 0; b < walk->data->blocks; b++)
        shuffle_rows(walk, b);
}

/* Allocates what the order of visiting needs. */
static bool allocate_order(linpred__walk *walk)
{
    const linpred_data *data = walk->data;
    bool complete = true;
    if (walk->order == LINPRED_ORDER_RANDOM) {
        walk->block_order = linpred__alloc((size_t)data->blocks, sizeof(int64_t));
        walk->row_order = linpred__alloc((size_t)data->blocks * (size_t)data->block_rows, sizeof(int32_t));
        complete = complete && walk->block_order && walk->row_order;
        for (int64_t b = 0; complete && b < data->blocks; b++) {
            walk->block_order[b] = b;
            for (int32_t i = 0; i < data->block_rows; i++)
                walk->row_order[b * data->block_rows + i] = i;
        }
    } else if (walk->order == LINPRED_ORDER_WORST) {
        walk->found = linpred__alloc((size_t)data->blocks, sizeof(int64_t));
        walk->found_score = linpred__alloc((size_t)data->blocks, sizeof(double));
        complete = complete && walk->found && walk->found_score;
    }
    return complete;
}

linpred_status linpred__walk_open(linpred__walk *walk, linpred__run *run, const linpred__problem *problem,
                                  const linpred__walk_rules *rules, const double *w, double b, linpred_error *error)
{
    const linpred_data *data = problem->data;
    *walk = (linpred__walk){.data = data,
                            .pool = run->pool,
                            .order = rules->order,
                            .rule = rules->mistake,
                            .max_updates = rules->max_updates,
                            .eager = rules->eager,
                            .radius = problem->extents.radius.above,
                            .step = 1.0};
    linpred_status status = linpred__hyperplane_open(&walk->hyperplane, data->columns, NULL, 0.0, walk->radius, error);
    if (status != LINPRED_OK)
        return status;
    if (!allocate_order(walk)) {
        linpred__walk_close(walk);
        return linpred__no_memory(error);
    }
    walk->has_intercept = problem->has_intercept;
    /* If R is extreme, the walk runs at the rate 2^-k. That makes the same mistakes, since all weights are multiplied
       by 2^-k, and keeps them far from the ends of the range of doubles. */
    if (isfinite(walk->radius) && walk->radius > 0 && fabs(log2(walk->radius)) > 300)
        walk->step = ldexp(1.0, -ilogb(walk->radius) > 1000 ? 1000 : -ilogb(walk->radius));
    else if (!isfinite(walk->radius))
        walk->step = 0x1p-1022;
    double largest = fabs(b);
    for (int32_t j = 0; w && j < data->columns; j++)
        largest = fmax(largest, fabs(w[j]));
    if (!isfinite(largest * walk->step)) /* rows are tiny beside the start */
        walk->step = 1.0;
    for (int32_t j = 0; w && j < data->columns; j++)
        walk->hyperplane.w[j] = w[j] * walk->step + 0.0;
    walk->hyperplane.b = b * walk->step + 0.0;
    linpred__random_seed(&walk->random, rules->seed);
    if (walk->order == LINPRED_ORDER_RANDOM)
        shuffle(walk);
    walk->chunk = chunk_rows(data);
    walk->clean = true;
    linpred__walk_renew_norm(walk);
    return LINPRED_OK;
}

void linpred__walk_close(linpred__walk *walk)
{
    linpred__hyperplane_close(&walk->hyperplane);
    linpred__release(walk->block_order);
    linpred__release(walk->row_order);
    linpred__release(walk->found);
    linpred__release(walk->found_score);
}

void linpred__walk_next_pass(linpred__walk *walk)
{
    walk->place = 0;
    walk->clean = true;
    if (walk->order == LINPRED_ORDER_RANDOM)
        shuffle(walk);
}
