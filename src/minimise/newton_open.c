/* Where Newton's method begins, and with which columns.
 *
 * Without a penalty, columns that depend on others are left out; their coefficients stay 0 here. If there are many
 * dense rows, nested samples are solved first, each from the minimum of the one before. Then only a few passes over all
 * rows are needed.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "minimise/limits.h"
#include "minimise/newton.h"
#include "minimise/newton_factor.h"
#include "minimise/row_sample.h"

static const double curvature_at_zero = 0.25; /* the curvature of every row at v = 0 */

void linpred__newton_close(linpred__newton *newton)
{
    linpred__logistic_point_close(&newton->point);
    linpred__cholesky_close(&newton->cholesky);
    linpred__line_search_close(&newton->line);
    linpred__release(newton->factor_at);
    linpred__release(newton->step);
    linpred__release(newton->square);
    linpred__release(newton->inverse);
    linpred__release(newton->kept);
    linpred__release(newton->gram);
    *newton = (linpred__newton){0};
}

void linpred__newton_reset(linpred__newton *newton)
{
    newton->factor = LINPRED__FACTOR_NONE;
    newton->evaluated = false;
    newton->point.curvature = curvature_at_zero;
    memset(newton->point.v, 0, (size_t)newton->problem->dimension * sizeof *newton->point.v);
}

/* ---- independent columns ----------------------------------------------------------------------------------------- */

/* Finds the independent columns from the Hessian at v = 0, which is the Gram matrix of the weighted rows over 4 W. */
static linpred_status find_rank_on(linpred__newton *newton, const linpred__row_sample *sample, linpred__hessian hessian,
                                   linpred_error *error)
{
    linpred__logistic_problem *problem = newton->problem;
    linpred_status status = linpred__logistic_evaluate(problem, sample, hessian, &newton->point, error);
    if (status != LINPRED_OK)
        return status;
    newton->rank =
        linpred__independent_columns(newton->point.hessian, problem->dimension, linpred__dependent_part, newton->kept);
    for (int32_t j = 0; j < problem->dimension; j++)
        newton->square[j] = newton->point.hessian[(int64_t)j * problem->dimension + j];
    return newton->rank < 0 ? linpred__no_memory(error) : LINPRED_OK;
}

/* Columns that are independent on some rows are independent on all. So a sample of one row in `every` (0: no sample),
   or a sampled Hessian, is tried first. */
