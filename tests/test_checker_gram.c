/* The checker's Gram matrix of least squares and its test of dependencies on all rows, against plain loops: rows of
 * whole numbers, so that every sum is exact, in doubles and in double-double, dense and sparse, with units and powers.
 */
#include "fit_support.h"
#include "process_support.h"

#include <float.h>

#include "check/regression/polynomials.h"
#include "check/regression/squares.h"
#include "core/memory.h"

enum { COLUMNS = 4, MOST = 7 };

/* What is asked of rows (a, b, c, d), of which b is a multiple of a, and d of c. */
struct gram_case {
    int64_t rows;
    bool sparse, intercept, weighted, careful, scaled, powers;
    int pair[2]; /* how the dependencies of both pairs of columns hold; -1: there is none */
    int64_t off; /* the row in which one is broken */
    bool large;  /* rows are multiplied by whole numbers so large that doubles round their squares */
};

/* How a dependency may hold: the bits of what fails. */
enum { HOLDS = 0, ONLY_WHOLE = 1, ONLY_STATED = 2, BROKEN = 3 };
static const double off_half = 0.5 + 0x1p-45;

struct gram_problem {
    sample rows;
    linpred_data *data;
    linpred__regression regression;
    linpred__squares_problem problem;
    linpred__polynomial polynomial;
    double centre[2], step[2], vector[2 * MOST], whole[2 * MOST], row_error[MOST];
    int32_t term_of[COLUMNS];
    int exponent[MOST];
    linpred__squares_null null;
};

static void fill_pair(const struct gram_case *asked, sample *rows, int64_t i, int pair, linpred__random *random)
{
    double *x = rows->values + i * COLUMNS + 2 * pair, a = (double)linpred__random_below(random, 7) - 3.0;
    bool off = asked->pair[pair] == BROKEN && i == asked->off;
    x[0] = off ? 2.0 : asked->pair[pair] == ONLY_STATED ? -off_half * a : a;
    x[1] = off ? 7.0 : asked->pair[pair] == ONLY_STATED ? a : 3.0 * a;
}

static void state_pair(const struct gram_case *asked, struct gram_problem *s, int pair)
{
    size_t at = (size_t)s->regression.dependencies.count * s->problem.p + (size_t)s->term_of[2 * pair];
    size_t next = at + (asked->powers && pair == 0 ? 2 : 1);
    bool stated = asked->pair[pair] == ONLY_STATED, third = asked->pair[pair] == ONLY_WHOLE;
    if (asked->pair[pair] < 0)
        return;
    s->vector[at] = stated || third ? 1.0 : 3.0;
    s->vector[next] = stated ? off_half : third ? -1.0 / 3.0 : -1.0;
    s->whole[at] = stated ? 2.0 : 3.0;
    s->whole[next] = stated ? 1.0 : -1.0;
    s->regression.dependencies.count++;
}

static void open_gram(const struct gram_case *asked, struct gram_problem *s)
{
    linpred__random random;
    linpred__random_seed(&random, 8);
    *s = (struct gram_problem){.rows = sample_new(asked->rows, COLUMNS), .centre = {1.0, 2.0}, .step = {0.0, 3.0}};
    if (asked->weighted)
        s->rows.weights = calloc((size_t)asked->rows, sizeof(double));
    for (int64_t i = 0; i < asked->rows; i++) {
        fill_pair(asked, &s->rows, i, 0, &random);
        fill_pair(asked, &s->rows, i, 1, &random);
        for (int32_t j = 0; asked->large && j < COLUMNS; j++)
            s->rows.values[i * COLUMNS + j] *= (double)(40000000 + i);
        if (asked->weighted)
            s->rows.weights[i] = (double)((1 + i % 3) * (1 + i % 3)); /* squares: their roots are exact */
    }
    sample_index(&s->rows);
    s->data = sample_data(&s->rows, asked->sparse);
    for (int32_t j = 0; j < COLUMNS; j++)
        s->term_of[j] = j + (asked->powers && j > 0);
    s->polynomial = (linpred__polynomial){0, 0, 2, 1, s->centre, s->step};
    int32_t terms = COLUMNS + asked->powers;
    s->problem = (linpred__squares_problem){
        .data = s->data,
        .regression = &s->regression,
        .powers = {terms, COLUMNS, asked->intercept, asked->powers, &s->polynomial, s->term_of},
        .p = (size_t)(terms + asked->intercept),
        .plain = !asked->scaled && !asked->powers,
        .careful = asked->careful,
        .exponent = s->exponent,
        .penalty = {4.0, 0.0},
        .row_error = s->row_error};
    for (size_t j = 0; asked->scaled && j < s->problem.p; j++)
        s->exponent[j] = (int)j - 2;
    s->regression.dependencies.width = (int32_t)s->problem.p;
    s->regression.dependencies.vector = s->vector;
    state_pair(asked, s, 0);
    state_pair(asked, s, 1);
}

