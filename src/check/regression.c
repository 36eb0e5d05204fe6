/* Verifying a regression: the same data as that of the fit, then the claim of its loss. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/regression.h"
#include "data/fingerprint.h"

linpred_status linpred__check_regression(const linpred_result *result, const linpred_data *data, int threads,
                                         linpred_check *check, linpred_error *error)
{
    linpred__pool *pool;
    uint64_t fingerprint = 0;
    linpred_status status = linpred__pool_open(threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    linpred_check done = {.errors = NAN, .worst_row = -1, .gap = NAN};
    status = linpred__fingerprint(data, pool, &fingerprint, error);
    if (status == LINPRED_OK) {
        done.same_data = fingerprint == result->certificate.fingerprint;
        status = result->certificate.claim == LINPRED__CLAIM_LEAST_SQUARES
                     ? linpred__check_least_squares(result, data, pool, &done, error)
                     : linpred__check_least_absolute(result, data, pool, &done, error);
    }
    linpred__pool_close(pool);
    if (status != LINPRED_OK)
        return status;
    if (!done.same_data) {
        size_t used = strlen(done.finding);
        snprintf(done.finding + used, sizeof done.finding - used,
                 "; but this is not the data of the fit, of which the claim speaks");
        if (done.verdict != LINPRED_REFUTED)
            done.verdict = LINPRED_PARTLY_PROVED;
    }
    *check = done;
    return LINPRED_OK;
}
