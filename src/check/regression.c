/* Verifying a regression: the same data as that of the fit, then the claim of its loss. */
#include <math.h>

#include "check/regression.h"
#include "core/blas.h"
#include "pass/dependence.h"
#include "data/fingerprint.h"

/* A dependency that is said to hold exactly must. */
static linpred_status check_exact(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                  linpred_check *check, linpred_error *error)
{
    const linpred__regression *regression = result->model.regression;
    size_t p = (size_t)regression->width;
    double worst = 0.0;
    linpred_status status = LINPRED_OK;
    for (int32_t k = 0; status == LINPRED_OK && worst == 0.0 && k < regression->dependencies.count; k++)
        if (regression->dependencies.exact[k] && regression->basis.polynomials > 0)
            worst = INFINITY; /* of powers that is not known */
        else if (regression->dependencies.exact[k])
            status = linpred__dependence(data, pool, result->model.has_intercept,
                                         regression->dependencies.vector + (size_t)k * p, 1, &worst, error);
    if (status == LINPRED_OK && worst > 0)
        linpred__check_refute(check, "a dependency does not hold exactly in every row, as the model says it does");
    return status;
}

linpred_status linpred__check_regression(const linpred_result *result, const linpred_data *data, int threads,
                                         linpred_check *check, linpred_error *error)
{
    linpred__pool *pool;
    uint64_t fingerprint = 0;
    linpred_status status = linpred__pool_open(threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    linpred_check done = {.errors = NAN, .worst_row = -1, .gap = NAN, .lower_bound_proved = NAN};
    linpred__blas_enter();
    status = linpred__blas_check_room(linpred__pool_threads(pool), error);
    if (status == LINPRED_OK)
        status = linpred__fingerprint(data, pool, &fingerprint, error);
    if (status == LINPRED_OK) {
        done.same_data = fingerprint == result->certificate.fingerprint;
        status = result->certificate.claim == LINPRED__CLAIM_LEAST_SQUARES
                     ? linpred__check_least_squares(result, data, pool, &done, error)
                     : linpred__check_least_absolute(result, data, pool, &done, error);
    }
    if (status == LINPRED_OK && done.same_data && done.verdict != LINPRED_REFUTED)
        status = check_exact(result, data, pool, &done, error);
    linpred__blas_leave();
    linpred__pool_close(pool);
    if (status != LINPRED_OK)
        return status;
    if (!linpred__check_finished(result))
        linpred__check_claim_less(result, &done);
    *check = done;
    return LINPRED_OK;
}
