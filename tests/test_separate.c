/* Separable or not, and the largest margin, through the public interface: against brute force on thousands of tiny
 * cases with ties, with every answer re-checked by the verifier and by hand. */
#include "support.h"
#include "int128_division.h"

/* ---- brute force: is there w with <w,z_i> > 0 for all i?
 * ---------------------------------------------------------------
 *
 * In integers. The cone of w with <w,z_i> >= 0 has a point that is positive on all rows iff for every row i some
 * extreme ray or line of the cone is positive on it; simpler and still exact for tiny cases: by Carathéodory 0 is a
 * positive combination of some minimal subset of rows, dependent in exactly one way, with all coefficients of one sign.
 * So: for every subset of at most D+1 rows, its one-dimensional left kernel by fraction-free elimination. */

enum { MOST = 8 };

typedef struct {
    int rows, columns;
    int64_t z[16][MOST];
} cone;

/* The left kernel of rows s[0..n-1] if it is one-dimensional: n integers; false if it is not. */
static bool kernel(const cone *c, const int *s, int n, linpred__int128 *lambda)
{
    /* Columns are equations, rows unknowns: solve A' lambda = 0 by elimination on a copy. */
    linpred__int128 a[MOST][16];
    int pivot_of[16];
    int rank = 0;
    bool is_pivot[16] = {false};
    for (int j = 0; j < c->columns; j++)
        for (int i = 0; i < n; i++)
            a[j][i] = c->z[s[i]][j];
    for (int i = 0; i < n && rank < c->columns; i++) {
        int at = rank;
        while (at < c->columns && a[at][i] == 0)
            at++;
        if (at == c->columns)
            continue;
        for (int k = 0; k < n; k++) {
            linpred__int128 t = a[at][k];
            a[at][k] = a[rank][k];
            a[rank][k] = t;
        }
        for (int j = 0; j < c->columns; j++) {
            if (j == rank || a[j][i] == 0)
                continue;
            linpred__int128 f = a[j][i], p = a[rank][i];
            for (int k = 0; k < n; k++)
                a[j][k] = a[j][k] * p - a[rank][k] * f;
            linpred__int128 g = 0;
            for (int k = 0; k < n; k++)
                g = divisor128(a[j][k] < 0 ? -a[j][k] : a[j][k], g);
            for (int k = 0; g > 1 && k < n; k++)
                a[j][k] = divide128(a[j][k], g);
        }
        pivot_of[rank++] = i;
        is_pivot[i] = true;
    }
    if (rank != n - 1)
        return false;
    int open = 0;
    while (is_pivot[open])
        open++;
    linpred__int128 product = 1;
    for (int j = 0; j < rank; j++)
        product *= a[j][pivot_of[j]];
    lambda[open] = product;
    for (int j = 0; j < rank; j++)
        lambda[pivot_of[j]] = -a[j][open] * divide128(product, a[j][pivot_of[j]]);
    return true;
}

static bool inseparable(const cone *c)
{
    for (unsigned mask = 1; mask < 1u << c->rows; mask++) {
        int s[16], n = 0;
        for (int i = 0; i < c->rows; i++)
            if (mask >> i & 1)
                s[n++] = i;
        linpred__int128 lambda[16];
        if (n > c->columns + 1 || !kernel(c, s, n, lambda))
            continue;
        int positive = 0, negative = 0;
        for (int i = 0; i < n; i++) {
            positive += lambda[i] > 0;
            negative += lambda[i] < 0;
        }
        if (positive == n || negative == n)
            return true;
    }
    return false;
}

static cone cone_of(const sample *s, bool intercept)
{
    cone c = {(int)s->rows, s->columns + intercept, {{0}}};
    for (int i = 0; i < c.rows; i++) {
        for (int32_t j = 0; j < s->columns; j++)
            c.z[i][j] = (int64_t)(s->labels[i] * s->values[i * s->columns + j]);
        if (intercept)
            c.z[i][s->columns] = (int64_t)s->labels[i];
    }
    return c;
}

/* ---- asking
 * ---------------------------------------------------------------------------------------------------------- */

