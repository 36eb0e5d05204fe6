/* linpred_verify for a program whose fits are wrong: a coefficient is changed before the check. Linked with
 * -Wl,--wrap=linpred_verify, it shows what the program does with a fit that its own check refutes. */
#include "model/model.h"

linpred_status __real_linpred_verify(const linpred_result *result, const linpred_data *data, int threads,
                                     linpred_check **check, linpred_error *error);
linpred_status __wrap_linpred_verify(const linpred_result *result, const linpred_data *data, int threads,
                                     linpred_check **check, linpred_error *error);

linpred_status __wrap_linpred_verify(const linpred_result *result, const linpred_data *data, int threads,
                                     linpred_check **check, linpred_error *error)
{
    result->model.w[0] += 1.0;
    return __real_linpred_verify(result, data, threads, check, error);
}
