/* Least squares on the labels, by one pass and a Cholesky factor. */
#include "separate/start/least_squares_start.h"

#include <lapacke.h>
#include <math.h>

#include "core/blas.h"
#include "core/memory.h"
#include "pass/fused.h"

enum { MAX_COLUMNS = 3000 }; /* with more, the factor takes longer than the start saves: columns³/3 multiplications */

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
    if (d > MAX_COLUMNS)
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
