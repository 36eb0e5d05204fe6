/* What tests of regression and of logistic regression share: numbers that must be near, fits that must succeed, memory
 * that runs out. */
#ifndef LINPRED_TESTS_FIT_SUPPORT_H
#define LINPRED_TESTS_FIT_SUPPORT_H

#include "support.h"

static inline void near(double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * fabs(b)))
        fail_msg("%.17g is not %.17g to %g", a, b, relative);
}

static inline linpred_result *fit_data(const linpred_data *data, const linpred_options *options)
{
    linpred_result *result = NULL;
    linpred_error error = {.message = ""};
    if (linpred_fit(data, options, &result, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return result;
}

/* Verified against its own data. */
static inline checked check_result(const linpred_result *result, const linpred_data *data)
{
    checked check;
    linpred_error error = {.message = ""};
    if (verify_result(result, data, 2, &check, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    assert_true(check.same_data);
    return check;
}

/* ---- scarce memory: so many more requests are granted ------------------------------------------------------------ */

static _Atomic int64_t requests_left;

static inline void *scarce_reallocate(void *context, void *memory, size_t bytes)
{
    (void)context;
    return requests_left-- > 0 ? realloc(memory, bytes) : NULL;
}

static inline void scarce_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static inline void scarce_memory(int64_t requests)
{
    static const linpred_allocator scarce = {sizeof(linpred_allocator), scarce_reallocate, scarce_release, NULL};
    requests_left = requests;
    linpred_set_allocator(&scarce);
}

static inline void enough_memory(void)
{
    linpred_set_allocator(NULL);
}

#endif
