/* The Parquet reader, on files that three other programs wrote (tests/data/parquet): each must give the table of its
 * CSV twin, bit for bit. Then values of every kind, refusals, and damage: every byte changed, every length cut. */
#include "reader_support.h"
#include "failing_memory.h"

#include <time.h>

#include "core/memory.h"
#include "table/cells/typed.h"

#define FILES LINPRED_SOURCE_DIR "/tests/data/parquet/"

/* ---- twins ---- */

static void same_column(const char *name, const linpred__table *csv, const linpred__table *parquet, int32_t c)
{
    const linpred__column *a = &csv->column[c], *b = &parquet->column[c];
    assert_string_equal(a->name, b->name);
    if (a->type != b->type || a->missing != b->missing || a->levels != b->levels)
        fail_msg("%s: column %s has type %d, %lld missing values and %d levels", name, b->name, (int)b->type,
                 (long long)b->missing, b->levels);
    if (a->missing > 0)
        assert_int_equal(a->first_missing_line, b->first_missing_line + 1); /* a line of names comes before */
    for (int64_t r = 0; r < csv->rows; r++) {
        double x = cell(csv, r, c), y = cell(parquet, r, c);
        bool same = isnan(x) || isnan(y)             ? isnan(x) && isnan(y)
                    : a->type == LINPRED_COLUMN_TEXT ? strcmp(a->level[(int32_t)x], b->level[(int32_t)y]) == 0
                                                     : memcmp(&x, &y, sizeof x) == 0;
        if (!same)
            fail_msg("%s: column %s, row %lld: %.17g instead of %.17g", name, b->name, (long long)r + 1, y, x);
    }
}

static void files_have_the_tables_of_their_twins(void **state)
{
    (void)state;
    static const struct {
        const char *parquet, *csv;
    } twins[] = {
        {"duck_uncompressed", "t.csv"}, {"duck_snappy", "t.csv"},        {"duck_gzip", "t.csv"},
        {"duck_zstd", "t.csv"},         {"duck_lz4_raw", "t.csv"},       {"duck_v2", "t.csv"},
        {"duck_plain", "t.csv"},        {"duck_many", "many.csv.gz"},    {"duck_many_v2", "many.csv.gz"},
        {"rust_v1_plain", "small.csv"}, {"rust_v1_snappy", "small.csv"}, {"rust_v1_zstd", "small.csv"},
        {"rust_v2_plain", "small.csv"}, {"rust_v2_snappy", "small.csv"}, {"rust_v2_zstd", "small.csv"},
        {"rust_pages", "small.csv"},    {"rust_delta", "small.csv"},     {"rust_lz4_hadoop", "small.csv"},
        {"script_plain", "small.csv"},  {"script_snappy", "small.csv"},  {"script_gzip", "small.csv"},
        {"script_split", "small.csv"},
    };
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++)
        for (int threads = 1; threads <= 4; threads += 3) {
            char csv_file[4096], parquet_file[4096];
            snprintf(csv_file, sizeof csv_file, FILES "%s", twins[i].csv);
            snprintf(parquet_file, sizeof parquet_file, FILES "%s.parquet", twins[i].parquet);
            linpred__table *csv = must_read(csv_file, NULL), *parquet = NULL;
            linpred_error error = {0};
            if (read_with(parquet_file, NULL, threads, 0, &parquet, &error) != LINPRED_OK)
                fail_msg("%s", error.message);
            assert_int_equal(csv->rows, parquet->rows);
            assert_int_equal(csv->columns, parquet->columns);
            for (int32_t c = 0; c < csv->columns; c++)
                same_column(twins[i].parquet, csv, parquet, c);
            linpred__table_free(csv);
            linpred__table_free(parquet);
        }
}

/* ---- kinds of values ---- */

static const char *level_at(const linpred__table *table, int64_t row, int32_t column)
{
    double number = cell(table, row, column);
    return isnan(number) ? NULL : table->column[column].level[(int32_t)number];
}

