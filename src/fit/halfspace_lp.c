#include "core/error.h"
#include "fit/fit.h"

linpred_status linpred__fit_halfspace_lp(linpred__fit *fit, linpred_error *error)
{
    (void)fit;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--method lp is not there yet");
}

linpred_status linpred__fit_margin(linpred__fit *fit, linpred_error *error)
{
    (void)fit;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--method margin is not there yet");
}

linpred_status linpred__fit_auto(linpred__fit *fit, linpred_error *error)
{
    (void)fit;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--method auto is not there yet; choose perceptron or pocket");
}
