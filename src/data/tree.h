/* The pass: the one primitive that touches all rows.
 *
 * A visitor has a state for each lane. Lane l sees blocks l, l + L, l + 2L, … in that order, whichever thread runs it,
 * and the lanes are merged in order into lane 0: the number of threads never changes a bit. Several visitors may share
 * a pass: a block is then read once, and is still in cache when the next one looks at it.
 */
#ifndef LINPRED_DATA_TREE_H
#define LINPRED_DATA_TREE_H

#include "core/threads.h"
#include "data/data.h"

enum { LINPRED__LANES = 16 };

typedef struct linpred__visitor {
    size_t state_bytes;
    bool (*init)(void *context, void *state); /* state comes cleared; false: out of memory */
    void (*block)(void *context, void *state, const linpred__block *block);
    void (*merge)(void *context, void *into, const void *from);
    void (*clear)(void *context, void *state); /* frees what init made; NULL if nothing */
    void *context;
} linpred__visitor;

/* Afterwards *total is the merged state; the caller clears it. */
linpred_status linpred__pass(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                             void *total, linpred_error *error);
/* The same for `count` visitors, visitor[i] into *total[i]: all of them, or on error none. `lanes`, LINPRED__LANES at
   most, may depend on the shape of the data, never on threads. */
linpred_status linpred__pass_all(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                                 void *const *total, int count, int64_t lanes, linpred_error *error);
/* How many lanes pay where a state is as long as a row: each must have more entries to see than clearing and merging it
 * costs. */
int64_t linpred__pass_lanes(const linpred_data *data);
/* A sum over rows in a pass of so many lanes has at most this many terms one after another: those of a lane, then the
   lanes. For bounds on its rounding, whatever the order within a lane. */
double linpred__pass_chain(const linpred_data *data, int64_t lanes);

#endif
