/* What the tests of the readers share: a folder of their own, reading with given threads and pieces, and looking at
 * cells. */
#ifndef LINPRED_TESTS_READER_SUPPORT_H
#define LINPRED_TESTS_READER_SUPPORT_H

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

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
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

static inline const char *save(const char *name, const void *text, size_t bytes)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *save_text(const char *name, const char *text)
{
    return save(name, text, strlen(text));
}

static inline linpred_options defaults(void)
{
    linpred_options options;
    linpred__options_init(&options);
    return options;
}

static inline linpred_status read_with(const char *file, const linpred_options *options, int threads, size_t piece,
                                       linpred__table **table, linpred_error *error)
{
    linpred__pool *pool = NULL;
    assert_int_equal(linpred__pool_open(threads, &pool, NULL), LINPRED_OK);
    linpred_options usual = defaults();
    linpred__read_request request = {.options = options ? options : &usual};
    linpred_status status = linpred__table_read_pieces(file, &request, pool, piece, table, error);
    linpred__pool_close(pool);
    return status;
}

static inline linpred__table *must_read(const char *file, const linpred_options *options)
{
    linpred__table *table = NULL;
    linpred_error error = {0};
    if (read_with(file, options, 1, 0, &table, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return table;
}

static inline void must_fail(const char *file, const linpred_options *options, int64_t line, int64_t column,
                             const char *says)
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

static inline double cell(const linpred__table *table, int64_t row, int32_t column)
{
    const linpred__table_block *block = &table->block[row / table->block_rows];
    return block->values[row % table->block_rows * table->columns + column];
}

static inline void assert_row(const linpred__table *table, int64_t row, const double *expected)
{
    for (int32_t c = 0; c < table->columns; c++) {
        double found = cell(table, row, c);
        if (isnan(expected[c]) ? !isnan(found) : found != expected[c])
            fail_msg("row %lld, column %d: %g instead of %g", (long long)row, (int)c, found, expected[c]);
    }
}

#define ROW(table, row, ...) assert_row(table, row, (const double[]){__VA_ARGS__})

/* ---- files with everything in them ---- */

typedef struct growing {
    char *text;
    size_t bytes;
    size_t capacity;
} growing;

static inline void add(growing *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void add(growing *g, const char *format, ...)
{
    if (g->bytes + 4096 > g->capacity) {
        g->capacity = 2 * g->capacity + 65536;
        g->text = realloc(g->text, g->capacity);
        assert_non_null(g->text);
    }
    va_list arguments;
    va_start(arguments, format);
    g->bytes += (size_t)vsnprintf(g->text + g->bytes, 4096, format, arguments);
    va_end(arguments);
}

static inline const char *line_end(linpred__random *random)
{
    static const char *const ends[] = {"\n", "\r\n", "\n\n", "\r", "\n \r\n"};
    return ends[linpred__random_below(random, 5)];
}

static inline growing awkward_csv(int rows, uint64_t seed)
{
    static const char *const words[] = {
        "red", "\"two\nlines\"", "\"say \"\"hi\"\"\"", "\"a,b\"", " pale blue ", "\"\r\n\"\"\n\"", "NA", ""};
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

static inline void assert_same_dense(const linpred__table *a, const linpred__table *b)
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

#endif
