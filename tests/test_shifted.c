/* Copies of sparse rows: about the centres of columns, and dense; against plain loops. And a logistic fit of sparse
 * rows with a column far from 0, a few of whose entries are missing, against that of their dense copy. */
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "fit_support.h"
#include "logistic_support.h"

/* The entry of a row, whatever the layout. */
static double entry_at(const linpred_data *data, int64_t row, int32_t column)
{
    int32_t r;
    const linpred__block *block = linpred__block_of(data, row, &r);
    linpred__entries entries = linpred__entries_of(block, r);
    for (int64_t k = 0; k < entries.count; k++)
        if (linpred__entry_column(&entries, k) == column)
            return entries.values[k];
    return 0.0;
}

static void copies(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    for (int k = 0; k < 60; k++) {
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 7);
        sample s = sample_integers(&random, 1 + (int64_t)linpred__random_below(&random, 200), columns, 2);
        linpred_data *data = sample_data(&s, true), *shifted = NULL, *dense = NULL;
        double shift[7];
        for (int32_t j = 0; j < columns; j++)
            shift[j] = linpred__random_below(&random, 2) ? (double)linpred__random_below(&random, 5) - 2.0 : 0.0;
        assert_int_equal(linpred__data_shifted(data, shift, &shifted, NULL), LINPRED_OK);
        assert_int_equal(linpred__data_dense(data, &dense, NULL), LINPRED_OK);
        assert_true(shifted->layout == LINPRED__SPARSE && dense->layout == LINPRED__DENSE);
        int64_t entries = 0;
        for (int64_t i = 0; i < data->blocks; i++)
            entries += shifted->block[i].start[shifted->block[i].rows];
        assert_true(entries == shifted->entries);
        for (int64_t i = 0; i < s.rows; i++)
            for (int32_t j = 0; j < columns; j++) {
                assert_true(entry_at(shifted, i, j) == s.values[i * columns + j] - shift[j]);
                assert_true(entry_at(dense, i, j) == s.values[i * columns + j]);
            }
        linpred_data_free(shifted);
        linpred_data_free(dense);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Times in seconds, of mean 1.7e9 and standard deviation 10, beside another column. */
static void times(void **state)
{
    (void)state;
    enum { ROWS = 2000 };
    for (int k = 0; k < 6; k++) {
        sample s = sample_logistic(7, ROWS, 2, 1.0);
        for (int64_t i = 0; i < ROWS; i++)
            s.values[2 * i] = 1.7e9 + 10.0 * s.values[2 * i];
        sample_index(&s);
        linpred_options options = logistic_options(k % 3 == 2 ? 0.01 : 0.0);
        if (k % 3 == 1)
            options.method = LINPRED_METHOD_NEWTON_CG;
        linpred_data *dense = sample_data(&s, false), *sparse = sample_data(&s, true);
        linpred_result *one = fit_data(dense, &options), *two = fit_data(sparse, &options);
        assert_int_equal(two->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
        near(two->figures.objective, one->figures.objective, 1e-8);
        for (int32_t j = 0; j < 2; j++)
            near(two->model.w[j], one->model.w[j], 1e-3); /* the gap of either may be 1e-8 */
        near(two->model.b, one->model.b, 1e-3);
        if (two->standard_error)
            for (int32_t j = 0; j < 3; j++)
                near(two->standard_error[j], one->standard_error[j], 1e-4);
        assert_int_equal(check_result(two, sparse).verdict, LINPRED_PROVED);
        linpred_result_free(one);
        linpred_result_free(two);
        linpred_data_free(dense);
        linpred_data_free(sparse);
        sample_free(&s);
    }
}

/* The same column with an entry missing here and there still gets a centre where few are; the fit is that of the dense
   copy. */
static void few_entries_are_missing(void **state)
{
    (void)state;
    enum { ROWS = 3000 };
    sample s = sample_logistic(9, ROWS, 2, 1.0);
    for (int64_t i = 0; i < ROWS; i++)
        s.values[2 * i] = i % 1000 == 7 ? 0.0 : 1e3 + 0.5 * s.values[2 * i];
    sample_index(&s);
    linpred_options options = logistic_options(0.0);
    linpred_data *dense = sample_data(&s, false), *sparse = sample_data(&s, true);
    linpred_result *one = fit_data(dense, &options), *two = fit_data(sparse, &options);
    assert_int_equal(one->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_int_equal(two->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    near(two->figures.objective, one->figures.objective, 1e-9);
    near(two->model.w[0], one->model.w[0], 1e-6);
    near(two->model.w[1], one->model.w[1], 1e-6);
    assert_int_not_equal(check_result(two, sparse).verdict, LINPRED_REFUTED);
    linpred_result_free(one);
    linpred_result_free(two);
    linpred_data_free(dense);
    linpred_data_free(sparse);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(times),
                                       cmocka_unit_test(few_entries_are_missing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
