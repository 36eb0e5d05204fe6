#include "fit/fit.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/error.h"

void linpred__fit_end(linpred__fit *fit, linpred_outcome outcome, const char *format, ...)
{
    linpred_info *info = &fit->result->info;
    info->outcome = outcome;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(info->reason, sizeof info->reason, format, arguments);
    va_end(arguments);
    linpred__mend_utf8(info->reason);
}

void linpred__fit_end_stopped(linpred__fit *fit)
{
    char reason[sizeof fit->result->info.reason];
    bool by_time = fit->run.stopped == LINPRED__STOPPED_BY_TIME;
    linpred__run_describe_stop(&fit->run, reason, sizeof reason);
    linpred__fit_end(fit, by_time ? LINPRED_OUTCOME_LIMIT_REACHED : LINPRED_OUTCOME_STOPPED, "%s", reason);
}

void linpred__fit_note_stop(linpred__fit *fit)
{
    if (fit->run.stopped != LINPRED__NOT_STOPPED)
        linpred__fit_end_stopped(fit);
}

bool linpred__fit_should_stop(linpred__fit *fit, const char *stage, int64_t updates, int64_t passes, double errors)
{
    if (!linpred__run_should_stop(&fit->run, stage, updates, passes, errors))
        return false;
    linpred__fit_end_stopped(fit);
    return true;
}

void linpred__certify_direction(linpred__certificate *certificate, linpred__direction *direction)
{
    certificate->directions = direction->count;
    certificate->direction = direction->entry;
    *direction = (linpred__direction){0};
}

void linpred__certify_combination(linpred__certificate *certificate, linpred__combination *combination)
{
    certificate->witnesses = combination->count;
    certificate->witness_row = combination->row;
    certificate->witness_weight = combination->weight;
    *combination = (linpred__combination){0};
}

void linpred__certify_support(linpred__certificate *certificate, linpred__support *support, double bound)
{
    certificate->bound = bound;
    certificate->supports = support->count;
    certificate->support_row = support->row;
    certificate->multiplier = support->multiplier;
    certificate->tail = support->tail;
    *support = (linpred__support){0};
}
