/* fit regression --loss squared: asks the question of least squares and assembles the result. */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/least_squares/least_squares.h"
#include "num/distribution.h"

/* ---- assembling ---- */

static const char *way_of(const linpred__least_squares *answer)
{
    switch (answer->method) {
    case LINPRED_METHOD_GRAM:
        return "Cholesky of the Gram matrix, refined by residuals in double-double";
    case LINPRED_METHOD_CG:
        return "conjugate gradients, restarted from residuals in double-double";
    default:
        return answer->in_double_double ? "QR in double-double throughout"
                                        : "QR, refined by residuals in double-double";
    }
}

static linpred__ending find_squares_ending(const linpred__fit_context *fit, const linpred__least_squares *answer,
                                           double l2)
{
    const char *way = way_of(answer);
    int32_t dependencies = answer->coefficients.dependencies.count, width = answer->coefficients.width;
    const char *depend = dependencies == 1 ? "depends" : "depend";
    const char *counted = fit->problem.has_intercept ? ", the intercept included," : "";
    if (fit->run.stopped != LINPRED__NOT_STOPPED)
        return linpred__stopped_ending(&fit->run);
    if (!answer->converged)
        return linpred__make_ending(LINPRED_OUTCOME_LIMIT_REACHED,
                                    "conjugate gradients came no nearer than a gradient of %.3g beside the residual",
                                    answer->accuracy);
    if (answer->method == LINPRED_METHOD_CG)
        return linpred__make_ending(
            LINPRED_OUTCOME_OPTIMAL,
            "%s; the gradient is %.2g of the residual, in columns of length 1; the rank is not known", way,
            answer->accuracy);
    if (dependencies > 0 && l2 > 0)
        return linpred__make_ending(
            LINPRED_OUTCOME_OPTIMAL,
            "%s; %d of %d columns%s %s on others, and the penalty is lost in rounding: the minimiser of least norm "
            "without it; --l2 is too small",
            way, dependencies, width, counted, depend);
    if (dependencies > 0)
        return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL, "%s; %d of %d columns%s %s on others: %s", way,
                                    dependencies, width, counted, depend,
                                    answer->coefficients.dependencies.drop ? "dropped, as those before do as well"
                                                                           : "of all minimisers, that of least norm");
    return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL, "%s", way);
}

static const char *why_no_standard_errors(const linpred__least_squares *answer, double l2, int64_t rows)
{
    if (l2 > 0)
        return "a penalty moves the coefficients by an amount that the data do not tell";
    if (answer->rank < 0)
        return "conjugate gradients find neither the rank nor the variances";
    if (answer->weight == (double)rows)
        return "as many coefficients as rows leave no degrees of freedom";
    return "the total weight is not above the rank, and a weight counts copies: no degrees of freedom are left";
}

/* Sets the residual standard deviation and the F statistic of all columns together. */
static void assemble_inference(const linpred__least_squares *answer, bool has_intercept, linpred__figures *figures)
{
    double df = figures->degrees_of_freedom, rss = answer->squares, total = answer->around;
    figures->residual_sd = ldexp(sqrt(rss / df), answer->target_exponent);
    double model_df = answer->rank - (has_intercept ? 1 : 0);
    double f = (total - rss) / model_df / (rss / df);
    if (model_df > 0 && total > 0 && rss > 0 && isfinite(f)) { /* if all residuals are 0, there is no test */
        figures->f_statistic = f;
        figures->f_p_value = linpred__f_upper(figures->f_statistic, model_df, df);
    }
}

/* Standard errors, where there is a residual standard deviation. */
static linpred_status assemble_standard_errors(const linpred__least_squares *answer, linpred_result *result,
                                               linpred_error *error)
{
    int32_t columns = result->model.columns;
    if (isnan(result->figures.residual_sd))
        return LINPRED_OK;
    result->standard_error = linpred__alloc((size_t)columns + 1, sizeof *result->standard_error);
    if (!result->standard_error)
        return linpred__no_memory(error);
    result->standard_error[columns] = NAN;
    for (int32_t j = 0; j < columns + result->model.has_intercept; j++)
        result->standard_error[j] = result->figures.residual_sd * answer->error_per_sd[j];
    return LINPRED_OK;
}

/* A penalised fit has no degrees of freedom; weights below 1 may be less than the rank. */
static double degrees_of_freedom(const linpred__least_squares *answer, double l2)
{
    return answer->rank < 0 || l2 > 0 ? (double)NAN : fmax(0.0, answer->weight - answer->rank);
}

