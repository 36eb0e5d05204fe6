/* Method exact: the least cost against a plain enumeration in integers, its certificate, its limits. */
#include <unistd.h>

#include "boxes_support.h"
#include "claim_support.h"
#include "fit_support.h"
#include "model/model.h"
#include "fewest_errors_reference.h"
#include "fewest_errors_samples.h"

static planes_problem reference_of(const sample *s, bool no_intercept, const double each[2])
{
    planes_problem p = {.rows = (int)s->rows, .columns = s->columns + !no_intercept};
    for (int i = 0; i < p.rows; i++) {
        for (int j = 0; j < s->columns; j++)
            p.z[i][j] = (int64_t)(s->labels[i] * s->values[i * s->columns + j]);
        if (!no_intercept)
            p.z[i][s->columns] = (int64_t)s->labels[i];
        p.cost[i] = (s->weights ? s->weights[i] : 1.0) * each[s->labels[i] > 0];
    }
    return p;
}

/* What w, b of the model cost on the sample: sums of small integers times doubles, settled by long double or by exact
 * zero. */
static double cost_of_model(const sample *s, const linpred_result *result, const double each[2])
{
    const linpred_model *model = linpred_result_model(result);
    const double *w = linpred_model_coefficients(model);
    double cost = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        long double score = linpred_model_intercept(model);
        for (int32_t j = 0; j < s->columns; j++)
            score += (long double)w[j] * s->values[i * s->columns + j];
        if ((double)s->labels[i] * (double)score <= 0)
            cost += (s->weights ? s->weights[i] : 1.0) * each[s->labels[i] > 0];
    }
    return cost;
}

/* Costs in hundredths: going through all hyperplanes must find that none costs less than the least, and that one costs
 * no more. */
static void compare_hyperplanes(const planes_problem *p, const linpred_data *data, bool no_intercept, double min_cost)
{
    int64_t cost[MAX_ROWS], limit = (int64_t)nearbyint(100 * min_cost);
    for (int i = 0; i < p->rows; i++)
        cost[i] = (int64_t)nearbyint(100 * p->cost[i]);
    for (int more = 0; more < 2; more++) {
        assert_true(least_by_boxes(data, !no_intercept, cost, limit + more) == limit);
    }
}

static void compare(const sample *s, bool no_intercept, const char *cost, const double each[2], bool sparse)
{
    linpred_options options = exact_options(no_intercept);
    options.cost = cost;
    planes_problem p = reference_of(s, no_intercept, each);
    double min_cost = least_cost(&p);
    linpred_data *data = sample_data(s, sparse);
    compare_hyperplanes(&p, data, no_intercept, min_cost);
    linpred_result *result = fit_data(data, &options);
    const linpred__figures *figures = &result->figures;
    assert_int_equal(figures->outcome, min_cost > 0 ? LINPRED_OUTCOME_OPTIMAL : LINPRED_OUTCOME_SEPARATED);
    near(figures->cost, min_cost, 1e-12);
    near(figures->lower_bound, min_cost, 1e-12);
    near(cost_of_model(s, result, each), min_cost, 1e-12);
    checked check = check_result(result, data);
    if (check.verdict != LINPRED_PROVED && check.verdict != LINPRED_WITHIN_TOLERANCE)
        fail_msg("%s", check.finding);
    if (min_cost > 0)
        near(check.lower_bound_proved, min_cost, 1e-9);
    linpred_result_free(result);
    linpred_data_free(data);
}

