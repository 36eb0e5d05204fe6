/* The simplex method of vertex.h. The inverse of the basis is dense; a move changes it by a matrix of rank one, and it
 * is computed anew every LINPRED__ABSOLUTE_REFRESH moves.
 */
#include "solve/absolute/vertex.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/fast.h"
#include "core/memory.h"
#include "solve/absolute/interior.h"
#include "solve/absolute/sign_changes.h"
#include "solve/absolute/limits.h"

struct absolute_simplex {
    linpred__absolute *problem;
    double *inverse;              /* B, the inverse of the basis rows of X; columns x columns by rows */
    double *slopes;               /* columns long: s = c + Σ a_i x_i over the rows outside the basis */
    double *along;                /* rows long: q, the residuals along the edge are r - t q */
    double *scratch;              /* 3 vectors, each columns long */
    lapack_int *pivot;            /* columns long: LAPACK's row exchanges */
    linpred__sign_change *change; /* rows long: the sign changes of an edge */
    bool *in_basis;               /* rows long */
    double reach;                 /* the largest t up to which sign changes are searched first */
};

static void clear_simplex(struct absolute_simplex *work)
{
    linpred__release(work->inverse);
    linpred__release(work->slopes);
    linpred__release(work->along);
    linpred__release(work->scratch);
    linpred__release(work->pivot);
    linpred__release(work->change);
    linpred__release(work->in_basis);
}

static bool make_simplex(struct absolute_simplex *work, linpred__absolute *problem)
{
    size_t n = (size_t)problem->columns, m = (size_t)problem->rows;
    *work = (struct absolute_simplex){.problem = problem, .reach = INFINITY};
    work->inverse = linpred__alloc(n * n, sizeof(double));
    work->slopes = linpred__alloc(n, sizeof(double));
    work->along = linpred__alloc(m, sizeof(double));
    work->scratch = linpred__alloc(3 * n, sizeof(double));
    work->pivot = linpred__alloc(n, sizeof(lapack_int));
    work->change = linpred__alloc(m, sizeof *work->change);
    work->in_basis = linpred__calloc(m, sizeof(bool));
    return work->inverse && work->slopes && work->along && work->scratch && work->pivot && work->change &&
           work->in_basis;
}

/* out_i = Σ_j d_j x_ij for all rows */
LINPRED__FAST static void multiply_by_rows(const double *x, int64_t rows, int32_t columns, const double *d,
                                           double *restrict out)
{
    const int64_t piece = LINPRED__ABSOLUTE_PIECE;
    for (int64_t from = 0; from < rows; from += piece) {
        int64_t end = from + piece < rows ? from + piece : rows;
        for (int64_t i = from; i < end; i++)
            out[i] = d[0] * x[i];
        for (int32_t j = 1; j < columns; j++) {
            const double *column = x + (int64_t)j * rows;
            double f = d[j];
            for (int64_t i = from; i < end; i++)
                out[i] += f * column[i];
        }
    }
}

LINPRED__FAST static void add_multiple(int64_t n, double a, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

/* sum += factor x_i */
static void add_multiple_of_row(const linpred__absolute *problem, int64_t i, double factor, double *sum)
{
    for (int32_t j = 0; j < problem->columns; j++)
        sum[j] += factor * problem->x[(int64_t)j * problem->rows + i];
}

/* The dual a_i of a row outside the basis. */
static double slope_of(const linpred__absolute *problem, int64_t i)
{
    return problem->residual[i] > 0 ? problem->up[i] : -problem->down[i];
}

/* s = c + Σ slope_i x_i. Each column is added in 8 partial sums, so that the loop can use vectors. */
LINPRED__FAST static void sum_slopes(const double *x, int64_t rows, int32_t columns, const double *slope,
                                     const double *c, double *sum)
{
    for (int32_t j = 0; j < columns; j++) {
        const double *column = x + (int64_t)j * rows;
        double lane[8] = {0};
        int64_t i = 0;
        for (; i + 8 <= rows; i += 8)
            for (int k = 0; k < 8; k++)
                lane[k] += slope[i + k] * column[i + k];
        for (int k = 0; i < rows; i++, k++)
            lane[k] += slope[i] * column[i];
        sum[j] = c[j] + (((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7])));
    }
}

