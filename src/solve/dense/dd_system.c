/* Square systems in double-double by iterative refinement (see the header). */
#include "solve/dense/dd_system.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"
#include "solve/dense/dd_qr.h"
#include "solve/limits.h"

static linpred__dd scaled(linpred__dd a, int exponent)
{
    return (linpred__dd){ldexp(a.hi, exponent), ldexp(a.lo, exponent)};
}

/* The exponent that brings the largest entry of column k to 1. */
static int column_exponent(const linpred__dd *matrix, size_t n, size_t k)
{
    double size = 0.0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(matrix[i * n + k].hi));
    return size > 0.0 && isfinite(size) ? -ilogb(size) : 0;
}

/* The same for row i. Rows of their own size would else be solved to the digits of the largest one only. */
static int row_exponent(const linpred__dd *matrix, size_t n, size_t i)
{
    double size = 0.0;
    for (size_t k = 0; k < n; k++)
        size = fmax(size, fabs(matrix[i * n + k].hi));
    return size > 0.0 && isfinite(size) ? -ilogb(size) : 0;
}

static bool factor_system(linpred__dd_system *system)
{
    int32_t n = system->n;
    size_t entries = (size_t)n * (size_t)n;
    system->factor = linpred__alloc(entries, sizeof(double));
    system->exchange = linpred__alloc((size_t)n, sizeof *system->exchange);
    if (!system->factor || !system->exchange)
        return false;
    for (size_t i = 0; i < entries; i++)
        system->factor[i] = system->matrix[i].hi;
    linpred__blas_enter();
    bool factored = LAPACKE_dgetrf_work(LAPACK_ROW_MAJOR, n, n, system->factor, n, system->exchange) == 0;
    linpred__blas_leave();
    if (!factored) {
        linpred__release(system->factor);
        system->factor = NULL;
    }
    return true;
}

bool linpred__dd_system_open(linpred__dd_system *system, int32_t n, const linpred__dd *matrix, double singular)
{
    size_t size = (size_t)n;
    *system = (linpred__dd_system){.n = n, .singular = singular};
    system->matrix = linpred__alloc(size * size, sizeof *system->matrix);
    system->exponent = linpred__alloc(size, sizeof *system->exponent);
    system->row_exponent = linpred__alloc(size, sizeof *system->row_exponent);
    bool made = system->matrix && system->exponent && system->row_exponent;
    for (size_t k = 0; made && k < size; k++) {
        system->exponent[k] = column_exponent(matrix, size, k);
        for (size_t i = 0; i < size; i++)
            system->matrix[i * size + k] = scaled(matrix[i * size + k], system->exponent[k]);
    }
    for (size_t i = 0; made && i < size; i++) {
        system->row_exponent[i] = row_exponent(system->matrix, size, i);
        for (size_t k = 0; k < size; k++)
            system->matrix[i * size + k] = scaled(system->matrix[i * size + k], system->row_exponent[i]);
    }
    made = made && (n < LINPRED__REFINED_SYSTEM || factor_system(system));
    if (!made)
        linpred__dd_system_close(system);
    return made;
}

void linpred__dd_system_close(linpred__dd_system *system)
{
    linpred__release(system->matrix);
    linpred__release(system->exponent);
    linpred__release(system->row_exponent);
    linpred__release(system->factor);
    linpred__release(system->exchange);
    *system = (linpred__dd_system){0};
}

/* rest = right - A x, or right - A'x, in double-double. */
static void residual(const linpred__dd_system *system, bool transposed, const linpred__dd *right, const linpred__dd *x,
                     linpred__dd *rest)
{
    size_t n = (size_t)system->n;
    memcpy(rest, right, n * sizeof *rest);
    for (size_t i = 0; i < n; i++) {
        const linpred__dd *row = system->matrix + i * n;
        for (size_t j = 0; j < n; j++) {
            size_t from = transposed ? i : j, to = transposed ? j : i;
            rest[to] = linpred__dd_add(rest[to], linpred__dd_negate(linpred__dd_multiply(row[j], x[from])));
        }
    }
}

