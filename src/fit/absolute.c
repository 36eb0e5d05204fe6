#include "core/error.h"
#include "fit/fit.h"

linpred_status linpred__fit_absolute(linpred__fit *fit, linpred_error *error)
{
    (void)fit;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--loss absolute is not there yet");
}
