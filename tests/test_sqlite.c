/* The SQLite reader: values as they are stored, columns that are refused only if used, tables and queries, streams,
 * damaged files. The databases are made here, by SQLite itself. */
#include "reader_support.h"
#include "failing_memory.h"

#include <sqlite3.h>

/* A new database in the test's folder, made by these statements. */
static const char *database(const char *name, const char *sql)
{
    sqlite3 *made;
    char *message = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
    assert_int_equal(sqlite3_open(path, &made), SQLITE_OK);
    if (sqlite3_exec(made, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(made), SQLITE_OK);
    return path;
}

static linpred_options of_query(const char *query)
{
    linpred_options options = defaults();
    options.query = (char *)(uintptr_t)query;
    return options;
}

static linpred_options of_table(const char *name)
{
    linpred_options options = defaults();
    options.table = (char *)(uintptr_t)name;
    return options;
}

/* ---- values ---- */

static void reads_values_as_stored(void **state)
{
    (void)state;
    const char *file = database("values.db", "CREATE TABLE t(n INTEGER, x REAL, w TEXT, e);"
                                             "INSERT INTO t VALUES (1, 0.1, 'b', NULL), (NULL, 1e300, '', NULL),"
                                             "(9007199254740993, -0.5, 'a', NULL), (-2, NULL, 'b', NULL)");
    linpred__table *table = must_read(file, NULL);
    assert_int_equal(table->rows, 4);
    assert_int_equal(table->columns, 4);
    assert_string_equal(table->format, "SQLite, table 't'");
    assert_string_equal(table->column[1].name, "x");
    ROW(table, 0, 1, 0.1, 0, NAN);
    ROW(table, 1, NAN, 1e300, NAN, NAN);
    ROW(table, 2, 9007199254740992, -0.5, 1, NAN);
    ROW(table, 3, -2, NAN, 0, NAN);
    assert_int_equal(table->column[0].type, LINPRED_COLUMN_NUMBER);
    assert_int_equal(table->column[2].type, LINPRED_COLUMN_TEXT);
    assert_int_equal(table->column[3].type, LINPRED_COLUMN_EMPTY);
    assert_int_equal(table->column[2].levels, 2);
    assert_string_equal(table->column[2].level[0], "b");
    assert_int_equal(table->column[0].missing, 1);
    assert_int_equal(table->column[0].first_missing_line, 2);
    assert_int_equal(table->column[0].altered, 1);
    assert_int_equal(table->column[0].first_altered_line, 3);
    assert_int_equal(table->column[2].missing, 1); /* empty text */
    linpred__table_free(table);
}

/* More rows than a block holds, and a database of which SQLite must convert the text. */
static void reads_many_rows_and_utf16(void **state)
{
    (void)state;
    const char *file = database(
        "many.sqlite", "PRAGMA encoding = 'UTF-16'; CREATE TABLE t AS WITH RECURSIVE n(i) AS (VALUES(0) UNION "
                       "ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, i * 0.5 AS h, 'ü' || (i % 7) AS w FROM n");
    linpred__table *table = must_read(file, NULL);
    assert_int_equal(table->rows, 20001);
    assert_true(table->blocks > 1);
    for (int64_t r = 0; r < table->rows; r++)
        ROW(table, r, (double)r, (double)r * 0.5, (double)(r % 7));
    assert_string_equal(table->column[2].level[3], "ü3");
    linpred__table_free(table);
}

static void as_text_takes_the_digits(void **state)
{
    (void)state;
    const char *file =
        database("codes.db", "CREATE TABLE t(code, x); INSERT INTO t VALUES (7, 0.1), ('07', 2), (7, 3)");
    linpred_options options = defaults();
    options.as_text = (char *)(uintptr_t) "code,2";
    linpred__table *table = must_read(file, &options);
    assert_int_equal(table->column[0].levels, 2);
    assert_string_equal(table->column[0].level[0], "7");
    assert_string_equal(table->column[0].level[1], "07");
    assert_string_equal(table->column[1].level[0], "0.1");
    linpred__table_free(table);
}

/* ---- refusals ---- */

static void refuses_columns_not_files(void **state)
{
    (void)state;
    const char *file = database("odd.db", "CREATE TABLE t(b, m, i, u, z, y);"
                                          "INSERT INTO t VALUES (1, 1, 1, 'a', 'a', 1), (x'00', 'high', 9e999, "
                                          "CAST(x'ff' AS TEXT), CAST(x'6100' AS TEXT), 2)");
    static const char *const reasons[] = {"row 2 holds a blob", "row 2 holds the text 'high' and row 1 a number",
                                          "row 2 holds infinity", "row 2 holds text that is not UTF-8",
                                          "row 2 holds text with a NUL byte"};
    linpred__table *table = must_read(file, NULL);
    for (int32_t c = 0; c < 5; c++) {
        assert_non_null(table->column[c].refusal);
        if (!strstr(table->column[c].refusal, reasons[c]))
            fail_msg("'%s' instead of '%s'", table->column[c].refusal, reasons[c]);
        assert_int_equal(table->column[c].refusal_line, 2);
        assert_int_equal(table->column[c].type, LINPRED_COLUMN_EMPTY);
        assert_int_equal(table->column[c].levels, 0);
        assert_true(isnan(cell(table, 0, c)));
    }
    assert_null(table->column[5].refusal);
    linpred__table_free(table);
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_error error = {0};
    assert_int_equal(linpred_options_set(options, "task", "regression", &error), LINPRED_OK);
    assert_int_equal(linpred_data_load(file, options, &data, &error), LINPRED_ERROR_INPUT);
    assert_non_null(strstr(error.message, "column 1 (b) cannot be used: row 2 holds a blob; leave it out with --drop"));
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 1);
    linpred_options_free(options);
}

