/* Of all coefficients that fit the same, the ones of least norm, the intercept left out: against exact rationals on
 * tiny designs with constant, copied and dependent columns, for every loss; and what the checker says of others. */
#include <gmp.h>
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "fit_support.h"
#include "logistic_support.h"
#include "regression_support.h"

enum { ROWS = 9, COLUMNS = 5, WIDTH = COLUMNS + 1, DESIGNS = 3000 };

/* ---- exact rationals --------------------------------------------------------------------------------------------- */

typedef struct matrix {
    int rows, columns;
    mpq_t at[ROWS + 1][WIDTH + 1];
} matrix;

static void matrix_open(matrix *a, int rows, int columns)
{
    a->rows = rows;
    a->columns = columns;
    for (int i = 0; i <= ROWS; i++)
        for (int j = 0; j <= WIDTH; j++)
            mpq_init(a->at[i][j]);
}

static void matrix_close(matrix *a)
{
    for (int i = 0; i <= ROWS; i++)
        for (int j = 0; j <= WIDTH; j++)
            mpq_clear(a->at[i][j]);
}

/* to += a b, or -= if `minus` */
static void add_product(mpq_t to, const mpq_t a, const mpq_t b, bool minus)
{
    mpq_t part;
    mpq_init(part);
    mpq_mul(part, a, b);
    (minus ? mpq_sub : mpq_add)(to, to, part);
    mpq_clear(part);
}

/* Reduced row echelon form in the first `columns` columns. Answers the rank; pivot[] gets the pivot columns. */
static int reduce(matrix *a, int columns, int *pivot)
{
    int rank = 0;
    for (int c = 0; c < columns; c++) {
        int best = rank;
        while (best < a->rows && mpq_sgn(a->at[best][c]) == 0)
            best++;
        if (best == a->rows)
            continue;
        for (int j = 0; j < a->columns; j++)
            mpq_swap(a->at[rank][j], a->at[best][j]);
        for (int j = a->columns; j-- > c;)
            mpq_div(a->at[rank][j], a->at[rank][j], a->at[rank][c]);
        for (int i = 0; i < a->rows; i++) {
            mpq_t factor;
            mpq_init(factor);
            mpq_set(factor, a->at[i][c]);
            for (int j = 0; i != rank && j < a->columns; j++)
                add_product(a->at[i][j], factor, a->at[rank][j], true);
            mpq_clear(factor);
        }
        pivot[rank++] = c;
    }
    return rank;
}

/* ---- designs ----------------------------------------------------------------------------------------------------- */

typedef struct design {
    int rows, columns;
    bool intercept;
    double x[ROWS * COLUMNS], y[ROWS];
} design;

/* Small whole numbers. A column may be constant or a combination of those before it; all may lie far from 0. */
static design make_design(linpred__random *random, bool two_labels, bool may_be_far)
{
    design a = {.rows = 2 + (int)linpred__random_below(random, ROWS - 1),
                .columns = 1 + (int)linpred__random_below(random, COLUMNS),
                .intercept = linpred__random_below(random, 5) > 0};
    int64_t spread = 1 + (int64_t)linpred__random_below(random, 4);
    for (int j = 0; j < a.columns; j++) {
        uint64_t kind = linpred__random_below(random, 4);
        double constant = (double)linpred__random_below(random, 4) * 1.5, part[COLUMNS];
        double far = may_be_far && linpred__random_below(random, 8) == 0 ? 1e6 : 0.0;
        for (int l = 0; l < j; l++)
            part[l] = (double)linpred__random_below(random, 5) - 2.0;
        for (int i = 0; i < a.rows; i++) {
            double *x = a.x + i * a.columns, sum = constant;
            for (int l = 0; l < j; l++)
                sum += part[l] * x[l];
            x[j] = kind == 0 ? constant
                   : kind == 1 && j > 0
                       ? sum
                       : far + (double)linpred__random_below(random, (uint64_t)(2 * spread + 1)) - (double)spread;
        }
    }
    for (int i = 0; i < a.rows; i++)
        a.y[i] = two_labels ? (i == 0 || (i > 1 && linpred__random_below(random, 2)) ? 1.0 : -1.0)
                            : (double)linpred__random_below(random, 11) - 5.0;
    return a;
}

/* The same rows, dense or sparse. The data refer to the sample, which is freed after them. */
static linpred_data *data_of_design(const design *a, bool sparse, sample *s)
{
    *s = sample_new(a->rows, a->columns);
    memcpy(s->values, a->x, (size_t)(a->rows * a->columns) * sizeof(double));
    memcpy(s->labels, a->y, (size_t)a->rows * sizeof(double));
    sample_index(s);
    return sample_data(s, sparse);
}

/* ---- references -------------------------------------------------------------------------------------------------- */

