/* What conjugate gradients do to vectors as long as w: a chunk at a time, on all threads, while it is in cache. Sums
 * are those of the chunks in their order, so that the bits do not depend on the threads. */
#include "data/row.h"
#include "minimise/cg_trips.h"

struct chunk {
    int64_t from;
    int32_t count;
};

static struct chunk chunk_of(const linpred__cg *work, int64_t task)
{
    int64_t from = task * LINPRED__CG_CHUNK, left = work->problem->dimension - from;
    return (struct chunk){from, (int32_t)(left < LINPRED__CG_CHUNK ? left : LINPRED__CG_CHUNK)};
}

static void run(linpred__cg *work, void (*task)(void *, int64_t))
{
    linpred__pool_run(work->problem->fit->run.pool, work->chunks, task, work);
}

/* Σ of the k-th partial sum of each chunk. */
static double total(const linpred__cg *work, int k)
{
    double sum = 0.0;
    for (int64_t i = 0; i < work->chunks; i++)
        sum += work->partial[LINPRED__CG_SUMS * i + k];
    return sum;
}

/* ---- from the lanes ------------------------------------------------------------------------------------------------
 */

LINPRED__FAST static double collect(const linpred__cg *work, struct chunk c)
{
    const linpred__logistic *problem = work->problem;
    int64_t d = problem->dimension;
    double *restrict sum = work->sum + c.from;
    for (int64_t lane = 1; lane < work->lanes; lane++)
        for (int32_t j = 0; j < c.count; j++)
            sum[j] += sum[lane * d + j];
    for (int32_t j = 0; problem->centred && j < c.count && c.from + j < problem->data->columns; j++)
        sum[j] -= problem->center[c.from + j] * work->ones;
    const double *restrict scale = work->scale + c.from, *restrict penalty = problem->penalty + c.from;
    const double *restrict v = work->collect_for + c.from;
    double *restrict to = work->collect_to + c.from;
    for (int32_t j = 0; j < c.count; j++)
        to[j] = sum[j] * scale[j] + penalty[j] * v[j];
    return linpred__dot_dense(to, v, c.count);
}

static void collect_chunk(void *context, int64_t task)
{
    const linpred__cg *work = context;
    work->partial[LINPRED__CG_SUMS * task] = collect(work, chunk_of(work, task));
}

double linpred__cg_collect(linpred__cg *work, const double *v, double *to)
{
    int64_t d = work->problem->dimension;
    work->ones = 0.0;
    for (int64_t lane = 0; lane < work->lanes; lane++)
        work->ones += work->sum[lane * d + d - 1];
    work->collect_for = v;
    work->collect_to = to;
    run(work, collect_chunk);
    return total(work, 0);
}

/* The diagonal need not be exact. */
void linpred__cg_precondition(linpred__cg *work)
{
    const linpred__logistic *problem = work->problem;
    int64_t d = problem->dimension;
    for (int32_t j = 0; j < problem->dimension; j++) {
        double sum = 0.0;
        for (int64_t lane = 0; lane < work->lanes; lane++)
            sum += work->sum[lane * d + j];
        double diagonal = sum * work->scale[j] * problem->data_unit[j] + problem->penalty[j];
        work->inverse[j] = diagonal > 0 ? 1.0 / diagonal : 1.0; /* a column of zeros, or of vanishing curvature */
    }
}

/* ---- steps ---------------------------------------------------------------------------------------------------------
 */

LINPRED__FAST static void advance(const linpred__cg *work, struct chunk c, double sum[LINPRED__CG_SUMS])
{
    const double *restrict direction = work->direction + c.from, *restrict image = work->image + c.from;
    const double *restrict inverse = work->inverse + c.from;
    double *restrict step = work->step + c.from, *restrict residual = work->residual + c.from;
    double *restrict preconditioned = work->units + c.from;
    for (int32_t j = 0; j < c.count; j++) {
        step[j] += work->alpha * direction[j];
        residual[j] -= work->alpha * image[j];
        preconditioned[j] = residual[j] * inverse[j];
    }
    sum[0] = linpred__dot_dense(residual, preconditioned, c.count);
    sum[1] = linpred__dot_dense(step, residual, c.count);
    sum[2] = linpred__dot_dense(step, work->point->gradient + c.from, c.count);
}

static void advance_chunk(void *context, int64_t task)
{
    const linpred__cg *work = context;
    advance(work, chunk_of(work, task), work->partial + LINPRED__CG_SUMS * task);
}

double linpred__cg_advance(linpred__cg *work, double alpha)
{
    work->alpha = alpha;
    run(work, advance_chunk);
    work->promised = 0.5 * (total(work, 1) - total(work, 2));
    return total(work, 0);
}

LINPRED__FAST static double turn(const linpred__cg *work, struct chunk c)
{
    const double *restrict residual = work->residual + c.from, *restrict inverse = work->inverse + c.from;
    const double *restrict unit = work->problem->data_unit + c.from;
    double *restrict direction = work->direction + c.from, *restrict units = work->units + c.from;
    for (int32_t j = 0; j < c.count; j++) {
        direction[j] = residual[j] * inverse[j] + work->factor * direction[j];
        units[j] = unit[j] * direction[j];
    }
    return linpred__dot_dense(residual, direction, c.count);
}

static void turn_chunk(void *context, int64_t task)
{
    const linpred__cg *work = context;
    work->partial[LINPRED__CG_SUMS * task] = turn(work, chunk_of(work, task));
}

double linpred__cg_turn(linpred__cg *work, double factor)
{
    work->factor = factor;
    run(work, turn_chunk);
    linpred__cg_center(work);
    return total(work, 0);
}

void linpred__cg_center(linpred__cg *work)
{
    const linpred__logistic *problem = work->problem;
    for (int32_t j = 0; problem->centred && j < problem->data->columns; j++)
        work->units[problem->data->columns] -= problem->center[j] * work->units[j];
}
