/* The least-distance solver on hard cases: copies and ties, units far apart, classes that touch, memory that runs out.
 */
#include "margin_instance.h"

/* ---- hard cases -------------------------------------------------------------------------------------------------- */

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
    for (int f = 0; f <= LINPRED__FORM_WITHOUT_INTERCEPT; f++)
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

/* Columns in units that differ: from 1e10 on the bound needs multipliers of more than 53 bits. Beyond 1e14
   double-doubles may not suffice, and the answer must say so. */
static void uneven_units(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 41);
    for (int spread = 2; spread <= 10; spread++)
        for (int f = 0; f <= LINPRED__FORM_WITHOUT_INTERCEPT; f++) {
            instance a = separable(&random, 200, 6, 1e-2);
            double large = pow(10.0, spread), small = pow(10.0, -spread);
            rescale(&a, (double[]){large, 1.0, small, 1.0, large, small});
            linpred__least_distance *problem = open_with(&a, (linpred__margin_form)f, true);
            linpred__distance_answer answer = solve(problem);
            if (answer.outcome == LINPRED__DISTANCE_INFEASIBLE) {
                assert_int_equal(f, LINPRED__FORM_ORIGIN);
            } else {
                proof p = prove(&a, (linpred__margin_form)f, &answer);
                print_message("units 1e%d apart: outcome %d, margin %.3g, gap %.1e\n", 2 * spread, (int)answer.outcome,
                              p.margin, answer.gap);
                if (spread <= 7)
                    assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
                assert_true(answer.gap <= 1e-11 || (spread > 7 && answer.outcome == LINPRED__DISTANCE_STALLED));
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
    double usual = norm_of(&a, LINPRED__FORM_WITHOUT_INTERCEPT, true, 1e-12);
    double origin = norm_of(&through, LINPRED__FORM_ORIGIN, true, 1e-12);
    double homogeneous = norm_of(&through, LINPRED__FORM_HOMOGENEOUS, true, 1e-12);
    assert_true(homogeneous < origin);
    for (size_t k = 0; k < sizeof power / sizeof *power; k++) {
        double factor = ldexp(1.0, power[k]);
        instance *both[] = {&a, &through};
        for (int which = 0; which < 2; which++)
            rescale(both[which], (double[]){factor, factor, factor, factor, factor});
        linpred__least_distance *problem = open_with(&a, LINPRED__FORM_WITHOUT_INTERCEPT, false);
        assert_near(solve(problem).norm, ldexp(usual, -power[k]), 1e-15);
        linpred__least_distance_close(problem);
        problem = open_with(&through, LINPRED__FORM_ORIGIN, true);
        assert_near(solve(problem).norm, ldexp(origin, -power[k]), 1e-15);
        linpred__least_distance_close(problem);
        /* With the intercept in the norm, a large unit of x makes it worthless, a small one makes it free. */
        problem = open_with(power[k] > 0 ? &through : &a, LINPRED__FORM_HOMOGENEOUS, true);
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
    for (int f = 0; f <= LINPRED__FORM_HOMOGENEOUS; f++) {
        linpred__least_distance *problem = NULL;
        assert_int_equal(linpred__least_distance_open(1, (linpred__margin_form)f, &problem, NULL), LINPRED_OK);
        for (int i = f == LINPRED__FORM_ORIGIN ? 1 : 0; i < 3; i++) {
            assert_int_equal(linpred__least_distance_add_dense(problem, 1, x + i, 1, y + i, NULL), LINPRED_OK);
            linpred__distance_answer answer = solve(problem);
            assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
            assert_near(answer.norm, f == LINPRED__FORM_ORIGIN ? 0x1p200 : 1.0, 1e-15);
            assert_true(answer.gap <= 1e-13);
        }
        linpred__least_distance_close(problem);
    }
}

/* Classes that touch, the same point with both labels, classes one unit in the last place apart. */
static void touching_classes(void **state)
{
    (void)state;
    for (int f = LINPRED__FORM_HOMOGENEOUS; f <= LINPRED__FORM_WITHOUT_INTERCEPT; f++) {
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
        print_message("one ulp apart: outcome %d, norm %.17g, margin %.3g, bound %.3g, gap %.3g\n", (int)answer.outcome,
                      answer.norm, answer.margin, answer.margin_bound, answer.gap);
        assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
        assert_near(answer.norm, form == LINPRED__FORM_WITHOUT_INTERCEPT ? 0x1p53 : 0x1p53 * sqrt(2.0), 1e-15);
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
    linpred__least_distance *problem = open_with(&a, LINPRED__FORM_WITHOUT_INTERCEPT, true);
    linpred__distance_answer answer = solve(problem);
    assert_int_equal(answer.outcome, LINPRED__DISTANCE_OPTIMAL);
    assert_true(answer.norm == 0.0 && isinf(answer.margin) && answer.gap == 0.0 && answer.intercept == -1.0);
    assert_int_equal(linpred__least_distance_add_dense(problem, 1, (double[]){2.0, 5.0}, 2, (double[]){1.0}, NULL),
                     LINPRED_OK);
    put_row(&a, (double[]){2.0, 5.0}, 1.0);
    answer = solve(problem);
    assert_true(prove(&a, LINPRED__FORM_WITHOUT_INTERCEPT, &answer).gap <= 1e-14);
    linpred__least_distance_close(problem);
    discard(&a);

    instance zero = make(1); /* through the origin, x = 0 cannot be right */
    put_row(&zero, (double[]){1.0}, 1.0);
    put_row(&zero, (double[]){0.0}, 1.0);
    problem = open_with(&zero, LINPRED__FORM_ORIGIN, true);
    answer = solve(problem);
    assert_int_equal(answer.outcome, LINPRED__DISTANCE_INFEASIBLE);
    assert_int_equal(answer.support, 1);
    assert_int_equal(answer.rows[0], 1);
    linpred__least_distance_close(problem);
    discard(&zero);
}

/* ---- memory that runs out ---------------------------------------------------------------------------------------- */

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
    double expected = norm_of(&a, LINPRED__FORM_HOMOGENEOUS, false, 1e-12);
    const linpred_allocator failing = {sizeof(linpred_allocator), failing_reallocate, plain_release, NULL};
    linpred_set_allocator(&failing);
    bool done = false;
    for (int k = 0; !done; k++) {
        assert_true(k < 1000);
        allocations_left = k;
        linpred__least_distance *problem = NULL;
        linpred__distance_outcome outcome;
        linpred_status status = linpred__least_distance_open(a.columns, LINPRED__FORM_HOMOGENEOUS, &problem, NULL);
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
