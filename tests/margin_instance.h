/* Instances for the tests of the least-distance solver, and a proof of its answers from outside.
 *
 * Every answer is certified again with exact sums: the margin that w achieves, the bound that the multipliers prove,
 * the gap between them, and Σ α y = 0 where the form demands it. */
#ifndef LINPRED_TESTS_MARGIN_INSTANCE_H
#define LINPRED_TESTS_MARGIN_INSTANCE_H

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

#include "num/exact_sum.h"
#include "core/random.h"
#include "linpred/linpred.h"
#include "solve/least_distance/least_distance.h"

/* ---- instances --------------------------------------------------------------------------------------------------- */

typedef struct instance {
    int64_t rows;
    int32_t columns;
    int64_t *start;
    int32_t *index;
    double *value;
    double *label;
    int64_t entries;
} instance;

static inline instance make(int32_t columns)
{
    instance a = {0, columns, calloc(1, sizeof(int64_t)), NULL, NULL, NULL, 0};
    return a;
}

static inline void put_entry(instance *a, int32_t column, double value)
{
    if ((a->entries & (a->entries - 1)) == 0) { /* capacity doubles at powers of two */
        size_t capacity = a->entries ? 2 * (size_t)a->entries : 1;
        a->index = realloc(a->index, capacity * sizeof *a->index);
        a->value = realloc(a->value, capacity * sizeof *a->value);
    }
    a->index[a->entries] = column;
    a->value[a->entries++] = value;
}

static inline void end_row(instance *a, double label)
{
    a->rows++;
    a->start = realloc(a->start, (size_t)(a->rows + 1) * sizeof *a->start);
    a->label = realloc(a->label, (size_t)a->rows * sizeof *a->label);
    a->start[a->rows] = a->entries;
    a->label[a->rows - 1] = label;
}

static inline void put_row(instance *a, const double *x, double label)
{
    for (int32_t j = 0; j < a->columns; j++)
        put_entry(a, j, x[j]);
    end_row(a, label);
}

static inline void discard(instance *a)
{
    free(a->start);
    free(a->index);
    free(a->value);
    free(a->label);
}

static inline double *dense(const instance *a)
{
    double *x = calloc((size_t)(a->rows * a->columns) + 1, sizeof *x);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
            x[i * a->columns + a->index[k]] = a->value[k];
    return x;
}

/* Normal rows, labelled by a hidden halfspace, none nearer to it than `margin`. */
static inline instance separable(linpred__random *random, int64_t rows, int32_t columns, double margin)
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

/* ---- certifying an answer from outside --------------------------------------------------------------------------- */

typedef struct proof {
    double margin;
    double bound;
    double gap;
} proof;

static inline double exact_norm(const double *v, int64_t n, double extra)
{
    linpred__exact sum;
    linpred__exact_clear(&sum);
    for (int64_t j = 0; j < n; j++)
        linpred__exact_add(&sum, v[j], v[j]);
    linpred__exact_add(&sum, extra, extra);
    return sqrt(linpred__exact_value(&sum));
}

static inline double exact_margin(const instance *a, linpred__margin_form form, const linpred__distance_answer *answer)
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
    double b = form == LINPRED__FORM_HOMOGENEOUS ? answer->intercept : 0.0;
    return smallest / exact_norm(answer->weights, a->columns, b);
}

/* ||Σ α z|| / Σ α; `intercept` tells whether Σ α y counts. */
static inline double exact_bound(const instance *a, bool intercept, const linpred__distance_answer *answer,
                                 int *balance)
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
static inline proof prove(const instance *a, linpred__margin_form form, const linpred__distance_answer *answer)
{
    proof p;
    int balance;
    p.margin = exact_margin(a, form, answer);
    p.bound = exact_bound(a, form == LINPRED__FORM_HOMOGENEOUS, answer, &balance);
    p.gap = p.bound / p.margin - 1.0;
    if (form == LINPRED__FORM_WITHOUT_INTERCEPT)
        assert_int_equal(balance, 0);
    assert_true(answer->margin <= p.margin * (1.0 + 0x1p-50));
    assert_true(answer->margin_bound >= p.bound * (1.0 - 0x1p-50));
    assert_true(p.margin <= 0.0 ? isinf(answer->gap) : answer->gap >= p.gap - 0x1p-50 && answer->gap <= p.gap + 1e-12);
    return p;
}

static inline linpred__least_distance *open_with(const instance *a, linpred__margin_form form, bool as_dense)
{
    linpred__least_distance *problem = NULL;
    assert_int_equal(linpred__least_distance_open(a->columns, form, &problem, NULL), LINPRED_OK);
    if (as_dense) {
        double *x = dense(a);
        assert_int_equal(linpred__least_distance_add_dense(problem, a->rows, x, a->columns, a->label, NULL),
                         LINPRED_OK);
        free(x);
    } else {
        assert_int_equal(
            linpred__least_distance_add_sparse(problem, a->rows, a->start, a->index, a->value, a->label, NULL),
            LINPRED_OK);
    }
    return problem;
}

static inline linpred__distance_answer solve(linpred__least_distance *problem)
{
    linpred__distance_outcome outcome;
    assert_int_equal(linpred__least_distance_solve(problem, 0, &outcome, NULL), LINPRED_OK);
    linpred__distance_answer answer = linpred__least_distance_answer(problem);
    assert_int_equal(answer.outcome, outcome);
    return answer;
}

/* Solves, certifies, and answers B. */
static inline double norm_of(const instance *a, linpred__margin_form form, bool as_dense, double gap)
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

static inline void assert_near(double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * fabs(b)))
        print_message("%.17g is not %.17g within %.3g\n", a, b, relative);
    assert_true(fabs(a - b) <= relative * fabs(b));
}

static inline void check_ray(const instance *a, linpred__margin_form form, linpred__distance_answer *answer)
{
    int balance;
    assert_true(answer->support > 0);
    double epsilon = exact_bound(a, form != LINPRED__FORM_ORIGIN, answer, &balance);
    assert_true(epsilon <= 1e-20);
    assert_true(answer->margin_bound >= epsilon && answer->margin_bound <= 1e-20);
}

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
