/* The list of claims: what every fit claims, and that no figure is stated outside a claim. */
#include "fit_support.h"

#include "core/memory.h"
#include "model/model.h"

/* Every figure that is stated belongs to a claim of the result, unless it tells how the fit went. */
static void figures_have_claims(const linpred_result *result)
{
    for (size_t i = 0; i < linpred_figure_count(); i++) {
        const char *name = linpred_figure_name(i);
        bool may = false, does = false, run = true;
        for (int kind = 0; kind < LINPRED__CLAIM_KINDS; kind++) {
            may = linpred_claim_may_state((linpred_claim_kind)kind, name);
            run = run && !may;
            does = does || (may && linpred_result_claim_find(result, (linpred_claim_kind)kind, NULL));
        }
        if (!run && !does && !isnan(linpred_result_number(result, name)))
            fail_msg("%s is stated, but no claim of its own is made", name);
    }
}

/* Which claims may state a figure is written down in words: each word is the name of a claim. */
static void figures_name_claims(void **state)
{
    (void)state;
    static const struct {
        const char *name, *claims;
    } figure[] = {
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) {#name, claims},
#define LINPRED_FIGURE_COUNT(name, claims, meaning) {#name, claims},
#define LINPRED_FIGURE_DERIVED(name, meaning) {#name, ""},
#include "linpred/figures.def"
    };
    assert_int_equal(linpred_figure_count(), sizeof figure / sizeof figure[0]);
    for (size_t i = 0; i < linpred_figure_count(); i++) {
        int words = *figure[i].claims != '\0', kinds = 0;
        for (const char *at = figure[i].claims; *at; at++)
            words += *at == ' ';
        for (int kind = 0; kind < LINPRED__CLAIM_KINDS; kind++)
            kinds += linpred_claim_may_state((linpred_claim_kind)kind, figure[i].name);
        assert_string_equal(linpred_figure_name(i), figure[i].name);
        assert_int_equal(kinds, words);
    }
    assert_true(linpred_claim_may_state(LINPRED_CLAIM_NO_MINIMISER, "l2"));
    assert_false(linpred_claim_may_state(LINPRED_CLAIM_MARGIN, "margin_bound"));
    assert_false(linpred_claim_may_state(LINPRED_CLAIM_DATA, "no such figure"));
    assert_false(linpred_claim_may_state((linpred_claim_kind)LINPRED__CLAIM_KINDS, "rows"));
    assert_non_null(linpred_figure_meaning("adjusted_r_squared"));
}

static linpred_data *rows_of(const double *x, const double *y, int64_t rows, int32_t columns)
{
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = rows, .columns = columns, .values = x, .labels = y};
    linpred_data *data = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    return data;
}

static const double line[] = {1, 2, 3, 4, 5, 6}, touching[] = {1, 2, 3, 3, 4, 5}, two_sides[] = {-1, -1, -1, 1, 1, 1},
                    mixed[] = {-1, 1, -1, 1, -1, 1}, plane[] = {1, 2, 2, 4, 3, 6, 4, 8, 5, 10, 6, 12.5};

