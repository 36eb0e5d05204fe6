/* A ball as a model: saved, loaded, applied, edited; and fitted where memory is short. */
#include <unistd.h>

#include "ball_reference.h"

static linpred_result *fitted(const linpred_data *data, linpred_method method, bool outside)
{
    linpred_options options = ball_options(method, outside);
    return fit_with(data, &options);
}

/* Rows of three kinds: a ball separates them; none does; only integers say so. */
static sample rows_of(int kind)
{
    static const double values[3][12] = {{0, 0, 1, 0, 0, 1, 4, 0, 0, 4, -4, -4},
                                         {0.1, 0, 1, 0, 0, 1.7, -3, 0, 0, 0.3, 0.2, 0.2},
                                         {-1, 0, 1, 0, 0, -1, 0, 0x1p-60, 0, 5, 5, 5}};
    static const double labels[6] = {1, 1, 1, -1, -1, -1};
    sample s = sample_new(6, 2);
    memcpy(s.values, values[kind], sizeof values[kind]);
    memcpy(s.labels, labels, sizeof labels);
    sample_index(&s);
    return s;
}

static void assert_same(const linpred_result *a, const linpred_result *b)
{
    const linpred_model *x = linpred_result_model(a), *y = linpred_result_model(b);
    assert_int_equal(linpred_model_task(y), LINPRED_TASK_BALL);
    assert_int_equal(linpred_model_inside(x), linpred_model_inside(y));
    assert_true(linpred_model_radius_squared(x) == linpred_model_radius_squared(y));
    for (int32_t j = 0; j < linpred_model_columns(x); j++)
        assert_true(linpred_model_centre(x)[j] == linpred_model_centre(y)[j]);
    for (int32_t j = 0; linpred_result_direction(a, j); j++)
        assert_string_equal(linpred_result_direction(a, j), linpred_result_direction(b, j));
    const int64_t *row;
    assert_int_equal(linpred_result_witness(a, &row), linpred_result_witness(b, &row));
}

static void saved_and_loaded(void **state)
{
    (void)state;
    char path[] = "/tmp/linpred-ball-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int i = 0; i < 6; i++) {
        sample s = rows_of(i / 2);
        bool outside = i % 2;
        for (int64_t r = 0; r < s.rows && outside; r++)
            s.labels[r] = -s.labels[r];
        linpred_data *data = sample_data(&s, false);
        linpred_result *result = fitted(data, LINPRED_METHOD_LP, outside), *loaded = NULL;
        linpred_error error = {0};
        assert_true((linpred_result_direction(result, 0) != NULL) == (i / 2 == 2));
        assert_int_equal(result->figures.outcome, i / 2 == 1 ? LINPRED_OUTCOME_INSEPARABLE : LINPRED_OUTCOME_SEPARATED);
        assert_int_equal(linpred_result_save(result, path, &error), LINPRED_OK);
        assert_int_equal(linpred_result_load(path, false, &loaded, &error), LINPRED_OK);
        assert_same(result, loaded);
        checked check;
        assert_int_equal(verify_result(loaded, data, 1, &check, &error), LINPRED_OK);
        assert_int_equal(check.verdict, LINPRED_PROVED);
        /* Scores have the sign that rational numbers give. */
        double scores[6];
        const linpred_model *model = linpred_result_model(loaded);
        assert_int_equal(linpred_score(model, data, 1, scores, &error), LINPRED_OK);
        for (int64_t r = 0; r < s.rows; r++) {
            int side = linpred_model_inside(model) * ball_side(linpred_model_centre(model),
                                                               linpred_model_radius_squared(model),
                                                               s.values + r * s.columns, s.columns);
            assert_int_equal((scores[r] > 0) - (scores[r] < 0), side);
        }
        linpred_result_free(result);
        linpred_result_free(loaded);
        linpred_data_free(data);
        sample_free(&s);
    }
    unlink(path);
}

