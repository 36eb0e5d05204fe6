/* The pass of several processes. Process p visits the blocks of its share. A segment belongs to the process that visits
 * its last block: the one before sends it as far as it is. A node belongs to the process of its first segment. On each
 * level a process has at most one node whose left sibling is elsewhere, which it sends there, and at most one whose
 * right sibling is elsewhere, which it receives. All know who has what, so nothing is asked. Messages go to neighbours
 * on the right first, then to the left level by level, so no process waits for one that waits for it.
 */
#include "core/comm.h"
#include "core/error.h"
#include "data/checkpoint.h"
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

static void transfer_node(const linpred__tree_walk *walk, linpred__tree_node *node, transfer how, int other)
{
    char *state = node->states;
    for (int k = 0; k < walk->count; state += linpred__state_bytes(&walk->visitor[k]), k++) {
        linpred__state_pieces pieces = {how, other, walk->visitor[k].state_bytes};
        walk->visitor[k].pieces(walk->visitor[k].context, state, &pieces);
    }
}

/* Each process has filled the things of its blocks, `each` a block but perhaps fewer in the last. */
static void share_things(const linpred_data *data, char *things, int64_t count, int64_t each, size_t bytes)
{
    const linpred__comm *comm = linpred__comm_get();
    bool recorded = comm && linpred__checkpoint_is_on();
    if (recorded && linpred__checkpoint_take(data, bytes)) {
        linpred__checkpoint_load(things, (size_t)count * bytes);
        return;
    }
    for (int i = 0; comm && i < comm->processes; i++) {
        linpred__share share = linpred__share_of(data->blocks, comm->processes, i);
        int64_t from = share.from * each, to = share.to * each;
        to = to < count ? to : count;
        if (to > from)
            comm->broadcast(i, things + (size_t)from * bytes, (size_t)(to - from) * bytes);
    }
    if (recorded) {
        linpred__checkpoint_add(things, (size_t)count * bytes);
        linpred__checkpoint_end(false, bytes);
    }
}

void linpred__share_rows(const linpred_data *data, void *rows, size_t bytes)
{
    share_things(data, rows, data->rows, data->block_rows, bytes);
}

void linpred__share_blocks(const linpred_data *data, void *blocks, size_t bytes)
{
    share_things(data, blocks, data->blocks, 1, bytes);
}

/* ---- who has what ------------------------------------------------------------------------------------------------ */

static int process_of_block(const linpred__tree_walk *walk, int64_t block)
{
    return linpred__sharer(walk->data->blocks, linpred__comm_get()->processes, block);
}

static int process_of_segment(const linpred__tree_walk *walk, int64_t segment)
{
    int64_t end = (segment + 1) * walk->cut.blocks;
    return process_of_block(walk, (end < walk->data->blocks ? end : walk->data->blocks) - 1);
}

/* The first node of a level that begins with a segment from `segment` on. */
static int64_t first_from(int64_t segment, int level)
{
    return (segment >> level) + ((segment >> level) << level < segment);
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

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
    transfer_node(walk, *node, other >= 0 ? RECEIVE : BROADCAST, other >= 0 ? other : process_of_segment(walk, 0));
    return LINPRED_OK;
}

static void send_unfinished(linpred__tree_walk *walk, int64_t end)
{
    if (!walk->unfinished)
        return;
    transfer_node(walk, walk->unfinished, SEND, process_of_block(walk, end));
    linpred__tree_node_end(walk, walk->unfinished);
    walk->unfinished = NULL;
}

/* Visits the share of this process: first the segments that begin in it, then the rest of the one that does not. */
static linpred_status visit_share(linpred__tree_walk *walk, linpred__share share, linpred_error *error)
{
    int64_t length = walk->cut.blocks, begin = (share.from + length - 1) / length * length;
    begin = begin < share.to ? begin : share.to;
    linpred_status status = LINPRED_OK;
    if (begin < share.to)
        status = linpred__walk_blocks(walk, begin, share.to, error);
    if (status == LINPRED_OK && atomic_load(&walk->no_memory))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK)
        return end_all(status, error);
    send_unfinished(walk, share.to);
    if (begin == share.from)
        return LINPRED_OK;
    status = receive_node(walk, share.from / length, process_of_block(walk, share.from - 1), &walk->begun, error);
    if (status == LINPRED_OK)
        status = linpred__walk_blocks(walk, share.from, begin, error);
    if (status != LINPRED_OK)
        return end_all(status, error);
    send_unfinished(walk, begin);
    return LINPRED_OK;
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
            transfer_node(walk, node, SEND, process_of_segment(walk, (first - 1) << level));
            linpred__tree_node_end(walk, node);
        }
        int64_t right = (last + 1) << level;
        if (last % 2 == 0 && right < walk->segments) {
            linpred__tree_node *left = linpred__tree_node_take(walk, level, last), *node;
            linpred_status status = receive_node(walk, right, process_of_segment(walk, right), &node, error);
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
    linpred__share share = linpred__share_of(walk->data->blocks, comm->processes, comm->process);
    linpred_status status = share.to > share.from ? visit_share(walk, share, error) : LINPRED_OK;
    if (status != LINPRED_OK)
        return status;
    int64_t from = share.from / walk->cut.blocks, to = share.to / walk->cut.blocks;
    if (share.to == walk->data->blocks && share.to > share.from)
        to = walk->segments;
    if (from < to)
        status = merge_levels(walk, from, to, error);
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
        linpred__checkpoint_end(true, shape_of(walk));
    }
    return status;
}