static linpred_result *fit(const linpred_data *data, linpred_method method, bool intercept, int threads)
{
    linpred_options options;
    linpred__options_init(&options);
    options.method = method;
    options.no_intercept = !intercept;
    options.threads = threads;
    if (method == LINPRED_METHOD_AUTO)
        options.max_passes = 50;
    linpred_result *result = NULL;
    linpred_error error = {0};
    if (linpred_fit(data, &options, &result, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    return result;
}

static void assert_proved(const linpred_result *result, const linpred_data *data)
{
    checked check;
    assert_int_equal(verify_result(result, data, 2, &check, NULL), LINPRED_OK);
    if (check.verdict != LINPRED_PROVED && check.verdict != LINPRED_WITHIN_TOLERANCE)
        fail_msg("%s: %s", linpred_verdict_name(check.verdict), check.finding);
    assert_true(check.same_data);
}

/* The witness of a result summed in integers. */
static void assert_witness(const linpred_result *result, const cone *c)
{
    const int64_t *row;
    int64_t count = linpred_result_witness(result, &row);
    assert_true(count >= 1 && count <= c->columns + 1);
    linpred__int128 sum[MOST] = {0};
    for (int64_t i = 0; i < count; i++) {
        int64_t lambda = strtoll(linpred_result_witness_weight(result, i), NULL, 10);
        assert_true(lambda > 0);
        for (int j = 0; j < c->columns; j++)
            sum[j] += (linpred__int128)lambda * c->z[row[i] - 1][j];
    }
    for (int j = 0; j < c->columns; j++)
        assert_true(sum[j] == 0);
    /* Minimal: without any one of the rows the rest is separable. */
    for (int64_t left_out = 0; count > 1 && left_out < count; left_out++) {
        cone rest = {(int)count - 1, c->columns, {{0}}};
        for (int64_t i = 0, k = 0; i < count; i++)
            if (i != left_out)
                memcpy(rest.z[k++], c->z[row[i] - 1], sizeof rest.z[0]);
        assert_false(inseparable(&rest));
    }
}

static void tiny_cases_by_brute_force(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 77);
    int separable = 0, trials = 2500;
    for (int trial = 0; trial < trials; trial++) {
        int64_t rows = 2 + (int64_t)linpred__random_below(&random, 10);
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 4);
        bool intercept = linpred__random_below(&random, 2);
        sample s = sample_integers(&random, rows, columns, 1 + (int)linpred__random_below(&random, 3));
        cone c = cone_of(&s, intercept);
        bool no = inseparable(&c);
        separable += !no;
        linpred_data *data = sample_data(&s, trial % 2);
        linpred_result *lp = fit(data, LINPRED_METHOD_LP, intercept, 1 + trial % 2);
        assert_int_equal(lp->figures.outcome, no ? LINPRED_OUTCOME_INSEPARABLE : LINPRED_OUTCOME_SEPARATED);
        assert_proved(lp, data);
        if (no)
            assert_witness(lp, &c);
        linpred_result *best = fit(data, trial % 3 ? LINPRED_METHOD_MARGIN : LINPRED_METHOD_AUTO, intercept, 1);
        assert_int_equal(best->figures.outcome, no ? LINPRED_OUTCOME_INSEPARABLE : LINPRED_OUTCOME_OPTIMAL);
        assert_proved(best, data);
        if (!no) {
            assert_true(best->figures.gap <= 1e-12);
            assert_true(best->figures.margin >= lp->figures.margin * (1 - 1e-12));
        }
        linpred_result_free(lp);
        linpred_result_free(best);
        linpred_data_free(data);
        sample_free(&s);
    }
    assert_in_range(separable, trials / 5, 4 * trials / 5);
}

/* ---- the bound on updates
 * ------------------------------------------------------------------------------------------------ */

struct proof {
    int64_t updates;
    double last_limit;
};

static bool check_step(void *context, const linpred_update *u)
{
    struct proof *proof = context;
    proof->updates++;
    assert_true(u->star_product >= (double)u->update);
    assert_true(u->norm_squared <= u->norm_limit);
    assert_true(u->cosine >= u->cosine_limit * (1 - 1e-15));
    assert_true(u->cosine <= 1 + 1e-12);
    return true;
}

