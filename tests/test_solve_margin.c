/* The least-distance solver: known optima, brute force in integers, real data against 20-digit margins, and hard cases.
 *
 * Every answer is certified again here, outside the solver, with exact sums: the margin that w achieves, the bound that the
 * multipliers prove, the gap between them, and Σ α y = 0 where the form demands it. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "core/exact.h"
#include "core/random.h"
#include "linpred/linpred.h"
#include "solve/least_distance.h"

/* ---- instances ------------------------------------------------------------------------------------------------------ */

typedef struct instance {
    int64_t rows;
    int32_t columns;
    int64_t *start;
    int32_t *index;
    double *value;
    double *label;
    int64_t entries;
} instance;

static instance make(int32_t columns)
{
    instance a = {0, columns, calloc(1, sizeof(int64_t)), NULL, NULL, NULL, 0};
    return a;
}

static void put_entry(instance *a, int32_t column, double value)
{
    if ((a->entries & (a->entries - 1)) == 0) { /* room doubles at powers of two */
        size_t room = a->entries ? 2 * (size_t)a->entries : 1;
        a->index = realloc(a->index, room * sizeof *a->index);
        a->value = realloc(a->value, room * sizeof *a->value);
    }
    a->index[a->entries] = column;
    a->value[a->entries++] = value;
}

static void end_row(instance *a, double label)
{
    a->rows++;
    a->start = realloc(a->start, (size_t)(a->rows + 1) * sizeof *a->start);
    a->label = realloc(a->label, (size_t)a->rows * sizeof *a->label);
    a->start[a->rows] = a->entries;
    a->label[a->rows - 1] = label;
}

static void put_row(instance *a, const double *x, double label)
{
    for (int32_t j = 0; j < a->columns; j++)
        put_entry(a, j, x[j]);
    end_row(a, label);
}

static void discard(instance *a)
{
    free(a->start);
    free(a->index);
    free(a->value);
    free(a->label);
}

static double *dense(const instance *a)
{
    double *x = calloc((size_t)(a->rows * a->columns) + 1, sizeof *x);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
            x[i * a->columns + a->index[k]] = a->value[k];
    return x;
}

/* ---- certifying an answer from outside ------------------------------------------------------------------------------------ */

typedef struct proof {
    double margin;
    double bound;
    double gap;
} proof;

static double exact_norm(const double *v, int64_t n, double extra)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t j = 0; j < n; j++)
        linpred__exact_add(&sum, v[j], v[j]);
    linpred__exact_add(&sum, extra, extra);
    return sqrt(linpred__exact_value(&sum));
}

static double exact_margin(const instance *a, linpred__margin_form form, const linpred__distance_answer *answer)
{
    double smallest = INFINITY;
    for (int64_t i = 0; i < a->rows; i++) {
        linpred__exact sum;
        linpred__exact_clear(&sum);
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
            linpred__exact_add(&sum, answer->weights[a->index[k]], a->value[k]);
        linpred__exact_add(&sum, answer->intercept, 1.0);
        smallest = fmin(smallest, a->label[i] * linpred__exact_value(&sum));
    }
    double b = form == LINPRED__MARGIN_HOMOGENEOUS ? answer->intercept : 0.0;
    return smallest / exact_norm(answer->weights, a->columns, b);
}

/* ||Σ α z|| / Σ α; `intercept` tells whether Σ α y counts. */
static double exact_bound(const instance *a, bool intercept, const linpred__distance_answer *answer, int *balance)
{
    linpred__exact *sum = calloc((size_t)a->columns + 2, sizeof *sum);
    for (int64_t s = 0; s < answer->support; s++) {
        int64_t i = answer->rows[s];
        double part[2] = {answer->multipliers[s], answer->tails[s]};
        assert_true(part[0] > 0.0);
        assert_true(s == 0 || answer->rows[s - 1] < i);
        for (int h = 0; h < 2; h++) {
            for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
                linpred__exact_add(&sum[a->index[k]], a->label[i] * part[h], a->value[k]);
            linpred__exact_add(&sum[a->columns], a->label[i] * part[h], 1.0);
            linpred__exact_add(&sum[a->columns + 1], part[h], 1.0);
        }
    }
    double *v = calloc((size_t)a->columns + 1, sizeof *v);
    for (int32_t j = 0; j < a->columns; j++)
        v[j] = linpred__exact_value(&sum[j]);
    *balance = linpred__exact_sign(&sum[a->columns]);
    double extra = intercept ? linpred__exact_value(&sum[a->columns]) : 0.0;
    double bound = exact_norm(v, a->columns, extra) / linpred__exact_value(&sum[a->columns + 1]);
    free(v);
    free(sum);
    return bound;
}

