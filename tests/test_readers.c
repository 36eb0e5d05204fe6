/* The readers: cells, names, types, and where errors are said to be; the same table whatever the threads and pieces. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <cmocka.h>

#include "core/random.h"
#include "table/readers.h"

static char folder[] = "/tmp/linpred-readers-XXXXXX";
static char path[4096];

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *all = opendir(folder);
    for (struct dirent *one = all ? readdir(all) : NULL; one; one = readdir(all))
        if (one->d_name[0] != '.')
            unlinkat(dirfd(all), one->d_name, 0);
    if (all)
        closedir(all);
    return rmdir(folder);
}

static const char *save(const char *name, const void *text, size_t bytes)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
    return path;
}

static const char *save_text(const char *name, const char *text)
{
    return save(name, text, strlen(text));
}

static linpred_options defaults(void)
{
    linpred_options options;
    linpred_options_init(&options);
    return options;
}

static linpred_status read_with(const char *file, const linpred_options *options, int threads, size_t piece,
                                linpred__table **table, linpred_error *error)
{
    linpred__pool *pool = NULL;
    assert_int_equal(linpred__pool_open(threads, &pool, NULL), LINPRED_OK);
    linpred_options usual = defaults();
    linpred_status status = linpred__table_read_pieces(file, options ? options : &usual, pool, piece, table, error);
    linpred__pool_close(pool);
    return status;
}

static linpred__table *must_read(const char *file, const linpred_options *options)
{
    linpred__table *table = NULL;
    linpred_error error = {0};
    if (read_with(file, options, 1, 0, &table, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return table;
}

static void must_fail(const char *file, const linpred_options *options, int64_t line, int64_t column, const char *says)
{
    linpred__table *table = (linpred__table *)&folder; /* must stay as it is */
    linpred_error error = {0};
    linpred_status status = read_with(file, options, 1, 0, &table, &error);
    if (status == LINPRED_OK)
        fail_msg("%s was read", file);
    assert_ptr_equal(table, &folder);
    assert_int_equal(error.status, status);
    if (error.line != line || error.column != column || !strstr(error.message, says))
        fail_msg("%lld:%lld '%s' instead of %lld:%lld '%s'", (long long)error.line, (long long)error.column,
                 error.message, (long long)line, (long long)column, says);
}

static double cell(const linpred__table *table, int64_t row, int32_t column)
{
    const linpred__table_block *block = &table->block[row / table->block_rows];
    return block->values[row % table->block_rows * table->columns + column];
}

static void assert_row(const linpred__table *table, int64_t row, const double *expected)
{
    for (int32_t c = 0; c < table->columns; c++) {
        double found = cell(table, row, c);
        if (isnan(expected[c]) ? !isnan(found) : found != expected[c])
            fail_msg("row %lld, column %d: %g instead of %g", (long long)row, (int)c, found, expected[c]);
    }
}

#define ROW(table, row, ...) assert_row(table, row, (const double[]){__VA_ARGS__})

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void reads_cells_names_and_levels(void **state)
{
    (void)state;
    linpred__table *t = must_read(save_text("a.csv", "y, \"a \"\"b\"\"\" ,c,d\n1,0.5,red,NA\r\n\n-1.5e2,\"2\", blue ,?\r"
                                                     "+3,.25,\"red\",7\n4,,\"\",\"\""),
                                  NULL);
    assert_int_equal(t->rows, 4);
    assert_int_equal(t->columns, 4);
    assert_true(t->has_names);
    assert_string_equal(t->column[1].name, "a \"b\"");
    assert_string_equal(t->column[3].name, "d");
    assert_int_equal(t->column[0].type, LINPRED_COLUMN_NUMBER);
    assert_int_equal(t->column[2].type, LINPRED_COLUMN_TEXT);
    assert_int_equal(t->column[2].levels, 2);
    assert_string_equal(t->column[2].level[0], "red");
    assert_string_equal(t->column[2].level[1], "blue");
    ROW(t, 0, 1, 0.5, 0, NAN);
    ROW(t, 1, -150, 2, 1, NAN);
    ROW(t, 2, 3, 0.25, 0, 7);
    ROW(t, 3, 4, NAN, NAN, NAN);
    assert_int_equal(t->column[3].missing, 3);
    assert_int_equal(t->column[3].first_missing_line, 2);
    assert_int_equal(t->column[1].first_missing_line, 6);
    assert_int_equal(t->column[0].missing, 0);
    assert_int_equal(t->block[0].rows, 4);
    assert_string_equal(t->format, "CSV, separated by ',', with names in line 1");
    linpred__table_free(t);
}