/* What the public calls say is what the result holds. */
static void public_calls_agree(const linpred_result *result)
{
    assert_int_equal(linpred_result_claim_count(result), result->claims.count);
    for (size_t i = 0; i < linpred_result_claim_count(result); i++) {
        const linpred__claim *claim = &result->claims.claim[i];
        size_t index;
        const int64_t *rows;
        const double *numbers;
        assert_int_equal(linpred_result_claim_kind(result, i), claim->kind);
        assert_int_equal(linpred_result_claim_is_main(result, i), claim->main);
        assert_true(strlen(linpred_result_claim_sentence(result, i)) > 10);
        assert_null(strstr(linpred_result_claim_sentence(result, i), "nan"));
        assert_true(linpred_result_claim_find(result, claim->kind, &index) && index == i);
        linpred_witness witness = linpred_claim_witness(claim->kind);
        int64_t count = linpred_result_claim_rows(result, i, &rows);
        bool multipliers = witness == LINPRED_WITNESS_SUPPORT || witness == LINPRED_WITNESS_MARGIN;
        bool of_rows = witness == LINPRED_WITNESS_COMBINATION || multipliers;
        assert_true(of_rows || (count == 0 && !rows));
        assert_true((linpred_result_claim_fingerprint(result, i) != 0) == (witness == LINPRED_WITNESS_FINGERPRINT));
        for (int64_t k = 0; k < count; k++)
            assert_true(multipliers ? !isnan(linpred_result_claim_multiplier(result, i, k, NULL))
                                    : linpred_result_claim_integer(result, i, k) != NULL);
        assert_true(isnan(linpred_result_claim_multiplier(result, i, count, NULL)));
        assert_true(linpred_result_claim_numbers(result, i, &numbers) == 0 || numbers);
        for (int64_t s = 0; s < linpred_result_claim_subsets(result, i); s++)
            assert_true(linpred_result_claim_subset_rows(result, i, s, &rows) > 0 && rows[0] > 0 &&
                        linpred_result_claim_subset_integer(result, i, s, 0));
        for (int64_t k = 0; k < linpred_result_claim_nodes(result, i); k++) {
            const int64_t *subsets;
            int64_t leaves = linpred_result_claim_node_subsets(result, i, k, &subsets, &numbers);
            assert_true((linpred_result_claim_node_row(result, i, k) > 0) != (leaves > 0) || leaves == 0);
        }
    }
    assert_null(linpred_result_claim_sentence(result, linpred_result_claim_count(result)));
    for (size_t i = 0; i < linpred_figure_count(); i++) {
        const char *name = linpred_figure_name(i);
        double number = linpred_result_number(result, name);
        int64_t count = linpred_result_count(result, name);
        assert_true(linpred_figure_is_count(name) ? isnan(number) ? count == -1 : (double)count == number
                                                  : count == -1);
        assert_true(strlen(linpred_figure_meaning(name)) > 5);
    }
    assert_null(linpred_figure_name(linpred_figure_count()));
    assert_true(isnan(linpred_result_number(result, "no such figure")));
}

/* Fits, checks the list, and answers the names of the main claims, separated by blanks. */
static const char *main_claims(const double *x, int32_t columns, const double *y, linpred_options options)
{
    static char names[200];
    linpred_data *data = rows_of(x, y, 6, columns);
    linpred_result *result = fit_data(data, &options);
    figures_have_claims(result);
    public_calls_agree(result);
    names[0] = '\0';
    for (int32_t i = 0; i < result->claims.count; i++) {
        const linpred__claim *claim = &result->claims.claim[i];
        assert_ptr_equal(linpred__claims_find(&result->claims, claim->kind), claim);
        if (claim->main)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s ", linpred_claim_name(claim->kind));
    }
    linpred_result_free(result);
    linpred_data_free(data);
    return names;
}

static linpred_options options_of(linpred_task task, linpred_method method)
{
    linpred_options options;
    linpred__options_init(&options);
    options.task = task;
    options.method = method;
    return options;
}

static void every_fit_makes_its_claims(void **state)
{
    (void)state;
    const struct {
        linpred_task task;
        linpred_method method;
        const double *y;
        const char *claims;
    } cases[] = {
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_PERCEPTRON, two_sides, "separates data "},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_LP, two_sides, "separates data "},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_MARGIN, two_sides, "separates largest_margin data "},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_AUTO, two_sides, "separates largest_margin data "},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_EXACT, two_sides, "separates data "},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_POCKET, mixed, "errors data "},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_LP, mixed, "inseparable data "},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_AUTO, mixed, "errors inseparable data "},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_EXACT, mixed, "errors fewest_errors data "},
        {LINPRED_TASK_BALL, LINPRED_METHOD_AUTO, two_sides, "separates data "},
        {LINPRED_TASK_BALL, LINPRED_METHOD_LP, mixed, "inseparable data "},
        {LINPRED_TASK_BALL, LINPRED_METHOD_EXACT, mixed, "errors fewest_errors inseparable data "},
        {LINPRED_TASK_LOGISTIC, LINPRED_METHOD_AUTO, mixed, "logistic_optimum data "},
        {LINPRED_TASK_LOGISTIC, LINPRED_METHOD_AUTO, two_sides, "no_minimiser data "},

        {LINPRED_TASK_REGRESSION, LINPRED_METHOD_AUTO, mixed, "least_squares data "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        linpred_options options = options_of(cases[i].task, cases[i].method);
        if (options.method == LINPRED_METHOD_POCKET)
            options.max_passes = 10;
        assert_string_equal(main_claims(line, 1, cases[i].y, options), cases[i].claims);
    }
    linpred_options logistic = options_of(LINPRED_TASK_LOGISTIC, LINPRED_METHOD_AUTO);
    assert_string_equal(main_claims(touching, 1, two_sides, logistic), "no_minimiser inseparable overlapping data ");
    linpred_options absolute = options_of(LINPRED_TASK_REGRESSION, LINPRED_METHOD_AUTO);
    absolute.loss = LINPRED_LOSS_ABSOLUTE;
    assert_string_equal(main_claims(plane, 2, mixed, absolute), "least_absolute data ");
    linpred_options usual = options_of(LINPRED_TASK_HALFSPACE, LINPRED_METHOD_MARGIN);
    usual.norm = LINPRED_MARGIN_WITHOUT_INTERCEPT;
    assert_string_equal(main_claims(line, 1, two_sides, usual), "separates largest_margin data ");
    linpred_options bounded = options_of(LINPRED_TASK_HALFSPACE, LINPRED_METHOD_PERCEPTRON);
    bounded.bound = true;
    assert_string_equal(main_claims(line, 1, two_sides, bounded), "separates data ");
}

