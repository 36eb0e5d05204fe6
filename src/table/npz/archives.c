/* Opens several archives as one sequence of rows: see archives.h. Whether they agree is found as for other files
 * (table/files). */
#include "table/npz/archives.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/files/files.h"

/* The path of file i, of which the first is `path`. */
static const char *path_of(const char *path, const linpred_options *options, size_t i)
{
    return i == 0 ? path : options->file[i - 1];
}

/* Adds a file to the archives, unless it has no bytes and is one of several. False: it is no archive. */
static bool add_archive(const char *path, bool several, linpred__archives *archives)
{
    struct stat about;
    char magic[4] = "";
    bool regular = stat(path, &about) == 0 && S_ISREG(about.st_mode); /* a pipe can be opened once only */
    bool empty = regular && several && about.st_size == 0;
    int descriptor = regular ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool right = descriptor >= 0 && pread(descriptor, magic, 4, 0) == 4 && memcmp(magic, "PK\003\004", 4) == 0;
    if (descriptor >= 0)
        close(descriptor);
    if (right)
        archives->archive[archives->count++] =
            (linpred__archive){.path = path, .descriptor = -1, .size = (uint64_t)about.st_size};
    return right || empty;
}

linpred_status linpred__archives_find(const char *path, const linpred_options *options, linpred__archives *archives,
                                      linpred_error *error)
{
    bool right = true;
    archives->archive = linpred__calloc(options->files + 1, sizeof *archives->archive);
    if (!archives->archive)
        return linpred__no_memory(error);
    for (size_t i = 0; i <= options->files && right; i++)
        right = add_archive(path_of(path, options, i), options->files > 0, archives);
    if (!right)
        linpred__archives_close(archives);
    return LINPRED_OK;
}

