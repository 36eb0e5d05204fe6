/* The pass: the one primitive that touches all rows.
 *
 * A visitor adds rows up in a state. The blocks of the data are cut into contiguous segments of equal length (the last
 * may be shorter). Each segment is visited in order, into a state of its own. The states are merged like the digits of
 * a binary counter: the node (level, i) covers segments i 2^level .. (i+1) 2^level - 1, and is the merge of the nodes
 * (level - 1, 2i) and (level - 1, 2i + 1), in this order; where the right one has no segments, it is the left one.
 *
 * The cut depends on columns, layout and the size of the state alone, so the tree is fixed: the number of threads
 * changes no bit, and rows that are added at the end change no node that is complete. With T threads and N segments at
 * most T (ceil(log2 N) + 1) states are alive at a time. Several visitors may share a pass: a block is then read once,
 * and is still in cache when the next visitor sees it.
 */
#ifndef LINPRED_DATA_TREE_H
#define LINPRED_DATA_TREE_H

#include "core/threads.h"
#include "data/data.h"

/* `init`, `block`, `merge` and `clear` are called on several threads at once, for different states: they must not write
   to *context, except what belongs to the rows of the block. */
typedef struct linpred__visitor {
    size_t state_bytes;
    bool (*init)(void *context, void *state); /* NULL: the state begins as zeros, as it comes; false: out of memory */
    void (*block)(void *context, void *state, const linpred__block *block); /* adds the rows of a block */
    /* The rows of `from` follow those of `into`. NULL: the state is an array of doubles, and the sums are added. */
    void (*merge)(void *context, void *into, const void *from);
    void (*clear)(void *context, void *state); /* frees what init made; NULL: nothing to free */
    void *context;
} linpred__visitor;

/* How rows are cut into segments. */
typedef struct linpred__cut {
    int64_t blocks; /* of a segment */
    double numbers; /* doubles that a state holds: a pass with large states runs on fewer threads */
} linpred__cut;

/* For states of a few numbers. */
linpred__cut linpred__cut_small(const linpred_data *data);
/* For states of vectors with so many numbers in all: a segment has several entries for each of them. */
linpred__cut linpred__cut_vector(const linpred_data *data, double numbers);
/* For states with a matrix of width², to which each row adds its outer product. */
linpred__cut linpred__cut_matrix(const linpred_data *data, double width);
/* For states with a triangle of width², where merging two costs as much as visiting `width` rows (QR). */
linpred__cut linpred__cut_triangle(const linpred_data *data, double width);

/* For a state that holds vectors as long as a row, or less. Afterwards *total is the merged state; the caller clears
   it. No rows: the state as init left it. */
linpred_status linpred__pass(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                             void *total, linpred_error *error);
/* The same for `count` visitors, visitor[i] into *total[i]: all of them, or on error none. */
linpred_status linpred__pass_all(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                                 void *const *total, int count, linpred__cut cut, linpred_error *error);

int64_t linpred__segments(const linpred_data *data, linpred__cut cut);
/* A term of a sum over rows takes part in at most this many additions: those of its segment, then one a level. For
   bounds on the rounding of the sum, whatever the order within a segment. */
double linpred__pass_chain(const linpred_data *data, linpred__cut cut);

#endif
