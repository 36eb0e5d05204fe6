/* Sums of conjugate gradients over lanes and processes. The lanes are merged like the segments of a pass (data/tree.h):
 * the node of 2^k lanes that begins with lane i lies in the place of lane i. A process merges the nodes whose lanes are
 * all its own. Columns belong to processes too, their owners: each owner gets the nodes of all for its columns, merges
 * them further, and works on its part of all vectors. So no sum goes through all processes one after the other. */
#include "core/fast.h"
#include "minimise/cg_state.h"
#include "minimise/limits.h"

/* ---- who has what ------------------------------------------------------------------------------------------------ */

/* The chunks of columns that a process owns. */
static linpred__share chunks_of(const linpred__cg *cg, int process)
{
    return process < cg->owners ? linpred__share_of(cg->chunks, cg->owners, process) : (linpred__share){0, 0};
}

void linpred__cg_divide(linpred__cg *cg)
{
    int64_t owners = cg->chunks / LINPRED__CG_OWNED_CHUNKS, all = cg->comm ? cg->comm->processes : 1;
    cg->owners = owners < 1 ? 1 : owners < all ? (int)owners : (int)all;
    cg->own = (linpred__share){0, cg->lanes};
    cg->worked = (linpred__share){0, cg->chunks};
    if (cg->comm)
        cg->own = linpred__share_of(cg->lanes, cg->comm->processes, cg->comm->process);
    if (cg->owners > 1)
        cg->worked = chunks_of(cg, cg->comm->process);
}

/* The columns of some chunks. */
static linpred__share columns_of(const linpred__cg *cg, linpred__share chunks)
{
    int64_t d = cg->problem->dimension, from = chunks.from * LINPRED__CG_CHUNK, to = chunks.to * LINPRED__CG_CHUNK;
    return (linpred__share){from < d ? from : d, to < d ? to : d};
}

static int process_of_lane(const linpred__cg *cg, int64_t lane)
{
    return cg->comm ? linpred__sharer(cg->lanes, cg->comm->processes, lane) : 0;
}

/* The process that has all lanes of the node of 2 `half` lanes that begins with `lane`; -1 if none has. */
static int process_of_node(const linpred__cg *cg, int64_t lane, int64_t half)
{
    int64_t end = lane + 2 * half < cg->lanes ? lane + 2 * half : cg->lanes;
    int process = process_of_lane(cg, lane);
    return process == process_of_lane(cg, end - 1) ? process : -1;
}

/* ---- merging ----------------------------------------------------------------------------------------------------- */

LINPRED__FAST static void add_numbers(double *restrict to, const double *restrict from, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        to[j] += from[j];
}

/* Merges the nodes of one process; of -1: those that lie in several. */
static void merge_nodes(const linpred__cg *cg, int process, int64_t from, int64_t count)
{
    int64_t d = cg->problem->dimension;
    for (int64_t half = 1; half < cg->lanes; half *= 2)
        for (int64_t lane = 0; lane + half < cg->lanes; lane += 2 * half)
            if (process_of_node(cg, lane, half) == process)
                add_numbers(cg->sum + lane * d + from, cg->sum + (lane + half) * d + from, count);
}

void linpred__cg_merge_lanes(const linpred__cg *cg, int64_t from, int64_t count)
{
    if (!cg->comm)
        merge_nodes(cg, 0, from, count);
}

static void merge_own_lanes(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    linpred__share columns = columns_of(cg, (linpred__share){task, task + 1});
    merge_nodes(cg, cg->comm->process, columns.from, columns.to - columns.from);
}

static void merge_own_columns(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    int64_t chunk = chunks_of(cg, cg->comm->process).from + task;
    linpred__share columns = columns_of(cg, (linpred__share){chunk, chunk + 1});
    merge_nodes(cg, -1, columns.from, columns.to - columns.from);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* Sends or receives the nodes of a process, as it has merged them, for the columns of their owner. */
static void transfer_nodes(const linpred__cg *cg, int process, int owner, bool sends)
{
    linpred__share lanes = linpred__share_of(cg->lanes, cg->comm->processes, process);
    linpred__share columns = columns_of(cg, chunks_of(cg, owner));
    size_t bytes = (size_t)(columns.to - columns.from) * sizeof(double);
    for (int64_t lane = lanes.from, length; bytes > 0 && lane < lanes.to; lane += length) {
        double *node = cg->sum + lane * cg->problem->dimension + columns.from;
        for (length = 1; lane + length < lanes.to && lane % (2 * length) == 0; length *= 2)
            if (process_of_node(cg, lane, length) != process)
                break;
        if (sends)
            cg->comm->send(owner, node, bytes);
        else
            cg->comm->receive(process, node, bytes);
    }
}

/* Each two processes meet in one round, and the lower one speaks first. A process waits for one in its own round only,
   so none waits for ever. */
static void meet_others(const linpred__cg *cg)
{
    int all = cg->comm->processes, own = cg->comm->process;
    for (int round = 0; round < all; round++) {
        int other = (round - own + all) % all;
        if (own < other)
            transfer_nodes(cg, own, other, true);
        if (own != other)
            transfer_nodes(cg, other, own, false);
        if (own > other)
            transfer_nodes(cg, own, other, true);
    }
}

/* Gives all processes what each owner has of a vector. */
static void give_columns(const linpred__cg *cg, double *vector)
{
    for (int i = 0; i < cg->owners; i++) {
        linpred__share columns = columns_of(cg, chunks_of(cg, i));
        cg->comm->broadcast(i, vector + columns.from, (size_t)(columns.to - columns.from) * sizeof *vector);
    }
}

void linpred__cg_gather(const linpred__cg *cg, double *vector)
{
    if (cg->owners > 1)
        give_columns(cg, vector);
}

void linpred__cg_gather_partial(const linpred__cg *cg)
{
    size_t bytes = LINPRED__CG_SUMS * sizeof(double);
    for (int i = 1; i < cg->owners; i++) {
        linpred__share chunks = chunks_of(cg, i);
        double *partial = cg->partial + LINPRED__CG_SUMS * chunks.from;
        if (cg->comm->process == i)
            cg->comm->send(0, partial, (size_t)(chunks.to - chunks.from) * bytes);
        else if (cg->comm->process == 0)
            cg->comm->receive(i, partial, (size_t)(chunks.to - chunks.from) * bytes);
    }
    if (cg->owners > 1)
        cg->comm->broadcast(0, cg->partial, (size_t)cg->chunks * bytes);
}

void linpred__cg_add_up(linpred__cg *cg)
{
    linpred__pool *pool = cg->problem->run->pool;
    linpred__share own = chunks_of(cg, cg->comm->process);
    int64_t last = cg->problem->dimension - 1;
    if (cg->own.to > cg->own.from)
        linpred__pool_run(pool, cg->chunks, merge_own_lanes, cg);
    meet_others(cg);
    linpred__pool_run(pool, own.to - own.from, merge_own_columns, cg);
    if (cg->owners == 1)
        give_columns(cg, cg->sum);
    else /* all need the sum of the intercept */
        cg->comm->broadcast(cg->owners - 1, cg->sum + last, sizeof(double));
}

void linpred__cg_share_losses(linpred__cg *cg)
{
    for (int i = 0; i < cg->comm->processes; i++) {
        linpred__share share = linpred__share_of(cg->lanes, cg->comm->processes, i);
        if (share.to > share.from)
            cg->comm->broadcast(i, cg->losses + share.from, (size_t)(share.to - share.from) * sizeof *cg->losses);
    }
}
