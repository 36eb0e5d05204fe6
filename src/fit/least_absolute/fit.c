/* fit regression --loss absolute: asks the question of least absolute deviations and assembles the result. */
#include "fit/fit.h"

#include <math.h>

#include "data/fingerprint.h"
#include "fit/least_absolute/least_absolute.h"
#include "fit/least_absolute/limits.h"
#include "model/limits.h"

/* If the fit is proved, the outcome is optimal, even if the run was stopped. */
static linpred__ending find_absolute_ending(const linpred__fit_context *fit, const linpred__least_absolute *answer)
{
    if (fit->run.stopped != LINPRED__NOT_STOPPED && !answer->proved)
        return linpred__stopped_ending(&fit->run);
    return linpred__make_ending(
        LINPRED_OUTCOME_OPTIMAL,
        "%d rows determine the fit, with duals that prove it the best; %lld steps, at most %lld rows at a time",
        answer->rank, (long long)answer->effort.steps, (long long)answer->effort.active_rows);
}

static void assemble_figures(const linpred__least_absolute *answer, linpred__figures *figures)
{
    figures->method = LINPRED_METHOD_VERTEX;
    figures->objective = ldexp(answer->loss / answer->weight, answer->target_exponent);
    figures->mean_absolute_error = ldexp(answer->absolute / answer->weight, answer->target_exponent);
    double squares = ldexp(answer->squares / answer->weight, 2 * answer->target_exponent);
    figures->mean_squared_error = isfinite(squares) ? squares : NAN; /* beyond the range of doubles it is not stated */
    figures->gap = answer->duals_prove ? answer->gap : NAN;
    figures->rank = answer->rank;
    figures->rank_threshold = answer->rank >= 0 ? LINPRED__RANK_THRESHOLD : (double)NAN;
    figures->unique = answer->unique;
    figures->updates = answer->effort.steps;
    figures->rounds = answer->effort.rounds;
    figures->passes = answer->effort.passes;
    figures->working_rows = answer->effort.active_rows;
}

static void assemble_claims(linpred__least_absolute *answer, linpred__claims *claims)
{
    linpred__claims_add(claims, LINPRED_CLAIM_LEAST_ABSOLUTE, true)->by.support = answer->support;
    answer->support = (linpred__support){0};
    linpred__claims_add(claims, LINPRED_CLAIM_OBJECTIVE, false);
    linpred__claims_add(claims, LINPRED_CLAIM_FIT_QUALITY, false);
    if (answer->rank >= 0)
        linpred__claims_add(claims, LINPRED_CLAIM_DEPENDENCIES, false);
}

static linpred_status assemble(linpred__fit_context *fit, linpred__least_absolute *answer, linpred_error *error)
{
    linpred_result *result = fit->result;
    linpred__ending ending = find_absolute_ending(fit, answer);
    linpred__set_ending(&result->figures, &ending);
    assemble_figures(answer, &result->figures);
    assemble_claims(answer, &result->claims);
    return linpred__coefficients_assemble(&answer->coefficients, &result->model, error);
}

linpred_status linpred__fit_least_absolute(linpred__fit_context *fit, linpred_error *error)
{
    const linpred__recipe *recipe = fit->result->model.recipe;
    linpred__least_absolute answer = {0};
    linpred_status status =
        linpred__ask_least_absolute(&fit->run, &fit->problem, recipe, fit->options->quantile,
                                    fit->options->dependent == LINPRED_DEPENDENT_DROP, &answer, error);
    if (status == LINPRED_OK)
        status = linpred__fingerprint(fit->problem.data, fit->run.pool, &fit->problem.extents.fingerprint, error);
    if (status == LINPRED_OK)
        status = assemble(fit, &answer, error);
    linpred__least_absolute_clear(&answer);
    return status;
}
