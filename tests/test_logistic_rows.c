/* The logistic loss of many rows: against long double, at the ends of the range, and the same bits however cut. */
#include "num/logistic_loss.h"
#include "support.h"

static const double plain[2] = {1.0, 1.0};

/* |a - b| in units of the last place of b. */
static double units(double a, long double b)
{
    if ((long double)a == b)
        return 0.0;
    int exponent;
    frexpl(b, &exponent);
    return (double)(fabsl((long double)a - b) / ldexpl(1.0L, exponent - 53));
}

static void check_one(double z, double y, double worst[3])
{
    double loss, r, curvature;
    linpred__logistic_rows(1, &z, &y, NULL, plain, &loss, &r, &curvature);
    long double t = (long double)y * z;
    long double e = expl(-fabsl(t));
    long double expected[3] = {(t < 0 ? -t : 0) + log1pl(e), -(long double)y * (t < 0 ? 1 : e) / (1 + e),
                               e / ((1 + e) * (1 + e))};
    const double found[3] = {loss, r, curvature};
    for (int i = 0; i < 3; i++)
        worst[i] = fmax(worst[i], units(found[i], expected[i]));
}

static void agrees_with_long_double(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 1);
    double worst[3] = {0};
    for (int i = 0; i < 300000; i++) {
        double size = exp(12.0 * linpred__random_uniform(&random) - 6.0);
        double z = size * linpred__random_normal(&random);
        if (fabs(z) < 708)
            check_one(z, linpred__random_below(&random, 2) ? 1.0 : -1.0, worst);
    }
    for (double z = -707.5; z < 708; z += 0.5) {
        check_one(z, 1.0, worst);
        check_one(nextafter(z * log(2.0), 0), -1.0, worst);
    }
    print_message("largest error in units of the last place: loss %.2f, derivative %.2f, curvature %.2f\n", worst[0],
                  worst[1], worst[2]);
    assert_true(worst[0] <= 3.0 && worst[1] <= 4.0 && worst[2] <= 5.0);
}

static void no_score_is_too_large(void **state)
{
    (void)state;
    const double z[] = {0.0, -0.0, 1e300, -1e300, 709, -709, 1e-300, -1e-320, 1.7e308, -1.7e308};
    for (size_t i = 0; i < sizeof z / sizeof z[0]; i++)
        for (double y = -1; y <= 1; y += 2) {
            double loss, r, curvature;
            linpred__logistic_rows(1, &z[i], &y, NULL, plain, &loss, &r, &curvature);
            assert_true(isfinite(loss) && isfinite(r) && isfinite(curvature));
            assert_true(loss > 0 && r * y < 0 && fabs(r) <= 1 && curvature > 0 && curvature <= 0.25);
            if (y * z[i] < -709)
                assert_true(loss == -y * z[i]);
        }
}

/* A row's values do not depend on the rows beside it. */
static void same_bits_however_cut(void **state)
{
    (void)state;
    enum { ROWS = 37 };
    linpred__random random;
    linpred__random_seed(&random, 2);
    double z[ROWS], y[ROWS], weight[ROWS], all[3][ROWS], one[3];
    const double class_weight[2] = {0.3, 1.7};
    for (int i = 0; i < ROWS; i++) {
        z[i] = 5.0 * linpred__random_normal(&random);
        y[i] = linpred__random_below(&random, 2) ? 1.0 : -1.0;
        weight[i] = 1.0 + linpred__random_uniform(&random);
    }
    linpred__logistic_rows(ROWS, z, y, weight, class_weight, all[0], all[1], all[2]);
    for (int i = 0; i < ROWS; i++) {
        linpred__logistic_rows(1, z + i, y + i, weight + i, class_weight, &one[0], &one[1], &one[2]);
        for (int k = 0; k < 3; k++)
            assert_memory_equal(&one[k], &all[k][i], sizeof(double));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_long_double),
        cmocka_unit_test(no_score_is_too_large),
        cmocka_unit_test(same_bits_however_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
