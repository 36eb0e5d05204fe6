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


/* Data that no halfspace separates: a combination close to zero comes back, soon. */
static void inseparable_data(void **state)
{
    (void)state;
    const char *name[] = {"iris_versicolor.csv", "breast_w.csv", "pima.csv",   "bupa.csv",    "haberman.csv", "ionosphere.csv",
                          "banknote.csv",        "heart_scale",  "a1a"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        instance a;
        if (!read_data(name[k], &a))
            continue;
        for (int f = LINPRED__MARGIN_HOMOGENEOUS; f <= LINPRED__MARGIN_FREE_INTERCEPT; f++) {
            double before = now();
            linpred__least_distance *problem = open_with(&a, (linpred__margin_form)f, f == LINPRED__MARGIN_HOMOGENEOUS);
            linpred__distance_answer answer = solve(problem);
            double seconds = now() - before;
            int balance;
            double epsilon = exact_bound(&a, true, &answer, &balance);
            print_message("%-20s outcome %d, ray of %lld rows, epsilon %.1e, %lld steps, %.1f ms\n", name[k], (int)answer.outcome,
                          (long long)answer.support, epsilon, (long long)answer.steps, 1e3 * seconds);
            assert_int_equal(answer.outcome, LINPRED__DISTANCE_INFEASIBLE);
            assert_true(answer.support <= a.columns + 2);
            assert_true(epsilon <= 1e-18);
            assert_true(answer.margin_bound >= epsilon);
            linpred__least_distance_close(problem);
        }
        discard(&a);
    }
}

/* ---- made-up data ----------------------------------------------------------------------------------------------------------------------------- */

/* Normal rows, labelled by a hidden halfspace, none nearer to it than `margin`. */
static instance separable(linpred__random *random, int64_t rows, int32_t columns, double margin)
{
    instance a = make(columns);
    double *truth = malloc((size_t)columns * sizeof *truth), *x = malloc((size_t)columns * sizeof *x);
    double length = 0.0;
    for (int32_t j = 0; j < columns; j++) {
        truth[j] = linpred__random_normal(random);
        length += truth[j] * truth[j];
    }
    while (a.rows < rows) {
        double score = 0.3 * sqrt(length);
        for (int32_t j = 0; j < columns; j++) {
            x[j] = linpred__random_normal(random);
            score += truth[j] * x[j];
        }
        if (fabs(score) >= margin * sqrt(length))
            put_row(&a, x, score > 0.0 ? 1.0 : -1.0);
    }
    free(truth);
    free(x);
    return a;
}

static void random_data(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 17);
    const int size[][2] = {{50, 2}, {500, 20}, {500, 50}, {2000, 50}, {300, 300}, {100, 1000}};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        for (int f = 0; f <= LINPRED__MARGIN_FREE_INTERCEPT; f++) {
            instance a = separable(&random, size[k][0], size[k][1], 1e-3);
            linpred__margin_form form = (linpred__margin_form)f;
            double before = now();
            linpred__least_distance *problem = open_with(&a, form, true);
            linpred__distance_answer answer = solve(problem);
            double seconds = now() - before;
            if (answer.outcome == LINPRED__DISTANCE_INFEASIBLE) { /* through the origin the hidden halfspace does not count */
                assert_int_equal(form, LINPRED__MARGIN_ORIGIN);
                check_ray(&a, form, &answer);
            } else {
                assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
                proof p = prove(&a, form, &answer);
                print_message("%d x %d, form %d: margin %.6g, gap %.1e, %lld support rows, %lld steps, %.2f ms\n", size[k][0],
                              size[k][1], f, p.margin, p.gap, (long long)answer.support, (long long)answer.steps, 1e3 * seconds);
                assert_true(p.gap <= 1e-11);
            }
            linpred__least_distance_close(problem);
            discard(&a);
        }
}

