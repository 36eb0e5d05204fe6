/* Matrices of rationals, and the rows of a case in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nasty.h"

rationals rationals_open(int rows, int columns)
{
    rationals a = {rows, columns, malloc(((size_t)rows * (size_t)columns + 1) * sizeof(mpq_t))};
    for (int i = 0; i < rows * columns; i++)
        mpq_init(a.entry[i]);
    return a;
}

void rationals_close(rationals *a)
{
    for (int i = 0; i < a->rows * a->columns; i++)
        mpq_clear(a->entry[i]);
    free(a->entry);
    *a = (rationals){0};
}

int rationals_reduce(rationals *a, int *pivot)
{
    int rank = 0;
    mpq_t factor, term;
    mpq_inits(factor, term, NULL);
    for (int j = 0; j < a->columns && rank < a->rows; j++) {
        int p = rank;
        while (p < a->rows && mpq_sgn(*at(a, p, j)) == 0)
            p++;
        if (p == a->rows)
            continue;
        for (int k = 0; k < a->columns; k++)
            mpq_swap(*at(a, p, k), *at(a, rank, k));
        mpq_inv(factor, *at(a, rank, j));
        for (int k = 0; k < a->columns; k++)
            mpq_mul(*at(a, rank, k), *at(a, rank, k), factor);
        for (int i = 0; i < a->rows; i++) {
            if (i == rank || mpq_sgn(*at(a, i, j)) == 0)
                continue;
            mpq_set(factor, *at(a, i, j));
            for (int k = j; k < a->columns; k++) {
                mpq_mul(term, factor, *at(a, rank, k));
                mpq_sub(*at(a, i, k), *at(a, i, k), term);
            }
        }
        pivot[rank++] = j;
    }
    mpq_clears(factor, term, NULL);
    return rank;
}

rationals rationals_columns(const rationals *a, const int *column, int count)
{
    rationals b = rationals_open(a->rows, count);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < count; j++)
            mpq_set(*at(&b, i, j), *at(a, i, column[j]));
    return b;
}

rationals rationals_product(const rationals *a, const rationals *b)
{
    rationals c = rationals_open(a->rows, b->columns);
    mpq_t term;
    mpq_init(term);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->columns; j++)
            for (int k = 0; k < a->columns; k++) {
                mpq_mul(term, *at(a, i, k), *at(b, k, j));
                mpq_add(*at(&c, i, j), *at(&c, i, j), term);
            }
    mpq_clear(term);
    return c;
}

/* ---- rows ---- */

/* A basis of all (w,b) with n'w = 0 for each dependency, as columns. Where all hold exactly, that restricts nothing. */
static rationals respecting(const linpred__dependencies *vectors, int width, bool has_intercept)
{
    int pivot[MAX_WIDTH];
    bool exact = true;
    for (int32_t k = 0; k < vectors->count; k++)
        exact = exact && vectors->exact[k];
    rationals n = rationals_open(exact ? 0 : vectors->count, width);
    for (int k = 0; k < n.rows; k++)
        for (int j = 0; j < width - has_intercept; j++)
            mpq_set_d(*at(&n, k, j), vectors->vector[(size_t)k * (size_t)width + (size_t)j]);
    int rank = rationals_reduce(&n, pivot);
    rationals basis = rationals_open(width, width - rank);
    for (int j = 0, to = 0; j < width; j++) {
        bool is_pivot = false;
        for (int k = 0; k < rank; k++)
            is_pivot = is_pivot || pivot[k] == j;
        if (is_pivot)
            continue;
        mpq_set_si(*at(&basis, j, to), 1, 1);
        for (int k = 0; k < rank; k++)
            mpq_neg(*at(&basis, pivot[k], to), *at(&n, k, j));
        to++;
    }
    rationals_close(&n);
    return basis;
}

/* The row of a case: features with their powers, one column after the other, then 1. */
static void write_row(const nasty_case *c, int i, int degree, rationals *x, int to)
{
    for (int j = 0; j < c->columns; j++)
        for (int k = 0; k < degree; k++) {
            mpq_set_d(*at(x, to, j * degree + k), c->x[i * c->columns + j]);
            if (k > 0)
                mpq_mul(*at(x, to, j * degree + k), *at(x, to, j * degree + k), *at(x, to, j * degree + k - 1));
        }
    if (!c->through_origin)
        mpq_set_si(*at(x, to, c->columns * degree), 1, 1);
}

/* Replaces x by what respects the dependencies, then by independent columns of it. */
static void reduce_columns(const linpred__dependencies *vectors, bool has_intercept, rationals *x)
{
    rationals basis = respecting(vectors, x->columns, has_intercept), all = rationals_product(x, &basis);
    rationals echelon = rationals_open(all.rows, all.columns);
    int pivot[MAX_WIDTH];
    for (int i = 0; i < all.rows * all.columns; i++)
        mpq_set(echelon.entry[i], all.entry[i]);
    int rank = rationals_reduce(&echelon, pivot);
    rationals_close(x);
    *x = rationals_columns(&all, pivot, rank);
    rationals_close(&echelon);
    rationals_close(&all);
    rationals_close(&basis);
}

bool exact_rows_open(const nasty_case *c, const linpred_result *result, bool reduced, exact_rows *rows)
{
    int degree = c->degree ? c->degree[0] - '0' : 1, width = c->columns * degree + !c->through_origin;
    const linpred__dependencies *vectors =
        result->model.regression ? &result->model.regression->dependencies : &result->dependencies;
    bool inexact = false;
    for (int32_t k = 0; k < vectors->count; k++)
        inexact = inexact || !vectors->exact[k];
    if (inexact && (degree > 1 || vectors->width != width)) /* the order of powers is another */
        return false;
    *rows = (exact_rows){0};
    mpq_init(rows->total);
    for (int i = 0; i < c->rows; i++)
        rows->rows += !c->weighted || c->weight[i] > 0;
    rows->x = rationals_open(rows->rows, width);
    for (int i = 0, to = 0; i < c->rows; i++) {
        if (c->weighted && !(c->weight[i] > 0))
            continue;
        mpq_inits(rows->y[to], rows->weight[to], NULL);
        mpq_set_d(rows->y[to], c->target[i]);
        mpq_set_d(rows->weight[to], c->weighted ? c->weight[i] : 1.0);
        mpq_add(rows->total, rows->total, rows->weight[to]);
        write_row(c, i, degree, &rows->x, to++);
    }
    if (reduced)
        reduce_columns(vectors, !c->through_origin, &rows->x);
    return true;
}

void exact_rows_close(exact_rows *rows)
{
    for (int i = 0; i < rows->rows; i++)
        mpq_clears(rows->y[i], rows->weight[i], NULL);
    mpq_clear(rows->total);
    rationals_close(&rows->x);
}
