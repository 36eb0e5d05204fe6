/* Logistic regression on sparse rows, many enough for rough Hessians made from some of them: few positives, in any
 * order, weighted, with columns that few rows have. And the bound of the gap that needs no Hessian. */
#include "logistic_support.h"

#include "check/logistic/measure.h"
#include "minimise/newton_cg.h"
#include "minimise/row_sample.h"
#include "pass/row_extents.h"

enum { ROWS = 6000, COLUMNS = 40, COMMON = 32, RARE_ROWS = 5 };

/* Columns that most rows have, and columns that few do, with both labels; one row in thirty is positive. `last`: after
   all the others. */
static sample few_positives(uint64_t seed, bool last)
{
    linpred__random random;
    linpred__random_seed(&random, seed);
    sample s = sample_new(ROWS, COLUMNS);
    const int64_t positives = ROWS / 30;
    for (int64_t i = 0; i < ROWS; i++) {
        bool positive = last ? i >= ROWS - positives : i % 30 == 7;
        s.labels[i] = positive ? 1 : -1;
        for (int32_t j = 0; j < COMMON; j++)
            if (linpred__random_uniform(&random) < (positive && j < 6 ? 0.9 - 0.1 * j : 0.7))
                s.values[i * COLUMNS + j] = j % 3 == 0 ? 1.0 : 1.0 + linpred__random_uniform(&random);
    }
    for (int32_t j = COMMON; j < COLUMNS; j++)
        for (int k = 0; k < RARE_ROWS; k++) {
            int64_t row = (int64_t)linpred__random_below(&random, ROWS);
            row = k > 0 ? row : last ? ROWS - 1 - j : 30 * j + 7; /* a positive one */
            s.values[row * COLUMNS + j] = 1.0;
        }
    sample_index(&s);
    return s;
}

/* The gradient vanishes, dense rows give the same answer, and so does any order. Far fewer trips than Newton's own
   steps with a Hessian for each of them would take. */
static void few_positives_in_any_order(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        sample s = few_positives(3, k % 2 == 1);
        double l2 = k < 2 ? 1.0 / ROWS : k < 4 ? 1e-8 : 0.0;
        linpred_options options = logistic_options(l2);
        options.tolerance = 1e-12;
        linpred_result *sparse = fit_optimal(&s, true, &options), *dense = fit_optimal(&s, false, &options);
        assert_true(largest_gradient(&s, &sparse->model, l2) < 1e-7L);
        near(sparse->figures.objective, dense->figures.objective, 1e-11);
        for (int32_t j = 0; j < COMMON; j++)
            assert_true(fabs(sparse->model.w[j] - dense->model.w[j]) < 1e-5);
        if (l2 > 0)
            assert_true(sparse->figures.passes <= 9);
        linpred_result_free(sparse);
        linpred_result_free(dense);
        sample_free(&s);
    }
}

/* Weight k is k copies, and class weights are weights, also for the rows that stand for others. */
static void weights_stay_weights(void **state)
{
    (void)state;
    sample s = few_positives(5, false), t = sample_new(2 * ROWS, COLUMNS);
    int64_t at = 0;
    s.weights = calloc(ROWS, sizeof(double));
    for (int64_t i = 0; i < ROWS; i++) {
        s.weights[i] = 1 + (double)(i % 3 == 0);
        for (int k = 0; k < (int)s.weights[i]; k++, at++) {
            memcpy(t.values + at * COLUMNS, s.values + i * COLUMNS, COLUMNS * sizeof(double));
            t.labels[at] = s.labels[i];
        }
    }
    t.rows = at;
    sample_index(&t);
    linpred_options options = logistic_options(1e-4);
    options.tolerance = 1e-12;
    for (int k = 0; k < 2; k++) {
        options.class_weights = k ? "1:20" : NULL;
        linpred_result *a = fit_optimal(&s, true, &options), *b = fit_optimal(&t, true, &options);
        near(a->figures.objective, b->figures.objective, 1e-12);
        for (int32_t j = 0; j < COLUMNS; j++)
            assert_true(fabs(a->model.w[j] - b->model.w[j]) < 1e-5);
        if (k == 0)
            assert_true(largest_gradient(&s, &a->model, options.l2) < 1e-9L);
        linpred_result_free(a);
        linpred_result_free(b);
    }
    sample_free(&s);
    sample_free(&t);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    sample s = few_positives(7, true);
    linpred_data *data = sample_data(&s, true);
    for (int k = 0; k < 2; k++) {
        linpred_options options = logistic_options(k * 1e-4);
        options.threads = 1;
        linpred_result *one = fit_data(data, &options);
        for (int threads = 2; threads <= 4; threads += 2) {
            options.threads = threads;
            linpred_result *more = fit_data(data, &options);
            assert_memory_equal(one->model.w, more->model.w, COLUMNS * sizeof(double));
            assert_memory_equal(&one->model.b, &more->model.b, sizeof(double));
            assert_int_equal(one->figures.passes, more->figures.passes);
            linpred_result_free(more);
        }
        linpred_result_free(one);
    }
    linpred_data_free(data);
    sample_free(&s);
}

