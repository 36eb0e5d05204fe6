/* The checker's bounds for least squares, against their formulas in long doubles: how far S'GS is from 1, and how long
 * S'g is; and the gradient g, against plain loops. The numbers are chosen so that each part of a bound counts. */
#include "fit_support.h"
#include "process_support.h"

#include "check/regression/squares.h"
#include "core/memory.h"

enum { P = 3, ROWS = 5 };

/* A problem of three coordinates with a rank of two or three. G and S are no inverses of each other. */
struct small_problem {
    linpred__squares_problem problem;
    linpred_data *data;
    linpred__dd gram[P * P], gradient[P];
    double factor[P * P], w[2 * P], row_error[P], size[2 * P];
    int exponent[P];
};

static double in_tenths(linpred__random *random)
{
    return ((double)linpred__random_below(random, 41) - 20.0) / 10.0;
}

static void open_small(struct small_problem *s, uint64_t seed, bool own, bool careful)
{
    linpred__random random;
    linpred__random_seed(&random, seed);
    sample rows = sample_integers(&random, ROWS, 2, 3);
    *s = (struct small_problem){.data = sample_data(&rows, false)};
    linpred__squares_problem *problem = &s->problem;
    problem->data = s->data;
    problem->p = P;
    problem->rank = seed % 2 ? P : P - 1;
    problem->cut = linpred__cut_matrix(s->data, P);
    problem->own = own;
    problem->careful = careful;
    for (int i = 0; i < P; i++) {
        s->exponent[i] = (int)linpred__random_below(&random, 5) - 2;
        s->row_error[i] = seed % 5 == 0 ? 0.0 : ldexp(1.0 + i, -9);
        for (int j = 0; j <= i; j++)
            s->gram[i * P + j] = s->gram[j * P + i] = (linpred__dd){i == j ? 2.0 + i : in_tenths(&random), 0.0};
        s->gradient[i] = (linpred__dd){in_tenths(&random), 0.0};
        s->w[i] = in_tenths(&random);
        s->size[i] = seed % 3 == 0 ? 0x1p100 * (1.0 + i) : 0.0;
        s->size[P + i] = 0x1p200; /* belongs to another test */
    }
    for (size_t i = 0; i < P * problem->rank; i++)
        s->factor[i] = in_tenths(&random);
    problem->gram = s->gram;
    problem->gradient = s->gradient;
    problem->factor = s->factor;
    problem->w = s->w;
    problem->row_error = s->row_error;
    problem->size = s->size;
    problem->exponent = s->exponent;
    problem->doubt = seed % 7 == 0 ? 0x1p192 : 0.0;
    problem->squares = (linpred__dd){0.25, 0.0};
    sample_free(&rows);
}

/* S in the units of the problem. */
static long double entry(const struct small_problem *s, size_t j, size_t k)
{
    return ldexpl(s->factor[j * s->problem.rank + k], -s->exponent[j]);
}

/* ||I - S'GS||, and Σ_k (Σ_j ||x_j|| |S_jk|)². */
static void plain_departure(const struct small_problem *s, long double *measured, long double *reach)
{
    size_t rank = s->problem.rank;
    long double square = 0;
    *reach = 0;
    for (size_t k = 0; k < rank; k++) {
        long double along = 0;
        for (size_t j = 0; j < P; j++)
            along += sqrtl(s->gram[j * P + j].hi) * fabsl(entry(s, j, k));
        *reach += along * along;
        for (size_t l = 0; l < rank; l++) {
            long double sum = k == l ? -1.0L : 0.0L;
            for (size_t i = 0; i < P; i++)
                for (size_t j = 0; j < P; j++)
                    sum += entry(s, i, k) * s->gram[i * P + j].hi * entry(s, j, l);
            square += sum * sum;
        }
    }
    *measured = sqrtl(square);
}

