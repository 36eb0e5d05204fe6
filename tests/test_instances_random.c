/* Random instances: what was planted is there, exactly where exactness is promised; the bits never change. */
#include "instances.h"

static linpred_options sized(int64_t rows, int64_t columns, int64_t seed)
{
    linpred_options options = usual_options();
    options.instance_rows = rows;
    options.instance_columns = columns;
    options.seed = seed;
    return options;
}

/* ---- halfspaces
 * ---------------------------------------------------------------------------------------------------------- */

static void planted_margins_hold_exactly(void **state)
{
    (void)state;
    static const double margins[] = {1e-9, 1e-4, 0.1, 1.0, 50.0, 1e6};
    for (int k = 0; k < 24; k++) {
        linpred_options options = sized(k % 2 ? 2 : 400, k % 5 ? 1 + k : 200, k);
        options.instance_margin = margins[k % 6];
        made m = make("separable", &options);
        double b, norm = 0;
        double *w = truth_vector(&m, "coefficients", &b);
        for (int32_t j = 0; j < m.columns; j++)
            norm += w[j] * w[j];
        norm = sqrt(norm + b * b);
        double min_score =
            options.instance_margin * norm * (1 + 0x1p-51); /* at least the true product: two roundings */
        int64_t positive = 0;
        for (int64_t i = 0; i < m.rows; i++) {
            assert_true(exact_sign(&m, i, w, b, min_score) >= 0);
            positive += m.y[i] > 0;
        }
        assert_int_equal(positive, m.rows / 2);
        assert_true(truth_number(&m, "margin") >= options.instance_margin);
        free(w);
        made_free(&m);
    }
}

static void check_flips(double flip, int64_t rows, int64_t expected)
{
    linpred_options options = sized(rows, 3, 7);
    options.instance_flip = flip;
    made m = make("noisy", &options);
    double b;
    double *w = truth_vector(&m, "coefficients", &b);
    json_t *flipped = json_object_get(m.truth, "flipped_rows");
    assert_int_equal(json_array_size(flipped), expected);
    assert_true(truth_number(&m, "errors") == (double)expected);
    int64_t mistakes = 0, positive = 0;
    for (int64_t i = 0; i < m.rows; i++) {
        positive += m.y[i] > 0;
        if (exact_sign(&m, i, w, b, 0.0) > 0)
            continue;
        assert_int_equal(json_integer_value(json_array_get(flipped, (size_t)mistakes)), i + 1);
        mistakes++;
    }
    assert_int_equal(mistakes, expected);
    assert_in_range(positive, 1, rows - 1);
    free(w);
    made_free(&m);
}

static void flipped_labels_are_the_stated_ones(void **state)
{
    (void)state;
    check_flips(0.0, 50, 0);
    check_flips(0.02, 50, 1);
    check_flips(0.25, 1000, 250);
    check_flips(1, 50, 1);
    check_flips(24, 50, 24);
    static const double refused[] = {1.5, 25, 0.5, 0.9};
    for (int k = 0; k < 4; k++) {
        linpred_options options = sized(50, 3, 7);
        options.instance_flip = refused[k];
        linpred_instance *none = NULL;
        assert_int_equal(linpred_generate("noisy", &options, &none, NULL), LINPRED_ERROR_USAGE);
    }
}

/* ---- logistic regression
 * ------------------------------------------------------------------------------------------------- */

/* Rows 2k and 2k+1 (0-based) are the same point with both labels, e_k in its first `free` coordinates, e_0 = 0. */
static void check_corners(const made *m, int32_t free)
{
    for (int64_t i = 0; i < 2 * ((int64_t)free + 1); i++) {
        assert_true(m->y[i] == (i % 2 ? 1.0 : -1.0));
        for (int32_t j = 0; j < free; j++)
            assert_true(m->x[i * m->columns + j] == (j + 1 == i / 2 ? 1.0 : 0.0));
    }
}

static void quasi_separated_has_one_direction(void **state)
{
    (void)state;
    for (int32_t columns = 1; columns <= 12; columns++) {
        linpred_options options = sized(2 * columns + (columns % 3 ? 60 : 1), columns, columns);
        made m = make("quasi-separated", &options);
        double b;
        double *w = truth_vector(&m, "direction", &b);
        int64_t strict = 0;
        for (int64_t i = 0; i < m.rows; i++) {
            int sign = exact_sign(&m, i, w, b, 0.0);
            assert_true(i < 2 * columns ? sign == 0 : sign >= 0);
            strict += sign > 0;
        }
        assert_true(strict > 0 && truth_number(&m, "strict_rows") == (double)strict);
        check_corners(&m, columns - 1);
        linpred_options lp = usual_options();
        lp.method = LINPRED_METHOD_LP;
        linpred_result *result = fit_made(&m, &lp);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_INSEPARABLE);
        linpred_result_free(result);
        free(w);
        made_free(&m);
    }
}

