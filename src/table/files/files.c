/* Reads several files as one table: each alone, then those again that the others tell how to read. */
#include "table/files/files.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/spill.h"
#include "table/readers.h"

int linpred__file_reader(const linpred__files *files, int64_t file)
{
    return files->comm ? linpred__sharer(files->count, files->comm->processes, file) : 0;
}

static bool is_own(const linpred__files *files, int64_t file)
{
    return !files->comm || linpred__file_reader(files, file) == files->comm->process;
}

linpred_status linpred__files_no_memory(const linpred__files *files, linpred_error *error)
{
    linpred_error here;
    linpred_status status = linpred__no_memory(&here);
    if (files->comm)
        files->comm->give_up(&here);
    if (error)
        *error = here;
    return status;
}

/* ---- one file ---------------------------------------------------------------------------------------------------- */

/* What a reader asks about columns: the caller's request, and what the files agreed on. */
typedef struct agreed_columns {
    const linpred__read_request *request;
    const linpred__agreement *agreement;
} agreed_columns;

static linpred_status choose_agreed(void *context, const linpred__table *head, linpred__use *use, linpred_error *error)
{
    const agreed_columns *agreed = context;
    const linpred__read_request *request = agreed->request;
    linpred_status status = LINPRED_OK;
    for (int32_t c = 0; c < head->columns; c++)
        use[c] = LINPRED__USED;
    if (request->choose)
        status = request->choose(request->context, head, use, error);
    for (int32_t c = 0; agreed->agreement->text && c < head->columns && c < agreed->agreement->columns; c++)
        if (agreed->agreement->text[c] && use[c] == LINPRED__USED)
            use[c] = LINPRED__USED_AS_TEXT;
    return status;
}

/* The 1-based row of the file that lies in a line; 0 if it is not known. */
static int64_t row_of_line(const linpred__table *table, int64_t line)
{
    int64_t low = 0, high = table->rows - 1; /* the row is in low .. high, 0-based */
    if (table->first_row_line == 0 || table->rows == 0 || line < table->first_row_line)
        return 0;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (linpred__table_line(table, middle) <= line)
            low = middle;
        else
            high = middle - 1;
    }
    return low + 1;
}

/* Counts lines in rows of the file. */
static void count_rows(linpred__table *table)
{
    table->first_altered_line = row_of_line(table, table->first_altered_line);
    for (int32_t c = 0; table->column && c < table->columns; c++) {
        linpred__column *column = &table->column[c];
        int64_t missing = 0, word = 0;
        while (column->missing > 0 && missing < table->rows && !isnan(*linpred__table_cell(table, missing, c)))
            missing++;
        while (column->type == LINPRED_COLUMN_TEXT && word < table->rows && *linpred__table_cell(table, word, c) != 0.0)
            word++;
        column->first_missing_line = column->missing > 0 ? missing + 1 : 0;
        column->first_word_row = word + 1;
        column->first_altered_line = row_of_line(table, column->first_altered_line);
        column->odd_line = row_of_line(table, column->odd_line);
        column->refusal_line = row_of_line(table, column->refusal_line);
    }
}

