/* The bounds, against their formulas written down once more, values worked out by hand, and laws. */
#include <float.h>

#include "fit_support.h"

enum { MAX_BOUNDS = 3 };

/* The list as an array. */
static size_t take(linpred_bounds *bounds, linpred_bound *bound)
{
    size_t count = linpred_bounds_count(bounds);
    assert_in_range(count, 1, MAX_BOUNDS);
    for (size_t k = 0; k < count; k++) {
        bound[k].struct_size = sizeof *bound;
        assert_true(linpred_bounds_get(bounds, k, &bound[k]));
    }
    assert_false(linpred_bounds_get(bounds, count, &bound[0]));
    linpred_bounds_free(bounds);
    return count;
}

static linpred_options asking(double epsilon, double delta)
{
    linpred_options options;
    linpred__options_init(&options);
    options.epsilon = epsilon;
    options.delta = delta;
    options.threads = 1;
    return options;
}

static size_t sizes(const linpred_options *options, linpred_bound *bound)
{
    linpred_bounds *bounds = NULL;
    linpred_error error = {.message = ""};
    if (linpred_sample_size(options, &bounds, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    size_t count = take(bounds, bound);
    for (size_t k = 0; k < count; k++)
        assert_true(*bound[k].name && *bound[k].formula && *bound[k].numbers && *bound[k].says && *bound[k].source);
    return count;
}

/* The least whole number that is enough: `value` needs more than one row less, and not more than this. */
static void expect_rows(double rows, double value)
{
    assert_true(rows == floor(rows) && rows >= 1);
    assert_true(rows >= value * (1 - 1e-14));
    assert_true(rows - 1 <= value * (1 + 1e-14));
}

static void vc_dimensions(void **state)
{
    (void)state;
    linpred_bound bound = {.struct_size = sizeof bound};
    for (int64_t d = 1; d < 2000000000000; d = d * 7 + 1)
        for (int kind = 0; kind < 3; kind++) {
            bool ball = kind == 2, intercept = kind > 0;
            assert_int_equal(
                linpred_vc_dimension(ball ? LINPRED_CLASS_BALL : LINPRED_CLASS_HALFSPACE, d, intercept, &bound, NULL),
                LINPRED_OK);
            assert_true(bound.value == (double)(d + intercept));
        }
    assert_int_equal(linpred_vc_dimension(LINPRED_CLASS_HALFSPACE, 0, true, &bound, NULL), LINPRED_ERROR_USAGE);
    assert_int_equal(linpred_vc_dimension(LINPRED_CLASS_HALFSPACE, -3, true, &bound, NULL), LINPRED_ERROR_USAGE);
    assert_int_equal(linpred_vc_dimension(LINPRED_CLASS_BALL, 2, false, &bound, NULL), LINPRED_ERROR_USAGE);
}

static void sample_sizes_by_formula(void **state)
{
    (void)state;
    static const double epsilons[] = {0.9, 0.5, 0.1, 0.01, 1e-3, 1e-6}, deltas[] = {0.99, 0.5, 0.05, 1e-9, 1e-300};
    for (int e = 0; e < 6; e++)
        for (int k = 0; k < 5; k++)
            for (int64_t d = 1; d < 100000; d = d * 5 + 2) {
                double epsilon = epsilons[e], delta = deltas[k], D = (double)d + 1;
                linpred_bound bound[MAX_BOUNDS], same[MAX_BOUNDS];
                linpred_options options = asking(epsilon, delta);
                options.dimension = d;
                assert_int_equal(sizes(&options, bound), 2);
                assert_string_equal(bound[0].name, "separable");
                assert_string_equal(bound[1].name, "agnostic");
                expect_rows(bound[0].value, fmax(4 / epsilon * log2(2 / delta), 8 * D / epsilon * log2(13 / epsilon)));
                expect_rows(bound[1].value, 64 / epsilon / epsilon * (2 * D * log(12 / epsilon) + log(4 / delta)));
                options.dimension = 0;
                options.vc = d + 1;
                sizes(&options, same);
                assert_true(same[0].value == bound[0].value && same[1].value == bound[1].value);
                options.vc = 0;
                options.dimension = d + 1;
                options.no_intercept = true;
                sizes(&options, same);
                assert_true(same[0].value == bound[0].value && same[1].value == bound[1].value);
                options = asking(epsilon, delta);
                options.dimension = d;
                options.bits = 1 + 31 * (k % 3);
                options.loss_range = 1.0 + e;
                assert_int_equal(sizes(&options, bound), 1);
                expect_rows(bound[0].value, 2 * (1.0 + e) * (1.0 + e) *
                                                ((double)options.bits * D * log(2) + log(2 / delta)) / epsilon /
                                                epsilon);
                options = asking(epsilon, delta);
                options.hypotheses = (double)d;
                assert_int_equal(sizes(&options, bound), 2);
                expect_rows(bound[0].value, (log((double)d) - log(delta)) / epsilon);
                expect_rows(bound[1].value, 2 * (log((double)d) + log(2 / delta)) / epsilon / epsilon);
            }
}

/* By hand: 4/0.5 log2(2/0.5) = 16, 8/0.5 log2(26) = 75.2; 4/0.3 log2(8) = 40 though 0.3 is no double. */
static void by_hand(void **state)
{
    (void)state;
    linpred_bound bound[MAX_BOUNDS];
    linpred_options options = asking(0.5, 0.5);
    options.vc = 1;
    sizes(&options, bound);
    assert_true(bound[0].value == 76);
    options = asking(0.5, 0x1p-64); /* 4/0.5 log2(2^65) = 520 */
    options.vc = 1;
    sizes(&options, bound);
    assert_true(bound[0].value == 520);
    options = asking(0.3, 0x1p-200); /* 4/0.3 * 201 = 2680 */
    options.vc = 1;
    sizes(&options, bound);
    assert_true(bound[0].value == 2680);
    options = asking(0.1, 0.05);
    options.dimension = 2;
    sizes(&options, bound);
    assert_true(bound[0].value == 1686 && bound[1].value == 211885);
}

/* Small epsilon, large classes: whole numbers that are enough, and an error once no double holds them. */
static void huge_sizes(void **state)
{
    (void)state;
    linpred_bound bound[MAX_BOUNDS];
    linpred_bounds *none = NULL;
    double last = 0;
    for (double epsilon = 0.5; epsilon > 1e-140; epsilon *= 0.01) {
        linpred_options options = asking(epsilon, DBL_MIN);
        options.vc = 1000000000;
        sizes(&options, bound);
        assert_true(isfinite(bound[1].value) && bound[1].value > last && bound[1].value > bound[0].value);
        last = bound[1].value;
    }
    linpred_options options = asking(1e-200, 0.5);
    options.vc = 3;
    linpred_error error;
    assert_int_equal(linpred_sample_size(&options, &none, &error), LINPRED_ERROR_USAGE);
    assert_null(none);
}

static void refused(const linpred_options *options)
{
    linpred_bounds *bounds = NULL;
    linpred_error error = {.message = ""};
    assert_int_equal(linpred_sample_size(options, &bounds, &error), LINPRED_ERROR_USAGE);
    assert_null(bounds);
    assert_true(*error.message);
}

static void out_of_range(void **state)
{
    (void)state;
    static const double bad[] = {0, 1, -0.1, 1.5, NAN, INFINITY};
    for (int k = 0; k < 6; k++) {
        linpred_options options = asking(bad[k], 0.5);
        options.vc = 3;
        refused(&options);
        options = asking(0.5, bad[k]);
        options.vc = 3;
        refused(&options);
    }
    linpred_options options = asking(0.1, 0.1);
    refused(&options); /* of no class */
    options.bits = 3;
    refused(&options);
    options.vc = 3;
    refused(&options);
    options.bits = 0;
    options.dimension = 3;
    refused(&options);
    options.vc = 0;
    options.loss_range = 2;
    refused(&options);
    options = asking(0.1, 0.1);
    options.hypotheses = 0.5;
    refused(&options);
    options.hypotheses = 5;
    options.no_intercept = true;
    refused(&options);
}

/* ---- from the error on rows
 * --------------------------------------------------------------------------------------------------- */

typedef struct general {
    linpred_generalization about;
    linpred_bound bound[MAX_BOUNDS];
    size_t bounds;
} general;

/* y is 1 for x >= rows/2, but for `wrong` rows; weight 2 on all rows is twice as many of them. */
static general generalize(int64_t rows, int64_t wrong, double weight, double delta, bool fresh)
{
    sample s = sample_new(rows, 1);
    s.weights = malloc((size_t)rows * sizeof *s.weights);
    for (int64_t i = 0; i < rows; i++) {
        s.values[i] = (double)i;
        s.labels[i] = (i >= rows / 2) != (i < wrong) ? 1.0 : -1.0;
        s.weights[i] = weight;
    }
    linpred_arrays arrays = {.struct_size = sizeof arrays,
                             .rows = rows,
                             .columns = 1,
                             .values = s.values,
                             .labels = s.labels,
                             .weights = s.weights};
    linpred_data *data = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_options options = asking(0.1, delta);
    options.method = LINPRED_METHOD_POCKET;
    linpred_result *result = fit_data(data, &options);
    linpred_evaluation evaluation = {.struct_size = sizeof evaluation};
    assert_int_equal(linpred_evaluate(linpred_result_model(result), data, 1, &evaluation, NULL), LINPRED_OK);
    general g = {.about.struct_size = sizeof g.about};
    linpred_bounds *bounds = NULL;
    linpred_error error = {.message = ""};
    linpred_data *other = NULL;
    if (fresh) { /* the same rows, but for one that is another on the same side */
        s.values[rows - 1] += 0.5;
        assert_int_equal(linpred_data_from_arrays(&arrays, &other, NULL), LINPRED_OK);
    }
    if (linpred_generalize(result, other ? other : data, &options, &g.about, &bounds, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    g.bounds = take(bounds, g.bound);
    assert_true(g.about.error == evaluation.error && g.about.same_data == !fresh);
    linpred_result_free(result);
    linpred_data_free(other);
    linpred_data_free(data);
    sample_free(&s);
    return g;
}

static void from_training_error(void **state)
{
    (void)state;
    static const int64_t rows[] = {4, 20, 300};
    for (int k = 0; k < 3; k++)
        for (int wrong = 0; wrong < 2; wrong++)
            for (int weight = 1; weight <= 2; weight++)
                for (int fresh = 0; fresh < 2; fresh++) {
                    general g = generalize(rows[k], wrong, weight, 0.05, fresh);
                    double m = (double)(rows[k] * weight), growth = 1 + 2 * m + 2 * m * (2 * m - 1) / 2; /* D = 2 */
                    assert_true(g.about.rows == m && g.about.vc_dimension == 2);
                    assert_int_equal(g.bounds, 1 + !wrong + fresh);
                    assert_true((g.about.error == 0.0) == !wrong);
                    near(g.bound[0].value, g.about.error + sqrt(8 / m * log(4 * growth / 0.05)), 1e-12);
                    if (!wrong)
                        near(g.bound[1].value, 2 / m * log2(2 * growth / 0.05), 1e-12);
                    if (fresh)
                        near(g.bound[1 + !wrong].value, g.about.error + sqrt(log(1 / 0.05) / 2 / m), 1e-12);
                }
    assert_true(generalize(2, 0, 1.0, 0.5, false).bound[0].value > 1); /* says nothing, but is said */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vc_dimensions), cmocka_unit_test(sample_sizes_by_formula),
        cmocka_unit_test(by_hand),       cmocka_unit_test(huge_sizes),
        cmocka_unit_test(out_of_range),  cmocka_unit_test(from_training_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