static void bounds_are_formulas(uint64_t seed, bool own, bool careful)
{
    struct small_problem s;
    open_small(&s, seed, own, careful);
    linpred__squares_bounds bounds;
    assert_int_equal(linpred__squares_find_bounds(&s.problem, &bounds, NULL), LINPRED_OK);
    long double measured, reach, rows_off = 0, scores_off = 0, square = 0, sure = 0;
    plain_departure(&s, &measured, &reach);
    near(bounds.measured, (double)measured, 1e-12);
    near(bounds.reach, (double)reach, 1e-12);
    for (size_t k = 0; k < s.problem.rank; k++) {
        long double off = 0;
        for (size_t j = 0; j < P; j++)
            off += s.row_error[j] * fabsl(entry(&s, j, k));
        rows_off += off * off;
    }
    rows_off = sqrtl(rows_off);
    for (size_t j = 0; j < P; j++)
        scores_off += fabs(s.w[j]) * s.row_error[j];
    near(linpred__squares_scores_off(&s.problem), (double)scores_off, 1e-12);
    /* One block of rows: so many additions, and 18 for what the terms are rounded by. */
    long double gram = (ROWS + 18) * (careful ? 0x1p-100L : 0x1p-52L);
    gram += own ? 4 * P * 0x1p-53L : P * P * 0x1p-98L;
    long double departure = measured + gram * reach + 2 * rows_off * sqrtl(reach) + rows_off * rows_off;
    near(bounds.departure, (double)departure, 2e-9);
    if (own && s.row_error[0] == 0.0) /* what rounding adds is more than the bound is rounded up by */
        assert_true(bounds.departure - bounds.measured > (double)(0.9L * gram * reach));

    long double terms = P + 4.0L + 16.0L, unit = (ROWS * ROWS + terms * terms) * 0x1p-104L;
    for (size_t k = 0; k < s.problem.rank; k++) {
        long double sum = 0, doubt = 0;
        for (size_t j = 0; j < P; j++) {
            sum += s.gradient[j].hi * entry(&s, j, k);
            doubt += fabsl(entry(&s, j, k)) * s.size[j];
        }
        square += (fabsl(sum) + unit * doubt) * (fabsl(sum) + unit * doubt);
        long double least = fmaxl(0.0L, fabsl(sum) - unit * doubt);
        sure += least * least;
    }
    long double residuals =
        (terms * terms * 0x1p-104L * sqrtl(s.problem.doubt) + scores_off) * (1 + (long double)bounds.departure);
    residuals += rows_off * (0.5L + residuals);
    near(bounds.distance, (double)(sqrtl(square) + residuals), 2e-9);
    double certain = (double)fmaxl(0.0L, sqrtl(sure) - residuals);
    assert_true(fabs(bounds.certain - certain) <= 3e-9 * (bounds.distance + certain));
    assert_true(bounds.departure >= bounds.measured && bounds.certain <= bounds.distance);
    linpred_data_free(s.data);
}

static void bounds_follow_their_formulas(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 210; seed++)
        for (int k = 0; k < 4; k++)
            bounds_are_formulas(seed, k % 2, k / 2);
}

/* S is exactly the inverse of a root of G, so that the bound of rounding is all there is. */
static void rounding_alone_is_bounded(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct small_problem s;
        open_small(&s, 5, k % 2, k / 2);
        for (int i = 0; i < P * P; i++) {
            s.gram[i] = (linpred__dd){i % (P + 1) == 0 ? ldexp(4.0, 2 * i) : 0.0, 0.0};
            s.factor[i] = i % (P + 1) == 0 ? ldexp(0.5, -i + s.exponent[i / P]) : 0.0;
        }
        linpred__squares_bounds bounds;
        assert_int_equal(linpred__squares_find_bounds(&s.problem, &bounds, NULL), LINPRED_OK);
        assert_true(bounds.measured == 0.0 && bounds.reach == 3.0);
        double gram = (ROWS + 18) * (k / 2 ? 0x1p-100 : 0x1p-52) + (k % 2 ? 4 * P * 0x1p-53 : P * P * 0x1p-98);
        assert_true(bounds.departure >= gram * 3.0);
        near(bounds.departure, gram * 3.0, k % 2 ? 1.1e-9 : 1e-15);
        if (k % 2)
            assert_true(bounds.departure > gram * 3.0 * (1.0 + 9e-10));
        linpred_data_free(s.data);
    }
}

