/* What every learner of a halfspace says of it: mistakes, objective, margins, the perceptron's loss; and the claim that
 * follows from the mistakes. */
#include <math.h>

#include "fit/fit.h"
#include "pass/halfspace_tally.h"

linpred_status linpred__halfspace_report(linpred__fit *fit, linpred_error *error)
{
    const linpred_model *model = &fit->result->model;
    linpred_info *info = &fit->result->info;
    double radius = fit->problem.extents.radius.nearest;
    linpred__halfspace_tally tally;
    linpred_status status = linpred__ask_halfspace_tally(&fit->run, &fit->problem, model->w, model->b, &tally, error);
    if (status != LINPRED_OK)
        return status;
    info->radius = isfinite(radius) ? radius : NAN;
    info->errors = tally.errors;
    info->objective = tally.errors / tally.weight;
    info->perceptron_loss = tally.loss / tally.weight;
    info->margin = tally.margin;
    info->margin_without_intercept = tally.margin_without_intercept;
    return LINPRED_OK;
}

void linpred__claim_errors(linpred__fit *fit)
{
    linpred_info *info = &fit->result->info;
    linpred__certificate *certificate = &fit->result->certificate;
    certificate->claim = info->errors == 0.0 ? LINPRED__CLAIM_SEPARATES : LINPRED__CLAIM_ERRORS;
    certificate->errors = info->errors;
    if (info->errors == 0.0 && info->outcome != LINPRED_OUTCOME_SEPARATED)
        linpred__fit_end(fit, LINPRED_OUTCOME_SEPARATED, "the weights reached at the end make no mistake");
    else if (info->errors > 0.0 && info->outcome == LINPRED_OUTCOME_SEPARATED)
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         fit->options->mistake == LINPRED_MISTAKE_SIGN
                             ? "no mistakes by the rule sign, but rows on the boundary count as errors"
                             : "no mistakes while learning, but some after the weights were put in the file's units");
}