static void agrees_with_enumeration(void **state)
{
    (void)state;
    static const double costs[4][2] = {{1, 1}, {1, 3}, {2.5, 1}, {0.1, 0.7}};
    static const char *const texts[4] = {NULL, "1:3", "2.5:1", "0.1:0.7"};
    linpred__random random;
    linpred__random_seed(&random, 6);
    for (int k = 0; k < 1000; k++) {
        int64_t rows = 2 + (int64_t)linpred__random_below(&random, 11);
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 3);
        sample s = sample_integers(&random, rows, columns, 1 + (int)linpred__random_below(&random, 3));
        if (k % 3 == 0) {
            s.weights = calloc((size_t)rows, sizeof(double));
            for (int64_t i = 0; i < rows; i++)
                s.weights[i] = (k % 2 ? 0.5 : 0.1) * (1 + (double)linpred__random_below(&random, 4));
        }
        int which = k % 5 == 0 ? (int)linpred__random_below(&random, 4) : 0;
        compare(&s, linpred__random_below(&random, 2), texts[which], costs[which], k % 7 == 0);
        sample_free(&s);
    }
}

/* Decimals on a coarse grid: rows that would be dependent as fractions of ten are so only nearly as doubles. Both ways
 * must agree. */
static void both_ways_agree_on_decimals(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 11);
    for (int k = 0; k < 60; k++) {
        int64_t rows = 12 + (int64_t)linpred__random_below(&random, 20), cost[MAX_ROWS];
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 3);
        sample s = sample_integers(&random, rows, columns, 6);
        for (int64_t i = 0; i < rows * columns; i++)
            s.values[i] /= 10.0;
        for (int64_t i = 0; i < rows; i++)
            cost[i] = 1;
        sample_index(&s);
        linpred_data *data = sample_data(&s, k % 2);
        linpred_options options = exact_options(k % 3 == 0);
        linpred_result *result = fit_data(data, &options);
        int64_t errors = (int64_t)result->figures.errors;
        assert_true((double)errors == result->figures.lower_bound);
        for (int more = 0; more < 2; more++) {
            assert_true(least_by_boxes(data, !options.no_intercept, cost, errors + more) == errors);
        }
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* ---- its certificate
 * ------------------------------------------------------------------------------------------------- */

/* Method auto ends with the local search: mistakes as counted here, verified, on any number of threads the same bits;
   nearly always as few as there can be. */
static void auto_is_nearly_exact(void **state)
{
    (void)state;
    enum { SAMPLES = 40 };
    static const double each[2] = {1.0, 1.0};
    int best = 0;
    for (int k = 0; k < SAMPLES; k++) {
        sample s = overlapping(300 + (uint64_t)k, 40, 1 + k % 3);
        if (k % 4 == 0) {
            s.weights = calloc((size_t)s.rows, sizeof(double));
            for (int64_t i = 0; i < s.rows; i++)
                s.weights[i] = 1.0 + (double)(i % 3);
        }
        linpred_data *data = sample_data(&s, k % 2);
        linpred_options options = exact_options(k % 5 == 0);
        linpred_result *exact = fit_data(data, &options);
        options.method = LINPRED_METHOD_AUTO;
        options.threads = 1;
        linpred_result *result = fit_data(data, &options);
        options.threads = 3;
        linpred_result *again = fit_data(data, &options);
        assert_memory_equal(result->model.w, again->model.w, (size_t)s.columns * sizeof(double));
        assert_true(result->model.b == again->model.b);
        double errors = result->figures.errors;
        near(errors, cost_of_model(&s, result, each), 0.0);
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        assert_true(errors >= exact->figures.errors);
        best += errors == exact->figures.errors;
        linpred_result_free(exact);
        linpred_result_free(result);
        linpred_result_free(again);
        linpred_data_free(data);
        sample_free(&s);
    }
    assert_true(best >= SAMPLES - 2);
}

static linpred_verdict verdict_of(const linpred_result *result, const linpred_data *data)
{
    return check_result(result, data).verdict;
}

static void scale_multipliers(linpred__cover_proof *search, double factor)
{
    for (int64_t k = 0; k < search->nodes; k++)
        for (int64_t i = 0; i < search->node[k].count; i++)
            search->node[k].multiplier[i] *= factor;
}

static bool uses(const linpred__cover_proof *search, int64_t row)
{
    for (int64_t s = 0; s < search->subsets; s++)
        for (int64_t i = 0; i < search->subset[s].count; i++)
            if (search->subset[s].row[i] == row)
                return true;
    for (int64_t k = 1; k < search->nodes; k++)
        if (search->node[k].row == row)
            return true;
    return false;
}

