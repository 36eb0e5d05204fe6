/* Exact answers to "separable or not" and "separated, quasi-separated or overlapping": against brute force on thousands
   of small integer instances, and on cases where floating point alone would fail. Every witness is checked in
   rationals. */
#include "solve/exact_lp/coordinates.h"
#include "solve/exact_lp/dependency.h"
#include "solve_reference.h"
#include "solve/exact_lp/modular_basis.h"
#include "num/gmp64.h"
#include "num/modular.h"
#include "solve/exact_lp/span.h"

static linpred__rows dense(int32_t rows, int32_t columns, const double *values)
{
    return (linpred__rows){rows, columns, values, NULL, NULL, NULL};
}

/* ---- small instances, all of them by brute force --------------------------------------------------------------------
 */

static void three_ways_against_brute_force(const linpred__rows *rows, const double *z, int n, int d,
                                           const bool *carried, linpred__random *random)
{
    int carriers = 0;
    for (int i = 0; i < n; i++)
        carriers += carried[i];
    linpred__working_rows *s;
    linpred__working_separation answer;
    linpred__effort effort = {0};
    assert_int_equal(linpred__working_rows_open(d, NULL, &s, NULL), LINPRED_OK);
    /* Half of the time rows come in two portions, with a question in between, as in constraint generation. */
    int32_t first = (int32_t)linpred__random_below(random, (uint64_t)(2 * n));
    if (first > 0 && first < n) {
        assert_int_equal(linpred__working_rows_add(s, rows, 0, first, NULL), LINPRED_OK);
        assert_int_equal(linpred__working_rows_three_way(s, &effort, &answer, NULL), LINPRED_OK);
        assert_int_not_equal(answer.kind, LINPRED_SEPARATION_UNDECIDED);
        linpred__rows part = *rows;
        part.rows = first;
        check_three_way(&part, &answer);
        linpred__working_separation_close(&answer);
    } else
        first = 0;
    assert_int_equal(linpred__working_rows_add(s, rows, first, n - first, NULL), LINPRED_OK);
    assert_int_equal(linpred__working_rows_three_way(s, &effort, &answer, NULL), LINPRED_OK);
    check_three_way(rows, &answer);
    linpred_separation expected = carriers == 0   ? LINPRED_SEPARATION_SEPARATED
                                  : carriers == n ? LINPRED_SEPARATION_OVERLAPPING
                                                  : LINPRED_SEPARATION_QUASI_SEPARATED;
    assert_int_equal(answer.kind, expected);
    if (expected == LINPRED_SEPARATION_OVERLAPPING)
        assert_int_equal(rank_of(z, d, answer.carrier, answer.carriers), rank_of(z, d, NULL, n));
    if (expected == LINPRED_SEPARATION_QUASI_SEPARATED)
        for (int i = 0; i < n; i++) /* the direction found is positive wherever one can be */
            assert_int_equal(sign_of_integers(rows, i, &answer.direction), !carried[i]);
    linpred__exact_answer again;
    assert_int_equal(linpred__working_rows_certify(s, &effort, &again, NULL), LINPRED_OK);
    assert_int_equal(check_answer(rows, &again),
                     carriers ? LINPRED_SEPARATION_INSEPARABLE : LINPRED_SEPARATION_SEPARATED);
    linpred__exact_answer_close(&again);
    linpred__working_separation_close(&answer);
    linpred__working_rows_close(s);
}