/* Writes vectors that span { n : <n,(x,1)> = 0 in every row }, each with COLUMNS + 1 entries. Answers their number. */
static int null_space(const design *a, double null[WIDTH][WIDTH])
{
    matrix m;
    int width = a->columns + a->intercept, pivot[WIDTH], count = 0;
    matrix_open(&m, a->rows, width);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < width; j++)
            mpq_set_d(m.at[i][j], j < a->columns ? a->x[i * a->columns + j] : 1.0);
    int rank = reduce(&m, width, pivot);
    for (int c = 0, next = 0; c < width; c++) {
        if (next < rank && pivot[next] == c) {
            next++;
            continue;
        }
        memset(null[count], 0, sizeof null[count]);
        null[count][c] = 1.0;
        for (int i = 0; i < rank; i++)
            null[count][pivot[i]] = -mpq_get_d(m.at[i][c]);
        count++;
    }
    matrix_close(&m);
    return count;
}

/* The least-squares coefficients of least ||w||, the intercept last: rows and targets less their means, a basis B of
   the rows, w = B'z with the z that solves the normal equations of X B'. */
static void least_squares_of(const design *a, double *w)
{
    matrix x, basis, equations;
    int d = a->columns, pivot[WIDTH];
    mpq_t mean[WIDTH], entry, count, b;
    matrix_open(&x, a->rows, d + 1);
    matrix_open(&basis, a->rows, d);
    mpq_inits(entry, count, b, NULL);
    mpq_set_si(count, a->rows, 1);
    for (int j = 0; j <= d; j++) {
        mpq_init(mean[j]);
        for (int i = 0; i < a->rows; i++) {
            mpq_set_d(x.at[i][j], j < d ? a->x[i * d + j] : a->y[i]);
            mpq_add(mean[j], mean[j], x.at[i][j]);
        }
        mpq_div(mean[j], mean[j], count);
        if (!a->intercept)
            mpq_set_ui(mean[j], 0, 1);
        for (int i = 0; i < a->rows; i++) {
            mpq_sub(x.at[i][j], x.at[i][j], mean[j]);
            if (j < d)
                mpq_set(basis.at[i][j], x.at[i][j]);
        }
    }
    int rank = reduce(&basis, d, pivot);
    matrix_open(&equations, rank, rank + 1);
    for (int i = 0; i < a->rows; i++) {
        mpq_t along[WIDTH];
        for (int k = 0; k < rank; k++) {
            mpq_init(along[k]);
            for (int j = 0; j < d; j++)
                add_product(along[k], x.at[i][j], basis.at[k][j], false);
        }
        for (int k = 0; k < rank; k++) {
            for (int l = 0; l < rank; l++)
                add_product(equations.at[k][l], along[k], along[l], false);
            add_product(equations.at[k][rank], along[k], x.at[i][d], false);
        }
        for (int k = 0; k < rank; k++)
            mpq_clear(along[k]);
    }
    assert_int_equal(reduce(&equations, rank, pivot), rank);
    mpq_set(b, mean[d]);
    for (int j = 0; j < d; j++) {
        mpq_set_ui(entry, 0, 1);
        for (int k = 0; k < rank; k++)
            add_product(entry, equations.at[k][rank], basis.at[k][j], false);
        w[j] = mpq_get_d(entry);
        add_product(b, entry, mean[j], true);
    }
    w[d] = mpq_get_d(b);
    for (int j = 0; j <= d; j++)
        mpq_clear(mean[j]);
    mpq_clears(entry, count, b, NULL);
    matrix_close(&equations);
    matrix_close(&basis);
    matrix_close(&x);
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

/* w is orthogonal to every dependency, the intercept left out, and 0 exactly where a column is constant or 0. */
static void assert_least_norm(const design *a, const linpred_result *result)
{
    double null[WIDTH][WIDTH];
    int count = null_space(a, null);
    assert_int_equal((int)linpred_result_dependency_count(result), count);
    for (int k = 0; k < count; k++) {
        double along = 0.0, size = 0.0;
        int parts = 0, last = 0;
        for (int j = 0; j < a->columns; j++)
            if (null[k][j] != 0.0) {
                along += null[k][j] * result->model.w[j];
                size += fabs(null[k][j] * result->model.w[j]);
                last = j;
                parts++;
            }
        if (!(fabs(along) <= 1e-9 * size))
            fail_msg("off the least norm by %g of %g", along, size);
        if (parts == 1)
            assert_true(result->model.w[last] == 0.0);
    }
}

static void squares_against_rationals(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 12);
    for (int k = 0; k < DESIGNS; k++) {
        design a = make_design(&random, false, true);
        linpred_options options = regression_options(LINPRED_LOSS_SQUARED);
        options.no_intercept = !a.intercept;
        double w[WIDTH];
        least_squares_of(&a, w);
        for (int sparse = 0; sparse < 2; sparse++) {
            sample s;
            linpred_data *data = data_of_design(&a, sparse, &s);
            linpred_result *result = fit_data(data, &options);
            for (int j = 0; j < a.columns + a.intercept; j++) {
                double found = j < a.columns ? result->model.w[j] : result->model.b;
                if (!(fabs(found - w[j]) <= 1e-13 * fabs(w[j]) + 1e-25))
                    fail_msg("design %d: coefficient %d is %.17g, not %.17g", k, j, found, w[j]);
            }
            assert_least_norm(&a, result);
            assert_int_not_equal(check_result(result, data).verdict, LINPRED_REFUTED);
            linpred_result_free(result);
            linpred_data_free(data);
            sample_free(&s);
        }
    }
}

