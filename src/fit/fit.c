/* Outcome and reason of a fit. */
#include "fit/fit.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/error.h"

void linpred__fit_end(linpred__fit_context *fit, linpred_outcome outcome, const char *format, ...)
{
    linpred__figures *figures = &fit->result->figures;
    figures->outcome = outcome;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(figures->reason, sizeof figures->reason, format, arguments);
    va_end(arguments);
    linpred__mend_utf8(figures->reason);
}

void linpred__fit_end_stopped(linpred__fit_context *fit)
{
    char reason[sizeof fit->result->figures.reason];
    bool by_time = fit->run.stopped == LINPRED__STOPPED_BY_TIME;
    linpred__run_describe_stop(&fit->run, reason, sizeof reason);
    linpred__fit_end(fit, by_time ? LINPRED_OUTCOME_LIMIT_REACHED : LINPRED_OUTCOME_STOPPED, "%s", reason);
}
