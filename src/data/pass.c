#include "data/pass.h"

#include <string.h>

#include "core/blas.h"
#include "core/error.h"
#include "core/memory.h"

struct run {
    const linpred_data *data;
    const linpred__visitor *visitor;
    char *states;
    int64_t lanes;
};

static void walk_lane(void *context, int64_t lane)
{
    struct run *run = context;
    void *state = run->states + (size_t)lane * run->visitor->state_bytes;
    for (int64_t i = lane; i < run->data->blocks; i += run->lanes)
        run->visitor->block(run->visitor->context, state, &run->data->block[i]);
}

linpred_status linpred__pass(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                             void *total, linpred_error *error)
{
    struct run run = {data, visitor, NULL, data->blocks < LINPRED__LANES ? data->blocks : LINPRED__LANES};
    if (run.lanes == 0)
        run.lanes = 1; /* no rows: the state as init left it */
    size_t bytes = visitor->state_bytes;
    run.states = linpred__calloc((size_t)run.lanes, bytes);
    if (!run.states)
        return linpred__no_memory(error);
    int64_t made = 0;
    while (made < run.lanes && visitor->init(visitor->context, run.states + (size_t)made * bytes))
        made++;
    bool complete = made == run.lanes;
    if (complete) {
        linpred__blas_enter(); /* blocks are shared out here: BLAS must not start threads of its own */
        linpred__pool_run(pool, run.lanes, walk_lane, &run);
        linpred__blas_leave();
        for (int64_t lane = 1; lane < run.lanes; lane++)
            visitor->merge(visitor->context, run.states, run.states + (size_t)lane * bytes);
        memcpy(total, run.states, bytes);
    }
    for (int64_t lane = complete ? 1 : 0; visitor->clear && lane < made; lane++)
        visitor->clear(visitor->context, run.states + (size_t)lane * bytes);
    linpred__release(run.states);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}