static void finds_separators_and_headers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *format;
        int rows;
        int columns;
    } cases[] = {
        {"a\tb c\n1\t2\n", "CSV, separated by tabs, with names in line 1", 1, 2},
        {"a;b\n1;2\n", "CSV, separated by ';', with names in line 1", 1, 2},
        {"  a   b\t c \n 1  2 3\n\n4 5 6   \n", "CSV, separated by blanks, with names in line 1", 2, 3},
        {"\n \na,b\n1,2\n", "CSV, separated by ',', with names in line 3", 1, 2},
        {"1,2\n3,4", "CSV, separated by ',', without names", 2, 2},
        {"1,NA\n3,4", "CSV, separated by ',', without names", 2, 2},
        {"name\nJohn Smith\nMary", "CSV, one column, with names in line 1", 2, 1},
        {"y\n1\n\n2\n", "CSV, one column, with names in line 1", 2, 1},
        {"5\n1\n2\n", "CSV, one column, without names", 3, 1},
        {"first name,last name\nA B,C D\n", "CSV, separated by ',', with names in line 1", 1, 2},
        {"when,y\n2024-01-01 12:30:00,1\n", "CSV, separated by ',', with names in line 1", 1, 2},
        {"\"a;b\",c\n1,2\n", "CSV, separated by ',', with names in line 1", 1, 2},
        {"a,b\n\t\n1,\n", "CSV, separated by ',', with names in line 1", 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        linpred__table *t = must_read(save_text("s.csv", cases[i].text), NULL);
        assert_string_equal(t->format, cases[i].format);
        assert_int_equal(t->rows, cases[i].rows);
        assert_int_equal(t->columns, cases[i].columns);
        linpred__table_free(t);
    }
    linpred__table *t = must_read(save_text("s.csv", "1,NA\n3,4"), NULL);
    assert_false(t->has_names);
    assert_string_equal(t->column[1].name, "x2");
    linpred__table_free(t);
}

static void heeds_options(void **state)
{
    (void)state;
    linpred_options options = defaults();
    options.header = LINPRED_HEADER_YES;
    linpred__table *t = must_read(save_text("o.csv", "2019,2020\n1,2\n"), &options);
    assert_string_equal(t->column[0].name, "2019");
    assert_int_equal(t->rows, 1);
    linpred__table_free(t);

    options.header = LINPRED_HEADER_NO;
    t = must_read(save_text("o.csv", "red,2020\nblue,2\n"), &options);
    assert_int_equal(t->rows, 2);
    assert_int_equal(t->column[0].levels, 2);
    linpred__table_free(t);

    options = defaults();
    options.separator = "|";
    t = must_read(save_text("o.csv", "a|b,c\n1|2\n"), &options);
    assert_int_equal(t->columns, 2);
    assert_string_equal(t->column[1].name, "b,c");
    linpred__table_free(t);
    options.separator = "5";
    must_fail(path, &options, 0, 0, "cannot separate");

    options = defaults();
    options.as_text = "zip,3";
    t = must_read(save_text("o.csv", "y,zip,code\n1,0123,7\n2,123,x\n3,0123,NA\n"), &options);
    assert_int_equal(t->column[1].type, LINPRED_COLUMN_TEXT);
    assert_string_equal(t->column[1].level[0], "0123");
    assert_string_equal(t->column[1].level[1], "123");
    assert_string_equal(t->column[2].level[0], "7");
    ROW(t, 2, 3, 0, NAN);
    linpred__table_free(t);
    options.as_text = "zap";
    must_fail(path, &options, 0, 0, "there is no column 'zap'");
    options.as_text = "4";
    must_fail(path, &options, 0, 0, "there is no column '4'");
    options = defaults();
    options.index_base = LINPRED_INDEX_ONE;
    must_fail(path, &options, 0, 0, "--index-base");
}