/* Columns a, b, a + b, a - b: two of them are left out, and S is a factor of what is left. */
static void spare_columns_are_left_out(void **state)
{
    (void)state;
    enum { WIDTH = 4, MORE = 9 };
    static double vectors[] = {1, 1, -1, 0, 1, -1, 0, -1};
    double factor[WIDTH * 2], row_error[WIDTH] = {0}, w[2 * WIDTH] = {0}, size[2 * WIDTH] = {0};
    int exponent[WIDTH] = {0};
    linpred__dd gram[WIDTH * WIDTH] = {{0}}, gradient[WIDTH] = {{0}};
    linpred__regression regression = {.dependencies = {.count = 2, .width = WIDTH, .vector = vectors}};
    for (int i = 0; i < MORE; i++) {
        double a = i, b = i * i % 7, x[WIDTH] = {a, b, a + b, a - b};
        for (int j = 0; j < WIDTH * WIDTH; j++)
            gram[j].hi += x[j / WIDTH] * x[j % WIDTH];
    }
    sample rows = sample_new(MORE, WIDTH);
    linpred_data *data = sample_data(&rows, false);
    linpred__squares_problem problem = {.data = data, .regression = &regression, .p = WIDTH, .gram = gram};
    assert_int_equal(linpred__squares_own_factor(&problem, NULL), LINPRED_OK);
    assert_true(problem.factor && problem.own && problem.rank == 2);
    for (int k = 0; k < 4; k++) /* rows 2 and 3 of S are 0 */
        assert_true(problem.factor[4 + k] == 0.0);
    memcpy(factor, problem.factor, sizeof factor);
    linpred__release(problem.factor);
    problem.cut = linpred__cut_matrix(data, WIDTH);
    problem.factor = factor;
    problem.exponent = exponent;
    problem.row_error = row_error;
    problem.w = w;
    problem.size = size;
    problem.gradient = gradient;
    linpred__squares_bounds bounds;
    assert_int_equal(linpred__squares_find_bounds(&problem, &bounds, NULL), LINPRED_OK);
    assert_true(bounds.measured < 1e-13 && bounds.distance == 0.0);
    /* Of a matrix that is not regular there is none. */
    regression.dependencies.count = 1;
    assert_int_equal(linpred__squares_own_factor(&problem, NULL), LINPRED_OK);
    assert_null(problem.factor);
    linpred_data_free(data);
    sample_free(&rows);
}

/* ---- the gradient ---- */

static void find_gradient(void *context, double *found)
{
    linpred__squares_problem *problem = context;
    linpred__visitor visitor = linpred__gradient_visitor(problem);
    void *sums = calloc(1, visitor.state_bytes);
    assert_int_equal(linpred__pass_all(problem->data, NULL, &visitor, &sums, 1, (linpred__cut){1, 0.0}, NULL),
                     LINPRED_OK);
    linpred__take_gradient(problem, sums);
    visitor.clear(problem, sums);
    free(sums);
    if (!found)
        return;
    memcpy(found, problem->gradient, problem->p * sizeof *problem->gradient);
    memcpy(found + 2 * problem->p, problem->size, 2 * problem->p * sizeof *problem->size);
    found += 4 * problem->p;
    found[0] = problem->squares.hi;
    found[1] = problem->squares.lo;
    found[2] = problem->absolute;
    found[3] = problem->around;
    found[4] = problem->doubt;
}

