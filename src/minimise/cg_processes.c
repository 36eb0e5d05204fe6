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

/* How many lanes the node has that a process has merged and that begins with one of its lanes, which end with `end`. */
static int64_t lanes_of_node(const linpred__cg *cg, int process, int64_t lane, int64_t end)
{
    int64_t length = 1;
    while (lane + length < end && lane % (2 * length) == 0 && process_of_node(cg, lane, length) == process)
        length *= 2;
    return length;
}

/* Each two processes meet in one round, in which both send and receive. A process waits for one in its own round only,
   so none waits for ever. Returns the process that this one meets. */
static int met_in_round(const linpred__cg *cg, int round)
{
    int all = cg->comm->processes;
    return (round - cg->comm->process + all) % all;
}

/* Sends another process the own nodes, as they were merged, for its columns, and receives its nodes for the own
   columns. */
static void exchange_nodes(const linpred__cg *cg, int other)
{
    int own = cg->comm->process;
    int64_t d = cg->problem->dimension;
    linpred__share lanes = cg->own, others = linpred__share_of(cg->lanes, cg->comm->processes, other);
    linpred__share out = columns_of(cg, chunks_of(cg, other)), in = columns_of(cg, chunks_of(cg, own));
    size_t send = (size_t)(out.to - out.from) * sizeof(double), receive = (size_t)(in.to - in.from) * sizeof(double);
    while (lanes.from < lanes.to || others.from < others.to) {
        bool sends = lanes.from < lanes.to, receives = others.from < others.to;
        cg->comm->exchange(other, cg->sum + lanes.from * d + out.from, sends ? send : 0,
                           cg->sum + others.from * d + in.from, receives ? receive : 0);
        lanes.from += sends ? lanes_of_node(cg, own, lanes.from, lanes.to) : 0;
        others.from += receives ? lanes_of_node(cg, other, others.from, others.to) : 0;
    }
}

/* Numbers that belong to the owners of chunks. */
struct owned_numbers {
    double *numbers;
    int64_t count;
    int64_t each; /* numbers of a chunk; the last may have fewer */
};

/* Gives all processes what each owner has. */
static void give_owned(const linpred__cg *cg, struct owned_numbers owned)
{
    linpred__share own = chunks_of(cg, cg->comm->process);
    int64_t from = own.from * owned.each, to = own.to * owned.each < owned.count ? own.to * owned.each : owned.count;
    for (int round = 0; round < cg->comm->processes; round++) {
        int other = met_in_round(cg, round);
        linpred__share theirs = chunks_of(cg, other);
        int64_t first = theirs.from * owned.each, end = theirs.to * owned.each;
        end = end < owned.count ? end : owned.count;
        if (other != cg->comm->process)
            cg->comm->exchange(other, owned.numbers + from, (size_t)(to - from) * sizeof(double), owned.numbers + first,
                               (size_t)(end - first) * sizeof(double));
    }
}

void linpred__cg_gather(const linpred__cg *cg, double *vector)
{
    if (cg->owners > 1)
        give_owned(cg, (struct owned_numbers){vector, cg->problem->dimension, LINPRED__CG_CHUNK});
}

void linpred__cg_gather_partial(const linpred__cg *cg)
{
    if (cg->owners > 1)
        give_owned(cg, (struct owned_numbers){cg->partial, LINPRED__CG_SUMS * cg->chunks, LINPRED__CG_SUMS});
}

void linpred__cg_add_up(linpred__cg *cg)
{
    linpred__pool *pool = cg->problem->run->pool;
    linpred__share own = chunks_of(cg, cg->comm->process);
    int64_t last = cg->problem->dimension - 1;
    if (cg->own.to > cg->own.from)
        linpred__pool_run(pool, cg->chunks, merge_own_lanes, cg);
    for (int round = 0; round < cg->comm->processes; round++)
        if (met_in_round(cg, round) != cg->comm->process)
            exchange_nodes(cg, met_in_round(cg, round));
    linpred__pool_run(pool, own.to - own.from, merge_own_columns, cg);
    if (cg->owners == 1)
        cg->comm->broadcast(0, cg->sum, (size_t)(last + 1) * sizeof(double));
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
