/* linpred_verify: measures a result on rows, judges each of its claims, and concludes the verdict of the whole.
 *
 * The verdict of the whole is that of the weakest main claim. Any refuted claim refutes the whole. The claims speak of
 * the rows of the fit: on others, known by their fingerprint, none is judged, and all are partly proved. The checker
 * trusts no figure of a result; it computes each one again. It uses nothing of fit/ or solve/.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/measure.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/stored.h"

/* The function that judges each kind of claim. */
static linpred__check_function *const judges[LINPRED__CLAIM_KINDS] = {
#define LINPRED_CLAIM(kind, name, witness, meaning) [LINPRED_CLAIM_##kind] = linpred__check_##name,
#include "linpred/claim.def"
#undef LINPRED_CLAIM
};

/* Whether all coefficients are numbers. Claims about other models mean nothing: inf times 0 is no score. */
static bool has_finite_coefficients(const linpred_model *model)
{
    bool finite = isfinite(model->b);
    for (int32_t j = 0; j < model->columns; j++)
        finite = finite && isfinite(model->w[j]);
    for (int64_t i = 0; i < (int64_t)model->tails.count * model->tails.width; i++)
        finite = finite && isfinite(model->tails.value[i]);
    return finite;
}

static linpred_status judge_claims(const linpred__measured *measured, linpred_check *check, linpred_error *error)
{
    const linpred__claims *claims = &measured->result->claims;
    bool finite = has_finite_coefficients(&measured->result->model);
    linpred_status status = LINPRED_OK;
    check->claims = claims->count;
    for (int32_t i = 0; status == LINPRED_OK && i < claims->count; i++) {
        linpred__claim_check *answer = &check->claim[i];
        const linpred__claim *claim = &claims->claim[i];
        *answer = (linpred__claim_check){claim->kind, claim->main, LINPRED_REFUTED, NAN, NAN, -1, false, ""};
        if (!finite) {
            linpred__refute(answer, "a coefficient of the model is no finite number");
        } else if (measured->same_data || claim->kind == LINPRED_CLAIM_DATA) {
            status = judges[claim->kind](measured, claim, answer, error);
        } else {
            answer->verdict = LINPRED_PARTLY_PROVED;
            linpred__find(answer, "not judged, since these are other rows");
        }
        answer->respecting = answer->respecting && answer->verdict == LINPRED_PARTLY_PROVED;
    }
    return status;
}

/* ---- the whole ---- */

static void add_to_summary(linpred_check *check, const char *text)
{
    size_t used = strlen(check->summary);
    snprintf(check->summary + used, sizeof check->summary - used, "%s%s", used > 0 ? "; " : "", text);
}

/* The summary is the finding of the first refuted claim. If none is refuted, it is the findings of all main claims
   except `data`. */
static void summarise(linpred_check *check)
{
    if (!check->same_data) {
        add_to_summary(check,
                       "these are not the rows of the fit, or not in its order, and its claims speak of no others");
        return;
    }
    for (int32_t i = 0; i < check->claims; i++) {
        const linpred__claim_check *claim = &check->claim[i];
        bool refuted = claim->verdict == LINPRED_REFUTED;
        if (check->verdict == LINPRED_REFUTED ? refuted : claim->main && claim->kind != LINPRED_CLAIM_DATA)
            add_to_summary(check, claim->finding);
        if (refuted)
            break;
    }
}

/* Takes the numbers of the check from the measurements and the answers to the claims. */
static void take_numbers(const linpred__measured *measured, linpred_check *check)
{
    const linpred__claims *claims = &measured->result->claims;
    const linpred__rows_finding *rows = measured->rows;
    bool counted = rows && !linpred__claims_find(claims, LINPRED_CLAIM_NO_MINIMISER);
    check->errors = counted ? rows->errors : (double)NAN;
    check->worst_row = counted ? linpred_data_source_row(measured->data, rows->worst_row) : -1;
    check->exact_signs = rows ? rows->exact_signs : 0;
    for (int32_t i = 0; i < check->claims; i++) {
        const linpred__claim_check *claim = &check->claim[i];
        if (!isnan(claim->gap) && (isnan(check->gap) || claim->main))
            check->gap = claim->gap;
        if (!isnan(claim->lower_bound))
            check->lower_bound_proved = claim->lower_bound;
        if (claim->exact_signs >= 0)
            check->exact_signs = claim->exact_signs;
    }
}

static void conclude_verdict(linpred__measured *measured, linpred_check *check)
{
    bool any = false, respecting = true;
    check->same_data = measured->same_data;
    for (int32_t i = 0; i < check->claims; i++) {
        const linpred__claim_check *claim = &check->claim[i];
        any = any || claim->main;
        respecting = respecting && (!claim->main || claim->verdict <= LINPRED_RECOMPUTED || claim->respecting);
        if (claim->verdict > check->verdict && (claim->main || claim->verdict == LINPRED_REFUTED))
            check->verdict = claim->verdict;
    }
    if (check->verdict != LINPRED_REFUTED && (!any || !check->same_data))
        check->verdict = LINPRED_PARTLY_PROVED;
    check->respecting = check->verdict == LINPRED_PARTLY_PROVED && any && check->same_data && respecting;
    take_numbers(measured, check);
    summarise(check);
    if (measured->squares) {
        check->error_bound = measured->squares->error_bound;
        measured->squares->error_bound = NULL;
    }
}

static linpred_status check_result(linpred__measured *measured, linpred_check *check, linpred_error *error)
{
    linpred_status status = linpred__measure(measured, error);
    if (status == LINPRED_OK)
        status = judge_claims(measured, check, error);
    if (status == LINPRED_OK)
        conclude_verdict(measured, check);
    linpred__measured_clear(measured);
    return status;
}

linpred_status linpred_verify(const linpred_result *result, const linpred_data *data, int threads,
                              linpred_check **check, linpred_error *error)
{
    LINPRED__NEEDS(result, data, check);
    if (!data->labelled || data->rows == 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "there are no labelled rows to verify the model with");
    if (data->columns != result->model.recipe->features)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the model has %d features, the data has %d",
                             result->model.recipe->features, data->columns);
    linpred__measured measured = {.result = result, .data = data};
    linpred_check *made = linpred__calloc(1, sizeof *made);
    if (!made)
        return linpred__no_memory(error);
    made->gap = made->lower_bound_proved = NAN;
    made->coefficients = result->model.columns + result->model.has_intercept;
    linpred_status status = linpred__pool_open(threads, &measured.pool, error);
    if (status == LINPRED_OK) {
        status = check_result(&measured, made, error);
        if (status == LINPRED_OK)
            status = linpred__stored_check(data, error);
        linpred__pool_close(measured.pool);
    }
    if (status == LINPRED_OK)
        *check = made;
    else
        linpred_check_free(made);
    return linpred__no_memory_when(status, "checking the claims", "",
                                   "try --threads 1; fit --no-verify keeps a model that is not checked", error);
}
