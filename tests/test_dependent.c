/* --dependent drop: columns are taken from left to right, the intercept first, and one that depends on those before it
 * has the coefficient 0. Against exact rationals on tiny designs; against fits of the kept columns alone, for every
 * loss; and what the checker says of others. */
#include <gmp.h>
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "fit_support.h"
#include "logistic_support.h"
#include "regression_support.h"

enum { ROWS = 12, COLUMNS = 6, WIDTH = COLUMNS + 1, DESIGNS = 400 };

/* ---- designs ----------------------------------------------------------------------------------------------------- */

typedef struct design {
    int rows, columns;
    bool intercept;
    double x[ROWS * COLUMNS], y[ROWS];
} design;

/* Small whole numbers. A column may be constant or a combination of those before it. */
static design make_design(linpred__random *random, bool two_labels)
{
    design a = {.rows = 3 + (int)linpred__random_below(random, ROWS - 2),
                .columns = 1 + (int)linpred__random_below(random, COLUMNS),
                .intercept = linpred__random_below(random, 5) > 0};
    for (int j = 0; j < a.columns; j++) {
        uint64_t kind = linpred__random_below(random, 4);
        double constant = (double)linpred__random_below(random, 4), part[COLUMNS];
        for (int l = 0; l < j; l++)
            part[l] = (double)linpred__random_below(random, 5) - 2.0;
        for (int i = 0; i < a.rows; i++) {
            double *x = a.x + i * a.columns, sum = constant;
            for (int l = 0; l < j; l++)
                sum += part[l] * x[l];
            x[j] = kind == 0 ? constant : kind == 1 && j > 0 ? sum : (double)linpred__random_below(random, 9) - 4.0;
        }
    }
    for (int i = 0; i < a.rows; i++)
        a.y[i] = two_labels ? (i == 0 || (i > 1 && linpred__random_below(random, 2)) ? 1.0 : -1.0)
                            : (double)linpred__random_below(random, 11) - 5.0;
    return a;
}

static linpred_data *data_of_columns(const design *a, const bool *take, bool sparse, sample *s)
{
    int columns = 0;
    for (int j = 0; j < a->columns; j++)
        columns += take[j];
    *s = sample_new(a->rows, columns);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0, to = 0; j < a->columns; j++)
            if (take[j])
                s->values[i * columns + to++] = a->x[i * a->columns + j];
    memcpy(s->labels, a->y, (size_t)a->rows * sizeof(double));
    sample_index(s);
    return sample_data(s, sparse);
}

/* ---- references in exact rationals ------------------------------------------------------------------------------- */

static double entry(const design *a, int i, int j)
{
    return j < a->columns ? a->x[i * a->columns + j] : 1.0;
}

/* Gauss-Jordan elimination of an n x m matrix in its first n columns, which must be regular. False: it is not. */
static bool eliminate(int n, int m, mpq_t (*at)[2 * WIDTH + 1])
{
    mpq_t factor, part;
    mpq_inits(factor, part, NULL);
    bool regular = true;
    for (int c = 0; regular && c < n; c++) {
        int best = c;
        while (best < n && mpq_sgn(at[best][c]) == 0)
            best++;
        regular = best < n;
        for (int j = 0; regular && j < m; j++)
            mpq_swap(at[c][j], at[best][j]);
        for (int i = 0; regular && i < n; i++) {
            if (i == c)
                continue;
            mpq_div(factor, at[i][c], at[c][c]);
            for (int j = 0; j < m; j++) {
                mpq_mul(part, factor, at[c][j]);
                mpq_sub(at[i][j], at[i][j], part);
            }
        }
    }
    for (int i = 0; regular && i < n; i++)
        for (int j = m; j-- > i;)
            mpq_div(at[i][j], at[i][j], at[i][i]);
    mpq_clears(factor, part, NULL);
    return regular;
}

typedef struct reference {
    bool regular;
    double w[WIDTH], inverse[WIDTH]; /* of the columns that take part, in their order */
} reference;

