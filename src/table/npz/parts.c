/* Files of other formats as archives, for processes that work together. Each process reads some of the files, and
 * writes their rows to an archive that all open. The archives lose their names at once, so nothing stays of them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/comm.h"
#include "core/error.h"
#include "core/memory.h"
#include "table/files/files.h"
#include "table/npz/beyond.h"
#include "table/recipe/encode.h"
#include "table/recipe/make.h"

/* ---- what is written --------------------------------------------------------------------------------------------- */

/* Lists the columns that are features: those of the model, in its order, or those that the options choose. */
static linpred_status find_roles(const linpred__beyond_request *request, const linpred__table *all,
                                 linpred__roles *roles, linpred__npz_columns *columns, linpred_error *error)
{
    *roles = (linpred__roles){.labels = request->labels, .fresh = !request->recipe};
    if (request->recipe) {
        linpred_status status =
            linpred__recipe_match(request->recipe, all, request->labels, request->policy.missing, false, roles, error);
        for (int32_t k = 0; status == LINPRED_OK && k < request->recipe->sources; k++)
            columns->column[columns->features++] = roles->source[k];
        return status;
    }
    bool *chosen = linpred__calloc((size_t)all->columns, sizeof *chosen);
    if (!chosen)
        return linpred__no_memory(error);
    linpred_status status = linpred__choose_roles(all, request->read->options, roles, chosen, error);
    for (int32_t i = 0; status == LINPRED_OK && i < all->columns; i++)
        if (chosen[i])
            columns->column[columns->features++] = i;
    linpred__release(chosen);
    return status;
}

/* Lists the columns of the archives. Fails and sets *unfit if features are not the numbers of the files as they are. */
static linpred_status list_part_columns(const linpred__beyond *work, const linpred__table *all,
                                        linpred__npz_columns *columns, linpred_error *error)
{
    const linpred__beyond_request *request = work->request;
    linpred__roles roles = {0};
    *columns = (linpred__npz_columns){.features = all->columns, .target = true};
    *work->unfit = all->rows == 0 || request->policy.missing != LINPRED_MISSING_FAIL || request->keeps;
    if (*work->unfit || all->layout == LINPRED__SPARSE)
        return *work->unfit ? LINPRED_ERROR_MEMORY : LINPRED_OK;
    int32_t most = all->columns;
    if (request->recipe && request->recipe->sources > most)
        most = request->recipe->sources;
    *columns = (linpred__npz_columns){.column = linpred__alloc((size_t)most + 2, sizeof *columns->column)};
    linpred_status status =
        columns->column ? find_roles(request, all, &roles, columns, error) : linpred__no_memory(error);
    if (status != LINPRED_OK)
        return status;
    int32_t features = columns->features, count = features;
    columns->weights = roles.weights >= 0;
    columns->target = roles.target >= 0;
    if (columns->weights)
        columns->column[count++] = roles.weights;
    if (columns->target)
        columns->column[count++] = roles.target;
    *work->unfit = features == 0;
    for (int32_t i = 0; i < count; i++) {
        const linpred__column *column = &all->column[columns->column[i]];
        *work->unfit = *work->unfit || column->missing > 0 || column->type == LINPRED_COLUMN_EMPTY ||
                       (i < features && column->type != LINPRED_COLUMN_NUMBER);
    }
    linpred__roles_clear(&roles);
    return *work->unfit ? LINPRED_ERROR_MEMORY : LINPRED_OK;
}

/* ---- the archive of this process --------------------------------------------------------------------------------- */

enum { PART_NAME = 4096 };

/* What a process has written. */
struct written_part {
    linpred_error error;  /* its status is LINPRED_OK if all is well */
    int64_t rows;         /* 0: there is no archive */
    char name[PART_NAME]; /* of the file, until all have opened it */
    bool named;           /* it has this name */
};

/* Creates the file in the folder that TMPDIR names, else beside the first file; where the system can, without its name,
   which it gets when it is complete. */