static void says_where_it_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        int column;
        const char *says;
    } cases[] = {
        {"a,b\n1,2\n1,2,3\n", 3, 0, "e.csv:3: the line has 3 fields, but the header has 2"},
        {"1,2\n1\n", 2, 0, "the line has 1 field, but the first line has 2"},
        {"a,b\n1,2\n1,x\n3,4\n", 3, 2, "e.csv:3: column 2 (b): 'x' is not a number, but the column has numbers before it"},
        {"a,b\n1,x\n1,y\n\n3,4\n", 2, 2, "'x' is not a number, but the column has numbers after it, the first in line 5"},
        {"a,b\n1,x\n1,y\n3,z,5\n3,4\n", 4, 0, "3 fields"},
        {"a,b\n1,x,1\n1,nan\n", 2, 0, "3 fields"},
        {"a,b\n1,nan\n1,2,3\n", 2, 2, "finite"},
        {"a,b\n\"x\n\n\",1\n\"y\",-1e999\n", 5, 2, "beyond the range"},
        {"a,b\n\"x\r\ny\",1\n2,3\n", 2, 1, "the first in line 4"},
        {"a,b\n1,\"2\n3\n", 2, 2, "the quote that opens here"},
        {"a,b\n1,\"x\ny\"\n# c\n", 4, 0, "begins with '#'"},
        {"a,b\n1,\xE9t\xE9\n", 2, 2, "not valid UTF-8"},
        {"a,b\n1;2\n", 2, 0, "1 field"},
        {"a,b,5\n1,2,3\n", 1, 3, "--header yes or --header no"},
        {"a;b\nx;1,5\n", 2, 2, "decimal commas"},
        {"a,a\n1,2\n", 1, 2, "columns 1 and 2 have the same name 'a'"},
        {"a,\n1,2\n", 1, 2, "column 2 has no name"},
        {"a,b\n\n", 0, 0, "no rows"},
        {"a,b\n1,$5\n", 2, 2, "unit"},
        {"a,b\n1,5 \xE2\x82\xAC\n", 2, 2, "unit"},
        {"long name \"x\",b\n1,2\n", 1, 1, "quote inside"},
        {"\"long, name\",b\n1,2\nx,2\n", 3, 1, "--text 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        must_fail(save_text("e.csv", cases[i].text), NULL, cases[i].line, cases[i].column, cases[i].says);
    must_fail(save("e.csv", "a,b\n1,\"2\0\"\n", 11), NULL, 2, 2, "NUL");
    must_fail(save("e.csv", "a\0,\0b\0\n\0", 8), NULL, 0, 0, "UTF-16");
    must_fail(folder, NULL, 0, 0, "Is a directory");
    snprintf(path, sizeof path, "%s/nothing-here", folder);
    must_fail(path, NULL, 0, 0, "nothing-here': No such file");
}

/* ---- any number of threads, cuts everywhere ---------------------------------------------------------------------- */

typedef struct growing {
    char *text;
    size_t bytes;
    size_t room;
} growing;

static void add(growing *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(growing *g, const char *format, ...)
{
    if (g->bytes + 4096 > g->room) {
        g->room = 2 * g->room + 65536;
        g->text = realloc(g->text, g->room);
        assert_non_null(g->text);
    }
    va_list arguments;
    va_start(arguments, format);
    g->bytes += (size_t)vsnprintf(g->text + g->bytes, 4096, format, arguments);
    va_end(arguments);
}

static const char *line_end(linpred__random *random)
{
    static const char *const ends[] = {"\n", "\r\n", "\n\n", "\r", "\n \r\n"};
    return ends[linpred__random_below(random, 5)];
}

static growing awkward_csv(int rows, uint64_t seed)
{
    static const char *const words[] = {"red", "\"two\nlines\"", "\"say \"\"hi\"\"\"", "\"a,b\"", " pale blue ",
                                        "\"\r\n\"\"\n\"", "NA", ""};
    linpred__random random;
    linpred__random_seed(&random, seed);
    growing g = {0};
    add(&g, "n,\"multi\nline\",w,q%s", line_end(&random));
    for (int i = 0; i < rows; i++) {
        double x = linpred__random_normal(&random);
        add(&g, "%.*g,", 1 + (int)linpred__random_below(&random, 18), x);
        add(&g, linpred__random_below(&random, 9) ? "%.5f," : "?,", x);
        if (linpred__random_below(&random, 3))
            add(&g, "%s,", words[linpred__random_below(&random, 8)]);
        else
            add(&g, "level %d,", (int)linpred__random_below(&random, 50));
        add(&g, "\"%d\"%s", i, i + 1 < rows ? line_end(&random) : "");
    }
    return g;
}

static void assert_same_dense(const linpred__table *a, const linpred__table *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->block_rows, b->block_rows);
    assert_int_equal(a->blocks, b->blocks);
    for (int64_t i = 0; i < a->blocks; i++) {
        assert_int_equal(a->block[i].rows, b->block[i].rows);
        assert_memory_equal(a->block[i].values, b->block[i].values,
                            (size_t)a->block[i].rows * (size_t)a->columns * sizeof(double));
    }
    for (int32_t c = 0; c < a->columns; c++) {
        const linpred__column *x = &a->column[c];
        const linpred__column *y = &b->column[c];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->missing, y->missing);
        assert_int_equal(x->first_missing_line, y->first_missing_line);
        assert_int_equal(x->levels, y->levels);
        for (int32_t k = 0; k < x->levels; k++)
            assert_string_equal(x->level[k], y->level[k]);
    }
}

static const size_t piece_sizes[] = {1, 7, 16, 61, 300, 5000};
enum { PIECE_SIZES = sizeof piece_sizes / sizeof piece_sizes[0] };

static void csv_is_the_same_in_any_pieces(void **state)
{
    (void)state;
    growing g = awkward_csv(3000, 5);
    save("pieces.csv", g.text, g.bytes);
    free(g.text);
    linpred__table *whole = NULL;
    linpred_error error = {0};
    if (read_with(path, NULL, 1, (size_t)1 << 30, &whole, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    assert_int_equal(whole->rows, 3000);
    for (int64_t i = 0; i < whole->rows; i++)
        assert_true(cell(whole, i, 3) == (double)i);
    assert_int_equal(whole->column[2].type, LINPRED_COLUMN_TEXT);
    for (size_t i = 0; i < PIECE_SIZES; i++)
        for (int threads = 1; threads <= 4; threads *= 2) {
            linpred__table *cut = NULL;
            if (read_with(path, NULL, threads, piece_sizes[i], &cut, &error) != LINPRED_OK)
                fail_msg("%s", error.message);
            assert_same_dense(whole, cut);
            linpred__table_free(cut);
        }
    linpred__table_free(whole);
}

static void the_first_error_wins_in_any_pieces(void **state)
{
    (void)state;
    static const char *const wrong[] = {"1,2,word,3,4\n", "nan,1,x,2\n",    "x,1,2,3\n",      "1,2,3,\"4\n",
                                        "1,2,5,4\n",      "1,2\"3\",w,4\n", "1,1e999,w,4\n", "# 1,2,w,3\n"};
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 8; k++) {
            growing g = awkward_csv(60, i + 9);
            add(&g, "\n%s", wrong[i]);
            for (int r = 0; r < 40; r++)
                add(&g, "1,2,w,%d\n", r);
            add(&g, "%s1,2,w,4\n1,2,w,5\n", wrong[k]);
            save("wrong.csv", g.text, g.bytes);
            free(g.text);
            linpred_error first = {0};
            linpred__table *table = NULL;
            assert_int_equal(read_with(path, NULL, 1, (size_t)1 << 30, &table, &first), LINPRED_ERROR_INPUT);
            for (size_t p = 0; p < PIECE_SIZES; p++)
                for (int threads = 1; threads <= 4; threads *= 4) {
                    linpred_error error = {0};
                    assert_int_equal(read_with(path, NULL, threads, piece_sizes[p], &table, &error), LINPRED_ERROR_INPUT);
                    assert_int_equal(error.line, first.line);
                    assert_int_equal(error.column, first.column);
                    /* The text that is shown of an unclosed quote ends where the piece does. */
                    if (!strstr(first.message, "quote"))
                        assert_string_equal(error.message, first.message);
                }
        }
}

/* Row by row: the blocks of sparse tables depend on the first piece. */
static void assert_same_sparse(const linpred__table *a, const linpred__table *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->entries, b->entries);
    assert_int_equal(a->index_base, b->index_base);
    for (int64_t r = 0; r < a->rows; r++) {
        const linpred__table_block *x = &a->block[r / a->block_rows];
        const linpred__table_block *y = &b->block[r / b->block_rows];
        int64_t i = r % a->block_rows;
        int64_t k = r % b->block_rows;
        size_t entries = (size_t)(x->start[i + 1] - x->start[i]);
        assert_true(x->target[i] == y->target[k]);
        assert_int_equal(entries, y->start[k + 1] - y->start[k]);
        if (entries > 0) {
            assert_memory_equal(x->values + x->start[i], y->values + y->start[k], entries * sizeof(double));
            assert_memory_equal(x->indices + x->start[i], y->indices + y->start[k], entries * sizeof(int32_t));
        }
    }
    for (int64_t i = 0; i + 1 < b->blocks; i++)
        assert_int_equal(b->block[i].rows, b->block_rows);
}

