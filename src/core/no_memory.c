/* The sentence for a request of memory that failed: how much was asked for, what for, and what to do. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "core/error.h"
#include "core/memory.h"

#ifdef __clang_analyzer__
#undef linpred__fail
#undef linpred__no_memory
#endif

const char *linpred__bytes_text(double bytes, char text[LINPRED__BYTES_TEXT])
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t u = 0;
    for (; bytes >= 1000.0 && u + 1 < sizeof unit / sizeof unit[0]; u++)
        bytes /= 1000.0;
    snprintf(text, LINPRED__BYTES_TEXT, bytes < 9.95 && u > 0 ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
    return text;
}

linpred_status linpred__no_memory(linpred_error *error)
{
    size_t bytes = linpred__memory_refused();
    struct rusage used = {0};
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    char more[LINPRED__BYTES_TEXT], text[LINPRED__BYTES_TEXT], before[60] = "", limited[80] = "";
    if (bytes == 0)
        return linpred__fail(error, LINPRED_ERROR_MEMORY, "out of memory");
    if (bytes == SIZE_MAX)
        return linpred__fail(error, LINPRED_ERROR_MEMORY, "out of memory: more is needed than any machine has");
    if (getrusage(RUSAGE_SELF, &used) == 0 && used.ru_maxrss > 0)
        snprintf(before, sizeof before, ", beside %s in use",
                 linpred__bytes_text((double)used.ru_maxrss * 1024.0, text));
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        snprintf(limited, sizeof limited, ", with a limit of %s on address space (ulimit -v)",
                 linpred__bytes_text((double)limit.rlim_cur, text));
    return linpred__fail(error, LINPRED_ERROR_MEMORY, "out of memory: %s more were needed%s%s",
                         linpred__bytes_text((double)bytes, more), before, limited);
}

linpred_status linpred__no_memory_when(linpred_status status, const char *doing, const char *what, const char *advice,
                                       linpred_error *error)
{
    static const char known[] = "out of memory";
    char rest[sizeof error->message];
    if (status != LINPRED_ERROR_MEMORY || !error || strncmp(error->message, known, sizeof known - 1) != 0)
        return status;
    snprintf(rest, sizeof rest, "%s", error->message + sizeof known - 1);
    return linpred__fail(error, status, "%s while %s%s%s; %s", known, doing, what, rest, advice);
}