/* A column that a few positive rows alone have, and one that is the sum of two others. */
static void no_minimum_and_dependencies(void **state)
{
    (void)state;
    sample s = few_positives(11, false);
    for (int64_t i = 0; i < ROWS; i++)
        s.values[i * COLUMNS + 39] = i % 30 == 7 && i < 1000;
    sample_index(&s);
    linpred_options options = logistic_options(0.0);
    linpred_data *data = sample_data(&s, true);
    linpred_result *result = fit_data(data, &options);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
    assert_int_equal(linpred_result_separation(result), LINPRED_SEPARATION_QUASI_SEPARATED);
    assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
    linpred_result_free(result);
    linpred_data_free(data);
    for (int64_t i = 0; i < ROWS; i++)
        s.values[i * COLUMNS + 39] = s.values[i * COLUMNS] + s.values[i * COLUMNS + 3];
    sample_index(&s);
    result = fit_optimal(&s, true, &options);
    assert_int_equal(result->figures.rank, COLUMNS);
    assert_true(largest_gradient(&s, &result->model, 0.0) < 1e-9L);
    linpred_result_free(result);
    sample_free(&s);
}

static void little_memory(void **state)
{
    (void)state;
    sample s = few_positives(13, false);
    linpred_data *data = sample_data(&s, true);
    linpred_options options = logistic_options(1e-4);
    options.threads = 1;
    fit_in_little_memory(data, &options, 10);
    linpred_data_free(data);
    sample_free(&s);
}

/* ---- thinning ---------------------------------------------------------------------------------------------------- */

/* Rows above the threshold stay; of the others some are left, each with the threshold's weight in terms of its
   leverage, and together they weigh what all did, but for less than one of them. */
static void thinned_rows_stand_for_all(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 17);
    enum { N = 500 };
    double curvature[N], before[N], leverage[N + 3];
    for (int k = 0; k < 200; k++) {
        linpred__logistic_problem problem = {.leverage = leverage};
        linpred__block block = {.first_row = 3, .rows = N};
        double mean = 0.0, all = 0.0, left = 0.0, threshold = 0.0;
        int kept = 0, whole = 0;
        for (int i = 0; i < N; i++) {
            before[i] = curvature[i] = pow(linpred__random_uniform(&random), 1 + k % 5);
            leverage[3 + i] = 0.001 * linpred__random_uniform(&random) + (i % 50 == 0 ? 0.5 : 0.0);
            mean += curvature[i] / N;
        }
        linpred__hessian_sample(&problem, &block, mean, curvature);
        for (int i = 0; i < N; i++)
            if (curvature[i] != before[i] && curvature[i] != 0.0)
                threshold = curvature[i] * leverage[3 + i];
        assert_true(threshold > 0.0);
        for (int i = 0; i < N; i++) {
            double u = before[i] * leverage[3 + i];
            if (u >= threshold * (1 + 1e-12)) {
                assert_true(curvature[i] == before[i]);
                whole++;
                continue;
            }
            all += u;
            left += curvature[i] * leverage[3 + i];
            kept += curvature[i] != 0.0;
            if (curvature[i] != 0.0)
                near(curvature[i] * leverage[3 + i], threshold, 1e-12);
        }
        assert_true(fabs(all - left) < threshold * (1 + 1e-9));
        assert_true(kept > 0 && whole > 0 && kept + whole < N / 2);
    }
}

/* ---- conjugate gradients in parts -------------------------------------------------------------------------------- */

/* Minimises with at most `passes` more passes in each part. Answers the parts; v is the point at the end. */
static int minimise_in_parts(linpred__run *run, const linpred__problem *problem, int64_t passes, double *v)
{
    linpred__logistic_terms terms = {.class_weight = {1.0, 1.0}};
    linpred__logistic_problem logistic;
    linpred__logistic_point point;
    linpred__cg *cg = NULL;
    linpred__logistic_end end = LINPRED__LOGISTIC_SPENT;
    int parts = 0;
    assert_int_equal(linpred__logistic_open(run, problem, &terms, false, &logistic, NULL), LINPRED_OK);
    assert_true(linpred__logistic_point_open(&logistic, false, &point));
    assert_int_equal(linpred__cg_open(&logistic, &point, &cg, NULL), LINPRED_OK);
    for (; end == LINPRED__LOGISTIC_SPENT; parts++) {
        linpred__cg_goal goal = {.gap = 1e-10,
                                 .max_passes = passes == 0 ? INT64_MAX : logistic.progress.passes + passes};
        int64_t before = logistic.progress.passes;
        assert_int_equal(linpred__cg_run(cg, &goal, &end, NULL), LINPRED_OK);
        assert_true(end != LINPRED__LOGISTIC_SPENT || logistic.progress.passes > before + passes);
    }
    assert_int_equal(end, LINPRED__LOGISTIC_SMALL);
    memcpy(v, point.v, (size_t)logistic.dimension * sizeof *v);
    linpred__cg_close(cg);
    linpred__logistic_point_close(&point);
    linpred__logistic_close(&logistic);
    return parts;
}