/* Rows of whole numbers and weights, coefficients in quarters: every sum is exact. */
static void gradient_is_the_sum(int64_t rows, bool sparse, bool intercept, bool weighted)
{
    linpred__random random;
    linpred__random_seed(&random, (uint64_t)rows);
    sample all = sample_integers(&random, rows, 2, 9);
    double w[6] = {0.75, -1.25, intercept ? 2.5 : 0.0}, size[6], wanted[3] = {0}, sizes[6] = {0};
    double squares = 0, absolute = 0, around = 0, doubt = 0, total = 0;
    int exponent[3] = {0};
    size_t p = intercept ? 3 : 2;
    linpred__dd gradient[3];
    all.weights = weighted ? calloc((size_t)rows, sizeof(double)) : NULL;
    for (int64_t i = 0; i < rows; i++) {
        const double *x = all.values + 2 * i;
        double weight = weighted ? (double)(1 + i % 3) : 1.0, row[3] = {x[0], x[1], 1.0};
        double z = w[0] * x[0] + w[1] * x[1] + (intercept ? w[2] : 0.0), y = all.labels[i], r = y - z;
        double a = fabs(y) + fabs(w[0] * x[0]) + fabs(w[1] * x[1]) + (intercept ? fabs(w[2]) : 0.0);
        if (weighted)
            all.weights[i] = weight;
        for (size_t j = 0; j < p; j++) {
            wanted[j] += weight * r * row[j];
            sizes[j] += weight * fabs(r * row[j]);
            sizes[p + j] += weight * fabs(row[j]) * a;
        }
        squares += weight * r * r;
        absolute += weight * fabs(r);
        around += weight * (y - 0.5) * (y - 0.5);
        doubt += weight * a * a;
        total += weight;
    }
    linpred_data *data = sample_data(&all, sparse);
    linpred__squares_problem problem = {.data = data,
                                        .powers = {.terms = 2, .features = 2, .has_intercept = intercept},
                                        .p = p,
                                        .plain = true,
                                        .w = w,
                                        .exponent = exponent,
                                        .penalty = {4.0, 0.0},
                                        .weight = total,
                                        .centre = 0.5,
                                        .gradient = gradient,
                                        .size = size};
    find_gradient(&problem, NULL);
    for (size_t j = 0; j < p; j++) {
        double pull = j < 2 ? 4.0 * w[j] : 0.0;
        assert_true(gradient[j].hi + gradient[j].lo == wanted[j] - pull);
        assert_true(size[j] == sizes[j] + fabs(pull) && size[p + j] == sizes[p + j] + fabs(pull));
    }
    assert_true(problem.squares.hi == squares && problem.absolute == absolute && problem.around == around);
    assert_true(problem.doubt == doubt && problem.total == around + total * 0.25);
    if (rows > 10000)
        processes_find_the_same(find_gradient, &problem, 4 * p + 5);
    linpred_data_free(data);
    sample_free(&all);
}

static void gradients_are_sums(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        gradient_is_the_sum(11, k % 2, k / 2 % 2, k / 4);
        gradient_is_the_sum(30000, k % 2, k / 2 % 2, k / 4);
    }
}

/* A state is ready once all of its three parts are there. */
static void states_need_memory(void **state)
{
    (void)state;
    linpred__squares_problem problem = {.p = P};
    linpred__visitor visitor = linpred__gradient_visitor(&problem);
    for (int64_t granted = 0; granted <= 3; granted++) {
        void *sums = calloc(1, visitor.state_bytes);
        scarce_memory(granted);
        bool ready = visitor.init(&problem, sums);
        if (ready)
            visitor.clear(&problem, sums);
        guard_memory(NULL);
        assert_int_equal(ready, granted == 3);
        free(sums);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_follow_their_formulas), cmocka_unit_test(rounding_alone_is_bounded),
        cmocka_unit_test(spare_columns_are_left_out),   cmocka_unit_test(gradients_are_sums),
        cmocka_unit_test(states_need_memory),
    };
    return cmocka_run_group_tests(tests, guard_memory, NULL);
}
