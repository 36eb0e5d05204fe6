/* Where a search starts (see start.h): the first passes of the perceptron, and least squares on the labels. */
#include "separate/start.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/error.h"
#include "core/memory.h"
#include "pass/fused.h"
#include "separate/limits.h"
#include "separate/walk/walk.h"

/* Runs the passes on `rows`, which is the problem or a sample of its rows. */
static linpred_status walk_over(linpred__run *run, const linpred__problem *rows, int passes, double *w,
                                linpred__first_passes *answer, linpred_error *error)
{
    linpred__walk_rules rules = {.max_updates = INT64_MAX, .eager = true};
    linpred__walk walk;
    linpred_status status = linpred__walk_open(&walk, run, rows, &rules, NULL, 0.0, error);
    if (status != LINPRED_OK)
        return status;
    for (int pass = 0; !answer->separated && !answer->stopped && pass < passes && isfinite(walk.norm);) {
        if (linpred__walk_advance(&walk) != LINPRED__WALK_PASS_END)
            continue;
        pass++;
        answer->separated = walk.clean;
        if (!answer->separated)
            answer->stopped = linpred__run_should_stop(run, "separable?", walk.updates, 0, NAN);
        linpred__walk_next_pass(&walk);
    }
    memcpy(w, walk.hyperplane.w, (size_t)rows->data->columns * sizeof(double));
    w[rows->data->columns] = walk.hyperplane.b;
    answer->updates = walk.updates;
    answer->passes = walk.visited;
    linpred__walk_close(&walk);
    return LINPRED_OK;
}

linpred_status linpred__ask_first_passes(linpred__run *run, const linpred__problem *problem, double *w,
                                         linpred__first_passes *answer, linpred_error *error)
{
    const linpred_data *data = problem->data;
    bool few_rows = data->rows <= 4 * (int64_t)data->columns;
    int64_t every = (data->entries + data->rows) / LINPRED__FIRST_VALUES;
    bool sampled = every > 1 && !few_rows;
    linpred_data sample = *data;
    linpred__problem rows = *problem; /* the extents are upper bounds for the sample too */
    *answer = (linpred__first_passes){0};
    if (sampled && !linpred__data_sample(data, every, &sample))
        return linpred__no_memory(error);
    rows.data = &sample;
    int passes = few_rows ? LINPRED__FIRST_PASSES_FEW_ROWS : LINPRED__FIRST_PASSES;
    linpred_status status = walk_over(run, &rows, passes, w, answer, error);
    answer->passes /= data->rows;
    if (sampled) {
        answer->separated = false; /* the sample is separated, but perhaps not all rows */
        linpred__release(sample.block);
    }
    return status;
}

/* ---- least squares on the labels, by one pass and a Cholesky factor ---------------------------------------------- */

/* Half the squared error of the labels, times the weight. Gradient and Hessian at w = 0 are the normal equations. */
static void squared_loss(void *context, const linpred__block *block, const double *z, double *loss, double *r,
                         double *curvature)
{
    (void)context;
    for (int32_t i = 0; i < block->rows; i++) {
        double weight = block->weight ? block->weight[i] : 1.0;
        loss[i] = 0.5 * weight * (z[i] - block->target[i]) * (z[i] - block->target[i]);
        r[i] = weight * (z[i] - block->target[i]);
        curvature[i] = weight;
    }
}

bool linpred__find_least_squares_start(linpred__run *run, const linpred__problem *problem, double *w, double *b)
{
    const linpred_data *data = problem->data;
    bool has_intercept = problem->has_intercept;
    int32_t d = data->columns + has_intercept;
    if (d > LINPRED__START_MAX_COLUMNS)
        return false;
    double *hessian = linpred__alloc((size_t)d * (size_t)d, sizeof(double));
    double *gradient = linpred__alloc((size_t)d, sizeof(double));
    double *scale = linpred__alloc((size_t)d, sizeof(double));
    double *zero = linpred__calloc((size_t)data->columns, sizeof(double));
    linpred__fused fused = {.weights = zero,
                            .has_intercept = has_intercept,
                            .row_function = squared_loss,
                            .gradient = gradient,
                            .hessian = hessian};
    bool solved =
        hessian && gradient && scale && zero && linpred__fused_pass(data, run->pool, &fused, NULL) == LINPRED_OK;
    for (int32_t i = 0; solved && i < d; i++)
        scale[i] = hessian[i * d + i] > 0 && isfinite(hessian[i * d + i]) ? 1.0 / sqrt(hessian[i * d + i]) : 0.0;
    for (int32_t i = 0; solved && i < d; i++) {
        gradient[i] *= -scale[i];
        for (int32_t j = 0; j < d; j++)
            hessian[i * d + j] = i == j ? 1.0 + 1e-9 : hessian[i * d + j] * scale[i] * scale[j];
    }
    linpred__blas_enter();
    solved = solved && LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', d, 1, hessian, d, gradient, 1) == 0;
    linpred__blas_leave();
    for (int32_t i = 0; solved && i < d; i++) {
        double value = gradient[i] * scale[i];
        solved = isfinite(value);
        if (i < data->columns)
            w[i] = value;
        else
            *b = value;
    }
    linpred__release(hessian);
    linpred__release(gradient);
    linpred__release(scale);
    linpred__release(zero);
    return solved;
}
