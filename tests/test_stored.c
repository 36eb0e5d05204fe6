/* Rows that stay in their files are the same however they are read: through the system's cache or past it, into rooms
 * of any alignment, in whole or in part. What the disk or the file system does not give that way is read the other way.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/threads.h"
#include "data/fingerprint.h"
#include "data/stored.h"
#include "support.h"

static char folder[] = "/tmp/linpred_stored_XXXXXX";

static const char *in_folder(const char *name, char path[80])
{
    snprintf(path, 80, "%s/%s", folder, name);
    return path;
}

/* An archive of rows that a seed decides: dense, or sparse with some rows that are empty. */
static void write_archive(const char *archive, int rows, int columns, bool sparse, uint32_t random)
{
    char source[80];
    linpred_options *options = linpred_options_new();
    linpred_shape shape = {.struct_size = sizeof shape};
    linpred_error error;
    FILE *file = fopen(in_folder(sparse ? "rows.svm" : "rows.csv", source), "w");
    assert_non_null(file);
    for (int j = 0; !sparse && j <= columns; j++)
        fprintf(file, j < columns ? "x%d," : "y\n", j);
    for (int i = 0; i < rows; i++) {
        if (sparse)
            fputs(i % 2 ? "+1" : "-1", file);
        for (int j = 0; j < columns; j++) {
            random = random * 1664525u + 1013904223u;
            if (!sparse)
                fprintf(file, "%.17g,", random / 7e8);
            else if (random >> 30 == 0 && (i % 50 != 0 || j == 0))
                fprintf(file, " %d:%.17g", j + 1, 1.0 + random / 7e8);
        }
        fprintf(file, sparse ? "\n" : "%d\n", i % 2);
    }
    fclose(file);
    assert_int_equal(linpred_convert(source, options, archive, &shape, &error), LINPRED_OK);
    linpred_options_free(options);
    unlink(source);
}

/* The rows of one archive or two. */
static linpred_data *load(const char *archive, const char *next, const char *memory)
{
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_error error;
    assert_int_equal(linpred_options_set(options, "memory", memory, &error), LINPRED_OK);
    if (next)
        assert_int_equal(linpred_options_add_file(options, next, &error), LINPRED_OK);
    assert_int_equal(linpred_data_load(archive, options, &data, &error), LINPRED_OK);
    linpred_options_free(options);
    return data;
}

static linpred_status fingerprint(const linpred_data *data, uint64_t *found, linpred_error *error)
{
    linpred__pool *pool = NULL;
    assert_int_equal(linpred__pool_open(3, &pool, error), LINPRED_OK);
    linpred_status status = linpred__fingerprint(data, pool, found, error);
    linpred__pool_close(pool);
    return status;
}

static uint64_t fingerprint_of(const linpred_data *data)
{
    uint64_t found = 0;
    linpred_error error;
    assert_int_equal(fingerprint(data, &found, &error), LINPRED_OK);
    return found;
}

/* The cache keeps nothing from now on, and this descriptor is read past it instead of the file's, which it belongs to.
 */
static void read_past_cache(const linpred_data *data, int64_t file, int descriptor)
{
    data->stored->all.cache = -1.0;
    data->stored->all.file[file].direct = descriptor;
}

/* All rows, and a sample of the blocks, through the cache and past it. */
static void compare_ways(const char *archive, const char *next)
{
    static const char *const memory[] = {"1", "60K", "300K"};
    linpred_data *known = load(archive, next, "1G"), some;
    assert_null(known->stored);
    assert_true(linpred__data_sample(known, 3, &some));
    uint64_t all = fingerprint_of(known), sampled = fingerprint_of(&some);
    linpred__release(some.block);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        for (int direct = 0; direct < 2; direct++) {
            linpred_data *data = load(archive, next, memory[i]);
            assert_non_null(data->stored);
            for (int64_t k = 0; direct && k < data->stored->all.files; k++)
                read_past_cache(data, k, linpred__open_again(data->stored->all.file[k].descriptor, true));
            assert_true(fingerprint_of(data) == all);
            assert_true(linpred__data_sample(data, 3, &some));
            assert_true(fingerprint_of(&some) == sampled);
            linpred__release(some.block);
            linpred_data_free(data);
        }
    linpred_data_free(known);
}

static void ways_to_read_agree(void **state)
{
    (void)state;
    static const int columns[] = {1, 3, 50, 600};
    char archive[80], next[80];
    in_folder("rows.npz", archive);
    in_folder("next.npz", next);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        for (int sparse = 0; sparse < 2; sparse++) {
            int rows = 300000 / (columns[i] < 5 ? 5 : columns[i]);
            write_archive(archive, rows, columns[i], sparse, 1);
            write_archive(next, rows / 2 + 1, columns[i], sparse, 2);
            compare_ways(archive, NULL);
            compare_ways(archive, next);
        }
    unlink(archive);
    unlink(next);
}

/* Copies the first bytes of a file; returns a descriptor of the copy, which has no name. */
static int copy_of(const char *path, long bytes)
{
    char name[80];
    FILE *from = fopen(path, "rb"), *to = fopen(in_folder("copy", name), "wb");
    assert_true(from && to);
    for (long i = 0; i < bytes; i++)
        fputc(fgetc(from), to);
    fclose(from);
    fclose(to);
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    unlink(name);
    return descriptor;
}

/* Reads that end early, or fail, are completed through the cache. Damage past the cache is found, which shows that rows
   come from there. */
static void what_is_refused_is_read_otherwise(void **state)
{
    (void)state;
    char archive[80], other[80];
    linpred_error error;
    uint64_t found;
    write_archive(in_folder("rows.npz", archive), 20000, 7, false, 1);
    write_archive(in_folder("other.npz", other), 20000, 7, false, 9);
    linpred_data *data = load(archive, NULL, "100K");
    uint64_t known = fingerprint_of(data);
    linpred_data_free(data);
    int sources[] = {open(folder, O_RDONLY | O_CLOEXEC), copy_of(archive, 0), copy_of(archive, 543210), -1};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        data = load(archive, NULL, "100K");
        read_past_cache(data, 0, sources[i]);
        assert_true(fingerprint_of(data) == known);
        linpred_data_free(data);
    }
    data = load(archive, NULL, "100K");
    read_past_cache(data, 0, open(other, O_RDONLY | O_CLOEXEC));
    assert_int_equal(fingerprint(data, &found, &error), LINPRED_ERROR_INPUT);
    assert_non_null(strstr(error.message, "checksum differs"));
    linpred_data_free(data);
    unlink(other);
    unlink(archive);
}

/* A file that is cut is an error past the cache too. */
static void cut_file_is_an_error(void **state)
{
    (void)state;
    char archive[80];
    linpred_error error;
    uint64_t found;
    write_archive(in_folder("rows.npz", archive), 20000, 7, false, 1);
    linpred_data *data = load(archive, NULL, "100K");
    read_past_cache(data, 0, linpred__open_again(data->stored->all.file[0].descriptor, true));
    assert_int_equal(truncate(archive, 700001), 0);
    assert_int_equal(fingerprint(data, &found, &error), LINPRED_ERROR_FILE);
    assert_non_null(strstr(error.message, "the file was changed while its rows were read"));
    linpred_data_free(data);
    unlink(archive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_to_read_agree),
        cmocka_unit_test(what_is_refused_is_read_otherwise),
        cmocka_unit_test(cut_file_is_an_error),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