static void swap_nodes(linpred__cover_proof *search, int64_t k)
{
    linpred__node node = search->node[k];
    search->node[k] = search->node[k + 1];
    search->node[k + 1] = node;
}

/* A tree of branches that was changed proves less, or nothing. */
static void tampered_trees_fail(const sample *s, linpred_data *data, linpred_result *result)
{
    linpred__cover_proof *search = &claim_of(result, LINPRED_CLAIM_FEWEST_ERRORS)->by.cover;
    assert_true(search->nodes > 1);
    search->nodes--; /* a tree that lacks a branch */
    assert_true(check_result(result, data).lower_bound_proved < result->figures.lower_bound);
    search->nodes++;
    int64_t first = search->node[0].row;
    search->node[0].row = s->rows + 1;
    assert_int_equal(verdict_of(result, data), LINPRED_REFUTED);
    for (search->node[0].row = 1; search->node[0].row == first || uses(search, search->node[0].row);
         search->node[0].row++)
        ;
    assert_int_equal(verdict_of(result, data),
                     LINPRED_PARTLY_PROVED); /* a row of no subset helps none of its branches */
    search->node[0].row = first;

    /* The proof of the branch that keeps the row, for the one that gives it up. Which of them prove the bound all the
       same depends on the tree, and so on the last digits of linear programs. */
    int64_t noticed = 0;
    for (int64_t k = 0; k + 2 < search->nodes; k++) {
        if (search->node[k].row == 0 || search->node[k + 1].row > 0 || search->node[k + 2].row > 0)
            continue;
        swap_nodes(search, k + 1);
        linpred_verdict verdict = verdict_of(result, data);
        assert_true(verdict == LINPRED_PROVED || verdict == LINPRED_PARTLY_PROVED);
        noticed += verdict == LINPRED_PARTLY_PROVED;
        swap_nodes(search, k + 1);
    }
    assert_true(noticed > 0);
    assert_int_equal(verdict_of(result, data), LINPRED_PROVED);
}

