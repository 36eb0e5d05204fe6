/* Finds the format of a data file and calls its reader.
 *
 * The content decides first. Binary formats have their first bytes. A line `label index:value …` means LIBSVM. A line
 * with one number may be a CSV row or the label of an empty LIBSVM row, so the next line decides. Any other line means
 * CSV. If every line is a single number, the ending of the file name decides.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/files/files.h"
#include "table/limits.h"
#include "table/readers.h"

/* One line for each format. A new format needs a line here, a folder with its reader, and, if it is text, a rule in
   find_text_format. */
typedef struct format_reader {
    const char *name;       /* of the format, for messages */
    const char *endings[4]; /* of file names, each with its dot; NULL after the last */
    const char *magic;      /* the first bytes of a binary file; NULL: the file is UTF-8 text */
    size_t magic_bytes;
    bool takes_dialect; /* separator, header, decimal, skip, comment */
    bool takes_cells;   /* date, na */
    bool takes_as_text;
    bool takes_index_base;
    bool takes_table; /* table, query */
    linpred_status (*read)(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                           linpred__table *table, linpred_error *error);
} format_reader;

static const format_reader readers[] = {
    [LINPRED_FORMAT_CSV] =
        {.name = "CSV", .takes_dialect = true, .takes_cells = true, .takes_as_text = true, .read = linpred__csv_read},
    [LINPRED_FORMAT_LIBSVM] = {.name = "LIBSVM",
                               .endings = {".svm", ".libsvm", ".svmlight"},
                               .takes_index_base = true,
                               .read = linpred__libsvm_read},
    [LINPRED_FORMAT_NPY] =
        {.name = "npy", .endings = {".npy"}, .magic = "\x93NUMPY", .magic_bytes = 6, .read = linpred__npy_read},
    [LINPRED_FORMAT_SQLITE] = {.name = "SQLite",
                               .endings = {".db", ".sqlite", ".sqlite3"},
                               .magic = "SQLite format 3", /* with its NUL */
                               .magic_bytes = 16,
                               .takes_cells = true,
                               .takes_as_text = true,
                               .takes_table = true,
                               .read = linpred__sqlite_read},
    [LINPRED_FORMAT_PARQUET] = {.name = "Parquet",
                                .endings = {".parquet", ".pq"},
                                .magic = "PAR1",
                                .magic_bytes = 4,
                                .takes_cells = true,
                                .takes_as_text = true,
                                .read = linpred__parquet_read},
    [LINPRED_FORMAT_NPZ] =
        {.name = "npz", .endings = {".npz"}, .magic = "PK\003\004", .magic_bytes = 4, .read = linpred__npz_read},
};
enum { FORMATS = sizeof readers / sizeof readers[0] };

/* Whether the name ends in `ending`, not counting a final .gz or .zst. */
static bool ends_in(const char *path, const char *ending)
{
    size_t bytes = strlen(path);
    size_t length = strlen(ending);
    if (bytes > 3 && strcasecmp(path + bytes - 3, ".gz") == 0)
        bytes -= 3;
    else if (bytes > 4 && strcasecmp(path + bytes - 4, ".zst") == 0)
        bytes -= 4;
    return bytes > length && strncasecmp(path + bytes - length, ending, length) == 0;
}

/* Whether a token may be meant as index:value: a possibly empty run of digits, signs and points, or "qid", then a
   colon, then anything without commas, semicolons, quotes, slashes or another colon. Wrong entries such as :1, 1.5:2,
   -3:1 and 2: pass too, so that the LIBSVM reader can say what is wrong with them. */
static bool looks_like_entry(const char *token, size_t bytes)
{
    size_t at = 0;
    if (bytes > 4 && memcmp(token, "qid:", 4) == 0)
        at = 3;
    else
        while (at < bytes && strchr("+-.0123456789", token[at]) && token[at] != '\0')
            at++;
    if (at == bytes || token[at] != ':')
        return false;
    for (at++; at < bytes; at++)
        if (token[at] == '\0' || strchr(":,;\"'/", token[at]))
            return false;
    return true;
}