static void reads_every_kind(void **state)
{
    (void)state;
    linpred__table *table = must_read(FILES "duck_kinds.parquet", NULL);
    static const char *const texts[2][4] = {
        {"2024-02-29", "23:59:59.5", "1969-12-31 23:59:59.25", "2000-01-01 00:00:00Z"},
        {"0001-01-01", "00:00:00", "2024-12-31 12:00:00", "1999-12-31 23:59:59Z"}};
    for (int32_t c = 0; c < 4; c++) {
        assert_string_equal(level_at(table, 0, c), texts[0][c]);
        assert_string_equal(level_at(table, 1, c), texts[1][c]);
        assert_null(level_at(table, 2, c));
    }
    assert_true(cell(table, 0, 4) == 0x1p53 && cell(table, 0, 5) == 0x1p64 && cell(table, 1, 5) == 4294967295.0);
    assert_int_equal(table->column[4].altered, 1);
    assert_int_equal(table->column[5].altered, 1);
    assert_int_equal(table->column[6].missing, 2); /* NaN and NULL */
    static const char *const refusals[] = {"row 1 holds infinity", "row 1 holds text that is not UTF-8", "nested",
                                           "nested", "neither number, text"};
    for (int32_t c = 7; c < 12; c++) {
        assert_non_null(table->column[c].refusal);
        assert_non_null(strstr(table->column[c].refusal, refusals[c - 7]));
        assert_int_equal(table->column[c].type, LINPRED_COLUMN_EMPTY);
    }
    assert_int_equal(table->column[12].missing, 2); /* empty text and NULL */
    assert_int_equal(table->column[13].type, LINPRED_COLUMN_EMPTY);
    linpred__table_free(table);
    table = must_read(FILES "script_half.parquet", NULL);
    const double halves[] = {1, -0.5, 65504, 0x1p-14, NAN, 0.0999755859375};
    for (int64_t r = 0; r < 6; r++)
        ROW(table, r, halves[r], (double)r + 1);
    linpred__table_free(table);
}

static void as_text_takes_the_digits(void **state)
{
    (void)state;
    linpred_options options = defaults();
    options.as_text = (char *)(uintptr_t) "n,big,x,p,q,h,u";
    linpred__table *table = must_read(FILES "duck_v2.parquet", &options), *csv = must_read(FILES "t.csv", &options);
    static const char *const names[] = {"n", "big", "p", "q", "h", "u"};
    for (int32_t c = 0; c < table->columns; c++)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            if (strcmp(table->column[c].name, names[k]) == 0)
                for (int64_t r = 0; r < table->rows; r++)
                    assert_string_equal(level_at(table, r, c), level_at(csv, r, c));
    linpred__table_free(table);
    linpred__table_free(csv);
}

static void refuses_codecs_that_it_does_not_know(void **state)
{
    (void)state;
    linpred__table *table = must_read(FILES "duck_brotli.parquet", NULL);
    assert_int_equal(table->rows, 200);
    assert_non_null(strstr(table->column[0].refusal, "Brotli"));
    linpred__table_free(table);
}

/* ---- damage ---- */

static _Atomic int64_t in_use, most;

typedef struct header {
    size_t bytes;
    max_align_t aligned;
} header;

static void *counting_reallocate(void *context, void *memory, size_t bytes)
{
    (void)context;
    header *old = memory ? (header *)memory - 1 : NULL;
    int64_t change = (int64_t)bytes - (int64_t)(old ? old->bytes : 0);
    header *made = realloc(old, sizeof *made + bytes);
    if (!made)
        return NULL;
    made->bytes = bytes;
    in_use += change;
    if (in_use > most)
        most = in_use;
    return made + 1;
}

static void counting_release(void *context, void *memory)
{
    (void)context;
    if (!memory)
        return;
    in_use -= (int64_t)((header *)memory - 1)->bytes;
    free((header *)memory - 1);
}

/* Reads bytes from memory of exactly their length, so that a sanitizer sees a read past the end. */
static linpred_status read_bytes(const unsigned char *data, size_t bytes, linpred_error *error)
{
    linpred_options options = defaults();
    linpred__table *table = linpred__calloc(1, sizeof *table);
    assert_non_null(table);
    table->name = linpred__copy_text("damaged", 7);
    unsigned char *copy = malloc(bytes ? bytes : 1);
    assert_non_null(copy);
    memcpy(copy, data, bytes);
    linpred_status status =
        linpred__parquet_read_bytes(copy, bytes, &(linpred__read_request){.options = &options}, NULL, table, error);
    linpred__table_free(table);
    free(copy);
    return status;
}

