/* The scheduler of the pass. Threads take segments in order from one counter. A thread that completes a node merges it
 * with its sibling if the sibling is complete too; else the node waits for its sibling. So a thread holds one state, or
 * two while it merges, and on each level at most as many nodes wait as there are threads. */
#include "data/tree_walk.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/comm.h"
#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "core/spill.h"
#include "data/limits.h"

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

/* ---- nodes --------------------------------------------------------------------------------------------------------
 */

size_t linpred__state_bytes(const linpred__visitor *visitor)
{
    return (visitor->state_bytes + 15) / 16 * 16;
}

/* Clears the states of the first `count` visitors. */
static void clear_states(const linpred__tree_walk *walk, linpred__tree_node *node, int count)
{
    char *state = node->states;
    for (int k = 0; k < count; state += linpred__state_bytes(&walk->visitor[k]), k++)
        if (walk->visitor[k].clear)
            walk->visitor[k].clear(walk->visitor[k].context, state);
}

static void put_away(linpred__tree_walk *walk, linpred__tree_node *node)
{
    pthread_mutex_lock(&walk->mutex);
    node->next = walk->unused;
    walk->unused = node;
    pthread_mutex_unlock(&walk->mutex);
}

static linpred__tree_node *new_node(linpred__tree_walk *walk)
{
    pthread_mutex_lock(&walk->mutex);
    linpred__tree_node *node = walk->unused;
    if (node)
        walk->unused = node->next;
    pthread_mutex_unlock(&walk->mutex);
    return node ? node : linpred__alloc(1, walk->node_bytes);
}

void linpred__tree_node_end(linpred__tree_walk *walk, linpred__tree_node *node)
{
    clear_states(walk, node, walk->count);
    put_away(walk, node);
}

linpred__tree_node *linpred__tree_node_begin(linpred__tree_walk *walk, int64_t segment)
{
    linpred__tree_node *node = new_node(walk);
    if (!node)
        return NULL;
    memset(node, 0, walk->node_bytes);
    node->index = segment;
    char *state = node->states;
    for (int k = 0; k < walk->count; state += linpred__state_bytes(&walk->visitor[k]), k++)
        if (walk->visitor[k].init && !walk->visitor[k].init(walk->visitor[k].context, state)) {
            clear_states(walk, node, k);
            put_away(walk, node);
            return NULL;
        }
    return node;
}

linpred__tree_node *linpred__tree_node_take(linpred__tree_walk *walk, int level, int64_t index)
{
    linpred__tree_node **link = &walk->waiting;
    while (*link && ((*link)->level != level || (*link)->index != index))
        link = &(*link)->next;
    linpred__tree_node *node = *link;
    if (node)
        *link = node->next;
    return node;
}

/* Takes the complete sibling of a node out of the list and returns it. If there is none, puts the node into the list
   and returns NULL. */
