/* Work on vectors as long as v for conjugate gradients. It is done in chunks of columns on all threads, each chunk
 * while it is in cache. Sums are added chunk by chunk in their order, so that the bits do not depend on the threads. */
#include "data/row.h"
#include "minimise/cg_state.h"
#include "minimise/limits.h"

struct chunk {
    int64_t from;
    int32_t count;
};

static struct chunk chunk_of(const linpred__cg *cg, int64_t task)
{
    int64_t from = (cg->first_chunk + task) * LINPRED__CG_CHUNK, left = cg->problem->dimension - from;
    return (struct chunk){from, (int32_t)(left < LINPRED__CG_CHUNK ? left : LINPRED__CG_CHUNK)};
}

static void run_chunks(linpred__cg *cg, linpred__share chunks, void (*task)(void *, int64_t))
{
    cg->first_chunk = chunks.from;
    linpred__pool_run(cg->problem->run->pool, chunks.to - chunks.from, task, cg);
}

/* The same for the chunks that this process works on; all processes get the sums of all. */
static void run_worked_chunks(linpred__cg *cg, void (*task)(void *, int64_t))
{
    run_chunks(cg, cg->worked, task);
    linpred__cg_gather_partial(cg);
}

/* Where a task leaves the sums of its chunk. */
static double *sums_of(const linpred__cg *cg, int64_t task)
{
    return cg->partial + LINPRED__CG_SUMS * (cg->first_chunk + task);
}

/* The k-th sum of all chunks. */
static double total(const linpred__cg *cg, int k)
{
    double sum = 0.0;
    for (int64_t i = 0; i < cg->chunks; i++)
        sum += cg->partial[LINPRED__CG_SUMS * i + k];
    return sum;
}

/* ---- from the lanes ---------------------------------------------------------------------------------------------- */

LINPRED__FAST static double collect(const linpred__cg *cg, struct chunk c)
{
    const linpred__logistic_problem *problem = cg->problem;
    linpred__cg_merge_lanes(cg, c.from, c.count);
    double *restrict sum = cg->sum + c.from;
    for (int32_t j = 0; problem->is_centred && j < c.count && c.from + j < problem->data->columns; j++)
        sum[j] -= problem->centre[c.from + j] * cg->ones;
    const double *restrict scale = cg->scale + c.from, *restrict penalty = problem->penalty + c.from;
    const double *restrict v = cg->collect_for + c.from;
    double *restrict to = cg->collect_to + c.from;
    for (int32_t j = 0; j < c.count; j++)
        to[j] = sum[j] * scale[j] + penalty[j] * v[j];
    return linpred__dot_dense(to, v, c.count);
}

static void collect_chunk(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    sums_of(cg, task)[0] = collect(cg, chunk_of(cg, task));
}

/* The sum of the last column, with the bits that merging the lanes gives it. */
static double merged_ones(const linpred__cg *cg)
{
    int64_t d = cg->problem->dimension;
    double lane[LINPRED__CG_LANES] = {0};
    for (int64_t i = 0; i < cg->lanes && !cg->comm; i++)
        lane[i] = cg->sum[i * d + d - 1];
    for (int64_t half = 1; half < cg->lanes && !cg->comm; half *= 2)
        for (int64_t i = 0; i + half < cg->lanes; i += 2 * half)
            lane[i] += lane[i + half];
    return cg->comm ? cg->sum[d - 1] : lane[0];
}

double linpred__cg_collect(linpred__cg *cg, const double *v, double *to)
{
    cg->ones = merged_ones(cg);
    cg->collect_for = v;
    cg->collect_to = to;
    run_worked_chunks(cg, collect_chunk);
    return total(cg, 0);
}

/* The diagonal need not be exact. */
static void precondition_chunk(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    const linpred__logistic_problem *problem = cg->problem;
    struct chunk c = chunk_of(cg, task);
    linpred__cg_merge_lanes(cg, c.from, c.count);
    for (int64_t j = c.from; j < c.from + c.count; j++) {
        double diagonal = cg->sum[j] * cg->scale[j] * problem->data_unit[j] + problem->penalty[j];
        cg->inverse[j] = diagonal > 0 ? 1.0 / diagonal : 1.0; /* 0 if the column is 0 or has no curvature left */
    }
}

void linpred__cg_precondition(linpred__cg *cg)
{
    run_chunks(cg, cg->worked, precondition_chunk);
    linpred__cg_gather(cg, cg->inverse);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

LINPRED__FAST static void advance(const linpred__cg *cg, struct chunk c, double sum[LINPRED__CG_SUMS])
{
    const double *restrict direction = cg->direction + c.from, *restrict image = cg->image + c.from;
    const double *restrict inverse = cg->inverse + c.from;
    double *restrict step = cg->step + c.from, *restrict residual = cg->residual + c.from;
    double *restrict preconditioned = cg->units + c.from;
    for (int32_t j = 0; j < c.count; j++) {
        step[j] += cg->alpha * direction[j];
        residual[j] -= cg->alpha * image[j];
        preconditioned[j] = residual[j] * inverse[j];
    }
    sum[0] = linpred__dot_dense(residual, preconditioned, c.count);
    sum[1] = linpred__dot_dense(step, residual, c.count);
    sum[2] = linpred__dot_dense(step, cg->point->gradient + c.from, c.count);
}

static void advance_chunk(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    advance(cg, chunk_of(cg, task), sums_of(cg, task));
}

double linpred__cg_advance(linpred__cg *cg, double alpha)
{
    cg->alpha = alpha;
    run_worked_chunks(cg, advance_chunk);
    cg->now.promised = 0.5 * (total(cg, 1) - total(cg, 2));
    return total(cg, 0);
}

LINPRED__FAST static double turn(const linpred__cg *cg, struct chunk c)
{
    const double *restrict residual = cg->residual + c.from, *restrict inverse = cg->inverse + c.from;
    const double *restrict unit = cg->problem->data_unit + c.from;
    double *restrict direction = cg->direction + c.from, *restrict units = cg->units + c.from;
    for (int32_t j = 0; j < c.count; j++) {
        direction[j] = residual[j] * inverse[j] + cg->factor * direction[j];
        units[j] = unit[j] * direction[j];
    }
    return linpred__dot_dense(residual, direction, c.count);
}

static void turn_chunk(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    sums_of(cg, task)[0] = turn(cg, chunk_of(cg, task));
}

double linpred__cg_turn(linpred__cg *cg, double factor)
{
    cg->factor = factor;
    run_worked_chunks(cg, turn_chunk);
    linpred__cg_gather(cg, cg->units);
    linpred__cg_centre(cg);
    return total(cg, 0);
}

void linpred__cg_centre(linpred__cg *cg)
{
    const linpred__logistic_problem *problem = cg->problem;
    for (int32_t j = 0; problem->is_centred && j < problem->data->columns; j++)
        cg->units[problem->data->columns] -= problem->centre[j] * cg->units[j];
}
