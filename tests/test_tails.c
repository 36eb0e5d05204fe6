/* Coefficients with tails: logistic fits that no doubles are near enough to, the digits that prove them, and the file.
 */
#include <float.h>
#include <gmp.h>

#include "claim_support.h"
#include "logistic_support.h"

#include "num/digits.h"
#include "num/tableau.h"

/* ---- digits ------------------------------------------------------------------------------------------------------ */

static void assert_digits(const mpf_t found, const char *digits)
{
    mpf_t wanted;
    mpf_init2(wanted, LINPRED__DIGITS);
    mpf_set_str(wanted, digits, 10);
    mpf_reldiff(wanted, wanted, found);
    mpf_abs(wanted, wanted);
    if (mpf_cmp_d(wanted, 1e-117) > 0)
        fail_msg("not %s", digits);
    mpf_clear(wanted);
}

/* Digits from another program's decimal arithmetic. */
static void loss_to_many_digits(void **state)
{
    (void)state;
    static const char *const known[][4] = {
        {"1",
         "0.31326168751822283404899549496785564191528008567034837471906351483719490150918722093620040627729239138902104"
         "6815464353522",
         "0.26894142136999512074884075817816372563485535983494348072363409208095954692979536061252546792401875470782553"
         "3506859225434",
         "0.19661193324148185253742473358590902562226728542731357757632683248683028739264505965634752854820065005819857"
         "9423068119093"},
        {"-3",
         "3.04858735157374205875892591985468999794188164282810862053084698048751981866146678202459978919438585995818499"
         "125610286552",
         "0.95257412682243321912115184822824779861382056757939089928211199122555128849728976611421634550893996099408192"
         "3033249566553",
         "0.04517665973091213264936002843565163799485995239748969246454782778480922682026316173926092989723483535693450"
         "43027565112094"},
        {"700",
         "9.85967654375977085670537294784946510511560018140094171058646676779318679659463721054135591074293093208518137"
         "454987639522e-305",
         "9.85967654375977085670537294784946510511560018140094171058646676779318679659463721054135591074293093208518137"
         "454987639522e-305",
         "9.85967654375977085670537294784946510511560018140094171058646676779318679659463721054135591074293093208518137"
         "454987639522e-305"}};
    mpf_t *number = linpred__digits_open(4, LINPRED__DIGITS);
    for (int k = 0; k < 2; k++) {
        mpf_set_str(number[0], known[k][0], 10);
        assert_true(linpred__digits_loss(number[0], number[1], number[2], number[3]));
        for (int i = 1; i < 4; i++)
            assert_digits(number[i], known[k][i]);
    }
    mpf_set_d(number[0], 700.0); /* e^-700 is the loss but for e^-1400 */
    assert_true(linpred__digits_loss(number[0], number[1], number[2], number[3]));
    assert_digits(number[2], known[2][2]);
    mpf_set_d(number[0], -0x1p30);
    assert_false(linpred__digits_loss(number[0], number[1], number[2], number[3]));
    assert_true(mpf_cmp_d(number[1], 0x1p30) == 0 && mpf_cmp_d(number[2], 1.0) == 0 && mpf_sgn(number[3]) == 0);
    linpred__digits_close(number, 4);
}

/* Each row is Σ_k T_ik (row of the basis) exactly, and no |T_ik| scale_i is above 2 scale_k. */
static void rows_of_a_tableau(void **state)
{
    (void)state;
    enum { ROWS = 9, COLUMNS = 4 };
    linpred__random random;
    linpred__random_seed(&random, 5);
    for (int trial = 0; trial < 200; trial++) {
        linpred__tableau t;
        long a[ROWS + COLUMNS][COLUMNS] = {{0}};
        double scale[ROWS + COLUMNS];
        assert_true(linpred__tableau_open(ROWS + COLUMNS, COLUMNS, &t));
        for (int i = 0; i < ROWS + COLUMNS; i++) {
            scale[i] = i < ROWS ? (double)linpred__random_below(&random, 40) - 20.0 : -INFINITY;
            for (int j = 0; j < COLUMNS; j++) {
                a[i][j] = i < ROWS ? (long)linpred__random_below(&random, 2001) - 1000 : i - ROWS == j;
                if (trial % 4 == 0 && j == 2 && i < ROWS)
                    a[i][j] = a[i][0] - 3 * a[i][1];
                mpz_set_si(*linpred__tableau_at(&t, i, j), a[i][j]);
            }
        }
        assert_int_equal(linpred__tableau_choose(&t, scale), trial % 4 == 0 ? COLUMNS - 1 : COLUMNS);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                mpz_t sum;
                mpz_init(sum);
                for (int k = 0; k < COLUMNS; k++) {
                    if (t.basis[k] < 0) { /* a column of a dependency */
                        assert_int_equal(mpz_sgn(*linpred__tableau_at(&t, i, k)), 0);
                        continue;
                    }
                    mpz_t term;
                    mpz_init(term);
                    mpz_mul_si(term, *linpred__tableau_at(&t, i, k), a[t.basis[k]][j]);
                    mpz_add(sum, sum, term);
                    mpz_clear(term);
                    assert_true(linpred__tableau_log2(&t, i, k) + scale[i] <= scale[t.basis[k]] + 1.000001);
                }
                mpz_t wanted;
                mpz_init(wanted);
                mpz_mul_si(wanted, t.divisor, a[i][j]);
                assert_int_equal(mpz_cmp(sum, wanted), 0);
                mpz_clear(wanted);
                mpz_clear(sum);
            }
        linpred__tableau_close(&t);
    }
}