static void small_instances(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 2024);
    int kinds[3] = {0, 0, 0};
    double start = seconds_now();
    for (int instance = 0; instance < 3000; instance++) {
        int d = 1 + (int)linpred__random_below(&random, 5);
        int n = 1 + (int)linpred__random_below(&random, 12);
        int size = 1 + (int)linpred__random_below(&random, 3);
        bool intercept = linpred__random_below(&random, 2);
        double z[12 * 5];
        for (int i = 0; i < n; i++) {
            int label = linpred__random_below(&random, 2) ? 1 : -1;
            for (int j = 0; j < d; j++)
                z[i * d + j] = label * ((double)linpred__random_below(&random, (uint64_t)(2 * size + 1)) - size);
            if (intercept)
                z[i * d] = label;
            if (i > 0 && linpred__random_below(&random, 8) == 0) /* the same point, with either label */
                for (int j = 0; j < d; j++)
                    z[i * d + j] = label * z[(i - 1) * d + j];
            if (linpred__random_below(&random, 3) == 0) /* pull to one side: more separable instances */
                z[i * d] = fabs(z[i * d]) + 1;
            if (linpred__random_below(&random, 60) == 0)
                for (int j = 0; j < d; j++)
                    z[i * d + j] = 0;
        }
        linpred__rows rows = dense(n, d, z);
        bool carried[12];
        carried_rows(z, n, d, carried);
        int carriers = 0;
        for (int i = 0; i < n; i++)
            carriers += carried[i];
        kinds[carriers == 0 ? 0 : carriers == n ? 2 : 1]++;
        linpred_separation expected = carriers ? LINPRED_SEPARATION_INSEPARABLE : LINPRED_SEPARATION_SEPARATED;
        bool in_doubles;
        assert_int_equal(settle_exactly(&rows, &in_doubles, NULL), expected);
        assert_true(carriers || in_doubles);
        int32_t count;
        assert_int_equal(decide(&rows, &count, NULL), expected);
        three_ways_against_brute_force(&rows, z, n, d, carried, &random);
        /* Minimal: as many rows as their rank, and one. */
        linpred__exact_question question = {.rows = &rows};
        linpred__exact_answer answer;
        linpred__effort effort = {0};
        assert_int_equal(linpred__exact_lp(&question, &effort, &answer, NULL), LINPRED_OK);
        if (expected == LINPRED_SEPARATION_INSEPARABLE)
            assert_int_equal(rank_of(z, d, answer.row, answer.count), answer.count - 1);
        linpred__exact_answer_close(&answer);
    }
    printf("3000 small instances: %d separated, %d quasi-separated, %d overlapping, %.2f s\n", kinds[0], kinds[1],
           kinds[2], seconds_now() - start);
    assert_true(kinds[0] > 300 && kinds[1] > 300 && kinds[2] > 300);
}

/* Columns and rows times powers of two: the same answers, whatever the exponents. */
static void units_do_not_matter(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 5);
    for (int instance = 0; instance < 300; instance++) {
        int d = 2 + (int)linpred__random_below(&random, 3), n = 2 + (int)linpred__random_below(&random, 9);
        double z[12 * 5], scaled[12 * 5];
        int column[5];
        for (int j = 0; j < d; j++)
            column[j] = (int)linpred__random_below(&random, 2) ? 500 : -500;
        for (int i = 0; i < n; i++) {
            int row = instance % 2 ? (int)linpred__random_below(&random, 400) - 200 : 0;
            for (int j = 0; j < d; j++) {
                z[i * d + j] = (double)linpred__random_below(&random, 7) - 3 + (j == 0 ? 1 : 0);
                scaled[i * d + j] = ldexp(z[i * d + j], column[j] + row);
            }
        }
        linpred__rows plain = dense(n, d, z), rows = dense(n, d, scaled);
        linpred_separation expected = settle_exactly(&plain, NULL, NULL);
        bool in_doubles;
        assert_int_equal(settle_exactly(&rows, NULL, NULL), expected);
        assert_int_equal(decide(&rows, NULL, &in_doubles), expected);
        assert_true(in_doubles || expected != LINPRED_SEPARATION_SEPARATED);
    }
}

/* ---- hard cases
 * ------------------------------------------------------------------------------------------------------- */