static void libsvm_is_the_same_in_any_pieces(void **state)
{
    (void)state;
    for (int base = 0; base < 2; base++) {
        linpred__random random;
        linpred__random_seed(&random, 8);
        growing g = {0};
        for (int i = 0; i < 4000; i++) {
            add(&g, "%s", i % 2 ? "+1" : "-1.0");
            int index = base - 1;
            for (uint64_t k = linpred__random_below(&random, 14); k > 0; k--) {
                index += 1 + (int)linpred__random_below(&random, k == 1 ? 100000 : 30);
                add(&g, "%s%d:%.*g", k % 3 ? " " : "\t", index, (int)linpred__random_below(&random, 18),
                    linpred__random_below(&random, 9) ? linpred__random_normal(&random) : 0.0);
            }
            add(&g, "%s%s", i % 5 ? "" : "  # \"note", line_end(&random));
        }
        add(&g, "1 %d:1", base);
        save("pieces.svm", g.text, g.bytes);
        free(g.text);
        linpred__table *whole = must_read(path, NULL);
        assert_int_equal(whole->rows, 4001);
        assert_int_equal(whole->index_base, base);
        for (size_t i = 0; i < PIECE_SIZES; i++)
            for (int threads = 1; threads <= 4; threads *= 2) {
                linpred__table *cut = NULL;
                linpred_error error = {0};
                if (read_with(path, NULL, threads, piece_sizes[i], &cut, &error) != LINPRED_OK)
                    fail_msg("%s", error.message);
                assert_same_sparse(whole, cut);
                linpred__table_free(cut);
            }
        linpred__table_free(whole);
    }
}

static void reads_libsvm(void **state)
{
    (void)state;
    linpred__table *t =
        must_read(save_text("a.txt", "# head\n+1 1:0.5 3:2 # c\r\n\n-1\n 0.25\t2:0 5:-0 7:1e3#c\n2 4:+1.5"), NULL);
    assert_int_equal(t->layout, LINPRED__SPARSE);
    assert_int_equal(t->rows, 4);
    assert_int_equal(t->columns, 7);
    assert_int_equal(t->entries, 4);
    assert_int_equal(t->index_base, 1);
    assert_null(t->column);
    const linpred__table_block *b = &t->block[0];
    assert_true(b->target[0] == 1 && b->target[1] == -1 && b->target[2] == 0.25 && b->target[3] == 2);
    assert_true(b->start[0] == 0 && b->start[1] == 2 && b->start[2] == 2 && b->start[3] == 3 && b->start[4] == 4);
    assert_true(b->indices[0] == 0 && b->indices[1] == 2 && b->indices[2] == 6 && b->indices[3] == 3);
    assert_true(b->values[2] == 1000.0 && b->values[3] == 1.5);
    linpred__table_free(t);

    linpred_options options = defaults();
    options.index_base = LINPRED_INDEX_ZERO;
    t = must_read(path, &options);
    assert_int_equal(t->columns, 8);
    assert_int_equal(t->block[0].indices[0], 1);
    linpred__table_free(t);
    options.index_base = LINPRED_INDEX_ONE;
    must_fail(save_text("b.txt", "1 1:2\n1 0:1\n"), &options, 2, 0, "index 0");
    t = must_read(path, NULL);
    assert_int_equal(t->index_base, 0);
    assert_int_equal(t->columns, 2);
    linpred__table_free(t);
    must_fail(save_text("b.txt", "1 1:2\n+-1 1:1\n"), NULL, 2, 0, "labels");
    must_fail(save_text("b.txt", "1 1:2\n1 2147483647:1\n1 2147483648:1"), NULL, 3, 0, "2147483647");
    must_fail(save_text("b.txt", "1 0:2\n1 2147483647:1"), NULL, 0, 0, "one column too many");
    must_fail(save("b.txt", "1 1:2\n1 2:1\0 3:1\n", 17), NULL, 2, 0, "NUL");
    options = defaults();
    options.as_text = "1";
    must_fail(save_text("b.txt", "1 1:2\n"), &options, 0, 0, "--text");
    t = must_read(save_text("only.svm", "1\n2\n"), NULL);
    assert_int_equal(t->columns, 0);
    linpred__table_free(t);
}