static linpred_status find_rank(linpred__newton *newton, int64_t every, linpred_error *error)
{
    int32_t d = newton->problem->dimension;
    linpred_status status = LINPRED_OK;
    linpred__row_sample sample;
    newton->rank = 0;
    if (every > 0 && linpred__row_sample_open(newton->problem, every, &sample)) {
        status = find_rank_on(newton, &sample, LINPRED__HESSIAN_WHOLE, error);
        linpred__row_sample_close(&sample);
    } else if (newton->samples_hessians) {
        status = find_rank_on(newton, NULL, LINPRED__HESSIAN_SAMPLED, error);
        newton->point.curvature = curvature_at_zero;
    }
    if (status == LINPRED_OK && newton->rank < d)
        status = find_rank_on(newton, NULL, LINPRED__HESSIAN_WHOLE, error);
    if (status != LINPRED_OK || newton->rank == d)
        return status;
    newton->gram = linpred__alloc((size_t)d * (size_t)d, sizeof(double));
    if (!newton->gram || (newton->problem->terms.drop &&
                          !linpred__leftmost_columns(newton->point.hessian, d, newton->problem->has_intercept,
                                                     newton->rank, newton->kept)))
        return linpred__no_memory(error);
    memcpy(newton->gram, newton->point.hessian, (size_t)d * (size_t)d * sizeof(double));
    return LINPRED_OK;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* Moves v near the minimum of a sample of one row in `every`, and keeps the sample's factor. If the sample seems to
   have no minimum, v and factor are reset. The last step is taken without an evaluation, because the next sample makes
   one. */
static linpred_status solve_sample(linpred__newton *newton, int64_t every, linpred_error *error)
{
    linpred__logistic_problem *problem = newton->problem;
    linpred__row_sample sample;
    if (!linpred__row_sample_open(problem, every, &sample))
        return LINPRED_OK;
    linpred__logistic_end end;
    linpred_status status = linpred__newton_run_on_sample(newton, &sample, &end, error);
    linpred__row_sample_close(&sample);
    newton->evaluated = false;
    if (status != LINPRED_OK)
        return status;
    if (end != LINPRED__LOGISTIC_SMALL) {
        linpred__newton_reset(newton);
    } else {
        newton->factor = LINPRED__FACTOR_OF_SAMPLE;
        for (int32_t j = 0; j < problem->dimension; j++)
            newton->point.v[j] += newton->step[j];
    }
    return LINPRED_OK;
}

/* Returns k such that one row in k is the smallest sample of dense rows with enough rows for each column; 0 if there is
   none. The rarer class must have half as many rows as are enough. */
static int64_t first_sample(const linpred__logistic_problem *problem)
{
    double enough = (double)LINPRED__SAMPLE_ROWS_A_COLUMN * problem->dimension;
    double rows = 4.0 * problem->share[0] * problem->share[1] * (double)problem->data->rows;
    int64_t every = 1;
    if (problem->data->layout != LINPRED__DENSE || problem->data->rows < LINPRED__SAMPLE_MIN_DATA_ROWS)
        return 0;
    while (rows / (double)(every * LINPRED__SAMPLE_RATIO) >= enough)
        every *= LINPRED__SAMPLE_RATIO;
    return every > 1 ? every : 0;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Begins at v. *independent is false if the columns depend on each other on the rows that have curvature there. */
static linpred_status open_at(linpred__newton *newton, const double *v, bool *independent, linpred_error *error)
{
    int32_t d = newton->problem->dimension;
    memcpy(newton->point.v, v, (size_t)d * sizeof *v);
    for (int32_t j = 0; j < d; j++)
        newton->square[j] = NAN;
    linpred_status status =
        linpred__logistic_evaluate(newton->problem, NULL, LINPRED__HESSIAN_WHOLE, &newton->point, error);
    if (status == LINPRED_OK && !linpred__cholesky_open(d, &newton->cholesky))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK)
        return status;
    newton->evaluated = true;
    *independent = linpred__newton_make_factor(newton, NULL, LINPRED__HESSIAN_WHOLE) &&
                   newton->factor == LINPRED__FACTOR_FRESH &&
                   linpred__cholesky_min_remainder(&newton->cholesky) > 4.0 * linpred__dependent_part;
    if (!*independent) {
        linpred__cholesky_close(&newton->cholesky);
        linpred__newton_reset(newton);
    }
    return LINPRED_OK;
}

/* Begins at the start of the terms or, without one, at the minimum of samples. */
static linpred_status open_afresh(linpred__newton *newton, int64_t every, linpred_error *error)
{
    linpred__logistic_problem *problem = newton->problem;
    linpred_status status = problem->terms.l2 == 0.0 ? find_rank(newton, every, error) : LINPRED_OK;
    if (status == LINPRED_OK && !linpred__cholesky_open(newton->rank, &newton->cholesky))
        status = linpred__no_memory(error);
    for (; status == LINPRED_OK && every > 1; every /= LINPRED__SAMPLE_RATIO)
        status = solve_sample(newton, every, error);
    if (status == LINPRED_OK && problem->terms.start)
        status = linpred__logistic_begin(problem, &newton->point, error);
    return status;
}

static bool open_newton_vectors(linpred__newton *newton)
{
    size_t d = (size_t)newton->problem->dimension;
    newton->kept = linpred__alloc(d, sizeof *newton->kept);
    newton->factor_at = linpred__calloc(d, sizeof(double));
    newton->step = linpred__alloc(2 * d, sizeof(double));
    newton->square = linpred__calloc(d, sizeof(double));
    return newton->kept && newton->factor_at && newton->step && newton->square &&
           linpred__logistic_point_open(newton->problem, true, &newton->point) &&
           linpred__line_search_open(newton->problem, &newton->line);
}

static bool is_hessian_costly(const linpred__logistic_problem *problem)
{
    const linpred_data *data = problem->data;
    double rows = (double)data->rows;
    double entries = data->layout == LINPRED__DENSE ? problem->dimension : (double)data->entries / rows + 1;
    return rows * entries * entries > linpred__costly_hessian;
}

linpred_status linpred__newton_open(linpred__logistic_problem *problem, const double *v, linpred__newton *newton,
                                    linpred_error *error)
{
    int32_t d = problem->dimension;
    *newton = (linpred__newton){.problem = problem, .rank = d, .costly_hessian = is_hessian_costly(problem)};
    if (!open_newton_vectors(newton)) {
        linpred__newton_close(newton);
        return linpred__no_memory(error);
    }
    for (int32_t j = 0; j < d; j++)
        newton->kept[j] = j;
    bool ready = false, start = v || problem->terms.start;
    int64_t iterations = problem->progress.iterations;
    newton->samples_hessians = !start && newton->costly_hessian && linpred__hessian_sample_pays(problem);
    linpred_status status = newton->samples_hessians ? linpred__logistic_measure_leverage(problem, error) : LINPRED_OK;
    if (status == LINPRED_OK && v)
        status = open_at(newton, v, &ready, error);
    if (status == LINPRED_OK && !ready)
        status = open_afresh(newton, start ? 0 : first_sample(problem), error);
    if (status == LINPRED_OK && v && !ready)
        memcpy(newton->point.v, v, (size_t)d * sizeof *v);
    problem->progress.iterations = iterations; /* steps on samples do not count */
    if (status != LINPRED_OK)
        linpred__newton_close(newton);
    return status;
}