/* Rows added a few at a time give the answer of all rows at once; the norm never falls. Every other batch is sparse. */
static void constraint_generation(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 23);
    for (int f = LINPRED__MARGIN_HOMOGENEOUS; f <= LINPRED__MARGIN_FREE_INTERCEPT; f++) {
        linpred__margin_form form = (linpred__margin_form)f;
        instance a = separable(&random, 3000, 15, 1e-2);
        double *x = dense(&a);
        double whole = norm_of(&a, form, true, 1e-12), before = 0.0;
        linpred__least_distance *problem = NULL;
        assert_int_equal(linpred__least_distance_open(a.columns, form, &problem, NULL), LINPRED_OK);
        linpred__distance_answer answer = solve(problem);
        assert_true(answer.norm == 0.0 && answer.support == 0);
        int64_t numbers[3000], taken = 0;
        int rounds = 0;
        for (;; rounds++) {
            int64_t fresh = 0;
            for (int64_t i = 0; i < a.rows && fresh < 10; i++) {
                double value = answer.intercept;
                for (int32_t j = 0; j < a.columns; j++)
                    value += answer.weights[j] * x[i * a.columns + j];
                if (a.label[i] * value >= 1.0 - 1e-10)
                    continue;
                numbers[taken++] = i;
                if (fresh++ % 2)
                    linpred__least_distance_add_dense(problem, 1, x + i * a.columns, a.columns, a.label + i, NULL);
                else
                    linpred__least_distance_add_sparse(problem, 1, a.start + i, a.index, a.value, a.label + i, NULL);
            }
            if (fresh == 0)
                break;
            answer = solve(problem);
            assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
            assert_true(answer.norm >= before * (1.0 - 1e-14));
            before = answer.norm;
        }
        assert_near(answer.norm, whole, 1e-9);
        assert_true(rounds > 2 && taken < a.rows);
        for (int64_t s = 0; s < answer.support; s++)
            assert_true(answer.rows[s] < taken && numbers[answer.rows[s]] < a.rows);
        linpred__least_distance_close(problem);
        free(x);
        discard(&a);
    }
}

/* A solve in slices of one step ends where the whole solve ends, bit for bit. */
static void in_slices(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 29);
    instance a = separable(&random, 200, 10, 1e-2);
    linpred__least_distance *whole = open_with(&a, LINPRED__MARGIN_HOMOGENEOUS, true);
    linpred__least_distance *sliced = open_with(&a, LINPRED__MARGIN_HOMOGENEOUS, true);
    linpred__distance_answer expected = solve(whole);
    linpred__distance_outcome outcome = LINPRED__DISTANCE_LIMIT;
    int slices = 0;
    for (; outcome == LINPRED__DISTANCE_LIMIT; slices++)
        assert_int_equal(linpred__least_distance_solve(sliced, 1, &outcome, NULL), LINPRED_OK);
    linpred__distance_answer answer = solve(sliced);
    assert_true(slices > 5);
    assert_int_equal(outcome, LINPRED__DISTANCE_OPTIMAL);
    assert_int_equal(answer.support, expected.support);
    assert_memory_equal(answer.weights, expected.weights, (size_t)a.columns * sizeof(double));
    assert_memory_equal(answer.multipliers, expected.multipliers, (size_t)answer.support * sizeof(double));
    linpred__least_distance_close(whole);
    linpred__least_distance_close(sliced);
    discard(&a);
}

/* ---- hard cases --------------------------------------------------------------------------------------------------------------------------------- */

static void copies_and_dependent_rows(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 31);
    instance a = separable(&random, 30, 4, 1e-2), many = make(6);
    for (int copy = 0; copy < 10000; copy++) { /* two columns depend on the others, one is constant */
        int64_t i = copy % a.rows;
        const double *x = a.value + a.start[i];
        put_row(&many, (double[]){x[0], x[1], x[2], x[3], 2.0 * x[1], 1.0}, a.label[i]);
    }
    for (int64_t i = 30; i < 40; i++) /* and one row ten thousand times over in effect */
        put_row(&many, many.value, many.label[0]);
    for (int f = 0; f <= LINPRED__MARGIN_FREE_INTERCEPT; f++)
        norm_of(&many, (linpred__margin_form)f, true, 1e-13);
    discard(&a);
    discard(&many);
}

