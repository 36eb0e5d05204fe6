/* linpred_convert, and the memory in a file that it works in. tests/check_convert.py compares models, predictions and
 * what NumPy reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/spill.h"
#include "data/fingerprint.h"
#include "support.h"
#include "table/table.h"

static char folder[] = "/tmp/linpred_convert_XXXXXX";

static const char *in_folder(const char *name, char path[80])
{
    snprintf(path, 80, "%s/%s", folder, name);
    return path;
}

static void write_rows(const char *path, int rows)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("a,b,colour,w,y\n", file);
    for (int i = 0; i < rows; i++)
        fprintf(file, "%d.%d,%d,%s,%d,%d\n", i % 13, i % 7, i % 29, i % 3 ? "red" : "green", 1 + i % 2, i % 5 < 2);
    fclose(file);
}

static uint64_t fingerprint_of(const char *path, const char *weights, linpred_shape *shape)
{
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_error error;
    uint64_t fingerprint = 0;
    assert_non_null(options);
    if (weights)
        assert_int_equal(linpred_options_set(options, "weights", weights, &error), LINPRED_OK);
    assert_int_equal(linpred_data_load(path, options, &data, &error), LINPRED_OK);
    assert_true(linpred_data_shape(data, shape));
    assert_int_equal(linpred__fingerprint(data, NULL, &fingerprint, &error), LINPRED_OK);
    linpred_data_free(data);
    linpred_options_free(options);
    return fingerprint;
}

/* The archive has the rows of its source, with their weights, in blocks of the same length. */
static void archive_is_its_source(void **state)
{
    (void)state;
    char source[80], archive[80];
    linpred_options *options = linpred_options_new();
    linpred_error error;
    write_rows(in_folder("rows.csv", source), 9000);
    in_folder("rows.npz", archive);
    assert_int_equal(linpred_options_set(options, "weights", "w", &error), LINPRED_OK);
    linpred_shape written = {.struct_size = sizeof written}, a = written, b = written;
    assert_int_equal(linpred_convert(source, options, archive, &written, &error), LINPRED_OK);
    assert_int_equal(written.rows, 9000);
    assert_int_equal(written.columns, 3);
    assert_true(written.weighted);
    assert_true(fingerprint_of(source, "w", &a) == fingerprint_of(archive, NULL, &b));
    assert_int_equal(a.rows, b.rows);
    assert_int_equal(a.columns, b.columns);
    assert_true(a.weight == b.weight);
    linpred_options_free(options);
}

/* What this process has read so far; -1 if the system does not say. */
static double bytes_read(void)
{
    long long bytes = -1;
    FILE *file = fopen("/proc/self/io", "r");
    if (file && fscanf(file, "rchar: %lld", &bytes) != 1)
        bytes = -1;
    if (file)
        fclose(file);
    return (double)bytes;
}

