/* Certificates that are nearly right: the verifier must not be talked into anything. */
#include "claim_support.h"

static linpred_result *decide(const linpred_data *data)
{
    linpred_options options;
    linpred__options_init(&options);
    options.method = LINPRED_METHOD_LP;
    options.no_intercept = true;
    options.one_class = true;
    linpred_result *result = NULL;
    assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
    return result;
}

static void claim_integers(linpred_result *result, const char *first, const char *second)
{
    uint64_t fingerprint = *fingerprint_of(result);
    linpred__claims_clear(&result->claims);
    linpred__claims_add(&result->claims, LINPRED_CLAIM_DATA, true)->by.fingerprint = fingerprint;
    linpred__direction *direction = &linpred__claims_add(&result->claims, LINPRED_CLAIM_SEPARATES, true)->by.direction;
    assert_true(linpred__direction_open(direction, 2));
    direction->entry[0] = strcpy(malloc(strlen(first) + 1), first);
    direction->entry[1] = strcpy(malloc(strlen(second) + 1), second);
}

/* v = (2^1100, -1) and x = (2^-900, 2^k): <v,x> = 2^200 - 2^k. Beside 2^1100 a double cannot hold -1. */
static void integers_far_apart(void **state)
{
    (void)state;
    static const char power[] = /* 2^1100 */
        "13582985290493858492773514283592667786034938469317445497485196697278130927542418487205392083207560592298578262"
        "953"
        "84738347503872554323492997115554834280062872188576349940639033178286414416468073076683716052622317651279843577"
        "212"
        "9956553355286032203080380775759732320198985094884004069116123084147875437183658467465148948790552744165376";
    for (int exponent = 100; exponent <= 300; exponent += 200)
        for (int sparse = 0; sparse < 2; sparse++) {
            sample s = sample_new(1, 2);
            s.values[0] = 0x1p-900;
            s.values[1] = ldexp(1.0, exponent);
            s.labels[0] = 1.0;
            sample_index(&s);
            linpred_data *data = sample_data(&s, sparse);
            linpred_result *result = decide(data);
            checked check;
            claim_integers(result, power, "-1");
            assert_int_equal(verify_result(result, data, 1, &check, NULL), LINPRED_OK);
            assert_true(check.same_data);
            assert_int_equal(check.verdict, exponent < 200 ? LINPRED_PROVED : LINPRED_REFUTED);
            linpred_result_free(result);
            linpred_data_free(data);
            sample_free(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_far_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
