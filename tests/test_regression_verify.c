/* Models of regressions and logistic regressions with one number changed: every number that predict, its intervals or
 * the summary use is judged by the verifier. */
#include "core/memory.h"
#include "claim_support.h"
#include "forge_support.h"
#include "regression_support.h"

#include "data/data.h"
#include "model/model.h"

/* Each changes one number and answers whether the result has it. */
#define CHANGE(name, has, change)                                                                                      \
    static bool name(linpred_result *result)                                                                           \
    {                                                                                                                  \
        linpred__regression *g = result->model.regression;                                                             \
        (void)g;                                                                                                       \
        if (!(has))                                                                                                    \
            return false;                                                                                              \
        change;                                                                                                        \
        return true;                                                                                                   \
    }

CHANGE(coefficient, true, result->model.w[0] += 1e-3 * fabs(result->model.w[0]) + 1e-3)
CHANGE(first_basis_weight, g->basis.polynomials > 0, g->basis_weight[0] += 5.0)
CHANGE(small_basis_weight, g->basis.polynomials > 0, g->basis_weight[1] *= 1.0 + 1e-9)
CHANGE(basis_tail, g->basis.polynomials > 0, g->basis_tail[0] += 0.1)
CHANGE(centre, g->basis.polynomials > 0, g->basis.polynomial[0].centre[1] += 0.01)
CHANGE(step, g->basis.polynomials > 0, g->basis.polynomial[0].step[g->basis.polynomial[0].degree - 1] *= 1.01)
CHANGE(residual_sd, !isnan(result->figures.residual_sd), result->figures.residual_sd *= 1.001)
CHANGE(degrees_of_freedom, !isnan(result->figures.degrees_of_freedom), result->figures.degrees_of_freedom += 1.0)
CHANGE(degrees_that_none_has, isnan(result->figures.degrees_of_freedom), result->figures.degrees_of_freedom = 77.0)
CHANGE(standard_error, result->standard_error && !isnan(result->standard_error[0]), result->standard_error[0] *= 1.0001)
/* Of S the largest entry; where there is a penalty no interval uses it. */
CHANGE(factor, g->factor && !isnan(result->figures.residual_sd), int32_t largest = 0;
       for (int32_t i = 0; i < g->width * g->factor_columns; i++) if (fabs(g->factor[i]) > fabs(g->factor[largest]))
           largest = i;
       g->factor[largest] *= 1.0 + 1e-6)
CHANGE(whole_factor, g->factor && !isnan(result->figures.residual_sd),
       for (int32_t i = 0; i < g->width * g->factor_columns; i++) g->factor[i] *= 0.5)
CHANGE(r_squared, !isnan(result->figures.r_squared), result->figures.r_squared += 1e-6)
CHANGE(f_statistic, !isnan(result->figures.f_statistic), result->figures.f_statistic *= 1.001)
CHANGE(f_p_value, !isnan(result->figures.f_p_value), result->figures.f_p_value += 0.01)
CHANGE(objective, true, result->figures.objective *= 1.0 + 1e-6)
CHANGE(mean_squared_error, true, result->figures.mean_squared_error *= 1.0 + 1e-6)
CHANGE(mean_absolute_error, true, result->figures.mean_absolute_error *= 1.0 + 1e-6)
CHANGE(basis_dependency, g->basis_dependency != NULL, g->basis_dependency[0] += 0.5)

static bool (*const changes[])(linpred_result *) = {coefficient,
                                                    first_basis_weight,
                                                    small_basis_weight,
                                                    basis_tail,
                                                    centre,
                                                    step,
                                                    residual_sd,
                                                    degrees_of_freedom,
                                                    degrees_that_none_has,
                                                    standard_error,
                                                    factor,
                                                    whole_factor,
                                                    r_squared,
                                                    f_statistic,
                                                    f_p_value,
                                                    objective,
                                                    mean_squared_error,
                                                    mean_absolute_error,
                                                    basis_dependency};

