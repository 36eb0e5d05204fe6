/* The questions of regression asked directly: every way of least squares finds the same minimum, and the simplex method
 * for absolute loss finds the lowest point of an edge. */
#include "regression_support.h"

#include "fit/least_absolute/least_absolute.h"
#include "fit/least_squares/least_squares.h"
#include "fit/least_squares/ways.h"
#include "solve/absolute/sign_changes.h"

enum { WAYS = 4 };

/* An objective with measured units and its penalty. */
static linpred__squares_objective open_objective(linpred__run *run, const linpred_data *data,
                                                 const linpred__recipe *recipe, double l2)
{
    linpred__squares_objective objective = {0};
    linpred_error error = {.message = ""};
    assert_int_equal(linpred__design_open(&objective.design, run, data, recipe, true, &error), LINPRED_OK);
    assert_int_equal(linpred__design_measure(&objective.design, &error), LINPRED_OK);
    linpred__squares_set_penalty(&objective, l2);
    return objective;
}

static void solve_one_way(int way, linpred__squares_objective *objective, linpred__squares_solution *solution)
{
    linpred_error error = {.message = ""};
    linpred_status status = LINPRED_OK;
    double contraction = 0.0;
    assert_true(linpred__squares_solution_open(solution, objective->design.width));
    if (way < 3)
        assert_true(linpred__squares_make_map(objective)); /* conjugate gradients take the penalty without it */
    if (way == 0) {
        status = linpred__squares_by_double_double(objective, solution, &error);
    } else if (way == 1) {
        linpred__squares_gram gram = {0};
        assert_int_equal(linpred__squares_gram_sum(&objective->design, &gram, &error), LINPRED_OK);
        assert_true(linpred__squares_gram_in_range(&gram));
        status = linpred__squares_by_gram(objective, &gram, solution, &contraction, &error);
        linpred__squares_gram_clear(&gram);
    } else if (way == 2) {
        status = linpred__squares_by_qr(objective, solution, &contraction, &error);
    } else {
        status = linpred__squares_by_gradients(objective, solution, &error);
    }
    if (status == LINPRED_OK && (way == 1 || way == 2)) {
        assert_true(contraction < 1e-3);
        status = linpred__squares_refine(objective, contraction, solution, &error);
    }
    assert_int_equal(status, LINPRED_OK);
}

static void every_way_finds_the_same_minimum(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 11);
    static const double penalties[] = {0.0, 0.7};
    for (int trial = 0; trial < 6; trial++) {
        sample s = sample_linear(&random, 300 + 50 * trial, 4, 1.0);
        linpred_data *data = sample_data(&s, trial % 2 == 1);
        linpred__recipe *recipe = linpred__recipe_of_arrays(4, &(linpred__array_names){0}, true, 1);
        linpred__run run = {.max_seconds = INFINITY};
        linpred_error error = {.message = ""};
        assert_int_equal(linpred__pool_open(2, &run.pool, &error), LINPRED_OK);
        linpred__squares_solution solution[WAYS];
        for (int way = 0; way < WAYS; way++) {
            linpred__squares_objective objective = open_objective(&run, data, recipe, penalties[trial / 2 % 2]);
            solve_one_way(way, &objective, &solution[way]);
            for (int32_t j = 0; j < 5; j++)
                if (!(fabs(solution[way].w[j].hi - solution[0].w[j].hi) <= 1e-11 * fabs(solution[0].w[j].hi)))
                    fail_msg("way %d, w %d: %.17g and %.17g", way, j, solution[way].w[j].hi, solution[0].w[j].hi);
            assert_int_equal(solution[way].rank, way < 3 ? 5 : -1);
            assert_true(solution[way].has_fingerprint && solution[way].fingerprint == solution[0].fingerprint);
            linpred__squares_objective_clear(&objective);
        }
        for (int way = 0; way < WAYS; way++)
            linpred__squares_solution_clear(&solution[way]);
        linpred__pool_close(run.pool);
        linpred__recipe_release(recipe);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Quantiles of numbers are known: the fit of an intercept alone goes through one of them. */
static void an_intercept_alone_is_a_quantile(void **state)
{
    (void)state;
    const double x[9] = {0}, y[9] = {9, 2, 7, 4, 5, 6, 3, 8, 1};
    linpred_data *data = data_of(9, 1, x, y);
    linpred__recipe *recipe = linpred__recipe_of_arrays(1, &(linpred__array_names){0}, true, 1);
    linpred__run run = {.max_seconds = INFINITY};
    linpred__problem problem = {.data = data, .has_intercept = true};
    linpred_error error = {.message = ""};
    assert_int_equal(linpred__pool_open(1, &run.pool, &error), LINPRED_OK);
    for (int k = 1; k <= 9; k++) {
        linpred__least_absolute answer = {0};
        double quantile = (k - 0.5) / 9.0; /* its loss has the k-th smallest number as its only minimum */
        assert_int_equal(linpred__ask_least_absolute(&run, &problem, recipe, quantile, false, &answer, &error),
                         LINPRED_OK);
        assert_true(answer.proved);
        assert_int_equal(answer.rank, 1);
        assert_int_equal(answer.coefficients.dependencies.count, 1); /* the column is 0 */
        assert_true(answer.coefficients.plain[1].hi == k);
        linpred__least_absolute_clear(&answer);
    }
    linpred__pool_close(run.pool);
    linpred__recipe_release(recipe);
    linpred_data_free(data);
}

static int by_place(const void *a, const void *b)
{
    double x = ((const linpred__sign_change *)a)->t, y = ((const linpred__sign_change *)b)->t;
    return (x > y) - (x < y);
}

static void the_lowest_point_is_a_weighted_median(void **state)
{
    (void)state;
    enum { MAX = 40 };
    linpred__random random;
    linpred__random_seed(&random, 12);
    for (int trial = 0; trial < 3000; trial++) {
        linpred__sign_change change[MAX], sorted[MAX];
        int64_t count = 1 + (int64_t)linpred__random_below(&random, MAX);
        double total = 0.0;
        for (int64_t i = 0; i < count; i++) { /* whole numbers: many ties, and sums without rounding */
            change[i] = (linpred__sign_change){1.0 + (double)linpred__random_below(&random, 12),
                                               1.0 + (double)linpred__random_below(&random, 5), i};
            total += change[i].weight;
        }
        double rate = 1.0 + (double)linpred__random_below(&random, (uint64_t)(total + 2.0)), sum = 0.0;
        memcpy(sorted, change, sizeof sorted);
        qsort(sorted, (size_t)count, sizeof *sorted, by_place);
        int64_t at = linpred__lowest_sign_change(change, count, rate), place = 0;
        while (place < count && sum + sorted[place].weight < rate)
            sum += sorted[place++].weight;
        if (place == count) {
            assert_int_equal(at, -1);
            continue;
        }
        assert_true(at >= 0 && change[at].t == sorted[place].t);
        for (int64_t i = 0; i < count; i++)
            assert_true(i < at ? change[i].t <= change[at].t : change[i].t >= change[at].t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_finds_the_same_minimum),
        cmocka_unit_test(an_intercept_alone_is_a_quantile),
        cmocka_unit_test(the_lowest_point_is_a_weighted_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
