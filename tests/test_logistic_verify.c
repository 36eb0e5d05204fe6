/* The verifier of logistic fits: every number of a saved model is judged, forged optima are found out, and what is said
 * of dependent columns is proved or not said. */
#include "core/memory.h"
#include "data/fingerprint.h"
#include "claim_support.h"
#include "forge_support.h"
#include "logistic_support.h"

#include "pass/dependence.h"

/* Steps and times are no claims about the rows. */
static const char *const no_claims[] = {"iterations", "passes", "rounds", "working_rows", "seconds", "solver_seconds",
                                        "index_base", "main",   NULL};

enum kind { PLAIN, WEIGHTED, BY_CLASS, PENALISED, NO_INTERCEPT, FAR, DEPENDENT, TO_ROUNDING, KINDS };

/* Rows, options and data for each kind of fit. */
static linpred_data *make(enum kind kind, bool sparse, sample *s, linpred_options *options)
{
    int32_t columns = kind == DEPENDENT || kind == TO_ROUNDING ? 5 : 3;
    sample plain = sample_logistic(7, 240, 3, 1.5);
    *s = sample_new(240, columns);
    *options = logistic_options(kind == PENALISED ? 0.01 : 0.0);
    options->no_intercept = kind == NO_INTERCEPT;
    options->class_weights = kind == BY_CLASS ? "2:5" : NULL;
    for (int64_t i = 0; i < s->rows; i++) {
        double *x = s->values + i * columns, *from = plain.values + 3 * i;
        for (int32_t j = 0; j < 3; j++)
            x[j] = nearbyint(0x1p10 * from[j]) * 0x1p-10;
        if (kind == FAR)
            x[1] += 20000.0;
        if (columns == 5) { /* a sum, which rounds if one of it is a decimal; and a constant */
            x[2] = kind == TO_ROUNDING ? 0.1 * nearbyint(10.0 * from[2]) : x[2];
            x[3] = x[0] + x[2];
            x[4] = 0.1;
        }
        s->labels[i] = plain.labels[i];
    }
    sample_index(s);
    if (kind == WEIGHTED) {
        s->weights = calloc(240, sizeof(double));
        for (int64_t i = 0; i < s->rows; i++)
            s->weights[i] = 1.0 + (double)(i % 4);
    }
    sample_free(&plain);
    return sample_data(s, sparse);
}

static void every_number_is_judged(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int sparse = 0; sparse < 2; sparse++) {
            sample s;
            linpred_options options;
            linpred_data *data = make((enum kind)kind, sparse, &s, &options);
            linpred_result *result = fit_data(data, &options);
            assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_OPTIMAL);
            checked check = check_result(result, data);
            if (check.verdict != (kind == TO_ROUNDING ? LINPRED_PARTLY_PROVED : LINPRED_PROVED))
                fail_msg("kind %d: %s: %s", kind, linpred_verdict_name(check.verdict), check.finding);
            int64_t tried = forge_every_number(result, data, no_claims, 1e-5, true);
            assert_true(tried > 60);
            linpred_result_free(result);
            linpred_data_free(data);
            sample_free(&s);
        }
}

/* A gap is a bound: at most what is claimed, at least what the rows give. */
static void gaps_are_judged(void **state)
{
    (void)state;
    sample s;
    linpred_options options;
    linpred_data *data = make(PLAIN, false, &s, &options);
    linpred_result *result = fit_data(data, &options);
    const double wrong[] = {NAN, -1e-20, 2e-8, INFINITY};
    double kept = result->figures.gap;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        result->figures.gap = wrong[i];
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
    }
    result->figures.gap = 1e-9;
    assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
    result->figures.gap = kept;
    result->model.w[0] *=
        1.0 + 1e-7; /* no harm to the objective, which is within 1e-14; but more than the gap that is stated */
    assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
    result->figures.gap = 1e-9; /* the gap is right again; the standard errors are those of the other coefficients */
    checked check = check_result(result, data);
    assert_non_null(strstr(check.finding, "logistic_optimum proved"));
    assert_int_equal(check.verdict, LINPRED_REFUTED);
    assert_non_null(strstr(check.finding, "standard_errors refuted"));
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

