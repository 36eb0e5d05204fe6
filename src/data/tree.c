#include "data/tree.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/error.h"
#include "core/memory.h"

struct run {
    const linpred_data *data;
    const linpred__visitor *visitor;
    int count;
    char *states; /* of lane 0, one visitor after the other; then of lane 1, … */
    size_t lane_bytes;
    int64_t lanes;
};

/* States stand side by side, each where any type may stand. */
static size_t room_of(const linpred__visitor *visitor)
{
    return (visitor->state_bytes + 15) / 16 * 16;
}

static void walk_lane(void *context, int64_t lane)
{
    struct run *run = context;
    for (int64_t i = lane; i < run->data->blocks; i += run->lanes) {
        char *state = run->states + (size_t)lane * run->lane_bytes;
        for (int k = 0; k < run->count; state += room_of(&run->visitor[k]), k++)
            run->visitor[k].block(run->visitor[k].context, state, &run->data->block[i]);
    }
}

/* Makes the states of one visitor, `offset` into each lane; answers how many lanes have theirs. */
static int64_t make_states(const struct run *run, const linpred__visitor *visitor, size_t offset)
{
    int64_t made = 0;
    while (made < run->lanes && visitor->init(visitor->context, run->states + (size_t)made * run->lane_bytes + offset))
        made++;
    return made;
}

static void clear_states(const struct run *run, const linpred__visitor *visitor, size_t offset, int64_t from,
                         int64_t to)
{
    for (int64_t lane = from; visitor->clear && lane < to; lane++)
        visitor->clear(visitor->context, run->states + (size_t)lane * run->lane_bytes + offset);
}

static void merge_lanes(const struct run *run, const linpred__visitor *visitor, size_t offset, void *total)
{
    for (int64_t lane = 1; lane < run->lanes; lane++)
        visitor->merge(visitor->context, run->states + offset, run->states + (size_t)lane * run->lane_bytes + offset);
    memcpy(total, run->states + offset, visitor->state_bytes);
    clear_states(run, visitor, offset, 1, run->lanes);
}

linpred_status linpred__pass_all(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                                 void *const *total, int count, int64_t lanes, linpred_error *error)
{
    struct run run = {.data = data, .visitor = visitor, .count = count};
    run.lanes = data->blocks < lanes ? data->blocks : lanes;
    if (run.lanes == 0)
        run.lanes = 1; /* no rows: the state as init left it */
    for (int k = 0; k < count; k++)
        run.lane_bytes += room_of(&visitor[k]);
    run.states = linpred__calloc((size_t)run.lanes, run.lane_bytes);
    if (!run.states)
        return linpred__no_memory(error);
    bool complete = true;
    int ready = 0;
    size_t offset = 0;
    for (; ready < count && complete; ready++) {
        int64_t made = make_states(&run, &visitor[ready], offset);
        complete = made == run.lanes;
        if (!complete)
            clear_states(&run, &visitor[ready], offset, 0, made);
        offset += room_of(&visitor[ready]);
    }
    linpred__blas_enter(); /* blocks are shared out here: BLAS must not start threads of its own, nor when lanes are
                              merged */
    if (complete)
        linpred__blas_run(pool, run.lanes, walk_lane, &run);
    offset = 0;
    for (int k = 0; k < (complete ? count : ready - 1); offset += room_of(&visitor[k]), k++) {
        if (complete)
            merge_lanes(&run, &visitor[k], offset, total[k]);
        else
            clear_states(&run, &visitor[k], offset, 0, run.lanes);
    }
    linpred__blas_leave();
    linpred__release(run.states);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

int64_t linpred__pass_lanes(const linpred_data *data)
{
    int64_t paid = data->columns > 0 ? data->entries / data->columns : LINPRED__LANES;
    return paid < 1 ? 1 : paid < LINPRED__LANES ? paid : LINPRED__LANES;
}

double linpred__pass_chain(const linpred_data *data, int64_t lanes)
{
    double blocks = (double)((data->blocks + lanes - 1) / lanes);
    return fmin((double)data->rows, blocks * data->block_rows) + LINPRED__LANES;
}

linpred_status linpred__pass(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                             void *total, linpred_error *error)
{
    return linpred__pass_all(data, pool, visitor, &total, 1, LINPRED__LANES, error);
}
