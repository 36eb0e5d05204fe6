#include "solve/absolute/vertex.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"

/* Loops over columns of rows, compiled for several instruction sets. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define FAST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FAST
#endif

enum { REFRESH = 40 }; /* steps after which inverse and residuals are computed anew */

struct edge {
    double t;      /* where the row's residual changes sign */
    double weight; /* by how much the slope grows there */
    int64_t row;
};

struct work {
    linpred__absolute *problem;
    double *inverse; /* B = X_h^-1, columns x columns by rows */
    double *slopes;  /* s = Σ a_i x_i + c over rows outside the basis */
    double *along;   /* q = X (B e_k) for every row */
    double *row;     /* 3 x columns */
    lapack_int *pivot;
    struct edge *edge;
    bool *in_basis;
    double reach; /* how far to look for edges at first */
};

static void clear(struct work *work)
{
    linpred__release(work->inverse);
    linpred__release(work->slopes);
    linpred__release(work->along);
    linpred__release(work->row);
    linpred__release(work->pivot);
    linpred__release(work->edge);
    linpred__release(work->in_basis);
}

static bool make(struct work *work, linpred__absolute *problem)
{
    size_t n = (size_t)problem->columns, m = (size_t)problem->rows;
    *work = (struct work){.problem = problem, .reach = INFINITY};
    work->inverse = linpred__alloc(n * n, sizeof(double));
    work->slopes = linpred__alloc(n, sizeof(double));
    work->along = linpred__alloc(m, sizeof(double));
    work->row = linpred__alloc(3 * n, sizeof(double));
    work->pivot = linpred__alloc(n, sizeof(lapack_int));
    work->edge = linpred__alloc(m, sizeof *work->edge);
    work->in_basis = linpred__calloc(m, sizeof(bool));
    return work->inverse && work->slopes && work->along && work->row && work->pivot && work->edge && work->in_basis;
}

