/* The pass of several processes. Process p visits the blocks of its share. A segment belongs to the process that visits
 * its last block: the one before sends it as far as it is. A node belongs to the process of its first segment. On each
 * level a process has at most one node whose left sibling is elsewhere, which it sends there, and at most one whose
 * right sibling is elsewhere, which it receives. All know who has what, so nothing is asked. Messages go to neighbours
 * on the right first, then to the left level by level, so no process waits for one that waits for it.
 */
#include "core/comm.h"
#include "core/error.h"
#include "data/tree_walk.h"

/* ---- messages ---------------------------------------------------------------------------------------------------- */

typedef enum transfer { SEND, RECEIVE, BROADCAST } transfer;

struct linpred__state_pieces {
    transfer transfer;
    int other; /* the process to send to, to receive from, or that broadcasts */
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
    else
        comm->broadcast(pieces->other, memory, bytes);
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

void linpred__share_rows(const linpred_data *data, void *rows, size_t bytes)
{
    const linpred__comm *comm = linpred__comm_get();
    for (int i = 0; comm && i < comm->processes; i++) {
        linpred__share share = linpred__share_of(data->blocks, comm->processes, i);
        int64_t from = share.from * data->block_rows, to = share.to * data->block_rows;
        to = to < data->rows ? to : data->rows;
        if (to > from)
            comm->broadcast(i, (char *)rows + (size_t)from * bytes, (size_t)(to - from) * bytes);
    }
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

linpred_status linpred__walk_with_others(linpred__tree_walk *walk, linpred_error *error)
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
