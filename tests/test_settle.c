/* The direction of quasi-separated rows settles every row that any direction settles, and the rows left are proved to
 * overlap: against brute force on thousands of tiny cases with ties. */
#include "support.h"

enum { MOST = 9 };

/* ---- brute force ------------------------------------------------------------------------------------------------- *
 *
 * In three dimensions, in integers. The directions are the v with <v,z> >= 0 on every row. Up to vectors that are 0 on
 * every row they are sums of extreme ones, and an extreme one is, up to its sign, a × b of two rows; (a × b) × c if all
 * rows lie in a plane; a row itself if all lie on a line. So the rows that some direction settles are those that one of
 * these settles, where it is a direction. */

typedef struct {
    int rows;
    int64_t z[MOST][3];
} cone;

static void cross(const int64_t *a, const int64_t *b, int64_t *v)
{
    for (int j = 0; j < 3; j++)
        v[j] = a[(j + 1) % 3] * b[(j + 2) % 3] - a[(j + 2) % 3] * b[(j + 1) % 3];
}

/* Marks the rows that v and -v settle, if they are directions. */
static void settle(const cone *c, const int64_t *v, bool *settled)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        bool direction = true;
        int64_t side[MOST];
        for (int i = 0; i < c->rows; i++) {
            side[i] = sign * (v[0] * c->z[i][0] + v[1] * c->z[i][1] + v[2] * c->z[i][2]);
            direction = direction && side[i] >= 0;
        }
        for (int i = 0; i < c->rows && direction; i++)
            settled[i] = settled[i] || side[i] > 0;
    }
}

static int settle_by_brute_force(const cone *c, bool *settled)
{
    int count = 0;
    memset(settled, 0, MOST * sizeof *settled);
    for (int a = 0; a < c->rows; a++) {
        settle(c, c->z[a], settled);
        for (int b = 0; b < a; b++) {
            int64_t normal[3], ray[3];
            cross(c->z[a], c->z[b], normal);
            settle(c, normal, settled);
            for (int k = 0; k < c->rows; k++) {
                cross(normal, c->z[k], ray);
                settle(c, ray, settled);
            }
        }
    }
    for (int i = 0; i < c->rows; i++)
        count += settled[i];
    return count;
}

/* The least logistic loss of the rows left, as a mean over all rows: damped Newton, the Hessian lifted by 1e-14. */
static double infimum_by_newton(const cone *c, const bool *settled)
{
    double u[3] = {0, 0, 0}, least = 0.0, step[3] = {0, 0, 0};
    for (int turn = 0; turn < 400; turn++) {
        double loss = 0.0, m[3][4] = {{1e-14}, {0, 1e-14}, {0, 0, 1e-14}};
        for (int i = 0; i < c->rows; i++)
            if (!settled[i]) {
                double s = 0.0;
                for (int j = 0; j < 3; j++)
                    s += u[j] * (double)c->z[i][j];
                double p = 1.0 / (1.0 + exp(s));
                loss += s > 0 ? log1p(exp(-s)) : log1p(exp(s)) - s;
                for (int j = 0; j < 3; j++) {
                    m[j][3] += p * (double)c->z[i][j];
                    for (int k = 0; k < 3; k++)
                        m[j][k] += p * (1.0 - p) * (double)(c->z[i][j] * c->z[i][k]);
                }
            }
        if (turn > 0 && loss > least) { /* half the step */
            for (int j = 0; j < 3; j++)
                u[j] -= step[j] /= 2;
            continue;
        }
        least = loss;
        for (int j = 0; j < 3; j++) /* Gauss-Jordan */
            for (int k = 0; k < 3; k++) {
                double factor = m[k][j] / m[j][j];
                for (int l = 0; l < 4 && k != j; l++)
                    m[k][l] -= factor * m[j][l];
            }
        for (int j = 0; j < 3; j++)
            u[j] += step[j] = m[j][3] / m[j][j];
    }
    return least / c->rows;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

/* The rows left are exactly those that no direction settles, and everything is proved. */
static void assert_settled(const linpred_result *result, const linpred_data *data, const cone *c, const bool *settled,
                           int count)
{
    linpred_separation kind = linpred_result_separation(result);
    checked check = {0};
    assert_int_equal(verify_result(result, data, 1, &check, NULL), LINPRED_OK);
    if (check.verdict == LINPRED_REFUTED || check.verdict == LINPRED_PARTLY_PROVED)
        fail_msg("%s: %s", linpred_verdict_name(check.verdict), check.finding);
    assert_int_equal(kind, count == c->rows ? LINPRED_SEPARATION_SEPARATED
                           : count > 0      ? LINPRED_SEPARATION_QUASI_SEPARATED
                                            : LINPRED_SEPARATION_OVERLAPPING);
    if (count == 0 || count == c->rows)
        return;
    size_t claim;
    const int64_t *row;
    assert_int_equal(linpred_result_count(result, "settled_rows"), count);
    assert_true(linpred_result_claim_find(result, LINPRED_CLAIM_OVERLAPPING, &claim));
    assert_int_equal(linpred_result_claim_rows(result, claim, &row), c->rows - count);
    for (int i = 0, k = 0; i < c->rows; i++)
        if (!settled[i])
            assert_int_equal(row[k++], i + 1);
}

/* The finite part is that of the rows left. */
static void assert_finite_part(const linpred_result *result, const cone *c, const bool *settled, int count)
{
    size_t claim;
    if (count == 0 || count == c->rows) {
        assert_false(linpred_result_claim_find(result, LINPRED_CLAIM_FINITE_PART, &claim));
        return;
    }
    assert_true(linpred_result_claim_find(result, LINPRED_CLAIM_FINITE_PART, &claim));
    double infimum = infimum_by_newton(c, settled);
    assert_true(fabs(linpred_result_number(result, "infimum") - infimum) <= 1e-9 * infimum);
}

static void ask_both(const sample *s, const cone *c, bool intercept, const bool *settled, int count)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        linpred_options options;
        linpred__options_init(&options);
        options.no_intercept = !intercept;
        linpred_data *data = sample_data(s, sparse);
        linpred_result *result = NULL;
        assert_int_equal(linpred_find_separation(data, &options, &result, NULL), LINPRED_OK);
        assert_settled(result, data, c, settled, count);
        linpred_result_free(result);
        options.task = LINPRED_TASK_LOGISTIC;
        assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
        if (count > 0)
            assert_settled(result, data, c, settled, count);
        assert_finite_part(result, c, settled, count);
        linpred_result_free(result);
        linpred_data_free(data);
    }
}

