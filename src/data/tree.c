/* The scheduler of the pass. Threads take segments in order from one counter. A thread that completes a node merges it
 * with its sibling if the sibling is complete too; else the node waits for its sibling. So a thread holds one state, or
 * two while it merges, and on each level at most as many nodes wait as there are threads. */
#include "data/tree.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/blas.h"
#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "data/limits.h"
#include "data/stored.h"

/* ---- the cut ----------------------------------------------------------------------------------------------------- */

/* The approximate number of entries of a row. For sparse rows it is computed from block_rows alone, so that the cut
   does not depend on the values: a block has between half of and all of LINPRED__BLOCK_VALUES entries, unless
   block_rows is at a limit. */
static double entries_of_row(const linpred_data *data)
{
    if (data->layout == LINPRED__DENSE)
        return data->columns > 0 ? data->columns : 1.0;
    double share = data->block_rows == LINPRED__BLOCK_MAX_ROWS ? 0.5 : 0.75;
    return fmin(share * LINPRED__BLOCK_VALUES / data->block_rows, fmax(data->columns, 1.0));
}

static linpred__cut cut_rows(const linpred_data *data, double rows, double numbers)
{
    double blocks = fmin(ceil(rows / data->block_rows), 0x1p52);
    linpred__cut cut = {LINPRED__SEGMENT_MIN_BLOCKS, numbers};
    if (blocks > (double)cut.blocks)
        cut.blocks = (int64_t)blocks;
    return cut;
}

linpred__cut linpred__cut_small(const linpred_data *data)
{
    return cut_rows(data, 0.0, 0.0);
}

linpred__cut linpred__cut_vector(const linpred_data *data, double numbers)
{
    return cut_rows(data, LINPRED__SEGMENT_ENTRIES_A_NUMBER * numbers / entries_of_row(data), numbers);
}

linpred__cut linpred__cut_matrix(const linpred_data *data, double width)
{
    double rows = fmax(LINPRED__SEGMENT_MATRIX_ROWS, LINPRED__SEGMENT_ROWS_A_COLUMN * width);
    double share = width / entries_of_row(data);
    if (data->layout == LINPRED__SPARSE)
        rows = fmax(rows, LINPRED__SEGMENT_SPARSE_MATRIX * share * share);
    return cut_rows(data, rows, width * width);
}

linpred__cut linpred__cut_triangle(const linpred_data *data, double width)
{
    double rows = fmin(LINPRED__SEGMENT_TRIANGLE_MAX * width, LINPRED__SEGMENT_TRIANGLE_ROWS);
    return cut_rows(data, fmax(LINPRED__SEGMENT_TRIANGLE_MIN * width, rows), width * width);
}

int64_t linpred__segments(const linpred_data *data, linpred__cut cut)
{
    return data->blocks > 0 ? (data->blocks - 1) / cut.blocks + 1 : 1;
}

static int levels_of(int64_t segments)
{
    int levels = 0;
    while (((int64_t)1 << levels) < segments)
        levels++;
    return levels;
}