/* ---- streams ----------------------------------------------------------------------------------------------------- */

static size_t gzip(const void *text, size_t bytes, unsigned char *room, size_t room_bytes)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (unsigned)bytes;
    z.next_out = room;
    z.avail_out = (unsigned)room_bytes;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t made = room_bytes - z.avail_out;
    deflateEnd(&z);
    return made;
}

static void streams_are_as_good_as_files(void **state)
{
    (void)state;
    growing g = awkward_csv(2000, 6);
    size_t half = g.bytes / 2;
    static unsigned char packed[1 << 20];
    linpred__table *plain = must_read(save("plain.csv", g.text, g.bytes), NULL);

    int input = dup(STDIN_FILENO);
    int file = open(path, O_RDONLY);
    assert_true(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    linpred__table *t = must_read("-", NULL);
    assert_same_dense(plain, t);
    assert_string_equal(t->name, "standard input");
    linpred__table_free(t);
    close(file);
    if (input >= 0) {
        dup2(input, STDIN_FILENO);
        close(input);
    }

    size_t bytes = gzip(g.text, half, packed, sizeof packed);
    bytes += gzip(g.text + half, g.bytes - half, packed + bytes, sizeof packed - bytes);
    t = must_read(save("two-members", packed, bytes), NULL);
    assert_same_dense(plain, t);
    linpred__table_free(t);
    packed[bytes] = 'x';
    must_fail(save("garbage.gz", packed, bytes + 1), NULL, 0, 0, "gzip");
    packed[bytes / 2] ^= 0x55;
    must_fail(save("damaged.gz", packed, bytes), NULL, 0, 0, "gzip");

    bytes = ZSTD_compress(packed, sizeof packed, g.text, half, 3);
    bytes += ZSTD_compress(packed + bytes, sizeof packed - bytes, g.text + half, g.bytes - half, 3);
    t = must_read(save("two-frames", packed, bytes), NULL);
    assert_same_dense(plain, t);
    linpred__table_free(t);
    memcpy(packed + bytes, "garbage", 7);
    must_fail(save("garbage.zst", packed, bytes + 7), NULL, 0, 0, "zstd");
    linpred__table_free(plain);
    free(g.text);
}

static void a_stream_cut_anywhere_is_refused(void **state)
{
    (void)state;
    growing g = awkward_csv(40, 7);
    static unsigned char packed[1 << 16];
    size_t bytes = gzip(g.text, g.bytes, packed, sizeof packed);
    for (size_t cut = 0; cut < bytes; cut++) {
        linpred__table *table = NULL;
        assert_int_equal(read_with(save("cut.gz", packed, cut), NULL, 1, 100, &table, NULL), LINPRED_ERROR_INPUT);
    }
    bytes = ZSTD_compress(packed, sizeof packed, g.text, g.bytes, 3);
    for (size_t cut = 0; cut < bytes; cut++) {
        linpred__table *table = NULL;
        assert_int_equal(read_with(save("cut.zst", packed, cut), NULL, 1, 100, &table, NULL), LINPRED_ERROR_INPUT);
    }
    free(g.text);
}

/* ---- npy --------------------------------------------------------------------------------------------------------- */

/* A file with the given header; `align` as NumPy does, to 64 bytes. */
static size_t npy(char *room, int version, const char *type, bool fortran, const char *shape, const void *data,
                  size_t bytes)
{
    char header[256];
    int length = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", type,
                          fortran ? "True" : "False", shape);
    size_t start = version == 1 ? 10 : 12;
    size_t all = (start + (size_t)length + 1 + 63) / 64 * 64;
    memset(room, ' ', all);
    memcpy(room, "\x93NUMPY", 6);
    room[6] = (char)version;
    room[7] = 0;
    room[8] = (char)((all - start) & 255);
    room[9] = (char)((all - start) >> 8);
    if (version > 1)
        room[10] = room[11] = 0;
    memcpy(room + start, header, (size_t)length);
    room[all - 1] = '\n';
    memcpy(room + all, data, bytes);
    return all + bytes;
}