static void tampered_proofs_fail(void **state)
{
    (void)state;
    sample s = overlapping(3, 110, 9); /* too many hyperplanes for the verifier to go through */
    linpred_data *data = sample_data(&s, false);
    linpred_options options = exact_options(false);
    linpred_result *result = fit_data(data, &options);
    linpred__figures *figures = &result->figures;
    linpred__cover_proof *search = &claim_of(result, LINPRED_CLAIM_FEWEST_ERRORS)->by.cover;
    assert_int_equal(verdict_of(result, data), LINPRED_PROVED);
    assert_true(search->subsets > 3 && search->nodes >= 1);

    char *weight = search->subset[1].weight[0];
    search->subset[1].weight[0] = (char[]){"12345678901234567890"};
    assert_int_equal(verdict_of(result, data), LINPRED_REFUTED);
    search->subset[1].weight[0] = weight;

    int64_t row = search->subset[0].row[0];
    search->subset[0].row[0] = row == 1 ? 2 : 1;
    assert_int_equal(verdict_of(result, data), LINPRED_REFUTED);
    search->subset[0].row[0] = s.rows + 1;
    assert_int_equal(verdict_of(result, data), LINPRED_REFUTED);
    search->subset[0].row[0] = row;

    figures->lower_bound += 1; /* above what the model itself costs */
    assert_int_equal(verdict_of(result, data), LINPRED_REFUTED);
    figures->lower_bound -= 1;
    figures->errors += 1;
    assert_int_equal(verdict_of(result, data), LINPRED_REFUTED);
    figures->errors -= 1;

    /* Other positive multipliers prove less, and negative ones prove nothing. */
    for (int k = 0; k < 3; k++) {
        double factor = k == 0 ? 0x1p10 : k == 1 ? 0x1p-10 : -1.0;
        scale_multipliers(search, factor);
        checked check = check_result(result, data);
        assert_true(check.lower_bound_proved < figures->lower_bound);
        assert_int_equal(check.verdict, LINPRED_PARTLY_PROVED);
        assert_true(factor > 0 || check.lower_bound_proved == 0.0);
        scale_multipliers(search, 1 / factor);
    }
    assert_int_equal(verdict_of(result, data), LINPRED_PROVED);

    tampered_trees_fail(&s, data, result);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

/* ---- laws, limits
 * ------------------------------------------------------------------------------------------------------ */

static linpred_status save_and_load(const linpred_result *result, linpred_result **back, linpred_error *error)
{
    char path[] = "/tmp/linpred-test-XXXXXX";
    close(mkstemp(path));
    assert_int_equal(linpred_result_save(result, path, error), LINPRED_OK);
    linpred_status status = linpred_result_load(path, false, back, error);
    unlink(path);
    return status;
}

static linpred_result *saved_and_loaded(const linpred_result *result)
{
    linpred_result *back = NULL;
    linpred_error error = {.message = ""};
    if (save_and_load(result, &back, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return back;
}

/* The figures of a claim must agree, also with the outcome. */
static void files_that_say_more_are_refused(const linpred_result *fitted)
{
    linpred_result *result = saved_and_loaded(fitted), *back = NULL;
    linpred_error error;
    linpred__figures *figures = &result->figures;
    figures->lower_bound -= 1; /* below the cost, and yet optimal */
    assert_int_equal(save_and_load(result, &back, &error), LINPRED_ERROR_INPUT);
    figures->outcome = LINPRED_OUTCOME_UNDECIDED;
    linpred_result_free(saved_and_loaded(result));
    figures->lower_bound = figures->cost + 1;
    assert_int_equal(save_and_load(result, &back, &error), LINPRED_ERROR_INPUT);
    assert_non_null(strstr(error.message, "lower_bound"));
    linpred_result_free(result);
}

static void threads_and_files_change_nothing(void **state)
{
    (void)state;
    sample s = overlapping(4, 150, 4);
    linpred_data *data = sample_data(&s, false), *sparse = sample_data(&s, true);
    linpred_options options = exact_options(false);
    options.threads = 1;
    linpred_result *one = fit_data(data, &options);
    options.threads = 3;
    linpred_result *three = fit_data(data, &options), *of_sparse = fit_data(sparse, &options), *back = NULL;
    const linpred__figures *figures = &one->figures;
    assert_int_equal(figures->outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_true(figures->errors > 0);
    for (int32_t j = 0; j < s.columns; j++) {
        double w = linpred_model_coefficients(linpred_result_model(one))[j];
        assert_true(w == linpred_model_coefficients(linpred_result_model(three))[j]);
        assert_true(w == linpred_model_coefficients(linpred_result_model(of_sparse))[j]);
    }
    assert_int_equal(claim_of(one, LINPRED_CLAIM_FEWEST_ERRORS)->by.cover.nodes,
                     claim_of(three, LINPRED_CLAIM_FEWEST_ERRORS)->by.cover.nodes);
    back = saved_and_loaded(one);
    assert_int_equal(verdict_of(back, data), LINPRED_PROVED);
    assert_int_equal(claim_of(back, LINPRED_CLAIM_FEWEST_ERRORS)->by.cover.subsets,
                     claim_of(one, LINPRED_CLAIM_FEWEST_ERRORS)->by.cover.subsets);
    files_that_say_more_are_refused(one);
    linpred_result_free(one);
    linpred_result_free(three);
    linpred_result_free(of_sparse);
    linpred_result_free(back);
    linpred_data_free(data);
    linpred_data_free(sparse);
    sample_free(&s);
}

/* Weight k is k copies; costs 2:2 are costs 1:1 twice. */
static void weights_are_copies(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 9);
    for (int k = 0; k < 20; k++) {
        sample s = overlapping(100 + (uint64_t)k, 40, 2), copies = sample_new(120, 2);
        s.weights = calloc(40, sizeof(double));
        copies.rows = 0;
        for (int64_t i = 0; i < 40; i++) {
            s.weights[i] = 1 + (double)linpred__random_below(&random, 3);
            for (int c = 0; c < (int)s.weights[i]; c++, copies.rows++) {
                memcpy(copies.values + 2 * copies.rows, s.values + 2 * i, 2 * sizeof(double));
                copies.labels[copies.rows] = s.labels[i];
            }
        }
        linpred_data *a = sample_data(&s, false), *b = sample_data(&copies, false);
        linpred_options options = exact_options(false);
        linpred_result *x = fit_data(a, &options);
        options.cost = "2:2";
        linpred_result *y = fit_data(b, &options);
        assert_true(x->figures.errors == y->figures.errors);
        assert_true(2 * x->figures.lower_bound == y->figures.lower_bound);
        assert_int_equal(verdict_of(y, b), LINPRED_PROVED);
        linpred_result_free(x);
        linpred_result_free(y);
        linpred_data_free(a);
        linpred_data_free(b);
        sample_free(&s);
        sample_free(&copies);
    }
}

static bool end_now(void *context, const linpred_progress *progress)
{
    (void)progress;
    ++*(int *)context;
    return false;
}

static void a_stop_keeps_the_best(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    sample s = sample_new(400, 12);
    for (int64_t i = 0; i < s.rows * s.columns; i++)
        s.values[i] = linpred__random_normal(&random);
    for (int64_t i = 0; i < s.rows; i++)
        s.labels[i] = linpred__random_below(&random, 2) ? 1.0 : -1.0; /* nothing to be learned: hours of work */
    linpred_data *data = sample_data(&s, false);
    int asked = 0;
    for (int k = 0; k < 3; k++) {
        linpred_options options = exact_options(false);
        options.context = &asked;
        options.on_progress = k == 0 ? end_now : NULL;
        options.max_seconds = k == 1 ? 0.0 : k == 2 ? 0.5 : options.max_seconds;
        linpred_result *result = fit_data(data, &options);
        const linpred__figures *figures = &result->figures;
        assert_int_equal(figures->outcome, k == 0 ? LINPRED_OUTCOME_STOPPED : LINPRED_OUTCOME_LIMIT_REACHED);
        assert_true(figures->lower_bound < figures->errors && figures->errors <= 200);
        checked check = check_result(result, data);
        assert_int_equal(check.verdict, LINPRED_PROVED);
        assert_true(check.lower_bound_proved >= figures->lower_bound);
        assert_true(check.errors == figures->errors);
        linpred_result_free(result);
    }
    assert_true(asked > 0);
    linpred_data_free(data);
    sample_free(&s);
}

/* Many rows: only some are worked on, and the answer is one for all of them. */
static void many_rows_few_flips(void **state)
{
    (void)state;
    linpred_options options;
    linpred__options_init(&options);
    options.instance_rows = 9000;
    options.instance_columns = 6;
    options.instance_flip = 4;
    linpred_instance *instance = NULL;
    linpred_data *data = NULL;
    linpred_error error;
    assert_int_equal(linpred_generate("noisy", &options, &instance, &error), LINPRED_OK);
    linpred_arrays arrays = {.struct_size = sizeof arrays};
    assert_true(linpred_instance_arrays(instance, &arrays));
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_OK);
    options = exact_options(false);
    linpred_result *result = fit_data(data, &options);
    const linpred__figures *figures = &result->figures;
    assert_int_equal(figures->outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_true(figures->errors == 4 && figures->lower_bound == 4 && figures->working_rows < 9000);
    assert_int_equal(verdict_of(result, data), LINPRED_PROVED);
    linpred_result *back = saved_and_loaded(result);
    assert_int_equal(verdict_of(back, data), LINPRED_PROVED);
    linpred_result_free(back);
    linpred_result_free(result);
    linpred_data_free(data);
    linpred_instance_free(instance);
}

/* Light rows fill the first working rows, all of them labelled +1 and far on the side of the -1. The search goes on
 * until the rows that its halfspace gets wrong have joined: it ends at its limit or with the optimum. */
static void wrong_rows_join(void **state)
{
    (void)state;
    sample s = sample_new(4100, 1);
    s.weights = calloc((size_t)s.rows, sizeof(double));
    for (int64_t i = 0; i < s.rows; i++) {
        s.values[i] = i < 2100 ? -10.0 - (double)i / 1024 : i < 3100 ? -1.0 - (double)i / 1024 : (double)i / 1024;
        s.labels[i] = i >= 2100 && i < 3100 ? -1.0 : 1.0;
        s.weights[i] = i < 2100 ? 1.0 : 1000.0;
    }
    sample_index(&s);
    linpred_data *data = sample_data(&s, false);
    linpred_options options = exact_options(false);
    options.max_seconds = 2.0;
    linpred_result *result = fit_data(data, &options);
    assert_true(result->figures.errors == 2100);
    assert_int_not_equal(result->figures.outcome, LINPRED_OUTCOME_UNDECIDED);
    assert_int_equal(verdict_of(result, data), LINPRED_PROVED);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

static void ends_without_memory(linpred_method method)
{
    sample s = overlapping(7, 30, 2);
    linpred_data *data = sample_data(&s, false);
    linpred_options options = exact_options(false);
    options.method = method;
    options.threads = 1;
    linpred_status status = LINPRED_ERROR_MEMORY;
    for (int64_t requests = 0; status != LINPRED_OK; requests += 1 + requests / 20) {
        linpred_result *result = NULL;
        linpred_error error;
        scarce_memory(requests);
        status = linpred_fit(data, &options, &result, &error);
        if (status == LINPRED_OK) {
            checked check;
            requests_left = INT64_MAX;
            assert_int_equal(verify_result(result, data, 1, &check, &error), LINPRED_OK);
            assert_int_not_equal(check.verdict, LINPRED_REFUTED);
        } else {
            assert_int_equal(status, LINPRED_ERROR_MEMORY);
            assert_null(result);
        }
        linpred_result_free(result);
        enough_memory();
        assert_true(requests < 1000000);
    }
    linpred_data_free(data);
    sample_free(&s);
}

static void out_of_memory_is_an_answer(void **state)
{
    (void)state;
    ends_without_memory(LINPRED_METHOD_EXACT);
    ends_without_memory(LINPRED_METHOD_AUTO);
}

/* Of opposite rows the search by boxes keeps one, with the difference of their costs; every halfspace pays the rest,
   and what rows of zeros cost. */
static void opposites_leave_the_boxes(void **state)
{
    (void)state;
    double x[] = {1, 2, 1, 2, 3, 1, 1, 2, 0, 0}, y[] = {1, -1, 1, 1, 1};
    static const int64_t cost[] = {2, 5, 7, 1, 4};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 5, .columns = 2, .values = x, .labels = y};
    linpred__hyperplanes search;
    linpred_data *data = NULL;
    linpred_error error;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, &error), LINPRED_OK);
    assert_int_equal(linpred__hyperplanes_open(&search, data, false, cost, &error), LINPRED_OK);
    assert_int_equal(search.always, 2 + 1 + 4);
    assert_int_equal(search.rows.n, 2);
    assert_int_equal(search.rows.row[0], 1);
    assert_int_equal(search.rows.cost[0], 5 - 2 - 1);
    assert_int_equal(search.rows.row[1], 2);
    assert_int_equal(search.rows.cost[1], 7);
    linpred__hyperplanes_close(&search);
    linpred_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opposites_leave_the_boxes),   cmocka_unit_test(agrees_with_enumeration),
        cmocka_unit_test(both_ways_agree_on_decimals), cmocka_unit_test(auto_is_nearly_exact),
        cmocka_unit_test(tampered_proofs_fail),        cmocka_unit_test(threads_and_files_change_nothing),
        cmocka_unit_test(weights_are_copies),          cmocka_unit_test(a_stop_keeps_the_best),
        cmocka_unit_test(many_rows_few_flips),         cmocka_unit_test(wrong_rows_join),
        cmocka_unit_test(out_of_memory_is_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