static linpred__tree_node *meet_sibling(linpred__tree_walk *walk, linpred__tree_node *node)
{
    pthread_mutex_lock(&walk->mutex);
    linpred__tree_node *sibling = linpred__tree_node_take(walk, node->level, node->index ^ 1);
    if (!sibling) {
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

void linpred__nodes_merge(linpred__tree_walk *walk, linpred__tree_node *left, linpred__tree_node *right)
{
    char *into = left->states, *from = right->states;
    for (int k = 0; k < walk->count; k++) {
        const linpred__visitor *visitor = &walk->visitor[k];
        if (visitor->merge)
            visitor->merge(visitor->context, into, from);
        else
            add_sums(into, from, visitor->state_bytes / sizeof(double));
        into += linpred__state_bytes(visitor);
        from += linpred__state_bytes(visitor);
    }
    linpred__tree_node_end(walk, right);
}

void linpred__tree_node_carry(linpred__tree_walk *walk, linpred__tree_node *node)
{
    while (node->level < walk->levels) {
        bool alone = ((node->index ^ 1) << node->level) >= walk->segments; /* no sibling: the node is its parent too */
        if (!alone) {
            bool is_left = (node->index & 1) == 0;
            linpred__tree_node *sibling = meet_sibling(walk, node);
            if (!sibling)
                return;
            linpred__nodes_merge(walk, is_left ? node : sibling, is_left ? sibling : node);
            node = is_left ? node : sibling;
        }
        node->level++;
        node->index >>= 1;
    }
    walk->root = node;
}

static void visit_block(const linpred__tree_walk *walk, linpred__tree_node *node, const linpred__block *block)
{
    char *state = node->states;
    for (int k = 0; k < walk->count; state += linpred__state_bytes(&walk->visitor[k]), k++)
        walk->visitor[k].block(walk->visitor[k].context, state, block);
}

/* A new node for a segment; NULL if out of memory. */
static linpred__tree_node *node_of_segment(linpred__tree_walk *walk, int64_t segment)
{
    linpred__tree_node *node = linpred__tree_node_begin(walk, segment);
    if (!node)
        atomic_store(&walk->no_memory, true);
    return node;
}

static void take_segments(void *context, int64_t task)
{
    (void)task;
    linpred__tree_walk *walk = context;
    while (!atomic_load(&walk->no_memory)) {
        int64_t segment = atomic_fetch_add(&walk->next, 1);
        int64_t from = segment * walk->cut.blocks, to = from + walk->cut.blocks;
        if (from >= walk->end && segment > 0)
            return;
        linpred__tree_node *node = node_of_segment(walk, segment);
        if (!node)
            return;
        to = to < walk->end ? to : walk->end;
        for (int64_t i = from; i < to; i++)
            visit_block(walk, node, &walk->data->block[i]);
        linpred__tree_node_carry(walk, node);
        if (walk->data->spill)
            linpred__spill_trim(walk->data->spill);
    }
}

/* The same for rows that lie in a file. Each segment is read as a whole by the thread that reads ahead; if it is too
   long for that, there is one worker, which visits it part by part. */
static void take_parts(void *context, int64_t task)
{
    (void)task;
    linpred__tree_walk *walk = context;
    linpred__tree_node *node = NULL;
    linpred__part part;
    while (!atomic_load(&walk->no_memory) && linpred__read_ahead_take(walk->ahead, &part)) {
        int64_t segment = part.first / walk->cut.blocks, end = part.first + part.blocks;
        if (!node)
            node = node_of_segment(walk, segment);
        for (int64_t i = 0; node && i < part.blocks; i++) {
            linpred__look_at(walk->data->stored, &part.block[i]);
            visit_block(walk, node, &part.block[i]);
        }
        linpred__read_ahead_give_back(walk->ahead, &part);
        if (node && (end % walk->cut.blocks == 0 || end == walk->end)) {
            linpred__tree_node_carry(walk, node);
            node = NULL;
        }
    }
    if (node) /* memory ran out in another thread */
        linpred__tree_node_end(walk, node);
    if (atomic_load(&walk->no_memory))
        linpred__read_ahead_stop(walk->ahead);
}

/* The number of threads to use: those of the pool, but not more than segments, and not more than states fit into
   LINPRED__STATES_NUMBERS (one for each thread and one for each level). */
static int64_t workers_of(const linpred__tree_walk *walk, int64_t segments)
{
    double states = LINPRED__STATES_NUMBERS / fmax(walk->cut.numbers, 1.0) - walk->levels;
    int64_t workers = segments > 1 ? linpred__pool_threads(walk->pool) : 1;
    if ((double)workers > states)
        workers = states > 2.0 ? (int64_t)states : 2;
    return workers < segments ? workers : segments;
}

linpred_status linpred__walk_blocks(linpred__tree_walk *walk, int64_t first, int64_t end, linpred_error *error)
{
    const linpred_data *data = walk->data;
    int64_t segment = first / walk->cut.blocks, last = (end > first ? end - 1 : first) / walk->cut.blocks;
    int64_t workers = workers_of(walk, last - segment + 1);
    walk->end = end;
    atomic_store(&walk->next, segment);
    if (!data->stored || end == first) {
        linpred__blas_run(walk->pool, workers, take_segments, walk);
        return LINPRED_OK;
    }
    linpred__share blocks = {first, end};
    linpred_status status = linpred__read_ahead_open(data, blocks, walk->cut.blocks, &workers, &walk->ahead, error);
    if (status == LINPRED_OK)
        linpred__blas_run(walk->pool, workers, take_parts, walk);
    linpred__read_ahead_close(walk->ahead);
    walk->ahead = NULL;
    return status == LINPRED_OK ? linpred__stored_check(data, error) : status;
}

static void release_nodes(linpred__tree_node *node)
{
    while (node) {
        linpred__tree_node *next = node->next;
        linpred__release(node);
        node = next;
    }
}

static void take_totals(const linpred__tree_walk *walk, void *const *total)
{
    const char *state = walk->root->states;
    for (int k = 0; k < walk->count; state += linpred__state_bytes(&walk->visitor[k]), k++)
        memcpy(total[k], state, walk->visitor[k].state_bytes);
}

/* Whether the processes share the pass: each visitor says what its state is made of. */
static bool is_shared(const linpred__tree_walk *walk)
{
    bool shared = linpred__comm_get() != NULL && walk->data->blocks > 0;
    for (int k = 0; k < walk->count; k++)
        shared = shared && walk->visitor[k].pieces != NULL;
    return shared;
}

linpred_status linpred__pass_all(const linpred_data *data, linpred__pool *pool, const linpred__visitor *visitor,
                                 void *const *total, int count, linpred__cut cut, linpred_error *error)
{
    linpred__tree_walk walk = {.data = data, .pool = pool, .visitor = visitor, .count = count, .cut = cut};
    walk.segments = linpred__segments(data, cut);
    walk.levels = levels_of(walk.segments);
    walk.node_bytes = sizeof(linpred__tree_node);
    for (int k = 0; k < count; k++)
        walk.node_bytes += linpred__state_bytes(&visitor[k]);
    pthread_mutex_init(&walk.mutex, NULL);
    linpred_status status = is_shared(&walk) ? linpred__walk_with_others(&walk, error)
                                             : linpred__walk_blocks(&walk, 0, data->blocks, error);
    pthread_mutex_destroy(&walk.mutex);
    bool complete = walk.root != NULL && status == LINPRED_OK;
    if (complete)
        take_totals(&walk, total);
    for (linpred__tree_node *node = walk.waiting; node; node = node->next)
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
