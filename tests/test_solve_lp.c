/* The linear program on working rows: proposals, rays, warm starts, units, stopping. */
#include "solve_reference.h"

static linpred__rows dense(int32_t rows, int32_t columns, const double *values)
{
    return (linpred__rows){rows, columns, values, NULL, NULL, NULL};
}

static linpred__lp *opened(const linpred__rows *rows)
{
    linpred__lp *lp;
    assert_int_equal(linpred__lp_open(rows->columns, NULL, &lp, NULL), LINPRED_OK);
    assert_int_equal(linpred__lp_add(lp, rows, 0, rows->rows, NULL), LINPRED_OK);
    return lp;
}

static linpred__lp_answer solved(linpred__lp *lp)
{
    linpred__lp_answer answer;
    assert_int_equal(linpred__lp_solve(lp, NULL, NULL, &answer, NULL), LINPRED_OK);
    return answer;
}

static void point_and_ray(void **state)
{
    (void)state;
    const double z[] = {2, 1, -1, 1, 0, -1};
    linpred__rows rows = dense(3, 2, z);
    linpred__lp *lp;
    assert_int_equal(linpred__lp_open(2, NULL, &lp, NULL), LINPRED_OK);
    assert_int_equal(linpred__lp_rows(lp), 0);
    assert_int_equal(linpred__lp_add(lp, &rows, 0, 2, NULL), LINPRED_OK);
    assert_int_equal(linpred__lp_rows(lp), 2);
    assert_int_equal(solved(lp), LINPRED__LP_FEASIBLE);
    double w[2];
    linpred__lp_point(lp, w);
    assert_int_equal(sign_of(&rows, 0, w), 1);
    assert_int_equal(sign_of(&rows, 1, w), 1);
    int32_t tight[3];
    assert_int_equal(linpred__lp_tight_rows(lp, tight), 1);
    /* z_1 + 2 z_2 + 3 z_3 = 0 */
    assert_int_equal(linpred__lp_add(lp, &rows, 2, 1, NULL), LINPRED_OK);
    assert_int_equal(linpred__lp_rows(lp), 3);
    assert_int_equal(solved(lp), LINPRED__LP_INFEASIBLE);
    double lambda[3];
    int32_t support[3], supported;
    assert_true(linpred__lp_ray(lp, lambda, support, &supported));
    assert_int_equal(supported, 3);
    assert_true(fabs(lambda[1] / lambda[0] - 2) < 1e-12 && fabs(lambda[2] / lambda[0] - 3) < 1e-12);
    /* Held at zero, the third row takes w_2; the other two then contradict each other. */
    assert_int_equal(linpred__lp_set_kind(lp, 2, LINPRED__LP_ZERO, NULL), LINPRED_OK);
    assert_int_equal(solved(lp), LINPRED__LP_INFEASIBLE);
    assert_int_equal(linpred__lp_set_kind(lp, 1, LINPRED__LP_ZERO, NULL), LINPRED_OK);
    assert_int_equal(solved(lp), LINPRED__LP_INFEASIBLE);
    linpred__lp_close(lp);
}

static void units(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 8);
    enum { N = 60, D = 6 };
    static const int exponent[D] = {500, -500, 0, 30, -1000, 900};
    double z[N * D];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++) {
            double x = linpred__random_normal(&random) + 1.5; /* (1, …, 1) separates most */
            z[i * D + j] = ldexp(x, exponent[j]);
        }
    linpred__rows rows = dense(N, D, z);
    linpred__lp *lp = opened(&rows);
    assert_int_equal(solved(lp), LINPRED__LP_FEASIBLE);
    double w[D];
    linpred__lp_point(lp, w);
    for (int i = 0; i < N; i++)
        assert_int_equal(sign_of(&rows, i, w), 1);
    linpred__lp_close(lp);
    /* 1e-150 and 1e150, and a row against them all. */
    for (int j = 0; j < D; j++)
        z[j] = 0;
    for (int i = 1; i < N; i++)
        for (int j = 0; j < D; j++)
            z[j] -= z[i * D + j];
    lp = opened(&rows);
    assert_int_equal(solved(lp), LINPRED__LP_INFEASIBLE);
    linpred__lp_close(lp);
}

/* Rows added portion by portion give the same answer as all at once. */
static void warm_starts(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 12);
    enum { N = 120, D = 30 };
    for (int instance = 0; instance < 20; instance++) {
        double z[N * D];
        for (int i = 0; i < N * D; i++)
            z[i] = linpred__random_normal(&random) + (instance % 2 ? 0.3 : 0.0);
        linpred__rows rows = dense(N, D, z);
        linpred__lp *cold = opened(&rows), *warm;
        linpred__lp_answer expected = solved(cold), answer = LINPRED__LP_FEASIBLE;
        assert_int_equal(linpred__lp_open(D, NULL, &warm, NULL), LINPRED_OK);
        for (int32_t first = 0; first < N && answer == LINPRED__LP_FEASIBLE; first += 20) {
            assert_int_equal(linpred__lp_add(warm, &rows, first, 20, NULL), LINPRED_OK);
            answer = solved(warm);
        }
        assert_int_equal(answer, expected);
        linpred__lp_close(cold);
        linpred__lp_close(warm);
    }
}

static bool at_once(void *context)
{
    ++*(int *)context;
    return true;
}

static void stops(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 13);
    enum { N = 800, D = 150 };
    double *z = malloc(N * D * sizeof *z);
    for (int i = 0; i < N * D; i++)
        z[i] = linpred__random_normal(&random) + 0.2;
    linpred__rows rows = dense(N, D, z);
    linpred__lp *lp = opened(&rows);
    int asked = 0;
    linpred__lp_answer answer;
    assert_int_equal(linpred__lp_solve(lp, at_once, &asked, &answer, NULL), LINPRED_OK);
    assert_int_equal(answer, LINPRED__LP_STOPPED);
    assert_int_equal(asked, 1);
    double t = seconds_now();
    answer = solved(lp); /* and goes on */
    printf("%d x %d: %s, %.2f s\n", N, D, answer == LINPRED__LP_FEASIBLE ? "feasible" : "infeasible",
           seconds_now() - t);
    assert_true(answer == LINPRED__LP_FEASIBLE || answer == LINPRED__LP_INFEASIBLE);
    linpred__lp_close(lp);
    free(z);
}

static void degenerate_shapes(void **state)
{
    (void)state;
    const double one[] = {-3};
    linpred__rows rows = dense(1, 1, one);
    linpred__lp *lp = opened(&rows);
    assert_int_equal(solved(lp), LINPRED__LP_FEASIBLE);
    double w;
    linpred__lp_point(lp, &w);
    assert_true(w < 0);
    linpred__lp_close(lp);
    const double zero[] = {0, 0};
    rows = dense(1, 2, zero);
    lp = opened(&rows);
    assert_int_equal(solved(lp), LINPRED__LP_INFEASIBLE);
    linpred__lp_close(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_and_ray),     cmocka_unit_test(units),
        cmocka_unit_test(warm_starts),       cmocka_unit_test(stops),
        cmocka_unit_test(degenerate_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