static void tiny_cases_by_brute_force(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 38);
    int quasi = 0, twice = 0;
    for (int turn = 0; turn < 2000; turn++) {
        bool intercept = turn % 2;
        int columns = 1 + turn / 2 % (3 - intercept), rows = 2 + (int)linpred__random_below(&random, MOST - 1);
        sample s = sample_integers(&random, rows, columns, 1 + turn % 3);
        cone c = {.rows = rows};
        bool settled[MOST], both = false;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++)
                c.z[i][j] = (int64_t)(s.labels[i] * s.values[i * columns + j]);
            if (intercept)
                c.z[i][columns] = (int64_t)s.labels[i];
            both = both || s.labels[i] != s.labels[0];
        }
        int count = settle_by_brute_force(&c, settled);
        if (both) /* data of one label are refused */
            ask_both(&s, &c, intercept, settled, count);
        quasi += both && count > 0 && count < rows;
        twice += both && count > 2 && count < rows - 2;
        sample_free(&s);
    }
    assert_true(quasi > 300 && twice > 30);
}

/* ---- what is known without computing ----------------------------------------------------------------------------- */

typedef struct {
    double infimum;
    double numbers[4]; /* the weights, the intercept last */
} fitted_part;

/* Fits and verifies. Every claim of the finite part is proved. */
static fitted_part find_finite(const sample *s, bool sparse, const char *class_weights)
{
    linpred_options options;
    linpred__options_init(&options);
    options.task = LINPRED_TASK_LOGISTIC;
    options.class_weights = class_weights;
    linpred_data *data = sample_data(s, sparse);
    linpred_result *result = NULL;
    linpred_check *check = NULL;
    size_t claim;
    const double *numbers;
    fitted_part found = {0};
    assert_int_equal(linpred_fit(data, &options, &result, NULL), LINPRED_OK);
    assert_int_equal(linpred_verify(result, data, 1, &check, NULL), LINPRED_OK);
    assert_int_equal(linpred_check_verdict(check), LINPRED_PROVED);
    assert_true(linpred_result_claim_find(result, LINPRED_CLAIM_FINITE_PART, &claim));
    assert_int_equal(linpred_check_claim_verdict(check, claim), LINPRED_PROVED);
    found.infimum = linpred_result_number(result, "infimum");
    assert_int_equal(linpred_result_claim_numbers(result, claim, &numbers), s->columns + 1);
    memcpy(found.numbers, numbers, ((size_t)s->columns + 1) * sizeof *numbers);
    linpred_check_free(check);
    linpred_result_free(result);
    linpred_data_free(data);
    return found;
}

