/* Verifying a regression: the same data as that of the fit, then the claim of its loss. */
#include <math.h>

#include "check/regression.h"
#include "core/blas.h"
#include "data/fingerprint.h"

linpred_status linpred__check_regression(const linpred_result *result, const linpred_data *data, int threads,
                                         linpred_check *check, linpred_error *error)
{
    linpred__pool *pool;
    uint64_t fingerprint = 0;
    linpred_status status = linpred__pool_open(threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    linpred_check done = {.errors = NAN, .worst_row = -1, .gap = NAN, .lower_bound_proved = NAN};
    status = linpred__blas_check_room(linpred__pool_threads(pool), error);
    if (status == LINPRED_OK)
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
    if (!linpred__check_finished(result))
        linpred__check_claim_less(result, &done);
    *check = done;
    return LINPRED_OK;
}
