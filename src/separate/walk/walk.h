/* The perceptron's walk over the rows: from mistake to mistake, in the order asked for.
 *
 * The walk owns the weights. It finds the next row that is a mistake exactly as a loop over single rows would: rows are
 * scored ahead in chunks by all threads with the weights as they are, and the first mistake in order is taken; what was
 * scored beyond it is forgotten. After an update scores are recomputed, never corrected.
 */
#ifndef LINPRED_SEPARATE_WALK_WALK_H
#define LINPRED_SEPARATE_WALK_WALK_H

#include "core/options.h"
#include "core/random.h"
#include "core/run.h"
#include "pass/certified_sign.h"
#include "pass/problem.h"

/* How to walk. All zero but max_updates: in the order of the rows, by the rule y s <= 0. */
typedef struct linpred__walk_rules {
    linpred_order order;
    linpred_mistake mistake;
    uint64_t seed; /* of the random order */
    int64_t max_updates;
    bool eager; /* update without stopping at each mistake; only for the orders cyclic and random */
} linpred__walk_rules;

typedef enum linpred__walk_event {
    LINPRED__WALK_MISTAKE,  /* stands at a mistaken row, not updated yet */
    LINPRED__WALK_PASS_END, /* the last row of a pass lies behind */
    LINPRED__WALK_PAUSE     /* nothing happened for a while: look at the clock */
} linpred__walk_event;

typedef struct linpred__walk {
    const linpred_data *data;
    linpred__pool *pool;
    linpred_order order;
    linpred_mistake rule;
    linpred__random random;
    linpred__hyperplane plane;
    double step;   /* a power of two: what an update adds is step * y * (x, 1) */
    double radius; /* R >= ||(x,1)|| over all rows, (x) through the origin */
    double norm;   /* >= ||(w,b)|| */
    int64_t updates;
    int64_t max_updates;
    int64_t visited;     /* rows looked at in order, in all */
    int64_t run;         /* rows in a row that were right, up to here */
    int64_t typical_run; /* about how long such runs are */
    int32_t chunk;       /* rows that one thread scores at a time */
    bool clean;          /* no update since the pass began */
    bool eager;          /* update without stopping at each mistake */

    int64_t place;        /* in the pass: visited block * block_rows + place in that block */
    int64_t *block_order; /* random: which block is visited when */
    int32_t *row_order;   /* random: which row of it, block_rows for each block */
    int64_t *found;       /* scratch: for order worst, a candidate for each block */
    double *found_score;
    const linpred__block *block; /* of the mistaken row */
    int32_t row;
} linpred__walk;

/* Starts at w, b (copied; NULL: zero). */
linpred_status linpred__walk_open(linpred__walk *walk, linpred__run *run, const linpred__problem *problem,
                                  const linpred__walk_rules *rules, const double *w, double b, linpred_error *error);
void linpred__walk_close(linpred__walk *walk);

linpred__walk_event linpred__walk_advance(linpred__walk *walk);
/* After LINPRED__WALK_MISTAKE: adds the row and steps past it. */
void linpred__walk_update(linpred__walk *walk);
/* After LINPRED__WALK_PASS_END. */
void linpred__walk_next_pass(linpred__walk *walk);

/* The norm and the rounding_bound of the weights as they are. */
static inline void linpred__walk_renew_norm(linpred__walk *walk)
{
    walk->norm = linpred__norm_above(walk->plane.w, walk->data->columns, walk->plane.b);
    walk->plane.rounding_bound = linpred__rounding_bound(walk->data->columns, walk->norm, walk->radius);
}

#endif