/* Each way to say that rows are separated, quasi-separated or overlapping; what no claim says is not known. */
static void separation_follows_from_the_claims(void **state)
{
    (void)state;
    const struct {
        linpred_task task;
        linpred_method method;
        const double *x, *y;
        int64_t max_passes;
        linpred_separation separation;
    } cases[] = {
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_LP, line, two_sides, 0, LINPRED_SEPARATION_SEPARATED},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_PERCEPTRON, line, two_sides, 1, LINPRED_SEPARATION_SEPARATED},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_POCKET, line, two_sides, 1, LINPRED_SEPARATION_UNDECIDED},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_LP, line, mixed, 0, LINPRED_SEPARATION_INSEPARABLE},
        {LINPRED_TASK_HALFSPACE, LINPRED_METHOD_EXACT, line, mixed, 0, LINPRED_SEPARATION_INSEPARABLE},
        {LINPRED_TASK_BALL, LINPRED_METHOD_LP, line, two_sides, 0, LINPRED_SEPARATION_UNDECIDED},
        {LINPRED_TASK_REGRESSION, LINPRED_METHOD_AUTO, line, two_sides, 0, LINPRED_SEPARATION_UNDECIDED},
        {LINPRED_TASK_LOGISTIC, LINPRED_METHOD_AUTO, line, two_sides, 0, LINPRED_SEPARATION_SEPARATED},
        {LINPRED_TASK_LOGISTIC, LINPRED_METHOD_AUTO, touching, two_sides, 0, LINPRED_SEPARATION_QUASI_SEPARATED},
        {LINPRED_TASK_LOGISTIC, LINPRED_METHOD_AUTO, line, mixed, 0, LINPRED_SEPARATION_OVERLAPPING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        linpred_options options = options_of(cases[i].task, cases[i].method);
        if (cases[i].max_passes > 0)
            options.max_passes = cases[i].max_passes;
        linpred_data *data = rows_of(cases[i].x, cases[i].y, 6, 1);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(linpred_result_separation(result), cases[i].separation);
        assert_true(check_result(result, data).verdict <= LINPRED_WITHIN_TOLERANCE);
        if (cases[i].separation == LINPRED_SEPARATION_QUASI_SEPARATED) { /* half of it is not enough */
            int32_t count = result->claims.count;
            result->claims.count = 1;
            assert_int_equal(linpred_result_separation(result), LINPRED_SEPARATION_UNDECIDED);
            result->claims.count = count;
            result->claims.claim[1].kind = LINPRED_CLAIM_OVERLAPPING; /* the witness does not hold all rows left */
            assert_int_equal(check_result(result, data).verdict,
                             result->claims.claim[1].by.combination.count < result->claims.claim[2].by.combination.count
                                 ? LINPRED_REFUTED
                                 : LINPRED_PROVED);
        }
        linpred_result_free(result);
        linpred_data_free(data);
    }
}

