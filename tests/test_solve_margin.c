/* The least-distance solver where the optimum is known: instances of the theory, planted optima, brute force in
 * integers. */
#include "margin_instance.h"

#include "core/blas.h"
#include "solve/dense/tiled_factor.h"

/* ---- instances of the theory ------------------------------------------------------------------------------------- */

/* F1: x_i = e_i, any labels: B² = m. */
static void unit_vectors(void **state)
{
    (void)state;
    for (int32_t m = 1; m <= 40; m++) {
        instance a = make(m);
        for (int32_t i = 0; i < m; i++) {
            put_entry(&a, i, 1.0);
            end_row(&a, i % 3 ? 1.0 : -1.0);
        }
        for (int as_dense = 0; as_dense < 2; as_dense++)
            assert_near(norm_of(&a, LINPRED__FORM_ORIGIN, as_dense, 1e-14), sqrt(m), 1e-15);
        discard(&a);
    }
}

/* F3: z_1 = e_1, z_k = e_k - 2 e_{k-1}: w = (1, 3, 7, …) and B² = Σ (2^k - 1)². */
static void shrinking_margin(void **state)
{
    (void)state;
    for (int32_t d = 2; d <= 30; d++) {
        instance a = make(d);
        double square = 0.0;
        for (int32_t k = 0; k < d; k++) {
            if (k > 0)
                put_entry(&a, k - 1, k % 2 ? 2.0 : -2.0);
            put_entry(&a, k, k % 2 ? -1.0 : 1.0);
            end_row(&a, k % 2 ? -1.0 : 1.0);
            square += (ldexp(1.0, k + 1) - 1.0) * (ldexp(1.0, k + 1) - 1.0);
        }
        linpred__least_distance *problem = open_with(&a, LINPRED__FORM_ORIGIN, d % 2);
        linpred__distance_answer answer = solve(problem);
        assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
        for (int32_t k = 0; k < d; k++)
            assert_true(answer.weights[k] == ldexp(1.0, k + 1) - 1.0);
        assert_near(answer.norm, sqrt(square), 1e-15);
        assert_true(prove(&a, LINPRED__FORM_ORIGIN, &answer).gap <= 1e-14);
        linpred__least_distance_close(problem);
        discard(&a);
    }
}

/* x = 0.1 (-), 0.2 (+): w = 2/0.1, b = -3. */
static void two_points(void **state)
{
    (void)state;
    instance a = make(1);
    put_row(&a, (double[]){0.1}, -1.0);
    put_row(&a, (double[]){0.2}, 1.0);
    assert_near(norm_of(&a, LINPRED__FORM_HOMOGENEOUS, true, 1e-14), sqrt(409.0), 1e-15);
    assert_near(norm_of(&a, LINPRED__FORM_WITHOUT_INTERCEPT, true, 1e-14), 20.0, 1e-15);
    discard(&a);
}

/* ---- planted optima ---------------------------------------------------------------------------------------------- */

/* Turns (u_1, …, u_4) by the orthogonal matrix H/2 times 2, H a Hadamard matrix: exact for integers. */
static void turn(double *u)
{
    double a = u[0] + u[1], b = u[0] - u[1], c = u[2] + u[3], d = u[2] - u[3];
    u[0] = a + c;
    u[1] = b + d;
    u[2] = a - c;
    u[3] = b - d;
}

/* Support rows (ε, r_i) with Σ α_i r_i = 0, other rows (> ε, anything), turned: w is e_1/ε turned, so B = 1/2ε,
 * exactly. */
