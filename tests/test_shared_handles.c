/* Const handles may be shared by threads: several threads fit, verify, score, save and read the same data, options and
 * result at once, and all get the same bits. (Under ThreadSanitizer this test is about races.) */
#include <pthread.h>

#include "support.h"

enum { THREADS = 4, ROWS = 400, COLUMNS = 5 };

static linpred_data *data;
static linpred_options *options;
static linpred_result *shared;

typedef struct seen {
    double coefficients[COLUMNS + 1];
    double scores[ROWS];
    signed char labels[ROWS];
    char *text;
    int verdict;
} seen;

static void *work(void *context)
{
    seen *s = context;
    linpred_result *result = NULL;
    linpred_check *check = NULL;
    linpred_option_text option = {.struct_size = sizeof option};
    for (size_t i = 0; linpred_options_describe(i, &option); i++)
        if (!*option.name)
            return NULL;
    if (linpred_fit(data, options, &result, NULL) != LINPRED_OK)
        return NULL;
    const linpred_model *model = linpred_result_model(result);
    memcpy(s->coefficients, linpred_model_coefficients(model), COLUMNS * sizeof(double));
    s->coefficients[COLUMNS] = linpred_model_intercept(model);
    model = linpred_result_model(shared);
    linpred_coefficient c = {.struct_size = sizeof c};
    bool done = linpred_verify(shared, data, 2, &check, NULL) == LINPRED_OK &&
                linpred_score(model, data, 2, s->scores, NULL) == LINPRED_OK &&
                linpred_predict_labels(model, data, 1, s->labels, NULL) == LINPRED_OK &&
                linpred_result_to_text(shared, &s->text, NULL, NULL) == LINPRED_OK &&
                linpred_result_coefficient(shared, 0, &c);
    s->verdict = done ? (int)linpred_check_verdict(check) : -1;
    linpred_check_free(check);
    linpred_result_free(result);
    return done ? s : NULL;
}

static void all_see_the_same(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    sample s = sample_integers(&random, ROWS, COLUMNS, 9);
    static const char *const tasks[] = {"halfspace", "logistic", "ball"};
    data = sample_data(&s, false);
    for (size_t k = 0; k < sizeof tasks / sizeof tasks[0]; k++) {
        static seen all[THREADS];
        pthread_t thread[THREADS];
        options = linpred_options_new();
        assert_int_equal(linpred_options_set(options, "task", tasks[k], NULL), LINPRED_OK);
        assert_int_equal(linpred_options_set(options, "threads", "2", NULL), LINPRED_OK);
        if (k != 1)
            assert_int_equal(linpred_options_set(options, "method", "pocket", NULL), LINPRED_OK);
        assert_int_equal(linpred_fit(data, options, &shared, NULL), LINPRED_OK);
        memset(all, 0, sizeof all);
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_create(&thread[t], NULL, work, &all[t]), 0);
        for (int t = 0; t < THREADS; t++) {
            void *done = NULL;
            assert_int_equal(pthread_join(thread[t], &done), 0);
            assert_non_null(done);
        }
        for (int t = 1; t < THREADS; t++) {
            assert_memory_equal(all[t].coefficients, all[0].coefficients, sizeof all[0].coefficients);
            assert_memory_equal(all[t].scores, all[0].scores, sizeof all[0].scores);
            assert_memory_equal(all[t].labels, all[0].labels, sizeof all[0].labels);
            assert_string_equal(all[t].text, all[0].text);
            assert_int_equal(all[t].verdict, all[0].verdict);
        }
        for (int t = 0; t < THREADS; t++)
            linpred_text_free(all[t].text);
        linpred_result_free(shared);
        linpred_options_free(options);
    }
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_see_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
