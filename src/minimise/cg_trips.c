/* Trips over the rows for conjugate gradients. A trip reads each row once: it computes the dot product and adds to the
 * sums while the row is in cache. */
#include "minimise/cg_state.h"

#include <math.h>
#include <string.h>

#include "data/row.h"
#include "minimise/limits.h"

static void clear_lane(const linpred__cg *cg, int64_t lane)
{
    size_t d = (size_t)cg->problem->dimension;
    memset(cg->sum + (size_t)lane * d, 0, d * sizeof(double));
}

/* product = X units, sum += X' D product. */
LINPRED__FAST static void multiply_block(const linpred__block *block, const double *w, double b,
                                         const double *curvature, double *product, double *sum, double *sum_b)
{
    for (int32_t r = 0; r < block->rows; r++) {
        double s = linpred__row_dot_quick(block, r, w) + b;
        product[r] = s;
        linpred__row_add(block, r, curvature[r] * s, sum);
        *sum_b += curvature[r] * s;
    }
}

static void multiply_lane(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    int64_t lane = cg->own.from + task;
    const linpred__logistic_problem *problem = cg->problem;
    int32_t columns = problem->data->columns;
    double *sum = cg->sum + lane * problem->dimension, none = 0.0;
    double b = problem->has_intercept ? cg->units[columns] : 0.0;
    clear_lane(cg, lane);
    for (int64_t i = lane; i < cg->blocks; i += cg->lanes) {
        const linpred__block *block = linpred__block_at(problem->data, i);
        multiply_block(block, cg->units, b, cg->curvature + block->first_row, cg->product + block->first_row, sum,
                       problem->has_intercept ? sum + columns : &none);
    }
}

LINPRED__FAST static void score_block(const linpred__block *block, const double *w, double b, double *z)
{
    for (int32_t r = 0; r < block->rows; r++)
        z[r] = linpred__row_dot_quick(block, r, w) + b;
}

static void score_lane(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    int64_t lane = cg->own.from + task;
    const linpred__logistic_problem *problem = cg->problem;
    for (int64_t i = lane; i < cg->blocks; i += cg->lanes) {
        const linpred__block *block = linpred__block_at(problem->data, i);
        score_block(block, cg->units, problem->has_intercept ? cg->units[block->columns] : 0.0,
                    cg->z + block->first_row);
    }
}

LINPRED__FAST static void add_scaled(double factor, int32_t n, const double *restrict from, double *restrict to)
{
    for (int32_t k = 0; k < n; k++)
        to[k] += factor * from[k];
}

static void change_lane(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    for (int64_t i = cg->own.from + task; i < cg->blocks; i += cg->lanes) {
        const linpred__block *block = &cg->problem->data->block[i];
        add_scaled(cg->alpha, block->rows, cg->product + block->first_row, cg->score_change + block->first_row);
    }
}

/* Loss, derivatives and curvatures at the scores z + score_change, into `trial`; no row of X is read. */
static void loss_lane(void *context, int64_t task)
{
    linpred__cg *cg = context;
    int64_t lane = cg->own.from + task;
    const linpred__logistic_problem *problem = cg->problem;
    linpred__cg_losses found = {0};
    for (int64_t i = lane; i < cg->blocks; i += cg->lanes) {
        const linpred__block *block = &problem->data->block[i];
        int64_t first = block->first_row;
        enum { AT_A_TIME = 512 };
        double each[AT_A_TIME];
        for (int32_t from = 0; from < block->rows; from += AT_A_TIME) {
            int32_t n = block->rows - from < AT_A_TIME ? block->rows - from : AT_A_TIME;
            int64_t at = first + from;
            for (int32_t k = 0; k < n; k++)
                cg->trial[at + k] = cg->z[at + k] + cg->score_change[at + k];
            linpred__logistic_rows(n, cg->trial + at, block->target + from, block->weight ? block->weight + from : NULL,
                                   problem->terms.class_weight, each, cg->derivative + at, cg->curvature + at);
            for (int32_t k = 0; k < n; k++) {
                found.loss = linpred__dd_add_double(found.loss, each[k]);
                found.curvature += cg->curvature[at + k];
                found.largest_change = fmax(found.largest_change, fabs(cg->score_change[at + k]));
                found.errors += !(block->target[from + k] * cg->trial[at + k] > 0);
            }
        }
    }
    cg->losses[lane] = found;
}

/* sum += X' derivative */
LINPRED__FAST static void gradient_block(const linpred__block *block, const double *derivative, double *sum,
                                         double *sum_b)
{
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__row_add(block, r, derivative[r], sum);
        *sum_b += derivative[r];
    }
}

static void gradient_lane(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    int64_t lane = cg->own.from + task;
    const linpred__logistic_problem *problem = cg->problem;
    double *sum = cg->sum + lane * problem->dimension, none = 0.0;
    clear_lane(cg, lane);
    for (int64_t i = lane; i < cg->blocks; i += cg->lanes) {
        const linpred__block *block = linpred__block_at(problem->data, i);
        gradient_block(block, cg->derivative + block->first_row, sum,
                       problem->has_intercept ? sum + problem->data->columns : &none);
    }
}

/* sum += the squares of X - centre, each row times its curvature: the diagonal of the Hessian. */
static void add_squares(const linpred__block *block, const double *curvature, const double *centre, double *sum)
{
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; row.indices && k < row.count; k++)
            sum[row.indices[k]] += curvature[r] * row.values[k] * row.values[k]; /* sparse rows have no centres */
        for (int64_t j = 0; !row.indices && j < row.count; j++)
            sum[j] += curvature[r] * (row.values[j] - centre[j]) * (row.values[j] - centre[j]);
    }
}

static void diagonal_lane(void *context, int64_t task)
{
    const linpred__cg *cg = context;
    int64_t lane = cg->own.from + task;
    const linpred__logistic_problem *problem = cg->problem;
    double *sum = cg->sum + lane * problem->dimension;
    clear_lane(cg, lane);
    for (int64_t i = lane; i < cg->blocks; i += cg->lanes) {
        const linpred__block *block = linpred__block_at(problem->data, i);
        const double *curvature = cg->curvature + block->first_row;
        add_squares(block, curvature, problem->centre, sum);
        for (int32_t r = 0; problem->has_intercept && r < block->rows; r++)
            sum[block->columns] += curvature[r];
    }
}

void linpred__cg_go(linpred__cg *cg, linpred__cg_trip trip)
{
    static void (*const task[])(void *, int64_t) = {
        [LINPRED__CG_SCORES] = score_lane,      [LINPRED__CG_PRODUCTS] = multiply_lane,
        [LINPRED__CG_LOSSES] = loss_lane,       [LINPRED__CG_GRADIENT] = gradient_lane,
        [LINPRED__CG_DIAGONAL] = diagonal_lane, [LINPRED__CG_CHANGES] = change_lane,
    };
    linpred__pool_run(cg->problem->run->pool, cg->own.to - cg->own.from, task[trip], cg);
    if (cg->comm && trip == LINPRED__CG_LOSSES)
        linpred__cg_share_losses(cg);
    else if (cg->comm && trip != LINPRED__CG_SCORES && trip != LINPRED__CG_CHANGES)
        linpred__cg_add_up(cg);
}