/* out_i = Σ_j d_j x_ij for all rows */
FAST static void multiply(const double *x, int64_t rows, int32_t columns, const double *d, double *restrict out)
{
    enum { PIECE = 512 }; /* rows whose sums stay in the nearest cache */
    for (int64_t from = 0; from < rows; from += PIECE) {
        int64_t end = from + PIECE < rows ? from + PIECE : rows;
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

FAST static void add_multiple(int64_t n, double a, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

static void add_row(const linpred__absolute *problem, int64_t i, double factor, double *sum)
{
    for (int32_t j = 0; j < problem->columns; j++)
        sum[j] += factor * problem->x[(int64_t)j * problem->rows + i];
}

static double slope_of(const linpred__absolute *problem, int64_t i)
{
    return problem->residual[i] > 0 ? problem->up[i] : -problem->down[i];
}

/* s anew from the signs of all residuals, column by column. */
FAST static void sum_slopes(const double *x, int64_t rows, int32_t columns, const double *slope, const double *c,
                            double *sum)
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

/* Inverse, w, residuals and s from the basis alone. False: its rows are not independent. */
static bool refresh(struct work *work)
{
    linpred__absolute *problem = work->problem;
    int32_t n = problem->columns;
    for (int32_t k = 0; k < n; k++)
        for (int32_t j = 0; j < n; j++)
            work->inverse[k * n + j] = problem->x[(int64_t)j * problem->rows + problem->basis[k]];
    if (LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, work->inverse, n, work->pivot) != 0 ||
        LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, work->inverse, n, work->pivot) != 0)
        return false;
    for (int32_t j = 0; j < n; j++) {
        problem->w[j] = 0.0;
        for (int32_t k = 0; k < n; k++)
            problem->w[j] += work->inverse[j * n + k] * problem->y[problem->basis[k]];
        if (!isfinite(problem->w[j]))
            return false;
    }
    multiply(problem->x, problem->rows, n, problem->w, problem->residual);
    for (int64_t i = 0; i < problem->rows; i++)
        problem->residual[i] = problem->y[i] - problem->residual[i];
    for (int32_t k = 0; k < n; k++)
        problem->residual[problem->basis[k]] = 0.0;
    for (int64_t i = 0; i < problem->rows; i++)
        work->along[i] = work->in_basis[i] ? 0.0 : slope_of(problem, i);
    sum_slopes(problem->x, problem->rows, n, work->along, problem->c, work->slopes);
    return true;
}

/* The duals a = -B's, and the basis place whose edge goes down fastest for its length; -1 if none does. `up` says
   whether its residual is to grow. `rate` is the slope. */
static int32_t choose_leaving(const struct work *work, bool *up, double *rate)
{
    const linpred__absolute *problem = work->problem;
    int32_t n = problem->columns, best = -1;
    double *length = work->row, *reach = work->row + n, steepest = 0.0;
    memset(problem->dual, 0, (size_t)n * sizeof(double));
    memset(work->row, 0, 2 * (size_t)n * sizeof(double));
    for (int32_t j = 0; j < n; j++)
        for (int32_t k = 0; k < n; k++) {
            double b = work->inverse[j * n + k];
            problem->dual[k] -= b * work->slopes[j];
            length[k] += b * b;
            reach[k] += fabs(b * work->slopes[j]);
        }
    for (int32_t k = 0; k < n; k++) {
        int64_t i = problem->basis[k];
        double above = problem->dual[k] - problem->up[i], below = -problem->down[i] - problem->dual[k];
        double excess = fmax(above, below);
        double noise = 64.0 * DBL_EPSILON * (reach[k] + problem->up[i] + problem->down[i]);
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

static void swap_edges(struct edge *a, struct edge *b)
{
    struct edge held = *a;
    *a = *b;
    *b = held;
}

/* The first t at which the weights of the edges up to it reach `rate`; edges before it are moved to the front. Answers
   its place, or -1 if they never do. Expected time is linear: a partition about the median of three, then into the half
   that matters. */
static int64_t lowest_point(struct edge *edge, int64_t count, double rate)
{
    int64_t from = 0, end = count;
    double before = 0.0;
    while (end - from > 1) {
        int64_t middle = from + (end - from) / 2;
        if (edge[middle].t < edge[from].t)
            swap_edges(&edge[middle], &edge[from]);
        if (edge[end - 1].t < edge[from].t)
            swap_edges(&edge[end - 1], &edge[from]);
        if (edge[end - 1].t < edge[middle].t)
            swap_edges(&edge[end - 1], &edge[middle]);
        double pivot = edge[middle].t, weight = 0.0;
        int64_t low = from, high = end - 1;
        for (;;) {
            while (edge[low].t < pivot)
                weight += edge[low++].weight;
            while (edge[high].t > pivot)
                high--;
            if (low >= high)
                break;
            swap_edges(&edge[low], &edge[high]);
            weight += edge[low++].weight;
            high--;
        }
        /* edges before `low` are at most pivot; from `low` on at least */
        if (low == from) { /* the pivot is the least: take it by itself */
            weight = edge[low].weight;
            low++;
        }
        if (before + weight >= rate) {
            end = low;
        } else {
            before += weight;
            from = low;
        }
    }
    return from < count && before + edge[from].weight >= rate ? from : -1;
}

/* All edges that the move r - t q crosses with 0 < t <= reach: usually few, since a move is short. */
FAST static int64_t find_edges(const linpred__absolute *problem, const double *along, double reach, struct edge *edge)
{
    int64_t count = 0;
    for (int64_t i = 0; i < problem->rows; i++) {
        double q = along[i], r = problem->residual[i];
        if (r * q > 0 && fabs(r) <= reach * fabs(q))
            edge[count++] = (struct edge){r / q, fabs(q) * (problem->up[i] + problem->down[i]), i};
    }
    return count;
}

/* Whether q is more than rounding left of its terms: a row that hardly moves must not enter the basis. */
static bool moves(const struct work *work, int64_t row, const double *direction)
{
    const linpred__absolute *problem = work->problem;
    double size = 0.0;
    for (int32_t j = 0; j < problem->columns; j++)
        size += fabs(problem->x[(int64_t)j * problem->rows + row] * direction[j]);
    return fabs(work->along[row]) > 1e-11 * size;
}

/* The place among the edges of the row to enter, looking as far as it takes; -1: there is none. */
static int64_t find_lowest(struct work *work, const double *direction, double rate)
{
    linpred__absolute *problem = work->problem;
    double reach = work->reach;
    for (;;) {
        int64_t count = find_edges(problem, work->along, reach, work->edge);
        int64_t at = lowest_point(work->edge, count, rate);
        if (at < 0 && isinf(reach))
            return -1;
        if (at < 0) {
            reach *= 64.0;
            continue;
        }
        if (moves(work, work->edge[at].row, direction)) {
            work->reach = fmax(8.0 * work->edge[at].t, DBL_MIN);
            return at;
        }
        work->along[work->edge[at].row] = 0.0;
    }
}

/* B for the basis with row `entering` in place k: a rank-one change. */
static void replace(struct work *work, int32_t k, int64_t entering)
{
    linpred__absolute *problem = work->problem;
    int32_t n = problem->columns;
    double *product = work->row; /* x_e' B */
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

/* Moves along the edge of basis place k; false if it does not end (only rounding can do that). */
static bool move(struct work *work, int32_t k, bool up, double rate)
{
    linpred__absolute *problem = work->problem;
    int32_t n = problem->columns;
    double *direction = work->row + 2 * n; /* dw for t = 1, so that r_k becomes +t (up) or -t */
    for (int32_t j = 0; j < n; j++)
        direction[j] = up ? -work->inverse[j * n + k] : work->inverse[j * n + k];
    multiply(problem->x, problem->rows, n, direction, work->along);
    int64_t at = find_lowest(work, direction, rate);
    if (at < 0)
        return false;
    double t = work->edge[at].t;
    int64_t entering = work->edge[at].row, leaving = problem->basis[k];
    for (int64_t e = 0; e < at; e++) { /* rows passed: their slope changes side */
        int64_t i = work->edge[e].row;
        double change =
            problem->residual[i] > 0 ? -(problem->up[i] + problem->down[i]) : problem->up[i] + problem->down[i];
        add_row(problem, i, change, work->slopes);
    }
    add_row(problem, entering, -slope_of(problem, entering), work->slopes);
    add_multiple(problem->rows, -t, work->along, problem->residual);
    for (int64_t e = 0; e < at; e++) { /* a row passed at t itself may come out as 0 or on its old side */
        int64_t i = work->edge[e].row;
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
    add_row(problem, leaving, up ? problem->up[leaving] : -problem->down[leaving], work->slopes);
    return true;
}

static void run(struct work *work)
{
    linpred__absolute *problem = work->problem;
    int64_t most = 200 + 50 * (int64_t)problem->columns + 4 * problem->rows;
    int since = 0;
    problem->optimal = false;
    for (problem->steps = 0; problem->steps < most; problem->steps++) {
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
        if (++since >= REFRESH || !moved) { /* at what looks like the end, look again with fresh numbers */
            if (!refresh(work))
                return;
            since = 0;
            if (problem->stop && problem->stop(problem->context))
                return;
        }
    }
}

linpred__absolute_end linpred__absolute_solve(linpred__absolute *problem)
{
    struct work work;
    linpred__absolute_end end = LINPRED__ABSOLUTE_NO_MEMORY;
    if (make(&work, problem)) {
        for (int32_t k = 0; k < problem->columns; k++)
            work.in_basis[problem->basis[k]] = true;
        if (refresh(&work)) {
            run(&work);
            end = LINPRED__ABSOLUTE_DONE;
        } else {
            end = LINPRED__ABSOLUTE_DEPENDENT;
        }
    }
    clear(&work);
    return end;
}
