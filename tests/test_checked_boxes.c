/* The checker's boxes of halfspaces: against a plain enumeration in integers, against its own pencils, in units for
 * which doubles do not decide, with opposite rows, costs, any number of threads, and while memory runs out. */
#include "claim_support.h"
#include "fit_support.h"
#include "fewest_errors_reference.h"
#include "fewest_errors_samples.h"

#include "check/cover/boxes.h"

/* All rows of some data, as integers. */
typedef struct all_rows {
    linpred__whole_rows whole;
    linpred__row_set set;
    int32_t place[1100];
    int32_t column[20];
} all_rows;

static void open_all(const linpred_data *data, bool has_intercept, const int64_t *cost, all_rows *all)
{
    int32_t columns = data->columns + has_intercept;
    assert_true(data->rows <= 1100 && columns <= 20);
    for (int32_t i = 0; i < data->rows; i++)
        all->place[i] = i;
    for (int32_t j = 0; j < columns; j++)
        all->column[j] = j;
    assert_true(linpred__whole_rows_open(data, has_intercept, &all->whole));
    all->set = (linpred__row_set){&all->whole, cost, (int32_t)data->rows, all->place, columns, all->column};
}

/* What boxes say of all rows. */
static linpred__boxes_say say_of(const linpred_data *data, bool has_intercept, const int64_t *cost, int64_t limit,
                                 linpred__pool *pool)
{
    all_rows all;
    open_all(data, has_intercept, cost, &all);
    linpred__boxes_say say = linpred__divide_halfspaces(&all.set, pool, limit, 1e9);
    linpred__whole_rows_close(&all.whole);
    return say;
}

/* The fewest signs with which boxes prove the limit, to 1 %. */
static double signs_for(const linpred_data *data, bool has_intercept, const int64_t *cost, int64_t limit)
{
    double low = 1.0, high = 1e9;
    all_rows all;
    open_all(data, has_intercept, cost, &all);
    while (high > 1.01 * low) {
        double middle = sqrt(low * high);
        bool proved = linpred__divide_halfspaces(&all.set, NULL, limit, middle) == LINPRED__BOXES_PROVE;
        *(proved ? &high : &low) = middle;
    }
    linpred__whole_rows_close(&all.whole);
    return high;
}

/* By pencils: the smaller of `limit` and the least cost. */
static int64_t least_by_pencils(const linpred_data *data, bool has_intercept, const int64_t *cost, int64_t limit)
{
    all_rows all;
    open_all(data, has_intercept, cost, &all);
    int64_t least = linpred__least_cost(&all.set, NULL, limit);
    linpred__whole_rows_close(&all.whole);
    return least;
}

/* Small integers in few columns: many rows are equal, opposite, zero, or meet in one hyperplane. */
static void agrees_with_the_reference(void **state)
{
    (void)state;
    static const double units[4][4] = {
        {1, 1, 1, 1}, {0x1p-40, 0x1p30, 3, 0x1p-3}, {0x1p200, 0x1p-300, 1, 7}, {1048583, 999983, 1e15 + 1, 1234567891}};
    linpred__random random;
    linpred__random_seed(&random, 14);
    for (int k = 0; k < 3000; k++) {
        int64_t rows = 1 + (int64_t)linpred__random_below(&random, 14), cost[MAX_ROWS];
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 4);
        bool intercept = linpred__random_below(&random, 2);
        sample s = sample_integers(&random, rows, columns, 1 + (int)linpred__random_below(&random, 4));
        planes_problem p = {.rows = (int)rows, .columns = columns + intercept};
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                p.z[i][j] = (int64_t)(s.labels[i] * s.values[i * columns + j]);
                s.values[i * columns + j] *= units[k % 4][j];
            }
            if (intercept)
                p.z[i][columns] = (int64_t)s.labels[i];
            cost[i] = 1 + (int64_t)linpred__random_below(&random, k % 2 ? 1 : 5);
            p.cost[i] = (double)cost[i];
        }
        sample_index(&s);
        int64_t least = (int64_t)least_cost(&p);
        linpred_data *data = sample_data(&s, k % 3 == 0);
        assert_int_equal(say_of(data, intercept, cost, least + 1, NULL), LINPRED__BOXES_OPEN);
        assert_int_equal(say_of(data, intercept, cost, least, NULL), LINPRED__BOXES_PROVE);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* More rows, on grids: pencils know the least cost. In tenths, rows that meet as fractions of ten do so only nearly as
   doubles, and boxes may leave it open. */