/* Rows on a grid: ties everywhere, many rows in any support face. */
static void grids(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 37);
    for (int round = 0; round < 600; round++) {
        int32_t d = 1 + (int32_t)linpred__random_below(&random, 9);
        linpred__margin_form form = (linpred__margin_form)(round % 3);
        instance a = make(d);
        int64_t rows = 2 + (int64_t)linpred__random_below(&random, 80);
        double offset = round % 2 ? 0.5 : 0.0;
        for (int64_t i = 0; i < rows; i++) {
            double x[9], score = offset;
            for (int32_t j = 0; j < d; j++) {
                x[j] = (double)linpred__random_below(&random, 5) - 2.0;
                score += (j % 2 ? 1.0 : -1.0) * x[j];
            }
            bool flip = round % 5 == 0 && i == 0;
            put_row(&a, x, (score > 0.0) != flip ? 1.0 : -1.0);
        }
        linpred__least_distance *problem = open_with(&a, form, true);
        linpred__distance_answer answer = solve(problem);
        if (answer.outcome == LINPRED__DISTANCE_INFEASIBLE) {
            check_ray(&a, form, &answer);
        } else {
            assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
            if (answer.norm > 0.0)
                assert_true(prove(&a, form, &answer).gap <= 1e-13);
        }
        linpred__least_distance_close(problem);
        discard(&a);
    }
}

static void rescale(instance *a, const double *factor)
{
    for (int64_t k = 0; k < a->entries; k++)
        a->value[k] *= factor[a->index[k]];
}

/* Columns in units that differ by 1e20: the bound then needs multipliers of more than 53 bits. */
static void uneven_units(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 41);
    for (int spread = 2; spread <= 10; spread++)
        for (int f = 0; f <= LINPRED__MARGIN_FREE_INTERCEPT; f++) {
            instance a = separable(&random, 200, 6, 1e-2);
            double large = pow(10.0, spread), small = pow(10.0, -spread);
            rescale(&a, (double[]){large, 1.0, small, 1.0, large, small});
            linpred__least_distance *problem = open_with(&a, (linpred__margin_form)f, true);
            linpred__distance_answer answer = solve(problem);
            if (answer.outcome == LINPRED__DISTANCE_INFEASIBLE) {
                assert_int_equal(f, LINPRED__MARGIN_ORIGIN);
            } else {
                int tails = 0;
                for (int64_t s = 0; s < answer.support; s++)
                    tails += answer.tails[s] != 0.0;
                proof p = prove(&a, (linpred__margin_form)f, &answer);
                print_message("units 1e%d apart, form %d: outcome %d margin %.3g, gap %.1e, support %d, with tails %d, steps %d\n", 2 * spread, f, answer.outcome, p.margin,
                              p.gap, (int)answer.support, tails, (int)answer.steps);
                assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
                assert_true(p.gap <= 1e-11);
            }
            linpred__least_distance_close(problem);
            discard(&a);
        }
}

/* One power of two for all x changes nothing but the units; far-off ones neither over- nor underflow. */
static void scaling_laws(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 43);
    const int power[] = {-1000, -498, -60, -1, 1, 60, 498, 1000};
    instance a = separable(&random, 100, 5, 1e-2);
    instance through = make(5); /* separable through the origin */
    for (int64_t i = 0; i < a.rows; i++) {
        double x[5];
        memcpy(x, a.value + a.start[i], sizeof x);
        x[0] = a.label[i] * (0.5 + fabs(x[0]));
        put_row(&through, x, a.label[i]);
    }
    double usual = norm_of(&a, LINPRED__MARGIN_FREE_INTERCEPT, true, 1e-12);
    double origin = norm_of(&through, LINPRED__MARGIN_ORIGIN, true, 1e-12);
    double homogeneous = norm_of(&through, LINPRED__MARGIN_HOMOGENEOUS, true, 1e-12);
    assert_true(homogeneous < origin);
    for (size_t k = 0; k < sizeof power / sizeof *power; k++) {
        double factor = ldexp(1.0, power[k]);
        instance *both[] = {&a, &through};
        for (int which = 0; which < 2; which++)
            rescale(both[which], (double[]){factor, factor, factor, factor, factor});
        linpred__least_distance *problem = open_with(&a, LINPRED__MARGIN_FREE_INTERCEPT, false);
        assert_near(solve(problem).norm, ldexp(usual, -power[k]), 1e-15);
        linpred__least_distance_close(problem);
        problem = open_with(&through, LINPRED__MARGIN_ORIGIN, true);
        assert_near(solve(problem).norm, ldexp(origin, -power[k]), 1e-15);
        linpred__least_distance_close(problem);
        /* With the intercept in the norm, a large unit of x makes it worthless, a small one makes it free. */
        problem = open_with(power[k] > 0 ? &through : &a, LINPRED__MARGIN_HOMOGENEOUS, true);
        linpred__distance_answer answer = solve(problem);
        print_message("x times 2^%d: norm %.6g, gap %.1e\n", power[k], answer.norm, answer.gap);
        assert_true(answer.gap <= 1e-11);
        if (power[k] >= 60)
            assert_near(answer.norm, ldexp(origin, -power[k]), 1e-12);
        if (power[k] <= -60)
            assert_near(answer.norm, ldexp(usual, -power[k]), 1e-12);
        linpred__least_distance_close(problem);
        for (int which = 0; which < 2; which++)
            rescale(both[which], (double[]){1 / factor, 1 / factor, 1 / factor, 1 / factor, 1 / factor});
    }
    discard(&a);
    discard(&through);
}

