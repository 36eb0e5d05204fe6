/* Where conjugate gradients stand before a step, in the file of a checkpoint (data/checkpoint.h). Derivatives and
 * curvatures of the rows are not recorded: they are computed from the scores again, with the same bits. */
#include <string.h>

#include "data/checkpoint.h"
#include "minimise/cg_state.h"

/* All that is not a vector. */
struct record {
    linpred__logistic_progress progress;
    linpred__logistic_point point; /* its vectors follow */
    linpred__cg_standing standing;
};

static uint64_t shape_of_run(const linpred__cg *cg)
{
    return (cg->number * 1000003u + (uint64_t)cg->problem->data->rows) * 1000003u + (uint64_t)cg->problem->dimension;
}

/* Copies the scores of the lanes of a process to memory without gaps, or from there. Returns how many there are. */
static int64_t copy_scores(linpred__cg *cg, int process, double *packed, bool pack)
{
    linpred__share lanes = linpred__share_of(cg->lanes, cg->comm->processes, process);
    int64_t count = 0;
    for (int64_t i = 0; i < cg->blocks; i++) {
        const linpred__block *block = &cg->problem->data->block[i];
        double *scores = cg->z + block->first_row;
        size_t bytes = (size_t)block->rows * sizeof *scores;
        if (i % cg->lanes < lanes.from || i % cg->lanes >= lanes.to)
            continue;
        if (pack)
            memcpy(packed + count, scores, bytes);
        else
            memcpy(scores, packed + count, bytes);
        count += block->rows;
    }
    return count;
}

/* Gives the first process the scores of all rows. `trial` is free between two steps. */
static void gather_scores(linpred__cg *cg)
{
    const linpred__comm *comm = cg->comm;
    for (int i = 1; i < comm->processes; i++) {
        if (comm->process != i && comm->process != 0)
            continue;
        int64_t count = copy_scores(cg, i, cg->trial, true);
        if (count > 0 && comm->process == i)
            comm->send(0, cg->trial, (size_t)count * sizeof(double));
        else if (count > 0) {
            comm->receive(i, cg->trial, (size_t)count * sizeof(double));
            copy_scores(cg, i, cg->trial, false);
        }
    }
}

void linpred__cg_record(linpred__cg *cg)
{
    const linpred__logistic_point *point = cg->point;
    size_t d = (size_t)cg->problem->dimension * sizeof(double);
    if (!cg->comm || !linpred__checkpoint_begin())
        return;
    struct record now;
    memset(&now, 0, sizeof now);
    now.progress = cg->problem->progress;
    now.point = *point;
    now.point.v = now.point.gradient = now.point.hessian = now.point.step = NULL;
    now.standing = cg->now;
    gather_scores(cg);
    linpred__checkpoint_add(&now, sizeof now);
    linpred__checkpoint_add(cg->z, (size_t)cg->problem->data->rows * sizeof(double));
    linpred__checkpoint_add(point->v, d);
    linpred__checkpoint_add(point->gradient, d);
    linpred__checkpoint_add(point->step, d);
    linpred__checkpoint_add(cg->inverse, d);
    linpred__checkpoint_end(LINPRED__RECORD_POINT, shape_of_run(cg));
}

bool linpred__cg_resume(linpred__cg *cg)
{
    linpred__logistic_point *point = cg->point;
    size_t d = (size_t)cg->problem->dimension * sizeof(double), rows = (size_t)cg->problem->data->rows;
    struct record then;
    if (!cg->comm || !linpred__checkpoint_is_on())
        return false;
    cg->number = linpred__checkpoint_number();
    if (!linpred__checkpoint_take_last(cg->problem->data, shape_of_run(cg)))
        return false;
    linpred__checkpoint_load(&then, sizeof then);
    linpred__checkpoint_load(cg->z, rows * sizeof(double));
    linpred__checkpoint_load(point->v, d);
    linpred__checkpoint_load(point->gradient, d);
    linpred__checkpoint_load(point->step, d);
    linpred__checkpoint_load(cg->inverse, d);
    cg->problem->progress = then.progress;
    then.point.v = point->v;
    then.point.gradient = point->gradient;
    then.point.hessian = point->hessian;
    then.point.step = point->step;
    *point = then.point;
    cg->now = then.standing;
    memset(cg->score_change, 0, rows * sizeof(double));
    linpred__cg_go(cg, LINPRED__CG_LOSSES);
    return true;
}