static void close_gram(struct gram_problem *s)
{
    linpred__release(s->problem.gram);
    linpred__release(s->problem.rational);
    linpred_data_free(s->data);
    sample_free(&s->rows);
}

static void run_gram(struct gram_problem *s)
{
    linpred__visitor visitor = linpred__gram_visitor(&s->problem);
    void *sums = calloc(1, visitor.state_bytes);
    linpred__release(s->problem.gram);
    linpred__release(s->problem.rational);
    memset(s->row_error, 0, sizeof s->row_error);
    assert_true(linpred__squares_open_null(&s->problem));
    assert_int_equal(linpred__pass_all(s->data, NULL, &visitor, &sums, 1, (linpred__cut){1, 0.0}, NULL), LINPRED_OK);
    assert_true(linpred__take_gram(&s->problem, sums, &s->null));
    visitor.clear(&s->problem, sums);
    free(sums);
}

/* ---- plain loops ---- */

/* The coordinates of row i before they are scaled, and bounds of their rounding. */
static void plain_row(const struct gram_case *asked, struct gram_problem *s, int64_t i, double *x, double *off)
{
    const double *cell = s->rows.values + i * COLUMNS;
    for (int32_t j = 0; j < COLUMNS; j++)
        x[s->term_of[j]] = cell[j];
    if (asked->powers) {
        x[0] = (cell[0] - 1.0) / 2.0;
        x[1] = (cell[0] - 2.0) / 2.0 * x[0] - (asked->intercept ? 3.0 : 0.0);
    }
    x[s->problem.powers.terms] = 1.0;
    linpred__block block = {.rows = 1, .columns = COLUMNS, .layout = LINPRED__DENSE, .values = cell, .stride = COLUMNS};
    linpred__row_in_basis_error(&s->problem.powers, &block, 0, x, off);
}

static void gram_is_the_sum(const struct gram_case *asked)
{
    struct gram_problem s;
    open_gram(asked, &s);
    run_gram(&s);
    size_t p = s.problem.p;
    double sum[MOST * MOST] = {0}, errors[MOST] = {0}, worst = 0.0;
    for (int64_t i = 0; i < asked->rows; i++) {
        double x[MOST], off[MOST], weight = asked->weighted ? s.rows.weights[i] : 1.0;
        plain_row(asked, &s, i, x, off);
        for (int32_t k = 0; k < s.regression.dependencies.count; k++) {
            long double along = 0.0L, size = 0.0L;
            for (size_t j = 0; j < p; j++) {
                along += (long double)x[j] * s.vector[(size_t)k * p + j];
                size += fabsl((long double)x[j] * s.vector[(size_t)k * p + j]);
            }
            worst = size > 0 ? fmax(worst, (double)(fabsl(along) / size)) : worst;
        }
        for (size_t j = 0; j < p; j++) {
            errors[j] += weight * ldexp(off[j], s.exponent[j]) * ldexp(off[j], s.exponent[j]);
            for (size_t k = 0; k < p; k++)
                sum[j * p + k] += weight * ldexp(x[j] * x[k], s.exponent[j] + s.exponent[k]);
        }
    }
    double rounding = asked->pair[0] == ONLY_STATED || asked->pair[1] == ONLY_STATED ? 1e-14 : 0.0;
    for (size_t j = 0; j < (size_t)s.problem.powers.terms; j++)
        sum[j * (p + 1)] += ldexp(4.0, 2 * s.exponent[j]);
    for (size_t j = 0; j < p; j++) {
        near(s.row_error[j], sqrt(errors[j]) * (1.0 + 1e-9), 1e-12);
        for (size_t k = 0; k < p; k++)
            assert_true(fabs(s.problem.gram[j * p + k].hi - sum[j * p + k]) <=
                        rounding * sqrt(sum[j * (p + 1)] * sum[k * (p + 1)]));
    }
    near(s.null.worst, worst, 1e-12);
    close_gram(&s);
}