/* Later rows far larger than the first: the units change on the way. */
static void growing_rows(void **state)
{
    (void)state;
    double x[3] = {0.0, 0x1p-200, 0x1p100}, y[3] = {1.0, 1.0, 1.0};
    for (int f = 0; f <= LINPRED__MARGIN_HOMOGENEOUS; f++) {
        linpred__least_distance *problem = NULL;
        assert_int_equal(linpred__least_distance_open(1, (linpred__margin_form)f, &problem, NULL), LINPRED_OK);
        for (int i = f == LINPRED__MARGIN_ORIGIN ? 1 : 0; i < 3; i++) {
            assert_int_equal(linpred__least_distance_add_dense(problem, 1, x + i, 1, y + i, NULL), LINPRED_OK);
            linpred__distance_answer answer = solve(problem);
            assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
            assert_near(answer.norm, f == LINPRED__MARGIN_ORIGIN ? 0x1p200 : 1.0, 1e-15);
            assert_true(answer.gap <= 1e-13);
        }
        linpred__least_distance_close(problem);
    }
}

/* Classes that touch, the same point with both labels, classes one unit in the last place apart. */
static void touching_classes(void **state)
{
    (void)state;
    for (int f = LINPRED__MARGIN_HOMOGENEOUS; f <= LINPRED__MARGIN_FREE_INTERCEPT; f++) {
        linpred__margin_form form = (linpred__margin_form)f;
        instance a = make(2); /* (0.1,0.1) lies between two rows of the other class */
        put_row(&a, (double[]){0.1, 0.1}, 1.0);
        put_row(&a, (double[]){0.0, 0.1}, -1.0);
        put_row(&a, (double[]){0.2, 0.1}, -1.0);
        put_row(&a, (double[]){5.0, 7.0}, 1.0);
        linpred__least_distance *problem = open_with(&a, form, true);
        linpred__distance_answer answer = solve(problem);
        assert_int_equal(answer.outcome, LINPRED__DISTANCE_INFEASIBLE);
        assert_int_equal(answer.support, 3);
        check_ray(&a, form, &answer);
        linpred__least_distance_close(problem);
        discard(&a);

        instance same = make(1);
        put_row(&same, (double[]){0.3}, 1.0);
        put_row(&same, (double[]){0.7}, 1.0);
        put_row(&same, (double[]){0.3}, -1.0);
        problem = open_with(&same, form, true);
        answer = solve(problem);
        assert_int_equal(answer.outcome, LINPRED__DISTANCE_INFEASIBLE);
        assert_int_equal(answer.support, 2);
        assert_int_equal(answer.rows[0], 0);
        assert_int_equal(answer.rows[1], 2);
        linpred__least_distance_close(problem);
        discard(&same);

        instance ulp = make(1);
        put_row(&ulp, (double[]){1.0}, -1.0);
        put_row(&ulp, (double[]){1.0 + 0x1p-52}, 1.0);
        put_row(&ulp, (double[]){0.5}, -1.0);
        problem = open_with(&ulp, form, true);
        answer = solve(problem);
        print_message("one ulp apart: outcome %d, norm %.17g, margin %.3g, bound %.3g, gap %.3g\n", (int)answer.outcome, answer.norm,
                      answer.margin, answer.margin_bound, answer.gap);
        assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
        assert_near(answer.norm, form == LINPRED__MARGIN_FREE_INTERCEPT ? 0x1p53 : 0x1p53 * sqrt(2.0), 1e-15);
        linpred__least_distance_close(problem);
        discard(&ulp);
    }
}