static void tables_and_queries(void **state)
{
    (void)state;
    const char *file = database("two.db", "CREATE TABLE \"a \"\"b\"(x, y); INSERT INTO \"a \"\"b\" VALUES (1, 2);"
                                          "CREATE TABLE empty(x); CREATE VIEW v AS SELECT y, x FROM \"a \"\"b\"");
    must_fail(file, NULL, 0, 0, "has 3 tables and views; choose one with --table: a \"b, empty, v");
    linpred_options options = of_table("A \"B"); /* names know no case */
    linpred__table *table = must_read(file, &options);
    ROW(table, 0, 1, 2);
    linpred__table_free(table);
    options = of_table("v");
    table = must_read(file, &options);
    ROW(table, 0, 2, 1);
    linpred__table_free(table);
    options = of_table("empty");
    must_fail(file, &options, 0, 0, "table 'empty' has no rows");
    options = of_table("emty");
    must_fail(file, &options, 0, 0, "did you mean 'empty'?");
    options = of_query("-- all\n/* of */ with n(i) as (values(1),(2)) select i, -i AS m from n;  -- done");
    table = must_read(file, &options);
    assert_int_equal(table->rows, 2);
    ROW(table, 1, 2, -2);
    linpred__table_free(table);
    static const struct {
        const char *query, *says;
    } wrong[] = {{"SELECT 1; SELECT 2", "must be one SELECT"},
                 {"SELECT 1 FORM v", "syntax error"},
                 {"DELETE FROM v", "must be a SELECT"},
                 {"PRAGMA table_list", "must be a SELECT"},
                 {"WITH n AS (SELECT 1) DELETE FROM empty", "must be a SELECT that only reads"},
                 {"", "must be a SELECT"},
                 {"SELECT x FROM v WHERE x > 5", "the query has no rows"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        options = of_query(wrong[i].query);
        must_fail(file, &options, 0, 0, wrong[i].says);
    }
    options = of_query("SELECT x, x FROM v"); /* only a recipe that uses both has to tell them apart */
    table = must_read(file, &options);
    assert_true(table->repeated_names);
    linpred__table_free(table);
    options = of_query("SELECT x FROM v WHERE x > 5");
    options.table = (char *)(uintptr_t) "v";
    must_fail(file, &options, 0, 0, "--table and --query exclude each other");
    options = of_table("v");
    must_fail(save_text("plain.csv", "a,b\n1,2\n"), &options, 0, 0,
              "--table means nothing for a file in the format CSV");
    must_fail(save_text("plain.db", "a,b\n1,2\n"), NULL, 0, 0, "this is not an SQLite database");
    must_fail(database("none.db", "CREATE TABLE t(x); DROP TABLE t"), NULL, 0, 0, "the database has no table");
}

/* ---- streams and damage ---- */

static void packed_files_are_as_good(void **state)
{
    (void)state;
    static char plain[1 << 16];
    FILE *file = fopen(database("p.db", "CREATE TABLE t(x, y); INSERT INTO t VALUES (1, 'a'), (2, 'b')"), "rb");
    size_t bytes = fread(plain, 1, sizeof plain, file);
    fclose(file);
    snprintf(path, sizeof path, "%s/packed", folder); /* known by its content */
    gzFile packed = gzopen(path, "wb");
    assert_int_equal(gzwrite(packed, plain, (unsigned)bytes), bytes);
    gzclose(packed);
    linpred__table *table = must_read(path, NULL);
    ROW(table, 1, 2, 1);
    linpred__table_free(table);
}

/* A database that is written through a log is read with its log and without; nothing is left beside it. */
static void databases_with_logs_are_read(void **state)
{
    (void)state;
    char copy[4200], beside[4200];
    const char *file = database("w.db", "PRAGMA journal_mode = WAL; CREATE TABLE t(x, y); INSERT INTO t VALUES (1, 2)");
    linpred__table *table = must_read(file, NULL);
    ROW(table, 0, 1, 2);
    linpred__table_free(table);
    snprintf(beside, sizeof beside, "%s-wal", file);
    assert_int_not_equal(access(beside, F_OK), 0);
    snprintf(copy, sizeof copy, "cat %s | gzip > %s/w.gz", file, folder);
    assert_int_equal(system(copy), 0);
    snprintf(copy, sizeof copy, "%s/w.gz", folder);
    table = must_read(copy, NULL);
    ROW(table, 0, 1, 2);
    linpred__table_free(table);
    sqlite3 *writer;
    assert_int_equal(sqlite3_open(file, &writer), SQLITE_OK);
    assert_int_equal(sqlite3_exec(writer, "INSERT INTO t VALUES (3, 4)", NULL, NULL, NULL), SQLITE_OK);
    table = must_read(file, NULL); /* the second row is in the log */
    assert_int_equal(table->rows, 2);
    linpred__table_free(table);
    assert_int_equal(sqlite3_close(writer), SQLITE_OK);
    table = must_read(database("odd ?#%41 name.db", "CREATE TABLE t(x); INSERT INTO t VALUES (7)"), NULL);
    ROW(table, 0, 7);
    linpred__table_free(table);
}

/* Each byte changed, and the file cut at many places: it is read or refused with a sentence. */
static void damaged_files_are_refused(void **state)
{
    (void)state;
    static char plain[1 << 16], copy[1 << 16];
    FILE *file = fopen(database("d.db", "PRAGMA page_size = 512; CREATE TABLE t(x REAL, w TEXT); INSERT INTO t VALUES "
                                        "(1.5, 'a'), (2, 'b'), (3, NULL), (4, 'longer text')"),
                       "rb");
    size_t bytes = fread(plain, 1, sizeof plain, file);
    fclose(file);
    assert_in_range(bytes, 512, sizeof plain);
    int refused = 0;
    for (size_t at = 0; at < 2 * bytes; at++) {
        bool cut = at >= bytes;
        memcpy(copy, plain, bytes);
        if (!cut)
            copy[at] = (char)(copy[at] ^ (at % 2 ? 0xFF : 0x01));
        linpred__table *table = NULL;
        linpred_error error = {0};
        linpred_status status =
            read_with(save("damaged.db", copy, cut ? at - bytes : bytes), NULL, 1, 0, &table, &error);
        if (status != LINPRED_OK) {
            assert_true(error.message[0] != '\0');
            refused++;
        }
        if (status == LINPRED_OK)
            linpred__table_free(table);
    }
    assert_true(refused > 100);
}

/* The k-th request for memory fails, for every k. (SQLite's own memory is not linpred's.) */
static void survives_any_failed_allocation(void **state)
{
    (void)state;
    const char *file = database("m.db", "CREATE TABLE t(x, w, b); INSERT INTO t VALUES (1, 'a', x'00'), (2, 'b', 1);"
                                        "CREATE TABLE u(x)");
    linpred_options options = of_table("t");
    assert_true(read_while_memory_fails(file, &options, 0) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_values_as_stored),
        cmocka_unit_test(reads_many_rows_and_utf16),
        cmocka_unit_test(as_text_takes_the_digits),
        cmocka_unit_test(refuses_columns_not_files),
        cmocka_unit_test(tables_and_queries),
        cmocka_unit_test(packed_files_are_as_good),
        cmocka_unit_test(databases_with_logs_are_read),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(survives_any_failed_allocation),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
