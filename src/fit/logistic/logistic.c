/* fit logistic: chooses the method that minimises F and asks the questions in their order.
 *
 *   F(w,b) = (1/W) Σ weight ln(1 + e^(-y(<w,x>+b))) + (l2/2) ||w||²
 *
 * Without a penalty the outcome `optimal` needs a proof that a minimum exists. The Hessian at the last point usually
 * gives it (methods.c). If it does not, questions about separation decide (existence.c). With l2 > 0 there is always a
 * minimum. docs/logistic.md derives the bounds of the gap.
 */
#include "fit/logistic/logistic.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "fit/logistic/limits.h"
#include "fit/start.h"
#include "pass/halfspace_tally.h"
#include "proof/limits.h"

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

/* Whether to use Newton's method with the matrix rather than conjugate gradients. */
static bool takes_matrix(const linpred_data *data, linpred_method method, double l2)
{
    int32_t columns = data->columns;
    if (method != LINPRED_METHOD_AUTO)
        return method == LINPRED_METHOD_NEWTON;
    if (l2 == 0.0)
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
static linpred_status check_logistic_options(const linpred__fit_context *fit, bool newton, linpred_error *error)
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
    if (fit->options->dependent == LINPRED_DEPENDENT_DROP)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--dependent drop is for at most %d features; among the %d here dependent columns are not "
                             "looked for",
                             LINPRED__MAX_MATRIX_FEATURES, columns);
    return linpred__check_start(fit->problem.data, fit->options, error);
}

/* ---- the questions ----------------------------------------------------------------------------------------------- */