static void gram_matrices_are_sums(void **state)
{
    (void)state;
    static const int64_t rows[] = {3, 700, 9000};
    for (int k = 0; k < 3 * 64; k++) {
        struct gram_case asked = {.rows = rows[k / 64],
                                  .sparse = k % 2,
                                  .intercept = k / 2 % 2,
                                  .weighted = k / 4 % 2,
                                  .careful = k / 8 % 2,
                                  .scaled = k / 16 % 2,
                                  .powers = k / 32 % 2 && !(k % 2),
                                  .pair = {-1, -1}};
        gram_is_the_sum(&asked);
    }
}

/* ---- dependencies ---- */

static void dependencies_are_judged(void **state)
{
    (void)state;
    enum { ROWS = 9000 };
    static const int64_t places[] = {0, ROWS / 2, ROWS - 1};
    for (int k = 0; k < 16 * 4 * 3; k++) {
        struct gram_case asked = {.rows = ROWS, .pair = {k % 4, k / 4 % 4}, .off = places[k / 64]};
        asked.sparse = k / 16 % 2;
        asked.careful = k / 32 % 2;
        struct gram_problem s;
        open_gram(&asked, &s);
        run_gram(&s);
        size_t p = s.problem.p;
        bool all_whole = !(asked.pair[0] & 2) && !(asked.pair[1] & 2);
        assert_int_equal(s.null.exact, asked.pair[0] != BROKEN && asked.pair[1] != BROKEN);
        assert_true(s.null.independent);
        for (size_t i = 0; i < 2; i++) {
            const double *wanted = all_whole || asked.pair[i] == ONLY_WHOLE ? s.whole : s.vector;
            assert_memory_equal(s.problem.rational + i * p, wanted + i * p, p * sizeof(double));
        }
        close_gram(&s);
        if (asked.sparse && asked.careful) {
            asked.rows = 300;
            asked.off = asked.off > 0 ? 299 : 0;
            gram_is_the_sum(&asked);
        }
    }
    /* One alone, in rows that are added entry by entry if there is none. */
    gram_is_the_sum(&(struct gram_case){.rows = 300, .sparse = true, .pair = {BROKEN, -1}, .off = 299});
    /* One dependency twice. */
    struct gram_problem s;
    open_gram(&(struct gram_case){.rows = 5, .pair = {HOLDS, HOLDS}}, &s);
    memcpy(s.vector + s.problem.p, s.vector, s.problem.p * sizeof(double));
    run_gram(&s);
    assert_true(s.null.exact && !s.null.independent);
    close_gram(&s);
}

/* Decimals are known to a part of their size. */
static void decimals_are_off(void **state)
{
    (void)state;
    struct gram_problem s;
    open_gram(&(struct gram_case){.rows = 50, .intercept = true, .careful = true, .pair = {-1, -1}}, &s);
    linpred__decimals *none = calloc(1, sizeof *none + COLUMNS);
    linpred__set_decimals(s.data, none);
    run_gram(&s);
    for (size_t j = 0; j < s.problem.p; j++)
        assert_true(s.row_error[j] == (j < COLUMNS ? 0x1p-103 * sqrt(s.problem.gram[j * (s.problem.p + 1)].hi) : 0.0));
    close_gram(&s);
    free(none);
}

/* ---- processes ---- */

static void find_gram(void *context, double *found)
{
    struct gram_problem *s = context;
    size_t p = s->problem.p;
    run_gram(s);
    memcpy(found, s->problem.gram, p * p * sizeof *s->problem.gram);
    found += 2 * p * p;
    memcpy(found, s->row_error, p * sizeof *found);
    found[p] = s->null.worst;
    found[p + 1] = s->null.exact;
    for (size_t i = 0; i < p * (size_t)s->regression.dependencies.count; i++)
        found[p + 2 + i] = s->problem.rational[i];
}

static void processes_change_no_bit(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        struct gram_case asked = {.rows = 20000, .intercept = true, .weighted = true, .large = true};
        asked.careful = k % 2;
        asked.powers = asked.scaled = k / 2 % 2;
        asked.pair[0] = asked.powers ? -1 : k / 4 ? ONLY_WHOLE : BROKEN;
        asked.pair[1] = k / 4 ? BROKEN : HOLDS;
        asked.off = asked.rows - 1;
        struct gram_problem s;
        open_gram(&asked, &s);
        size_t p = s.problem.p;
        assert_true(s.data->blocks > 3);
        processes_find_the_same(find_gram, &s, 2 * p * p + 3 * p + 2);
        close_gram(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gram_matrices_are_sums),
        cmocka_unit_test(dependencies_are_judged),
        cmocka_unit_test(decimals_are_off),
        cmocka_unit_test(processes_change_no_bit),
    };
    return cmocka_run_group_tests(tests, guard_memory, NULL);
}
