/* ρ = max ||x||_{H^-1} over the rows, from the factor of H that Newton's method ended with.
 *
 * ||x||_M <= Σ |x_j| ||e_j||_M for any norm: with the largest |x_j| of each column no pass is needed. Where that is too
 * much, one pass solves with the factor for every row.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "num/greater.h"
#include "core/memory.h"
#include "pass/fused.h"
#include "data/tree.h"
#include "data/row.h"
#include "minimise/logistic.h"

struct reach {
    const linpred__newton *newton;
    const int32_t *place; /* of a column among those kept, or -1 */
};

enum { TOGETHER = 64 }; /* rows that are solved for at once */

struct lane {
    double *x; /* of some rows, on the kept columns */
    double largest;
};

static bool reach_init(void *context, void *state)
{
    const struct reach *reach = context;
    struct lane *lane = state;
    lane->x = linpred__alloc(TOGETHER * (size_t)reach->newton->rank, sizeof(double));
    return lane->x != NULL;
}

static void reach_clear(void *context, void *state)
{
    (void)context;
    linpred__release(((struct lane *)state)->x);
}

static void take_row(const struct reach *reach, const linpred__block *block, int32_t r, double *x)
{
    const linpred__logistic *problem = reach->newton->problem;
    linpred__entries row = linpred__entries_of(block, r);
    memset(x, 0, (size_t)reach->newton->rank * sizeof(double));
    for (int64_t k = 0; k < row.count; k++) {
        int32_t column = linpred__entry_column(&row, k);
        if (reach->place[column] >= 0)
            x[reach->place[column]] = (row.values[k] - problem->center[column]) * problem->data_unit[column];
    }
    if (problem->has_intercept && reach->place[block->columns] >= 0)
        x[reach->place[block->columns]] = 1.0;
}

static void reach_visit(void *context, void *state, const linpred__block *block)
{
    const struct reach *reach = context;
    struct lane *lane = state;
    double square[TOGETHER];
    for (int32_t from = 0; from < block->rows; from += TOGETHER) {
        int32_t count = block->rows - from < TOGETHER ? block->rows - from : TOGETHER;
        for (int32_t k = 0; k < count; k++)
            take_row(reach, block, from + k, lane->x + (int64_t)k * reach->newton->rank);
        linpred__cholesky_squares(&reach->newton->cholesky, lane->x, count, square);
        for (int32_t k = 0; k < count; k++)
            lane->largest = linpred__greater(lane->largest, square[k]);
    }
}

static void reach_merge(void *context, void *into, const void *from)
{
    (void)context;
    struct lane *a = into;
    a->largest = linpred__greater(a->largest, ((const struct lane *)from)->largest);
}

static linpred_status reach_exactly(linpred__newton *newton, double *square, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    int32_t *place = linpred__alloc((size_t)problem->dimension, sizeof *place);
    if (!place)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < problem->dimension; j++)
        place[j] = -1;
    for (int32_t i = 0; i < newton->rank; i++)
        place[newton->keep[i]] = i;
    struct reach reach = {newton, place};
    linpred__visitor visitor = {sizeof(struct lane), reach_init, reach_visit, reach_merge, reach_clear, &reach};
    struct lane total;
    linpred_status status = linpred__pass(problem->data, problem->fit->run.pool, &visitor, &total, error);
    problem->passes++;
    linpred__release(place);
    if (status != LINPRED_OK)
        return status;
    *square = total.largest;
    reach_clear(&reach, &total);
    return LINPRED_OK;
}

/* ---- how far the step moves scores ---------------------------------------------------------------------------------
 */

struct moving {
    const double *w;
    double b;
};

static bool moving_init(void *context, void *state)
{
    (void)context;
    (void)state;
    return true;
}

static void moving_visit(void *context, void *state, const linpred__block *block)
{
    const struct moving *moving = context;
    double *most = state;
    for (int32_t r = 0; r < block->rows; r++)
        *most = fmax(*most, fabs(linpred__row_dot(block, r, moving->w) + moving->b));
}

static void moving_merge(void *context, void *into, const void *from)
{
    (void)context;
    *(double *)into = fmax(*(double *)into, *(const double *)from);
}

linpred_status linpred__newton_moves(linpred__newton *newton, double *most, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    int32_t columns = problem->data->columns;
    struct moving moving = {problem->w, problem->has_intercept ? newton->step[columns] : 0.0};
    for (int32_t j = 0; j < columns; j++) {
        problem->w[j] = problem->data_unit[j] * newton->step[j];
        moving.b -= problem->center[j] * problem->w[j];
    }
    linpred__visitor visitor = {sizeof(double), moving_init, moving_visit, moving_merge, NULL, &moving};
    problem->passes++;
    return linpred__pass(problem->data, problem->fit->run.pool, &visitor, most, error);
}

/* ---- the reach -----------------------------------------------------------------------------------------------------
 */

linpred_status linpred__newton_invert(linpred__newton *newton, linpred_error *error)
{
    if (newton->inverse)
        return LINPRED_OK;
    newton->inverse = linpred__alloc((size_t)newton->rank, sizeof *newton->inverse);
    if (newton->inverse && linpred__cholesky_inverse_diagonal(&newton->cholesky, newton->inverse))
        return LINPRED_OK;
    linpred__release(newton->inverse);
    newton->inverse = NULL;
    return linpred__no_memory(error);
}

linpred_status linpred__newton_doubt(linpred__newton *newton, double *doubt, linpred_error *error)
{
    const linpred__cholesky *cholesky = &newton->cholesky;
    linpred_status status = linpred__newton_invert(newton, error);
    if (status != LINPRED_OK)
        return status;
    double n = newton->rank, trace = 0.0;
    for (int32_t i = 0; i < newton->rank; i++)
        trace += newton->inverse[i] / (cholesky->scale[i] * cholesky->scale[i]);
    double off = n * (linpred__fused_chain(newton->problem->data) + 2.0 * n + 8.0) * 0x1p-52;
    *doubt = isfinite(trace) ? trace * off : INFINITY;
    return LINPRED_OK;
}

linpred_status linpred__leverage_bound(linpred__newton *newton, bool exactly, double *reach, linpred_error *error)
{
    double square = 0.0;
    if (exactly) {
        linpred_status status = reach_exactly(newton, &square, error);
        if (status == LINPRED_OK)
            *reach = sqrt(square) * (1.0 + 1e-6);
        return status;
    }
    linpred_status status = linpred__newton_invert(newton, error);
    if (status != LINPRED_OK)
        return status;
    double sum = 0.0;
    for (int32_t i = 0; i < newton->rank; i++)
        sum += newton->problem->extent[newton->keep[i]] * sqrt(newton->inverse[i]);
    *reach = sum * (1.0 + 1e-6);
    return LINPRED_OK;
}