static void reads_npy(void **state)
{
    (void)state;
    static char room[4096];
    static unsigned char packed[8192];
    const double doubles[] = {1, 2.5, -3, 4, 0.5, 6};
    const double columns_first[] = {1, 4, 2.5, 0.5, -3, 6};
    const float floats[] = {1, 2.5f, -3, 4, 0.5f, 6};
    const int16_t shorts[] = {1, -2, 300, -32768, 5, 6};
    const uint64_t wide[] = {1, 2, 3, 4, 5, UINT64_MAX};
    for (int version = 1; version <= 3; version++) {
        linpred__table *t =
            must_read(save("a.npy", room, npy(room, version, "<f8", false, "(2, 3)", doubles, sizeof doubles)), NULL);
        assert_non_null(t->mapping);
        assert_int_equal(t->rows, 2);
        assert_string_equal(t->column[2].name, "x3");
        ROW(t, 0, 1, 2.5, -3);
        ROW(t, 1, 4, 0.5, 6);
        t->block[0].values[0] = 9.0; /* private: the file stays as it is */
        linpred__table_free(t);
        t = must_read(path, NULL);
        ROW(t, 0, 1, 2.5, -3);
        linpred__table_free(t);
    }
    size_t bytes = npy(room, 1, "<f8", false, "(2, 3)", doubles, sizeof doubles);
    linpred__table *t = must_read(save("packed", packed, gzip(room, bytes, packed, sizeof packed)), NULL);
    ROW(t, 1, 4, 0.5, 6);
    linpred__table_free(t);
    must_fail(save("a.npy", room, bytes - 1), NULL, 0, 0, "less data");
    must_fail(save("packed", packed, gzip(room, bytes - 1, packed, sizeof packed)), NULL, 0, 0, "less data");
    room[bytes] = 0;
    must_fail(save("a.npy", room, bytes + 1), NULL, 0, 0, "more data");
    must_fail(save("packed", packed, gzip(room, bytes + 1, packed, sizeof packed)), NULL, 0, 0, "more data");

    t = must_read(save("a.npy", room, npy(room, 1, "<f8", true, "(2, 3)", columns_first, sizeof doubles)), NULL);
    ROW(t, 0, 1, 2.5, -3);
    ROW(t, 1, 4, 0.5, 6);
    linpred__table_free(t);
    t = must_read(save("a.npy", room, npy(room, 1, "<f4", false, "(2, 3)", floats, sizeof floats)), NULL);
    ROW(t, 1, 4, 0.5, 6);
    linpred__table_free(t);
    t = must_read(save("a.npy", room, npy(room, 1, "<i2", false, "(2, 3)", shorts, sizeof shorts)), NULL);
    ROW(t, 0, 1, -2, 300);
    ROW(t, 1, -32768, 5, 6);
    linpred__table_free(t);
    t = must_read(save("a.npy", room, npy(room, 1, "<u8", false, "(2, 3)", wide, sizeof wide)), NULL);
    ROW(t, 1, 4, 5, 0x1p64);
    linpred__table_free(t);
    t = must_read(save("a.npy", room, npy(room, 1, ">i2", false, "(1, 2)", "\xFF\xFE\x01\x00", 4)), NULL);
    ROW(t, 0, -2, 256);
    linpred__table_free(t);
    t = must_read(save("a.npy", room, npy(room, 1, "|b1", true, "(1, 2)", "\x01\x00", 2)), NULL);
    ROW(t, 0, 1, 0);
    linpred__table_free(t);

    must_fail(save("a.npy", room, npy(room, 1, "<f8", false, "(6,)", doubles, 48)), NULL, 0, 0, "one dimension");
    must_fail(save("a.npy", room, npy(room, 1, "<f8", false, "(0, 3)", doubles, 0)), NULL, 0, 0, "empty");
    must_fail(save("a.npy", room, npy(room, 1, "<c16", false, "(1, 3)", doubles, 48)), NULL, 0, 0, "'<c16'");
    must_fail(save("a.npy", room, npy(room, 4, "<f8", false, "(2, 3)", doubles, 48)), NULL, 0, 0, "version 4");
    must_fail(save("a.npy", room, npy(room, 1, "<f8", false, "(99999999999999999999, 3)", doubles, 48)), NULL, 0, 0,
              "too large");
    bytes = npy(room, 1, "<f8", false, "(268435456, 8589934592)", doubles, 48);
    must_fail(save("packed", packed, gzip(room, bytes, packed, sizeof packed)), NULL, 0, 0, "too large");
    bytes = npy(room, 1, "<f8", false, "(268435456, 1000)", doubles, 48); /* 2 TB, if it were believed */
    must_fail(save("packed", packed, gzip(room, bytes, packed, sizeof packed)), NULL, 0, 0, "less data");
    const double infinite[] = {1, 2, INFINITY, 4, NAN, 6};
    must_fail(save("a.npy", room, npy(room, 1, "<f8", false, "(2, 3)", infinite, 48)), NULL, 1, 3, "row 1, column 3");
    must_fail(save("a.npy", room, npy(room, 1, "<f8", true, "(2, 3)", infinite, 48)), NULL, 1, 2, "row 1, column 2");
}

/* ---- memory runs out --------------------------------------------------------------------------------------------- */

static _Atomic int64_t until_failure;

static void *failing_reallocate(void *context, void *memory, size_t bytes)
{
    (void)context;
    return --until_failure == 0 ? NULL : realloc(memory, bytes);
}

static void failing_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void survives_any_failed_allocation(void **state)
{
    (void)state;
    growing g = awkward_csv(300, 4);
    save("memory.csv", g.text, g.bytes);
    save("memory.svm", "1 1:2 3:4\n1 2:5\n", 16);
    static char room[4096];
    static unsigned char packed[1 << 16];
    const double doubles[] = {1, 2.5, -3, 4, 0.5, 6};
    save("memory.npy", room, npy(room, 1, "<f8", true, "(2, 3)", doubles, sizeof doubles));
    save("memory.gz", packed, gzip(g.text, g.bytes, packed, sizeof packed));
    free(g.text);
    static const char *const names[] = {"memory.csv", "memory.svm", "memory.npy", "memory.gz"};
    linpred_options options = defaults();
    linpred_allocator failing = {failing_reallocate, failing_release, NULL};
    for (size_t i = 0; i < 4; i++) {
        char file[4200];
        snprintf(file, sizeof file, "%s/%s", folder, names[i]);
        linpred_status status = LINPRED_ERROR_MEMORY;
        for (int64_t k = 1; status == LINPRED_ERROR_MEMORY; k++) {
            linpred__table *table = NULL;
            linpred_set_allocator(&failing);
            until_failure = k;
            status = linpred__table_read_pieces(file, &options, NULL, 3000, &table, NULL);
            bool failed = until_failure <= 0;
            linpred__table_free(table);
            linpred_set_allocator(NULL);
            /* Making the last block fit may fail without harm. */
            assert_true(status == LINPRED_OK || (status == LINPRED_ERROR_MEMORY && failed));
        }
    }
}

