/* Trips over the rows for conjugate gradients: dot and update of a row while it is in cache. */
#include "minimise/cg_trips.h"

#include <string.h>

#include "num/logistic_loss.h"
#include "data/row.h"

static void clear_lane(const linpred__cg *work, int64_t lane)
{
    size_t d = (size_t)work->problem->dimension;
    memset(work->sum + (size_t)lane * d, 0, d * sizeof(double));
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

static void multiply_lane(void *context, int64_t lane)
{
    const linpred__cg *work = context;
    const linpred__logistic *problem = work->problem;
    int32_t columns = problem->data->columns;
    double *sum = work->sum + lane * problem->dimension, none = 0.0;
    double b = problem->has_intercept ? work->units[columns] : 0.0;
    clear_lane(work, lane);
    for (int64_t i = lane; i < work->blocks; i += work->lanes) {
        const linpred__block *block = &problem->data->block[i];
        multiply_block(block, work->units, b, work->curvature + block->first_row, work->product + block->first_row, sum,
                       problem->has_intercept ? sum + columns : &none);
    }
}

LINPRED__FAST static void score_block(const linpred__block *block, const double *w, double b, double *z)
{
    for (int32_t r = 0; r < block->rows; r++)
        z[r] = linpred__row_dot_quick(block, r, w) + b;
}

static void score_lane(void *context, int64_t lane)
{
    const linpred__cg *work = context;
    const linpred__logistic *problem = work->problem;
    for (int64_t i = lane; i < work->blocks; i += work->lanes) {
        const linpred__block *block = &problem->data->block[i];
        score_block(block, work->units, problem->has_intercept ? work->units[block->columns] : 0.0,
                    work->z + block->first_row);
    }
}

/* Loss, derivatives and curvatures at the scores z + moved, into `trial`; no row of X is read. */
static void loss_lane(void *context, int64_t lane)
{
    linpred__cg *work = context;
    const linpred__logistic *problem = work->problem;
    linpred__dd loss = {0, 0};
    for (int64_t i = lane; i < work->blocks; i += work->lanes) {
        const linpred__block *block = &problem->data->block[i];
        int64_t first = block->first_row;
        enum { AT_A_TIME = 512 };
        double each[AT_A_TIME];
        for (int32_t from = 0; from < block->rows; from += AT_A_TIME) {
            int32_t n = block->rows - from < AT_A_TIME ? block->rows - from : AT_A_TIME;
            int64_t at = first + from;
            for (int32_t k = 0; k < n; k++)
                work->trial[at + k] = work->z[at + k] + work->moved[at + k];
            linpred__logistic_rows(n, work->trial + at, block->target + from,
                                   block->weight ? block->weight + from : NULL, problem->class_weight, each,
                                   work->derivative + at, work->curvature + at);
            for (int32_t k = 0; k < n; k++)
                loss = linpred__dd_add_double(loss, each[k]);
        }
    }
    work->lane_loss[lane] = loss;
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

static void gradient_lane(void *context, int64_t lane)
{
    const linpred__cg *work = context;
    const linpred__logistic *problem = work->problem;
    double *sum = work->sum + lane * problem->dimension, none = 0.0;
    clear_lane(work, lane);
    for (int64_t i = lane; i < work->blocks; i += work->lanes) {
        const linpred__block *block = &problem->data->block[i];
        gradient_block(block, work->derivative + block->first_row, sum,
                       problem->has_intercept ? sum + problem->data->columns : &none);
    }
}

/* sum += the squares of X - center, each row times its curvature: the diagonal of the Hessian. */
static void add_squares(const linpred__block *block, const double *curvature, const double *center, double *sum)
{
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; row.indices && k < row.count; k++)
            sum[row.indices[k]] += curvature[r] * row.values[k] * row.values[k]; /* sparse rows have no centers */
        for (int64_t j = 0; !row.indices && j < row.count; j++)
            sum[j] += curvature[r] * (row.values[j] - center[j]) * (row.values[j] - center[j]);
    }
}

static void diagonal_lane(void *context, int64_t lane)
{
    const linpred__cg *work = context;
    const linpred__logistic *problem = work->problem;
    double *sum = work->sum + lane * problem->dimension;
    clear_lane(work, lane);
    for (int64_t i = lane; i < work->blocks; i += work->lanes) {
        const linpred__block *block = &problem->data->block[i];
        const double *curvature = work->curvature + block->first_row;
        add_squares(block, curvature, problem->center, sum);
        for (int32_t r = 0; problem->has_intercept && r < block->rows; r++)
            sum[block->columns] += curvature[r];
    }
}

void linpred__cg_go(linpred__cg *work, linpred__cg_trip trip)
{
    static void (*const task[])(void *, int64_t) = {
        [LINPRED__CG_SCORES] = score_lane,      [LINPRED__CG_PRODUCTS] = multiply_lane,
        [LINPRED__CG_LOSSES] = loss_lane,       [LINPRED__CG_GRADIENT] = gradient_lane,
        [LINPRED__CG_DIAGONAL] = diagonal_lane,
    };
    linpred__pool_run(work->problem->fit->run.pool, work->lanes, task[trip], work);
}