/* A limit of work ends the minimisation between steps; going on from there changes no bit. */
static void work_in_parts(void **state)
{
    (void)state;
    sample s = few_positives(7, false);
    linpred__run run = {.max_seconds = INFINITY};
    linpred__problem problem = {.data = sample_data(&s, true), .has_intercept = true};
    double whole[COLUMNS + 1], parts[COLUMNS + 1];
    assert_int_equal(linpred__pool_open(2, &run.pool, NULL), LINPRED_OK);
    assert_int_equal(linpred__find_row_extents(problem.data, run.pool, true, false, &problem.extents, NULL),
                     LINPRED_OK);
    assert_int_equal(minimise_in_parts(&run, &problem, 0, whole), 1);
    assert_true(minimise_in_parts(&run, &problem, 1, parts) >= 3);
    assert_memory_equal(whole, parts, sizeof whole);
    linpred__row_extents_clear(&problem.extents);
    linpred__pool_close(run.pool);
    linpred_data_free((linpred_data *)problem.data);
    sample_free(&s);
}

/* ---- the bound --------------------------------------------------------------------------------------------------- */

static long double objective_of(const sample *s, const linpred_model *model, double l2)
{
    long double sum = 0, weight = 0, square = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        long double z = model->b, c = s->weights ? s->weights[i] : 1.0;
        for (int32_t j = 0; j < s->columns; j++)
            z += (long double)model->w[j] * s->values[i * s->columns + j];
        long double t = s->labels[i] * z;
        sum += c * (t > 0 ? log1pl(expl(-t)) : -t + log1pl(expl(t)));
        weight += c;
    }
    for (int32_t j = 0; j < s->columns; j++)
        square += (long double)model->w[j] * model->w[j];
    return sum / weight + l2 / 2 * square;
}

/* A model moved away from the minimum, mostly along the intercept or not at all along it: the gap is never above what
   is proved of it, without a Hessian (any bound is good enough); and what is proved is not far above it where it is
   small. */
static void penalised_bound_holds(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 23);
    linpred__pool *pool = NULL;
    assert_int_equal(linpred__pool_open(1, &pool, NULL), LINPRED_OK);
    int small = 0;
    for (int k = 0; k < 400; k++) {
        int32_t columns = 1 + k % 4;
        sample s = sample_logistic((uint64_t)k, 20 + k % 60, columns, 1.0 + k % 3);
        for (int64_t i = 0; i < s.rows * columns; i++)
            s.values[i] = s.values[i] * (k % 11 < 3 ? pow(10, 1 - 2 * (k % 11)) : 1) + (k % 7 == 0 ? 2 : 0);
        sample_index(&s);
        double l2 = pow(10, -(k % 5));
        linpred_options options = logistic_options(l2);
        options.tolerance = 1e-12;
        linpred_data *data = sample_data(&s, k % 2);
        linpred_result *result = fit_data(data, &options);
        long double minimum = objective_of(&s, &result->model, l2);
        double size = pow(10, -6 * linpred__random_uniform(&random));
        for (int32_t j = 0; j < columns; j++)
            result->model.w[j] += (k % 3 == 0 ? 0.0 : size) * linpred__random_normal(&random);
        result->model.b += (k % 3 == 1 ? 0.0 : size) * linpred__random_normal(&random);
        linpred__logistic_finding finding;
        linpred__logistic_question question = {
            .model = &result->model, .l2 = l2, .class_weight = {1.0, 1.0}, .tolerance = INFINITY};
        assert_int_equal(linpred__measure_logistic(&question, data, pool, &finding, NULL), LINPRED_OK);
        long double value = objective_of(&s, &result->model, l2), gap = (value - minimum) / value;
        assert_true(finding.proved >= gap && finding.at_least <= gap + 1e-12L);
        if (k % 3 == 0 && size < 1e-4 && l2 > 0.05) {
            small++;
            assert_true(finding.proved < 1e4L * gap); /* quadratic in b: a linear bound is far above */
        }
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
    assert_true(small > 5);
    linpred__pool_close(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_positives_in_any_order),
        cmocka_unit_test(weights_stay_weights),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(no_minimum_and_dependencies),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(thinned_rows_stand_for_all),
        cmocka_unit_test(work_in_parts),
        cmocka_unit_test(penalised_bound_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