static void by_one_ulp(void **state)
{
    (void)state;
    double a = 1.0, b = nextafter(1.0, 2.0);
    /* x = a is negative, x = b positive, with an intercept: a threshold lies between, though no double does. */
    const double apart[] = {-a, -1, b, 1};
    linpred__rows rows = dense(2, 2, apart);
    bool in_doubles;
    assert_int_equal(settle_exactly(&rows, &in_doubles, NULL), LINPRED_SEPARATION_SEPARATED);
    assert_true(in_doubles);
    assert_int_equal(decide(&rows, NULL, NULL), LINPRED_SEPARATION_SEPARATED);
    /* a, b, a in turn: - + - is not separable, by one ulp. */
    const double inside[] = {-a, -1, b, 1, -nextafter(b, 2), -1};
    rows = dense(3, 2, inside);
    int32_t count;
    assert_int_equal(decide(&rows, &count, NULL), LINPRED_SEPARATION_INSEPARABLE);
    assert_int_equal(count, 3);
    /* In the plane, points near a line that no axis follows. */
    const double plane[] = {0.1, 0.3, 1, 0.2, 0.6, 1, -0.3, -nextafter(0.9, 1), -1};
    rows = dense(3, 3, plane);
    linpred_separation kind = settle_exactly(&rows, NULL, NULL);
    assert_int_equal(decide(&rows, NULL, NULL), kind);
}

static void touching_and_contradictory(void **state)
{
    (void)state;
    /* Both classes on the line x1 + x2 = 1, overlapping only in the point (0.5, 0.5): its two copies prove it. */
    const double touching[] = {0.5, 0.5, 1, 0.25, 0.75, 1, -0.5, -0.5, -1, -0.75, -0.25, -1};
    linpred__rows rows = dense(4, 3, touching);
    int32_t count;
    assert_int_equal(decide(&rows, &count, NULL), LINPRED_SEPARATION_INSEPARABLE);
    assert_int_equal(count, 2);
    const double xor [] = {0, 0, 1, 1, 1, 1, -0.0, -1, -1, -1, -0.0, -1};
    rows = dense(4, 3, xor);
    assert_int_equal(decide(&rows, &count, NULL), LINPRED_SEPARATION_INSEPARABLE);
    assert_int_equal(count, 4);
    assert_int_equal(settle_exactly(&rows, NULL, NULL), LINPRED_SEPARATION_INSEPARABLE);
    const double one[] = {3, -2};
    rows = dense(1, 2, one);
    assert_int_equal(decide(&rows, NULL, NULL), LINPRED_SEPARATION_SEPARATED);
    const double nothing[] = {0, 0};
    rows = dense(1, 2, nothing);
    assert_int_equal(decide(&rows, &count, NULL), LINPRED_SEPARATION_INSEPARABLE);
    assert_int_equal(count, 1);
}

static void copies_and_wide_rows(void **state)
{
    (void)state;
    enum { COPIES = 10000, D = 5 };
    double *z = malloc((COPIES + 1) * D * sizeof *z);
    for (int i = 0; i <= COPIES; i++)
        for (int j = 0; j < D; j++)
            z[i * D + j] = (i < COPIES ? 1.0 : -3.0) * (0.1 + j);
    linpred__rows rows = dense(COPIES, D, z);
    assert_int_equal(decide(&rows, NULL, NULL), LINPRED_SEPARATION_SEPARATED);
    assert_int_equal(settle_exactly(&rows, NULL, NULL), LINPRED_SEPARATION_SEPARATED);
    rows.rows++;
    /* 0.1 + j times -3 is rounded: not a multiple of the others, and separable or not by an ulp in one column. */
    linpred_separation kind = settle_exactly(&rows, NULL, NULL);
    assert_int_equal(decide(&rows, NULL, NULL), kind);
    for (int j = 0; j < D; j++)
        z[COPIES * D + j] = -4 * z[j];
    int32_t count;
    assert_int_equal(decide(&rows, &count, NULL), LINPRED_SEPARATION_INSEPARABLE);
    assert_int_equal(count, 2);
    free(z);
    /* More columns than rows, sparse, most columns empty. */
    const int64_t start[] = {0, 2, 4, 7};
    const int32_t indices[] = {5, 40000, 5, 30000, 5, 30000, 40000};
    const double values[] = {1, 2, 1, -1, -2, 1, -2};
    linpred__rows sparse = {3, 47000, values, start, indices, NULL};
    assert_int_equal(decide(&sparse, &count, NULL), LINPRED_SEPARATION_INSEPARABLE);
    assert_int_equal(count, 3);
    const double other[] = {1, 2, 1, -1, -2, 1, -2.0000000000000004};
    sparse.values = other;
    assert_int_equal(decide(&sparse, NULL, NULL), LINPRED_SEPARATION_SEPARATED);
}

