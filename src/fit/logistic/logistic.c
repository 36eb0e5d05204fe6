/* fit logistic: chooses the method that minimises F and asks the questions in their order.
 *
 *   F(w,b) = (1/W) Σ weight ln(1 + e^(-y(<w,x>+b))) + (l2/2) ||w||²
 *
 * Without a penalty the outcome `optimal` needs a proof that a minimum exists. The Hessian at the last point usually
 * gives it (gap.c). If it does not, questions about separation decide (existence.c). With l2 > 0 there is always a
 * minimum. docs/logistic.md derives the bounds of the gap.
 */
#include "fit/logistic/logistic.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/logistic/limits.h"
#include "fit/start.h"
#include "pass/halfspace_tally.h"
#include "proof/limits.h"

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

/* Whether to use Newton's method with the matrix rather than conjugate gradients. */
static bool takes_matrix(const linpred_data *data, const linpred_options *options)
{
    int32_t columns = data->columns;
    if (options->method != LINPRED_METHOD_AUTO)
        return options->method == LINPRED_METHOD_NEWTON;
    if (options->l2 == 0.0)
        return columns <= LINPRED__AUTO_MATRIX_UNPENALISED;
    if (columns > LINPRED__AUTO_MATRIX_PENALISED || columns <= LINPRED__AUTO_MATRIX_ALWAYS)
        return columns <= LINPRED__AUTO_MATRIX_ALWAYS;
    if (data->layout == LINPRED__DENSE)
        return data->rows >= (int64_t)LINPRED__AUTO_ROWS_A_FEATURE * columns;
    double d = columns, entries = (double)data->entries + (double)data->rows;
    double hessian =
        0.5 * entries * entries / (double)data->rows + 2.0 * LINPRED__AUTO_MERGED_MATRICES * d * d + d * d * d / 24.0;
    return hessian <= LINPRED__AUTO_HESSIAN_TRIPS * 2.0 * entries;
}

/* Fails if options need the matrix and there are too many features for it. */
static linpred_status check_options(const linpred__fit_context *fit, bool newton, linpred_error *error)
{
    linpred_options usual;
    linpred__options_init(&usual);
    int32_t columns = fit->problem.data->columns;
    if (columns <= LINPRED__MAX_MATRIX_FEATURES)
        return linpred__check_start(fit->problem.data, fit->options, error);
    if (newton)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--method newton is for at most %d features; here are %d: use newton-cg",
                             LINPRED__MAX_MATRIX_FEATURES, columns);
    if (fit->options->confidence != usual.confidence)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--confidence is for at most %d features; for the %d here there are no standard errors",
                             LINPRED__MAX_MATRIX_FEATURES, columns);
    return linpred__check_start(fit->problem.data, fit->options, error);
}

/* ---- the fit ----------------------------------------------------------------------------------------------------- */

/* Fails if a coefficient is beyond the range of doubles, because the numbers of its column are too small. */
static linpred_status check_finite(const linpred__logistic_work *work, linpred_error *error)
{
    for (int32_t j = 0; j < work->problem.original->data->columns; j++)
        if (!isfinite(work->answer.w[j]))
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "the numbers of feature %d are so small that its coefficient is beyond the range of "
                                 "doubles: scale the column",
                                 j + 1);
    return LINPRED_OK;
}

static double penalty(const linpred__logistic_problem *problem, const double *v)
{
    double sum = 0.0;
    for (int32_t j = 0; j < problem->dimension; j++)
        sum += 0.5 * problem->penalty[j] * v[j] * v[j];
    return sum;
}

/* Sets coefficients, objective, errors and summary of the answer from the point where the method ended. */
static linpred_status take_point(linpred__logistic_work *work, linpred_error *error)
{
    linpred__logistic_answer *answer = &work->answer;
    linpred__logistic_problem *problem = &work->problem;
    linpred__logistic_take_coefficients(work);
    if (answer->direction.count > 0)
        return LINPRED_OK;
    linpred_status status = check_finite(work, error);
    if (status != LINPRED_OK)
        return status;
    answer->objective = work->point->objective;
    answer->loss = work->point->objective - penalty(problem, work->point->v);
    answer->errors = work->point->errors;
    if (work->point->unsure > 0 || problem->run->stopped != LINPRED__NOT_STOPPED) {
        linpred__halfspace_tally tally;
        status = linpred__ask_halfspace_tally(problem->run, problem->original, answer->w, answer->b, &tally, error);
        if (status != LINPRED_OK)
            return status;
        answer->errors = tally.errors;
    }
    return linpred__logistic_summary(work, error);
}

static linpred_status find(linpred__logistic_work *work, linpred_error *error)
{
    linpred__logistic_answer *answer = &work->answer;
    linpred_status status = LINPRED_OK;
    if (work->problem.terms.l2 == 0.0) /* with a penalty there is always a minimum */
        status = linpred__logistic_try_columns(work, error);
    if (status == LINPRED_OK && answer->direction.count == 0) {
        status = answer->by_newton ? linpred__logistic_by_newton(work, error)
                                   : linpred__logistic_by_conjugate_gradients(work, error);
        if (status == LINPRED_OK)
            status = take_point(work, error);
    }
    answer->start_ignored = work->problem.progress.start_ignored;
    answer->passes = work->problem.progress.passes;
    answer->iterations = work->problem.progress.iterations;
    return status;
}

static void close_fit(linpred__logistic_work *work)
{
    linpred__newton_close(&work->newton);
    linpred__logistic_point_close(&work->cg_point);
    linpred__logistic_close(&work->problem);
    linpred__release(work->answer.w);
    linpred__release(work->answer.standard_error);
    linpred__direction_clear(&work->answer.direction);
    linpred__combination_clear(&work->answer.witness);
    linpred__combination_clear(&work->answer.carriers);
    linpred__dependencies_clear(&work->answer.null_space.dependencies);
}

linpred_status linpred__fit_logistic(linpred__fit_context *fit, linpred_error *error)
{
    const linpred_options *options = fit->options;
    const linpred_data *data = fit->problem.data;
    linpred__logistic_work work = {.answer = {.by_newton = takes_matrix(data, options),
                                              .gap = INFINITY,
                                              .kind = LINPRED_SEPARATION_UNDECIDED,
                                              .rank = -1,
                                              .unique = -1,
                                              .deviance = NAN,
                                              .null_deviance = NAN,
                                              .aic = NAN}};
    linpred__logistic_start start = {0};
    linpred__logistic_terms terms = {.l2 = options->l2, .tolerance = options->tolerance};
    if (options->start) {
        start = (linpred__logistic_start){options->start->w, options->start->b};
        terms.start = &start;
    }
    /* Without a penalty, conjugate gradients may be followed by Newton's method, which needs the matrix. */
    bool matrix = work.answer.by_newton || (options->l2 == 0.0 && data->columns <= LINPRED__MAX_MATRIX_FEATURES);
    linpred_status status = check_options(fit, work.answer.by_newton, error);
    if (status == LINPRED_OK)
        status = linpred__read_class_weights(options->class_weights, data, terms.class_weight, error);
    if (status == LINPRED_OK)
        status = linpred__logistic_open(&fit->run, &fit->problem, &terms, matrix, &work.problem, error);
    if (status != LINPRED_OK)
        return status;
    work.answer.w = linpred__calloc((size_t)data->columns + 1, sizeof *work.answer.w);
    status = work.answer.w ? find(&work, error) : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__logistic_assemble(fit, &work, error);
    close_fit(&work);
    return status;
}