static size_t token_bytes(const char *at, const char *end)
{
    const char *from = at;
    while (at < end && *at != ' ' && *at != '\t' && *at != '\r' && *at != '\n' && *at != '#')
        at++;
    return (size_t)(at - from);
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static const char *skip_line(const char *at, const char *end)
{
    while (at < end && *at != '\n' && *at != '\r')
        at++;
    return at;
}

typedef enum guess { IS_LIBSVM, IS_CSV, CANNOT_TELL } guess;

static guess guess_line(const char *at, const char *end)
{
    size_t first = token_bytes(at, end);
    const char *second = skip_blanks(at + first, end);
    size_t bytes = token_bytes(second, end);
    if (looks_like_entry(at, first))
        return bytes == 0 || looks_like_entry(second, bytes) ? IS_LIBSVM : IS_CSV;
    if (bytes > 0)
        return looks_like_entry(second, bytes) ? IS_LIBSVM : IS_CSV;
    double value;
    return linpred__number_read(at, first, &value) == LINPRED__NUMBER ? CANNOT_TELL : IS_CSV;
}

/* The first line that decides; blank lines and comments do not. */
static guess guess_text(const char *at, const char *end)
{
    while (at < end) {
        at = skip_blanks(at, end);
        if (at < end && *at != '\n' && *at != '\r' && *at != '#') {
            guess answer = guess_line(at, end);
            if (answer != CANNOT_TELL)
                return answer;
        }
        at = skip_line(at, end);
        at += at < end;
    }
    return CANNOT_TELL;
}

static bool has_ending_of(const char *path, linpred_format format)
{
    for (const char *const *ending = readers[format].endings; *ending; ending++)
        if (ends_in(path, *ending))
            return true;
    return false;
}

/* The binary format that the first bytes, or else the ending of the name, tell; LINPRED_FORMAT_AUTO if it is text. */
static linpred_format find_binary(const linpred__source *source, const char *path)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 1; i < FORMATS; i++) {
            const format_reader *reader = &readers[i];
            if (reader->magic && (pass == 0 ? source->held_bytes >= reader->magic_bytes &&
                                                  memcmp(source->held, reader->magic, reader->magic_bytes) == 0
                                            : has_ending_of(path, (linpred_format)i)))
                return (linpred_format)i;
        }
    return LINPRED_FORMAT_AUTO;
}

static linpred_format find_text_format(const linpred__source *source, const char *path)
{
    const char *text = source->held;
    size_t bytes = source->held_bytes;
    switch (guess_text(text, text + bytes)) {
    case IS_LIBSVM:
        return LINPRED_FORMAT_LIBSVM;
    case IS_CSV:
        return LINPRED_FORMAT_CSV;
    case CANNOT_TELL:
        break;
    }
    return has_ending_of(path, LINPRED_FORMAT_LIBSVM) ? LINPRED_FORMAT_LIBSVM : LINPRED_FORMAT_CSV;
}