/* The least-squares fit by these columns: normal equations in rationals, with the diagonal of (X'X)^-1. */
static reference solve_exactly(const design *a, const int *column, int n)
{
    static mpq_t at[WIDTH][2 * WIDTH + 1];
    reference r = {0};
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    for (int i = 0; i < WIDTH; i++)
        for (int j = 0; j <= 2 * WIDTH; j++)
            mpq_init(at[i][j]);
    for (int row = 0; row < a->rows; row++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++) {
                mpq_set_d(x, entry(a, row, column[i]));
                mpq_set_d(y, j < n ? entry(a, row, column[j]) : a->y[row]);
                mpq_mul(x, x, y);
                mpq_add(at[i][j], at[i][j], x);
            }
    for (int i = 0; i < n; i++)
        mpq_set_ui(at[i][n + 1 + i], 1, 1);
    r.regular = eliminate(n, 2 * n + 1, at);
    for (int i = 0; i < n; i++) {
        r.w[i] = mpq_get_d(at[i][n]);
        r.inverse[i] = mpq_get_d(at[i][n + 1 + i]);
    }
    for (int i = 0; i < WIDTH; i++)
        for (int j = 0; j <= 2 * WIDTH; j++)
            mpq_clear(at[i][j]);
    mpq_clears(x, y, NULL);
    return r;
}

/* Chooses columns from left to right, the intercept first. Writes their numbers, the intercept's last if there is one.
   `take` says which columns of the data these are. Answers their number. */
static int choose_exactly(const design *a, int *column, bool *take)
{
    int n = 0;
    if (a->intercept)
        column[n++] = a->columns;
    for (int j = 0; j < a->columns; j++) {
        column[n] = j;
        take[j] = solve_exactly(a, column, n + 1).regular;
        n += take[j];
    }
    for (int i = 0; a->intercept && i + 1 < n; i++)
        column[i] = column[i + 1];
    if (a->intercept)
        column[n - 1] = a->columns;
    return n;
}

static bool any_taken(const design *a, const bool *take)
{
    for (int j = 0; j < a->columns; j++)
        if (take[j])
            return true;
    return false;
}

static double coefficient(const linpred_result *result, int j)
{
    return j < result->model.columns ? result->model.w[j] : result->model.b;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void squares_against_rationals(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 41);
    bool all[COLUMNS] = {true, true, true, true, true, true};
    for (int k = 0; k < DESIGNS; k++) {
        design a = make_design(&random, false);
        int column[WIDTH], n;
        bool take[COLUMNS];
        n = choose_exactly(&a, column, take);
        reference exact = solve_exactly(&a, column, n);
        linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
        options.no_intercept = !a.intercept;
        options.dependent = LINPRED_DEPENDENT_DROP;
        sample s;
        linpred_data *data = data_of_columns(&a, all, k % 3 == 0, &s);
        linpred_result *result = fit_and_verify(data, &options);
        assert_int_equal(result->figures.rank, n);
        double sd = result->figures.residual_sd;
        for (int i = 0; i < n; i++) {
            double w = coefficient(result, column[i]);
            if (!(fabs(w - exact.w[i]) <= 1e-12 * (fabs(exact.w[i]) + 1.0)))
                fail_msg("design %d, column %d: %.17g, not %.17g", k, column[i], w, exact.w[i]);
            if (result->standard_error)
                near(result->standard_error[column[i]], sd * sqrt(exact.inverse[i]), 1e-9);
        }
        for (int j = 0; j < a.columns; j++) {
            if (!take[j] && !(result->model.w[j] == 0.0 && !signbit(result->model.w[j])))
                fail_msg("design %d: column %d depends on others and has %.17g", k, j, result->model.w[j]);
            if (result->standard_error)
                assert_true(isnan(result->standard_error[j]) == !take[j]);
        }
        assert_true(linpred_result_drops_dependent(result) == (n < a.columns + a.intercept));
        linpred_result *again = through_file(result);
        assert_true(linpred_result_drops_dependent(again) == linpred_result_drops_dependent(result));
        linpred_result_free(again);
        linpred_result_free(result);
        linpred_data_free(data);
        sample_free(&s);
    }
}

