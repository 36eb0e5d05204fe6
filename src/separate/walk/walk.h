/* The perceptron's walk over the rows, from mistake to mistake, in a given order.
 *
 * The walk owns the weights. It stops at the same mistakes as a loop that scores one row after another. To be faster,
 * all threads score rows ahead with the current weights, a chunk each. The walk takes the first mistake in order and
 * discards the scores behind it. After an update scores are computed again, never corrected.
 */
#ifndef LINPRED_SEPARATE_WALK_WALK_H
#define LINPRED_SEPARATE_WALK_WALK_H

#include "core/options.h"
#include "core/random.h"
#include "core/run.h"
#include "pass/certified_sign.h"
#include "pass/problem.h"
#include "separate/limits.h"

/* How to walk. The default (all zero except max_updates) is the order of the rows and the rule y s <= 0. */
typedef struct linpred__walk_rules {
    linpred_order order;
    linpred_mistake mistake;
    uint64_t seed; /* of the random order */
    int64_t max_updates;
    bool eager; /* update without stopping at each mistake; only for the orders cyclic and random */
} linpred__walk_rules;

typedef enum linpred__walk_event {
    LINPRED__WALK_MISTAKE,  /* the walk has reached a mistake; the weights are not updated yet */
    LINPRED__WALK_PASS_END, /* the walk has visited the last row of a pass */
    LINPRED__WALK_PAUSE     /* some rows were visited without an event, so that the caller can ask the clock */
} linpred__walk_event;

typedef struct linpred__walk {
    const linpred_data *data;
    linpred__pool *pool;
    linpred_order order;
    linpred_mistake rule;
    linpred__random random;
    linpred__hyperplane hyperplane;
    bool has_intercept; /* updates change b too */
    double step;        /* a power of two; an update adds step * y * (x, 1) to (w, b) */
    double radius;      /* R >= ||(x,1)|| over all rows; without intercept R >= ||x|| */
    double norm;        /* an upper bound of ||(w,b)|| */
    int64_t updates;
    int64_t max_updates;
    int64_t visited;     /* rows visited so far, in all passes */
    int64_t run;         /* rows visited since the last mistake */
    int64_t typical_run; /* a moving average of the lengths of such runs */
    int32_t chunk;       /* rows that one thread scores in one task */
    bool clean;          /* no update since the pass began */
    bool eager;          /* update without stopping at each mistake */

    int64_t place; /* the position in the pass: (visits of blocks so far) * block_rows + rows of this block so far */
    int64_t *block_order; /* order random: the block of each visit; else NULL */
    int32_t *row_order;   /* order random: the order of the rows of each block, block_rows numbers each; else NULL */
    int64_t *found;      /* order worst: for each block the row with the lowest score, or `rows` if none is a mistake */
    double *found_score; /* order worst: the computed score of that row */
    int64_t block_number; /* the block of the mistake */
    int32_t row;          /* the place of the mistake in that block */
} linpred__walk;

/* The block of the mistake. */
static inline const linpred__block *linpred__walk_block(const linpred__walk *walk)
{
    return linpred__block_at(walk->data, walk->block_number);
}

/* Starts at w, b, which are copied; w NULL: at 0. */
linpred_status linpred__walk_open(linpred__walk *walk, linpred__run *run, const linpred__problem *problem,
                                  const linpred__walk_rules *rules, const double *w, double b, linpred_error *error);
void linpred__walk_close(linpred__walk *walk);

/* Walks on to the next event. */
linpred__walk_event linpred__walk_advance(linpred__walk *walk);
/* After LINPRED__WALK_MISTAKE: updates the weights by the row and moves past it. */
void linpred__walk_update(linpred__walk *walk);
/* After LINPRED__WALK_PASS_END: begins the next pass. */
void linpred__walk_next_pass(linpred__walk *walk);

/* Visits rows from place i of the block on, four at a time, and updates at each mistake (four_rows.c). Returns the
   place of the first four rows that it leaves: one of them is not clearly right or wrong, they reach to the end of the
   rows or of the updates allowed, or they cannot be read as whole vectors. *last_update becomes the place of the last
   of the four rows with the last update, if there was one. */
int32_t linpred__walk_four_rows(linpred__walk *walk, const linpred__block *block, const int32_t *order, int32_t i,
                                int32_t end, int32_t *last_update);

/* Computes the norm of the current weights and the rounding bound of their scores. */
static inline void linpred__walk_renew_norm(linpred__walk *walk)
{
    walk->norm = linpred__norm_above(walk->hyperplane.w, walk->data->columns, walk->hyperplane.b);
    walk->hyperplane.rounding_bound = linpred__rounding_bound(walk->data->columns, walk->norm, walk->radius);
}

/* Counts at most four updates that were just made, and bounds the norm after them. */
static inline void linpred__walk_count_updates(linpred__walk *walk, int64_t count)
{
    int64_t before = walk->updates;
    walk->updates += count;
    if (walk->updates / LINPRED__WALK_RENORM != before / LINPRED__WALK_RENORM) {
        linpred__walk_renew_norm(walk);
        return;
    }
    walk->norm = (walk->norm + (double)count * walk->step * walk->radius) * (1.0 + 0x1p-49);
    walk->hyperplane.rounding_bound = linpred__rounding_bound(walk->data->columns, walk->norm, walk->radius);
}

#endif
