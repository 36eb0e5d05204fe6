/* What the files of the SQLite reader share.
 *
 *   open.c    opens the database read-only and chooses the statement: a table, or the query of --query
 *   sqlite.c  steps through the rows and fills the table
 */
#ifndef LINPRED_TABLE_SQLITE_SQLITE_H
#define LINPRED_TABLE_SQLITE_SQLITE_H

#include <sqlite3.h>

#include "core/options.h"
#include "table/bytes/source.h"
#include "table/bytes/whole.h"

typedef struct linpred__sqlite {
    const char *name; /* of the file, for messages */
    sqlite3 *database;
    sqlite3_stmt *statement; /* the SELECT whose rows are read */
    linpred__whole bytes;    /* a database from a stream, which SQLite reads in memory; else empty */
    char what[100];          /* what is read, for people: "table 'iris'" or "the query" */
} linpred__sqlite;

/* Opens the database and prepares the statement. linpred__sqlite_close must be called, also on failure. */
linpred_status linpred__sqlite_open(linpred__source *source, const linpred_options *options, linpred__sqlite *sqlite,
                                    linpred_error *error);
void linpred__sqlite_close(linpred__sqlite *sqlite);
/* Fails with SQLite's own words. `doing` is what was tried. */
linpred_status linpred__sqlite_failed(const linpred__sqlite *sqlite, const char *doing, linpred_error *error);

#endif