/* Fails if a coefficient is beyond the range of doubles, because the numbers of its column are too small. */
static linpred_status check_finite(const double *w, int32_t columns, linpred_error *error)
{
    for (int32_t j = 0; j < columns; j++)
        if (!isfinite(w[j]))
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

/* Objective, loss and mistakes of the coefficients. */
static linpred_status measure_coefficients(const linpred__logistic_problem *problem,
                                           const linpred__logistic_point *point, linpred__logistic_values *values,
                                           linpred_error *error)
{
    linpred_status status = check_finite(values->w, problem->original->data->columns, error);
    if (status != LINPRED_OK)
        return status;
    /* In the units of the method a tiny penalty may be a denormal number, or 0. */
    double root = sqrt(problem->terms.l2), norm = 0.0;
    for (int32_t j = 0; j < problem->original->data->columns; j++)
        norm += root * values->w[j] * (root * values->w[j]);
    values->loss = point->objective - penalty(problem, point->v);
    values->objective = values->loss + 0.5 * norm;
    if (point->unsure == 0 && problem->run->stopped == LINPRED__NOT_STOPPED) {
        values->errors = point->errors;
        return LINPRED_OK;
    }
    linpred__halfspace_tally tally;
    status = linpred__ask_halfspace_tally(problem->run, problem->original, values->w, values->b, &tally, error);
    if (status == LINPRED_OK)
        values->errors = tally.errors;
    return status;
}

static linpred_status ask_logistic_questions(linpred__logistic_problem *problem, linpred__logistic_answers *answers,
                                             linpred_error *error)
{
    linpred__logistic_found *found = &answers->found;
    linpred__logistic_values *values = &answers->values;
    linpred_status status = LINPRED_OK;
    if (problem->terms.l2 == 0.0) /* with a penalty there is always a minimum */
        status = linpred__logistic_try_columns(problem, &answers->by_columns, error);
    if (status != LINPRED_OK || answers->by_columns.direction.count > 0)
        return status;
    status = answers->by_newton ? linpred__logistic_by_newton(problem, found, error)
                                : linpred__logistic_by_conjugate_gradients(problem, found, error);
    if (status == LINPRED_OK)
        status = linpred__logistic_write(problem, found, values, error);
    if (status != LINPRED_OK || found->existence.direction.count > 0)
        return status;
    if (!(found->gap <= problem->terms.tolerance) && problem->run->stopped == LINPRED__NOT_STOPPED)
        status = linpred__logistic_refine(problem, found, values, &answers->fine, error);
    if (status == LINPRED_OK && !answers->fine.made)
        status = measure_coefficients(problem, linpred__logistic_last_point(found), values, error);
    if (status == LINPRED_OK)
        status = linpred__logistic_summarise(problem, found, values, &answers->fine, &answers->summary, error);
    return status;
}

static void clear_answers(linpred__logistic_answers *answers)
{
    linpred__three_way_clear(&answers->by_columns);
    linpred__logistic_found_clear(&answers->found);
    linpred__release(answers->values.w);
    linpred__release(answers->values.tails.value);
    linpred__release(answers->fine.standard_error);
    linpred__release(answers->summary.standard_error);
    linpred__logistic_finite_clear(&answers->finite);
}

/* ---- the option --class-weights ---------------------------------------------------------------------------------- */

static bool read_number(const char *text, size_t bytes, double *value)
{
    return linpred__number_read(text, bytes, value) == LINPRED__NUMBER && *value >= LINPRED__MIN_CLASS_WEIGHT &&
           *value <= 1.0 / LINPRED__MIN_CLASS_WEIGHT;
}

/* Reads the option. "balanced" gives each label half of the total weight. "A:B" gives the factors of the labels -1 and
   +1. NULL gives 1 and 1. */
static linpred_status read_class_weights(const char *text, const linpred_data *data, double weight[2],
                                         linpred_error *error)
{
    weight[0] = weight[1] = 1.0;
    if (!text)
        return LINPRED_OK;
    if (strcmp(text, "balanced") == 0) {
        int64_t rows[2];
        double sum[2];
        linpred__class_sums(data, rows, sum);
        for (int k = 0; k < 2; k++)
            weight[k] = (sum[0] + sum[1]) / (2.0 * sum[k]);
        return LINPRED_OK;
    }
    const char *colon = strchr(text, ':');
    if (colon && read_number(text, (size_t)(colon - text), &weight[0]) &&
        read_number(colon + 1, strlen(colon + 1), &weight[1]))
        return LINPRED_OK;
    char excerpt[LINPRED__EXCERPT];
    return linpred__fail(
        error, LINPRED_ERROR_USAGE,
        "--class-weights takes balanced, or two numbers A:B from 1e-30 to 1e30 for the labels -1 and +1, not '%s'",
        linpred__excerpt(text, strlen(text), excerpt));
}

/* ---- the learner ------------------------------------------------------------------------------------------------- */

linpred_status linpred__fit_logistic(linpred__fit_context *fit, linpred_error *error)
{
    const linpred_options *options = fit->options;
    const linpred_data *data = fit->problem.data;
    linpred__logistic_problem problem;
    linpred__logistic_answers answers = {.by_newton = takes_matrix(data, fit->method, options->l2),
                                         .summary = {.rank = -1, .unique = -1}};
    linpred__logistic_start start = {0};
    linpred__logistic_terms terms = {
        .l2 = options->l2, .tolerance = options->tolerance, .drop = options->dependent == LINPRED_DEPENDENT_DROP};
    if (options->start) {
        start = (linpred__logistic_start){options->start->w, options->start->b};
        terms.start = &start;
    }
    /* Without a penalty, conjugate gradients may be followed by Newton's method, which needs the matrix. */
    bool matrix = answers.by_newton || (options->l2 == 0.0 && data->columns <= LINPRED__MAX_MATRIX_FEATURES);
    linpred_status status = check_logistic_options(fit, answers.by_newton, error);
    if (status == LINPRED_OK)
        status = read_class_weights(options->class_weights, data, terms.class_weight, error);
    if (status == LINPRED_OK)
        status = linpred__logistic_open(&fit->run, &fit->problem, &terms, matrix, &problem, error);
    if (status != LINPRED_OK)
        return status;
    status = ask_logistic_questions(&problem, &answers, error);
    if (status == LINPRED_OK)
        status =
            linpred__logistic_find_finite_part(&problem, linpred__logistic_existence(&answers), &answers.finite, error);
    if (status == LINPRED_OK)
        status = linpred__logistic_assemble(fit, &problem, &answers, error);
    clear_answers(&answers);
    linpred__logistic_close(&problem);
    return status;
}