/* Any minimiser of the absolute loss, but of all with its fitted values the one of least norm. */
static void every_loss_has_the_least_norm(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 13);
    for (int k = 0; k < DESIGNS; k++) {
        bool logistic = k % 2;
        design a = make_design(&random, logistic, logistic);
        linpred_options options = logistic ? logistic_options(0.0) : regression_options(LINPRED_LOSS_ABSOLUTE);
        a.intercept = a.intercept || logistic; /* without one columns far from 0 cannot be taken about their means */
        options.no_intercept = !a.intercept;
        for (int sparse = 0; sparse < 2; sparse++) {
            sample s;
            linpred_data *data = data_of_design(&a, sparse, &s);
            linpred_result *result = fit_data(data, &options);
            if (result->figures.outcome == LINPRED_OUTCOME_OPTIMAL)
                assert_least_norm(&a, result);
            checked check = check_result(result, data);
            if (check.verdict == LINPRED_REFUTED)
                fail_msg("design %d: %s", k, check.finding);
            linpred_result_free(result);
            linpred_data_free(data);
            sample_free(&s);
        }
    }
}

/* Columns in another order have the same coefficients. */
static void order_of_columns(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 14);
    for (int k = 0; k < DESIGNS / 5; k++) {
        design a = make_design(&random, k % 2, k % 2 == 0), b = a;
        linpred_options options = k % 2 ? logistic_options(0.0) : regression_options(LINPRED_LOSS_SQUARED);
        options.no_intercept = !a.intercept;
        for (int i = 0; i < a.rows; i++)
            for (int j = 0; j < a.columns; j++)
                b.x[i * a.columns + j] = a.x[i * a.columns + (a.columns - 1 - j)];
        sample s, t;
        linpred_data *data = data_of_design(&a, false, &s), *other = data_of_design(&b, false, &t);
        linpred_result *one = fit_data(data, &options), *two = fit_data(other, &options);
        assert_int_equal(one->figures.outcome, two->figures.outcome);
        for (int j = 0; one->figures.outcome == LINPRED_OUTCOME_OPTIMAL && j < a.columns; j++) {
            double x = one->model.w[j], y = two->model.w[a.columns - 1 - j];
            if (!(fabs(x - y) <= 1e-6 * fabs(y) + 1e-9))
                fail_msg("design %d: %.17g and %.17g", k, x, y);
        }
        linpred_result_free(one);
        linpred_result_free(two);
        linpred_data_free(data);
        linpred_data_free(other);
        sample_free(&s);
        sample_free(&t);
    }
}

/* Coefficients moved along a dependency fit the same, but are not of least norm; a dependency that the rows do not have
   is found out, whether it is said to hold exactly or to rounding. */
static void others_are_refuted(void **state)
{
    (void)state;
    const double x[] = {1, 3, 2, 2, 3, 4, 4, 3, 8, 5, 3, 10, 7, 3, 14}; /* x2 = 3, x3 = 2 x1 */
    const double y[] = {1, 4, 2, 7, 5};
    for (int loss = 0; loss < 2; loss++)
        for (int edit = 0; edit < 5; edit++) {
            linpred_options options = regression_options(loss ? LINPRED_LOSS_ABSOLUTE : LINPRED_LOSS_SQUARED);
            linpred_data *data = data_of(5, 3, x, y);
            linpred_result *result = fit_data(data, &options);
            linpred__regression *r = result->model.regression;
            assert_int_equal(r->dependencies.count, 2);
            assert_true(result->model.w[1] == 0.0);
            near(result->model.w[2], 2.0 * result->model.w[0], 1e-15);
            double *n = r->dependencies.vector + (edit % 2) * 4;
            for (int j = 0; edit < 2 && j < 4; j++) {
                double *c = j < 3 ? &result->model.w[j] : &result->model.b;
                *c = r->basis_weight[j] = *c + 1e-3 * n[j];
                r->tail[j] = r->basis_tail[j] = 0.0;
            }
            if (edit >= 2 && edit < 4) /* 3 and 2 are no longer the numbers */
                for (int j = 0; j < 4; j++)
                    n[j] *= j == 1 || j == 2 ? 1.0 + 1e-6 : 1.0;
            if (edit == 3 || edit == 4)
                r->dependencies.exact[edit % 2] = false;
            checked check = check_result(result, data);
            if (edit == 4) /* a dependency that is exact is said to hold to rounding */
                assert_int_not_equal(check.verdict, LINPRED_REFUTED);
            else if (check.verdict != LINPRED_REFUTED)
                fail_msg("loss %d, edit %d: %s", loss, edit, check.finding);
            linpred_result_free(result);
            linpred_data_free(data);
        }
}

