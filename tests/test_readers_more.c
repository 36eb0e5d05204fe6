/* Streams, npy, scarce memory, and the collection of bad files. */
#include "reader_support.h"
#include "failing_memory.h"
#include "reference_data.h"

/* ---- streams ----------------------------------------------------------------------------------------------------- */

static size_t gzip(const void *text, size_t bytes, unsigned char *buffer, size_t buffer_bytes)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (unsigned)bytes;
    z.next_out = buffer;
    z.avail_out = (unsigned)buffer_bytes;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t made = buffer_bytes - z.avail_out;
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
static size_t npy(char *buffer, int version, const char *type, bool fortran, const char *shape, const void *data,
                  size_t bytes)
{
    char header[256];
    int length = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", type,
                          fortran ? "True" : "False", shape);
    size_t start = version == 1 ? 10 : 12;
    size_t all = (start + (size_t)length + 1 + 63) / 64 * 64;
    memset(buffer, ' ', all);
    memcpy(buffer, "\x93NUMPY", 6);
    buffer[6] = (char)version;
    buffer[7] = 0;
    buffer[8] = (char)((all - start) & 255);
    buffer[9] = (char)((all - start) >> 8);
    if (version > 1)
        buffer[10] = buffer[11] = 0;
    memcpy(buffer + start, header, (size_t)length);
    buffer[all - 1] = '\n';
    memcpy(buffer + all, data, bytes);
    return all + bytes;
}

