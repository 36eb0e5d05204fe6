/* Few mistakes: method exact is never worse than auto, auto never worse than the halfspace of logistic regression, and
 * exact never worse than pocket. The intercept that costs least is the best of all intercepts. */
#include "fewest_errors_samples.h"
#include "fit_support.h"
#include "reference_data.h"
#include "separate/fewest_errors/threshold.h"

static double errors_by(const linpred_data *data, linpred_task task, linpred_method method, double l2)
{
    linpred_options options;
    linpred__options_init(&options);
    options.task = task;
    options.method = method;
    options.l2 = l2;
    options.max_seconds = 5.0;
    if (method == LINPRED_METHOD_POCKET)
        options.max_passes = 50;
    linpred_result *result = fit_data(data, &options);
    double errors = result->figures.errors;
    linpred_result_free(result);
    return errors;
}

static void in_order(const sample *s, bool sparse)
{
    linpred_data *data = sample_data(s, sparse);
    double exact = errors_by(data, LINPRED_TASK_HALFSPACE, LINPRED_METHOD_EXACT, 0.0);
    double chosen = errors_by(data, LINPRED_TASK_HALFSPACE, LINPRED_METHOD_AUTO, 0.0);
    double pocket = errors_by(data, LINPRED_TASK_HALFSPACE, LINPRED_METHOD_POCKET, 0.0);
    if (!(exact <= chosen && exact <= pocket))
        fail_msg("exact makes %g mistakes, auto %g, pocket %g", exact, chosen, pocket);
    for (int k = 0; k < 2; k++) {
        double logistic = errors_by(data, LINPRED_TASK_LOGISTIC, LINPRED_METHOD_AUTO, k == 0 ? 1e-12 : 1e-3);
        if (!(chosen <= logistic))
            fail_msg("auto makes %g mistakes, logistic regression %g", chosen, logistic);
    }
    linpred_data_free(data);
}

static void no_method_loses_to_a_simpler_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        sample s = overlapping(seed, 20 + 7 * (int64_t)seed, 1 + (int32_t)(seed % 4));
        in_order(&s, seed % 2);
        sample_free(&s);
    }
}

/* A label in five is wrong, and rows far from the hyperplane are wrong more often: pocket and least squares suffer. */
static sample lopsided(uint64_t seed, int64_t rows, int32_t columns)
{
    linpred__random random;
    linpred__random_seed(&random, seed);
    sample s = sample_new(rows, columns);
    for (int64_t i = 0; i < rows; i++) {
        double sum = 1.0, stretch = exp(linpred__random_normal(&random));
        for (int32_t j = 0; j < columns; j++) {
            double x = stretch * linpred__random_normal(&random);
            s.values[i * columns + j] = x;
            sum += j < 3 ? x : 0.1 * x;
        }
        bool wrong = linpred__random_below(&random, 100) < (stretch > 2.0 ? 35 : 15);
        s.labels[i] = (sum > 0) != wrong ? 1.0 : -1.0;
    }
    sample_index(&s);
    return s;
}

static void nor_on_many_rows(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        sample s = lopsided(seed, 9000, 12);
        in_order(&s, false);
        sample_free(&s);
    }
}

/* Ends method exact once it searches the working rows: what other methods find must be known by then. */
static bool until_exact(void *context, const linpred_progress *progress)
{
    (void)context;
    return strcmp(progress->stage, "exact") != 0;
}

/* Public sets with thousands of mistakes, where the search itself has hardly begun after seconds. */
static void nor_on_public_sets(void **state)
{
    (void)state;
    static const char *const names[] = {"a1a", "a9a", "w8a"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/classify/%s", reference_data(), names[k]);
        if (access(path, R_OK) != 0) {
            print_message("there is no %s\n", path);
            continue;
        }
        linpred_options options;
        linpred__options_init(&options);
        linpred_data *data = NULL;
        linpred_error error = {.message = ""};
        if (linpred_data_load(path, &options, &data, &error) != LINPRED_OK)
            fail_msg("%s", error.message);
        double errors[3];
        for (int method = 0; method < 3; method++) {
            linpred__options_init(&options);
            if (method == 0) {
                options.method = LINPRED_METHOD_EXACT;
                options.on_progress = until_exact;
            } else if (method == 2) {
                options.task = LINPRED_TASK_LOGISTIC;
                options.l2 = 1e-9;
            }
            linpred_result *result = fit_data(data, &options);
            errors[method] = result->figures.errors;
            linpred_result_free(result);
        }
        if (!(errors[0] <= errors[1] && errors[1] <= errors[2]))
            fail_msg("%s: exact makes %g mistakes, auto %g, logistic regression %g", names[k], errors[0], errors[1],
                     errors[2]);
        linpred_data_free(data);
    }
}

/* ---- the intercept ----------------------------------------------------------------------------------------------- */

static double cost_at(const sample *s, const double *w, double b, const double each[2])
{
    double cost = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        double score = b;
        for (int32_t j = 0; j < s->columns; j++)
            score += w[j] * s->values[i * s->columns + j];
        if (s->labels[i] * score <= 0)
            cost += each[s->labels[i] > 0];
    }
    return cost;
}

/* Values and weights are multiples of 1/8, so that scores are exact; all thresholds between two of them are tried. */
static void the_intercept_costs_least(void **state)
{
    (void)state;
    static const double each[2][2] = {{1.0, 1.0}, {1.0, 2.5}};
    for (uint64_t seed = 1; seed <= 50; seed++) {
        sample s = overlapping(seed, 3 + (int64_t)seed % 30, 2);
        linpred_data *data = sample_data(&s, seed % 2);
        double w[2] = {(double)(seed % 5) - 2.0, (double)(seed % 7) / 8.0 - 0.25}, b = NAN, least = INFINITY;
        linpred__run run = {.max_seconds = INFINITY};
        linpred__problem problem = {.data = data, .has_intercept = true};
        linpred_error error = {.message = ""};
        const double *costs = each[seed % 3 == 0];
        assert_int_equal(linpred__find_threshold(&run, &problem, costs, w, &b, &error), LINPRED_OK);
        for (double t = -200.0; t <= 200.0; t += 1.0 / 128.0)
            least = fmin(least, cost_at(&s, w, t, costs));
        assert_true(cost_at(&s, w, b, costs) == least);
        linpred_data_free(data);
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_method_loses_to_a_simpler_one),
        cmocka_unit_test(nor_on_many_rows),
        cmocka_unit_test(nor_on_public_sets),
        cmocka_unit_test(the_intercept_costs_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