/* Computes the inverse, w, the residuals and s from the basis alone. Returns false if its rows are dependent. */
static bool refresh(struct absolute_simplex *work)
{
    linpred__absolute *problem = work->problem;
    int32_t n = problem->columns;
    for (int32_t k = 0; k < n; k++)
        for (int32_t j = 0; j < n; j++)
            work->inverse[k * n + j] = problem->x[(int64_t)j * problem->rows + problem->basis[k]];
    linpred__blas_enter(); /* one thread, so that the bits do not depend on the number of threads */
    bool inverted = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, work->inverse, n, work->pivot) == 0 &&
                    LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, work->inverse, n, work->pivot) == 0;
    linpred__blas_leave();
    if (!inverted)
        return false;
    for (int32_t j = 0; j < n; j++) {
        problem->w[j] = 0.0;
        for (int32_t k = 0; k < n; k++)
            problem->w[j] += work->inverse[j * n + k] * problem->y[problem->basis[k]];
        if (!isfinite(problem->w[j]))
            return false;
    }
    multiply_by_rows(problem->x, problem->rows, n, problem->w, problem->residual);
    for (int64_t i = 0; i < problem->rows; i++)
        problem->residual[i] = problem->y[i] - problem->residual[i];
    for (int32_t k = 0; k < n; k++)
        problem->residual[problem->basis[k]] = 0.0;
    for (int64_t i = 0; i < problem->rows; i++)
        work->along[i] = work->in_basis[i] ? 0.0 : slope_of(problem, i);
    sum_slopes(problem->x, problem->rows, n, work->along, problem->c, work->slopes);
    return true;
}

/* Sets the duals of the basis to a = -B's. Returns the place in the basis whose edge is steepest for its length, -1 if
   no edge goes down. *up tells whether the residual of its row becomes positive along the edge; the slope is -*rate. */
static int32_t choose_leaving(const struct absolute_simplex *work, bool *up, double *rate)
{
    const linpred__absolute *problem = work->problem;
    int32_t n = problem->columns, best = -1;
    double *length = work->scratch, *size = work->scratch + n, steepest = 0.0;
    memset(problem->dual, 0, (size_t)n * sizeof(double));
    memset(work->scratch, 0, 2 * (size_t)n * sizeof(double));
    for (int32_t j = 0; j < n; j++)
        for (int32_t k = 0; k < n; k++) {
            double b = work->inverse[j * n + k];
            problem->dual[k] -= b * work->slopes[j];
            length[k] += b * b;
            size[k] += fabs(b * work->slopes[j]);
        }
    for (int32_t k = 0; k < n; k++) {
        int64_t i = problem->basis[k];
        double above = problem->dual[k] - problem->up[i], below = -problem->down[i] - problem->dual[k];
        double excess = fmax(above, below);
        double noise = LINPRED__ABSOLUTE_NOISE * DBL_EPSILON * (size[k] + problem->up[i] + problem->down[i]);
        double steepness = excess / sqrt(length[k]);
        if (excess > noise && steepness > steepest) {
            steepest = steepness;
            best = k;
            *up = above > below;
            *rate = excess;
        }
    }
    return best;
}

/* Whether q of a row is more than the rounding of its terms. Otherwise the row must not enter the basis. */
static bool moves(const struct absolute_simplex *work, int64_t row, const double *direction)
{
    const linpred__absolute *problem = work->problem;
    double size = 0.0;
    for (int32_t j = 0; j < problem->columns; j++)
        size += fabs(problem->x[(int64_t)j * problem->rows + row] * direction[j]);
    return fabs(work->along[row]) > LINPRED__ABSOLUTE_MIN_PIVOT * size;
}

/* Returns the place of the sign change at the lowest point of the edge, -1 if there is none. Its row is the one to
   enter the basis. Sign changes with smaller t are moved before it. */
static int64_t find_lowest(struct absolute_simplex *work, const double *direction, double rate)
{
    linpred__absolute *problem = work->problem;
    double reach = work->reach;
    for (;;) {
        int64_t count = linpred__find_sign_changes(problem, work->along, reach, work->change);
        int64_t at = linpred__lowest_sign_change(work->change, count, rate);
        if (at < 0 && isinf(reach))
            return -1;
        if (at < 0) {
            reach *= LINPRED__ABSOLUTE_NEXT_REACH;
            continue;
        }
        if (moves(work, work->change[at].row, direction)) {
            work->reach = fmax(LINPRED__ABSOLUTE_FIRST_REACH * work->change[at].t, DBL_MIN);
            return at;
        }
        work->along[work->change[at].row] = 0.0;
    }
}

/* Puts row `entering` at place k of the basis. B changes by a matrix of rank one. */
static void replace(struct absolute_simplex *work, int32_t k, int64_t entering)
{
    linpred__absolute *problem = work->problem;
    int32_t n = problem->columns;
    double *product = work->scratch; /* x_e' B */
    memset(product, 0, (size_t)n * sizeof(double));
    for (int32_t j = 0; j < n; j++) {
        double x = problem->x[(int64_t)j * problem->rows + entering];
        for (int32_t l = 0; l < n; l++)
            product[l] += x * work->inverse[j * n + l];
    }
    double pivot = product[k];
    for (int32_t j = 0; j < n; j++) {
        double factor = work->inverse[j * n + k] / pivot;
        for (int32_t l = 0; l < n; l++)
            work->inverse[j * n + l] -= factor * product[l];
        work->inverse[j * n + k] = factor;
    }
    work->in_basis[problem->basis[k]] = false;
    work->in_basis[entering] = true;
    problem->basis[k] = entering;
}