/* How often loading and a fit read the file, in multiples of its length. */
static double readings_of_fit(const char *archive)
{
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    linpred_result *result = NULL;
    linpred_error error;
    assert_int_equal(linpred_options_set(options, "memory", "100K", &error), LINPRED_OK);
    assert_int_equal(linpred_options_set(options, "task", "regression", &error), LINPRED_OK);
    double before = bytes_read();
    assert_int_equal(linpred_data_load(archive, options, &data, &error), LINPRED_OK);
    assert_int_equal(linpred_fit(data, options, &result, &error), LINPRED_OK);
    double after = bytes_read();
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_options_free(options);
    FILE *file = fopen(archive, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    double bytes = (double)ftell(file);
    fclose(file);
    return before < 0.0 ? 0.0 : (after - before) / bytes;
}

/* Checksums are compared in a pass of the fit, so that least squares reads the rows for its own three passes alone:
   means, factors, residuals. */
static void no_reading_for_checksums(void **state)
{
    (void)state;
    char source[80], archive[80];
    linpred_options *options = linpred_options_new();
    linpred_error error;
    FILE *file = fopen(in_folder("numbers.csv", source), "w");
    assert_non_null(file);
    fputs("a,b,c,d,e,f,g,y\n", file);
    uint32_t random = 1;
    for (int i = 0; i < 20000; i++) {
        for (int j = 0; j < 7; j++)
            fprintf(file, "%.17g,", (random = random * 1664525u + 1013904223u) / 7e8);
        fprintf(file, "%d\n", i % 31 % 2);
    }
    fclose(file);
    in_folder("numbers.npz", archive);
    linpred_shape shape = {.struct_size = sizeof shape};
    assert_int_equal(linpred_convert(source, options, archive, &shape, &error), LINPRED_OK);
    linpred_options_free(options);
    assert_true(readings_of_fit(archive) < 3.2);
    unlink(source);
    unlink(archive);
}

/* Rows of an npy file are read when they are written, so that memory does not grow with it, and a file that is cut
   meanwhile is an error. */
static void rows_stay_in_an_npy_file(void **state)
{
    (void)state;
    enum { ROWS = 30000, COLUMNS = 3 };
    static double numbers[ROWS * COLUMNS], found[ROWS * COLUMNS];
    char path[80], header[129];
    linpred_options *options = linpred_options_new();
    linpred_error error;
    linpred__table *table = NULL;
    snprintf(header, sizeof header, "..........%-117s\n",
             "{'descr': '<f8', 'fortran_order': False, 'shape': (30000, 3), }");
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        numbers[i] = 0.5 * i;
    FILE *file = fopen(in_folder("rows.npy", path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(header, 1, 128, file), 128);
    assert_int_equal(fwrite(numbers, sizeof *numbers, ROWS * COLUMNS, file), ROWS * COLUMNS);
    fclose(file);
    linpred__read_request request = {.options = options, .may_stay = true};
    assert_int_equal(linpred__table_read(path, &request, NULL, &table, &error), LINPRED_OK);
    assert_int_equal(table->rows, ROWS);
    assert_true(table->blocks > 1);
    for (int64_t b = 0; b < table->blocks; b++) {
        assert_null(table->block[b].values);
        assert_int_equal(linpred__table_block_get(table, b, found + b * table->block_rows * COLUMNS, &error),
                         LINPRED_OK);
    }
    assert_memory_equal(found, numbers, sizeof numbers);
    assert_int_equal(truncate(path, 200000), 0);
    assert_int_equal(linpred__table_block_get(table, 0, found, &error), LINPRED_OK);
    assert_int_equal(linpred__table_block_get(table, table->blocks - 1, found, &error), LINPRED_ERROR_FILE);
    assert_non_null(strstr(error.message, "was cut while it was read"));
    linpred__table_free(table);
    linpred_options_free(options);
    unlink(path);
}

static void refuses_wrong_calls(void **state)
{
    (void)state;
    char source[80], output[80];
    linpred_options *options = linpred_options_new();
    linpred_error error;
    linpred_shape shape = {.struct_size = sizeof shape}, none = {0};
    in_folder("rows.csv", source);
    assert_int_equal(linpred_convert(source, options, in_folder("rows.zip", output), &shape, &error),
                     LINPRED_ERROR_USAGE);
    assert_int_equal(linpred_convert(source, options, in_folder("rows.npy", output), &shape, &error),
                     LINPRED_ERROR_USAGE); /* it holds text */
    assert_int_equal(linpred_convert(source, options, in_folder("x.npz", output), &none, &error), LINPRED_ERROR_USAGE);
    assert_int_equal(linpred_convert("/nowhere/x.csv", options, output, &shape, &error), LINPRED_ERROR_FILE);
    assert_int_equal(linpred_convert(source, options, "/nowhere/x.npz", &shape, &error), LINPRED_ERROR_FILE);
    assert_int_equal(linpred_options_set(options, "missing", "drop", &error), LINPRED_OK);
    assert_int_equal(linpred_convert(source, options, output, &shape, &error), LINPRED_ERROR_USAGE);
    assert_int_not_equal(access(output, F_OK), 0);
    linpred_options_free(options);
}

/* What is written to a spill stays, though its pages are given back at once; after a rewind its memory is used again.
 */
static void spill_keeps_what_it_holds(void **state)
{
    (void)state;
    enum { PIECES = 300, NUMBERS = 1 << 16 };
    char path[80];
    linpred__spill *spill = NULL;
    linpred_error error;
    static double *piece[PIECES];
    assert_int_equal(linpred__spill_open(in_folder("x", path), 0, &spill, &error), LINPRED_OK);
    for (int i = 0; i < PIECES; i++) {
        piece[i] = linpred__spill_alloc(spill, NUMBERS, sizeof *piece[i]);
        assert_non_null(piece[i]);
        for (int j = 0; j < NUMBERS; j++)
            piece[i][j] = i + 0.5 * j;
    }
    for (int i = 0; i < PIECES; i++)
        for (int j = 0; j < NUMBERS; j++)
            assert_true(piece[i][j] == i + 0.5 * j);
    linpred__spill_rewind(spill);
    assert_ptr_equal(linpred__spill_alloc(spill, NUMBERS, sizeof(double)), piece[0]);
    assert_null(linpred__spill_alloc(spill, SIZE_MAX / 2, 4));
    assert_int_equal(linpred__spill_failure(spill, LINPRED_ERROR_MEMORY, &error), LINPRED_ERROR_MEMORY);
    linpred__spill_close(spill);
    linpred__spill_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archive_is_its_source),     cmocka_unit_test(no_reading_for_checksums),
        cmocka_unit_test(rows_stay_in_an_npy_file),  cmocka_unit_test(refuses_wrong_calls),
        cmocka_unit_test(spill_keeps_what_it_holds),
    };
    char path[80];
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(in_folder("rows.csv", path));
    unlink(in_folder("rows.npz", path));
    rmdir(folder);
    return failed;
}