static void agrees_with_pencils(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 15);
    for (int k = 0; k < 120; k++) {
        int64_t rows = 20 + (int64_t)linpred__random_below(&random, 50), cost[100];
        int32_t columns = 1 + k % 3;
        sample s = sample_integers(&random, rows, columns, 2 + k % 9);
        for (int64_t i = 0; i < rows * columns; i++)
            s.values[i] /= k % 6 < 3 ? 8.0 : 10.0;
        for (int64_t i = 0; i < rows; i++)
            cost[i] = k % 2 ? 1 : 1 + (int64_t)linpred__random_below(&random, 1000);
        sample_index(&s);
        linpred_data *data = sample_data(&s, k % 5 == 0);
        bool intercept = k % 4 > 0;
        int64_t least = least_by_pencils(data, intercept, cost, INT64_MAX / 2);
        linpred__boxes_say say = say_of(data, intercept, cost, least, NULL);
        assert_true(say == LINPRED__BOXES_PROVE || (k % 6 >= 3 && say == LINPRED__BOXES_OPEN));
        assert_int_equal(say_of(data, intercept, cost, least + 1, NULL), LINPRED__BOXES_OPEN);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* (a+1,a) and (a,a+1) add up to a multiple of (a,a), which lies between them and is labelled the other way: one of the
   three is wrong, none of the first two. Doubles do not tell them apart, so nothing may be proved of two. */
static void near_angles_prove_nothing(void **state)
{
    (void)state;
    for (int bits = 1; bits <= 60; bits++) {
        double a = ldexp(1.0, bits), unit = bits > 52 ? ldexp(1.0, bits - 52) : 1.0;
        double x[] = {a + unit, a, a, a, a, a + unit}, y[] = {1, -1, 1};
        static const int64_t cost[] = {1, 1, 1};
        for (int rows = 2; rows <= 3; rows++) {
            linpred_arrays arrays = {
                .struct_size = sizeof arrays, .rows = rows, .columns = 2, .values = x, .labels = y};
            linpred_data *data = NULL;
            linpred_error error;
            assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_OK);
            assert_int_equal(say_of(data, false, cost, rows - 1, NULL), LINPRED__BOXES_OPEN);
            if (bits < 26)
                assert_true(rows == 2 || say_of(data, false, cost, 1, NULL) == LINPRED__BOXES_PROVE);
            linpred_data_free(data);
        }
    }
}

/* Rows that a planted halfspace has on its right side by 2^-bits of their length, all around it: it makes no mistake,
   so that nothing may be proved, however narrow the cone of such halfspaces is. */
static void a_narrow_cone_is_not_missed(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 16);
    for (int bits = 5; bits <= 52; bits++) {
        sample s = sample_new(60, 3);
        int64_t cost[60];
        for (int i = 0; i < 60; i++) {
            double *x = s.values + 3 * i, w[3] = {0.75, -0.5, 1.0};
            x[0] = nearbyint(0x1p10 * linpred__random_normal(&random));
            x[1] = nearbyint(0x1p10 * linpred__random_normal(&random));
            s.labels[i] = i % 2 ? 1.0 : -1.0;
            x[2] = -(w[0] * x[0] + w[1] * x[1]) + s.labels[i] * ldexp(1024.0, -bits);
            cost[i] = 1;
        }
        sample_index(&s);
        linpred_data *data = sample_data(&s, false);
        for (int intercept = 0; intercept < 2; intercept++)
            assert_int_equal(say_of(data, intercept, cost, 1, NULL), LINPRED__BOXES_OPEN);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Of opposite rows the dearer is left with the difference; every halfspace pays the rest. */
static void opposites_cancel(void **state)
{
    (void)state;
    double x[] = {1, 2, 1, 2, 3, 1, 1, 2, 0, 0}, y[] = {1, -1, 1, 1, 1};
    static const int64_t cost[] = {2, 5, 7, 1, 4};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 5, .columns = 2, .values = x, .labels = y};
    linpred_data *data = NULL;
    linpred_error error;
    all_rows all;
    int32_t row[5];
    int64_t left[5], always;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_OK);
    open_all(data, false, cost, &all);
    assert_int_equal(linpred__cancel_opposites(&all.set, row, left, &always), 2);
    assert_int_equal(always, 3 + 4);
    assert_int_equal(row[0], 1);
    assert_int_equal(row[1], 2);
    assert_int_equal(left[1], 5 - 3);
    assert_int_equal(left[2], 7);
    assert_int_equal(left[0] + left[3] + left[4], 0);
    all.set.cost = (const int64_t[]){9, 5, 7, 1, 4}; /* of equal rows the first is left */
    assert_int_equal(linpred__cancel_opposites(&all.set, row, left, &always), 2);
    assert_int_equal(always, 5 + 4);
    assert_int_equal(row[0], 0);
    assert_int_equal(left[0], 9 + 1 - 5);
    assert_int_equal(left[1] + left[3] + left[4], 0);
    linpred__whole_rows_close(&all.whole);
    linpred_data_free(data);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    linpred__pool *pool;
    linpred_error error;
    sample s = overlapping(5, 150, 3);
    int64_t cost[150];
    for (int i = 0; i < 150; i++)
        cost[i] = 1 + i % 3;
    linpred_data *data = sample_data(&s, false);
    assert_int_equal(linpred__pool_open(3, &pool, &error), LINPRED_OK);
    int64_t least = least_by_pencils(data, true, cost, 1000);
    for (int64_t limit = least - 1; limit <= least + 1; limit++) {
        linpred__boxes_say expected = limit <= least ? LINPRED__BOXES_PROVE : LINPRED__BOXES_OPEN;
        assert_int_equal(say_of(data, true, cost, limit, pool), expected);
        assert_int_equal(say_of(data, true, cost, limit, NULL), expected);
    }
    linpred__pool_close(pool);
    linpred_data_free(data);
    sample_free(&s);
}