/* ---- forged optima -------------------------------------------------------------------------------------------------
 */

/* The mean loss at w + t u, in long double; *penalty: what is added to it. */
static long double loss_at(const sample *s, const linpred_result *result, const double *u, double t,
                           long double *penalty)
{
    const linpred_model *model = &result->model;
    const double by_class[] = {result->figures.class_weight_negative, result->figures.class_weight_positive};
    long double sum = 0, weight = 0;
    *penalty = 0;
    for (int32_t j = 0; j < s->columns; j++) {
        long double w = (long double)model->w[j] + (long double)t * u[j];
        *penalty += 0.5L * result->figures.l2 * w * w;
    }
    for (int64_t i = 0; i < s->rows; i++) {
        long double z = (long double)model->b + (model->has_intercept ? (long double)t * u[s->columns] : 0);
        for (int32_t j = 0; j < s->columns; j++)
            z += ((long double)model->w[j] + (long double)t * u[j]) * s->values[i * s->columns + j];
        long double c = (s->weights ? s->weights[i] : 1.0) * by_class[s->labels[i] > 0];
        sum += c * log1pl(expl(-s->labels[i] * z));
        weight += c;
    }
    return sum / weight;
}

/* Moves the model along u until its objective is `gap` (relative) above the least, and states what is then true of it
 * but for the gap. */
static void forge(const sample *s, linpred_result *result, const double *u, double gap)
{
    long double penalty, minimum = loss_at(s, result, u, 0.0, &penalty);
    minimum += penalty;
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        double t = 0.5 * (low + high);
        long double value = loss_at(s, result, u, t, &penalty);
        *(value + penalty - minimum > gap * minimum ? &high : &low) = t;
    }
    double loss = (double)loss_at(s, result, u, high, &penalty), before = result->figures.objective;
    linpred__figures *figures = &result->figures;
    for (int32_t j = 0; j < s->columns; j++)
        result->model.w[j] += high * u[j];
    if (result->model.has_intercept)
        result->model.b += high * u[s->columns];
    figures->objective = loss + (double)penalty;
    figures->gap = 0.9 * result->figures.gap_tolerance;
    if (!isnan(figures->deviance) && result->figures.l2 == 0.0) {
        figures->deviance *= figures->objective / before;
        figures->aic = figures->deviance + 2.0 * (double)figures->rank;
    }
    near(figures->objective, (double)minimum * (1.0 + gap), 1e-3 * gap + 1e-14);
}

/* Not within 1e-8 of the minimum, however near: it is the gap that is found out. And what is within is left alone,
   where there are no standard errors: they change with the square root of the gap, and tell. */
static void forged_optima_are_found_out(void **state)
{
    (void)state;
    const double gaps[] = {1e-3, 1e-6, 1e-7, 1.2e-8, 5e-9, 1e-13};
    linpred__random random;
    linpred__random_seed(&random, 3);
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < 2 * sizeof gaps / sizeof gaps[0]; i++) {
            sample s;
            linpred_options options;
            bool sparse = i % 2;
            double gap = gaps[i / 2], u[6];
            linpred_data *data = make((enum kind)kind, sparse, &s, &options);
            options.tolerance = 1e-8;
            linpred_result *result = fit_data(data, &options);
            double step = kind == FAR ? 1e-5 : 1.0;
            for (int j = 0; j < 6; j++)
                u[j] = step * linpred__random_normal(&random);
            if (kind == DEPENDENT ||
                kind == TO_ROUNDING) { /* orthogonal to the dependencies, or it would not be of least norm */
                u[4] = 0.0;
                u[3] = u[0] + u[2];
            }
            forge(&s, result, u, gap);
            if (kind == PENALISED)
                result->figures.deviance =
                    2.0 * (double)s.rows * (double)loss_at(&s, result, u, 0.0, &(long double){0});
            checked check = check_result(result, data);
            if (gap > 1e-8 && !strstr(check.finding, "relative gap at least"))
                fail_msg("kind %d, gap %g: %s", kind, gap, check.finding);
            /* Where columns depend to rounding only, differences below 1e-6 do not tell. */
            bool told = gap <= 5e-9 && result->standard_error && !(kind == TO_ROUNDING && gap <= 1e-13);
            linpred_verdict expected = gap > 1e-8 || told    ? LINPRED_REFUTED
                                       : kind == TO_ROUNDING ? LINPRED_PARTLY_PROVED
                                                             : LINPRED_PROVED;
            if (check.verdict != expected)
                fail_msg("kind %d, gap %g: %s: %s", kind, gap, linpred_verdict_name(check.verdict), check.finding);
            linpred_result_free(result);
            linpred_data_free(data);
            sample_free(&s);
        }
}

