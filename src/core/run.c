/* The time limit and the progress of a run. */
#include "core/run.h"

#include <math.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/comm.h"
#include "core/limits.h"

double linpred__run_seconds(const linpred__run *run)
{
    return linpred__seconds_since(&run->began);
}

bool linpred__run_reports(const linpred__run *run)
{
    /* Several processes report nothing: what one computes for a report the others would have to compute too. */
    return run->on_progress && !linpred__comm_get() &&
           linpred__seconds_since(&run->reported) >= LINPRED__PROGRESS_SECONDS;
}

bool linpred__run_should_stop(linpred__run *run, const char *stage, int64_t updates, int64_t passes, double errors)
{
    if (run->stopped != LINPRED__NOT_STOPPED)
        return true;
    double seconds = linpred__run_seconds(run);
    bool late = seconds >= run->max_seconds;
    if (isfinite(run->max_seconds) && linpred__comm_agree(late)) {
        run->stopped = LINPRED__STOPPED_BY_TIME;
        return true;
    }
    if (!linpred__run_reports(run))
        return false;
    run->reported = linpred__now();
    linpred_progress progress = {
        .stage = stage,
        .updates = updates,
        .passes = passes,
        .errors = errors,
        .seconds = seconds,
        .lower_bound = run->lower_bound > 0 ? run->lower_bound : (double)NAN,
        .gap = run->gap > 0 ? run->gap : (double)NAN,
        .working_rows = run->working_rows > 0 ? run->working_rows : -1,
        .bytes = -1,
        .total_bytes = -1,
    };
    if (!run->on_progress(run->context, &progress))
        run->stopped = LINPRED__STOPPED_BY_CALLER;
    return run->stopped != LINPRED__NOT_STOPPED;
}

void linpred__run_describe_stop(const linpred__run *run, char *text, size_t capacity)
{
    if (run->stopped == LINPRED__STOPPED_BY_TIME)
        snprintf(text, capacity, "stopped at --max-seconds %g", run->max_seconds);
    else
        snprintf(text, capacity, "stopped when asked to");
}
