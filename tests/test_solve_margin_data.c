/* The least-distance solver on data: real sets against 20-digit margins, random ones, rows that come a few at a time.
 */
#include "margin_instance.h"
#include "reference_data.h"

/* ---- real data --------------------------------------------------------------------------------------------------- */

static FILE *open_data(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/classify/%s", reference_data(), name);
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
    size_t capacity = 1 << 20;
    char *line = malloc(capacity);
    *a = make(0);
    if (csv)
        assert_non_null(fgets(line, (int)capacity, file));
    while (fgets(line, (int)capacity, file)) {
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
        for (int f = LINPRED__FORM_HOMOGENEOUS; f <= LINPRED__FORM_WITHOUT_INTERCEPT; f++) {
            linpred__margin_form form = (linpred__margin_form)f;
            double before = now();
            linpred__least_distance *problem = open_with(&a, form, known[k].as_dense);
            linpred__distance_answer answer = solve(problem);
            double seconds = now() - before;
            assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
            proof p = prove(&a, form, &answer);
            print_message("%-15s %s %-14s margin %.15g, gap %.1e, %lld support rows, %lld steps, %.1f ms\n",
                          known[k].name, known[k].as_dense ? "dense " : "sparse",
                          f == LINPRED__FORM_HOMOGENEOUS ? "homogeneous" : "free intercept", p.margin, p.gap,
                          (long long)answer.support, (long long)answer.steps, 1e3 * seconds);
            assert_true(p.gap <= 1e-10);
            if (f == LINPRED__FORM_HOMOGENEOUS && isfinite(known[k].margin)) {
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
    const char *name[] = {"iris_versicolor.csv", "breast_w.csv", "pima.csv",    "bupa.csv", "haberman.csv",
                          "ionosphere.csv",      "banknote.csv", "heart_scale", "a1a"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        instance a;
        if (!read_data(name[k], &a))
            continue;
        for (int f = LINPRED__FORM_HOMOGENEOUS; f <= LINPRED__FORM_WITHOUT_INTERCEPT; f++) {
            double before = now();
            linpred__least_distance *problem = open_with(&a, (linpred__margin_form)f, f == LINPRED__FORM_HOMOGENEOUS);
            linpred__distance_answer answer = solve(problem);
            double seconds = now() - before;
            int balance;
            double epsilon = exact_bound(&a, true, &answer, &balance);
            print_message("%-20s outcome %d, ray of %lld rows, epsilon %.1e, %lld steps, %.1f ms\n", name[k],
                          (int)answer.outcome, (long long)answer.support, epsilon, (long long)answer.steps,
                          1e3 * seconds);
            assert_int_equal(answer.outcome, LINPRED__DISTANCE_INFEASIBLE);
            assert_true(answer.support <= a.columns + 2);
            assert_true(epsilon <= 1e-18);
            assert_true(answer.margin_bound >= epsilon);
            linpred__least_distance_close(problem);
        }
        discard(&a);
    }
}

/* ---- made-up data
 * -----------------------------------------------------------------------------------------------------------------------------
 */

static void random_data(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 17);
    const int size[][2] = {{50, 2}, {500, 20}, {500, 50}, {2000, 50}, {300, 300}, {100, 1000}};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        for (int f = 0; f <= LINPRED__FORM_WITHOUT_INTERCEPT; f++) {
            instance a = separable(&random, size[k][0], size[k][1], 1e-3);
            linpred__margin_form form = (linpred__margin_form)f;
            double before = now();
            linpred__least_distance *problem = open_with(&a, form, true);
            linpred__distance_answer answer = solve(problem);
            double seconds = now() - before;
            if (answer.outcome ==
                LINPRED__DISTANCE_INFEASIBLE) { /* through the origin the hidden halfspace does not count */
                assert_int_equal(form, LINPRED__FORM_ORIGIN);
                check_ray(&a, form, &answer);
            } else {
                assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
                proof p = prove(&a, form, &answer);
                print_message("%d x %d, form %d: margin %.6g, gap %.1e, %lld support rows, %lld steps, %.2f ms\n",
                              size[k][0], size[k][1], f, p.margin, p.gap, (long long)answer.support,
                              (long long)answer.steps, 1e3 * seconds);
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
    for (int f = LINPRED__FORM_HOMOGENEOUS; f <= LINPRED__FORM_WITHOUT_INTERCEPT; f++) {
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
    linpred__least_distance *whole = open_with(&a, LINPRED__FORM_HOMOGENEOUS, true);
    linpred__least_distance *sliced = open_with(&a, LINPRED__FORM_HOMOGENEOUS, true);
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

/* A proposed active set leads to the answer that the rows reach one by one, with far fewer steps after it: dense and
   sparse, more columns than rows and more rows than columns, in each form and after a change of form. */
static void proposed(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 31);
    const int size[][2] = {{200, 300}, {300, 200}, {600, 60}};
    linpred__run run = {.max_seconds = INFINITY};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        instance a = separable(&random, size[k][0], size[k][1], 1e-3);
        double norm[3] = {0.0, norm_of(&a, LINPRED__FORM_HOMOGENEOUS, true, 1e-11),
                          norm_of(&a, LINPRED__FORM_WITHOUT_INTERCEPT, true, 1e-11)};
        for (int f = LINPRED__FORM_HOMOGENEOUS; f <= LINPRED__FORM_WITHOUT_INTERCEPT; f++)
            for (int as_dense = 0; as_dense < 2; as_dense++) {
                linpred__margin_form other = (linpred__margin_form)(3 - f);
                linpred__least_distance *problem = open_with(&a, (linpred__margin_form)f, as_dense);
                assert_int_equal(linpred__least_distance_propose(problem, &run, NULL), LINPRED_OK);
                int64_t proposed_steps = linpred__least_distance_answer(problem).steps;
                assert_true(proposed_steps > 20);
                linpred__distance_answer answer = solve(problem);
                assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
                assert_true(answer.steps <= proposed_steps + 5);
                assert_near(answer.norm, norm[f], 1e-11);
                assert_true(prove(&a, (linpred__margin_form)f, &answer).gap <= 1e-11);
                linpred__least_distance_change_form(problem, other);
                assert_int_equal(linpred__least_distance_propose(problem, &run, NULL), LINPRED_OK);
                answer = solve(problem);
                assert_near(answer.norm, norm[other], 1e-11);
                assert_true(prove(&a, other, &answer).gap <= 1e-11);
                linpred__least_distance_close(problem);
            }
        discard(&a);
    }
}

/* Rows that nothing separates: the proposal fails, changes nothing, and the solve still ends with the contradiction. A
   run that must stop proposes nothing. */
static void no_proposal(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 37);
    instance a = separable(&random, 300, 60, 1e-3);
    linpred__run run = {.max_seconds = INFINITY}, stopped = {.stopped = LINPRED__STOPPED_BY_CALLER};
    linpred__least_distance *problem = open_with(&a, LINPRED__FORM_HOMOGENEOUS, true);
    assert_int_equal(linpred__least_distance_propose(problem, &stopped, NULL), LINPRED_OK);
    assert_int_equal(linpred__least_distance_answer(problem).steps, 0);
    linpred__least_distance_close(problem);
    for (int64_t i = 0; i < a.rows; i += 2)
        a.label[i] = linpred__random_below(&random, 2) ? 1.0 : -1.0;
    problem = open_with(&a, LINPRED__FORM_HOMOGENEOUS, true);
    assert_int_equal(linpred__least_distance_propose(problem, &run, NULL), LINPRED_OK);
    linpred__distance_answer answer = solve(problem);
    assert_int_equal(answer.outcome, LINPRED__DISTANCE_INFEASIBLE);
    check_ray(&a, LINPRED__FORM_HOMOGENEOUS, &answer);
    linpred__least_distance_close(problem);
    discard(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proposed),         cmocka_unit_test(no_proposal), cmocka_unit_test(real_data),
        cmocka_unit_test(inseparable_data), cmocka_unit_test(random_data), cmocka_unit_test(constraint_generation),
        cmocka_unit_test(in_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