/* Rows in space of which a third has the wrong label. */
static sample many_mistakes(void)
{
    sample s = overlapping(8, 300, 3);
    for (int64_t i = 0; i < s.rows; i += 3)
        s.labels[i] = -s.labels[i];
    return s;
}

/* The whole way: a fit whose proof is empty. Threads change neither the model nor the verdict, and a bound
   that is one too high is refuted. */
static void fits_are_proved_by_boxes(void **state)
{
    (void)state;
    sample s = many_mistakes();
    linpred_data *data = sample_data(&s, false);
    for (int with_costs = 0; with_costs < 2; with_costs++) {
        linpred_options options = exact_options(false);
        linpred_result *result[2];
        options.cost = with_costs ? "1:3" : NULL;
        for (int k = 0; k < 2; k++) {
            options.threads = 1 + 2 * k;
            result[k] = fit_data(data, &options);
            assert_int_equal(result[k]->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
            assert_int_equal(claim_of(result[k], LINPRED_CLAIM_FEWEST_ERRORS)->by.cover.nodes, 0);
            assert_int_equal(check_result(result[k], data).verdict, LINPRED_PROVED);
        }
        assert_memory_equal(result[0]->model.w, result[1]->model.w, 3 * sizeof(double));
        assert_true(result[0]->model.b == result[1]->model.b);
        result[0]->figures.lower_bound += 1;
        assert_int_equal(check_result(result[0], data).verdict, LINPRED_REFUTED);
        linpred_result_free(result[0]);
        linpred_result_free(result[1]);
    }
    linpred_data_free(data);
    sample_free(&s);
}

/* A check that runs out of memory says so, wherever that happens. */
static void memory_may_run_out(void **state)
{
    (void)state;
    sample s = many_mistakes();
    linpred_data *data = sample_data(&s, false);
    linpred_options options = exact_options(false);
    linpred_result *result = fit_data(data, &options);
    int failed = 0;
    linpred_status status = LINPRED_ERROR_MEMORY;
    for (int64_t requests = 0; status != LINPRED_OK; requests += 1 + requests / 8) {
        checked check;
        linpred_error error;
        scarce_memory(requests);
        status = verify_result(result, data, 1, &check, &error);
        enough_memory();
        assert_true(status == LINPRED_OK || status == LINPRED_ERROR_MEMORY);
        failed += status != LINPRED_OK;
    }
    assert_true(failed > 10);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

/* Columns far from 0, of other units and in other orders cost no more work, with a constant column in any place as with
   an intercept. How much work the rows are is recorded. */
static void units_and_places_are_no_work(void **state)
{
    (void)state;
    sample s = overlapping(5, 60, 2);
    int64_t cost[60];
    for (int i = 0; i < 60; i++)
        cost[i] = 1 + i % 3;
    linpred_data *data = sample_data(&s, false);
    int64_t least = least_by_pencils(data, true, cost, 1000);
    double plain = signs_for(data, true, cost, least);
    assert_in_range((int)plain, 34000, 36000);
    linpred_data_free(data);
    for (int k = 0; k < 6; k++) {
        sample other = sample_new(60, 3);
        for (int i = 0; i < 60; i++) {
            double *x = other.values + 3 * i;
            other.labels[i] = s.labels[i];
            x[k % 3] = 1.0;
            x[(k + 1) % 3] = s.values[2 * i] + (k < 3 ? 0.0 : 0x1p9);
            x[(k + 2) % 3] = (s.values[2 * i + 1] - (k < 3 ? 0.0 : 0x1p10)) * 0x1p70;
        }
        sample_index(&other);
        data = sample_data(&other, k % 2);
        assert_in_range((int)(100 * signs_for(data, false, cost, least) / plain), 98, 102);
        linpred_data_free(data);
        sample_free(&other);
    }
    sample_free(&s);
}

/* A row near the mean of its columns is the least certain when these are centred. It decides the rounding, wherever it
   stands. */
static void one_row_decides_the_rounding(void **state)
{
    (void)state;
    static const double away[] = {0.0, 4096.0, -4096.0, 4096.0, -4096.0};
    static const int64_t cost[] = {1, 1, 1, 1, 1};
    for (int k = 0; k < 5; k++) {
        sample s = sample_new(5, 1);
        for (int i = 0; i < 5; i++) {
            s.values[i] = 0x1p20 + away[(i + k) % 5];
            s.labels[i] = i % 2 ? 1.0 : -1.0;
        }
        sample_index(&s);
        linpred_data *data = sample_data(&s, false);
        all_rows all;
        linpred__checked_rows rows;
        open_all(data, true, cost, &all);
        assert_true(linpred__checked_rows_open(&all.set, &rows));
        double size = 2.0 * 0x1p20 / (4096.0 * sqrt(0.8)) + 1.0, expected = 0x1p-49 * size + 0x1p-41;
        assert_true(fabs(rows.tolerance / expected - 1.0) < 1e-9);
        linpred__checked_rows_close(&rows);
        linpred__whole_rows_close(&all.whole);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Beside a row of 2^600 doubles hold nothing of one of 2^-600: no score is certain. */
static void a_row_that_vanishes_is_not_known(void **state)
{
    (void)state;
    sample s = sample_new(2, 1);
    static const int64_t cost[] = {1, 1};
    s.values[0] = 0x1p600;
    s.values[1] = 0x1p-600;
    s.labels[0] = s.labels[1] = 1.0;
    sample_index(&s);
    linpred_data *data = sample_data(&s, false);
    all_rows all;
    linpred__checked_rows rows;
    open_all(data, false, cost, &all);
    assert_true(linpred__checked_rows_open(&all.set, &rows));
    assert_true(isinf(rows.tolerance));
    linpred__checked_rows_close(&rows);
    linpred__whole_rows_close(&all.whole);
    linpred_data_free(data);
    sample_free(&s);
}

/* A question that runs out of memory says so, wherever that happens. */
static void each_request_may_fail(void **state)
{
    (void)state;
    sample s = overlapping(5, 60, 2);
    int64_t cost[60];
    for (int i = 0; i < 60; i++)
        cost[i] = 1 + i % 2;
    linpred_data *data = sample_data(&s, false);
    int64_t least = least_by_pencils(data, true, cost, 1000), requests = 0;
    all_rows all;
    open_all(data, true, cost, &all);
    for (linpred__boxes_say say = LINPRED__BOXES_NO_MEMORY; say == LINPRED__BOXES_NO_MEMORY; requests++) {
        scarce_memory(requests);
        say = linpred__divide_halfspaces(&all.set, NULL, least, 1e9);
        enough_memory();
        assert_true(say == LINPRED__BOXES_NO_MEMORY || (say == LINPRED__BOXES_PROVE && requests > 10));
    }
    linpred__whole_rows_close(&all.whole);
    linpred_data_free(data);
    sample_free(&s);
}

/* Too many columns are not tried. */
static void columns_are_bounded(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 17);
    sample s = sample_integers(&random, 5, 16, 3);
    static const int64_t cost[] = {1, 1, 1, 1, 1};
    linpred_data *data = sample_data(&s, false);
    assert_int_equal(say_of(data, false, cost, 1, NULL), LINPRED__BOXES_OPEN);
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opposites_cancel),
        cmocka_unit_test(columns_are_bounded),
        cmocka_unit_test(one_row_decides_the_rounding),
        cmocka_unit_test(a_row_that_vanishes_is_not_known),
        cmocka_unit_test(near_angles_prove_nothing),
        cmocka_unit_test(units_and_places_are_no_work),
        cmocka_unit_test(each_request_may_fail),
        cmocka_unit_test(agrees_with_pencils),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_narrow_cone_is_not_missed),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(fits_are_proved_by_boxes),
        cmocka_unit_test(agrees_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