void linpred__archives_close(linpred__archives *archives)
{
    for (int64_t i = 0; i < archives->count; i++) {
        linpred__archive *archive = &archives->archive[i];
        if (archive->descriptor >= 0)
            close(archive->descriptor);
        linpred__table_free(archive->head);
    }
    linpred__table_free(archives->head);
    linpred__release(archives->columns.column);
    linpred__release(archives->name);
    linpred__release(archives->archive);
    *archives = (linpred__archives){0};
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

/* Finds the arrays of the entries, so that the recipe cannot speak of more rows than there are. */
static linpred_status find_entries(linpred__archive *archive, linpred_error *error)
{
    const linpred__table *head = archive->head;
    bool sparse = head->layout == LINPRED__SPARSE;
    linpred__npz_array start;
    archive->rows = head->rows;
    archive->entries = head->entries;
    if (!sparse && __builtin_mul_overflow(head->rows, (int64_t)archive->columns.features, &archive->entries))
        archive->entries = INT64_MAX;
    uint64_t entries = (uint64_t)archive->entries;
    linpred_status status =
        linpred__npz_find(&archive->zip, sparse ? "data" : "features", "<f8", entries, &archive->values, error);
    if (status == LINPRED_OK && sparse)
        status = linpred__npz_find(&archive->zip, "indices", "<i4", entries, &archive->indices, error);
    if (status == LINPRED_OK && sparse)
        status = linpred__npz_find(&archive->zip, "indptr", "<i8", (uint64_t)head->rows + 1, &start, error);
    return status;
}

linpred_status linpred__archive_open(linpred__archive *archive, linpred_error *error)
{
    linpred__table *head = archive->head = linpred__calloc(1, sizeof *head);
    if (head)
        head->name = linpred__copy_text(archive->path, strlen(archive->path));
    if (!head || !head->name)
        return linpred__no_memory(error);
    head->index_base = head->row_names = head->weights = -1;
    linpred_status status =
        linpred__npz_open(archive->descriptor, archive->size, &archive->zip, head, &archive->columns, error);
    archive->zip.name = archive->path;
    return status == LINPRED_OK ? find_entries(archive, error) : status;
}

static linpred_status open_archive(linpred__archive *archive, const linpred__read_request *request,
                                   linpred_error *error)
{
    archive->descriptor = open(archive->path, O_RDONLY | O_CLOEXEC);
    if (archive->descriptor < 0)
        return linpred__fail(
            error, LINPRED_ERROR_FILE, "cannot open '%s': %s%s", archive->path, strerror(errno),
            errno == EMFILE ? "; archives beyond memory all stay open: raise ulimit -n, or convert them to fewer" : "");
    linpred_status status = linpred__archive_open(archive, error);
    if (status != LINPRED_OK)
        return status;
    linpred__table *head = archive->head;
    bool sparse = head->layout == LINPRED__SPARSE;
    head->weights = archive->columns.weights ? archive->columns.features : -1;
    head->lines_are_rows = true;
    head->first_row_line = 1;
    snprintf(head->format, sizeof head->format, "npz of linpred convert, %s", sparse ? "sparse" : "dense");
    return linpred__npz_choose(head, request, error);
}

/* Makes the head of several files, of which the archives are those with bytes. */
static linpred_status unite_heads(linpred__archives *archives, linpred__files *files, bool *unfit, linpred_error *error)
{
    linpred__agreement agreement = {0};
    bool *again = linpred__calloc((size_t)files->count, sizeof *again);
    linpred_status status = again ? linpred__files_agree(files, &agreement, again, error) : linpred__no_memory(error);
    for (int64_t i = 0; status == LINPRED_OK && i < files->count; i++)
        *unfit = *unfit || again[i];
    if (status == LINPRED_OK && !*unfit)
        status = linpred__files_head(files, &agreement, &archives->head, error);
    linpred__release(agreement.text);
    linpred__release(agreement.odd);
    linpred__release(again);
    return status;
}

static linpred_status unite_archives(linpred__archives *archives, const char *path, const linpred_options *options,
                                     bool *unfit, linpred_error *error)
{
    size_t count = options->files + 1;
    linpred__files files = {.count = (int64_t)count,
                            .path = linpred__calloc(count, sizeof *files.path),
                            .table = linpred__calloc(count, sizeof(linpred__table *))};
    linpred_status status = files.path && files.table ? LINPRED_OK : linpred__no_memory(error);
    int64_t next = 0;
    for (size_t i = 0; status == LINPRED_OK && i < count; i++) {
        files.path[i] = path_of(path, options, i);
        if (next < archives->count && archives->archive[next].path == files.path[i])
            files.table[i] = archives->archive[next++].head;
    }
    if (status == LINPRED_OK)
        status = unite_heads(archives, &files, unfit, error);
    linpred__release(files.path);
    linpred__release(files.table);
    return status;
}

/* Where each archive begins, and what all say of their columns. Sets *unfit if one has an array of
   weights or targets that another lacks, or another number of features. */
static void place_archives(linpred__archives *archives, bool *unfit)
{
    int64_t rows = 0;
    archives->columns = archives->archive[0].columns;
    for (int64_t i = 0; i < archives->count; i++) {
        linpred__archive *archive = &archives->archive[i];
        const linpred__npz_columns *own = &archive->columns;
        linpred__npz_columns *all = &archives->columns;
        archive->first_row = rows;
        rows += archive->rows;
        *unfit = *unfit || own->weights != all->weights || own->target != all->target ||
                 (own->features != all->features && archive->head->column);
        if (i > 0)
            all->missing = all->missing < 0 || own->missing < 0 ? -1 : all->missing + own->missing;
    }
}

linpred_status linpred__archives_heads(linpred__archives *archives, const char *path,
                                       const linpred__read_request *request, bool *unfit, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    for (int64_t i = 0; i < archives->count && status == LINPRED_OK; i++)
        status = open_archive(&archives->archive[i], request, error);
    if (status != LINPRED_OK)
        return status;
    place_archives(archives, unfit);
    if (request->options->files == 0) {
        archives->head = archives->archive[0].head;
        archives->archive[0].head = NULL;
    } else
        status = unite_archives(archives, path, request->options, unfit, error);
    if (status != LINPRED_OK)
        return status;
    if (*unfit)
        return LINPRED_ERROR_MEMORY;
    archives->name = linpred__copy_text(archives->head->name, strlen(archives->head->name));
    return archives->name ? LINPRED_OK : linpred__no_memory(error);
}