static double largest_entry(size_t n, const double *x)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fabs(x[i]) <= largest ? largest : fabs(x[i]); /* NaN stays */
    return largest;
}

/* Whether refinement converged. */
static bool refine(const linpred__dd_system *system, bool transposed, const linpred__dd *right, linpred__dd *x,
                   linpred__dd *rest, double *step)
{
    size_t n = (size_t)system->n;
    double before = INFINITY, size = 0.0;
    memset(x, 0, n * sizeof *x);
    for (int round = 0; round < LINPRED__REFINEMENT_ROUNDS; round++) {
        residual(system, transposed, right, x, rest);
        for (size_t i = 0; i < n; i++)
            step[i] = rest[i].hi;
        LAPACKE_dgetrs_work(LAPACK_ROW_MAJOR, transposed ? 'T' : 'N', system->n, 1, system->factor, system->n,
                            system->exchange, step, 1);
        double change = largest_entry(n, step);
        for (size_t i = 0; i < n; i++) {
            x[i] = linpred__dd_add_double(x[i], step[i]);
            size = fmax(size, fabs(x[i].hi));
        }
        if (change <= LINPRED__REFINED_ENOUGH * size)
            return true;
        if (!(change <= 0.25 * before)) /* what is left is the rounding of the residual */
            return change <= LINPRED__REFINED_AT_LEAST * size;
        before = change;
    }
    return false;
}

static bool solve_by_qr(const linpred__dd_system *system, bool transposed, const linpred__dd *right, linpred__dd *x)
{
    size_t n = (size_t)system->n, entries = n + 1;
    linpred__dd *r = linpred__calloc(entries * entries, sizeof *r);
    linpred__dd *row = linpred__alloc(entries, sizeof *row);
    int32_t *turn = linpred__alloc(n, sizeof *turn);
    linpred__dd_solution s = {0};
    bool complete = r && row && turn;
    for (size_t i = 0; complete && i < n; i++) {
        for (size_t j = 0; j < n; j++)
            row[j] = system->matrix[transposed ? j * n + i : i * n + j];
        row[n] = right[i];
        turn[i] = (int32_t)i;
        linpred__dd_qr_absorb((int32_t)entries, r, 1, 1, row);
    }
    complete = complete && linpred__dd_solve(system->n, r, turn, system->singular, NULL, &s);
    if (complete)
        memcpy(x, s.w, n * sizeof *x);
    linpred__dd_solution_clear(&s);
    linpred__release(r);
    linpred__release(row);
    linpred__release(turn);
    return complete;
}

/* Solves with the scaled rows and columns. */
static bool solve_scaled(const linpred__dd_system *system, bool transposed, const linpred__dd *right, linpred__dd *x)
{
    size_t n = (size_t)system->n;
    if (!system->factor)
        return solve_by_qr(system, transposed, right, x);
    linpred__dd *rest = linpred__alloc(n, sizeof *rest);
    double *step = linpred__alloc(n, sizeof *step);
    bool made = rest && step;
    linpred__blas_enter();
    bool converged = made && refine(system, transposed, right, x, rest, step);
    linpred__blas_leave();
    linpred__release(rest);
    linpred__release(step);
    return made && (converged || solve_by_qr(system, transposed, right, x));
}

bool linpred__dd_system_solve(const linpred__dd_system *system, bool transposed, const linpred__dd *right,
                              linpred__dd *x)
{
    size_t n = (size_t)system->n;
    linpred__dd *own = linpred__alloc(n, sizeof *own);
    for (size_t k = 0; own && k < n; k++)
        own[k] = scaled(right[k], transposed ? system->exponent[k] : system->row_exponent[k]);
    bool made = own && solve_scaled(system, transposed, own, x);
    for (size_t k = 0; made && k < n; k++)
        x[k] = scaled(x[k], transposed ? system->row_exponent[k] : system->exponent[k]);
    linpred__release(own);
    return made;
}
