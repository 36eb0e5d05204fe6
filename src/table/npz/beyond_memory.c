/* How much memory rows may take, and the spill for rows that are encoded first: see beyond.h. */
#include "table/npz/beyond.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/comm.h"
#include "core/error.h"
#include "core/free_memory.h"
#include "core/memory.h"
#include "table/limits.h"

/* ---- how much memory there is ------------------------------------------------------------------------------------ */

/* What is free for this process: others of this run may be on the same machine. */
static double free_share(void)
{
    const linpred__comm *comm = linpred__comm_get();
    return linpred__free_memory("") / (comm ? comm->processes : 1);
}

double linpred__cache_beside(double memory)
{
    return free_share() - memory;
}

linpred_status linpred__memory_limit(const linpred_options *options, double *bytes, linpred_error *error)
{
    static const char units[] = "KMGT";
    char *end;
    if (!options->memory) {
        *bytes = LINPRED__MEMORY_SHARE * free_share();
        return LINPRED_OK;
    }
    double number = strtod(options->memory, &end);
    const char *unit = *end ? strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end) : NULL;
    if (unit)
        end++;
    if (end == options->memory || *end || !(number > 0.0 && number < 1e15) || options->memory[0] == '+')
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--memory takes a number of bytes with K, M, G or T behind it, as in 500M, not '%.40s'",
                             options->memory);
    *bytes = number * pow(1024.0, unit ? (double)(unit - units) + 1.0 : 0.0);
    return LINPRED_OK;
}

/* ---- rows that are encoded first --------------------------------------------------------------------------------- */

linpred_status linpred__spill_beside(const char *path, double memory, linpred__spill **spill, linpred_error *error)
{
    char beside[4096];
    const char *folder = getenv("TMPDIR");
    if (folder && *folder)
        snprintf(beside, sizeof beside, "%s/linpred", folder);
    return linpred__spill_open(folder && *folder ? beside : path, (size_t)fmin(memory, (double)(SIZE_MAX / 4)), spill,
                               error);
}

/* What data owns whose rows lie in a spill. */
struct spilled {
    void (*release)(void *context);
    void *context;
    linpred__spill *spill;
};

static void release_spilled(void *context)
{
    struct spilled *spilled = context;
    spilled->release(spilled->context);
    linpred__spill_close(spilled->spill);
    linpred__release(spilled);
}

linpred_status linpred__own_spill(linpred_data **data, linpred__spill *spill, linpred_error *error)
{
    struct spilled *spilled = linpred__alloc(1, sizeof *spilled);
    if (!spilled) {
        linpred_data_free(*data);
        *data = NULL;
        return linpred__no_memory(error);
    }
    *spilled = (struct spilled){(*data)->release, (*data)->context, spill};
    (*data)->release = release_spilled;
    (*data)->context = spilled;
    (*data)->spill = spill;
    return LINPRED_OK;
}