/* Σ(1[y=1] - p) has mean 0 and variance Σp(1-p), also when weighted by a feature. */
static void logistic_labels_follow_the_model(void **state)
{
    (void)state;
    linpred_options options = sized(20000, 3, 2);
    made m = make("logistic", &options);
    double b, sum[2] = {0, 0}, variance[2] = {0, 0};
    double *w = truth_vector(&m, "coefficients", &b);
    check_corners(&m, 3);
    for (int64_t i = 8; i < m.rows; i++) {
        const double *x = m.x + 3 * i;
        double p = 1.0 / (1.0 + exp(-(w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + b)));
        for (int k = 0; k < 2; k++) {
            double feature = k ? x[0] : 1.0;
            sum[k] += feature * ((m.y[i] > 0) - p);
            variance[k] += feature * feature * p * (1 - p);
        }
    }
    assert_true(fabs(sum[0]) < 4 * sqrt(variance[0]) && fabs(sum[1]) < 4 * sqrt(variance[1]));
    free(w);
    made_free(&m);
}

/* ---- regression
 * ------------------------------------------------------------------------------------------------------------ */

static void check_dependency(const made *m, json_t *dependency, int32_t rank, int32_t column)
{
    double *v = calloc((size_t)m->columns, sizeof *v);
    for (int32_t j = 0; j < m->columns; j++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", j + 1);
        v[j] = json_number_value(json_object_get(dependency, name));
        assert_true(j < rank || v[j] == (j == column ? -1.0 : 0.0));
    }
    for (int64_t i = 0; i < m->rows; i++) {
        linpred__exact sum;
        linpred__exact_clear(&sum);
        for (int32_t j = 0; j < m->columns; j++)
            linpred__exact_add(&sum, v[j], m->x[i * m->columns + j]);
        assert_int_equal(linpred__exact_sign(&sum), 0);
    }
    free(v);
}

static void dependencies_hold_exactly(void **state)
{
    (void)state;
    static const int64_t shapes[][4] = {{100, 5, 0, 3}, {4, 4, 3, 3}, {2, 2, 1, 1}, {300, 40, 7, 7}, {50, 9, 1, 1}};
    for (int k = 0; k < 5; k++) {
        linpred_options options = sized(shapes[k][0], shapes[k][1], k);
        options.instance_rank = shapes[k][2];
        made m = make("rank-deficient", &options);
        int32_t rank = (int32_t)truth_number(&m, "rank");
        assert_int_equal(rank, shapes[k][3]);
        json_t *list = json_object_get(m.truth, "dependencies");
        assert_int_equal(json_array_size(list), m.columns - rank);
        for (int32_t j = rank; j < m.columns; j++)
            check_dependency(&m, json_array_get(list, (size_t)(j - rank)), rank, j);
        for (int64_t i = 0; i <= rank; i++) /* 0, e_1, …: rank `rank`, one more with the intercept */
            for (int32_t j = 0; j < rank; j++)
                assert_true(m.x[i * m.columns + j] == (j + 1 == i ? 1.0 : 0.0));
        made_free(&m);
    }
    linpred_options options = sized(100, 5, 1);
    linpred_instance *none = NULL;
    options.instance_rank = 5;
    assert_int_equal(linpred_generate("rank-deficient", &options, &none, NULL), LINPRED_ERROR_USAGE);
}

/* Student's t with two degrees of freedom: 5 % beyond ±4.3027, half below 0. */
static void heavy_tails_are_heavy(void **state)
{
    (void)state;
    linpred_options options = sized(20000, 2, 3);
    made m = make("heavy-tailed", &options);
    double b;
    double *w = truth_vector(&m, "coefficients", &b);
    int beyond = 0, below = 0;
    double largest = 0;
    for (int64_t i = 0; i < m.rows; i++) {
        double noise = m.y[i] - (w[0] * m.x[2 * i] + w[1] * m.x[2 * i + 1] + b);
        beyond += fabs(noise) > 4.3027;
        below += noise < 0;
        largest = fmax(largest, fabs(noise));
    }
    assert_in_range(beyond, 1000 - 130, 1000 + 130); /* four standard deviations */
    assert_in_range(below, 10000 - 290, 10000 + 290);
    assert_true(largest > 50);
    free(w);
    made_free(&m);
}