/* ---- fits -------------------------------------------------------------------------------------------------------- */

/* A column that varies in its last digits only: doubles for slope and intercept move scores by more than the minimum
   allows. */
static sample last_digits(void)
{
    const double digit[] = {-1, -1, 3, 0, -2, 1, -1, 2, 0, 1}, y[] = {-1, -1, -1, 1, 1, 1, -1, 1, -1, -1};
    sample s = sample_new(10, 1);
    for (int i = 0; i < 10; i++) {
        s.values[i] = -2.0 * (1.0 + 0x1p-52 * digit[i]);
        s.labels[i] = y[i];
    }
    sample_index(&s);
    return s;
}

static char *text_of(const linpred_result *result)
{
    char *text = NULL;
    size_t length;
    assert_int_equal(linpred_result_to_text(result, &text, &length, NULL), LINPRED_OK);
    return text;
}

static linpred_result *read_back(const char *text, bool edited)
{
    linpred_result *result = NULL;
    linpred_error error = {.message = ""};
    if (linpred_result_from_text(text, strlen(text), edited, &result, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return result;
}

/* The fit is proved, with and without a penalty, in dense and sparse rows; and what is saved means the same. */
static void tails_are_proved(void **state)
{
    (void)state;
    sample s = last_digits();
    const double l2[] = {0.0, 1e-3, 1e-20};
    int tails = 0;
    for (int k = 0; k < 6; k++) {
        linpred_options options = logistic_options(l2[k % 3]);
        linpred_result *result = fit_optimal(&s, k >= 3, &options);
        linpred_data *data = sample_data(&s, k >= 3);
        tails += result->model.tails.count > 0;
        char *text = text_of(result);
        linpred_result *again = read_back(text, false);
        char *twice = text_of(again);
        assert_string_equal(text, twice);
        assert_true(check_result(again, data).verdict <= LINPRED_WITHIN_TOLERANCE);
        linpred_text_free(text);
        linpred_text_free(twice);
        linpred_result_free(again);
        linpred_data_free(data);
        linpred_result_free(result);
    }
    assert_true(tails >= 2);
    sample_free(&s);
}

/* Without its tails the model is another one, and refuted; tails that are no tails are not read. */
static void tails_matter(void **state)
{
    (void)state;
    sample s = last_digits();
    linpred_options options = logistic_options(0.0);
    linpred_data *data = sample_data(&s, false);
    linpred_result *result = fit_optimal(&s, false, &options), *none = NULL;
    assert_true(result->model.tails.count > 0);
    double scores[10], exact = 0.0;
    assert_int_equal(linpred_score(&result->model, data, 1, scores, NULL), LINPRED_OK);
    for (int i = 0; i < 10; i++) /* the mean of the probabilities is that of the labels, an equation of the minimum */
        exact += linpred_probability(scores[i]) - (s.labels[i] > 0);
    assert_true(fabs(exact) < 1e-12);
    double kept = result->model.tails.value[0];
    result->model.tails.value[0] = 0.5 * kept;
    assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
    result->model.tails.value[0] = 3.0 * result->model.w[0];
    char *text = text_of(result);
    assert_int_equal(linpred_result_from_text(text, strlen(text), true, &none, NULL), LINPRED_ERROR_INPUT);
    linpred_text_free(text);
    linpred_data_free(data);
    linpred_result_free(result);
    sample_free(&s);
}

/* Far from its minimum each loss is a straight line to all digits, or 0: no row has a curvature, and nothing bounds how
   far the objective may fall. */
static void straight_losses_prove_nothing(void **state)
{
    (void)state;
    sample s = last_digits();
    linpred_options options = logistic_options(0.0);
    linpred_data *data = sample_data(&s, false);
    linpred_result *result = fit_optimal(&s, false, &options);
    linpred_check *check = NULL;
    result->model.w[0] *= 1.001;
    assert_int_equal(linpred_verify(result, data, 1, &check, NULL), LINPRED_OK);
    size_t place = 0;
    while (linpred_check_claim_kind(check, place) != LINPRED_CLAIM_LOGISTIC_OPTIMUM)
        place++;
    assert_true(linpred_check_claim_verdict(check, place) > LINPRED_WITHIN_TOLERANCE);
    linpred_check_free(check);
    linpred_data_free(data);
    linpred_result_free(result);
    sample_free(&s);
}

/* Rows whose largest margin no weights of doubles have: columns far from 0 of which the last is nearly the sum of two
   others. The margin of weights with tails meets its bound. */
static void margins_with_tails(void **state)
{
    (void)state;
    static const double x[7][4] = {
        {-1, 999999997, 1000000000000, 999999999999},        {-2, 999999997, 1000000000000, 999999999998},
        {-3, 1000000003, 1000000000003, 1000000000000.9095}, {-2, 1000000003, 999999999997, 999999999994.09045},
        {2, 1000000003, 1000000000001, 1000000000001.181},   {-1, 1000000000, 999999999999, 999999999997.09045},
        {-1, 999999997, 999999999997, 999999999996.90955}};
    static const double y[] = {1, 1, 1, -1, -1, -1, 1};
    sample s = sample_new(7, 4);
    memcpy(s.values, x, sizeof x);
    memcpy(s.labels, y, sizeof y);
    sample_index(&s);
    linpred_options options;
    linpred__options_init(&options);
    options.task = LINPRED_TASK_HALFSPACE;
    options.method = LINPRED_METHOD_MARGIN;
    for (int origin = 0; origin < 2; origin++) {
        options.no_intercept = origin;
        linpred_data *data = sample_data(&s, false);
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
        assert_true(result->model.tails.count > 0);
        assert_true(check_result(result, data).verdict <= LINPRED_WITHIN_TOLERANCE);
        char *text = text_of(result);
        linpred_result *again = read_back(text, false);
        assert_true(check_result(again, data).verdict <= LINPRED_WITHIN_TOLERANCE);
        signed char labels[7];
        assert_int_equal(linpred_predict_labels(&again->model, data, 1, labels, NULL), LINPRED_OK);
        for (int i = 0; i < 7; i++)
            assert_int_equal(labels[i], (int)y[i]);
        again->model.tails.count = 0;
        assert_int_equal(check_result(again, data).verdict, LINPRED_REFUTED);
        linpred_text_free(text);
        linpred_result_free(again);
        linpred_result_free(result);
        linpred_data_free(data);
    }
    options.threads = 1;
    linpred_data *data = sample_data(&s, false);
    fit_in_little_memory(data, &options, 20);
    linpred_data_free(data);
    sample_free(&s);
}

/* Parts of a number: each is below the last digit of the one before, and they add up. Hardly less than half of the
   last digit of an odd double is the case that plain rounding gets wrong. */
static void parts_of_numbers(void **state)
{
    (void)state;
    mpf_t x, sum, term;
    mpf_init2(x, 2200);
    mpf_init2(sum, 2200);
    mpf_init2(term, 2200);
    for (int k = 0; k < 400; k++) {
        double part[10], factor = k % 2 ? 1.0 + 0x1p-52 : 3.0, tiny = ldexp(k % 3 - 1.0, -100 - k);
        mpf_set_d(x, factor * (k % 5 + 1));
        mpf_set_d(term, k % 4 == 0 ? 0x1p-53 : k % 4 == 1 ? -0x1p-53 : k % 4 == 2 ? 0x1.8p-54 : 0.0);
        mpf_add(x, x, term);
        mpf_set_d(term, tiny);
        mpf_add(x, x, term);
        mpf_set(sum, x);
        assert_true(linpred__digits_parts(x, 10, 1, part));
        assert_int_equal(mpf_sgn(x), 0);
        for (int p = 0; p < 10; p++) {
            mpf_set_d(term, part[p]);
            mpf_sub(sum, sum, term);
            assert_true(p == 0 || part[p - 1] + part[p] == part[p - 1]);
        }
        assert_int_equal(mpf_sgn(sum), 0);
    }
    mpf_set_d(x, DBL_MAX);
    mpf_mul_ui(x, x, 2);
    double beyond[2];
    assert_false(linpred__digits_parts(x, 2, 1, beyond));
    mpf_clears(x, sum, term, NULL);
}

/* Fits a sample that one tail is not enough for: it has several, all of which matter, and which the file keeps. */
static void several(sample *s, const linpred_options *options)
{
    linpred_data *data = sample_data(s, false);
    linpred_result *result = fit_data(data, options), *none = NULL;
    assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
    assert_true(check_result(result, data).verdict <= LINPRED_WITHIN_TOLERANCE);
    linpred__tails *tails = &result->model.tails;
    assert_true(tails->count > 1);
    char *text = text_of(result);
    linpred_result *again = read_back(text, false);
    assert_int_equal(again->model.tails.count, tails->count);
    assert_true(check_result(again, data).verdict <= LINPRED_WITHIN_TOLERANCE);
    double scores[2][20];
    assert_int_equal(linpred_score(&result->model, data, 1, scores[0], NULL), LINPRED_OK);
    assert_int_equal(linpred_score(&again->model, data, 1, scores[1], NULL), LINPRED_OK);
    assert_memory_equal(scores[0], scores[1], (size_t)s->rows * sizeof(double));
    again->model.tails.count = 1;
    assert_true(check_result(again, data).verdict > LINPRED_WITHIN_TOLERANCE);
    linpred_text_free(text);
    for (int32_t j = 0; j < tails->width; j++) /* not below the last digit of the first tail */
        tails->value[tails->width + j] = 2.0 * tails->value[j];
    text = text_of(result);
    assert_int_equal(linpred_result_from_text(text, strlen(text), true, &none, NULL), LINPRED_ERROR_INPUT);
    linpred_text_free(text);
    linpred_result_free(again);
    linpred_result_free(result);
    linpred_data_free(data);
}

static void several_tails(void **state)
{
    (void)state;
    static const double cancelling[12][2] = {{1e16, 19999999999999984},
                                             {1e150, 2.0000000000000018e+150},
                                             {1, 1.9999999999999964},
                                             {1e154, 1.9999999999999947e+154},
                                             {1e16, 20000000000000052},
                                             {1e-154, 2e-154},
                                             {-1, -1.9999999999999964},
                                             {-1, -1.9999999999999964},
                                             {1e20, 1.9999999999999984e+20},
                                             {1e300, 2e300},
                                             {1e-310, 2e-310},
                                             {1e20, 2e20}};
    static const double label[] = {-1, 1, 1, 1, 1, -1, -1, -1, 1, 1, 1, -1};
    static const double near[3][4] = {{0, 1.0000000000000003e-05, -1e15, -1e15},
                                      {-3, 1.0000000000000006e-05, -1000000000000001, -1000000000000004},
                                      {-3, 9.9999999999999957e-06, -999999999999999, -1000000000000002}};
    static const double side[] = {1, 1, -1};
    sample s = sample_new(12, 2), t = sample_new(3, 4);
    memcpy(s.values, cancelling, sizeof cancelling);
    memcpy(s.labels, label, sizeof label);
    memcpy(t.values, near, sizeof near);
    memcpy(t.labels, side, sizeof side);
    sample_index(&s);
    sample_index(&t);
    linpred_options options = logistic_options(0.0), margin;
    linpred__options_init(&margin);
    margin.task = LINPRED_TASK_HALFSPACE;
    margin.method = LINPRED_METHOD_MARGIN;
    margin.no_intercept = true;
    several(&s, &options);
    several(&t, &margin);
    sample_free(&s);
    sample_free(&t);
}

static void tails_in_little_memory(void **state)
{
    (void)state;
    sample s = last_digits();
    linpred_options options = logistic_options(0.0);
    options.threads = 1;
    linpred_data *data = sample_data(&s, false);
    fit_in_little_memory(data, &options, 20);
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loss_to_many_digits),
                                       cmocka_unit_test(rows_of_a_tableau),
                                       cmocka_unit_test(tails_are_proved),
                                       cmocka_unit_test(tails_matter),
                                       cmocka_unit_test(straight_losses_prove_nothing),
                                       cmocka_unit_test(margins_with_tails),
                                       cmocka_unit_test(parts_of_numbers),
                                       cmocka_unit_test(several_tails),
                                       cmocka_unit_test(tails_in_little_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
