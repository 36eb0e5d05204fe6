/* ρ = max ||x||_{H^-1} over the rows, from the factor of H that Newton's method ended with.
 *
 * In any norm ||x|| <= Σ |x_j| ||e_j||. With the largest |x_j| of each column this bounds ρ without a pass. The exact ρ
 * takes one pass that solves with the factor for every row.
 */
#include "minimise/leverage_bound.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "minimise/limits.h"
#include "num/greater.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "minimise/newton_factor.h"

struct reach {
    const linpred__newton *newton;
    const int32_t *place; /* for each column its place among the kept ones, or -1 if it is not kept */
};

struct leverage_lane {
    double *x;      /* LINPRED__LEVERAGE_ROWS rows, on the kept columns */
    double largest; /* the largest ||x||² so far, in the norm of the inverse */
};

static bool init_leverage_lane(void *context, void *state)
{
    const struct reach *reach = context;
    struct leverage_lane *lane = state;
    lane->x = linpred__alloc(LINPRED__LEVERAGE_ROWS * (size_t)reach->newton->rank, sizeof(double));
    return lane->x != NULL;
}

static void clear_leverage_lane(void *context, void *state)
{
    (void)context;
    linpred__release(((struct leverage_lane *)state)->x);
}

static void take_kept_columns(const struct reach *reach, const linpred__block *block, int32_t r, double *x)
{
    const linpred__logistic_problem *problem = reach->newton->problem;
    linpred__entries row = linpred__entries_of(block, r);
    memset(x, 0, (size_t)reach->newton->rank * sizeof(double));
    for (int64_t k = 0; k < row.count; k++) {
        int32_t column = linpred__entry_column(&row, k);
        if (reach->place[column] >= 0)
            x[reach->place[column]] = (row.values[k] - problem->centre[column]) * problem->data_unit[column];
    }
    if (problem->has_intercept && reach->place[block->columns] >= 0)
        x[reach->place[block->columns]] = 1.0;
}

static void visit_leverages(void *context, void *state, const linpred__block *block)
{
    const struct reach *reach = context;
    struct leverage_lane *lane = state;
    double square[LINPRED__LEVERAGE_ROWS];
    for (int32_t from = 0; from < block->rows; from += LINPRED__LEVERAGE_ROWS) {
        int32_t count = block->rows - from < LINPRED__LEVERAGE_ROWS ? block->rows - from : LINPRED__LEVERAGE_ROWS;
        for (int32_t k = 0; k < count; k++)
            take_kept_columns(reach, block, from + k, lane->x + (int64_t)k * reach->newton->rank);
        linpred__cholesky_squared_lengths(&reach->newton->cholesky, lane->x, count, square);
        for (int32_t k = 0; k < count; k++)
            lane->largest = linpred__greater(lane->largest, square[k]);
    }
}

static void merge_leverages(void *context, void *into, const void *from)
{
    (void)context;
    struct leverage_lane *a = into;
    a->largest = linpred__greater(a->largest, ((const struct leverage_lane *)from)->largest);
}

static void list_leverages(void *context, void *state, linpred__state_pieces *pieces)
{
    (void)context;
    linpred__state_piece(pieces, &((struct leverage_lane *)state)->largest, sizeof(double));
}

static linpred_status find_largest(linpred__newton *newton, double *square, linpred_error *error)
{
    linpred__logistic_problem *problem = newton->problem;
    int32_t *place = linpred__alloc((size_t)problem->dimension, sizeof *place);
    if (!place)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < problem->dimension; j++)
        place[j] = -1;
    for (int32_t i = 0; i < newton->rank; i++)
        place[newton->kept[i]] = i;
    struct reach reach = {newton, place};
    linpred__visitor visitor = {sizeof(struct leverage_lane),
                                init_leverage_lane,
                                visit_leverages,
                                merge_leverages,
                                clear_leverage_lane,
                                &reach,
                                list_leverages};
    struct leverage_lane total;
    linpred_status status = linpred__pass(problem->data, problem->run->pool, &visitor, &total, error);
    problem->progress.passes++;
    linpred__release(place);
    if (status != LINPRED_OK)
        return status;
    *square = total.largest;
    clear_leverage_lane(&reach, &total);
    return LINPRED_OK;
}

/* ---- the change of scores ---------------------------------------------------------------------------------------- */

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
    double *max = state;
    for (int32_t r = 0; r < block->rows; r++)
        *max = fmax(*max, fabs(linpred__row_dot(block, r, moving->w) + moving->b));
}

static void moving_merge(void *context, void *into, const void *from)
{
    (void)context;
    *(double *)into = fmax(*(double *)into, *(const double *)from);
}

linpred_status linpred__newton_max_score_change(linpred__newton *newton, double *max, linpred_error *error)
{
    linpred__logistic_problem *problem = newton->problem;
    int32_t columns = problem->data->columns;
    struct moving moving = {problem->scratch.w, problem->has_intercept ? newton->step[columns] : 0.0};
    for (int32_t j = 0; j < columns; j++) {
        problem->scratch.w[j] = problem->data_unit[j] * newton->step[j];
        moving.b -= problem->centre[j] * problem->scratch.w[j];
    }
    linpred__visitor visitor = {sizeof(double), moving_init, moving_visit,        moving_merge,
                                NULL,           &moving,     linpred__whole_state};
    problem->progress.passes++;
    return linpred__pass(problem->data, problem->run->pool, &visitor, max, error);
}

/* ---- the bound --------------------------------------------------------------------------------------------------- */

linpred_status linpred__leverage_bound(linpred__newton *newton, bool exactly, double *rho, linpred_error *error)
{
    double square = 0.0;
    if (exactly) {
        linpred_status status = find_largest(newton, &square, error);
        if (status == LINPRED_OK)
            *rho = sqrt(square) * (1.0 + 1e-6);
        return status;
    }
    linpred_status status = linpred__newton_invert(newton, error);
    if (status != LINPRED_OK)
        return status;
    double sum = 0.0;
    for (int32_t i = 0; i < newton->rank; i++)
        sum += newton->problem->extent[newton->kept[i]] * sqrt(newton->inverse[i]);
    *rho = sum * (1.0 + 1e-6);
    return LINPRED_OK;
}