static void planted(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 3);
    for (int round = 0; round < 300; round++) {
        int32_t d = 4 * (1 + (int32_t)linpred__random_below(&random, 6));
        double epsilon = ldexp(1.0, -(int)linpred__random_below(&random, 24));
        int support = 2 + (int)linpred__random_below(&random, (uint64_t)d - 1);
        instance a = make(d);
        double last[24] = {0.0};
        int fillers = (int)linpred__random_below(&random, 60);
        for (int i = 0; i < support + fillers; i++) {
            double z[24];
            for (int j = 0; j < d; j++)
                z[j] = (double)linpred__random_below(&random, 21) - 10.0;
            double alpha = (double)linpred__random_below(&random, 9) + 1.0;
            z[0] = i < support ? epsilon : epsilon * (1.0 + (double)linpred__random_below(&random, 3));
            for (int j = 1; j < d && i < support; j++) {
                z[j] = i < support - 1 ? z[j] : -last[j];
                last[j] += alpha * z[j];
            }
            double label = linpred__random_below(&random, 2) ? 1.0 : -1.0;
            for (int j = 0; j < d; j += 4)
                turn(z + j);
            for (int j = 0; j < d; j++)
                z[j] *= label;
            put_row(&a, z, label);
        }
        assert_near(norm_of(&a, LINPRED__FORM_ORIGIN, round % 2, 1e-13), 0.5 / epsilon, 1e-13);
        discard(&a);
    }
}

/* ---- brute force over active sets, in integers ------------------------------------------------------------------- */

typedef long long integer;

static integer determinant(int n, integer m[4][4])
{
    if (n == 0)
        return 1;
    integer sum = 0;
    for (int k = 0; k < n; k++) {
        integer minor[4][4];
        for (int i = 1; i < n; i++)
            for (int j = 0, c = 0; j < n; j++)
                if (j != k)
                    minor[i - 1][c++] = m[i][j];
        sum += (k % 2 ? -1 : 1) * m[0][k] * determinant(n - 1, minor);
    }
    return sum;
}

typedef struct tiny {
    int rows, columns; /* columns of x */
    int x[8][3];
    int y[8];
} tiny;

static integer product(const tiny *t, int i, int j, bool intercept)
{
    integer sum = intercept ? 1 : 0;
    for (int k = 0; k < t->columns; k++)
        sum += t->x[i][k] * t->x[j][k];
    return sum * t->y[i] * t->y[j];
}

/* Whether the equations <w,z_i> = 1 on the rows of `set` give the optimum; then *square = B². By Cramer's rule: the
   multipliers are determinants over one determinant, so every comparison is one of integers. */
static bool optimal_set(const tiny *t, unsigned set, linpred__margin_form form, double *square)
{
    bool free_intercept = form == LINPRED__FORM_WITHOUT_INTERCEPT;
    bool intercept = form == LINPRED__FORM_HOMOGENEOUS;
    int member[8], n = 0;
    for (int i = 0; i < t->rows; i++)
        if (set >> i & 1)
            member[n++] = i;
    int size = n + free_intercept;
    if (size > 4 || (free_intercept && n > t->columns + 1) || (!free_intercept && n > t->columns + intercept))
        return false;
    integer m[4][4] = {{0}}, solution[4], right[4];
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            m[i][j] = i < n && j < n ? product(t, member[i], member[j], intercept)
                      : i < n        ? t->y[member[i]]
                      : j < n        ? t->y[member[j]]
                                     : 0;
    for (int i = 0; i < size; i++)
        right[i] = i < n;
    integer whole = determinant(size, m);
    if (whole == 0)
        return false;
    integer sign = whole > 0 ? 1 : -1, sum = 0;
    for (int k = 0; k < size; k++) {
        integer replaced[4][4];
        memcpy(replaced, m, sizeof m);
        for (int i = 0; i < size; i++)
            replaced[i][k] = right[i];
        solution[k] = sign * determinant(size, replaced);
        if (k < n && solution[k] < 0)
            return false;
        sum += k < n ? solution[k] : 0;
    }
    whole *= sign;
    for (int j = 0; j < t->rows; j++) {
        integer value = free_intercept ? t->y[j] * solution[n] : 0;
        for (int i = 0; i < n; i++)
            value += solution[i] * product(t, member[i], j, intercept);
        if (value < whole)
            return false;
    }
    *square = (double)sum / (double)whole;
    return true;
}