/* The answer is that of the kept columns alone, for every loss, dense and sparse. */
static void as_without_the_columns(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 42);
    bool all[COLUMNS] = {true, true, true, true, true, true};
    int dropped = 0;
    for (int k = 0; k < DESIGNS; k++) {
        int loss = k % 3;
        design a = make_design(&random, loss == 2);
        int column[WIDTH];
        bool take[COLUMNS];
        choose_exactly(&a, column, take);
        if (!any_taken(&a, take))
            continue;
        linpred_options options =
            loss == 2 ? logistic_options(0.0) : regression_options(loss ? LINPRED_LOSS_ABSOLUTE : LINPRED_LOSS_SQUARED);
        options.no_intercept = !a.intercept;
        options.dependent = LINPRED_DEPENDENT_DROP;
        sample s, t;
        linpred_data *data = data_of_columns(&a, all, k % 2, &s), *fewer = data_of_columns(&a, take, k % 2, &t);
        linpred_result *one = fit_data(data, &options), *two = fit_data(fewer, &options);
        assert_int_equal(one->figures.outcome, two->figures.outcome);
        assert_int_not_equal(check_result(one, data).verdict, LINPRED_REFUTED);
        bool optimal = one->figures.outcome == LINPRED_OUTCOME_OPTIMAL;
        for (int j = 0, other = 0; optimal && j <= a.columns; j++) {
            bool kept = j == a.columns || take[j];
            double x = coefficient(one, j), y = kept ? coefficient(two, other) : 0.0;
            if (!(fabs(x - y) <= 1e-6 * fabs(y) + (kept ? 1e-9 : 0.0)))
                fail_msg("design %d, column %d: %.17g and %.17g", k, j, x, y);
            if (kept && j < a.columns + a.intercept && one->standard_error && two->standard_error)
                assert_true(fabs(one->standard_error[j] - two->standard_error[other]) <=
                            1e-6 * two->standard_error[other] + 1e-12);
            other += kept;
            dropped += !kept;
        }
        linpred_result_free(one);
        linpred_result_free(two);
        linpred_data_free(data);
        linpred_data_free(fewer);
        sample_free(&s);
        sample_free(&t);
    }
    assert_true(dropped > 100);
}

/* One edit of a model, by its number. Answers false if there is no such edit for this fit. */
static bool forge(linpred_result *result, linpred__dependencies *vectors, int edit)
{
    linpred__regression *regression = result->model.regression;
    double *n = vectors->vector;
    switch (edit) {
    case 0: /* moved along a dependency: it fits the same */
        for (int j = 0; j < 4; j++) {
            double *c = j < 3 ? &result->model.w[j] : &result->model.b;
            *c += 1e-3 * n[j];
            if (regression)
                regression->basis_weight[j] = *c, regression->tail[j] = regression->basis_tail[j] = 0.0;
        }
        return true;
    case 1: /* least norm is said */
        vectors->drop = false;
        return true;
    case 2: /* both vectors speak of the same dropped column */
        for (int j = 0; j < 4; j++)
            n[4 + j] += n[j];
        return true;
    case 3: /* a dropped column has a standard error */
        if (!result->standard_error)
            return false;
        for (int j = 0; j < 3; j++)
            if (isnan(result->standard_error[j]))
                result->standard_error[j] = 1.0;
        return true;
    case 4: /* that of a kept one is another */
        if (!result->standard_error)
            return false;
        result->standard_error[0] *= 1.01;
        return true;
    default: /* S has a part of a dropped column, which changes no prediction */
        if (!regression || !regression->factor)
            return false;
        for (int j = 0; j < 4; j++)
            regression->factor[j * regression->factor_columns] += n[j];
        return true;
    }
}