double linpred__pass_chain(const linpred_data *data, linpred__cut cut)
{
    double rows = fmin((double)data->rows, (double)cut.blocks * data->block_rows);
    return rows + levels_of(linpred__segments(data, cut));
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

/* A node of the tree, complete or in work. */
struct node {
    struct node *next;          /* in the list of waiting or unused nodes */
    int level;                  /* the node is (level, index) of tree.h */
    int64_t index;              /* see `level` */
    _Alignas(16) char states[]; /* the states of all visitors, one after the other */
};

struct tree_walk {
    const linpred_data *data;
    const linpred__visitor *visitor;
    int count;         /* of visitors */
    size_t node_bytes; /* size of a node with its states */
    linpred__cut cut;
    int64_t segments;
    int levels;                 /* the level of the root: ceil(log2(segments)) */
    _Atomic int64_t next;       /* the next segment to visit */
    _Atomic bool no_memory;     /* memory ran out, and all threads must stop */
    struct node *root;          /* the complete tree; the thread that completes it sets it */
    pthread_mutex_t mutex;      /* guards the two lists */
    struct node *waiting;       /* complete nodes whose siblings are not complete */
    struct node *unused;        /* nodes without states, to be used again */
    linpred__read_ahead *ahead; /* reads blocks that lie in a file; NULL: they are in memory */
};

/* The bytes of a state, rounded up so that the next state is aligned for any type. */
static size_t aligned_bytes(const linpred__visitor *visitor)
{
    return (visitor->state_bytes + 15) / 16 * 16;
}

/* Clears the states of the first `count` visitors. */
static void clear_states(const struct tree_walk *walk, struct node *node, int count)
{
    char *state = node->states;
    for (int k = 0; k < count; state += aligned_bytes(&walk->visitor[k]), k++)
        if (walk->visitor[k].clear)
            walk->visitor[k].clear(walk->visitor[k].context, state);
}

static void put_away(struct tree_walk *walk, struct node *node)
{
    pthread_mutex_lock(&walk->mutex);
    node->next = walk->unused;
    walk->unused = node;
    pthread_mutex_unlock(&walk->mutex);
}

static struct node *new_node(struct tree_walk *walk)
{
    pthread_mutex_lock(&walk->mutex);
    struct node *node = walk->unused;
    if (node)
        walk->unused = node->next;
    pthread_mutex_unlock(&walk->mutex);
    return node ? node : linpred__alloc(1, walk->node_bytes);
}

/* A node of level 0 with new states; NULL if out of memory. */
static struct node *begin_node(struct tree_walk *walk, int64_t segment)
{
    struct node *node = new_node(walk);
    if (!node)
        return NULL;
    memset(node, 0, walk->node_bytes);
    node->index = segment;
    char *state = node->states;
    for (int k = 0; k < walk->count; state += aligned_bytes(&walk->visitor[k]), k++)
        if (walk->visitor[k].init && !walk->visitor[k].init(walk->visitor[k].context, state)) {
            clear_states(walk, node, k);
            put_away(walk, node);
            return NULL;
        }
    return node;
}

/* Takes the complete sibling of a node out of the list and returns it. If there is none, puts the node into the list
   and returns NULL. */
static struct node *meet_sibling(struct tree_walk *walk, struct node *node)
{
    pthread_mutex_lock(&walk->mutex);
    struct node **link = &walk->waiting;
    while (*link && ((*link)->level != node->level || (*link)->index != (node->index ^ 1)))
        link = &(*link)->next;
    struct node *sibling = *link;
    if (sibling) {
        *link = sibling->next;
    } else {
        node->next = walk->waiting;
        walk->waiting = node;
    }
    pthread_mutex_unlock(&walk->mutex);
    return sibling;
}

LINPRED__FAST static void add_sums(void *restrict into, const void *restrict from, size_t count)
{
    double *restrict a = into;
    const double *restrict b = from;
    for (size_t i = 0; i < count; i++)
        a[i] += b[i];
}

/* Merges the right node into the left one, and frees the right one. */
static void merge_nodes(struct tree_walk *walk, struct node *left, struct node *right)
{
    char *into = left->states, *from = right->states;
    for (int k = 0; k < walk->count; k++) {
        const linpred__visitor *visitor = &walk->visitor[k];
        if (visitor->merge)
            visitor->merge(visitor->context, into, from);
        else
            add_sums(into, from, visitor->state_bytes / sizeof(double));
        into += aligned_bytes(visitor);
        from += aligned_bytes(visitor);
    }
    clear_states(walk, right, walk->count);
    put_away(walk, right);
}

/* Moves a complete node up the tree, as long as its siblings are complete. */
static void carry(struct tree_walk *walk, struct node *node)
{
    while (node->level < walk->levels) {
        bool alone = ((node->index ^ 1) << node->level) >= walk->segments; /* no sibling: the node is its parent too */
        if (!alone) {
            bool is_left = (node->index & 1) == 0;
            struct node *sibling = meet_sibling(walk, node);
            if (!sibling)
                return;
            merge_nodes(walk, is_left ? node : sibling, is_left ? sibling : node);
            node = is_left ? node : sibling;
        }
        node->level++;
        node->index >>= 1;
    }
    walk->root = node;
}

static void visit_block(const struct tree_walk *walk, struct node *node, const linpred__block *block)
{
    char *state = node->states;
    for (int k = 0; k < walk->count; state += aligned_bytes(&walk->visitor[k]), k++)
        walk->visitor[k].block(walk->visitor[k].context, state, block);
}

static void visit_segment(const struct tree_walk *walk, struct node *node, int64_t segment)
{
    int64_t first = segment * walk->cut.blocks, left = walk->data->blocks - first;
    for (int64_t i = 0; i < walk->cut.blocks && i < left; i++)
        visit_block(walk, node, &walk->data->block[first + i]);
}

/* The same for rows that lie in a file. Each segment is read as a whole by the thread that reads ahead; if it is too
   long for that, there is one worker, which visits it part by part. */
static void take_parts(void *context, int64_t task)
{
    (void)task;
    struct tree_walk *walk = context;
    struct node *node = NULL;
    linpred__part part;
    while (!atomic_load(&walk->no_memory) && linpred__read_ahead_take(walk->ahead, &part)) {
        int64_t segment = part.first / walk->cut.blocks, end = part.first + part.blocks;
        if (!node)
            node = begin_node(walk, segment);
        if (!node)
            atomic_store(&walk->no_memory, true);
        for (int64_t i = 0; node && i < part.blocks; i++)
            visit_block(walk, node, &part.block[i]);
        linpred__read_ahead_give_back(walk->ahead, &part);
        if (node && (end % walk->cut.blocks == 0 || end == walk->data->blocks)) {
            carry(walk, node);
            node = NULL;
        }
    }
    if (node) { /* memory ran out in another thread */
        clear_states(walk, node, walk->count);
        put_away(walk, node);
    }
    if (atomic_load(&walk->no_memory))
        linpred__read_ahead_stop(walk->ahead);
}

static void take_segments(void *context, int64_t task)
{
    (void)task;
    struct tree_walk *walk = context;
    while (!atomic_load(&walk->no_memory)) {
        int64_t segment = atomic_fetch_add(&walk->next, 1);
        if (segment >= walk->segments)
            return;
        struct node *node = begin_node(walk, segment);
        if (!node) {
            atomic_store(&walk->no_memory, true);
            return;
        }
        visit_segment(walk, node, segment);
        carry(walk, node);
    }
}

/* The number of threads to use: those of the pool, but not more than segments, and not more than states fit into
   LINPRED__STATES_NUMBERS (one for each thread and one for each level). */
static int64_t workers_of(const struct tree_walk *walk, linpred__pool *pool)
{
    double states = LINPRED__STATES_NUMBERS / fmax(walk->cut.numbers, 1.0) - walk->levels;
    int64_t workers = linpred__pool_threads(pool);
    if ((double)workers > states)
        workers = states > 2.0 ? (int64_t)states : 2;
    return workers < walk->segments ? workers : walk->segments;
}

static void release_nodes(struct node *node)
{
    while (node) {
        struct node *next = node->next;
        linpred__release(node);
        node = next;
    }
}

static void take_totals(const struct tree_walk *walk, void *const *total)
{
    const char *state = walk->root->states;
    for (int k = 0; k < walk->count; state += aligned_bytes(&walk->visitor[k]), k++)
        memcpy(total[k], state, walk->visitor[k].state_bytes);
}

linpred_status linpred__pass_all(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                                 void *const *total, int count, linpred__cut cut, linpred_error *error)
{
    struct tree_walk walk = {.data = data, .visitor = visitor, .count = count, .cut = cut};
    walk.segments = linpred__segments(data, cut);
    walk.levels = levels_of(walk.segments);
    walk.node_bytes = sizeof(struct node);
    for (int k = 0; k < count; k++)
        walk.node_bytes += aligned_bytes(&visitor[k]);
    pthread_mutex_init(&walk.mutex, NULL);
    int64_t workers = workers_of(&walk, pool);
    linpred_status status = LINPRED_OK;
    if (data->stored && data->rows > 0) {
        status = linpred__read_ahead_open(data, cut.blocks, &workers, &walk.ahead, error);
        if (status == LINPRED_OK)
            linpred__blas_run(pool, workers, take_parts, &walk);
        linpred__read_ahead_close(walk.ahead);
        if (status == LINPRED_OK)
            status = linpred__stored_check(data, error);
    } else {
        linpred__blas_run(pool, workers, take_segments, &walk);
    }
    pthread_mutex_destroy(&walk.mutex);
    bool complete = walk.root != NULL && status == LINPRED_OK;
    if (complete)
        take_totals(&walk, total);
    for (struct node *node = walk.waiting; node; node = node->next)
        clear_states(&walk, node, count);
    if (walk.root && !complete)
        clear_states(&walk, walk.root, count);
    release_nodes(walk.waiting);
    release_nodes(walk.unused);
    linpred__release(walk.root);
    return complete || status != LINPRED_OK ? status : linpred__no_memory(error);
}

linpred_status linpred__pass(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                             void *total, linpred_error *error)
{
    return linpred__pass_all(data, pool, visitor, &total, 1, linpred__cut_vector(data, data->columns), error);
}
