/* The walk of a pass over its tree (tree.h): what its threads (tree_walk.c) and its processes (tree_processes.c) share.
 */
#ifndef LINPRED_DATA_TREE_WALK_H
#define LINPRED_DATA_TREE_WALK_H

#include <pthread.h>
#include <stdatomic.h>

#include "data/stored.h"
#include "data/tree.h"

/* A node of the tree, complete or in work. */
typedef struct linpred__tree_node {
    struct linpred__tree_node *next; /* in the list of waiting or unused nodes */
    int level;                       /* the node is (level, index) of tree.h */
    int64_t index;                   /* see `level` */
    _Alignas(16) char states[];      /* the states of all visitors, one after the other */
} linpred__tree_node;

typedef struct linpred__tree_walk {
    const linpred_data *data;
    linpred__pool *pool;
    const linpred__visitor *visitor;
    int count;         /* of visitors */
    size_t node_bytes; /* size of a node with its states */
    linpred__cut cut;
    int64_t segments;
    int levels;                  /* the level of the root: ceil(log2(segments)) */
    int64_t end;                 /* the first block that is not visited any more; a segment ends there */
    _Atomic int64_t next;        /* the next segment to visit */
    _Atomic bool no_memory;      /* memory ran out, and all threads must stop */
    linpred__tree_node *root;    /* the complete tree; the thread that completes it sets it */
    pthread_mutex_t mutex;       /* guards the two lists */
    linpred__tree_node *waiting; /* complete nodes whose siblings are not complete */
    linpred__tree_node *unused;  /* nodes without states, to be used again */
    linpred__read_ahead *ahead;  /* reads blocks that lie in a file; NULL: they are in memory */
} linpred__tree_walk;

/* A node of level 0 with new states; NULL if out of memory. */
linpred__tree_node *linpred__tree_node_begin(linpred__tree_walk *walk, int64_t segment);
/* Clears the states of a node, which may be used again. */
void linpred__tree_node_end(linpred__tree_walk *walk, linpred__tree_node *node);
/* Merges the right node into the left one, and ends the right one. */
void linpred__nodes_merge(linpred__tree_walk *walk, linpred__tree_node *left, linpred__tree_node *right);
/* Takes a complete node out of the list of those that wait; NULL if it is not there. */
linpred__tree_node *linpred__tree_node_take(linpred__tree_walk *walk, int level, int64_t index);
/* Moves a complete node up the tree, as long as its siblings are complete. */
void linpred__tree_node_carry(linpred__tree_walk *walk, linpred__tree_node *node);
/* The bytes of a state, rounded up so that the next state is aligned for any type. */
size_t linpred__state_bytes(const linpred__visitor *visitor);

/* Visits the blocks first .. end - 1, which are whole segments, on all threads. */
linpred_status linpred__walk_blocks(linpred__tree_walk *walk, int64_t first, int64_t end, linpred_error *error);

/* Visits all blocks with the other processes: afterwards each has the root. */
linpred_status linpred__walk_with_others(linpred__tree_walk *walk, linpred_error *error);

#endif