static void must_judge(const unsigned char *data, size_t bytes, int *refused)
{
    linpred_error error = {0};
    struct timespec before, after;
    most = in_use = 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    linpred_status status = read_bytes(data, bytes, &error);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    assert_int_equal(in_use, 0);
    assert_true(most < 100 << 20);
    assert_true(after.tv_sec - before.tv_sec <= 1);
    if (status == LINPRED_OK)
        return;
    assert_int_equal(status, LINPRED_ERROR_INPUT);
    if (!strstr(error.message, "damaged"))
        fail_msg("'%s'", error.message);
    (*refused)++;
}

static size_t load(const char *name, unsigned char *bytes, size_t capacity)
{
    char file_name[4096];
    snprintf(file_name, sizeof file_name, FILES "%s.parquet", name);
    FILE *file = fopen(file_name, "rb");
    assert_non_null(file);
    size_t count = fread(bytes, 1, capacity, file);
    fclose(file);
    return count;
}

static const char *const damaged_files[] = {"script_half", "duck_kinds", "script_snappy",
                                            "duck_zstd",   "rust_delta", "rust_lz4_hadoop",
                                            "rust_pages",  "duck_v2",    "script_gzip"};
enum { DAMAGED = sizeof damaged_files / sizeof damaged_files[0], CAPACITY = 1 << 16 };

static void damaged_files_are_refused(void **state)
{
    (void)state;
    static unsigned char data[CAPACITY];
    const linpred_allocator counting = {sizeof(linpred_allocator), counting_reallocate, counting_release, NULL};
    linpred_set_allocator(&counting);
    for (int i = 0; i < DAMAGED; i++) {
        size_t bytes = load(damaged_files[i], data, sizeof data);
        int refused = 0;
        for (size_t at = 0; at < bytes; at++) {
            static const unsigned char change[] = {0xFF, 0x01, 0x80, 0x10};
            data[at] ^= change[at % 4];
            must_judge(data, bytes, &refused);
            data[at] ^= change[at % 4];
        }
        assert_true(refused > 20);
        refused = 0;
        for (size_t length = 0; length < bytes; length++)
            must_judge(data, length, &refused);
        assert_int_equal(refused, bytes); /* no part of a file is a file */
    }
    linpred_set_allocator(NULL);
}

/* Several bytes changed at once, also where the footer is: what one change cannot reach. */
static void much_damaged_files_are_judged(void **state)
{
    (void)state;
    static unsigned char data[CAPACITY], copy[CAPACITY];
    const linpred_allocator counting = {sizeof(linpred_allocator), counting_reallocate, counting_release, NULL};
    linpred__random random;
    linpred__random_seed(&random, 7);
    linpred_set_allocator(&counting);
    for (int i = 0; i < DAMAGED; i++) {
        size_t bytes = load(damaged_files[i], data, sizeof data);
        int refused = 0;
        for (int round = 0; round < 2000; round++) {
            memcpy(copy, data, bytes);
            for (int k = 1 + round % 5; k > 0; k--) {
                size_t at = 4 + (size_t)linpred__random_below(&random, (uint64_t)bytes - 12);
                copy[at] = (unsigned char)linpred__random_below(&random, 256);
            }
            must_judge(copy, bytes, &refused);
        }
    }
    linpred_set_allocator(NULL);
}

/* ---- memory ---- */

static void survives_any_failed_allocation(void **state)
{
    (void)state;
    static const char *const names[] = {"duck_kinds", "rust_delta", "script_gzip", "rust_pages"};
    linpred_options options = defaults();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char file[4096];
        snprintf(file, sizeof file, FILES "%s.parquet", names[i]);
        read_while_memory_fails(file, &options, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_have_the_tables_of_their_twins),
        cmocka_unit_test(reads_every_kind),
        cmocka_unit_test(as_text_takes_the_digits),
        cmocka_unit_test(refuses_codecs_that_it_does_not_know),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(much_damaged_files_are_judged),
        cmocka_unit_test(survives_any_failed_allocation),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
