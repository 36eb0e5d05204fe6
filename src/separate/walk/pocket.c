/* When the pocket scores weights, and how it counts their mistakes (see pocket.h). */
#include "separate/walk/pocket.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "separate/limits.h"

struct count {
    const linpred__walk *walk;
    int64_t first_block;
    double *block_errors;
};

/* The weight of the mistakes in one block. Exact arithmetic decides rows with scores within the rounding bound. */
LINPRED__FAST static double count_block(const linpred__hyperplane *hyperplane, const linpred__block *block)
{
    double errors = 0.0;
    for (int32_t r = 0; r < block->rows; r++) {
        double s = block->target[r] * (linpred__row_dot_padded(block, r, hyperplane->w) + hyperplane->b);
        bool clear = fabs(s) > hyperplane->rounding_bound && fabs(s) <= DBL_MAX;
        if (clear && s > 0)
            continue;
        if (clear || linpred__certified_sign(hyperplane, block, r) <= 0)
            errors += linpred__row_weight(block, r);
    }
    return errors;
}

static void count_task(void *context, int64_t task)
{
    struct count *count = context;
    int64_t b = count->first_block + task;
    count->block_errors[b] = count_block(&count->walk->hyperplane, linpred__block_at(count->walk->data, b));
}

/* The weight of the mistakes of the current weights, or infinity as soon as it reaches `bar`. */
static double count_errors(linpred__pocket *pocket, const linpred__walk *walk, double bar)
{
    double *block_errors = pocket->block_errors;
    int64_t blocks = walk->data->blocks;
    double errors = 0.0;
    for (int64_t first = 0; first < blocks; first += LINPRED__POCKET_BLOCKS) {
        struct count count = {walk, first, block_errors};
        int64_t n = blocks - first < LINPRED__POCKET_BLOCKS ? blocks - first : LINPRED__POCKET_BLOCKS;
        linpred__pool_run(walk->pool, n, count_task, &count);
        for (int64_t b = first; b < first + n; b++)
            pocket->rows_scored += walk->data->block[b].rows;
        for (int64_t b = first; b < first + n; b++)
            errors += block_errors[b];
        if (errors >= bar)
            return INFINITY;
    }
    return errors;
}

static void put_in(linpred__pocket *pocket, const linpred__walk *walk, double errors)
{
    memcpy(pocket->w, walk->hyperplane.w, (size_t)walk->data->columns * sizeof(double));
    pocket->b = walk->hyperplane.b;
    pocket->errors = errors;
    pocket->run = walk->run;
    pocket->kept = walk->updates;
    pocket->kept_visited = walk->visited;
}

linpred_status linpred__pocket_open(linpred__pocket *pocket, const linpred__walk *walk, linpred_error *error)
{
    *pocket = (linpred__pocket){.scored = walk->updates};
    pocket->w = linpred__alloc((size_t)walk->data->columns, sizeof(double));
    pocket->block_errors = linpred__alloc((size_t)walk->data->blocks, sizeof(double));
    if (!pocket->w || !pocket->block_errors) {
        linpred__pocket_close(pocket);
        return linpred__no_memory(error);
    }
    put_in(pocket, walk, count_errors(pocket, walk, INFINITY));
    pocket->run = -1; /* no row was visited with these weights, so any run is longer */
    return LINPRED_OK;
}

void linpred__pocket_close(linpred__pocket *pocket)
{
    linpred__release(pocket->w);
    linpred__release(pocket->block_errors);
    *pocket = (linpred__pocket){0};
}

void linpred__pocket_score(linpred__pocket *pocket, const linpred__walk *walk, bool at_pass_end)
{
    bool long_enough = walk->run > pocket->run;
    if (long_enough && pocket->kept == walk->updates)
        pocket->run = walk->run;
    bool affordable =
        (pocket->rows_scored - LINPRED__POCKET_SCORED_ANYHOW) / LINPRED__POCKET_SCORED_A_ROW <= walk->visited;
    if (pocket->scored == walk->updates || !((long_enough && affordable) || at_pass_end))
        return;
    pocket->scored = walk->updates;
    double errors = count_errors(pocket, walk, pocket->errors);
    if (errors < pocket->errors)
        put_in(pocket, walk, errors);
}