/* ---- the same bits
 * ----------------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 0x100000001B3u;
    return hash;
}

static void bits_are_the_same_everywhere(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t hash;
    } expected[] = {
        {"basis", 0xA4A64AE8FF080B38u},        {"tight", 0x7DF5297A9265D1CAu},
        {"shrinking", 0xA513F7D8F67CFB24u},    {"undershoot", 0x81EFD2CC12D64E4Fu},
        {"offset", 0x627B0976FB1EE0A5u},       {"two-updates", 0xEE41A529D233F23Cu},
        {"xor", 0xCF706021EE514FA1u},          {"separable", 0x04BA09647E47D2AEu},
        {"noisy", 0x3A52B8C48C4BFF74u},        {"quasi-separated", 0xBA57DB2A12582C53u},
        {"logistic", 0xA02E3DA0CBA9E452u},     {"rank-deficient", 0xFCB0FE5B3860C7CEu},
        {"heavy-tailed", 0xA0CB7D44309B1BB2u},
    };
    assert_int_equal(linpred_instances_count(), sizeof expected / sizeof expected[0]);
    for (size_t k = 0; k < linpred_instances_count(); k++) {
        linpred_instance_text text = {.struct_size = sizeof text};
        assert_true(linpred_instances_describe(k, &text));
        assert_string_equal(text.name, expected[k].name);
        made m = make(expected[k].name, NULL);
        assert_int_equal(text.rows, m.rows);
        assert_int_equal(text.columns, m.columns);
        const char *truth = linpred_instance_truth(m.instance);
        uint64_t hash = mix(0xCBF29CE484222325u, m.x, (size_t)(m.rows * m.columns) * sizeof(double));
        hash = mix(hash, m.y, (size_t)m.rows * sizeof(double));
        hash = mix(hash, truth, strlen(truth));
        if (hash != expected[k].hash)
            fail_msg("%s: 0x%016llxu", expected[k].name, (unsigned long long)hash);
        made_free(&m);
    }
    linpred_instance_text none = {.struct_size = sizeof none};
    assert_false(linpred_instances_describe(linpred_instances_count(), &none));
}

static void normal_numbers_are_normal(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 11);
    enum { N = 200000 };
    double sum = 0, square = 0;
    int beyond = 0;
    for (int i = 0; i < N; i++) {
        double z = linpred__random_normal(&random);
        sum += z;
        square += z * z;
        beyond += fabs(z) > 1.959964;
    }
    assert_true(fabs(sum) < 4 * sqrt(N) && fabs(square - N) < 4 * sqrt(2.0 * N));
    assert_in_range(beyond, N / 20 - 400, N / 20 + 400);
}

/* ---- memory
 * ------------------------------------------------------------------------------------------------------------------ */

static int64_t until_failure, held;

static void *scarce_reallocate(void *context, void *memory, size_t bytes)
{
    (void)context;
    if (until_failure-- == 0)
        return NULL;
    held += memory == NULL;
    return realloc(memory, bytes);
}

static void scarce_release(void *context, void *memory)
{
    (void)context;
    held -= memory != NULL;
    free(memory);
}

static void nothing_leaks_when_memory_runs_out(void **state)
{
    (void)state;
    static const linpred_allocator scarce = {sizeof(linpred_allocator), scarce_reallocate, scarce_release, NULL};
    linpred_options options = usual_options();
    linpred_set_allocator(&scarce);
    for (size_t k = 0; k < linpred_instances_count(); k++) {
        linpred_status status = LINPRED_ERROR_MEMORY;
        for (int64_t n = 0; status != LINPRED_OK; n++) {
            linpred_instance *instance = NULL;
            until_failure = n;
            linpred_instance_text text = {.struct_size = sizeof text};
            assert_true(linpred_instances_describe(k, &text));
            status = linpred_generate(text.name, &options, &instance, NULL);
            assert_true(status == LINPRED_OK ? instance != NULL && n > 2 : status == LINPRED_ERROR_MEMORY && !instance);
            linpred_instance_free(instance);
            assert_int_equal(held, 0);
        }
    }
    linpred_set_allocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_margins_hold_exactly),       cmocka_unit_test(flipped_labels_are_the_stated_ones),
        cmocka_unit_test(quasi_separated_has_one_direction),  cmocka_unit_test(logistic_labels_follow_the_model),
        cmocka_unit_test(dependencies_hold_exactly),          cmocka_unit_test(heavy_tails_are_heavy),
        cmocka_unit_test(bits_are_the_same_everywhere),       cmocka_unit_test(normal_numbers_are_normal),
        cmocka_unit_test(nothing_leaks_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