static void others_are_refuted(void **state)
{
    (void)state;
    const double x[] = {1, 3, 2, 2, 3, 4, 4, 3, 8, 5, 3, 10, 7, 3, 14, 8, 3, 16}; /* x2 = 3, x3 = 2 x1 */
    const double y[] = {1, 4, 2, 7, 5, 1}, labels[] = {1, -1, 1, 1, -1, 1};
    for (int loss = 0; loss < 3; loss++)
        for (int edit = -1; edit < 6; edit++) {
            linpred_options options = loss == 2
                                          ? logistic_options(0.0)
                                          : regression_options(loss ? LINPRED_LOSS_ABSOLUTE : LINPRED_LOSS_SQUARED);
            options.dependent = LINPRED_DEPENDENT_DROP;
            linpred_data *data = data_of(6, 3, x, loss == 2 ? labels : y);
            linpred_result *result = fit_data(data, &options);
            linpred__dependencies *vectors = linpred__result_dependencies(result);
            assert_int_equal(vectors->count, 2);
            assert_true(vectors->drop && result->model.w[1] == 0.0 && result->model.w[2] == 0.0);
            bool edited = edit >= 0 && forge(result, vectors, edit);
            checked check = check_result(result, data);
            if (edited != (check.verdict == LINPRED_REFUTED))
                fail_msg("loss %d, edit %d: %s", loss, edit, check.finding);
            linpred_result_free(result);
            linpred_data_free(data);
        }
}

/* A dependency to rounding only: the column is dropped, the others are those without it, and that is told. */
static void to_rounding(void **state)
{
    (void)state;
    for (int loss = 0; loss < 3; loss++) {
        double x[24], less[12], y[12];
        for (int i = 0; i < 12; i++) {
            less[i] = i + 1.0;
            x[2 * i] = less[i];
            x[2 * i + 1] = 1.6093 * less[i];
            y[i] = loss == 2 ? (i % 2 || i == 4 ? 1.0 : -1.0) : (double)((5 * i) % 7);
        }
        linpred_options options =
            loss == 2 ? logistic_options(0.0) : regression_options(loss ? LINPRED_LOSS_ABSOLUTE : LINPRED_LOSS_SQUARED);
        options.dependent = LINPRED_DEPENDENT_DROP;
        linpred_data *data = data_of(12, 2, x, y), *fewer = data_of(12, 1, less, y);
        linpred_result *one = fit_data(data, &options), *two = fit_data(fewer, &options);
        near(one->model.w[0], two->model.w[0], 1e-9);
        near(one->model.b, two->model.b, 1e-9);
        assert_true(one->model.w[1] == 0.0);
        if (loss != 1)
            near(one->standard_error[0], two->standard_error[0], 1e-7);
        linpred_check *check = NULL;
        assert_int_equal(linpred_verify(one, data, 1, &check, NULL), LINPRED_OK);
        assert_int_equal(linpred_check_verdict(check), LINPRED_PARTLY_PROVED);
        assert_true(linpred_check_is_respecting(check));
        linpred_check_free(check);
        linpred_result_free(one);
        linpred_result_free(two);
        linpred_data_free(data);
        linpred_data_free(fewer);
    }
}

/* Fits in which it has no meaning, or would not be looked for, say so. */
static void where_it_is_refused(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        double *x = calloc(4 * 1600, sizeof *x), y[] = {1, -1, 1, -1};
        for (int i = 0; i < 4 * 1600; i++)
            x[i] = (i * 7) % 11;
        linpred_options options = kind == 0 ? logistic_options(0.5) : regression_options(LINPRED_LOSS_SQUARED);
        options.dependent = LINPRED_DEPENDENT_DROP;
        options.l2 = kind < 2 ? 0.5 : 0.0;
        options.degree = kind == 2 ? 2 : 1;
        linpred_data *data = data_of(4, kind == 3 ? 1600 : 2, x, y);
        linpred_result *result = NULL;
        linpred_error error = {.message = ""};
        assert_int_equal(linpred_fit(data, &options, &result, &error), LINPRED_ERROR_USAGE);
        assert_non_null(strstr(error.message, "--dependent drop"));
        linpred_data_free(data);
        free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(squares_against_rationals),
                                       cmocka_unit_test(as_without_the_columns), cmocka_unit_test(others_are_refuted),
                                       cmocka_unit_test(to_rounding), cmocka_unit_test(where_it_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