/* z_1 = e_1, z_k = e_k - 2 e_(k-1): separable, with a margin that halves with every dimension. */
static void shrinking_margin(void **state)
{
    (void)state;
    for (int32_t d = 30; d <= 60; d += 30) {
        double *z = calloc((size_t)(d * d), sizeof *z);
        for (int32_t k = 0; k < d; k++) {
            z[k * d + k] = 1;
            if (k > 0)
                z[k * d + k - 1] = -2;
        }
        linpred__rows rows = dense(d, d, z);
        bool in_doubles;
        double t = seconds_now();
        assert_int_equal(decide(&rows, NULL, &in_doubles), LINPRED_SEPARATION_SEPARATED);
        assert_true(in_doubles);
        assert_int_equal(settle_exactly(&rows, &in_doubles, NULL), LINPRED_SEPARATION_SEPARATED);
        assert_true(in_doubles);
        printf("shrinking margin, %d columns: %.3f s\n", d, seconds_now() - t);
        free(z);
    }
}

static void random_gaussian(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 77);
    static const int32_t dimension[] = {10, 20, 50, 100};
    for (size_t k = 0; k < sizeof dimension / sizeof dimension[0]; k++) {
        int32_t d = dimension[k], n = 4 * d;
        double *z = malloc((size_t)(n * d) * sizeof *z);
        for (int32_t i = 0; i < n * d; i++)
            z[i] = linpred__random_normal(&random);
        linpred__rows rows = dense(n, d, z);
        int32_t count;
        double t = seconds_now();
        assert_int_equal(decide(&rows, &count, NULL), LINPRED_SEPARATION_INSEPARABLE);
        assert_int_equal(count, d + 1);
        printf("gaussian, %d rows x %d: linear program and proof %.3f s", n, d, seconds_now() - t);
        /* Half as many rows: on the edge of separability, so that the simplex has something to do. */
        rows.rows = 2 * d;
        t = seconds_now();
        linpred_separation kind = decide(&rows, NULL, NULL);
        printf("; %d rows: %s %.3f s", 2 * d, kind == LINPRED_SEPARATION_SEPARATED ? "separated" : "inseparable",
               seconds_now() - t);
        if (d <= 20) {
            int32_t pivots;
            t = seconds_now();
            assert_int_equal(settle_exactly(&rows, NULL, &pivots), kind);
            printf("; without help %.3f s, %d pivots", seconds_now() - t, pivots);
        }
        printf("\n");
        free(z);
    }
}

/* Full mantissas, touching by construction: row d+1 is minus a combination of the others that doubles cannot hold
   exactly, then exactly. Floating point sees the same thing twice. */
static void borderline_at_full_width(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 9);
    for (int32_t d = 10; d <= 60; d += 25) {
        int32_t n = d + 1;
        double *z = malloc((size_t)(n * d) * sizeof *z);
        for (int32_t i = 0; i < d * d; i++)
            z[i] = linpred__random_normal(&random);
        for (int32_t j = 0; j < d; j++) {
            double sum = 0;
            for (int32_t i = 0; i < d; i++)
                sum += z[i * d + j];
            z[d * d + j] = -sum;
        }
        linpred__rows rows = dense(n, d, z);
        double t = seconds_now();
        linpred_separation kind = decide(&rows, NULL, NULL);
        double first = seconds_now() - t;
        /* d + 1 rows in general position: one dependency; its signs decide, and they are plain here. */
        assert_int_equal(kind, LINPRED_SEPARATION_INSEPARABLE);
        /* Moved by an ulp along a single row the dependency changes its numbers, not its signs; a copy of a row with
           the other label and one ulp off leaves a sliver. */
        double *y = malloc((size_t)(2 * d) * sizeof *y);
        memcpy(y, z, (size_t)d * sizeof *y);
        for (int32_t j = 0; j < d; j++)
            y[d + j] = -y[j];
        y[d] = nextafter(y[d], 10);
        rows = dense(2, d, y);
        bool in_doubles;
        assert_int_equal(decide(&rows, NULL, &in_doubles), LINPRED_SEPARATION_SEPARATED);
        printf("full width, %d columns: %.3f s; sliver %s\n", d, first, in_doubles ? "in doubles" : "in integers");
        free(y);
        free(z);
    }
}

