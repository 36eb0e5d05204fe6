/* The pass of several processes. Each visits whole segments: none waits for another before its own rows are visited. A
 * node belongs to the process of its first segment. On each level a process has at most one node whose left sibling is
 * elsewhere, which it sends there, and at most one whose right sibling is elsewhere, which it receives. All know who
 * has what, so nothing is asked. Messages go to the left, level by level, so no process waits for one that waits for
 * it.
 */
#include <string.h>

#include "core/comm.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/checkpoint.h"
#include "data/limits.h"
#include "data/tree_walk.h"

/* ---- messages ---------------------------------------------------------------------------------------------------- */

typedef enum transfer { SEND, RECEIVE, BROADCAST, RECORD, REPLAY } transfer;

struct linpred__state_pieces {
    transfer transfer;
    int other; /* the process to send to, to receive from, or that broadcasts; of no meaning for a checkpoint */
    size_t state_bytes;
};

void linpred__state_piece(linpred__state_pieces *pieces, void *memory, size_t bytes)
{
    const linpred__comm *comm = linpred__comm_get();
    if (!memory || bytes == 0)
        return;
    if (pieces->transfer == SEND)
        comm->send(pieces->other, memory, bytes);
    else if (pieces->transfer == RECEIVE)
        comm->receive(pieces->other, memory, bytes);
    else if (pieces->transfer == BROADCAST)
        comm->broadcast(pieces->other, memory, bytes);
    else if (pieces->transfer == RECORD)
        linpred__checkpoint_add(memory, bytes);
    else
        linpred__checkpoint_load(memory, bytes);
}

void linpred__whole_state(void *context, void *state, linpred__state_pieces *pieces)
{
    (void)context;
    linpred__state_piece(pieces, state, pieces->state_bytes);
}

/* Copies the part of a row i of the triangle from or to memory without gaps; returns its length. */
static size_t copy_triangle_row(double *matrix, linpred__triangle_shape triangle, size_t i, double *packed, bool pack)
{
    double *row = matrix + i * triangle.stride + (triangle.upper ? i : 0);
    size_t length = triangle.upper ? triangle.n - i : i + 1;
    if (pack)
        memcpy(packed, row, length * sizeof *row);
    else
        memcpy(row, packed, length * sizeof *row);
    return length;
}

void linpred__state_triangle(linpred__state_pieces *pieces, double *matrix, linpred__triangle_shape triangle)
{
    enum { AT_A_TIME = 1 << 17 }; /* numbers: 1 MB */
    size_t capacity = triangle.n < AT_A_TIME ? AT_A_TIME : triangle.n;
    double *packed = matrix ? linpred__alloc(capacity, sizeof *packed) : NULL;
    if (matrix && !packed) {
        linpred_error error;
        linpred__no_memory(&error);
        linpred__comm_get()->give_up(&error);
    }
    for (size_t first = 0, end; packed && first < triangle.n; first = end) {
        size_t count = 0;
        for (end = first; end < triangle.n && count + triangle.n <= capacity; end++)
            count += copy_triangle_row(matrix, triangle, end, packed + count, true);
        linpred__state_piece(pieces, packed, count * sizeof *packed);
        count = 0;
        for (size_t i = first; i < end; i++)
            count += copy_triangle_row(matrix, triangle, i, packed + count, false);
    }
    linpred__release(packed);
}

static void transfer_node(const linpred__tree_walk *walk, linpred__tree_node *node, transfer how, int other)
{
    char *state = node->states;
    for (int k = 0; k < walk->count; state += linpred__state_bytes(&walk->visitor[k]), k++) {
        linpred__state_pieces pieces = {how, other, walk->visitor[k].state_bytes};
        walk->visitor[k].pieces(walk->visitor[k].context, state, &pieces);
    }
}

/* ---- who has what ------------------------------------------------------------------------------------------------ */

/* Shares are cut in stretches of segments, whose length is a power of two: a node that lies in one stretch is never
   sent, and a share differs from the others by little. */
static int64_t stretch_of(int64_t segments, int processes)
{
    int64_t stretch = 1;
    while (segments / (2 * stretch) >= (int64_t)LINPRED__STRETCHES_A_PROCESS * processes)
        stretch *= 2;
    return stretch;
}

static linpred__share segments_of_process(int64_t segments, int processes, int process)
{
    int64_t stretch = stretch_of(segments, processes);
    linpred__share share = linpred__share_of((segments - 1) / stretch + 1, processes, process);
    int64_t from = share.from * stretch, to = share.to * stretch;
    return (linpred__share){from < segments ? from : segments, to < segments ? to : segments};
}

static int process_of_segment(int64_t segments, int64_t segment)
{
    int processes = linpred__comm_get()->processes;
    int64_t stretch = stretch_of(segments, processes);
    return linpred__sharer((segments - 1) / stretch + 1, processes, segment / stretch);
}

static linpred__share blocks_of_process(const linpred_data *data, linpred__cut cut, int processes, int process)
{
    linpred__share share = segments_of_process(linpred__segments(data, cut), processes, process);
    int64_t from = share.from * cut.blocks, to = share.to * cut.blocks;
    return (linpred__share){from < data->blocks ? from : data->blocks, to < data->blocks ? to : data->blocks};
}

linpred__share linpred__own_blocks(const linpred_data *data, linpred__cut cut)
{
    const linpred__comm *comm = linpred__comm_get();
    return comm ? blocks_of_process(data, cut, comm->processes, comm->process) : (linpred__share){0, data->blocks};
}

/* ---- what belongs to rows ---------------------------------------------------------------------------------------- */

/* What a pass has filled, `each` things a block. */
struct things {
    char *things;
    int64_t count;
    int64_t each;
    size_t bytes; /* of a thing */
};