/* ---- the collection of bad files --------------------------------------------------------------------------------- */

enum { ACCEPT = -1 };

/* What the table level decides: ACCEPT with rows and columns, or the line and column of the error (0: none to be named). */
static const struct {
    const char *name;
    int line; /* or ACCEPT */
    int column_or_rows;
    int columns;
} bad_files[] = {
    {"all_missing_column.csv", ACCEPT, 3, 3},
    {"all_rows_equal.csv", ACCEPT, 4, 3},
    {"big_integers.csv", ACCEPT, 3, 3},
    {"blank_lines.csv", ACCEPT, 2, 3},
    {"bom_utf8.csv", ACCEPT, 4, 3},
    {"comment_lines.csv", 1, 0, 0},
    {"constant_column.csv", ACCEPT, 4, 3},
    {"contradictory_rows.csv", ACCEPT, 4, 3},
    {"cr_only.csv", ACCEPT, 4, 3},
    {"crlf.csv", ACCEPT, 4, 3},
    {"ctrl_z.csv", ACCEPT, 4, 3},
    {"date_column.csv", ACCEPT, 3, 3},
    {"denormal.csv", ACCEPT, 3, 3},
    {"double_sign.csv", 2, 2, 0},
    {"duplicate_column_names.csv", 1, 3, 0},
    {"duplicate_columns.csv", ACCEPT, 4, 3},
    {"embedded_nul.csv", 3, 2, 0},
    {"empty.csv", 0, 0, 0},
    {"empty_column_name.csv", 1, 2, 0},
    {"escaped_quote.csv", ACCEPT, 2, 3},
    {"fortran_exponent.csv", 2, 2, 0},
    {"gzip_content.csv", ACCEPT, 4, 3},
    {"header_only.csv", 0, 0, 0},
    {"header_only_no_newline.csv", 0, 0, 0},
    {"hex_float.csv", 2, 2, 0},
    {"huge_finite.csv", ACCEPT, 4, 3},
    {"inf.csv", 3, 3, 0},
    {"invalid_utf8_header.csv", 1, 2, 0},
    {"label_case_and_blank.csv", ACCEPT, 3, 3},
    {"label_spelling.csv", ACCEPT, 5, 3},
    {"labels_0_1.csv", ACCEPT, 4, 3},
    {"labels_1_2.csv", ACCEPT, 4, 3},
    {"long_line_1mb.csv", ACCEPT, 2, 3},
    {"long_unquoted_data_1mb.csv", 2, 2, 0},
    {"many_classes_regression.csv", ACCEPT, 4, 3},
    {"many_columns.csv", ACCEPT, 2, 20001},
    {"many_digits.csv", ACCEPT, 3, 3},
    {"missing_NA.csv", ACCEPT, 3, 3},
    {"missing_empty.csv", ACCEPT, 3, 3},
    {"missing_label.csv", ACCEPT, 3, 3},
    {"missing_question.csv", ACCEPT, 3, 3},
    {"mixed_line_ends.csv", ACCEPT, 4, 3},
    {"mixed_separators.csv", 3, 0, 0},
    {"nan.csv", 3, 2, 0},
    {"no_header.csv", ACCEPT, 4, 3},
    {"no_trailing_newline.csv", ACCEPT, 4, 3},
    {"nonnumeric_column.csv", ACCEPT, 4, 3},
    {"not_gzip.csv.gz", ACCEPT, 4, 3},
    {"npy_3d.npy", 0, 0, 0},
    {"npy_bad_magic.npy", 0, 0, 0},
    {"npy_huge_shape.npy", 0, 0, 0},
    {"npy_nan.npy", 2, 2, 0},
    {"npy_object.npy", 0, 0, 0},
    {"npy_ok.npy", ACCEPT, 4, 3},
    {"npy_ok_bigendian.npy", ACCEPT, 4, 3},
    {"npy_ok_fortran.npy", ACCEPT, 4, 3},
    {"npy_truncated.npy", 0, 0, 0},
    {"one_class.csv", ACCEPT, 3, 3},
    {"one_row.csv", ACCEPT, 1, 3},
    {"only_label_column.csv", ACCEPT, 3, 1},
    {"only_newline.csv", 0, 0, 0},
    {"overflow_1e400.csv", 3, 2, 0},
    {"percent_currency.csv", 2, 2, 0},
    {"quote_in_middle.csv", 3, 2, 0},
    {"quoted_header_comma.csv", ACCEPT, 4, 3},
    {"quoted_newline.csv", ACCEPT, 2, 3},
    {"quoted_numbers.csv", ACCEPT, 4, 3},
    {"ragged_long.csv", 3, 0, 0},
    {"ragged_short.csv", 3, 0, 0},
    {"semicolon.csv", ACCEPT, 4, 3},
    {"semicolon_decimal_comma.csv", 2, 2, 0},
    {"space_separated.csv", ACCEPT, 4, 3},
    {"spaces_around.csv", ACCEPT, 4, 3},
    {"svm_csv_content.txt", ACCEPT, 4, 3},
    {"svm_decreasing.txt", 2, 0, 0},
    {"svm_duplicate_index.txt", 2, 0, 0},
    {"svm_empty.txt", 0, 0, 0},
    {"svm_index0.txt", ACCEPT, 2, 2},
    {"svm_index_20digits.txt", 1, 0, 0},
    {"svm_index_2p31.txt", 1, 0, 0},
    {"svm_index_2p32.txt", 1, 0, 0},
    {"svm_index_fraction.txt", 1, 0, 0},
    {"svm_label_multi.txt", 1, 0, 0},
    {"svm_label_text.txt", 1, 0, 0},
    {"svm_missing_colon.txt", 1, 0, 0},
    {"svm_missing_index.txt", 1, 0, 0},
    {"svm_missing_label.txt", 1, 0, 0},
    {"svm_missing_value.txt", 1, 0, 0},
    {"svm_negative_index.txt", 1, 0, 0},
    {"svm_ok_comment.txt", ACCEPT, 2, 3},
    {"svm_ok_crlf.txt", ACCEPT, 2, 3},
    {"svm_ok_explicit_zero.txt", ACCEPT, 2, 4},
    {"svm_ok_label_only.txt", ACCEPT, 4, 3},
    {"svm_ok_no_newline.txt", ACCEPT, 2, 3},
    {"svm_ok_tabs.txt", ACCEPT, 2, 3},
    {"svm_ok_trailing_spaces.txt", ACCEPT, 4, 3},
    {"svm_one_class.txt", ACCEPT, 2, 3},
    {"svm_qid.txt", 1, 0, 0},
    {"svm_space_after_colon.txt", 1, 0, 0},
    {"svm_value_1e400.txt", 1, 0, 0},
    {"svm_value_nan.txt", 1, 0, 0},
    {"svm_value_text.txt", 1, 0, 0},
    {"tabs.tsv", ACCEPT, 4, 3},
    {"text_after_quote.csv", 2, 2, 0},
    {"text_labels.csv", ACCEPT, 4, 3},
    {"thousands_quoted.csv", 2, 2, 0},
    {"thousands_unquoted.csv", 2, 0, 0},
    {"three_classes.csv", ACCEPT, 4, 3},
    {"tiny_scale.csv", ACCEPT, 4, 3},
    {"trailing_comma_all_rows.csv", 1, 4, 0},
    {"trailing_comma_one_row.csv", 3, 0, 0},
    {"trailing_garbage.csv", 2, 2, 0},
    {"truncated.csv.gz", 0, 0, 0},
    {"typo_in_row_500.csv", 500, 2, 0},
    {"underflow_1e-400.csv", ACCEPT, 3, 3},
    {"unicode_minus.csv", 2, 2, 0},
    {"unterminated_quote.csv", 3, 2, 0},
    {"utf16le.csv", 0, 0, 0},
    {"very_many_commas.csv", 2, 0, 0},
    {"whitespace_only_line.csv", ACCEPT, 2, 3},
    {"wide_fewer_rows.csv", ACCEPT, 3, 8},
};

