/* The checker's enumeration of hyperplanes: against a plain enumeration in integers, against the search's, in units and
 * decimals for which doubles do not decide, and with any number of threads. */
#include "fit_support.h"
#include "fewest_errors_reference.h"
#include "fewest_errors_samples.h"

#include "check/cover/pencils.h"
#include "check/limits.h"
#include "boxes_support.h"
#include "guarded_memory.h"

static int64_t least_of_data(const linpred_data *data, bool has_intercept, const int64_t *cost, int64_t limit,
                             linpred__pool *pool)
{
    int64_t least = -1;
    linpred_error error;
    bool by_boxes;
    linpred__costs_of_data asked = {data, has_intercept, cost, limit, false};
    assert_int_equal(linpred__least_cost_of_data(&asked, pool, &least, &by_boxes, &error), LINPRED_OK);
    return least;
}

/* Multiplies column j by factor[j], which changes no cost. */
static void scale_columns(sample *s, const double *factor)
{
    for (int64_t i = 0; i < s->rows * s->columns; i++)
        s->values[i] *= factor[i % s->columns];
    sample_index(s);
}

/* Some rows of whole numbers, in units for which doubles round their products: the least cost is that of the reference.
 */
static void agrees_on_rows(linpred__random *random, int k, int64_t most_rows, int32_t least_columns, int most)
{
    static const double units[4][4] = {
        {1, 1, 1, 1}, {0x1p-40, 0x1p30, 3, 0x1p-3}, {0x1p200, 0x1p-300, 1, 7}, {1048583, 999983, 1e15 + 1, 1234567891}};
    int64_t rows = 1 + (int64_t)linpred__random_below(random, (uint64_t)most_rows), cost[MAX_ROWS], total = 0;
    int32_t columns = least_columns + (int32_t)linpred__random_below(random, (uint64_t)(5 - least_columns));
    bool intercept = linpred__random_below(random, 2);
    sample s = sample_integers(random, rows, columns, 1 + (int)linpred__random_below(random, (uint64_t)most));
    planes_problem p = {.rows = (int)rows, .columns = columns + intercept};
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++)
            p.z[i][j] = (int64_t)(s.labels[i] * s.values[i * columns + j]);
        if (intercept)
            p.z[i][columns] = (int64_t)s.labels[i];
        cost[i] = 1 + (int64_t)linpred__random_below(random, k % 2 ? 1 : 5);
        p.cost[i] = (double)cost[i];
        total += cost[i];
    }
    int64_t least = (int64_t)least_cost(&p);
    scale_columns(&s, units[k % 4]);
    linpred_data *data = sample_data(&s, k % 3 == 0);
    assert_int_equal(least_of_data(data, intercept, cost, total + 1, NULL), least);
    assert_int_equal(least_of_data(data, intercept, cost, least, NULL), least);
    if (least > 0)
        assert_int_equal(least_of_data(data, intercept, cost, least - 1, NULL), least - 1);
    linpred_data_free(data);
    sample_free(&s);
}

static void agrees_with_the_reference(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 4);
    for (int k = 0; k < 1500; k++)
        agrees_on_rows(&random, k, 12, 1, 4);
    for (int k = 0; k < 4000; k++) /* many rows on a hyperplane, which rounding would move off it */
        agrees_on_rows(&random, 3, 8, 2, 1 + k % 2);
    for (int k = 0; k < 600; k++) /* hyperplanes that hold others, of fewer dimensions, with many rows */
        agrees_on_rows(&random, k, 12, 4, 1);
}

/* Adds multiples of columns to others, as long as doubles hold all numbers. That has an inverse, so no cost changes;
   but products are rounded now, and what is left of their sums are the small numbers of before. */
static void mix_columns(linpred__random *random, planes_problem *p)
{
    for (int turn = 0; turn < 12; turn++) {
        int to = (int)linpred__random_below(random, (uint64_t)p->columns);
        int from = (to + 1 + (int)linpred__random_below(random, (uint64_t)p->columns - 1)) % p->columns;
        int64_t factor = 1 + (int64_t)linpred__random_below(random, 1u << (1 + linpred__random_below(random, 30)));
        int64_t largest = 0;
        for (int i = 0; i < p->rows; i++)
            largest = largest < llabs(p->z[i][from]) ? llabs(p->z[i][from]) : largest;
        if (largest > (INT64_C(1) << 50) / factor)
            continue;
        planes_problem mixed = *p;
        bool fits = true;
        for (int i = 0; i < p->rows; i++) {
            mixed.z[i][to] += (turn % 2 ? factor : -factor) * p->z[i][from];
            fits = fits && llabs(mixed.z[i][to]) < INT64_C(1) << 52;
        }
        if (fits)
            *p = mixed;
    }
}

