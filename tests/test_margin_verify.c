/* The verifier of halfspaces with a largest margin or a bound on updates: every number of a saved model is judged, and
 * what is stated of other weights than the model's is proved by them. */
#include "claim_support.h"
#include "forge_support.h"

/* Steps and times are no claims about the rows. */
static const char *const no_claims[] = {"updates",    "passes", "rounds", "working_rows", "seconds", "solver_seconds",
                                        "index_base", "main",   NULL};

/* The first four rows are negative. The largest margins of the two forms are those of two halfspaces. */
static sample rows(void)
{
    static const double x[][3] = {{1, 1, 2}, {2, 0.5, 1}, {0.5, 2.5, 3}, {0, 1, 0},
                                  {4, 3, 1}, {6, 2.5, 2}, {3, 4.5, 0.5}, {5, 5, 4}};
    sample s = sample_new(8, 3);
    memcpy(s.values, x, sizeof x);
    for (int i = 0; i < 8; i++)
        s.labels[i] = i < 4 ? -1.0 : 1.0;
    sample_index(&s);
    return s;
}

static linpred_result *fit_margin(const linpred_data *data, linpred_method method, linpred_margin_norm norm)
{
    linpred_options options;
    linpred__options_init(&options);
    options.method = method;
    options.norm = norm;
    options.bound = method == LINPRED_METHOD_PERCEPTRON;
    return fit_data(data, &options);
}

static const struct {
    linpred_method method;
    linpred_margin_norm norm;
} fits[] = {{LINPRED_METHOD_MARGIN, LINPRED_MARGIN_WITH_INTERCEPT},
            {LINPRED_METHOD_MARGIN, LINPRED_MARGIN_WITHOUT_INTERCEPT},
            {LINPRED_METHOD_AUTO, LINPRED_MARGIN_WITH_INTERCEPT},
            {LINPRED_METHOD_PERCEPTRON, LINPRED_MARGIN_WITH_INTERCEPT}};

/* No claim is less than within tolerance, and any number that is changed by 1 % is found out. A multiplier changes the
   bound by about the square of its own change. */
static void every_number_is_judged(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++)
        for (int sparse = 0; sparse < 2; sparse++) {
            sample s = rows();
            linpred_data *data = sample_data(&s, sparse);
            linpred_result *result = fit_margin(data, fits[i].method, fits[i].norm);
            linpred_check *check = NULL;
            assert_int_equal(linpred_verify(result, data, 1, &check, NULL), LINPRED_OK);
            for (size_t k = 0; k < linpred_check_claim_count(check); k++)
                if (linpred_check_claim_verdict(check, k) > LINPRED_WITHIN_TOLERANCE)
                    fail_msg("fit %zu, %s: %s", i, linpred_claim_name(linpred_check_claim_kind(check, k)),
                             linpred_check_claim_finding(check, k));
            linpred_check_free(check);
            assert_true(forge_every_number(result, data, no_claims, 1e-2, true) > 50);
            linpred_result_free(result);
            linpred_data_free(data);
            sample_free(&s);
        }
}

/* Weights that separate the rows prove the bound on updates that belongs to their norm, and no smaller one. They do not
   have the largest margin. */
static void other_weights_prove_less(void **state)
{
    (void)state;
    sample s = rows();
    linpred_data *data = sample_data(&s, false);
    linpred_result *result = fit_margin(data, LINPRED_METHOD_MARGIN, LINPRED_MARGIN_WITHOUT_INTERCEPT);
    linpred__figures *figures = &result->figures;
    linpred__vector *largest = &claim_of(result, LINPRED_CLAIM_OTHER_MARGIN)->by.margin.weights,
                    *bound = &claim_of(result, LINPRED_CLAIM_UPDATE_BOUND)->by.weights;
    const double worse[] = {1.0, 2.0, 0.0, -7.0}, lowest = 1.5, norm = sqrt(1.0 + 4.0 + 49.0);
    double kept[4], margin = figures->largest_margin;
    assert_true(margin > figures->margin && isnan(figures->largest_usual_margin));
    memcpy(kept, largest->value, sizeof kept);
    memcpy(largest->value, worse, sizeof worse);
    assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
    figures->largest_margin = lowest / norm; /* the weights have it, but it is not the largest */
    assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
    figures->largest_margin = margin;
    memcpy(largest->value, kept, sizeof kept);
    memcpy(bound->value, worse, sizeof worse);
    assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
    figures->norm = norm / lowest;
    figures->update_bound = pow(figures->radius * figures->norm, 2.0); /* true, though a smaller bound is true too */
    assert_int_equal(check_result(result, data).verdict, LINPRED_WITHIN_TOLERANCE);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_judged),
        cmocka_unit_test(other_weights_prove_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