/* Whole numbers above 2^53 that no double holds are counted, in every type and order. */
static void npy_counts_what_no_double_holds(void **state)
{
    (void)state;
    static char buffer[4096];
    static const int64_t with_sign[] = {(1LL << 53) + 1, (1LL << 53) + 2, 7, -(1LL << 53) - 1, INT64_MIN, INT64_MAX};
    static const uint64_t without[] = {1,          (1ULL << 53) + 1, UINT64_MAX,
                                       1ULL << 63, (1ULL << 60) + 1, (1ULL << 60) + 256};
    static const struct {
        const char *type;
        bool fortran;
        const void *data;
        int64_t altered[3], line[3];
    } cases[] = {{"<i8", false, with_sign, {2, 0, 1}, {1, 0, 2}},
                 {"<i8", true, with_sign, {1, 1, 1}, {1, 2, 2}},
                 {"<u8", false, without, {0, 2, 1}, {0, 1, 1}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        linpred__table *t = must_read(
            save("a.npy", buffer, npy(buffer, 1, cases[i].type, cases[i].fortran, "(2, 3)", cases[i].data, 48)), NULL);
        for (int c = 0; c < 3; c++) {
            assert_int_equal(t->column[c].altered, cases[i].altered[c]);
            assert_int_equal(t->column[c].first_altered_line, cases[i].line[c]);
        }
        linpred__table_free(t);
    }
}

static void reads_npy(void **state)
{
    (void)state;
    static char buffer[4096];
    static unsigned char packed[8192];
    const double doubles[] = {1, 2.5, -3, 4, 0.5, 6};
    for (int version = 1; version <= 3; version++) {
        linpred__table *t = must_read(
            save("a.npy", buffer, npy(buffer, version, "<f8", false, "(2, 3)", doubles, sizeof doubles)), NULL);
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
    size_t bytes = npy(buffer, 1, "<f8", false, "(2, 3)", doubles, sizeof doubles);
    linpred__table *t = must_read(save("packed", packed, gzip(buffer, bytes, packed, sizeof packed)), NULL);
    ROW(t, 1, 4, 0.5, 6);
    linpred__table_free(t);
    must_fail(save("a.npy", buffer, bytes - 1), NULL, 0, 0, "less data");
    must_fail(save("packed", packed, gzip(buffer, bytes - 1, packed, sizeof packed)), NULL, 0, 0, "less data");
    buffer[bytes] = 0;
    must_fail(save("a.npy", buffer, bytes + 1), NULL, 0, 0, "more data");
    must_fail(save("packed", packed, gzip(buffer, bytes + 1, packed, sizeof packed)), NULL, 0, 0, "more data");
}

static void reads_npy_of_all_types(void **state)
{
    (void)state;
    static char buffer[4096];
    const double columns_first[] = {1, 4, 2.5, 0.5, -3, 6};
    const float floats[] = {1, 2.5f, -3, 4, 0.5f, 6};
    const int16_t shorts[] = {1, -2, 300, -32768, 5, 6};
    const uint64_t wide[] = {1, 2, 3, 4, 5, UINT64_MAX};
    linpred__table *t = must_read(
        save("a.npy", buffer, npy(buffer, 1, "<f8", true, "(2, 3)", columns_first, sizeof columns_first)), NULL);
    ROW(t, 0, 1, 2.5, -3);
    ROW(t, 1, 4, 0.5, 6);
    linpred__table_free(t);
    t = must_read(save("a.npy", buffer, npy(buffer, 1, "<f4", false, "(2, 3)", floats, sizeof floats)), NULL);
    ROW(t, 1, 4, 0.5, 6);
    linpred__table_free(t);
    t = must_read(save("a.npy", buffer, npy(buffer, 1, "<i2", false, "(2, 3)", shorts, sizeof shorts)), NULL);
    ROW(t, 0, 1, -2, 300);
    ROW(t, 1, -32768, 5, 6);
    linpred__table_free(t);
    t = must_read(save("a.npy", buffer, npy(buffer, 1, "<u8", false, "(2, 3)", wide, sizeof wide)), NULL);
    ROW(t, 1, 4, 5, 0x1p64);
    linpred__table_free(t);
    t = must_read(save("a.npy", buffer, npy(buffer, 1, ">i2", false, "(1, 2)", "\xFF\xFE\x01\x00", 4)), NULL);
    ROW(t, 0, -2, 256);
    linpred__table_free(t);
    t = must_read(save("a.npy", buffer, npy(buffer, 1, "|b1", true, "(1, 2)", "\x01\x00", 2)), NULL);
    ROW(t, 0, 1, 0);
    linpred__table_free(t);
}

static void refuses_other_npy(void **state)
{
    (void)state;
    static char buffer[4096];
    static unsigned char packed[8192];
    const double doubles[] = {1, 2.5, -3, 4, 0.5, 6};
    must_fail(save("a.npy", buffer, npy(buffer, 1, "<f8", false, "(6,)", doubles, 48)), NULL, 0, 0, "one dimension");
    must_fail(save("a.npy", buffer, npy(buffer, 1, "<f8", false, "(0, 3)", doubles, 0)), NULL, 0, 0, "empty");
    must_fail(save("a.npy", buffer, npy(buffer, 1, "<c16", false, "(1, 3)", doubles, 48)), NULL, 0, 0, "'<c16'");
    must_fail(save("a.npy", buffer, npy(buffer, 4, "<f8", false, "(2, 3)", doubles, 48)), NULL, 0, 0, "version 4");
    must_fail(save("a.npy", buffer, npy(buffer, 1, "<f8", false, "(99999999999999999999, 3)", doubles, 48)), NULL, 0, 0,
              "too large");
    size_t bytes = npy(buffer, 1, "<f8", false, "(268435456, 8589934592)", doubles, 48);
    must_fail(save("packed", packed, gzip(buffer, bytes, packed, sizeof packed)), NULL, 0, 0, "too large");
    bytes = npy(buffer, 1, "<f8", false, "(268435456, 1000)", doubles, 48); /* 2 TB, if it were believed */
    const char *complaint = sizeof(size_t) < 8 ? "too large" : "less data"; /* more than 4 gigabytes have no address */
    must_fail(save("packed", packed, gzip(buffer, bytes, packed, sizeof packed)), NULL, 0, 0, complaint);
    const double infinite[] = {1, 2, INFINITY, 4, NAN, 6};
    must_fail(save("a.npy", buffer, npy(buffer, 1, "<f8", false, "(2, 3)", infinite, 48)), NULL, 1, 3,
              "row 1, column 3");
    must_fail(save("a.npy", buffer, npy(buffer, 1, "<f8", true, "(2, 3)", infinite, 48)), NULL, 1, 2,
              "row 1, column 2");
}

/* ---- memory runs out --------------------------------------------------------------------------------------------- */

static void survives_any_failed_allocation(void **state)
{
    (void)state;
    growing g = awkward_csv(300, 4);
    save("memory.csv", g.text, g.bytes);
    save("memory.svm", "1 1:2 3:4\n1 2:5\n", 16);
    static char buffer[4096];
    static unsigned char packed[1 << 16];
    const double doubles[] = {1, 2.5, -3, 4, 0.5, 6};
    save("memory.npy", buffer, npy(buffer, 1, "<f8", true, "(2, 3)", doubles, sizeof doubles));
    save("memory.gz", packed, gzip(g.text, g.bytes, packed, sizeof packed));
    free(g.text);
    static const char *const names[] = {"memory.csv", "memory.svm", "memory.npy", "memory.gz"};
    linpred_options options = defaults();
    for (size_t i = 0; i < 4; i++) {
        char file[4200];
        snprintf(file, sizeof file, "%s/%s", folder, names[i]);
        read_while_memory_fails(file, &options, 3000);
    }
}

/* ---- the collection of bad files --------------------------------------------------------------------------------- */

enum { ACCEPT = -1, AS_TEXT = -2 };

/* What the table level decides: ACCEPT with rows and columns; AS_TEXT with the line and column of the cell that makes
 * the column text; or the line and column of the error (0: none to be named). */
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
    {"double_sign.csv", 2, 2, AS_TEXT},
    {"duplicate_column_names.csv", ACCEPT, 3, 3}, /* but no two of them are learned from */
    {"duplicate_columns.csv", ACCEPT, 4, 3},
    {"embedded_nul.csv", 3, 2, 0},
    {"empty.csv", 0, 0, 0},
    {"empty_column_name.csv", ACCEPT, 3, 3}, /* but no such column is learned from */
    {"escaped_quote.csv", ACCEPT, 2, 3},
    {"fortran_exponent.csv", 2, 2, AS_TEXT},
    {"gzip_content.csv", ACCEPT, 4, 3},
    {"header_only.csv", 0, 0, 0},
    {"header_only_no_newline.csv", 0, 0, 0},
    {"hex_float.csv", 2, 2, AS_TEXT},
    {"huge_finite.csv", ACCEPT, 4, 3},
    {"inf.csv", 3, 3, AS_TEXT},
    {"invalid_utf8_header.csv", 1, 2, 0},
    {"label_case_and_blank.csv", ACCEPT, 3, 3},
    {"label_spelling.csv", ACCEPT, 5, 3},
    {"labels_0_1.csv", ACCEPT, 4, 3},
    {"labels_1_2.csv", ACCEPT, 4, 3},
    {"long_line_1mb.csv", ACCEPT, 2, 3},
    {"long_unquoted_data_1mb.csv", 2, 2, AS_TEXT},
    {"many_classes_regression.csv", ACCEPT, 4, 3},
    {"many_columns.csv", ACCEPT, 2, 20001},
    {"many_digits.csv", ACCEPT, 3, 3},
    {"missing_NA.csv", ACCEPT, 3, 3},
    {"missing_empty.csv", ACCEPT, 3, 3},
    {"missing_label.csv", ACCEPT, 3, 3},
    {"missing_question.csv", ACCEPT, 3, 3},
    {"mixed_line_ends.csv", ACCEPT, 4, 3},
    {"mixed_separators.csv", 3, 0, 0},
    {"nan.csv", ACCEPT, 3, 3},
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
    {"overflow_1e400.csv", 3, 2, AS_TEXT},
    {"percent_currency.csv", 2, 2, AS_TEXT},
    {"quote_in_middle.csv", 3, 2, 0},
    {"quoted_header_comma.csv", ACCEPT, 4, 3},
    {"quoted_newline.csv", ACCEPT, 2, 3},
    {"quoted_numbers.csv", ACCEPT, 4, 3},
    {"ragged_long.csv", 3, 0, 0},
    {"ragged_short.csv", 3, 0, 0},
    {"semicolon.csv", ACCEPT, 4, 3},
    {"semicolon_decimal_comma.csv", ACCEPT, 4, 3},
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
    {"thousands_quoted.csv", ACCEPT, 3, 3},
    {"thousands_unquoted.csv", 2, 0, 0},
    {"three_classes.csv", ACCEPT, 4, 3},
    {"tiny_scale.csv", ACCEPT, 4, 3},
    {"trailing_comma_all_rows.csv", ACCEPT, 2, 4},
    {"trailing_comma_one_row.csv", 3, 0, 0},
    {"trailing_garbage.csv", 2, 2, AS_TEXT},
    {"truncated.csv.gz", 0, 0, 0},
    {"typo_in_row_500.csv", 500, 2, AS_TEXT},
    {"underflow_1e-400.csv", ACCEPT, 3, 3},
    {"unicode_minus.csv", 2, 2, AS_TEXT},
    {"unterminated_quote.csv", 3, 2, 0},
    {"utf16le.csv", ACCEPT, 4, 3},
    {"very_many_commas.csv", 2, 0, 0},
    {"whitespace_only_line.csv", ACCEPT, 2, 3},
    {"wide_fewer_rows.csv", ACCEPT, 3, 8},
};

static void judges_the_bad_files(void **state)
{
    (void)state;
    char bad[3000];
    snprintf(bad, sizeof bad, "%s/bad", reference_data());
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
            } else if (bad_files[i].columns == AS_TEXT) {
                assert_int_equal(status, LINPRED_OK);
                const linpred__column *column = &table->column[bad_files[i].column_or_rows - 1];
                assert_int_equal(column->type, LINPRED_COLUMN_TEXT);
                assert_non_null(column->odd);
                assert_int_equal(column->odd_line, bad_files[i].line);
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
        cmocka_unit_test(streams_are_as_good_as_files),
        cmocka_unit_test(a_stream_cut_anywhere_is_refused),
        cmocka_unit_test(reads_npy),
        cmocka_unit_test(reads_npy_of_all_types),
        cmocka_unit_test(refuses_other_npy),
        cmocka_unit_test(npy_counts_what_no_double_holds),
        cmocka_unit_test(survives_any_failed_allocation),
        cmocka_unit_test(judges_the_bad_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