/* Rows of small numbers, many of them dependent, after a linear map, and multiplied by positive numbers. */
static void maps_change_no_cost(void **state)
{
    (void)state;
    static const int64_t factor[] = {1, 1, 1, 3, 7, 1001};
    static const int shift[] = {0, 0, 0, 60, -200, 300};
    linpred__random random;
    linpred__random_seed(&random, 8);
    for (int k = 0; k < 1500; k++) {
        planes_problem p = {.rows = 3 + (int)linpred__random_below(&random, 7), .columns = 2 + k % 3};
        double x[MAX_ROWS * MAX_COLUMNS], y[MAX_ROWS];
        int64_t cost[MAX_ROWS];
        for (int i = 0; i < p.rows; i++) {
            for (int j = 0; j < p.columns; j++)
                p.z[i][j] = (int64_t)linpred__random_below(&random, 5) - 2;
            p.cost[i] = (double)(cost[i] = 1 + (int64_t)linpred__random_below(&random, 4));
        }
        int64_t least = (int64_t)least_cost(&p);
        for (int i = 0; i < p.rows; i++)
            for (int64_t j = 0, times = factor[linpred__random_below(&random, 6)]; j < p.columns; j++)
                p.z[i][j] *= times;
        mix_columns(&random, &p);
        for (int i = 0; i < p.rows; i++) {
            int bits = k % 4 == 3 ? shift[linpred__random_below(&random, 6)] : 0;
            y[i] = linpred__random_below(&random, 2) ? 1.0 : -1.0;
            for (int j = 0; j < p.columns; j++)
                x[i * p.columns + j] = y[i] * ldexp((double)p.z[i][j], bits);
        }
        linpred_arrays arrays = {
            .struct_size = sizeof arrays, .rows = p.rows, .columns = p.columns, .values = x, .labels = y};
        linpred_data *data = NULL;
        linpred_error error;
        assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_OK);
        assert_int_equal(least_of_data(data, false, cost, 1000, NULL), least);
        linpred_data_free(data);
    }
}

/* Decimals on a coarse grid: rows that are dependent as fractions of ten are so only nearly as doubles. */
static void agrees_with_the_search(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 12);
    for (int k = 0; k < 80; k++) {
        int64_t rows = 10 + (int64_t)linpred__random_below(&random, 20), cost[MAX_ROWS];
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 3);
        sample s = sample_integers(&random, rows, columns, 6);
        for (int64_t i = 0; i < rows * columns; i++)
            s.values[i] /= 10.0;
        for (int64_t i = 0; i < rows; i++)
            cost[i] = 1 + (int64_t)linpred__random_below(&random, 3);
        sample_index(&s);
        linpred_data *data = sample_data(&s, k % 2);
        bool intercept = k % 3 > 0;
        int64_t least = least_of_data(data, intercept, cost, 1000, NULL);
        for (int more = 0; more < 2; more++) {
            assert_true(least_by_boxes(data, intercept, cost, least + more) == least);
        }
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Rows of integers whose angles differ by less than doubles tell: their products decide. (a+1,a) and (a,a+1) add up to
   a multiple of (a,a), which lies between them and is labelled the other way. Quotients of doubles leave such rows in
   the order of the file, so each of them stands first once. */
static void near_angles_are_told_apart(void **state)
{
    (void)state;
    for (int bits = 20; bits <= 60; bits++) {
        double a = ldexp(1.0, bits), unit = bits > 52 ? ldexp(1.0, bits - 52) : 1.0;
        double x[] = {a + unit, a, a, a, a, a + unit, a + unit, a, a, a}, y[] = {1, -1, 1, 1, -1};
        static const int64_t cost[] = {1, 1, 1};
        for (int k = 0; k < 6; k++) {
            int rows = 2 + k / 3, first = k % 3;
            linpred_arrays arrays = {
                .struct_size = sizeof arrays, .rows = rows, .columns = 2, .values = x + 2 * first, .labels = y + first};
            linpred_data *data = NULL;
            linpred_error error;
            assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_OK);
            assert_int_equal(least_of_data(data, false, cost, 3, NULL), rows == 3);
            linpred_data_free(data);
        }
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 3);
    linpred__pool *pool;
    linpred_error error;
    sample s = sample_integers(&random, 40, 3, 5);
    int64_t cost[40];
    for (int i = 0; i < 40; i++)
        cost[i] = 1 + i % 3;
    linpred_data *data = sample_data(&s, false);
    assert_int_equal(linpred__pool_open(3, &pool, &error), LINPRED_OK);
    assert_int_equal(least_of_data(data, true, cost, 1000, pool), least_of_data(data, true, cost, 1000, NULL));
    linpred__pool_close(pool);
    linpred_data_free(data);
    sample_free(&s);
}