/* Integers of 45 bits, every row within 4 units of the hyperplane <v,z> = 0: relative to the rows less than any
   tolerance. On its positive side they are separable; with some on it they are not, but for those few. */
static void near_a_hyperplane(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 6);
    for (int32_t d = 10; d <= 60; d += 25)
        for (int lowest = 0; lowest <= 1; lowest++) {
            int32_t n = 10 * d;
            double *z = malloc((size_t)(n * d) * sizeof *z);
            for (int32_t i = 0; i < n; i++) {
                double sum = 0;
                for (int32_t j = 0; j + 1 < d; j++) {
                    z[i * d + j] = (double)linpred__random_below(&random, UINT64_C(1) << 45) - 0x1p44;
                    sum += (1 + j % 3) * z[i * d + j]; /* below 2^53: exact */
                }
                z[i * d + d - 1] = lowest + (double)linpred__random_below(&random, 4) - sum;
            }
            linpred__rows rows = dense(n, d, z);
            double t = seconds_now();
            bool in_doubles;
            assert_int_equal(decide(&rows, NULL, &in_doubles),
                             lowest ? LINPRED_SEPARATION_SEPARATED : LINPRED_SEPARATION_INSEPARABLE);
            assert_true(!lowest || in_doubles);
            printf("near a hyperplane, %d rows x %d: %s, %.3f s\n", n, d, lowest ? "separated" : "inseparable",
                   seconds_now() - t);
            free(z);
        }
}

/* Every allocation fails in its turn: an error each time, nothing lost, and in the end the answer. */
static long countdown;

static void *failing_reallocate(void *context, void *memory, size_t bytes)
{
    (void)context;
    return countdown-- == 0 ? NULL : realloc(memory, bytes);
}

static void plain_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void memory_runs_out(void **state)
{
    (void)state;
    const double z[] = {1, 2, 0, -1, 0, 1, 0, -2, -1, 3, 1, 1, 2, 2, 2, 1, 0, 0};
    linpred__rows rows = dense(6, 3, z);
    linpred_allocator allocator = {sizeof(linpred_allocator), failing_reallocate, plain_release, NULL};
    linpred_set_allocator(&allocator);
    int failures = 0;
    for (long k = 0; k < 10000; k++) {
        linpred__working_rows *s = NULL;
        linpred__exact_answer answer = {0};
        linpred__working_separation three = {0};
        linpred__effort effort = {0};
        linpred_error error;
        countdown = k;
        linpred_status status = linpred__working_rows_open(3, NULL, &s, &error);
        if (status == LINPRED_OK)
            status = linpred__working_rows_add(s, &rows, 0, 6, &error);
        if (status == LINPRED_OK)
            status = linpred__working_rows_certify(s, &effort, &answer, &error);
        if (status == LINPRED_OK)
            status = linpred__working_rows_three_way(s, &effort, &three, &error);
        linpred__exact_answer_close(&answer);
        linpred__working_rows_close(s);
        if (status != LINPRED_OK)
            assert_int_equal(status, LINPRED_ERROR_MEMORY);
        else
            check_three_way(&rows, &three);
        linpred__working_separation_close(&three);
        if (status == LINPRED_OK && countdown >= 0)
            break;
        failures++;
    }
    linpred_set_allocator(NULL);
    assert_true(failures > 50 && failures < 9000);
}

/* ---- parts
 * ------------------------------------------------------------------------------------------------------------ */