static void every_step_of_the_bound_holds(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    int separable = 0;
    for (int trial = 0; trial < 300; trial++) {
        sample s = sample_integers(&random, 2 + trial % 9, 1 + trial % 4, 3);
        linpred_data *data = sample_data(&s, trial % 2);
        linpred_options options;
        linpred__options_init(&options);
        struct proof proof = {0};
        options.method = LINPRED_METHOD_PERCEPTRON;
        options.no_intercept = trial % 3 == 0;
        options.max_updates = 20000;
        options.max_passes = 20000;
        linpred_result *lp = fit(data, LINPRED_METHOD_LP, !options.no_intercept, 1);
        bool yes = lp->figures.outcome == LINPRED_OUTCOME_SEPARATED;
        options.bound = true;
        options.on_update = yes ? check_step : NULL;
        options.update_context = &proof;
        linpred_result *result = NULL;
        assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
        const linpred__figures *figures = &result->figures;
        if (yes) {
            separable++;
            assert_int_equal(figures->outcome, LINPRED_OUTCOME_SEPARATED);
            assert_true(proof.updates == figures->updates);
            assert_true((double)figures->updates <= figures->update_bound * (1 + 1e-12));
        } else {
            const int64_t *row;
            assert_int_equal(figures->outcome, LINPRED_OUTCOME_LIMIT_REACHED);
            assert_true(isnan(figures->update_bound));
            assert_true(linpred_result_witness(result, &row) > 0);
            assert_non_null(strstr(figures->reason, "could never have ended"));
        }
        assert_proved(result, data);
        linpred_result_free(lp);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
    assert_in_range(separable, 60, 290);
}

/* ---- hard cases
 * ------------------------------------------------------------------------------------------------------------ */

static linpred_outcome outcome_of(const sample *s, bool intercept, linpred_method method)
{
    linpred_outcome outcome = LINPRED_OUTCOME_UNDECIDED;
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_data *data = sample_data(s, sparse);
        linpred_result *result = fit(data, method, intercept, 2);
        assert_true(sparse == 0 || outcome == result->figures.outcome);
        outcome = result->figures.outcome;
        assert_proved(result, data);
        linpred_result_free(result);
        linpred_data_free(data);
    }
    return outcome;
}

static void touching_and_one_ulp_apart(void **state)
{
    (void)state;
    /* Classes that touch in a hyperplane x1 + x2 = 1/3 (rounded), then one of them moved by one ulp. */
    sample s = sample_new(6, 2);
    for (int i = 0; i < 6; i++) {
        s.values[2 * i] = i / 2 + 0.125;
        s.values[2 * i + 1] = 5.0 - (i / 2 + 0.125);
        s.labels[i] = i % 2 ? 1 : -1;
    }
    sample_index(&s);
    assert_int_equal(outcome_of(&s, true, LINPRED_METHOD_LP), LINPRED_OUTCOME_INSEPARABLE);
    for (int i = 1; i < 6; i += 2)
        s.values[2 * i + 1] = nextafter(s.values[2 * i + 1], 10.0);
    sample_index(&s);
    assert_int_equal(outcome_of(&s, true, LINPRED_METHOD_LP), LINPRED_OUTCOME_SEPARATED);
    s.values[3] = 5.0 - 0.125; /* one pair is the same point with both labels again */
    sample_index(&s);
    linpred_data *data = sample_data(&s, false);
    linpred_result *result = fit(data, LINPRED_METHOD_LP, true, 1);
    const int64_t *row;
    assert_int_equal(linpred_result_witness(result, &row), 2);
    assert_true(row[0] == 1 && row[1] == 2);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

static void extreme_units_and_copies(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 8);
    for (int no = 0; no < 2; no++) {
        sample s = sample_new(400, 3);
        for (int i = 0; i < 400; i++) {
            double u = linpred__random_normal(&random), v = linpred__random_normal(&random);
            s.labels[i] = u + v > 0.1 ? 1 : -1;
            u += 0.1 * s.labels[i];
            s.values[3 * i] = u * 1e150;
            s.values[3 * i + 1] = v * 1e-150;
            s.values[3 * i + 2] = 7.0; /* constant */
        }
        if (no)
            s.labels[123] = -s.labels[123];
        sample_index(&s);
        assert_int_equal(outcome_of(&s, true, LINPRED_METHOD_LP),
                         no ? LINPRED_OUTCOME_INSEPARABLE : LINPRED_OUTCOME_SEPARATED);
        sample_free(&s);
    }
    sample s = sample_new(10001, 2);
    for (int i = 0; i < 10001; i++) {
        s.values[2 * i] = i < 10000 ? 1.0 : 1.5;
        s.values[2 * i + 1] = 2.0;
        s.labels[i] = i < 10000 ? 1 : -1;
    }
    sample_index(&s);
    assert_int_equal(outcome_of(&s, true, LINPRED_METHOD_MARGIN), LINPRED_OUTCOME_OPTIMAL);
    sample_free(&s);
}