/* Rows so many that the verifier begins with some of them. */
static void forged_among_many_rows(void **state)
{
    (void)state;
    enum { COLUMNS = 48 };
    sample s = sample_logistic(13, 33000, COLUMNS, 2.0);
    linpred_options options = logistic_options(0.0);
    linpred_data *data = sample_data(&s, false);
    linpred_result *result = fit_data(data, &options);
    assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
    double u[COLUMNS + 1] = {[5] = 1.0, [COLUMNS] = 0.5};
    forge(&s, result, u, 1e-7);
    checked check = check_result(result, data);
    assert_int_equal(check.verdict, LINPRED_REFUTED);
    assert_non_null(strstr(check.finding, "relative gap at least"));
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

/* ---- dependent columns ---------------------------------------------------------------------------------------------
 */

/* Quasi-separated by x2 - x3 - 1, x4 a copy of x2 and x1 one of the intercept: far out the last pivot of the Hessian is
   one of rounding, and proves nothing. */
static void rounding_proves_no_minimum(void **state)
{
    (void)state;
    double x[] = {3, 2, 1, 2, 3, -2, -2, -2, 3, 1, 2,  1, 3, 0, -1, 0,
                  3, 1, 0, 1, 3, 0,  -2, 0,  3, 1, -2, 1, 3, 1, -1, 1};
    double y[] = {1, -1, -1, 1, -1, 1, 1, 1};
    linpred_arrays arrays = {.struct_size = sizeof arrays, .rows = 8, .columns = 4, .values = x, .labels = y};
    linpred_data *data = NULL;
    assert_int_equal(linpred_data_from_arrays(&arrays, &data, NULL), LINPRED_OK);
    linpred_options options = logistic_options(0.0);
    for (int method = 0; method < 2; method++) {
        options.method = method ? LINPRED_METHOD_NEWTON : LINPRED_METHOD_NEWTON_CG;
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
        checked check = check_result(result, data);
        if (check.verdict != LINPRED_PROVED)
            fail_msg("%s", check.finding);
        linpred_result_free(result);
    }
    linpred_data_free(data);
}

/* A column so small that its penalty in its own unit is beyond all numbers. Its coefficient in the optimum is about 0.
 */
static void a_tiny_column_hides_no_gap(void **state)
{
    (void)state;
    for (int power = -530; power >= -1000; power -= 94) {
        sample s = sample_logistic(29, 200, 2, 1.0);
        linpred_options options = logistic_options(1.0);
        double *x = linpred__alloc((size_t)s.rows, sizeof *x);
        for (int64_t i = 0; i < s.rows; i++) {
            x[i] = ldexp(s.values[2 * i + 1], power);
            s.values[2 * i + 1] = 0.0;
        }
        linpred_result *result = fit_optimal(&s, false, &options);
        for (int64_t i = 0; i < s.rows; i++)
            s.values[2 * i + 1] = x[i];
        linpred_data *data = sample_data(&s, false);
        assert_int_equal(linpred__fingerprint(data, NULL, fingerprint_of(result), NULL), LINPRED_OK);
        assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
        result->model.w[1] = 1e-3; /* adds l2 w² / 2 */
        result->figures.objective += 5e-7;
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        linpred__release(x);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* With one class b runs away, whatever the penalty of w: a small gap is no proof. */
static void one_class_has_no_minimum(void **state)
{
    (void)state;
    sample s = sample_logistic(31, 100, 2, 1.0);
    linpred_options options = logistic_options(0.1);
    linpred_data *both = sample_data(&s, false);
    linpred_result *result = fit_data(both, &options);
    for (int64_t i = 0; i < s.rows; i++)
        s.labels[i] = 1.0;
    linpred_data *one = sample_data(&s, false);
    assert_int_equal(linpred__fingerprint(one, NULL, fingerprint_of(result), NULL), LINPRED_OK);
    result->model.w[0] = result->model.w[1] = 0.0;
    result->model.b = 40.0;
    result->figures.objective = exp(-40.0);
    result->figures.gap_tolerance = 1e-6;
    checked check = check_result(result, one);
    assert_int_equal(check.verdict, LINPRED_REFUTED);
    assert_null(strstr(check.finding, "a minimum exists"));
    linpred_result_free(result);
    linpred_data_free(both);
    linpred_data_free(one);
    sample_free(&s);
}

/* How nearly vectors hold, against plain sums of whole numbers, dense and sparse; and where doubles round, or leave
 * their range, 0 is still 0. */
static void dependence_of_rows(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 41);
    for (int k = 0; k < 200; k++) {
        int32_t columns = 1 + (int32_t)linpred__random_below(&random, 6), width = columns + k % 2;
        sample s = sample_integers(&random, 1 + (int64_t)linpred__random_below(&random, 300), columns, 2);
        double vectors[3 * 7], worst[2][3];
        for (int i = 0; i < 3 * width; i++)
            vectors[i] = linpred__random_below(&random, 2) ? (double)linpred__random_below(&random, 5) - 2.0 : 0.0;
        for (int sparse = 0; sparse < 2; sparse++) {
            linpred_data *data = sample_data(&s, sparse);
            assert_int_equal(linpred__dependence(data, NULL, k % 2, vectors, 3, worst[sparse], NULL), LINPRED_OK);
            linpred_data_free(data);
        }
        for (int v = 0; v < 3; v++) {
            double expected = 0.0;
            for (int64_t i = 0; i < s.rows; i++) {
                double sum = k % 2 ? vectors[v * width + columns] : 0.0, size = fabs(sum);
                for (int32_t j = 0; j < columns; j++) {
                    sum += vectors[v * width + j] * s.values[i * columns + j];
                    size += fabs(vectors[v * width + j] * s.values[i * columns + j]);
                }
                expected = fmax(expected, sum != 0.0 ? fabs(sum) / size : 0.0);
            }
            near(worst[0][v], expected, 1e-15);
            assert_true(worst[0][v] == worst[1][v]);
        }
        sample_free(&s);
    }
    static const struct {
        double x[3], n[3];
        bool holds;
    } rows[] = {{{0.1, 0.2, 0.3}, {1, 1, -1}, false},
                {{0.1, 0.1, 0.1}, {3, 7, -10}, true},
                {{1e300, 1e300, 1.0}, {1e300, -1e300, 0}, true},
                {{1e-300, 1e-300, 1.0}, {1e-300, -1e-300, 0}, true},
                {{1e-300, 1e-300, 1.0}, {1e-300, -2e-300, 0}, false},
                {{1.0, 0x1p-60, 1.0}, {1, 1, -1}, false},
                {{1e300, 1.0, 1e300}, {1, 1, -1}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sample s = sample_new(1, 3);
        double worst;
        memcpy(s.values, rows[i].x, sizeof rows[i].x);
        s.labels[0] = 1.0;
        sample_index(&s);
        linpred_data *data = sample_data(&s, i % 2);
        assert_int_equal(linpred__dependence(data, NULL, false, rows[i].n, 1, &worst, NULL), LINPRED_OK);
        assert_true((worst == 0.0) == rows[i].holds);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* x2 = x1 + ε y: (-1, 1) separates the rows, however small ε is. Neither the fit nor the verifier takes x2 for a copy
   of x1 and calls it a minimum, unless ε is rounding; then the verifier says that it is not proved. */
static void near_copies_are_no_copies(void **state)
{
    (void)state;
    sample s = sample_logistic(23, 60, 1, 1.0);
    for (int k = 3; k <= 17; k++) {
        sample t = sample_new(60, 2), flat = sample_new(60, 2);
        for (int64_t i = 0; i < 60; i++) {
            t.labels[i] = flat.labels[i] = s.labels[i];
            t.values[2 * i] = flat.values[2 * i] = flat.values[2 * i + 1] = s.values[i];
            t.values[2 * i + 1] = s.values[i] + pow(10.0, -k) * s.labels[i];
        }
        sample_index(&t);
        sample_index(&flat);
        for (int sparse = 0; sparse < 2; sparse++) {
            linpred_data *data = sample_data(&t, sparse), *other = sample_data(&flat, sparse);
            linpred_options options = logistic_options(0.0);
            linpred_result *result = fit_data(data, &options), *forged = fit_data(other, &options);
            linpred_verdict verdict = check_result(result, data).verdict;
            if (k <= 12) {
                assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
                assert_int_equal(linpred_result_separation(result), LINPRED_SEPARATION_SEPARATED);
                assert_int_equal(verdict, LINPRED_PROVED);
            } else if (k <= 15 && result->figures.outcome == LINPRED_OUTCOME_OPTIMAL) {
                assert_int_equal(verdict, LINPRED_PARTLY_PROVED);
            }
            assert_int_equal(check_result(forged, other).verdict, LINPRED_PROVED);
            *fingerprint_of(forged) = *fingerprint_of(result);
            for (int stated = 0; stated < 2 && memcmp(t.values, flat.values, 120 * sizeof(double)) != 0; stated++) {
                forged->dependencies.exact[0] = stated == 0;
                checked check = check_result(forged, data);
                if (check.verdict != LINPRED_REFUTED && !(stated && k >= 13 && check.verdict == LINPRED_PARTLY_PROVED))
                    fail_msg("1e-%d: %s: %s", k, linpred_verdict_name(check.verdict), check.finding);
            }
            linpred_result_free(result);
            linpred_result_free(forged);
            linpred_data_free(data);
            linpred_data_free(other);
        }
        sample_free(&t);
        sample_free(&flat);
    }
    sample_free(&s);
}

/* Along a dependency the predictor is the same, the norm is not. */
static void norm_is_the_least(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        sample s;
        linpred_options options;
        linpred_data *data = make(DEPENDENT, k % 2, &s, &options);
        linpred_result *result = fit_data(data, &options);
        const double *n = result->dependencies.vector + (int64_t)(k / 2) * result->dependencies.width;
        for (int32_t j = 0; j < 5; j++)
            result->model.w[j] += 1e-6 * n[j];
        result->model.b += 1e-6 * n[5];
        checked check = check_result(result, data);
        assert_int_equal(check.verdict, LINPRED_REFUTED);
        assert_non_null(strstr(check.finding, "least norm"));
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* Small whole numbers, with columns that are sums, multiples, constants and zeros: whatever overlaps is proved, and of
 * least norm. */
static void whole_dependencies_are_proved(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 17);
    int proved = 0;
    for (int k = 0; k < 400; k++) {
        int32_t free = 1 + (int32_t)linpred__random_below(&random, 3),
                columns = free + 1 + (int32_t)linpred__random_below(&random, 4);
        sample s = sample_integers(&random, 30 + (int64_t)linpred__random_below(&random, 30), columns, 3);
        for (int32_t j = free; j < columns; j++) {
            double constant = (double)linpred__random_below(&random, 3) / 7.0, part[3];
            for (int32_t l = 0; l < free; l++)
                part[l] = (double)linpred__random_below(&random, 5) - 2.0;
            for (int64_t i = 0; i < s.rows; i++) {
                double sum = j % 2 ? constant : 0.0;
                for (int32_t l = 0; j % 2 == 0 && l < free; l++)
                    sum += part[l] * s.values[i * columns + l];
                s.values[i * columns + j] = sum;
            }
        }
        sample_index(&s);
        linpred_data *data = sample_data(&s, k % 2);
        linpred_options options = logistic_options(0.0);
        options.no_intercept = k % 5 == 0;
        linpred_result *result = fit_data(data, &options);
        checked check = check_result(result, data);
        if (result->figures.outcome == LINPRED_OUTCOME_OPTIMAL && check.verdict != LINPRED_PROVED)
            fail_msg("%d: %s: %s", k, linpred_verdict_name(check.verdict), check.finding);
        if (result->figures.outcome == LINPRED_OUTCOME_OPTIMAL) {
            proved++;
            assert_true(result->figures.rank + result->dependencies.count == columns + !options.no_intercept);
            for (int32_t i = 0; i < result->dependencies.count; i++) {
                long double along = 0, size = 0;
                for (int32_t j = 0; j < columns; j++) { /* the intercept does not count */
                    long double n = result->dependencies.vector[i * result->dependencies.width + j];
                    along += n * result->model.w[j];
                    size += fabsl(n);
                }
                assert_true(fabsl(along) <= 1e-9L * size);
            }
        } else {
            assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_NO_MINIMISER);
            assert_int_equal(check.verdict, LINPRED_PROVED);
        }
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
    print_message("%d of 400 overlap\n", proved);
    assert_true(proved > 200);
}

/* Proportions and sums with factors that are no small fractions: found, set right, and told for what they are. */
static void other_dependencies_are_found(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        sample plain = sample_logistic(29, 500, 3, 1.0), s = sample_new(500, 4);
        for (int64_t i = 0; i < s.rows; i++) {
            double *x = s.values + 4 * i, *from = plain.values + 3 * i;
            double year = 2000.0 + nearbyint(5.0 * from[0]), other = from[1];
            memcpy(x, (double[]){year, other, from[2], 0.0}, 4 * sizeof *x);
            x[3] = k == 0   ? (year - 2001.3) / 5.7
                   : k == 1 ? 2.54 * other
                            : 0.318 * year + 1.7321 * other - 0.5772 * from[2];
            s.labels[i] = plain.labels[i];
        }
        sample_index(&s);
        linpred_options options = logistic_options(0.0);
        linpred_data *data = sample_data(&s, false);
        linpred_result *result = fit_data(data, &options);
        checked check = check_result(result, data);
        if (result->figures.outcome != LINPRED_OUTCOME_OPTIMAL || result->figures.rank != 4 ||
            result->dependencies.exact[0])
            fail_msg("%d: %s", k, result->figures.reason);
        assert_int_equal(check.verdict, LINPRED_PARTLY_PROVED);
        assert_non_null(strstr(check.finding, "1 column depends on others as far as rounding can tell"));
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
        sample_free(&plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_judged),        cmocka_unit_test(gaps_are_judged),
        cmocka_unit_test(forged_optima_are_found_out),   cmocka_unit_test(forged_among_many_rows),
        cmocka_unit_test(rounding_proves_no_minimum),    cmocka_unit_test(a_tiny_column_hides_no_gap),
        cmocka_unit_test(one_class_has_no_minimum),      cmocka_unit_test(dependence_of_rows),
        cmocka_unit_test(near_copies_are_no_copies),     cmocka_unit_test(norm_is_the_least),
        cmocka_unit_test(whole_dependencies_are_proved), cmocka_unit_test(other_dependencies_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