static void lifting_solves(void **state)
{
    (void)state;
    linpred__random random;
    linpred__random_seed(&random, 3);
    for (int instance = 0; instance < 200; instance++) {
        int32_t d = 1 + (int32_t)linpred__random_below(&random, 8);
        double z[64];
        int32_t use[8];
        for (int32_t i = 0; i < d * d; i++)
            z[i] = ldexp(linpred__random_normal(&random), instance % 3 ? (int)linpred__random_below(&random, 200) : 0);
        for (int32_t i = 0; i < d; i++)
            use[i] = i;
        linpred__rows rows = dense(d, d, z);
        linpred__integral integral;
        linpred__modular_basis basis;
        assert_true(linpred__integral_open(&rows, use, d, &integral));
        assert_true(linpred__modular_basis_open(&integral, &basis));
        for (int32_t i = 0; i < d; i++) {
            int32_t column = linpred__modular_basis_express(&basis, i);
            assert_true(column >= 0);
            linpred__modular_basis_grow(&basis, i, column);
        }
        if (instance % 5 == 0)
            assert_true(linpred__modular_basis_change_prime(&basis));
        linpred__integers right;
        linpred__fractions x;
        linpred__effort effort = {0};
        bool solved;
        assert_true(linpred__integers_open(d, &right));
        assert_true(linpred__fractions_open(d, &x));
        for (int32_t i = 0; i < d; i++)
            mpz_set_si(right.value[i], (long)linpred__random_below(&random, 100) - 50);
        bool transposed = instance % 2;
        assert_int_equal(linpred__modular_basis_solve(&basis, transposed, &right, &x, &effort, &solved), LINPRED_OK);
        assert_true(solved);
        assert_true(mpz_sgn(x.denominator) > 0);
        mpz_t sum, entry;
        mpz_init(sum);
        mpz_init(entry);
        for (int32_t i = 0; i < d; i++) {
            mpz_mul(sum, x.denominator, right.value[i]);
            for (int32_t j = 0; j < d; j++) {
                int64_t e =
                    linpred__integral_find(&integral, basis.row[transposed ? j : i], basis.column[transposed ? i : j]);
                if (e < 0)
                    continue;
                linpred__integral_get(&integral, e, entry);
                mpz_submul(sum, entry, x.numerator.value[j]);
            }
            assert_int_equal(mpz_sgn(sum), 0);
        }
        mpz_clear(sum);
        mpz_clear(entry);
        linpred__integers_close(&right);
        linpred__fractions_close(&x);
        linpred__modular_basis_close(&basis);
        linpred__integral_close(&integral);
    }
}

static void primes_are_prime(void **state)
{
    (void)state;
    mpz_t p;
    mpz_init(p);
    for (int k = 0; k < LINPRED__PRIMES; k++) {
        linpred__mpz_set_uint64(p, linpred__prime(k));
        assert_true(mpz_probab_prime_p(p, 30) > 0);
        assert_true(linpred__prime(k) >> LINPRED__PRIME_BITS == 1);
    }
    mpz_clear(p);
}

/* The smallest and the largest exponents that a double can have, in the columns of a span. */
static void span_of_extreme_rows(void **state)
{
    (void)state;
    const double values[] = {0x1p-1074, 0x1p1022, 0x1p-1074, 3 * 0x1p-1074, 3 * 0x1p1021, 0x1p-1073};
    linpred__rows rows = dense(2, 3, values);
    const int32_t member[] = {0, 1};
    const double inside[] = {0x1p-1072, 0x1p1023 * 1.25, 3 * 0x1p-1074}; /* the sum of the two */
    const double outside[] = {0x1p-1072, 0x1p1023 * 1.25, 0x1p-1074};
    linpred__span *span;
    assert_int_equal(linpred__span_open(&rows, member, 2, 7, &span, NULL), LINPRED_OK);
    linpred__entries row = {3, values, NULL};
    assert_true(linpred__span_may_hold(span, &row));
    row.values = inside;
    assert_true(linpred__span_may_hold(span, &row));
    row.values = outside;
    assert_false(linpred__span_may_hold(span, &row));
    linpred__span_close(span);
}