static void assemble_figures(linpred__fit_context *fit, const linpred__least_squares *answer)
{
    const linpred_model *model = &fit->result->model;
    linpred__figures *figures = &fit->result->figures;
    double penalty = 0.0, l2 = fit->options->l2;
    for (int32_t j = 0; l2 > 0 && j < model->columns; j++)
        penalty += 0.5 * l2 * model->w[j] * model->w[j]; /* in this order, since w² alone may leave the range */
    figures->method = answer->method;
    figures->mean_squared_error = ldexp(answer->squares / answer->weight, 2 * answer->target_exponent);
    figures->mean_absolute_error = ldexp(answer->absolute / answer->weight, answer->target_exponent);
    /* No fit is worse than the mean; a penalty and rounding may make it seem so. */
    figures->r_squared = answer->around > 0 ? fmax(0.0, 1.0 - answer->squares / answer->around) : NAN;
    figures->objective = figures->mean_squared_error + penalty;
    figures->l2 = l2;
    figures->condition = answer->condition;
    figures->rank_threshold = answer->threshold;
    figures->rank = answer->rank;
    figures->unique = answer->rank < 0 ? -1 : answer->rank == model->regression->width;
    if (answer->method == LINPRED_METHOD_CG) {
        figures->passes = answer->passes;
        figures->gradient_left = answer->accuracy;
    }
    figures->degrees_of_freedom = degrees_of_freedom(answer, l2);
    if (figures->degrees_of_freedom > 0 && answer->error_per_sd)
        assemble_inference(answer, model->has_intercept, figures);
    else
        snprintf(figures->reason_no_errors, sizeof figures->reason_no_errors, "%s",
                 why_no_standard_errors(answer, l2, fit->problem.data->rows));
}

/* Coefficients and the factor of their standard errors. The model takes what the answer owns. */
static linpred_status assemble_model(linpred_model *model, linpred__least_squares *answer, linpred_error *error)
{
    linpred__regression *regression = model->regression;
    regression->factor_columns = answer->factor ? answer->rank : 0;
    regression->factor = answer->factor;
    answer->factor = NULL;
    regression->basis_dependency = answer->basis_dependency;
    answer->basis_dependency = NULL;
    return linpred__coefficients_assemble(&answer->coefficients, model, error);
}

static void assemble_claims(linpred_result *result)
{
    linpred__claims *claims = &result->claims;
    linpred__claims_add(claims, LINPRED_CLAIM_LEAST_SQUARES, true);
    linpred__claims_add(claims, LINPRED_CLAIM_OBJECTIVE, false);
    linpred__claims_add(claims, LINPRED_CLAIM_FIT_QUALITY, false);
    if (result->figures.rank < 0)
        return; /* conjugate gradients find no rank, dependencies or standard errors */
    linpred__claims_add(claims, LINPRED_CLAIM_DEPENDENCIES, false);
    if (result->standard_error)
        linpred__claims_add(claims, LINPRED_CLAIM_STANDARD_ERRORS, false);
}

static linpred_status assemble(linpred__fit_context *fit, linpred__least_squares *answer, linpred_error *error)
{
    linpred_result *result = fit->result;
    linpred__ending ending = find_squares_ending(fit, answer, fit->options->l2);
    linpred__set_ending(&result->figures, &ending);
    linpred_status status = assemble_model(&result->model, answer, error);
    if (status != LINPRED_OK)
        return status;
    assemble_figures(fit, answer);
    if (!isfinite(result->figures.objective))
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "the mean squared error of the fit is beyond the range of numbers: give the target in a "
                             "larger unit%s",
                             fit->options->l2 > 0 ? "" : ", or take --loss absolute");
    status = assemble_standard_errors(answer, result, error);
    if (status != LINPRED_OK)
        return status;
    assemble_claims(result);
    fit->problem.extents.fingerprint = answer->fingerprint;
    return LINPRED_OK;
}

linpred_status linpred__fit_least_squares(linpred__fit_context *fit, linpred_error *error)
{
    const linpred__recipe *recipe = fit->result->model.recipe;
    linpred__least_squares answer = {0};
    linpred_status status =
        linpred__ask_least_squares(&fit->run, &fit->problem, recipe, fit->options->l2,
                                   fit->options->dependent == LINPRED_DEPENDENT_DROP, &answer, error);
    if (status == LINPRED_OK)
        status = assemble(fit, &answer, error);
    linpred__least_squares_clear(&answer);
    return status;
}
