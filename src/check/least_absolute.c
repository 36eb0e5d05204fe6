#include "check/regression.h"
#include "core/error.h"

linpred_status linpred__check_least_absolute(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                             linpred_check *check, linpred_error *error)
{
    (void)result, (void)data, (void)pool, (void)check;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "not there yet");
}