/* z_1 = e_1, z_k = e_k - 2 e_(k-1): separable, but the perceptron needs B^2 = Σ(2^k-1)^2 updates. */
static void shrinking_margins(void **state)
{
    (void)state;
    for (int d = 2; d <= 30; d += 7) {
        sample s = sample_new(d, d);
        double square = 0;
        for (int k = 0; k < d; k++) {
            s.labels[k] = k % 2 ? -1 : 1;
            s.values[k * d + k] = s.labels[k];
            if (k > 0)
                s.values[k * d + k - 1] = -2 * s.labels[k];
            square += (exp2(k + 1) - 1) * (exp2(k + 1) - 1);
        }
        sample_index(&s);
        linpred_data *data = sample_data(&s, false);
        linpred_result *result = fit(data, LINPRED_METHOD_MARGIN, false, 1);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
        assert_true(fabs(result->figures.norm * result->figures.norm / square - 1) < 1e-13);
        assert_proved(result, data);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* A million rows: the solvers never hold more than a small part of them. */
static void working_rows_stay_few(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 31);
    for (int no = 0; no < 2; no++) {
        sample s = sample_new(1000000, 4);
        for (int64_t i = 0; i < s.rows; i++) {
            double t = 0;
            for (int j = 0; j < 4; j++) {
                s.values[i * 4 + j] = linpred__random_uniform(&random) - 0.5;
                t += (j + 1) * s.values[i * 4 + j];
            }
            s.labels[i] = t > 0 ? 1 : -1;
            s.values[i * 4] += 1e-3 * s.labels[i];
        }
        if (no)
            s.labels[777777] = -s.labels[777777];
        sample_index(&s);
        linpred_data *data = sample_data(&s, false);
        linpred_result *result = fit(data, LINPRED_METHOD_LP, true, 2);
        assert_int_equal(result->figures.outcome, no ? LINPRED_OUTCOME_INSEPARABLE : LINPRED_OUTCOME_SEPARATED);
        assert_in_range(result->figures.working_rows, 1, 5000);
        assert_proved(result, data);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Twins far apart in many rows are found, and are the whole proof; rows that come sorted by label are no trouble to a
   start on a part of them; neither threads nor the layout change a bit. */
static void twins_in_sorted_rows(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 32);
    enum { ROWS = 300000, HALF = ROWS / 2, COLUMNS = 30, FIRST = 123456, SECOND = 299998 };
    sample s = sample_new(ROWS, COLUMNS);
    for (int64_t i = 0; i < ROWS; i++) {
        s.labels[i] = i < HALF ? 1 : -1;
        double t = 0;
        for (int32_t j = 0; j < COLUMNS; j++) {
            double x = linpred__random_uniform(&random) - 0.5;
            s.values[i * COLUMNS + j] = x;
            t += (j % 3 - 0.5) * x;
        }
        if (t * s.labels[i] < 0)
            for (int32_t j = 0; j < COLUMNS; j++)
                s.values[i * COLUMNS + j] *= -1;
        s.values[i * COLUMNS + 2] += 1e-3 * s.labels[i];
    }
    for (int contradictory = 0; contradictory < 2; contradictory++) {
        if (contradictory)
            memcpy(s.values + (int64_t)SECOND * COLUMNS, s.values + (int64_t)FIRST * COLUMNS, COLUMNS * sizeof(double));
        sample_index(&s);
        double first[COLUMNS];
        for (int k = 0; k < 3; k++) {
            linpred_data *data = sample_data(&s, k == 2);
            linpred_result *result = fit(data, LINPRED_METHOD_LP, true, k == 0 ? 1 : 3);
            const linpred__figures *figures = &result->figures;
            assert_int_equal(figures->outcome, contradictory ? LINPRED_OUTCOME_INSEPARABLE : LINPRED_OUTCOME_SEPARATED);
            const int64_t *row;
            if (contradictory) {
                assert_int_equal(linpred_result_witness(result, &row), 2);
                assert_int_equal(row[0], FIRST + 1);
                assert_int_equal(row[1], SECOND + 1);
            }
            for (int32_t j = 0; j < COLUMNS; j++) {
                double w = coefficient_of(result, j).value;
                if (k == 0)
                    first[j] = w;
                assert_true(w == first[j]);
            }
            assert_proved(result, data);
            linpred_result_free(result);
            linpred_data_free(data);
        }
    }
    sample_free(&s);
}

/* More columns than rows, so that any labels are separable: the largest margin is proved, and threads change no bit of
   it, of its gap or of its weights. */
static void wide_margins_on_any_threads(void **state)
{
    (void)state;
    enum { ROWS = 400, COLUMNS = 450 };
    linpred__random random;
    linpred__random_seed(&random, 33);
    sample s = sample_new(ROWS, COLUMNS);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        s.values[i] = linpred__random_normal(&random);
    for (int64_t i = 0; i < ROWS; i++)
        s.labels[i] = linpred__random_uniform(&random) < 0.5 ? 1 : -1;
    sample_index(&s);
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_data *data = sample_data(&s, sparse);
        linpred_result *one = fit(data, LINPRED_METHOD_MARGIN, true, 1);
        for (int threads = 2; threads <= 3; threads++) {
            linpred_result *result = fit(data, LINPRED_METHOD_MARGIN, true, threads);
            assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
            assert_true(result->figures.margin == one->figures.margin);
            assert_true(result->figures.gap == one->figures.gap);
            for (int32_t j = 0; j < COLUMNS; j++)
                assert_true(coefficient_of(result, j).value == coefficient_of(one, j).value);
            assert_true(result->model.b == one->model.b);
            assert_proved(result, data);
            linpred_result_free(result);
        }
        linpred_result_free(one);
        linpred_data_free(data);
    }
    sample_free(&s);
}

/* Too many rows and columns for linear programs: a planted halfspace is found; with a part of the labels flipped the
   answer is a halfspace that separates (which the verifier sees) or a bound that it proves. Threads change no bit. */
static void many_rows_and_columns(void **state)
{
    (void)state;
    enum { ROWS = 12000, COLUMNS = 2100, ENTRIES = 4 };
    linpred__random random;
    linpred__random_seed(&random, 33);
    double *w = calloc(COLUMNS, sizeof *w);
    for (int32_t j = 0; j < COLUMNS; j++)
        w[j] = linpred__random_normal(&random);
    for (int noisy = 0; noisy < 2; noisy++) {
        int64_t *start = calloc(ROWS + 1, sizeof *start);
        int32_t *indices = calloc((size_t)ROWS * ENTRIES, sizeof *indices);
        double *values = calloc((size_t)ROWS * ENTRIES, sizeof *values), *labels = calloc(ROWS, sizeof *labels);
        for (int64_t i = 0; i < ROWS; i++) {
            start[i] = i * ENTRIES;
            double score;
            do {
                score = 0;
                for (int32_t k = 0; k < ENTRIES; k++) { /* one column out of each part of them */
                    int32_t j = COLUMNS / ENTRIES * k + (int32_t)linpred__random_below(&random, COLUMNS / ENTRIES);
                    indices[start[i] + k] = j;
                    values[start[i] + k] = linpred__random_uniform(&random);
                    score += w[j] * values[start[i] + k];
                }
            } while (fabs(score) < 0.05);
            bool flipped = noisy && linpred__random_below(&random, 3) == 0;
            labels[i] = (score > 0) != flipped ? 1 : -1;
        }
        start[ROWS] = (int64_t)ROWS * ENTRIES;
        linpred_arrays arrays = {.struct_size = sizeof arrays,
                                 .rows = ROWS,
                                 .columns = COLUMNS,
                                 .start = start,
                                 .indices = indices,
                                 .values = values,
                                 .labels = labels};
        linpred_data *data;
        assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
        linpred_result *result = fit(data, LINPRED_METHOD_LP, true, 1), *other = fit(data, LINPRED_METHOD_LP, true, 3);
        const linpred__figures *figures = &result->figures;
        assert_int_equal(figures->outcome, noisy ? LINPRED_OUTCOME_UNDECIDED : LINPRED_OUTCOME_SEPARATED);
        assert_true(noisy ? figures->errors > 0 && figures->margin_bound < 1e-3
                          : figures->errors == 0 && figures->margin > 0);
        for (int32_t j = 0; j < COLUMNS; j++)
            assert_true(coefficient_of(result, j).value == coefficient_of(other, j).value);
        assert_proved(result, data);
        linpred_result_free(result);
        linpred_result_free(other);
        linpred_data_free(data);
        free(start);
        free(indices);
        free(values);
        free(labels);
    }
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_cases_by_brute_force),  cmocka_unit_test(every_step_of_the_bound_holds),
        cmocka_unit_test(touching_and_one_ulp_apart), cmocka_unit_test(extreme_units_and_copies),
        cmocka_unit_test(shrinking_margins),          cmocka_unit_test(working_rows_stay_few),
        cmocka_unit_test(twins_in_sorted_rows),       cmocka_unit_test(wide_margins_on_any_threads),
        cmocka_unit_test(many_rows_and_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