/* What the answer proves; fails if the answer claims more than that. */
static proof prove(const instance *a, linpred__margin_form form, const linpred__distance_answer *answer)
{
    proof p;
    int balance;
    p.margin = exact_margin(a, form, answer);
    p.bound = exact_bound(a, form == LINPRED__MARGIN_HOMOGENEOUS, answer, &balance);
    p.gap = p.bound / p.margin - 1.0;
    if (form == LINPRED__MARGIN_FREE_INTERCEPT)
        assert_int_equal(balance, 0);
    assert_true(answer->margin <= p.margin * (1.0 + 0x1p-50));
    assert_true(answer->margin_bound >= p.bound * (1.0 - 0x1p-50));
    assert_true(answer->gap >= p.gap - 0x1p-50);
    assert_true(answer->gap <= p.gap + 1e-12);
    return p;
}

static linpred__least_distance *open_with(const instance *a, linpred__margin_form form, bool as_dense)
{
    linpred__least_distance *problem = NULL;
    assert_int_equal(linpred__least_distance_open(a->columns, form, &problem, NULL), LINPRED_OK);
    if (as_dense) {
        double *x = dense(a);
        assert_int_equal(linpred__least_distance_add_dense(problem, a->rows, x, a->columns, a->label, NULL), LINPRED_OK);
        free(x);
    } else {
        assert_int_equal(
            linpred__least_distance_add_sparse(problem, a->rows, a->start, a->index, a->value, a->label, NULL), LINPRED_OK);
    }
    return problem;
}

static linpred__distance_answer solve(linpred__least_distance *problem)
{
    linpred__distance_outcome outcome;
    linpred__distance_answer answer;
    assert_int_equal(linpred__least_distance_solve(problem, 0, &outcome, NULL), LINPRED_OK);
    assert_int_equal(linpred__least_distance_answer(problem, &answer, NULL), LINPRED_OK);
    assert_int_equal(answer.outcome, outcome);
    return answer;
}

/* Solves, certifies, and answers B. */
static double norm_of(const instance *a, linpred__margin_form form, bool as_dense, double gap)
{
    linpred__least_distance *problem = open_with(a, form, as_dense);
    linpred__distance_answer answer = solve(problem);
    assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
    proof p = prove(a, form, &answer);
    if (!(p.gap <= gap))
        print_message("gap %.3g where %.3g is due\n", p.gap, gap);
    assert_true(p.gap <= gap);
    double norm = answer.norm;
    linpred__least_distance_close(problem);
    return norm;
}

static void assert_near(double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * fabs(b)))
        print_message("%.17g is not %.17g within %.3g\n", a, b, relative);
    assert_true(fabs(a - b) <= relative * fabs(b));
}

/* ---- instances of the theory -------------------------------------------------------------------------------------------------- */

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
            assert_near(norm_of(&a, LINPRED__MARGIN_ORIGIN, as_dense, 1e-14), sqrt(m), 1e-15);
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
        linpred__least_distance *problem = open_with(&a, LINPRED__MARGIN_ORIGIN, d % 2);
        linpred__distance_answer answer = solve(problem);
        assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
        for (int32_t k = 0; k < d; k++)
            assert_true(answer.weights[k] == ldexp(1.0, k + 1) - 1.0);
        assert_near(answer.norm, sqrt(square), 1e-15);
        assert_true(prove(&a, LINPRED__MARGIN_ORIGIN, &answer).gap <= 1e-14);
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
    assert_near(norm_of(&a, LINPRED__MARGIN_HOMOGENEOUS, true, 1e-14), sqrt(409.0), 1e-15);
    assert_near(norm_of(&a, LINPRED__MARGIN_FREE_INTERCEPT, true, 1e-14), 20.0, 1e-15);
    discard(&a);
}

/* ---- planted optima ---------------------------------------------------------------------------------------------------------------- */

/* Turns (u_1, …, u_4) by the orthogonal matrix H/2 times 2, H a Hadamard matrix: exact for integers. */
static void turn(double *u)
{
    double a = u[0] + u[1], b = u[0] - u[1], c = u[2] + u[3], d = u[2] - u[3];
    u[0] = a + c;
    u[1] = b + d;
    u[2] = a - c;
    u[3] = b - d;
}

/* Support rows (ε, r_i) with Σ α_i r_i = 0, other rows (> ε, anything), turned: w is e_1/ε turned, so B = 1/2ε, exactly. */
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
        assert_near(norm_of(&a, LINPRED__MARGIN_ORIGIN, round % 2, 1e-13), 0.5 / epsilon, 1e-13);
        discard(&a);
    }
}

/* ---- brute force over active sets, in integers ------------------------------------------------------------------------------------------ */

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

/* Whether the equations <w,z_i> = 1 on the rows of `set` give the optimum; then *square = B². By Cramer's rule: the multipliers are
   determinants over one determinant, so every comparison is one of integers. */