static void one_class(void **state)
{
    (void)state;
    instance a = make(2);
    put_row(&a, (double[]){1.0, 2.0}, -1.0);
    put_row(&a, (double[]){3.0, 0.0}, -1.0);
    linpred__least_distance *problem = open_with(&a, LINPRED__MARGIN_FREE_INTERCEPT, true);
    linpred__distance_answer answer = solve(problem);
    assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
    assert_true(answer.norm == 0.0 && isinf(answer.margin) && answer.gap == 0.0 && answer.intercept == -1.0);
    assert_int_equal(linpred__least_distance_add_dense(problem, 1, (double[]){2.0, 5.0}, 2, (double[]){1.0}, NULL), LINPRED_OK);
    put_row(&a, (double[]){2.0, 5.0}, 1.0);
    answer = solve(problem);
    assert_true(prove(&a, LINPRED__MARGIN_FREE_INTERCEPT, &answer).gap <= 1e-14);
    linpred__least_distance_close(problem);
    discard(&a);

    instance zero = make(1); /* through the origin, x = 0 cannot be right */
    put_row(&zero, (double[]){1.0}, 1.0);
    put_row(&zero, (double[]){0.0}, 1.0);
    problem = open_with(&zero, LINPRED__MARGIN_ORIGIN, true);
    answer = solve(problem);
    assert_int_equal(answer.outcome, LINPRED__DISTANCE_INFEASIBLE);
    assert_int_equal(answer.support, 1);
    assert_int_equal(answer.rows[0], 1);
    linpred__least_distance_close(problem);
    discard(&zero);
}

/* ---- memory that runs out --------------------------------------------------------------------------------------------------------------------------- */

static int allocations_left;

static void *failing_reallocate(void *context, void *memory, size_t bytes)
{
    (void)context;
    return allocations_left-- > 0 ? realloc(memory, bytes) : NULL;
}

static void plain_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void out_of_memory(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 47);
    instance a = separable(&random, 120, 40, 1e-2);
    double expected = norm_of(&a, LINPRED__MARGIN_HOMOGENEOUS, false, 1e-12);
    const linpred_allocator failing = {failing_reallocate, plain_release, NULL};
    linpred_set_allocator(&failing);
    bool done = false;
    for (int k = 0; !done; k++) {
        assert_true(k < 1000);
        allocations_left = k;
        linpred__least_distance *problem = NULL;
        linpred__distance_outcome outcome;
        linpred_status status = linpred__least_distance_open(a.columns, LINPRED__MARGIN_HOMOGENEOUS, &problem, NULL);
        if (status == LINPRED_OK)
            status = linpred__least_distance_add_sparse(problem, a.rows, a.start, a.index, a.value, a.label, NULL);
        if (status == LINPRED_OK) {
            status = linpred__least_distance_solve(problem, 0, &outcome, NULL);
            done = status == LINPRED_OK;
            allocations_left = 1000; /* and the solve that failed can be made again */
            assert_near(solve(problem).norm, expected, 1e-14);
        }
        assert_true(done || status == LINPRED_ERROR_MEMORY);
        linpred__least_distance_close(problem);
    }
    linpred_set_allocator(NULL);
    discard(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_vectors),
        cmocka_unit_test(shrinking_margin),
        cmocka_unit_test(two_points),
        cmocka_unit_test(planted),
        cmocka_unit_test(tiny_instances),
        cmocka_unit_test(real_data),
        cmocka_unit_test(inseparable_data),
        cmocka_unit_test(random_data),
        cmocka_unit_test(constraint_generation),
        cmocka_unit_test(in_slices),
        cmocka_unit_test(copies_and_dependent_rows),
        cmocka_unit_test(grids),
        cmocka_unit_test(uneven_units),
        cmocka_unit_test(scaling_laws),
        cmocka_unit_test(growing_rows),
        cmocka_unit_test(touching_classes),
        cmocka_unit_test(one_class),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