/* A model of other rows says nothing of these, whatever it claims. */
static void other_rows_are_not_judged(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        sample s = rows_of(kind);
        linpred_data *data = sample_data(&s, false);
        linpred_result *result = fitted(data, LINPRED_METHOD_LP, false);
        linpred_data_free(data);
        for (int64_t r = 0; r < s.rows; r++)
            s.labels[r] = -s.labels[r];
        data = sample_data(&s, false);
        checked check;
        assert_int_equal(verify_result(result, data, 1, &check, NULL), LINPRED_OK);
        assert_int_equal(check.verdict, LINPRED_PARTLY_PROVED);
        assert_false(check.same_data);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* ---- memory
 * --------------------------------------------------------------------------------------------------------------- */

static int64_t left;

static void *scarce(void *context, void *memory, size_t bytes)
{
    (void)context;
    return left-- > 0 ? realloc(memory, bytes) : NULL;
}

static void give_back(void *context, void *memory)
{
    (void)context;
    free(memory);
}

/* The k-th allocation fails, for every k at first and many later: an error, nothing lost, or a right answer. */
static void little_memory(void **state)
{
    (void)state;
    const linpred_allocator allocator = {sizeof(linpred_allocator), scarce, give_back, NULL};
    for (int kind = 0; kind < 9; kind++) {
        sample s = rows_of(kind % 3);
        linpred_data *data = sample_data(&s, kind % 2);
        linpred_options options;
        linpred__options_init(&options);
        options.task = LINPRED_TASK_BALL;
        options.method = kind < 3 ? LINPRED_METHOD_LP : kind < 6 ? LINPRED_METHOD_AUTO : LINPRED_METHOD_EXACT;
        options.threads = 1;
        linpred_status status = LINPRED_ERROR_MEMORY;
        int64_t k = 0;
        for (; k < 100000 && status != LINPRED_OK; k += 1 + k / 40) {
            linpred_result *result = NULL;
            left = k;
            linpred_set_allocator(&allocator);
            status = linpred_fit(data, &options, &result, NULL);
            assert_true(status == LINPRED_OK || status == LINPRED_ERROR_MEMORY);
            left = INT64_MAX;
            linpred_result_free(result);
            linpred_set_allocator(NULL);
        }
        assert_int_equal(status, LINPRED_OK);
        assert_true(k > 20);
        linpred_data_free(data);
        sample_free(&s);
    }
}

static int64_t refused; /* the number of the request that fails */

static void *refuse_one(void *context, void *memory, size_t bytes)
{
    (void)context;
    return --refused == 0 ? NULL : realloc(memory, bytes);
}

/* One request alone fails. Integers try what is found about numbers that are far apart; without memory for them the fit
   is an error, not undecided. */
static void one_request_fails(void **state)
{
    (void)state;
    static const double values[2][12] = {
        {0, 5.3e-151, 1, -5.8e-151, 0, -1.2e-151, 0, -5e-153, 0, 3.4e-151, 1, -2.4e-151},
        {1e-154, 0, 1e-20, 0, 2e-20, 0, 1e-310, 0, 0, 0, 0, 0}};
    const linpred_allocator allocator = {sizeof(linpred_allocator), refuse_one, give_back, NULL};
    for (int kind = 0; kind < 4; kind++) {
        sample s = rows_of(0);
        memcpy(s.values, values[kind % 2], sizeof values[0]);
        sample_index(&s);
        linpred_data *data = sample_data(&s, false);
        linpred_options options = ball_options(kind < 2 ? LINPRED_METHOD_LP : LINPRED_METHOD_EXACT, false);
        linpred_result *result = fit_with(data, &options);
        linpred_outcome outcome = result->figures.outcome;
        assert_int_not_equal(outcome, LINPRED_OUTCOME_UNDECIDED);
        linpred_result_free(result);
        int64_t failures = 0;
        for (int64_t k = 1; refused <= 0; k += 1 + (kind < 2 ? 0 : k / 60)) {
            result = NULL;
            refused = k;
            linpred_set_allocator(&allocator);
            linpred_status status = linpred_fit(data, &options, &result, NULL);
            assert_true(status == LINPRED_OK || (status == LINPRED_ERROR_MEMORY && refused <= 0));
            if (status == LINPRED_OK)
                assert_int_equal(result->figures.outcome, outcome);
            failures += status != LINPRED_OK;
            linpred_result_free(result);
            linpred_set_allocator(NULL);
        }
        assert_true(failures > 20);
        refused = 0;
        linpred_data_free(data);
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_and_loaded),
        cmocka_unit_test(other_rows_are_not_judged),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(one_request_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
