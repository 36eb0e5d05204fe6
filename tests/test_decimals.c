/* What the numbers of text files mean: which columns have decimals, 10^K x of a cell, and scores on decimals. */
#include "data/decimals.h"

#include <gmp.h>

#include "core/memory.h"
#include "core/options.h"
#include "data/score.h"
#include "reader_support.h"

static linpred_data *load_text(const char *name, const char *text, const char *target)
{
    linpred_options *options = linpred_options_new();
    linpred_data *data = NULL;
    assert_non_null(options);
    options->target = target ? linpred__copy_text(target, strlen(target)) : NULL;
    assert_int_equal(linpred_data_load(save_text(name, text), options, &data, NULL), LINPRED_OK);
    linpred_options_free(options);
    return data;
}

static void columns_have_the_decimals_they_need(void **state)
{
    (void)state;
    linpred_data *data = load_text("columns.csv",
                                   "whole,one,zeros,small,long,wide,huge,y\n"
                                   "3,0.1,1.50,1e-5,0.1234567890123456,0.1,1e20,0\n"
                                   "-7,-2,1.5,0.00002,1,100000000000000,5,1\n"
                                   "0,.3,2,3,2,3,7.5,1\n",
                                   "y");
    static const int expected[] = {0, 1, 1, 5, -1, -1, -1};
    assert_non_null(data->decimals);
    for (int j = 0; j < 7; j++)
        assert_int_equal(data->decimals->column[j], expected[j]);
    assert_int_equal(data->decimals->most, 5);
    assert_true(data->decimals->unit == 1e5);
    assert_true(data->decimals->long_cells);
    assert_ptr_equal(data->block[0].decimals, data->decimals);
    linpred_data_free(data);
}

static void whole_numbers_and_doubles_have_none(void **state)
{
    (void)state;
    linpred_data *data = load_text("whole.csv", "a,b,y\n1,1e3,0\n2,0.1234567890123456,1\n", "y");
    assert_null(data->decimals);
    assert_null(data->block[0].decimals);
    linpred_data_free(data);
    static const double values[] = {0.1, 0.2}, labels[] = {1, -1};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 2, .columns = 1, .values = values, .labels = labels};
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    assert_null(data->decimals);
    linpred_data_free(data);
}

static void sparse_files_are_alike(void **state)
{
    (void)state;
    linpred_data *data = load_text("rows.svm", "1 1:0.25 3:7\n-1 2:0.123456789012345 3:1e-3 4:1e-30\n1 1:12.5\n", NULL);
    assert_non_null(data->decimals);
    static const int expected[] = {2, 15, 3, -1};
    for (int j = 0; j < 4; j++)
        assert_int_equal(data->decimals->column[j], expected[j]);
    linpred_data_free(data);
    data = load_text("long.svm", "1 1:0.25 3:7\n-1 2:0.1234567890123456 3:1e-3\n1 1:12.5\n", NULL);
    assert_null(data->decimals);
    linpred_data_free(data);
}

/* The text decides, not the double: 0.10000000000000001 is not 0.1, though it has the same double. */
static void long_numbers_mean_doubles(void **state)
{
    (void)state;
    static const char *const longs[] = {"0.10000000000000001",
                                        "+0.10000000000000001",
                                        "0.1000000000000000055511151231257827",
                                        "1.0000000000000001e-1",
                                        "1e-320",
                                        "0.00000000000000010000000000000001e15"};
    static const char *const shorts[] = {"0.10000000000000000", "1.000000000000000000e-01", "+0.1",
                                         "00000000000000000.1", "10000000000000000000e-20", "0.100000000000001"};
    for (int i = 0; i < 6; i++)
        for (int last = 0; last < 2; last++) {
            char text[200];
            snprintf(text, sizeof text, last ? "y,a,b\n0,0.5,0.5\n1,0.5,%s\n" : "b,a,y\n0.5,0.5,0\n%s,0.5,1\n",
                     longs[i]);
            linpred_data *data = load_text("long.csv", text, "y");
            assert_int_equal(data->decimals->column[last], -1);
            assert_int_equal(data->decimals->column[!last], 1);
            linpred_data_free(data);
            snprintf(text, sizeof text, last ? "y,a,b\n0,0.5,0.5\n1,0.5,%s\n" : "b,a,y\n0.5,0.5,0\n%s,0.5,1\n",
                     shorts[i]);
            data = load_text("short.csv", text, "y");
            assert_int_equal(data->decimals->column[last], i == 5 ? 15 : 1);
            linpred_data_free(data);
        }
}

/* x of every size and number of decimals: 10^K x is n 10^(K-k), as integers have it. */
static void cells_are_whole(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    linpred__decimals *decimals = calloc(1, sizeof *decimals + 1);
    mpz_t found, expected, part;
    mpz_inits(found, expected, part, NULL);
    for (int i = 0; i < 200000; i++) {
        int k = (int)linpred__random_below(&random, 19);
        int64_t bound = 1;
        for (int d = (int)linpred__random_below(&random, 16); d > 0; d--)
            bound *= 10;
        int64_t n = (int64_t)linpred__random_below(&random, (uint64_t)bound);
        char text[64];
        snprintf(text, sizeof text, "%lldE-%d", (long long)n, k);
        decimals->column[0] = (signed char)k;
        decimals->most = k + (int)linpred__random_below(&random, (uint64_t)(19 - k));
        decimals->unit = linpred__tens[decimals->most];
        linpred__dd whole = linpred__whole_cell(decimals, 0, strtod(text, NULL));
        mpz_set_d(found, whole.hi);
        mpz_set_d(part, whole.lo);
        mpz_add(found, found, part);
        mpz_ui_pow_ui(expected, 10, (unsigned long)(decimals->most - k));
        mpz_set_d(part, (double)n);
        mpz_mul(expected, expected, part);
        assert_int_equal(mpz_cmp(found, expected), 0);
    }
    mpz_clears(found, expected, part, NULL);
    free(decimals);
}