/* Moves along the edge of place k to its lowest point. Returns false if there is none, which only rounding can
   cause. */
static bool move(struct absolute_simplex *work, int32_t k, bool up, double rate)
{
    linpred__absolute *problem = work->problem;
    int32_t n = problem->columns;
    double *direction = work->scratch + 2 * n; /* dw/dt, for which the residual of row k becomes +t (up) or -t */
    for (int32_t j = 0; j < n; j++)
        direction[j] = up ? -work->inverse[j * n + k] : work->inverse[j * n + k];
    multiply_by_rows(problem->x, problem->rows, n, direction, work->along);
    int64_t at = find_lowest(work, direction, rate);
    if (at < 0)
        return false;
    double t = work->change[at].t;
    int64_t entering = work->change[at].row, leaving = problem->basis[k];
    for (int64_t e = 0; e < at; e++) { /* the duals of rows whose residual changes sign on the way */
        int64_t i = work->change[e].row;
        double change =
            problem->residual[i] > 0 ? -(problem->up[i] + problem->down[i]) : problem->up[i] + problem->down[i];
        add_multiple_of_row(problem, i, change, work->slopes);
    }
    add_multiple_of_row(problem, entering, -slope_of(problem, entering), work->slopes);
    add_multiple(problem->rows, -t, work->along, problem->residual);
    for (int64_t e = 0; e < at; e++) { /* if rounding left such a residual at 0 or with its old sign, mend it */
        int64_t i = work->change[e].row;
        if (problem->residual[i] * work->along[i] >= 0)
            problem->residual[i] = -copysign(DBL_MIN, work->along[i]);
    }
    for (int32_t l = 0; l < n; l++)
        problem->residual[problem->basis[l]] = 0.0;
    for (int32_t j = 0; j < n; j++)
        problem->w[j] += t * direction[j];
    replace(work, k, entering);
    problem->residual[entering] = 0.0;
    problem->residual[leaving] = up ? t : -t;
    add_multiple_of_row(problem, leaving, up ? problem->up[leaving] : -problem->down[leaving], work->slopes);
    return true;
}

static void run_simplex(struct absolute_simplex *work)
{
    linpred__absolute *problem = work->problem;
    /* A guard against cycles, which rounding could cause. */
    int64_t max_steps = 200 + 50 * (int64_t)problem->columns + 4 * problem->rows;
    int since = 0; /* steps since the last refresh */
    problem->optimal = false;
    for (problem->steps = 0; problem->steps < max_steps; problem->steps++) {
        bool up = false;
        double rate = 0.0;
        int32_t k = choose_leaving(work, &up, &rate);
        if (k < 0 && since == 0) {
            problem->optimal = true;
            return;
        }
        bool moved = k >= 0 && move(work, k, up, rate);
        if (k >= 0 && !moved && since == 0)
            return;
        /* An end is accepted only if inverse and residuals have just been computed anew. */
        if (++since >= LINPRED__ABSOLUTE_REFRESH || !moved) {
            if (!refresh(work))
                return;
            since = 0;
            if (problem->stop && problem->stop(problem->context))
                return;
        }
    }
}

static bool use_basis(struct absolute_simplex *work, const int64_t *basis)
{
    memset(work->in_basis, 0, (size_t)work->problem->rows * sizeof(bool));
    for (int32_t k = 0; k < work->problem->columns; k++) {
        work->problem->basis[k] = basis[k];
        work->in_basis[basis[k]] = true;
    }
    return refresh(work);
}

/* Begins with the basis of an interior point method if there is one, else with the basis given. False: its rows are
   dependent, or memory ran out (*no_memory). */
static bool begin_simplex(struct absolute_simplex *work, bool *no_memory)
{
    const linpred__absolute *problem = work->problem;
    size_t n = (size_t)problem->columns;
    int64_t *basis = linpred__alloc(2 * n, sizeof *basis), *proposed = basis + n;
    *no_memory = !basis;
    if (!basis)
        return false;
    bool found = false;
    memcpy(basis, problem->basis, n * sizeof *basis);
    if (!problem->near_optimum && problem->columns >= LINPRED__ABSOLUTE_INTERIOR_COLUMNS)
        *no_memory = !linpred__absolute_interior(problem, proposed, &found);
    bool begun = !*no_memory && ((found && use_basis(work, proposed)) || use_basis(work, basis));
    linpred__release(basis);
    return begun;
}

linpred__absolute_end linpred__absolute_solve(linpred__absolute *problem)
{
    struct absolute_simplex work;
    linpred__absolute_end end = LINPRED__ABSOLUTE_NO_MEMORY;
    bool no_memory;
    if (make_simplex(&work, problem)) {
        if (begin_simplex(&work, &no_memory)) {
            run_simplex(&work);
            end = LINPRED__ABSOLUTE_DONE;
        } else if (!no_memory) {
            end = LINPRED__ABSOLUTE_DEPENDENT;
        }
    }
    clear_simplex(&work);
    return end;
}