/* Wherever memory runs out, it is said, and nothing is answered. */
static void memory_runs_out(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 6);
    sample s = sample_integers(&random, 9, 3, 1);
    int64_t cost[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, found = -1;
    linpred_data *data = sample_data(&s, false);
    linpred__costs_of_data asked = {data, true, cost, 10, false};
    int64_t least = least_of_data(data, true, cost, 10, NULL);
    linpred_error error;
    bool by_boxes;
    for (int64_t granted = 0; found < 0; granted++) {
        scarce_memory(granted);
        linpred_status status = linpred__least_cost_of_data(&asked, NULL, &found, &by_boxes, &error);
        guard_memory(NULL);
        assert_int_equal(status, found < 0 ? LINPRED_ERROR_MEMORY : LINPRED_OK);
        assert_true(granted < 100000);
    }
    assert_int_equal(found, least);
    linpred_data_free(data);
    sample_free(&s);
}

static _Atomic int64_t requests_before_failure;

static void *fail_once(void *context, void *memory, size_t bytes)
{
    (void)context;
    return requests_before_failure-- == 0 ? NULL : realloc(memory, bytes);
}

/* If a single request is refused, and later ones are granted, nothing is answered either. */
static void one_request_fails(void **state)
{
    (void)state;
    static const linpred_allocator failing = {sizeof(linpred_allocator), fail_once, scarce_release, NULL};
    linpred__random random;
    linpred__random_seed(&random, 6);
    sample s = sample_integers(&random, 7, 3, 1);
    int64_t cost[7] = {1, 1, 1, 1, 1, 1, 1}, found = -1;
    linpred_data *data = sample_data(&s, false);
    linpred__costs_of_data asked = {data, true, cost, 10, false};
    linpred_error error;
    bool by_boxes, failed = true;
    for (int64_t request = 0; failed; request++) {
        requests_before_failure = request;
        linpred_set_allocator(&failing);
        linpred_status status = linpred__least_cost_of_data(&asked, NULL, &found, &by_boxes, &error);
        guard_memory(NULL);
        failed = requests_before_failure < 0;
        assert_int_equal(status, failed ? LINPRED_ERROR_MEMORY : LINPRED_OK);
    }
    assert_int_equal(found, least_of_data(data, true, cost, 10, NULL));
    linpred_data_free(data);
    sample_free(&s);
}

static int64_t numbers_held;

static void *hold_number(size_t bytes)
{
    numbers_held++;
    return malloc(bytes);
}

static void *change_number(void *number, size_t before, size_t bytes)
{
    (void)before;
    return realloc(number, bytes);
}

static void drop_number(void *number, size_t bytes)
{
    (void)bytes;
    numbers_held--;
    free(number);
}

/* All integers that were made are cleared. */
static void numbers_are_released(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 7);
    sample s = sample_integers(&random, 9, 3, 2);
    int64_t cost[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    linpred_data *data = sample_data(&s, false);
    mp_set_memory_functions(hold_number, change_number, drop_number);
    for (int intercept = 0; intercept < 2; intercept++) {
        numbers_held = 0;
        least_of_data(data, intercept, cost, 10, NULL);
        assert_int_equal(numbers_held, 0);
    }
    mp_set_memory_functions(NULL, NULL, NULL);
    linpred_data_free(data);
    sample_free(&s);
}

/* C(n, k-2) pencils of n vectors. */
static void work_is_known(void **state)
{
    (void)state;
    assert_true(linpred__pencil_vectors(10, 2) == 10);
    assert_true(linpred__pencil_vectors(10, 3) == 100);
    assert_true(linpred__pencil_vectors(10, 4) == 450);
    assert_true(linpred__pencil_vectors(10, 5) == 1200);
    for (int rank = 2; rank < 6; rank++) {
        double vectors = linpred__pencil_vectors(10, rank), pencils = vectors / 10.0;
        near(linpred__pencil_signs(10, rank), LINPRED__SIGNS_OF_A_VECTOR * (vectors + pencils * pow(rank, 3.0)), 1e-15);
    }
    linpred__random random;
    linpred__random_seed(&random, 5);
    sample s = sample_integers(&random, 100, 10, 5); /* too many */
    int64_t cost[100] = {0};
    linpred_data *data = sample_data(&s, false);
    assert_int_equal(least_of_data(data, true, cost, 1000, NULL), -1);
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_change_no_cost),    cmocka_unit_test(agrees_with_the_reference),
        cmocka_unit_test(agrees_with_the_search), cmocka_unit_test(near_angles_are_told_apart),
        cmocka_unit_test(threads_change_nothing), cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(one_request_fails),      cmocka_unit_test(numbers_are_released),
        cmocka_unit_test(work_is_known),
    };
    return cmocka_run_group_tests(tests, guard_memory, NULL);
}