static bool optimal_set(const tiny *t, unsigned set, linpred__margin_form form, double *square)
{
    bool free_intercept = form == LINPRED__MARGIN_FREE_INTERCEPT;
    bool intercept = form == LINPRED__MARGIN_HOMOGENEOUS;
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

static void check_ray(const instance *a, linpred__margin_form form, linpred__distance_answer *answer)
{
    int balance;
    assert_true(answer->support > 0);
    double epsilon = exact_bound(a, form != LINPRED__MARGIN_ORIGIN, answer, &balance);
    assert_true(epsilon <= 1e-20);
    assert_true(answer->margin_bound >= epsilon && answer->margin_bound <= 1e-20);
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
        t.columns = 1 + (int)linpred__random_below(&random, form == LINPRED__MARGIN_ORIGIN ? 3 : 2);
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
        if (t.rows > 1 || form != LINPRED__MARGIN_FREE_INTERCEPT) {
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

/* ---- real data ------------------------------------------------------------------------------------------------------------------------------- */

static FILE *open_data(const char *name)
{
    char path[1024];
    const char *folder = getenv("LINPRED_DATA");
    if (folder)
        snprintf(path, sizeof path, "%s/classify/%s", folder, name);
    else
        snprintf(path, sizeof path, "%.*s/../../shared/data/classify/%s", (int)(strrchr(__FILE__, '/') - __FILE__), __FILE__,
                 name);
    return fopen(path, "r");
}

/* CSV with a header and the label first, or LIBSVM with 1-based indices. */
static bool read_data(const char *name, instance *a)
{
    FILE *file = open_data(name);
    if (!file) {
        print_message("skipped: no %s\n", name);
        return false;
    }
    bool csv = strstr(name, ".csv") != NULL;
    size_t room = 1 << 20;
    char *line = malloc(room);
    *a = make(0);
    if (csv)
        assert_non_null(fgets(line, (int)room, file));
    while (fgets(line, (int)room, file)) {
        char *at = line;
        double label = strtod(at, &at) > 0.0 ? 1.0 : -1.0;
        for (int32_t column = 1;; column++) {
            at += csv ? *at == ',' : strspn(at, " ");
            if (*at == '\n' || *at == '\r' || *at == '\0')
                break;
            if (!csv) {
                column = (int32_t)strtol(at, &at, 10);
                at++;
            }
            put_entry(a, column - 1, strtod(at, &at));
            a->columns = column > a->columns ? column : a->columns;
        }
        end_row(a, label);
    }
    free(line);
    fclose(file);
    return true;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The largest margins (homogeneous form) to 20 digits, from exact KKT conditions. NaN: not known. */
static const struct {
    const char *name;
    double margin;
    bool as_dense;
} known[] = {
    {"iris_setosa.csv", 0.74911733208202782066, true},
    {"wdbc.csv", 0.000041370730108715206066, true},
    {"sonar.csv", 0.0010793133869392700385, true},
    {"agaricus.train", 0.27475483781208570631, false},
    {"mnist_3v8", 54.896164668914177871, true},
    {"mnist_3v8", 54.896164668914177871, false},
    {"rcv1_small", NAN, false},
};

static void real_data(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        instance a;
        if (!read_data(known[k].name, &a))
            continue;
        for (int f = LINPRED__MARGIN_HOMOGENEOUS; f <= LINPRED__MARGIN_FREE_INTERCEPT; f++) {
            linpred__margin_form form = (linpred__margin_form)f;
            double before = now();
            linpred__least_distance *problem = open_with(&a, form, known[k].as_dense);
            linpred__distance_answer answer = solve(problem);
            double seconds = now() - before;
            assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
            proof p = prove(&a, form, &answer);
            print_message("%-15s %s %-14s margin %.15g, gap %.1e, %lld support rows, %lld steps, %.1f ms\n", known[k].name,
                          known[k].as_dense ? "dense " : "sparse", f == LINPRED__MARGIN_HOMOGENEOUS ? "homogeneous" : "free intercept",
                          p.margin, p.gap, (long long)answer.support, (long long)answer.steps, 1e3 * seconds);
            assert_true(p.gap <= 1e-10);
            if (f == LINPRED__MARGIN_HOMOGENEOUS && isfinite(known[k].margin)) {
                assert_near(p.bound, known[k].margin, 1e-12); /* the decimals are rounded to doubles first */
                assert_near(1.0 / answer.norm, known[k].margin, 1e-12);
            }
            linpred__least_distance_close(problem);
        }
        discard(&a);
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_vectors),   cmocka_unit_test(shrinking_margin), cmocka_unit_test(two_points),
        cmocka_unit_test(planted),        cmocka_unit_test(tiny_instances),   cmocka_unit_test(real_data),
    };
    (void)argc;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