/* Two columns, the second a copy of the first's square if `dependent`; y planted on the first with noise. */
static sample planted(bool dependent)
{
    linpred__random random;
    linpred__random_seed(&random, 5);
    sample s = sample_new(80, 2);
    for (int64_t i = 0; i < s.rows; i++) {
        double x = 0.125 * (double)(i + 1), z = linpred__random_normal(&random);
        s.values[2 * i] = x;
        s.values[2 * i + 1] = dependent ? x * x : z;
        s.labels[i] = 3.0 + 2.0 * x - 0.3 * x * x + z + linpred__random_normal(&random);
    }
    sample_index(&s);
    return s;
}

static void every_number_is_judged(void **state)
{
    (void)state;
    static const struct {
        linpred_loss loss;
        int degree;
        bool dependent, no_intercept;
        double l2;
    } fits[] = {{LINPRED_LOSS_SQUARED, 1, false, false, 0},   {LINPRED_LOSS_SQUARED, 3, false, false, 0},
                {LINPRED_LOSS_SQUARED, 3, false, true, 0},    {LINPRED_LOSS_SQUARED, 2, true, false, 0},
                {LINPRED_LOSS_SQUARED, 2, false, false, 0.5}, {LINPRED_LOSS_ABSOLUTE, 3, false, false, 0},
                {LINPRED_LOSS_ABSOLUTE, 1, false, false, 0}};
    enum { CHANGES = sizeof changes / sizeof changes[0] };
    int met[CHANGES] = {0};
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++) {
        sample s = planted(fits[i].dependent);
        linpred_data *data = sample_data(&s, false);
        linpred_options options = regression_options(fits[i].loss);
        options.degree = fits[i].degree;
        options.no_intercept = fits[i].no_intercept;
        options.l2 = fits[i].l2;
        for (size_t k = 0; k < CHANGES; k++) {
            linpred_result *result = fit_and_verify(data, &options);
            if (changes[k](result)) {
                checked check = check_result(result, data);
                if (check.verdict != LINPRED_REFUTED)
                    fail_msg("fit %zu, change %zu: %s", i, k, check.finding);
                met[k]++;
            }
            linpred_result_free(result);
        }
        linpred_data_free(data);
        sample_free(&s);
    }
    for (size_t k = 0; k < CHANGES; k++)
        assert_true(met[k] > 0);
}

/* The same of the file, number by number. Estimates, levels, steps and times are no claims about the rows; a part of
   1e-4 of a tail or of an entry of S may be too small to tell. */