static void share_things(const linpred_data *data, linpred__cut cut, struct things filled)
{
    const linpred__comm *comm = linpred__comm_get();
    bool recorded = comm && linpred__checkpoint_is_on();
    size_t bytes = filled.bytes;
    if (recorded && linpred__checkpoint_take(data, bytes)) {
        linpred__checkpoint_load(filled.things, (size_t)filled.count * bytes);
        return;
    }
    for (int i = 0; comm && i < comm->processes; i++) {
        linpred__share share = blocks_of_process(data, cut, comm->processes, i);
        int64_t from = share.from * filled.each, to = share.to * filled.each;
        to = to < filled.count ? to : filled.count;
        if (to > from)
            comm->broadcast(i, filled.things + (size_t)from * bytes, (size_t)(to - from) * bytes);
    }
    if (recorded) {
        linpred__checkpoint_add(filled.things, (size_t)filled.count * bytes);
        linpred__checkpoint_end(LINPRED__RECORD_ROWS, bytes);
    }
}

void linpred__share_rows(const linpred_data *data, linpred__cut cut, void *rows, size_t bytes)
{
    share_things(data, cut, (struct things){rows, data->rows, data->block_rows, bytes});
}

void linpred__share_blocks(const linpred_data *data, linpred__cut cut, void *blocks, size_t bytes)
{
    share_things(data, cut, (struct things){blocks, data->blocks, 1, bytes});
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

/* The first node of a level that begins with a segment from `segment` on. */
static int64_t first_from(int64_t segment, int level)
{
    return (segment >> level) + ((segment >> level) << level < segment);
}

/* This process cannot go on, so none can. */
static linpred_status end_all(linpred_status status, const linpred_error *error)
{
    linpred__comm_get()->give_up(error);
    return status;
}

static linpred_status receive_node(linpred__tree_walk *walk, int64_t segment, int other, linpred__tree_node **node,
                                   linpred_error *error)
{
    *node = linpred__tree_node_begin(walk, segment);
    if (!*node)
        return end_all(linpred__no_memory(error), error);
    transfer_node(walk, *node, other >= 0 ? RECEIVE : BROADCAST,
                  other >= 0 ? other : process_of_segment(walk->segments, 0));
    return LINPRED_OK;
}

static linpred_status visit_blocks(linpred__tree_walk *walk, linpred__share blocks, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    if (blocks.to > blocks.from)
        status = linpred__walk_blocks(walk, blocks.from, blocks.to, error);
    if (status == LINPRED_OK && atomic_load(&walk->no_memory))
        status = linpred__no_memory(error);
    return status == LINPRED_OK ? status : end_all(status, error);
}

/* Merges the nodes of all processes: those of this one begin with the segments from .. to - 1. */
static linpred_status merge_levels(linpred__tree_walk *walk, int64_t from, int64_t to, linpred_error *error)
{
    for (int level = 0; level < walk->levels; level++) {
        int64_t first = first_from(from, level), last = first_from(to, level) - 1;
        if (first > last)
            return LINPRED_OK;
        if (first % 2 == 1) {
            linpred__tree_node *node = linpred__tree_node_take(walk, level, first);
            transfer_node(walk, node, SEND, process_of_segment(walk->segments, (first - 1) << level));
            linpred__tree_node_end(walk, node);
        }
        int64_t right = (last + 1) << level;
        if (last % 2 == 0 && right < walk->segments) {
            linpred__tree_node *left = linpred__tree_node_take(walk, level, last), *node;
            linpred_status status = receive_node(walk, right, process_of_segment(walk->segments, right), &node, error);
            if (status != LINPRED_OK)
                return status;
            linpred__nodes_merge(walk, left, node);
            left->level++;
            left->index >>= 1;
            linpred__tree_node_carry(walk, left);
        }
    }
    return LINPRED_OK;
}

/* A number that tells passes apart. */
static uint64_t shape_of(const linpred__tree_walk *walk)
{
    uint64_t shape = (uint64_t)walk->data->rows * 1000003u + (uint64_t)walk->data->columns;
    for (int k = 0; k < walk->count; k++)
        shape = shape * 1000003u + walk->visitor[k].state_bytes;
    return shape * 1000003u + (uint64_t)walk->segments;
}

static linpred_status walk_and_merge(linpred__tree_walk *walk, linpred_error *error)
{
    const linpred__comm *comm = linpred__comm_get();
    linpred__share own = segments_of_process(walk->segments, comm->processes, comm->process);
    linpred_status status = visit_blocks(walk, linpred__own_blocks(walk->data, walk->cut), error);
    if (status == LINPRED_OK && own.from < own.to)
        status = merge_levels(walk, own.from, own.to, error);
    if (status != LINPRED_OK)
        return status;
    if (walk->root)
        transfer_node(walk, walk->root, BROADCAST, comm->process);
    else
        status = receive_node(walk, 0, -1, &walk->root, error);
    return status;
}

linpred_status linpred__walk_with_others(linpred__tree_walk *walk, linpred_error *error)
{
    bool recorded = linpred__checkpoint_is_on();
    if (recorded && linpred__checkpoint_take(walk->data, shape_of(walk))) {
        walk->root = linpred__tree_node_begin(walk, 0);
        if (!walk->root)
            return end_all(linpred__no_memory(error), error);
        transfer_node(walk, walk->root, REPLAY, 0);
        return LINPRED_OK;
    }
    linpred_status status = walk_and_merge(walk, error);
    if (recorded && status == LINPRED_OK) {
        transfer_node(walk, walk->root, RECORD, 0);
        linpred__checkpoint_end(LINPRED__RECORD_PASS, shape_of(walk));
    }
    return status;
}