static bool brute_force(const tiny *t, linpred__margin_form form, double *square)
{
    for (unsigned set = 1; set < 1u << t->rows; set++)
        if (optimal_set(t, set, form, square))
            return true;
    return false;
}

static void tiny_instances(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    int separable = 0, inseparable = 0;
    for (int round = 0; round < 6000; round++) {
        linpred__margin_form form = (linpred__margin_form)(round % 3);
        tiny t = {.rows = 1 + (int)linpred__random_below(&random, 8)};
        t.columns = 1 + (int)linpred__random_below(&random, form == LINPRED__FORM_ORIGIN ? 3 : 2);
        uint64_t range = 2 + linpred__random_below(&random, 4);
        instance a = make(t.columns);
        for (int i = 0; i < t.rows; i++) {
            double x[3];
            for (int k = 0; k < t.columns; k++)
                x[k] = t.x[i][k] = (int)linpred__random_below(&random, 2 * range + 1) - (int)range;
            t.y[i] = round % 2 ? (x[0] > 0.0 ? 1 : -1) : (linpred__random_below(&random, 2) ? 1 : -1);
            if (i == 0)
                t.y[i] = 1;
            if (i == 1)
                t.y[i] = -1;
            put_row(&a, x, t.y[i]);
        }
        if (t.rows > 1 || form != LINPRED__FORM_WITHOUT_INTERCEPT) {
            double square;
            bool known = brute_force(&t, form, &square);
            linpred__least_distance *problem = open_with(&a, form, round % 2);
            linpred__distance_answer answer = solve(problem);
            assert_int_equal(answer.outcome, known ? LINPRED__DISTANCE_OPTIMAL : LINPRED__DISTANCE_INFEASIBLE);
            if (known) {
                assert_near(answer.norm, sqrt(square), 1e-14);
                assert_true(prove(&a, form, &answer).gap <= 1e-13);
                separable++;
            } else {
                check_ray(&a, form, &answer);
                inseparable++;
            }
            linpred__least_distance_close(problem);
        }
        discard(&a);
    }
    assert_true(separable > 1000 && inseparable > 1000);
}

/* ---- the factor of a proposal ------------------------------------------------------------------------------------ */

/* L of small integers with powers of two on the diagonal: L L' is exact, and so is every step back to L, on any number
   of threads. */
static void tiled_factors_are_exact(void **state)
{
    (void)state;
    static const int sizes[] = {1, 5, 127, 128, 129, 256, 300, 385};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int threads = 1; threads <= 3; threads++) {
            int n = sizes[s];
            double *l = calloc((size_t)n * (size_t)n, sizeof *l), *a = calloc((size_t)n * (size_t)n, sizeof *a);
            for (int j = 0; j < n; j++)
                for (int i = j; i < n; i++)
                    l[j * n + i] = i == j ? ldexp(1.0, i % 3) : (double)((7 * i + 5 * j + i * j) % 5 - 2);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) {
                    a[j * n + i] = i < j ? 1e300 : 0.0; /* the other triangle is not looked at */
                    for (int k = 0; i >= j && k <= j; k++)
                        a[j * n + i] += l[k * n + i] * l[k * n + j];
                }
            linpred__pool *pool;
            assert_int_equal(linpred__pool_open(threads, &pool, NULL), LINPRED_OK);
            linpred__blas_enter();
            assert_true(linpred__tiled_factor(pool, n, a));
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++)
                    assert_true(a[j * n + i] == (i < j ? 1e300 : l[j * n + i]));
            a[(int64_t)n * n - 1] = -1.0;
            assert_false(linpred__tiled_factor(pool, n, a));
            linpred__blas_leave();
            linpred__pool_close(pool);
            free(l);
            free(a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_vectors), cmocka_unit_test(shrinking_margin), cmocka_unit_test(two_points),
        cmocka_unit_test(planted),      cmocka_unit_test(tiny_instances),   cmocka_unit_test(tiled_factors_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