static void names_are_those_of_the_file(void **state)
{
    (void)state;
    assert_string_equal(linpred_claim_name(LINPRED_CLAIM_FEWEST_ERRORS), "fewest_errors");
    assert_null(linpred_claim_name((linpred_claim_kind)LINPRED__CLAIM_KINDS));
    assert_null(linpred_claim_meaning((linpred_claim_kind)-1));
    assert_int_equal(linpred_claim_witness(LINPRED_CLAIM_FEWEST_ERRORS), LINPRED_WITNESS_COVER);
}

static void dependencies_are_values(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 2, 4, 3, 6, 4, 8, 5, 10, 6, 12};
    linpred_data *data = rows_of(x, mixed, 6, 2);
    linpred_options options = options_of(LINPRED_TASK_REGRESSION, LINPRED_METHOD_AUTO);
    linpred_result *result = fit_data(data, &options);
    assert_int_equal(linpred_result_dependency_count(result), 1);
    const double *vector = linpred_result_dependency_vector(result, 0);
    assert_true(fabs(vector[0] + 2 * vector[1]) < 1e-12 && vector[1] != 0.0);
    assert_true(linpred_result_dependency_is_exact(result, 0));
    assert_int_equal(linpred_result_dependency_gives(result, 0), 1);
    assert_string_equal(linpred_result_dependency_column(result, 0), "x2");
    assert_string_equal(linpred_result_dependency_sentence(result, 0), "x2 = 2 x1 in every row");
    assert_null(linpred_result_dependency_vector(result, 1));
    assert_null(linpred_result_dependency_column(result, 1));
    assert_int_equal(linpred_result_dependency_gives(result, 1), -1);
    assert_int_equal(linpred_result_count(result, "rank"), 2);
    linpred_result_free(result);
    linpred_data_free(data);
}

/* A check has the claims of the result, in their order; and a largest margin says by which norm it is the largest. */
static void checks_answer_claim_by_claim(void **state)
{
    (void)state;
    linpred_data *data = rows_of(line, two_sides, 6, 1);
    linpred_options options = options_of(LINPRED_TASK_HALFSPACE, LINPRED_METHOD_MARGIN);
    for (int k = 0; k < 2; k++) {
        size_t claim;
        options.norm = k ? LINPRED_MARGIN_WITHOUT_INTERCEPT : LINPRED_MARGIN_WITH_INTERCEPT;
        linpred_result *result = fit_data(data, &options);
        linpred_check *check = NULL;
        assert_int_equal(linpred_verify(result, data, 1, &check, NULL), LINPRED_OK);
        size_t count = linpred_result_claim_count(result);
        assert_int_equal(linpred_check_claim_count(check), count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(linpred_check_claim_kind(check, i), linpred_result_claim_kind(result, i));
            assert_int_equal(linpred_check_claim_is_main(check, i), linpred_result_claim_is_main(result, i));
            assert_non_null(linpred_check_claim_finding(check, i));
        }
        assert_null(linpred_claim_name(linpred_check_claim_kind(check, count)));
        assert_true(linpred_result_claim_find(result, LINPRED_CLAIM_LARGEST_MARGIN, &claim));
        assert_int_equal(linpred_result_claim_margin_norm(result, claim), options.norm);
        linpred_check_free(check);
        linpred_result_free(result);
    }
    linpred_data_free(data);
}

/* A claim owns its witness: clearing the list frees it. */
static void claims_own_their_witnesses(void **state)
{
    (void)state;
    linpred__claims claims = {0};
    assert_true(linpred__direction_open(&linpred__claims_add(&claims, LINPRED_CLAIM_SEPARATES, true)->by.direction, 2));
    linpred__claim *bound = linpred__claims_add(&claims, LINPRED_CLAIM_UPDATE_BOUND, false);
    assert_true(linpred__vector_open(&bound->by.weights, 3));
    assert_ptr_equal(linpred__claims_add(&claims, LINPRED_CLAIM_UPDATE_BOUND, true), bound);
    assert_true(bound->main && bound->by.weights.count == 3 && claims.count == 2);
    linpred__claims_clear(&claims);
    assert_int_equal(claims.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fit_makes_its_claims),   cmocka_unit_test(separation_follows_from_the_claims),
        cmocka_unit_test(dependencies_are_values),      cmocka_unit_test(claims_own_their_witnesses),
        cmocka_unit_test(names_are_those_of_the_file),  cmocka_unit_test(figures_name_claims),
        cmocka_unit_test(checks_answer_claim_by_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