static void effort_runs_out(void **state)
{
    (void)state;
    enum { D = 20, N = 40 };
    double z[N * D];
    linpred__random random;
    linpred__random_seed(&random, 4);
    for (int i = 0; i < N * D; i++)
        z[i] = linpred__random_normal(&random);
    linpred__rows rows = dense(N, D, z);
    linpred__exact_question question = {.rows = &rows};
    linpred__exact_answer answer;
    linpred__effort effort = {.limit = 20000};
    assert_int_equal(linpred__exact_lp(&question, &effort, &answer, NULL), LINPRED_OK);
    assert_int_equal(answer.kind, LINPRED_SEPARATION_UNDECIDED);
    assert_true(effort.over);
    linpred__exact_answer_close(&answer);
}

static void text_of_integers(void **state)
{
    (void)state;
    linpred__integers v;
    assert_true(linpred__integers_open(2, &v));
    mpz_ui_pow_ui(v.value[0], 10, 40);
    mpz_set_si(v.value[1], -7);
    char *text = linpred__integers_text(&v, 0);
    assert_string_equal(text, "10000000000000000000000000000000000000000");
    linpred__release(text);
    text = linpred__integers_text(&v, 1);
    assert_string_equal(text, "-7");
    linpred__release(text);
    long exponent;
    double fraction = linpred__integer_fraction(v.value[0], &exponent);
    assert_true(ldexp(fraction, (int)exponent) == 1e40);
    linpred__integer_fraction(v.value[1], &exponent);
    assert_int_equal(exponent, 3);
    linpred__integers_close(&v);
}

/* Entries of one column add up: (1 + 2^-60, 1), (1, 2), and twice the first minus three times the second. */
static void dependency_of_sums(void **state)
{
    (void)state;
    const double values[] = {1, 0x1p-60, 1, 1, 2, -1, 0x1p-59, -4};
    const int64_t start[] = {0, 3, 5, 8};
    const int32_t indices[] = {0, 0, 1, 0, 1, 0, 0, 1};
    linpred__rows rows = {.rows = 3, .columns = 2, .values = values, .start = start, .indices = indices};
    linpred__effort effort = {0};
    linpred__dependency found;
    assert_int_equal(linpred__find_dependency(&rows, &effort, &found, NULL), LINPRED_OK);
    assert_true(found.decided && found.rank == 2 && found.count == 3);
    long sign = mpz_sgn(found.weight.value[0]);
    assert_int_equal(sign * mpz_get_si(found.weight.value[0]), 2);
    assert_int_equal(sign * mpz_get_si(found.weight.value[1]), -3);
    assert_int_equal(sign * mpz_get_si(found.weight.value[2]), -1);
    linpred__dependency_close(&found);
}

/* Coordinates modulo the span of anchors exist only if the anchors are independent. */
static void dependent_anchors(void **state)
{
    (void)state;
    const double z[] = {1, 2, 3, 2, 4, 6, 1, 0, 0, 0, 1, 0};
    static const int32_t use[] = {2, 3}, anchor[] = {0, 1};
    linpred__rows rows = dense(4, 3, z);
    linpred__exact_question question = {.rows = &rows, .use = use, .used = 2, .anchor = anchor, .anchors = 2};
    linpred__effort effort = {0};
    linpred__coordinates *coordinates;
    assert_int_equal(linpred__coordinates_open(&question, &effort, &coordinates), LINPRED_OK);
    assert_null(coordinates);
    question.anchors = 1;
    assert_int_equal(linpred__coordinates_open(&question, &effort, &coordinates), LINPRED_OK);
    assert_non_null(coordinates);
    assert_int_equal(linpred__coordinates_rows(coordinates).columns, 2);
    linpred__coordinates_close(coordinates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependency_of_sums),   cmocka_unit_test(primes_are_prime),
        cmocka_unit_test(text_of_integers),     cmocka_unit_test(lifting_solves),
        cmocka_unit_test(small_instances),      cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(by_one_ulp),           cmocka_unit_test(touching_and_contradictory),
        cmocka_unit_test(copies_and_wide_rows), cmocka_unit_test(shrinking_margin),
        cmocka_unit_test(random_gaussian),      cmocka_unit_test(borderline_at_full_width),
        cmocka_unit_test(near_a_hyperplane),    cmocka_unit_test(effort_runs_out),
        cmocka_unit_test(memory_runs_out),      cmocka_unit_test(span_of_extreme_rows),
        cmocka_unit_test(dependent_anchors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
