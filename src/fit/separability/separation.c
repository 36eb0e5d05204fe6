/* linpred_find_separation: the three-way oracle's answer as a result of its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "fit/fit.h"
#include "separate/three_way.h"

/* The direction as the model's weights, as far as doubles hold it. */
static void take_weights(linpred_result *result)
{
    const linpred__certificate *certificate = &result->certificate;
    linpred_model *model = &result->model;
    bool fits = true;
    for (int32_t j = 0; j < certificate->directions; j++) {
        double value = strtod(certificate->direction[j], NULL);
        fits = fits && isfinite(value);
        *(j < model->columns ? &model->w[j] : &model->b) = value;
    }
    if (fits)
        return;
    memset(model->w, 0, (size_t)model->columns * sizeof *model->w);
    model->b = 0.0;
}

static void settle(linpred__fit *fit, const linpred__three_way *overlap)
{
    linpred__certificate *certificate = &fit->result->certificate;
    switch (overlap->kind) {
    case LINPRED_SEPARATION_SEPARATED:
        certificate->claim = LINPRED__CLAIM_SEPARATES;
        linpred__fit_end(fit, LINPRED_OUTCOME_SEPARATED, "some halfspace has every row on its right side");
        break;
    case LINPRED_SEPARATION_QUASI_SEPARATED:
        certificate->claim = LINPRED__CLAIM_NO_MINIMISER;
        linpred__fit_end(fit, LINPRED_OUTCOME_NO_MINIMISER,
                         "some halfspace has no row on its wrong side, but none has all on its right side");
        break;
    case LINPRED_SEPARATION_OVERLAPPING:
        certificate->claim = LINPRED__CLAIM_OVERLAPPING;
        linpred__fit_end(fit, LINPRED_OUTCOME_INSEPARABLE,
                         "every halfspace has rows on its wrong side, or all rows on its boundary");
        break;
    default:
        certificate->claim = certificate->directions > 0 ? LINPRED__CLAIM_NO_MINIMISER : LINPRED__CLAIM_ERRORS;
        if (certificate->directions > 0)
            linpred__fit_end(
                fit, LINPRED_OUTCOME_NO_MINIMISER,
                "some halfspace has no row on its wrong side; whether one has all on its right side is not decided");
        else if (!overlap->stopped)
            linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED, "too large for exact arithmetic");
        break;
    }
}

linpred_status linpred__fit_separation(linpred__fit *fit, linpred_error *error)
{
    linpred_info *info = &fit->result->info;
    linpred__three_way overlap;
    linpred_status status = linpred__ask_three_way(&fit->run, &fit->problem, NULL, 0.0, &overlap, error);
    if (status != LINPRED_OK)
        return status;
    linpred__certificate_clear(&fit->result->certificate);
    fit->result->certificate.errors = fit->result->certificate.bound = NAN;
    linpred__certify_direction(&fit->result->certificate, &overlap.direction);
    linpred__certify_combination(&fit->result->certificate, &overlap.carriers);
    bool known = overlap.kind != LINPRED_SEPARATION_UNDECIDED;
    info->separation = known ? overlap.kind : LINPRED_SEPARATION_NOT_ASKED;
    linpred__fit_note_stop(fit);
    info->rounds = overlap.rounds;
    info->working_rows = overlap.working_rows;
    info->passes = overlap.passes;
    if (fit->result->certificate.directions > 0) {
        info->settled_rows = overlap.settled_rows;
        take_weights(fit->result);
    }
    settle(fit, &overlap);
    linpred__three_way_clear(&overlap);
    status = linpred__halfspace_report(fit, error);
    fit->result->certificate.errors = info->errors;
    return status;
}
