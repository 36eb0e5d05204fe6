/* Opens an SQLite database and chooses what is read.
 *
 * The database is opened read-only, and nothing in its schema is trusted: views and virtual tables of the file cannot
 * call functions with side effects. A file is read where it lies, so that SQLite's locks hold; a stream or a packed
 * file is read into memory first. Without --table and --query the file must have exactly one table or view.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "table/limits.h"
#include "table/sqlite/sqlite.h"

linpred_status linpred__sqlite_failed(const linpred__sqlite *sqlite, const char *doing, linpred_error *error)
{
    if (sqlite3_errcode(sqlite->database) == SQLITE_NOMEM)
        return linpred__no_memory(error);
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: SQLite cannot %s: %s", sqlite->name, doing,
                         sqlite3_errmsg(sqlite->database));
}

void linpred__sqlite_close(linpred__sqlite *sqlite)
{
    sqlite3_finalize(sqlite->statement);
    sqlite3_close(sqlite->database);
    linpred__whole_close(&sqlite->bytes);
}

/* ---- the database ------------------------------------------------------------------------------------------------ */

/* Bytes 18 and 19 of a database are 2 if it is written through a log beside it, "-wal", and 1 if not. */
enum { LOG_MARK = 18 };

static bool has_log_mark(const char *head)
{
    return head[LOG_MARK] == 2 && head[LOG_MARK + 1] == 2;
}

/* Whether there is no log beside the file, so that the file is complete. False if that is not known. */
static bool has_no_log(const char *path)
{
    char *real = realpath(path, NULL);
    linpred__text log = {0};
    linpred__text_add(&log, real ? real : "");
    linpred__text_add(&log, "-wal");
    bool none = real && !log.failed && access(log.bytes, F_OK) != 0 && errno == ENOENT;
    linpred__text_clear(&log);
    free(real);
    return none;
}

/* Opens a file. The path is written as an address, since SQLite keeps names that begin with ':' for itself. A database
   that is written through a log, but has none now, is opened as one that nobody writes to: SQLite would else make a log
   and leave it there. */
