/* The pass: visits all rows once, on all threads, with the same bits for any number of threads.
 *
 * A visitor adds rows up in a state. The blocks of the data are cut into contiguous segments of equal length; the last
 * may be shorter. Each segment is visited in order, with a state of its own. The states are merged like the digits of a
 * binary counter: the node (level, i) covers the segments i 2^level … (i+1) 2^level - 1, and is the merge of the nodes
 * (level - 1, 2i) and (level - 1, 2i + 1), in this order. If the right node has no segments, it is the left node.
 *
 * The cut depends only on columns, layout and the size of the state, so the tree is fixed: the number of threads
 * changes no bit, and rows that are added at the end change no complete node. With T threads and N segments at most T
 * (ceil(log2 N) + 1) states exist at a time. Several visitors may share a pass: each block is then read from memory
 * once, and is still in cache for the next visitor.
 *
 * Processes that work together (core/comm.h) each visit the segments of their share. States are sent from right to left
 * along the tree, and the root is sent to all: so the number of processes changes no bit either.
 */
#ifndef LINPRED_DATA_TREE_H
#define LINPRED_DATA_TREE_H

#include "core/comm.h"
#include "core/threads.h"
#include "data/data.h"

/* The functions are called on several threads at once, for different states. They must not write to *context, except to
   what belongs to the rows of the block. */
typedef struct linpred__state_pieces linpred__state_pieces;
typedef struct linpred__visitor {
    size_t state_bytes; /* size of a state, which is all zeros at first */
    /* Prepares a state; false if out of memory. NULL if zeros are right. */
    bool (*init)(void *context, void *state);
    /* Adds the rows of a block. */
    void (*block)(void *context, void *state, const linpred__block *block);
    /* Adds the state `from`, whose rows come after those of `into`. NULL if the state is an array of doubles that are
       to be added. */
    void (*merge)(void *context, void *into, const void *from);
    /* Frees what `init` allocated. NULL if there is nothing to free. */
    void (*clear)(void *context, void *state);
    void *context; /* is passed to all functions */
    /* Lists the memory of a state, so that one process can send it and another receive it (core/comm.h): all but
       pointers and scratch. linpred__whole_state if a state has neither. NULL: every process visits all rows. A visitor
       that writes to what belongs to its rows needs NULL, or linpred__share_rows after the pass. */
    void (*pieces)(void *context, void *state, linpred__state_pieces *pieces);
} linpred__visitor;

/* For `pieces`: adds a piece of memory. NULL is no piece. */
void linpred__state_piece(linpred__state_pieces *pieces, void *memory, size_t bytes);
/* The same for one triangle of a symmetric matrix by rows: the other is not sent, and stays as it is. */
typedef struct linpred__triangle_shape {
    size_t n;
    size_t stride;
    bool upper; /* else the lower one */
} linpred__triangle_shape;
void linpred__state_triangle(linpred__state_pieces *pieces, double *matrix, linpred__triangle_shape triangle);
void linpred__whole_state(void *context, void *state, linpred__state_pieces *pieces);

/* How rows are cut into segments. */
typedef struct linpred__cut {
    int64_t blocks; /* blocks of a segment */
    double numbers; /* doubles of a state: a pass with large states runs on fewer threads */
} linpred__cut;

/* For states of a few numbers. */
linpred__cut linpred__cut_small(const linpred_data *data);
/* For states of vectors with `numbers` numbers in all: a segment has several entries of rows for each number. */
linpred__cut linpred__cut_vector(const linpred_data *data, double numbers);
/* For states with a width x width matrix, to which each row adds its outer product. */
linpred__cut linpred__cut_matrix(const linpred_data *data, double width);
/* For states with a triangle of this width (QR): merging two costs as much as visiting `width` rows. */
linpred__cut linpred__cut_triangle(const linpred_data *data, double width);

/* The blocks that this process visits in a pass with this cut: all, if it is alone. */
linpred__share linpred__own_blocks(const linpred_data *data, linpred__cut cut);
/* After a pass with this cut whose visitor wrote one element of so many bytes for each row: gives every process those
   of all rows. */
void linpred__share_rows(const linpred_data *data, linpred__cut cut, void *rows, size_t bytes);
/* The same for one element of each block. */
void linpred__share_blocks(const linpred_data *data, linpred__cut cut, void *blocks, size_t bytes);

/* A pass with one visitor whose state holds at most a few vectors of the length of a row. *total becomes the merged
   state, which the caller clears. Without rows it is the state as `init` left it. The cut is that of as many numbers as
   columns. */
linpred_status linpred__pass(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                             void *total, linpred_error *error);
/* A pass with `count` visitors; *total[i] becomes the merged state of visitor[i]. On error no total is set. */
linpred_status linpred__pass_all(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                                 void *const *total, int count, linpred__cut cut, linpred_error *error);

/* The number of segments; 1 for data without rows. */
int64_t linpred__segments(const linpred_data *data, linpred__cut cut);
/* The largest number of additions that a term of a sum over rows takes part in: those of its segment, and one on each
   level. It bounds the rounding of the sum, whatever the order within a segment. */
double linpred__pass_chain(const linpred_data *data, linpred__cut cut);

#endif
