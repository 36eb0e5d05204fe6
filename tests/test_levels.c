/* Text columns of many levels become sparse rows: every row is compared with one that the test encodes itself. The rows
 * have missing values and weights of 0, so that rows are dropped and the others move between blocks. */
#include "data/data.h"
#include "reader_support.h"

enum { ROWS = 20000, LEVELS = 300, OTHER_LEVELS = 3 };

/* A row as it is written. Levels are numbered in the order of their bytes. */
typedef struct written_row {
    double x, weight, y;
    int level, other;
    bool missing; /* no x is written */
} written_row;

static written_row *write_rows(const char *name, bool with_weights, bool with_gaps, uint64_t seed)
{
    linpred__random random;
    linpred__random_seed(&random, seed);
    written_row *rows = calloc(ROWS, sizeof *rows);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_true(rows && file);
    fprintf(file, with_weights ? "x,g,h,y,w\n" : "x,g,h,y\n");
    for (int i = 0; i < ROWS; i++) {
        written_row *row = &rows[i];
        row->x = (double)linpred__random_below(&random, 7) - 3.0;
        row->level = i < LEVELS ? (i * 7) % LEVELS : (int)linpred__random_below(&random, LEVELS);
        row->other = i < OTHER_LEVELS ? i : (int)linpred__random_below(&random, OTHER_LEVELS);
        row->y = (double)linpred__random_below(&random, 2000) / 8.0;
        row->weight = with_weights && i >= LEVELS ? (double)linpred__random_below(&random, 4) : 1.0;
        row->missing = with_gaps && i >= LEVELS && linpred__random_below(&random, 5) == 0;
        if (!row->missing)
            fprintf(file, "%g", row->x);
        fprintf(file, ",g%03d,%c,%g", row->level, 'a' + row->other, row->y);
        fprintf(file, with_weights ? ",%g\n" : "\n", row->weight);
    }
    assert_int_equal(fclose(file), 0);
    return rows;
}

/* Compares row `at` of the data with row i of the file. */
static void assert_written(const linpred_data *data, int64_t at, const written_row *row, int i)
{
    int32_t r;
    const linpred__block *block = linpred__block_of(data, at, &r);
    double values[1 + LEVELS - 1 + OTHER_LEVELS - 1] = {0};
    double expected[1 + LEVELS - 1 + OTHER_LEVELS - 1] = {0};
    assert_int_equal(block->columns, sizeof values / sizeof values[0]);
    assert_true(block->layout == LINPRED__SPARSE && r < block->rows && block->first_row + r == at);
    linpred__entries entries = linpred__entries_of(block, r);
    for (int64_t k = 0; k < entries.count; k++) {
        assert_true(k == 0 || entries.indices[k - 1] < entries.indices[k]);
        assert_true(entries.values[k] != 0.0);
        values[entries.indices[k]] = entries.values[k];
    }
    expected[0] = row->x;
    if (row->level > 0)
        expected[row->level] = 1.0;
    if (row->other > 0)
        expected[LEVELS - 1 + row->other] = 1.0;
    assert_memory_equal(values, expected, sizeof values);
    assert_true(block->target[r] == row->y);
    assert_true((block->weight ? block->weight[r] : 1.0) == row->weight);
    assert_int_equal(data->source_row ? data->source_row[at] : at, i);
}

static void rows_are_what_the_file_holds(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        bool with_weights = kind & 1, with_gaps = kind & 2;
        written_row *rows = write_rows("many.csv", with_weights, with_gaps, 5 + (uint64_t)kind);
        linpred_options options = defaults();
        options.task = LINPRED_TASK_REGRESSION;
        options.target = "y";
        options.weights = with_weights ? "w" : NULL;
        options.missing = with_gaps ? LINPRED_MISSING_DROP : LINPRED_MISSING_FAIL;
        linpred_data *data = NULL;
        assert_int_equal(linpred_data_load(path, &options, &data, NULL), LINPRED_OK);
        int64_t at = 0;
        for (int i = 0; i < ROWS; i++)
            if (!rows[i].missing && rows[i].weight != 0.0)
                assert_written(data, at++, &rows[i], i);
        assert_int_equal(data->rows, at);
        assert_true(kind == 0 ? at == ROWS : at < ROWS);
        linpred_data_free(data);
        free(rows);
    }
}

/* The same rows as a LIBSVM file give the same coefficients, bit for bit. */
static void levels_are_as_good_as_libsvm(void **state)
{
    (void)state;
    written_row *rows = write_rows("many.csv", false, false, 17);
    char csv[sizeof path];
    memcpy(csv, path, sizeof csv);
    snprintf(path, sizeof path, "%s/many.svm", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < ROWS; i++) {
        fprintf(file, "%g", rows[i].y);
        if (rows[i].x != 0.0)
            fprintf(file, " 1:%g", rows[i].x);
        if (rows[i].level > 0)
            fprintf(file, " %d:1", 1 + rows[i].level);
        fprintf(file, rows[i].other > 0 ? " %d:1\n" : "\n", LEVELS + rows[i].other);
    }
    assert_int_equal(fclose(file), 0);
    free(rows);
    linpred_data *data[2] = {NULL};
    linpred_result *result[2] = {NULL};
    for (int k = 0; k < 2; k++) {
        linpred_options options = defaults();
        options.task = LINPRED_TASK_REGRESSION;
        options.target = k == 0 ? "y" : NULL;
        assert_int_equal(linpred_data_load(k == 0 ? csv : path, &options, &data[k], NULL), LINPRED_OK);
        assert_int_equal(linpred_fit(data[k], &options, &result[k], NULL), LINPRED_OK);
    }
    const double *by_levels = linpred_model_coefficients(linpred_result_model(result[0]));
    const double *by_libsvm = linpred_model_coefficients(linpred_result_model(result[1]));
    assert_memory_equal(by_levels, by_libsvm, (LEVELS + OTHER_LEVELS - 1) * sizeof(double));
    for (int k = 0; k < 2; k++) {
        linpred_result_free(result[k]);
        linpred_data_free(data[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_what_the_file_holds),
                                       cmocka_unit_test(levels_are_as_good_as_libsvm)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
