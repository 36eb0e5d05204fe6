/* Outcome and reason of a fit (see ending.h). */
#include "fit/ending.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

linpred__ending linpred__make_ending(linpred_outcome outcome, const char *format, ...)
{
    linpred__ending ending = {.outcome = outcome};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ending.reason, sizeof ending.reason, format, arguments);
    va_end(arguments);
    linpred__mend_utf8(ending.reason);
    return ending;
}

linpred__ending linpred__stopped_ending(const linpred__run *run)
{
    char reason[LINPRED__REASON];
    bool by_time = run->stopped == LINPRED__STOPPED_BY_TIME;
    linpred__run_describe_stop(run, reason, sizeof reason);
    return linpred__make_ending(by_time ? LINPRED_OUTCOME_LIMIT_REACHED : LINPRED_OUTCOME_STOPPED, "%s", reason);
}

void linpred__set_ending(linpred__figures *figures, const linpred__ending *ending)
{
    figures->outcome = ending->outcome;
    memcpy(figures->reason, ending->reason, sizeof figures->reason);
}