/* Fails if the file is a linpred model, which happens when a user exchanges the two file names of a command. */
static linpred_status check_no_model(const linpred__source *source, linpred_error *error)
{
    static const char mark[] = "\"format\": \"linpred model\"";
    const char *text = source->held, *end = text + source->held_bytes;
    while (text < end && (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r'))
        text++;
    if (text == end || *text != '{' || !memmem(text, (size_t)(end - text), mark, sizeof mark - 1))
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: this is a linpred model, not data", source->name);
}

/* Fails if the text begins as a script of SQL, as JSON or as a page of HTML does: it would be read as CSV, and make no
   sense. */
static linpred_status check_no_other(const linpred__source *source, linpred_error *error)
{
    static const char sql[] = "a script of SQL; make a database of it, as by sqlite3 data.db <FILE";
    static const char json[] = "JSON, which linpred does not read; make CSV of it, as by jq";
    static const char page[] = "a page of HTML, and no data: was it saved in the place of a file?";
    static const struct {
        const char *begins;
        const char *what;
    } others[] = {{"PRAGMA foreign_keys", sql},
                  {"BEGIN TRANSACTION;", sql},
                  {"CREATE TABLE ", sql},
                  {"INSERT INTO ", sql},
                  {"-- MySQL dump", sql},
                  {"--\n-- PostgreSQL", sql},
                  {"[{\"", json},
                  {"{\"", json},
                  {"<!DOCTYPE html", page},
                  {"<html", page}};
    const char *text = source->held, *end = text + source->held_bytes;
    while (text < end && (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r'))
        text++;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t length = strlen(others[i].begins);
        if (length <= (size_t)(end - text) && strncasecmp(text, others[i].begins, length) == 0)
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "%s: this seems to be %s (--format csv reads it as CSV all the same)", source->name,
                                 others[i].what);
    }
    return LINPRED_OK;
}

/* An option that would be ignored is an error. */
static linpred_status check_options(const linpred_options *options, linpred_format format, linpred_error *error)
{
    const format_reader *reader = &readers[format];
    const char *useless = NULL;
    if (!reader->takes_dialect)
        useless = options->separator                       ? "separator"
                  : options->header != LINPRED_HEADER_AUTO ? "header"
                  : options->decimal                       ? "decimal"
                  : options->skip > 0                      ? "skip"
                  : options->comment                       ? "comment"
                                                           : NULL;
    if (!reader->takes_cells && (options->date || options->na))
        useless = options->date ? "date" : "na";
    if (!reader->takes_as_text && (options->as_text || options->keep))
        useless = options->as_text ? "text" : "keep";
    if (!reader->takes_index_base && options->index_base != LINPRED_INDEX_AUTO)
        useless = "index-base";
    if (!reader->takes_table && (options->table || options->query))
        useless = options->table ? "table" : "query";
    return useless ? linpred__fail(error, LINPRED_ERROR_USAGE, "--%s means nothing for a file in the format %s",
                                   useless, reader->name)
                   : LINPRED_OK;
}

/* How many lines are skipped: as the option says, else as in the fit of the model. */
static int64_t lines_to_skip(const linpred__read_request *request)
{
    bool asked = request->options->skip > 0 || request->options->given[LINPRED__OPTION_skip];
    return asked || !request->like ? request->options->skip : request->like->skip;
}

static linpred_status read_source(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                  linpred__table *table, linpred_error *error)
{
    const linpred_options *options = request->options;
    linpred_status status = linpred__source_hold(source, LINPRED__HEAD_BYTES, error);
    if (status != LINPRED_OK)
        return status;
    if (source->held_bytes == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the file is empty", source->name);
    linpred_format format =
        options->format != LINPRED_FORMAT_AUTO ? options->format : find_binary(source, source->path);
    bool is_text = !readers[format].magic;
    if (is_text)
        status = check_no_model(source, error);
    if (status == LINPRED_OK && format == LINPRED_FORMAT_AUTO)
        status = check_no_other(source, error);
    if (status == LINPRED_OK && is_text) {
        source->skip = lines_to_skip(request);
        status = linpred__source_begin(source, error);
    }
    if (status != LINPRED_OK)
        return status;
    if (format == LINPRED_FORMAT_AUTO)
        format = find_text_format(source, source->path);
    status = check_options(options, format, error);
    if (status == LINPRED_OK && options->memory && format != LINPRED_FORMAT_NPZ && !request->spill)
        status =
            linpred__fail(error, LINPRED_ERROR_USAGE,
                          "%s: --memory is for npz archives, which can be read again and again: linpred convert makes "
                          "one of any file",
                          source->name);
    if (format != LINPRED_FORMAT_CSV)
        linpred__source_forget(source);
    return status == LINPRED_OK ? readers[format].read(source, request, pool, table, error) : status;
}

/* Memory ran out: adds how far the file was read, and how much the table of all its rows would take. That is known only
   if the file is not packed and no pipe. */
static void tell_table_size(const linpred__source *source, const linpred__table *table, linpred_error *error)
{
    int descriptor = linpred__input_descriptor(source->input);
    double size = (double)linpred__input_size(source->input),
           at = descriptor >= 0 ? (double)lseek(descriptor, 0, SEEK_CUR) : 0.0;
    double held = table->layout == LINPRED__DENSE ? (double)table->rows * table->columns * (double)sizeof(double)
                                                  : (double)table->entries * (double)(sizeof(double) + sizeof(int32_t));
    char bytes[LINPRED__BYTES_TEXT], so_far[sizeof error->message];
    if (!error || table->rows == 0 || !(at > 0.0 && size >= at && held > 0.0))
        return;
    snprintf(so_far, sizeof so_far, "%s", error->message);
    linpred__fail(error, error->status, "%s; after %lld rows: the table of all rows would take about %s", so_far,
                  (long long)table->rows, linpred__bytes_text(held * size / at, bytes));
}

linpred_status linpred__table_read_pieces(const char *path, const linpred__read_request *request, linpred__pool *pool,
                                          size_t piece_bytes, linpred__table **out, linpred_error *error)
{
    linpred__source source;
    linpred_status status = linpred__source_open(path, request->options->max_seconds, &source, error);
    if (status != LINPRED_OK)
        return status;
    source.piece_bytes = piece_bytes;
    source.on_progress = request->options->on_progress;
    source.context = request->options->context;
    source.opened = source.reported = linpred__now();
    linpred__table *table = linpred__calloc(1, sizeof *table);
    if (table)
        table->name = linpred__copy_text(source.name, strlen(source.name));
    if (!table || !table->name) {
        status = linpred__no_memory(error);
    } else {
        table->index_base = table->row_names = table->weights = -1;
        table->spill = request->spill;
        status = read_source(&source, request, pool, table, error);
        if (status == LINPRED_ERROR_MEMORY)
            tell_table_size(&source, table, error);
    }
    linpred__source_close(&source);
    if (status != LINPRED_OK) {
        linpred__table_free(table);
        return status;
    }
    *out = table;
    return LINPRED_OK;
}

linpred_status linpred__table_read(const char *path, const linpred__read_request *request, linpred__pool *pool,
                                   linpred__table **table, linpred_error *error)
{
    return request->options->files > 0 ? linpred__files_read(path, request, pool, table, error)
                                       : linpred__table_read_pieces(path, request, pool, 0, table, error);
}