static int create_part(const char *path, struct written_part *part)
{
    char folder[PART_NAME - 64];
    const char *chosen = getenv("TMPDIR"), *slash = strrchr(path, '/');
    if (chosen && *chosen)
        snprintf(folder, sizeof folder, "%s/", chosen);
    else
        snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
    snprintf(part->name, sizeof part->name, "%s.", folder);
    int descriptor = open(part->name, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    snprintf(part->name, sizeof part->name, "%s.linpred-%ld-%d", folder, (long)getpid(), linpred__comm_get()->process);
    part->named = descriptor < 0;
    return part->named ? open(part->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : descriptor;
}

static linpred_status name_part(int descriptor, struct written_part *part)
{
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    part->named = part->named || linkat(AT_FDCWD, link, AT_FDCWD, part->name, AT_SYMLINK_FOLLOW) == 0;
    return part->named
               ? LINPRED_OK
               : linpred__fail(&part->error, LINPRED_ERROR_FILE, "cannot name '%s': %s", part->name, strerror(errno));
}

static linpred_status write_part(const linpred__beyond *work, const char *path, const linpred__table *own,
                                 struct written_part *part)
{
    const linpred_options *options = work->request->read->options;
    int descriptor = create_part(path, part);
    if (descriptor < 0) {
        part->named = false;
        return linpred__fail(&part->error, LINPRED_ERROR_FILE, "cannot write '%s': %s", part->name, strerror(errno));
    }
    const linpred__npz_target to = {
        .descriptor = descriptor, .name = part->name, .columns = work->archives->columns, .options = options};
    linpred_status status = linpred__npz_write(own, &to, work->request->pool, &part->error);
    if (status == LINPRED_OK)
        status = name_part(descriptor, part);
    close(descriptor);
    return status;
}

/* Writes the rows of the files that this process has read. */
static void write_own_part(const linpred__beyond *work, const linpred__files *files, linpred__spill *spill,
                           struct written_part *part)
{
    linpred__table own;
    linpred_status status = linpred__files_join_own(files, work->archives->head, spill, &own, &part->error);
    if (status == LINPRED_OK && own.rows > 0)
        status = write_part(work, files->path[0], &own, part);
    part->rows = own.rows;
    part->error.status = linpred__spill_failure(spill, status, &part->error);
    linpred__files_free_own(&own);
}

/* ---- the archives of all ----------------------------------------------------------------------------------------- */

/* Opens what a process has written. Messages about it name the first of its files. */
static linpred_status open_part(const linpred__files *files, int process, const struct written_part *part,
                                linpred__archives *archives, linpred_error *error)
{
    linpred__archive *archive = &archives->archive[archives->count++];
    struct stat about;
    *archive = (linpred__archive){.descriptor = open(part->name, O_RDONLY | O_CLOEXEC)};
    archive->path = files->path[linpred__share_of(files->count, files->comm->processes, process).from];
    if (archive->descriptor < 0 || fstat(archive->descriptor, &about) != 0)
        return linpred__fail(error, LINPRED_ERROR_FILE, "cannot open '%s': %s", part->name, strerror(errno));
    archive->size = (uint64_t)about.st_size;
    return linpred__archive_open(archive, error);
}

/* Opens the archives of all processes. */
static linpred_status open_parts(const linpred__files *files, const struct written_part *part,
                                 linpred__archives *archives, linpred_error *error)
{
    int processes = files->comm->processes;
    linpred_status status = LINPRED_OK;
    archives->archive = linpred__calloc((size_t)processes, sizeof *archives->archive);
    if (!archives->archive)
        return linpred__files_no_memory(files, error);
    for (int i = 0; i < processes && status == LINPRED_OK; i++)
        if (part[i].rows > 0)
            status = open_part(files, i, &part[i], archives, error);
    return status;
}

/* The rows are placed, and their texts numbered, as in the head of all. */
static void place_parts(linpred__archives *archives)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < archives->count; i++) {
        linpred__archive *archive = &archives->archive[i];
        archive->first_row = rows;
        rows += archive->rows;
        linpred__table_free(archive->head);
        archive->head = NULL;
    }
}

/* The first error of all processes. */
static linpred_status first_unwritten(const linpred__comm *comm, const struct written_part *part, linpred_error *error)
{
    for (int i = 0; i < comm->processes; i++)
        if (part[i].error.status != LINPRED_OK)
            return linpred__fail(error, part[i].error.status, "%.460s (process %d of %d)", part[i].error.message, i,
                                 comm->processes);
    return LINPRED_OK;
}

/* Writes the own archive and opens all. Fails and sets *unfit if some process cannot open one that another has written:
   the processes have no folder in common. */
static linpred_status share_parts(const linpred__beyond *work, const linpred__files *files, linpred__spill *spill,
                                  struct written_part *part, linpred_error *error)
{
    const linpred__comm *comm = files->comm;
    struct written_part *own = &part[comm->process];
    bool opened = true;
    write_own_part(work, files, spill, own);
    for (int i = 0; i < comm->processes; i++)
        comm->broadcast(i, &part[i], sizeof part[i]);
    linpred_status status = first_unwritten(comm, part, error);
    if (status == LINPRED_OK)
        opened = open_parts(files, part, work->archives, error) == LINPRED_OK;
    for (int i = 0; i < comm->processes; i++) {
        bool theirs = opened;
        comm->broadcast(i, &theirs, sizeof theirs);
        *work->unfit = *work->unfit || !theirs;
    }
    if (own->named)
        unlink(own->name);
    return status == LINPRED_OK && *work->unfit ? LINPRED_ERROR_MEMORY : status;
}

/* Makes archives of the files that were read. */
static linpred_status make_parts(const linpred__beyond *work, const linpred__files *files, linpred__spill *spill,
                                 linpred_error *error)
{
    linpred__archives *archives = work->archives;
    linpred_status status = list_part_columns(work, archives->head, &archives->columns, error);
    if (status != LINPRED_OK)
        return status;
    struct written_part *part = linpred__calloc((size_t)files->comm->processes, sizeof *part);
    archives->name = linpred__copy_text(archives->head->name, strlen(archives->head->name));
    status =
        part && archives->name ? share_parts(work, files, spill, part, error) : linpred__files_no_memory(files, error);
    if (status == LINPRED_OK)
        place_parts(archives);
    linpred__release(part);
    return status;
}

linpred_status linpred__archives_make(const linpred__beyond *work, const char *path, linpred_error *error)
{
    linpred__read_request read = *work->request->read;
    linpred__files files;
    linpred_status status = linpred__spill_beside(path, work->memory, &read.spill, error);
    if (status != LINPRED_OK)
        return status;
    linpred__archives_close(work->archives);
    status = linpred__files_open(path, &read, work->request->pool, &files, &work->archives->head, error);
    if (status == LINPRED_OK)
        status = make_parts(work, &files, read.spill, error);
    linpred__files_close(&files);
    linpred__spill_close(read.spill);
    return status;
}