static linpred_status open_file(linpred__sqlite *sqlite, const linpred__source *source, linpred_error *error)
{
    linpred__text address = {0};
    linpred__text_add(&address, "file:");
    if (source->path[0] != '/')
        linpred__text_add(&address, "./");
    for (const char *at = source->path; *at; at++)
        linpred__text_format(&address, strchr("%?#", *at) ? "%%%02X" : "%c", (unsigned char)*at);
    if (has_log_mark(source->held) && has_no_log(source->path))
        linpred__text_add(&address, "?immutable=1");
    if (address.failed) {
        linpred__text_clear(&address);
        return linpred__no_memory(error);
    }
    int answer = sqlite3_open_v2(address.bytes, &sqlite->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    linpred__text_clear(&address);
    return answer == SQLITE_OK ? LINPRED_OK : linpred__sqlite_failed(sqlite, "open it", error);
}

/* SQLite does not read a database with the mark of a log in memory. A stream has no log, so the mark is taken away. */
static linpred_status open_stream(linpred__sqlite *sqlite, linpred__source *source, linpred_error *error)
{
    linpred_status status = linpred__whole_open(source, &sqlite->bytes, error);
    if (status != LINPRED_OK)
        return status;
    if (sqlite3_open_v2(":memory:", &sqlite->database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return linpred__sqlite_failed(sqlite, "open it", error);
    sqlite3_int64 bytes = (sqlite3_int64)sqlite->bytes.bytes;
    unsigned char *data = (unsigned char *)(uintptr_t)sqlite->bytes.data; /* SQLite only reads it: see the flag */
    if (!sqlite->bytes.mapped && has_log_mark((const char *)data))
        data[LOG_MARK] = data[LOG_MARK + 1] = 1;
    return sqlite3_deserialize(sqlite->database, "main", data, bytes, bytes, SQLITE_DESERIALIZE_READONLY) == SQLITE_OK
               ? LINPRED_OK
               : linpred__sqlite_failed(sqlite, "open it", error);
}

static linpred_status open_database(linpred__sqlite *sqlite, linpred__source *source, linpred_error *error)
{
    static const char magic[16] = "SQLite format 3";
    if (source->held_bytes < LINPRED__SQLITE_HEAD || memcmp(source->held, magic, sizeof magic) != 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s: this is not an SQLite database, or it is encrypted; say --format if it is another "
                             "format",
                             source->name);
    linpred_status status = linpred__input_descriptor(source->input) >= 0 ? open_file(sqlite, source, error)
                                                                          : open_stream(sqlite, source, error);
    if (status != LINPRED_OK)
        return status;
    sqlite3_extended_result_codes(sqlite->database, 1);
    sqlite3_busy_timeout(sqlite->database, LINPRED__SQLITE_WAIT);
    sqlite3_db_config(sqlite->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sqlite->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return LINPRED_OK;
}

/* ---- a table ----------------------------------------------------------------------------------------------------- */

/* What the file's tables and views say about the name that is looked for. */
typedef struct listing {
    int64_t count;
    char *only;          /* the name found, or the name of the first table; the caller frees it */
    bool found;          /* `only` is the name that was asked for */
    linpred__text names; /* the first names, for the message */
    char *near;          /* the name that is nearest to the one asked for; the caller frees it */
} listing;

static void clear_listing(listing *tables)
{
    linpred__release(tables->only);
    linpred__release(tables->near);
    linpred__text_clear(&tables->names);
}

static bool add_table(listing *tables, const char *name, const char *wanted)
{
    char shown[LINPRED__EXCERPT];
    if (tables->count++ < LINPRED__MAX_TABLES_SHOWN) {
        linpred__text_add(&tables->names, tables->count > 1 ? ", " : "");
        linpred__text_add(&tables->names, linpred__excerpt(name, strlen(name), shown));
    } else if (tables->count == LINPRED__MAX_TABLES_SHOWN + 1) {
        linpred__text_add(&tables->names, ", …");
    }
    bool found = wanted && sqlite3_stricmp(name, wanted) == 0; /* SQLite's names know no case */
    if (found || !tables->only) {
        linpred__release(tables->only);
        tables->only = linpred__copy_text(name, strlen(name));
        tables->found = found;
    }
    linpred__suggestion nearest = linpred__nearest_to(wanted ? wanted : "");
    if (wanted && tables->near)
        linpred__nearest_try(&nearest, wanted, tables->near);
    if (wanted)
        linpred__nearest_try(&nearest, wanted, name);
    if (nearest.best == name) {
        linpred__release(tables->near);
        tables->near = linpred__copy_text(name, strlen(name));
        if (!tables->near)
            return false;
    }
    return tables->only && !tables->names.failed;
}

static linpred_status list_tables(linpred__sqlite *sqlite, const char *wanted, listing *tables, linpred_error *error)
{
    static const char sql[] = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE "
                              "'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    sqlite3_stmt *list = NULL;
    if (sqlite3_prepare_v2(sqlite->database, sql, -1, &list, NULL) != SQLITE_OK)
        return linpred__sqlite_failed(sqlite, "read the list of its tables", error);
    int answer;
    bool memory = true;
    while (memory && (answer = sqlite3_step(list)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(list, 0);
        memory = add_table(tables, name ? name : "", wanted);
    }
    linpred_status status = !memory ? linpred__no_memory(error)
                            : answer == SQLITE_DONE
                                ? LINPRED_OK
                                : linpred__sqlite_failed(sqlite, "read the list of its tables", error);
    sqlite3_finalize(list);
    return status;
}

/* Fails unless the listing settles which table is meant. */
static linpred_status settle_table(const linpred__sqlite *sqlite, const char *wanted, const listing *tables,
                                   linpred_error *error)
{
    if (!tables->only)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the database has no table", sqlite->name);
    if (wanted && !tables->found)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: there is no table '%.60s' (--table); %s%.160s%s",
                             sqlite->name, wanted, tables->near ? "did you mean '" : "there is: ",
                             tables->near ? tables->near : tables->names.bytes, tables->near ? "'?" : "");
    if (!wanted && tables->count > 1)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: the database has %lld tables and views; choose one with --table: %s", sqlite->name,
                             (long long)tables->count, tables->names.bytes);
    return LINPRED_OK;
}

static linpred_status prepare_table(linpred__sqlite *sqlite, const char *wanted, linpred_error *error)
{
    listing tables = {0};
    linpred_status status = list_tables(sqlite, wanted, &tables, error);
    if (status == LINPRED_OK)
        status = settle_table(sqlite, wanted, &tables, error);
    if (status == LINPRED_OK) {
        char shown[LINPRED__EXCERPT];
        const char *name = tables.only ? tables.only : ""; /* settle_table has seen to it */
        snprintf(sqlite->what, sizeof sqlite->what, "table '%.80s'", linpred__excerpt(name, strlen(name), shown));
        char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
        if (!sql)
            status = linpred__no_memory(error);
        else if (sqlite3_prepare_v2(sqlite->database, sql, -1, &sqlite->statement, NULL) != SQLITE_OK)
            status = linpred__sqlite_failed(sqlite, "read the table", error);
        sqlite3_free(sql);
    }
    clear_listing(&tables);
    return status;
}

/* ---- a query ----------------------------------------------------------------------------------------------------- */

/* Skips blanks and comments. */
static const char *skip_to_word(const char *sql)
{
    for (;;) {
        const char *end = NULL;
        if (*sql && strchr(" \t\r\n\f;", *sql))
            end = sql + 1;
        else if (strncmp(sql, "--", 2) == 0)
            end = sql + strcspn(sql, "\n");
        else if (strncmp(sql, "/*", 2) == 0)
            end = strstr(sql, "*/") ? strstr(sql, "*/") + 2 : sql + strlen(sql);
        if (!end)
            return sql;
        sql = end;
    }
}

/* Whether the statement is one that returns rows and does nothing else. SQLite knows further ones, such as PRAGMA. */
static bool is_select(const char *sql)
{
    static const char *const words[] = {"SELECT", "WITH", "VALUES"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t bytes = strlen(words[i]);
        if (strncasecmp(sql, words[i], bytes) == 0 && strspn(sql + bytes, "_0123456789") == 0)
            return true;
    }
    return false;
}

static linpred_status prepare_query(linpred__sqlite *sqlite, const char *query, linpred_error *error)
{
    const char *rest = NULL;
    snprintf(sqlite->what, sizeof sqlite->what, "the query");
    if (!is_select(skip_to_word(query)))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --query must be a SELECT", sqlite->name);
    if (sqlite3_prepare_v2(sqlite->database, query, -1, &sqlite->statement, &rest) != SQLITE_OK) {
        linpred_status status = linpred__sqlite_failed(sqlite, "run the query", error);
        return status == LINPRED_ERROR_INPUT
                   ? linpred__fail(error, LINPRED_ERROR_USAGE, "%s: SQLite cannot run the query: %s", sqlite->name,
                                   sqlite3_errmsg(sqlite->database))
                   : status;
    }
    if (*skip_to_word(rest) != '\0')
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --query must be one SELECT; something follows it",
                             sqlite->name);
    if (!sqlite3_stmt_readonly(sqlite->statement) || sqlite3_column_count(sqlite->statement) == 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --query must be a SELECT that only reads", sqlite->name);
    return LINPRED_OK;
}

linpred_status linpred__sqlite_open(linpred__source *source, const linpred_options *options, linpred__sqlite *sqlite,
                                    linpred_error *error)
{
    *sqlite = (linpred__sqlite){.name = source->name};
    if (options->table && options->query)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: --table and --query exclude each other: a query names its tables itself",
                             source->name);
    linpred_status status = open_database(sqlite, source, error);
    if (status != LINPRED_OK)
        return status;
    return options->query ? prepare_query(sqlite, options->query, error) : prepare_table(sqlite, options->table, error);
}
