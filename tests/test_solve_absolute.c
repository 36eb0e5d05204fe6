/* Absolute regression on rows that fit in cache: the first basis of the interior point method leads to the optimum that
   the simplex method reaches from any basis, with ties, weights, quantiles and rows fixed elsewhere. Square systems in
   double-double. */
#include "core/random.h"
#include "num/exact_sum.h"
#include "solve/absolute/interior.h"
#include "solve/absolute/vertex.h"
#include "solve/dense/dd_system.h"
#include "support.h"

enum { COLUMNS = 40, ROWS = 150 };

struct deviations {
    double x[COLUMNS * ROWS], y[ROWS], up[ROWS], down[ROWS], c[COLUMNS];
    double w[COLUMNS], residual[ROWS], dual[COLUMNS];
    int64_t basis[COLUMNS];
};

/* Small integers on the first of three kinds, so that many rows meet in a vertex; some rows without slopes on the
   second; a part of the rows fixed elsewhere on the third. */
static void fill(struct deviations *d, linpred__random *random, int kind)
{
    for (int i = 0; i < ROWS; i++) {
        double sum = 0.0;
        for (int j = 0; j < COLUMNS; j++) {
            double value = kind == 0 ? (double)linpred__random_below(random, 5) - 2.0 : linpred__random_normal(random);
            d->x[j * ROWS + i] = j == 0 ? 1.0 : value;
            sum += d->x[j * ROWS + i];
        }
        d->y[i] = kind == 0 ? (double)linpred__random_below(random, 7) : sum + linpred__random_normal(random);
        double weight =
            kind == 1 && linpred__random_below(random, 8) == 0 ? 0.0 : 1.0 + linpred__random_uniform(random);
        d->up[i] = 0.3 * weight;
        d->down[i] = 0.7 * weight;
    }
    for (int j = 0; j < COLUMNS; j++)
        d->c[j] = kind == 2 ? 0.3 * linpred__random_normal(random) : 0.0;
}

static double solve_from(struct deviations *d, bool near_optimum, int64_t *steps)
{
    linpred__absolute problem = {.columns = COLUMNS,
                                 .rows = ROWS,
                                 .x = d->x,
                                 .y = d->y,
                                 .up = d->up,
                                 .down = d->down,
                                 .c = d->c,
                                 .near_optimum = near_optimum,
                                 .basis = d->basis,
                                 .w = d->w,
                                 .residual = d->residual,
                                 .dual = d->dual};
    for (int k = 0; k < COLUMNS; k++)
        d->basis[k] = 2 * k;
    assert_int_equal(linpred__absolute_solve(&problem), LINPRED__ABSOLUTE_DONE);
    assert_true(problem.optimal);
    *steps = problem.steps;
    double loss = 0.0;
    for (int i = 0; i < ROWS; i++) {
        double left = d->y[i];
        for (int j = 0; j < COLUMNS; j++)
            left -= d->x[j * ROWS + i] * d->w[j];
        loss += left > 0 ? d->up[i] * left : -d->down[i] * left;
    }
    for (int j = 0; j < COLUMNS; j++)
        loss -= d->c[j] * d->w[j];
    return loss;
}

static void same_optimum(void **state)
{
    (void)state;
    static struct deviations d;
    linpred__random random;
    linpred__random_seed(&random, 41);
    int64_t with = 0, without = 0;
    for (int trial = 0; trial < 60; trial++) {
        fill(&d, &random, trial % 3);
        int64_t steps;
        double far = solve_from(&d, true, &steps);
        without += steps;
        double near = solve_from(&d, false, &steps);
        with += steps;
        assert_true(fabs(near - far) <= 1e-9 * (1.0 + fabs(far)));
    }
    print_message("steps %lld from the rows given, %lld after the interior point method\n", (long long)without,
                  (long long)with);
    assert_true(with * 5 < without);
}

static bool always(void *context)
{
    (void)context;
    return true;
}

/* A request to stop leaves no basis. Nor does a target that the columns fit exactly, which has no loss to relate to. */
static void no_basis(void **state)
{
    (void)state;
    static struct deviations d;
    linpred__random random;
    linpred__random_seed(&random, 43);
    fill(&d, &random, 1);
    linpred__absolute problem = {
        .columns = COLUMNS, .rows = ROWS, .x = d.x, .y = d.y, .up = d.up, .down = d.down, .c = d.c, .stop = always};
    bool found = true;
    assert_true(linpred__absolute_interior(&problem, d.basis, &found));
    assert_false(found);
    problem.stop = NULL;
    memset(d.y, 0, sizeof d.y);
    assert_true(linpred__absolute_interior(&problem, d.basis, &found));
    assert_false(found);
}

/* A x - b for the x found, by exact sums, relative to the largest |a x|. */
static double left_over(int n, const linpred__dd *a, bool transposed, const linpred__dd *right, const linpred__dd *x)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        linpred__exact sum;
        double size = 0.0;
        linpred__exact_clear(&sum);
        linpred__exact_add(&sum, -right[i].hi, 1.0);
        for (int j = 0; j < n; j++) {
            double entry = a[transposed ? j * n + i : i * n + j].hi;
            linpred__exact_add(&sum, entry, x[j].hi);
            linpred__exact_add(&sum, entry, x[j].lo);
            size = fmax(size, fabs(entry * x[j].hi));
        }
        worst = fmax(worst, fabs(linpred__exact_value(&sum)) / size);
    }
    return worst;
}

/* Random matrices are refined; Hilbert's matrix of 30 rows is too ill-conditioned for that, and QR takes over. */
static void square_systems(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 47);
    static linpred__dd a[60 * 60], right[60], x[60];
    for (int trial = 0; trial < 12; trial++) {
        int n = trial % 4 == 3 ? 30 : 20 + 20 * (trial % 3);
        for (int i = 0; i < n * n; i++)
            a[i] = (linpred__dd){trial % 4 == 3 ? 1.0 / (double)(1 + i / n + i % n) : linpred__random_normal(&random),
                                 0.0};
        for (int i = 0; i < n; i++)
            right[i] = (linpred__dd){linpred__random_normal(&random), 0.0};
        linpred__dd_system system;
        assert_true(linpred__dd_system_open(&system, n, a, 0x1p-100));
        for (int transposed = 0; transposed < 2; transposed++) {
            assert_true(linpred__dd_system_solve(&system, transposed, right, x));
            assert_true(left_over(n, a, transposed, right, x) < (trial % 4 == 3 ? 1e-24 : 1e-28));
        }
        linpred__dd_system_close(&system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_optimum),
        cmocka_unit_test(no_basis),
        cmocka_unit_test(square_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
