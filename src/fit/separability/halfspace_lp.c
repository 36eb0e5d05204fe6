/* Method lp: separable or not, with the oracle's proof. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "fit/fit.h"
#include "separate/two_way.h"

/* What the oracle found becomes the result: the halfspace it ended with, and its proof. */
static void take_over(linpred__fit *fit, linpred__two_way *oracle)
{
    linpred_result *result = fit->result;
    linpred_info *info = &result->info;
    memcpy(result->model.w, oracle->w, (size_t)result->model.columns * sizeof(double));
    result->model.b = oracle->b;
    linpred__certificate_clear(&result->certificate);
    result->certificate.errors = NAN;
    linpred__certify_direction(&result->certificate, &oracle->direction);
    linpred__certify_combination(&result->certificate, &oracle->witness);
    linpred__certify_support(&result->certificate, &oracle->support, oracle->margin_bound);
    info->rounds = oracle->rounds;
    info->solver_seconds = oracle->solver_seconds;
    info->working_rows = oracle->working_rows;
    info->passes = oracle->passes;
    info->updates = oracle->updates;
    info->margin_bound = result->certificate.bound;
}

/* Outcome and claim, by the kind of answer. */
static void settle(linpred__fit *fit, linpred_separation kind, bool stopped)
{
    linpred__certificate *certificate = &fit->result->certificate;
    linpred_info *info = &fit->result->info;
    switch (kind) {
    case LINPRED_SEPARATION_SEPARATED:
        certificate->claim = LINPRED__CLAIM_SEPARATES;
        info->separation = LINPRED_SEPARATION_SEPARATED;
        linpred__fit_end(fit, LINPRED_OUTCOME_SEPARATED,
                         certificate->directions > 0
                             ? "integers separate the rows, but no weights of doubles were found that do"
                             : "a halfspace with every row on its right side was found");
        break;
    case LINPRED_SEPARATION_INSEPARABLE:
        certificate->claim = LINPRED__CLAIM_INSEPARABLE;
        if (certificate->witnesses == 1)
            linpred__fit_end(fit, LINPRED_OUTCOME_INSEPARABLE,
                             "a row of zeros is on the right side of no halfspace through the origin");
        else
            linpred__fit_end(fit, LINPRED_OUTCOME_INSEPARABLE,
                             "%lld rows cannot be separated by any halfspace: a positive combination of them is zero",
                             (long long)certificate->witnesses);
        break;
    default:
        certificate->claim = certificate->bound >= 0 ? LINPRED__CLAIM_MARGIN_AT_MOST : LINPRED__CLAIM_ERRORS;
        if (!stopped)
            linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                             "too many rows and columns for exact arithmetic; no halfspace has a margin above %.3g",
                             certificate->bound);
        break;
    }
}

linpred_status linpred__decide_halfspace(linpred__fit *fit, linpred_error *error)
{
    linpred__two_way oracle;
    linpred_status status = linpred__ask_two_way(&fit->run, &fit->problem, 0.0, &oracle, error);
    if (status != LINPRED_OK)
        return status;
    take_over(fit, &oracle);
    linpred__fit_note_stop(fit);
    settle(fit, oracle.kind, oracle.stopped);
    linpred__two_way_clear(&oracle);
    return LINPRED_OK;
}

linpred_status linpred__report_decided(linpred__fit *fit, linpred_error *error)
{
    linpred_status status = linpred__halfspace_report(fit, error);
    fit->result->certificate.errors = fit->result->info.errors;
    return status;
}

linpred_status linpred__fit_halfspace_lp(linpred__fit *fit, linpred_error *error)
{
    linpred_status status = linpred__decide_halfspace(fit, error);
    return status == LINPRED_OK ? linpred__report_decided(fit, error) : status;
}
