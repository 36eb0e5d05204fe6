/* Progress by parts: see parts.h. Of a part that is done, its share of the file's bytes counts as read. */
#include "table/bytes/parts.h"

#include <math.h>

#include "core/clock.h"
#include "core/limits.h"

void linpred__parts_begin(linpred__parts *parts, const linpred_options *options, int64_t all, int64_t bytes)
{
    parts->options = options;
    parts->all = all;
    parts->bytes = bytes;
    parts->opened = parts->reported = linpred__now();
    atomic_init(&parts->done, 0);
    atomic_init(&parts->reporting, false);
}

void linpred__parts_done(linpred__parts *parts, int64_t count)
{
    int64_t done = atomic_fetch_add(&parts->done, count) + count;
    if (!parts->options || !parts->options->on_progress || atomic_exchange(&parts->reporting, true))
        return;
    if (linpred__seconds_since(&parts->reported) >= LINPRED__PROGRESS_SECONDS) {
        bool known = parts->all > 0;
        parts->reported = linpred__now();
        linpred_progress progress = {
            .stage = "reading",
            .updates = known ? 0 : done,
            .errors = (double)NAN,
            .seconds = linpred__seconds_since(&parts->opened),
            .lower_bound = (double)NAN,
            .gap = (double)NAN,
            .working_rows = -1,
            .bytes = known ? (int64_t)((double)parts->bytes * (double)done / (double)parts->all) : -1,
            .total_bytes = known ? parts->bytes : -1,
        };
        parts->options->on_progress(parts->options->context, &progress);
    }
    atomic_store(&parts->reporting, false);
}