static linpred_status read_file(const linpred__files *files, int64_t file, const linpred__read_request *request,
                                const linpred__agreement *agreement, linpred__pool *pool, linpred_error *error)
{
    linpred_options options = *request->options;
    agreed_columns agreed = {request, agreement};
    linpred__read_request alone = *request;
    struct stat about;
    options.file = NULL;
    options.files = 0;
    options.may_be_empty = true;
    if (files->comm) /* it was judged for all files together */
        options.memory = NULL;
    if (agreement->comma)
        options.decimal = ",";
    if (agreement->zero)
        options.index_base = LINPRED_INDEX_ZERO;
    alone.options = &options;
    alone.choose = choose_agreed;
    alone.context = &agreed;
    alone.spill = files->spill;
    alone.may_stay = false;
    linpred__table_free(files->table[file]);
    files->table[file] = NULL;
    if (strcmp(files->path[file], "-") == 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the standard input cannot be one of several files");
    if (stat(files->path[file], &about) == 0 && S_ISREG(about.st_mode) && about.st_size == 0)
        return LINPRED_OK;
    linpred_status status = linpred__table_read_pieces(files->path[file], &alone, pool, 0, &files->table[file], error);
    if (status == LINPRED_OK && files->spill)
        linpred__spill_keep(files->spill);
    if (status == LINPRED_OK)
        count_rows(files->table[file]);
    return status;
}

/* ---- all files --------------------------------------------------------------------------------------------------- */

/* How reading a file ended. */
typedef struct file_outcome {
    linpred_error error; /* its status is LINPRED_OK if all is well */
    bool empty;          /* there is no table: the file has no bytes, or reading failed */
} file_outcome;

/* The heads of the files of one process: packed by it, unpacked by the others. */
static linpred_status exchange_from(const linpred__files *files, int process, file_outcome *outcome,
                                    linpred_error *error)
{
    const linpred__comm *comm = files->comm;
    linpred__share share = linpred__share_of(files->count, comm->processes, process);
    linpred__bytes bytes = {0};
    bool own = comm->process == process;
    for (int64_t i = share.from; own && i < share.to; i++) {
        linpred__bytes_put(&bytes, &outcome[i], sizeof outcome[i]);
        if (files->table[i])
            linpred__head_put(&bytes, files->table[i]);
    }
    uint64_t count = bytes.count;
    if (!bytes.no_memory)
        comm->broadcast(process, &count, sizeof count);
    if (!own && !bytes.no_memory)
        bytes.no_memory = !linpred__grow(&bytes.at, &bytes.capacity, (size_t)count, 1);
    if (count > 0 && !bytes.no_memory)
        comm->broadcast(process, bytes.at, (size_t)count);
    for (int64_t i = share.from; !own && i < share.to && !bytes.no_memory; i++) {
        linpred__bytes_take(&bytes, &outcome[i], sizeof outcome[i]);
        linpred__table_free(files->table[i]);
        files->table[i] = NULL;
        if (!outcome[i].empty)
            files->table[i] = linpred__head_take(&bytes);
    }
    linpred__release(bytes.at);
    return bytes.no_memory ? linpred__files_no_memory(files, error) : LINPRED_OK;
}

/* The first error of all, in the order of the files: every process has it. */
static linpred_status first_failure(const linpred__files *files, const file_outcome *outcome, linpred_error *error)
{
    int64_t i = 0;
    while (i < files->count && outcome[i].error.status == LINPRED_OK)
        i++;
    if (i == files->count)
        return LINPRED_OK;
    const linpred_error *first = &outcome[i].error;
    if (error)
        *error = *first;
    if (files->comm && files->comm->processes > 1)
        linpred__fail_at(error, first->status, first->line, first->column, "%.460s (process %d of %d)", first->message,
                         linpred__file_reader(files, i), files->comm->processes);
    return first->status;
}

/* Reads the files of this process that must be read, and exchanges the heads of all. */
static linpred_status read_round(const linpred__files *files, const linpred__read_request *request,
                                 const linpred__agreement *agreement, const bool *again, linpred__pool *pool,
                                 linpred_error *error)
{
    file_outcome *outcome = linpred__calloc((size_t)files->count, sizeof *outcome);
    if (!outcome)
        return linpred__files_no_memory(files, error);
    linpred_status status = LINPRED_OK;
    for (int64_t i = 0; i < files->count; i++) {
        if (!is_own(files, i))
            continue;
        if (again[i] && status == LINPRED_OK)
            outcome[i].error.status = status = read_file(files, i, request, agreement, pool, &outcome[i].error);
        outcome[i].empty = !files->table[i];
    }
    status = LINPRED_OK;
    for (int p = 0; files->comm && p < files->comm->processes && status == LINPRED_OK; p++)
        status = exchange_from(files, p, outcome, error);
    if (status == LINPRED_OK)
        status = first_failure(files, outcome, error);
    linpred__release(outcome);
    return status;
}

/* Reads until all agree: each round adds something to the agreement, of which there is not much. */
static linpred_status read_all(const linpred__files *files, const linpred__read_request *request, bool *again,
                               linpred__agreement *agreement, linpred__pool *pool, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    bool more = true;
    for (int64_t i = 0; i < files->count; i++)
        again[i] = true;
    while (more && status == LINPRED_OK) {
        status = read_round(files, request, agreement, again, pool, error);
        if (status == LINPRED_OK)
            status = linpred__files_agree(files, agreement, again, error);
        more = false;
        for (int64_t i = 0; i < files->count; i++)
            more = more || again[i];
    }
    return status;
}

void linpred__files_close(linpred__files *files)
{
    for (int64_t i = 0; files->table && i < files->count; i++)
        linpred__table_free(files->table[i]);
    linpred__spill_close(files->spill);
    linpred__release(files->table);
    linpred__release(files->path);
}

linpred_status linpred__files_open(const char *path, const linpred__read_request *request, linpred__pool *pool,
                                   linpred__files *files, linpred__table **out, linpred_error *error)
{
    const linpred_options *options = request->options;
    size_t count = options->files + 1;
    linpred__agreement agreement = {0};
    linpred__table *all = NULL;
    bool *again = linpred__alloc(count, sizeof *again);
    *files = (linpred__files){.count = (int64_t)count, .comm = linpred__comm_get()};
    files->path = linpred__alloc(count, sizeof *files->path);
    files->table = linpred__calloc(count, sizeof(linpred__table *));
    linpred_status status = again && files->path && files->table ? LINPRED_OK : linpred__files_no_memory(files, error);
    for (size_t i = 0; status == LINPRED_OK && i < count; i++)
        files->path[i] = i == 0 ? path : options->file[i - 1];
    if (status == LINPRED_OK && request->spill)
        status = linpred__spill_open_beside(request->spill, &files->spill, error);
    if (status == LINPRED_OK)
        status = read_all(files, request, again, &agreement, pool, error);
    if (status == LINPRED_OK)
        status = linpred__files_head(files, &agreement, &all, error);
    if (status == LINPRED_OK && all->rows == 0 && !options->may_be_empty)
        status = linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the files have column names, but no rows", all->name);
    if (files->spill)
        status = linpred__spill_failure(files->spill, status, error);
    if (status == LINPRED_OK)
        *out = all;
    else
        linpred__table_free(all);
    linpred__release(again);
    linpred__release(agreement.text);
    linpred__release(agreement.odd);
    return status;
}

linpred_status linpred__files_read(const char *path, const linpred__read_request *request, linpred__pool *pool,
                                   linpred__table **table, linpred_error *error)
{
    linpred__files files;
    linpred__table *all = NULL;
    linpred_status status = linpred__files_open(path, request, pool, &files, &all, error);
    if (status == LINPRED_OK && all) {
        all->spill = request->spill;
        status = linpred__files_join(&files, all, error);
        if (status == LINPRED_OK)
            *table = all;
        else
            linpred__table_free(all);
    }
    linpred__files_close(&files);
    return status;
}