static void judges_the_bad_files(void **state)
{
    (void)state;
    const char *data = getenv("LINPRED_DATA");
    char bad[3000];
    snprintf(bad, sizeof bad, "%s/bad", data ? data : LINPRED_SOURCE_DIR "/../shared/data");
    if (access(bad, R_OK) != 0) {
        print_message("skipped: there is no %s\n", bad);
        skip();
    }
    linpred_options libsvm = defaults();
    libsvm.format = LINPRED_FORMAT_LIBSVM;
    assert_int_equal(sizeof bad_files / sizeof bad_files[0], 121);
    for (size_t i = 0; i < sizeof bad_files / sizeof bad_files[0]; i++) {
        bool csv_as_libsvm = strcmp(bad_files[i].name, "svm_csv_content.txt") == 0;
        for (int forced = 0; forced < 1 + (strncmp(bad_files[i].name, "svm_", 4) == 0); forced++) {
            snprintf(path, sizeof path, "%s/%s", bad, bad_files[i].name);
            linpred__table *table = NULL;
            linpred_error error = {0};
            linpred_status status = read_with(path, forced ? &libsvm : NULL, 2, 0, &table, &error);
            if (csv_as_libsvm && forced) {
                assert_int_equal(status, LINPRED_ERROR_INPUT);
                assert_non_null(strstr(error.message, "looks like CSV"));
            } else if (bad_files[i].line == ACCEPT) {
                if (status != LINPRED_OK)
                    fail_msg("%s", error.message);
                assert_int_equal(table->rows, bad_files[i].column_or_rows);
                assert_int_equal(table->columns, bad_files[i].columns);
            } else {
                if (status != LINPRED_ERROR_INPUT || error.line != bad_files[i].line ||
                    error.column != bad_files[i].column_or_rows)
                    fail_msg("%s: %lld:%lld %s", path, (long long)error.line, (long long)error.column, error.message);
                assert_non_null(strstr(error.message, bad_files[i].name));
            }
            linpred__table_free(table);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_cells_names_and_levels),
        cmocka_unit_test(finds_separators_and_headers),
        cmocka_unit_test(heeds_options),
        cmocka_unit_test(says_where_it_is_wrong),
        cmocka_unit_test(csv_is_the_same_in_any_pieces),
        cmocka_unit_test(the_first_error_wins_in_any_pieces),
        cmocka_unit_test(libsvm_is_the_same_in_any_pieces),
        cmocka_unit_test(reads_libsvm),
        cmocka_unit_test(streams_are_as_good_as_files),
        cmocka_unit_test(a_stream_cut_anywhere_is_refused),
        cmocka_unit_test(reads_npy),
        cmocka_unit_test(survives_any_failed_allocation),
        cmocka_unit_test(judges_the_bad_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