static void scores_are_those_of_decimals(void **state)
{
    (void)state;
    linpred_data *data = load_text("scores.csv", "a,b,y\n0.1,0.7,1\n0.3,0.1,1\n0.2,0.4,0\n", "y");
    /* 3 a + b - 1 is 0 in every row. In doubles it is 0 in none but by chance. */
    const double w[] = {3.0, 1.0}, steeper[] = {3.0, 1.0000000000000002};
    for (int32_t r = 0; r < 3; r++) {
        assert_true(linpred__row_score(&data->block[0], r, w, -1.0) == 0.0);
        assert_true(linpred__row_score(&data->block[0], r, steeper, -1.0) > 0.0);
    }
    linpred_data_free(data);
}

/* Rounded once: the score by twice the digits of doubles is that by the exact sum, which coefficients with tails take
   always, also where a row is on the hyperplane or next to it. */
static void scores_are_exact(void **state)
{
    (void)state;
    enum { ROWS = 200, COLUMNS = 40 };
    linpred__random random;
    linpred__random_seed(&random, 9);
    size_t length = 0, room = (size_t)(ROWS + 1) * (COLUMNS + 1) * 24;
    char *text = malloc(room);
    for (int j = 0; j < COLUMNS; j++)
        length += (size_t)snprintf(text + length, room - length, "x%d,", j);
    length += (size_t)snprintf(text + length, room - length, "y\n");
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++)
            length += (size_t)snprintf(text + length, room - length, "%.*f,", j % 7, linpred__random_normal(&random));
        length += (size_t)snprintf(text + length, room - length, "%d\n", i % 2);
    }
    linpred_data *data = load_text("exact.csv", text, "y");
    assert_non_null(data->decimals);
    double w[COLUMNS], zeros[COLUMNS + 1] = {0.0};
    linpred__tails tail = {1, COLUMNS + 1, zeros};
    for (int trial = 0; trial < 20; trial++) {
        for (int j = 0; j < COLUMNS; j++)
            w[j] = trial % 2 ? (double)linpred__random_below(&random, 9) - 4.0 : linpred__random_normal(&random);
        for (int64_t i = 0; i < data->rows; i++) {
            int32_t r;
            const linpred__block *block = linpred__block_of(data, i, &r);
            double near = linpred__tailed_score(block, r, w, 0.0, &tail), b[] = {0.5, -near, -near * (1.0 + 0x1p-52)};
            for (int k = 0; k < 3; k++)
                assert_true(linpred__exact_score(block, r, w, b[k]) == linpred__tailed_score(block, r, w, b[k], &tail));
        }
    }
    linpred_data_free(data);
    free(text);
}

/* A model knows the decimals of its columns and of its target, and saves them. */
static void models_know_them(void **state)
{
    (void)state;
    linpred_options *options = linpred_options_new();
    linpred_data *data;
    linpred_result *result = NULL, *again = NULL;
    linpred_check *check = NULL;
    char *text = NULL;
    size_t bytes;
    assert_int_equal(linpred_options_set(options, "task", "regression", NULL), LINPRED_OK);
    assert_int_equal(linpred_options_set(options, "target", "y", NULL), LINPRED_OK);
    const char *file =
        save_text("model.csv", "a,b,c,y\n0.1,red,3,1.25\n0.25,blue,4,1.5\n0.5,red,5,2\n1,blue,5,7\n2,red,7,8\n");
    assert_int_equal(linpred_data_load(file, options, &data, NULL), LINPRED_OK);
    assert_int_equal(linpred_fit(data, options, &result, NULL), LINPRED_OK);
    assert_int_equal(linpred_result_to_text(result, &text, &bytes, NULL), LINPRED_OK);
    assert_int_equal(linpred_result_from_text(text, bytes, false, &again, NULL), LINPRED_OK);
    const linpred_model *model = linpred_result_model(again);
    static const int32_t expected[] = {2, 0, 0, 2, 0, 0};
    for (int32_t j = 0; j < 6; j++)
        assert_int_equal(linpred_model_decimals(model, j), expected[j]);
    assert_int_equal(linpred_model_decimals(model, -1), 0);
    assert_int_equal(linpred_model_decimals(NULL, 0), 0);
    assert_int_equal(linpred_verify(again, data, 1, &check, NULL), LINPRED_OK);
    assert_int_equal(linpred_check_verdict(check), LINPRED_WITHIN_TOLERANCE);
    linpred_check_free(check);
    linpred_text_free(text);
    linpred_result_free(result);
    linpred_result_free(again);
    linpred_data_free(data);
    linpred_options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_have_the_decimals_they_need),
        cmocka_unit_test(whole_numbers_and_doubles_have_none),
        cmocka_unit_test(sparse_files_are_alike),
        cmocka_unit_test(long_numbers_mean_doubles),
        cmocka_unit_test(cells_are_whole),
        cmocka_unit_test(scores_are_those_of_decimals),
        cmocka_unit_test(scores_are_exact),
        cmocka_unit_test(models_know_them),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