static sample sample_of(int rows, int columns, const double *values, const double *labels, const double *weights)
{
    sample s = sample_new(rows, columns);
    for (int i = 0; i < rows * columns; i++)
        s.values[i] = values[i];
    for (int i = 0; i < rows; i++)
        s.labels[i] = labels[i];
    if (weights) {
        s.weights = calloc((size_t)rows, sizeof(double));
        for (int i = 0; i < rows; i++)
            s.weights[i] = weights[i];
    }
    sample_index(&s);
    return s;
}

/* At x = 3 there are rows of both labels, below it only -1 and above it only +1. So the infimum is the entropy of the
   rows at 3, and the least norm has no slope. Any weights and class weights c give c_1 log(c/c_1) + c_2 log(c/c_2). */
static void the_infimum_is_an_entropy(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 3, 4, 5}, y[] = {-1, -1, -1, 1, 1, 1}, weights[] = {7, 1, 2, 0.5, 1, 3};
    for (int turn = 0; turn < 6; turn++) {
        sample s = sample_of(6, 1, x, y, turn / 2 == 1 ? weights : NULL);
        fitted_part found = find_finite(&s, turn % 2, turn / 2 == 2 ? "3:1" : NULL);
        double c1 = turn / 2 == 1 ? 2 : turn / 2 == 2 ? 3 : 1, c2 = turn / 2 == 1 ? 0.5 : 1;
        double all = turn / 2 == 1 ? 14.5 : turn / 2 == 2 ? 12 : 6, c = c1 + c2;
        double infimum = (c1 * log(c / c1) + c2 * log(c / c2)) / all;
        assert_true(fabs(found.infimum - infimum) <= 1e-12 * infimum);
        assert_true(fabs(found.numbers[0]) <= 1e-9);
        assert_true(fabs(found.numbers[1] - log(c2 / c1)) <= 1e-6);
        sample_free(&s);
    }
}

/* A second column settles rows, the first is 0 on all that are left and mirrored there: u = 0, n log 2 of N rows. */
static void mirrored_rows_have_log_2(void **state)
{
    (void)state;
    const double x[] = {1, 0, -1, 0, 1, 0, -1, 0, 5, 1, 5, 2, 6, -1, -9, -3}, y[] = {1, 1, -1, -1, 1, 1, -1, -1};
    for (int sparse = 0; sparse < 2; sparse++) {
        sample s = sample_of(8, 2, x, y, NULL);
        fitted_part found = find_finite(&s, sparse, NULL);
        assert_true(fabs(found.infimum - 0.5 * log(2)) <= 1e-12);
        for (int j = 0; j < 3; j++)
            assert_true(fabs(found.numbers[j]) <= 1e-6);
        sample_free(&s);
    }
}

/* Weight k is k copies, a column may be doubled with its weight halved, and sparse rows have the fit of dense ones. */
static void laws_of_the_finite_part(void **state)
{
    (void)state;
    const double x[] = {0, 1, 1, 3, 2, 1, 2, 2, 3, 1, 4, 0}, y[] = {1, -1, 1, -1, 1, -1, 1, 1, 1, -1, 1, 1};
    double values[3 * 24], labels[24], weights[12], copies[3 * 24];
    int rows = 12, all = 0;
    for (int i = 0; i < rows; i++) { /* the last two rows have 1 in the second column, which settles them */
        double row[3] = {x[i], i >= 10, i % 3};
        weights[i] = 1 + i % 2;
        memcpy(values + 3 * i, row, sizeof row);
        for (int k = 0; k < 1 + i % 2; k++, all++) {
            memcpy(copies + 3 * all, row, sizeof row);
            labels[all] = y[i];
        }
    }
    sample weighted = sample_of(rows, 3, values, y, weights), copied = sample_of(all, 3, copies, labels, NULL);
    fitted_part a = find_finite(&weighted, false, NULL), b = find_finite(&copied, true, NULL);
    for (int i = 0; i < rows; i++)
        weighted.values[3 * i] *= 2;
    fitted_part c = find_finite(&weighted, false, NULL);
    assert_true(fabs(a.infimum - b.infimum) <= 1e-12 && fabs(a.infimum - c.infimum) <= 1e-12);
    assert_true(a.infimum > 0.3 && fabs(a.numbers[0]) > 0.01);
    for (int j = 0; j < 4; j++) {
        assert_true(fabs(a.numbers[j] - b.numbers[j]) <= 1e-6);
        assert_true(fabs(a.numbers[j] - (j == 0 ? 2 : 1) * c.numbers[j]) <= 1e-6);
    }
    sample_free(&weighted);
    sample_free(&copied);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_cases_by_brute_force),
        cmocka_unit_test(the_infimum_is_an_entropy),
        cmocka_unit_test(mirrored_rows_have_log_2),
        cmocka_unit_test(laws_of_the_finite_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