/* Rows that break a dependency, in the numbers of the file. */
static void broken_rows(void **state)
{
    (void)state;
    const double x[] = {1, 3, 2, 2, 3, 4, 4, 3, 8, 5, 3, 10}, y[] = {1, 4, 2, 7};
    const double new_x[] = {1, 3, 2, 9, 3, 18, 1, 4, 2, 1, 3, 2.0000001, 1, 9, 5}, new_y[] = {0, 0, 0, 0, 0};
    for (int loss = 0; loss < 2; loss++)
        for (int sparse = 0; sparse < 2; sparse++) {
            linpred_options options = regression_options(loss ? LINPRED_LOSS_ABSOLUTE : LINPRED_LOSS_SQUARED);
            linpred_data *data = data_of(4, 3, x, y);
            design a = {.rows = 5, .columns = 3};
            memcpy(a.x, new_x, sizeof new_x);
            memcpy(a.y, new_y, sizeof new_y);
            sample s;
            linpred_data *other = data_of_design(&a, sparse, &s);
            linpred_result *result = fit_data(data, &options);
            int64_t rows[2], first[2];
            assert_int_equal(linpred_result_dependency_count(result), 2);
            assert_int_equal(linpred_broken_dependencies(result, data, 1, rows, first, NULL), LINPRED_OK);
            assert_true(rows[0] == 0 && rows[1] == 0 && first[0] == 0 && first[1] == 0);
            assert_int_equal(linpred_broken_dependencies(result, other, 1, rows, first, NULL), LINPRED_OK);
            size_t constant = strncmp(linpred_result_dependency_sentence(result, 0), "x2", 2) == 0 ? 0 : 1;
            assert_true(rows[constant] == 2 && first[constant] == 3);
            assert_true(rows[1 - constant] == 2 && first[1 - constant] == 4);
            linpred_result_free(result);
            linpred_data_free(data);
            linpred_data_free(other);
            sample_free(&s);
        }
}

/* A dependency to rounding only: partly proved, for that reason alone. One that holds less well in a row is another
   matter, and so is one that is exact. */
static void respecting_is_told(void **state)
{
    (void)state;
    enum { RUNS = 9 };
    for (int k = 0; k < RUNS; k++) {
        int loss = k % 3, kind = k / 3;
        double x[12], y[6];
        for (int i = 0; i < 6; i++) {
            x[2 * i] = i + 1.0;
            x[2 * i + 1] = kind == 1 ? 2.0 * (i + 1.0) : 1.6093 * (i + 1.0);
            y[i] = loss == 2 ? (i % 2 || i == 4 ? 1.0 : -1.0) : (double)((5 * i) % 7);
        }
        if (kind == 2) /* the first row is small beside the others, and off by much of it */
            for (int i = 0; i < 6; i++) {
                x[2 * i] = i > 0 ? 1e15 * (i + 1.0) : 1.0;
                x[2 * i + 1] = i > 0 ? 2.0 * x[2 * i] : 2.25;
            }
        linpred_options options =
            loss == 2 ? logistic_options(0.0) : regression_options(loss ? LINPRED_LOSS_ABSOLUTE : LINPRED_LOSS_SQUARED);
        options.no_intercept = kind == 2;
        linpred_data *data = data_of(6, 2, x, y);
        linpred_result *result = fit_data(data, &options);
        linpred_check *check = NULL;
        assert_int_equal(linpred_verify(result, data, 1, &check, NULL), LINPRED_OK);
        assert_int_not_equal(linpred_check_verdict(check), LINPRED_REFUTED);
        assert_true(linpred_check_is_respecting(check) == (kind == 0));
        if (linpred_check_is_respecting(check))
            assert_int_equal(linpred_check_verdict(check), LINPRED_PARTLY_PROVED);
        linpred_check_free(check);
        linpred_result_free(result);
        linpred_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(squares_against_rationals),
                                       cmocka_unit_test(every_loss_has_the_least_norm),
                                       cmocka_unit_test(order_of_columns),
                                       cmocka_unit_test(others_are_refuted),
                                       cmocka_unit_test(broken_rows),
                                       cmocka_unit_test(respecting_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
