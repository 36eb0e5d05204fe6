/* Elimination in rationals. */
#include "solve/dense/rational_system.h"

#include "core/memory.h"

bool linpred__rationals_open(linpred__rationals *a, size_t rows, size_t columns)
{
    *a = (linpred__rationals){rows, columns, linpred__alloc(rows * columns, sizeof(mpq_t))};
    for (size_t i = 0; a->at && i < rows * columns; i++)
        mpq_init(a->at[i]);
    return a->at;
}

void linpred__rationals_close(linpred__rationals *a)
{
    for (size_t i = 0; a->at && i < a->rows * a->columns; i++)
        mpq_clear(a->at[i]);
    linpred__release(a->at);
    *a = (linpred__rationals){0};
}

void linpred__rational_set_dd(mpq_t x, linpred__dd d)
{
    mpq_t low;
    mpq_init(low);
    mpq_set_d(x, d.hi);
    mpq_set_d(low, d.lo);
    mpq_add(x, x, low);
    mpq_clear(low);
}

linpred__dd linpred__rational_get_dd(const mpq_t x)
{
    mpq_t rest;
    mpq_init(rest);
    double hi = mpq_get_d(x), lo = 0.0;
    if (hi - hi == 0.0) { /* finite */
        mpq_set_d(rest, hi);
        mpq_sub(rest, x, rest);
        lo = mpq_get_d(rest);
    }
    mpq_clear(rest);
    return linpred__two_sum(hi, lo);
}

/* Divides the row of the pivot by it, and takes it out of all other rows. */
static void take_pivot_out(linpred__rationals *a, size_t pivot, mpq_t factor, mpq_t term)
{
    size_t n = a->columns;
    mpq_inv(factor, a->at[pivot * n + pivot]);
    for (size_t k = pivot; k < n; k++)
        mpq_mul(a->at[pivot * n + k], a->at[pivot * n + k], factor);
    for (size_t i = 0; i < a->rows; i++) {
        if (i == pivot || mpq_sgn(a->at[i * n + pivot]) == 0)
            continue;
        mpq_set(factor, a->at[i * n + pivot]);
        for (size_t k = pivot; k < n; k++) {
            mpq_mul(term, factor, a->at[pivot * n + k]);
            mpq_sub(a->at[i * n + k], a->at[i * n + k], term);
        }
    }
}

bool linpred__rationals_solve(linpred__rationals *a)
{
    size_t n = a->columns;
    bool regular = true;
    mpq_t factor, term;
    mpq_init(factor);
    mpq_init(term);
    for (size_t j = 0; regular && j < a->rows; j++) {
        size_t p = j;
        while (p < a->rows && mpq_sgn(a->at[p * n + j]) == 0)
            p++;
        regular = p < a->rows;
        for (size_t k = 0; regular && p != j && k < n; k++)
            mpq_swap(a->at[p * n + k], a->at[j * n + k]);
        if (regular)
            take_pivot_out(a, j, factor, term);
    }
    mpq_clear(factor);
    mpq_clear(term);
    return regular;
}
