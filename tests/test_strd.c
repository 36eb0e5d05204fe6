/* NIST StRD, all eleven sets by plain options: at least 13 correct digits in every coefficient, 12 in every standard
 * error. */
#include "strd.h"

#include "support.h"
#include "reference_data.h"

#include <unistd.h>

static void is_right(const strd_score *score, const linpred_result *result, const linpred_data *data)
{
    assert_non_null(result);
    if (!(score->coefficient >= 13.0) || !(score->standard_error >= 12.0))
        fail_msg("%s: %.2f digits in coefficients, %.2f in standard errors", score->set, score->coefficient,
                 score->standard_error);
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_int_equal(result->figures.rank, score->parameters);
    assert_int_equal(linpred_data_rows(data), score->rows);
}

static void certified(void **state)
{
    (void)state;
    char folder[600];
    snprintf(folder, sizeof folder, "%s/strd", reference_data());
    if (access(folder, R_OK) != 0) {
        print_message("skipped: no %s\n", folder);
        skip();
    }
    assert_int_equal(strd_all(folder, LINPRED_SOURCE_DIR "/tests/strd_certified.txt", is_right), 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(certified)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