static void every_number_of_the_file_is_judged(void **state)
{
    (void)state;
    /* the rank of an absolute loss, and uniqueness, are only partly proved; the first two entries are for it */
    static const char *const no_claims[] = {
        "rank",   "unique",       "condition", "rank_threshold", "confidence", "iterations", "passes",
        "rounds", "working_rows", "seconds",   "solver_seconds", "index_base", "tail",       "factor",
        "step",   "basis_tail",   "updates",   "main",           NULL};
    for (int i = 0; i < 4; i++) {
        sample s = planted(false);
        linpred_data *data = sample_data(&s, false);
        linpred_options options = regression_options(i < 2 ? LINPRED_LOSS_SQUARED : LINPRED_LOSS_ABSOLUTE);
        options.degree = i % 2 ? 3 : 1;
        linpred_result *result = fit_and_verify(data, &options);
        assert_true(forge_every_number(result, data, no_claims + (i < 2 ? 2 : 0), 1e-4, false) > 20);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

static void logistic_standard_errors(void **state)
{
    (void)state;
    sample s = planted(false);
    for (int64_t i = 0; i < s.rows; i++)
        s.labels[i] = i % 7 == 3 || s.labels[i] > 4.0 ? 1.0 : -1.0;
    linpred_data *data = sample_data(&s, false);
    linpred_options options;
    linpred__options_init(&options);
    options.task = LINPRED_TASK_LOGISTIC;
    linpred_result *result = fit_data(data, &options);
    assert_non_null(result->standard_error);
    assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
    for (int j = 0; j < 3; j++) {
        double kept = result->standard_error[j];
        result->standard_error[j] *= 1.0001;
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        result->standard_error[j] = kept;
    }
    assert_int_equal(check_result(result, data).verdict, LINPRED_PROVED);
    linpred_result_free(result);
    linpred_data_free(data);
    sample_free(&s);
}

/* ---- dependencies: what is said must hold along them too
 * ----------------------------------------------------------------- */

/* States nothing but the coefficients and the objective: what is left to judge is the claim. */
static void state_nothing(linpred_result *result, double objective)
{
    linpred__figures *figures = &result->figures;
    linpred__claims *claims = &result->claims;
    for (int32_t i = claims->count; i-- > 0;) /* standard errors are no longer claimed */
        if (claims->claim[i].kind == LINPRED_CLAIM_STANDARD_ERRORS) {
            linpred__release(claims->claim[i].sentence);
            claims->claim[i] = claims->claim[--claims->count];
        }
    figures->residual_sd = figures->degrees_of_freedom = figures->r_squared = NAN;
    figures->f_statistic = figures->f_p_value = figures->mean_squared_error = figures->mean_absolute_error = NAN;
    figures->rank = -1;
    figures->objective = objective;
}

/* Any coefficients, with a factor that has too few columns to see it, and with dependencies that are none or twice the
 * same. */
static void factor_must_reach_every_direction(void **state)
{
    (void)state;
    const double x[] = {1, 3, 2, 1, 3, 4, 4, 1, 5, 9}, y[] = {1, 5, 2, 9, 1};
    const double copies[] = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    double same[] = {1, -1, 0, 1, -1, 0, 1, -1, 0};
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    for (int trick = 0; trick < 4; trick++) {
        linpred_data *data = data_of(5, 2, trick == 3 ? copies : x, y);
        linpred_result *result = fit_and_verify(data, &options);
        linpred__regression *g = result->model.regression;
        double objective = 0.0, *kept = g->dependencies.vector;
        bool *kept_exact = g->dependencies.exact, none_exact[3] = {false, false, false};
        int32_t count = g->dependencies.count;
        result->model.w[0] = 100.0, result->model.w[1] = -7.0, result->model.b = 42.0;
        for (int i = 0; i < 5; i++) {
            const double *row = (trick == 3 ? copies : x) + 2 * i;
            objective += pow(y[i] - 100.0 * row[0] + 7.0 * row[1] - 42.0, 2.0) / 5.0;
        }
        for (int j = 0; j < 3; j++)
            g->tail[j] = 0.0;
        state_nothing(result, objective);
        if (trick < 2) { /* S of no columns; S of one column, 0 */
            g->factor_columns = trick;
            memset(g->factor, 0, 3 * sizeof *g->factor);
        } else { /* three dependencies for no column of S: (1, -1, 0) thrice, which holds for the copies */
            g->factor_columns = 0;
            g->dependencies.count = 3;
            g->dependencies.vector = same;
            g->dependencies.exact = none_exact;
        }
        checked check = check_result(result, data);
        g->dependencies.vector = kept;
        g->dependencies.exact = kept_exact;
        g->dependencies.count = count;
        if (check.verdict != LINPRED_REFUTED)
            fail_msg("trick %d: %s", trick, check.finding);
        linpred_result_free(result);
        linpred_data_free(data);
    }
}

/* a = 1 in every row: with any penalty the minimiser is a = 0. Where the penalty is lost in rounding nobody says that
   it is not; a model without penalty is refuted as one with. */
static void penalty_leaves_no_dependency(void **state)
{
    (void)state;
    const double x[] = {1, 1, 1}, y[] = {1, 2, 4};
    linpred_data *data = data_of(3, 1, x, y);
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    linpred_result *result = fit_and_verify(data, &options);
    assert_true(result->model.w[0] == 0.0); /* which is the minimiser with a penalty, too; another is not */
    result->model.w[0] = result->model.regression->basis_weight[0] = 1.0;
    result->model.b -= 1.0;
    result->model.regression->basis_weight[1] = result->model.b;
    result->figures.l2 = 1.0;
    state_nothing(result, 14.0 / 9.0 + 0.5 * result->model.w[0] * result->model.w[0]);
    assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
    linpred_result_free(result);
    options.l2 = 1e-20;
    result = fit_and_verify(data, &options);
    near(result->model.b, 7.0 / 3.0, 1e-15);
    linpred_result_free(result);
    options.l2 = 1e-30; /* the fit can still tell it in double-double, and the checker does not contradict */
    result = fit_data(data, &options);
    near(result->model.b, 7.0 / 3.0, 1e-15);
    assert_true(fabs(result->model.w[0]) <= 1e-15);
    assert_int_not_equal(check_result(result, data).verdict, LINPRED_REFUTED);
    linpred_result_free(result);
    options.l2 = 1e-70;
    result = fit_data(data, &options);
    checked check = check_result(result, data);
    assert_int_equal(check.verdict, LINPRED_PARTLY_PROVED);
    assert_non_null(strstr(check.finding, "the penalty is lost in rounding"));
    assert_non_null(strstr(result->figures.reason, "the penalty is lost in rounding"));
    linpred_result_free(result);
    linpred_data_free(data);
}

/* x2 = x1 + ε y: coefficients -1/ε and 1/ε leave no error at all, however small ε is. Dependencies that hold but nearly
   are not the last word; those that hold exactly are, with thirds in them too. */
/* "=" is for what holds without any rounding, in either loss; a model that says so wrongly is refuted. */
static void exact_dependencies_are_told_apart(void **state)
{
    (void)state;
    static const char *const sentence[] = {"x3 = x1 + x2 in every row", "x3 ≈ x1 + x2 in every row"};
    for (int way = 0; way < 4; way++) {
        double x[30], y[10], unit = way % 2 ? 0.1 : 1.0;
        for (int i = 0; i < 10; i++) {
            x[3 * i] = i * i % 7 * unit;
            x[3 * i + 1] = i * unit;
            x[3 * i + 2] = (i * i % 7 + i) * unit; /* 0.1 + 0.2 is not 0.3 */
            y[i] = i % 3;
        }
        linpred_data *data = data_of(10, 3, x, y);
        linpred_options options = regression_options(way < 2 ? LINPRED_LOSS_SQUARED : LINPRED_LOSS_ABSOLUTE);
        linpred_result *result = fit_data(data, &options), *again = through_file(result);
        assert_int_equal(result->model.regression->dependencies.count, 1);
        assert_string_equal(linpred_result_dependency_sentence(result, 0), sentence[way % 2]);
        assert_string_equal(linpred_result_dependency_sentence(again, 0), sentence[way % 2]);
        assert_true(check_result(again, data).verdict != LINPRED_REFUTED);
        again->model.regression->dependencies.exact[0] = true;
        assert_int_equal(check_result(again, data).verdict == LINPRED_REFUTED, way % 2);
        linpred_result_free(result);
        linpred_result_free(again);
        linpred_data_free(data);
    }
}

static void near_dependencies_are_told(void **state)
{
    (void)state;
    const double y[] = {1, -1, 2, 0, -2, 1, 3, -3};
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    for (double epsilon = 1e-16; epsilon < 1e-8; epsilon *= 10.0) {
        double x[16], flat[16];
        for (int i = 0; i < 8; i++) {
            flat[2 * i] = flat[2 * i + 1] = x[2 * i] = i + 1.0;
            x[2 * i + 1] = i + 1.0 + epsilon * y[i];
        }
        linpred_data *data = data_of(8, 2, x, y), *other = data_of(8, 2, flat, y);
        linpred_result *result = fit_data(data, &options), *forged = fit_and_verify(other, &options);
        if (result->figures.rank == 2 && memcmp(x, flat, sizeof x) != 0)
            assert_int_equal(check_result(result, data).verdict, LINPRED_PARTLY_PROVED);
        *fingerprint_of(forged) = *fingerprint_of(result);
        linpred_verdict verdict = check_result(forged, data).verdict;
        if (memcmp(x, flat, sizeof x) != 0 && verdict != LINPRED_PARTLY_PROVED && verdict != LINPRED_REFUTED)
            fail_msg("%g: %s", epsilon, check_result(forged, data).finding);
        linpred_result_free(result);
        linpred_result_free(forged);
        linpred_data_free(data);
        linpred_data_free(other);
    }
    double thirds[16];
    for (int i = 0; i < 8; i++) {
        thirds[2 * i] = 3.0 * (i * i % 5);
        thirds[2 * i + 1] = i * i % 5;
    }
    linpred_data *data = data_of(8, 2, thirds, y);
    linpred_result *result = fit_and_verify(data, &options);
    assert_int_equal(result->figures.rank, 2);
    linpred_result_free(result);
    linpred_data_free(data);
    for (int i = 0; i < 16; i++) /* powers of copies; powers of three places */
        thirds[i] = sqrt(2.0 + i / 2);
    for (int degree = 3; degree < 6; degree++) {
        options.degree = degree;
        data = data_of(8, degree == 3 ? 2 : 1, thirds, y);
        linpred_result_free(fit_and_verify(data, &options));
        linpred_data_free(data);
        for (int i = 0; i < 8; i++)
            thirds[i] = i % 3;
    }
    options.degree = 1;
    const double decimals[] = {0.1, 0.2, 0.3, 1, 2, 3, 3, 1, 4, 2, 7, 9, 1, 1, 2}; /* 0.1 + 0.2 is not 0.3 in doubles */
    data = data_of(5, 3, decimals, y);
    result = fit_data(data, &options);
    assert_int_equal(result->figures.rank, 3);
    checked check = check_result(result, data);
    assert_int_equal(check.verdict, LINPRED_PARTLY_PROVED);
    assert_non_null(strstr(check.finding, "among coefficients that respect the dependencies"));
    linpred_result_free(result);
    linpred_data_free(data);
}

/* Powers as many as there are speeds: the fit goes through the mean of each speed, whatever the condition of the
 * powers. */
static void high_powers_keep_their_digits(void **state)
{
    (void)state;
    enum { ROWS = 50 };
    double scores[ROWS];
    linpred_data *data = NULL;
    linpred_error error = {.message = ""};
    linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
    options.degree = 18;
    if (linpred_data_load(LINPRED_SOURCE_DIR "/examples/data/cars.csv", &options, &data, &error) != LINPRED_OK)
        fail_msg("%s", error.message);
    linpred_result *result = fit_data(data, &options);
    assert_int_equal(check_result(result, data).verdict, LINPRED_WITHIN_TOLERANCE);
    assert_int_equal(linpred_score(linpred_result_model(result), data, 1, scores, &error), LINPRED_OK);
    const linpred__block *block = &data->block[0];
    assert_int_equal(block->rows, ROWS);
    for (int i = 0; i < ROWS; i++) {
        double sum = 0.0, count = 0.0;
        for (int k = 0; k < ROWS; k++)
            if (block->values[k * block->stride] == block->values[i * block->stride]) {
                sum += block->target[k];
                count += 1.0;
            }
        near(scores[i], sum / count, 0x1p-52);
    }
    linpred_result_free(result);
    linpred_data_free(data);
}

/* Whatever the degree, columns, loss and penalty: the fit is an error that says what to do, or the verifier does not
   refute it. Degrees that powers of columns near 0 carry are proved. */
static void high_degrees_are_never_refuted(void **state)
{
    (void)state;
    enum { ROWS = 40, KINDS = 6 };
    static const int degrees[] = {4, 9, 14, 20, 35, 60, 100};
    int proved = 0, partly = 0, errors = 0;
    linpred__random random;
    linpred__random_seed(&random, 7);
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t d = 0; d < sizeof degrees / sizeof degrees[0]; d++)
            for (int way = 0; way < 4; way++) {
                sample s = sample_new(kind == 5 ? 12 : ROWS, 1);
                for (int64_t i = 0; i < s.rows; i++) {
                    double u = linpred__random_normal(&random);
                    s.values[i] = kind == 0   ? tanh(u)
                                  : kind == 1 ? floor(8.0 * u)
                                  : kind == 2 ? 1990.0 + 10.0 * u
                                  : kind == 3 ? 1e-8 * u
                                  : kind == 4 ? exp(2.0 * u)
                                              : u;
                    s.labels[i] = sin(2.0 * u) + 0.1 * linpred__random_normal(&random);
                }
                linpred_options options = regression_options(way == 1 ? LINPRED_LOSS_ABSOLUTE : LINPRED_LOSS_SQUARED);
                options.degree = degrees[d];
                options.l2 = way == 2 ? 1e-3 : 0.0;
                options.no_intercept = way == 3;
                linpred_data *data = sample_data(&s, false);
                linpred_result *result = NULL;
                linpred_error error;
                if (linpred_fit(data, &options, &result, &error) == LINPRED_OK) {
                    checked check = check_result(result, data);
                    if (check.verdict == LINPRED_REFUTED)
                        fail_msg("kind %d, degree %d, way %d: %s", kind, degrees[d], way, check.finding);
                    if (kind == 0 && degrees[d] <= 20 && way != 2)
                        assert_int_equal(check.verdict, LINPRED_WITHIN_TOLERANCE);
                    *(check.verdict == LINPRED_PARTLY_PROVED ? &partly : &proved) += 1;
                } else {
                    assert_int_equal(error.status, LINPRED_ERROR_INPUT);
                    assert_true(strstr(error.message, "--degree") || strstr(error.message, "change its unit"));
                    errors++;
                }
                linpred_result_free(result);
                linpred_data_free(data);
                sample_free(&s);
            }
    assert_true(proved > 40 && partly > 20 && errors > 20);
}

/* A fit that was ended claims no minimum, so none is refuted: figures are. */
static void ended_fits_claim_no_minimum(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 17);
    for (int way = 0; way < 2; way++) {
        sample s = sample_new(way ? 3000 : 200, way ? 8 : 1600);
        for (int64_t i = 0; i < s.rows * s.columns; i++)
            s.values[i] = linpred__random_normal(&random);
        for (int64_t i = 0; i < s.rows; i++)
            s.labels[i] = linpred__random_normal(&random);
        linpred_data *data = sample_data(&s, false);
        linpred_options options = regression_options(way ? LINPRED_LOSS_ABSOLUTE : LINPRED_LOSS_SQUARED);
        options.max_seconds = 0.0;
        options.l2 = way ? 0.0 : 1e-3;
        linpred_result *result = fit_data(data, &options);
        assert_int_equal(result->figures.outcome, LINPRED_OUTCOME_LIMIT_REACHED);
        checked check = check_result(result, data);
        assert_int_equal(check.verdict, LINPRED_PARTLY_PROVED);
        assert_non_null(strstr(check.finding, "ended before its end"));
        result->figures.mean_absolute_error *= 1.001;
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        result->figures.mean_absolute_error /= 1.001;
        result->figures.outcome = LINPRED_OUTCOME_OPTIMAL;
        assert_int_equal(check_result(result, data).verdict, LINPRED_REFUTED);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* evaluate on the training rows gives the objective that was minimised; about τ of the rows lie below. */
static void own_loss(void **state)
{
    (void)state;
    sample s = planted(false);
    linpred_data *data = sample_data(&s, false);
    for (double quantile = 0.1; quantile < 1.0; quantile += 0.2) {
        linpred_options options = regression_options(LINPRED_LOSS_ABSOLUTE);
        options.quantile = quantile;
        options.degree = 2;
        linpred_result *result = fit_and_verify(data, &options);
        linpred_evaluation e = {.struct_size = sizeof e};
        assert_int_equal(linpred_evaluate(linpred_result_model(result), data, 1, &e, NULL), LINPRED_OK);
        near(e.mean_loss, result->figures.objective, 1e-12);
        near(linpred_model_quantile(linpred_result_model(result)), quantile, 0.0);
        assert_true(e.share_below <= quantile && quantile <= e.share_below + e.share_on);
        near(e.share_on, 5.0 / (double)s.rows, 1e-12);
        linpred_result_free(result);
    }
    linpred_data_free(data);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_judged),
        cmocka_unit_test(every_number_of_the_file_is_judged),
        cmocka_unit_test(logistic_standard_errors),
        cmocka_unit_test(factor_must_reach_every_direction),
        cmocka_unit_test(penalty_leaves_no_dependency),
        cmocka_unit_test(exact_dependencies_are_told_apart),
        cmocka_unit_test(near_dependencies_are_told),
        cmocka_unit_test(high_powers_keep_their_digits),
        cmocka_unit_test(high_degrees_are_never_refuted),
        cmocka_unit_test(ended_fits_claim_no_minimum),
        cmocka_unit_test(own_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
