/* Least squares over many rows by QR in doubles, for rows whose Gram matrix would lose too many digits and for columns
 * that depend on others.
 *
 *   [R; rows] = Q R' chunk by chunk,   S = R^-1,   w = R^-1 Q'y
 *
 * The target is the last column of R, so that Q'y comes with it.
 */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "fit/least_squares/limits.h"
#include "fit/least_squares/ways.h"
#include "fit/least_squares/written_row.h"
#include "solve/dense/dd_qr.h"
#include "model/limits.h"

struct qr_pass {
    const linpred__design *design;
    size_t n;        /* p + 1 */
    size_t capacity; /* rows that may wait to be absorbed */
};

struct qr_lane {
    double *rows;       /* n rows of R, then the waiting rows; n entries each */
    double *tail;       /* scratch of a written row */
    double *reflectors; /* scratch of LAPACK */
    size_t used;        /* waiting rows */
};

static void clear_qr_lane(void *context, void *state)
{
    (void)context;
    struct qr_lane *lane = state;
    linpred__release(lane->rows);
    linpred__release(lane->tail);
    linpred__release(lane->reflectors);
}

static bool init_qr_lane(void *context, void *state)
{
    const struct qr_pass *work = context;
    struct qr_lane *lane = state;
    size_t n = work->n;
    lane->rows = linpred__calloc((work->capacity + n) * n, sizeof(double));
    lane->tail = linpred__alloc(n, sizeof(double));
    lane->reflectors = linpred__alloc(n, sizeof(double));
    if (lane->rows && lane->tail && lane->reflectors)
        return true;
    clear_qr_lane(context, state);
    return false;
}

/* [R; waiting rows] -> R. LAPACK reads the rows as columns, so that its LQ of the transpose is our QR. */
static void absorb(const struct qr_pass *work, struct qr_lane *lane)
{
    size_t n = work->n;
    if (lane->used == 0)
        return;
    LAPACKE_dgelqf(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)(n + lane->used), lane->rows, (lapack_int)n,
                   lane->reflectors);
    for (size_t i = 0; i < n; i++)
        memset(lane->rows + i * n, 0, i * sizeof(double));
    lane->used = 0;
}

/* Where the next row is to be written. */
static double *next_row(const struct qr_pass *work, struct qr_lane *lane)
{
    if (lane->used == work->capacity)
        absorb(work, lane);
    return lane->rows + (work->n + lane->used++) * work->n;
}

static void visit_qr_rows(void *context, void *state, const linpred__block *block)
{
    const struct qr_pass *work = context;
    struct qr_lane *lane = state;
    for (int32_t r = 0; r < block->rows; r++)
        linpred__squares_write_row(work->design, block, r, lane->tail, next_row(work, lane));
}

static void merge_triangles(void *context, void *into, const void *from)
{
    const struct qr_pass *work = context;
    struct qr_lane *a = into;
    struct qr_lane *b = (struct qr_lane *)from;
    size_t n = work->n;
    absorb(work, b);
    for (size_t i = 0; i < n; i++)
        memcpy(next_row(work, a), b->rows + i * n, n * sizeof(double));
}

static void list_triangle(void *context, void *state, linpred__state_pieces *pieces)
{
    const struct qr_pass *work = context;
    struct qr_lane *lane = state;
    linpred__state_piece(pieces, &lane->used, sizeof lane->used);
    linpred__state_piece(pieces, lane->rows, (work->n + lane->used) * work->n * sizeof(double));
}

/* S, w, N and their coordinates from the solution `s` of the triangle, which has the order of written rows. */
static bool read_triangle_solution(const linpred__design *design, const linpred__dd_solution *s,
                                   linpred__squares_solution *solution)
{
    int32_t p = design->width;
    solution->dependencies = p - s->rank;
    solution->condition = s->condition;
    solution->null = linpred__calloc((size_t)solution->dependencies * (size_t)p, sizeof *solution->null);
    if (!solution->null || !linpred__squares_solution_factor(solution, p, s->rank))
        return false;
    for (int32_t j = 0; j < p; j++) {
        size_t at = linpred__squares_place(design, j);
        solution->w[j] = s->w[at];
        memcpy(solution->factor + (size_t)j * (size_t)s->rank, s->factor + at * (size_t)p,
               (size_t)s->rank * sizeof *s->factor);
        for (int32_t k = 0; k < solution->dependencies; k++)
            solution->null[(size_t)k * (size_t)p + (size_t)j] = s->null[(size_t)k * (size_t)p + at];
    }
    return true;
}

/* The solution from R, by rows, n columns, the last of them the target. */
static linpred_status solve_triangle(const linpred__design *design, const double *r,
                                     linpred__squares_solution *solution, linpred_error *error)
{
    int32_t p = design->width;
    size_t n = (size_t)p + 1;
    linpred__dd *triangle = linpred__calloc(n * n, sizeof *triangle);
    int32_t *turn = linpred__alloc((size_t)p, sizeof *turn);
    linpred__dd_solution s = {0};
    bool complete = triangle && turn;
    for (size_t i = 0; complete && i < n; i++)
        for (size_t j = i; j < n; j++)
            triangle[i * n + j].hi = r[i * n + j];
    for (int32_t i = 0; complete && i < p; i++)
        turn[i] = i;
    solution->threshold = fmax(LINPRED__RANK_THRESHOLD, 16.0 * p * 0x1p-53);
    complete = complete && linpred__dd_solve(p, triangle, turn, solution->threshold, NULL, &s) &&
               read_triangle_solution(design, &s, solution);
    linpred__dd_solution_clear(&s);
    linpred__release(triangle);
    linpred__release(turn);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

/* Absorbs the rows sqrt(κ) T of the penalty. */
static void absorb_penalty(const linpred__squares_objective *objective, const struct qr_pass *work,
                           struct qr_lane *lane)
{
    const linpred__design *design = &objective->design;
    size_t p = (size_t)design->width;
    for (int32_t t = 0; objective->map && t < design->basis.terms; t++) {
        double *row = next_row(work, lane);
        memset(row, 0, work->n * sizeof *row);
        for (int32_t j = 0; j < design->width; j++)
            row[linpred__squares_place(design, j)] =
                sqrt(objective->penalty) * objective->map[(size_t)t * p + (size_t)j].hi;
    }
    absorb(work, lane);
}

linpred_status linpred__squares_by_qr(const linpred__squares_objective *objective, linpred__squares_solution *solution,
                                      double *contraction, linpred_error *error)
{
    const linpred__design *design = &objective->design;
    size_t n = (size_t)design->width + 1;
    struct qr_pass work = {design, n, 2 * n + (size_t)design->data->block_rows};
    linpred__visitor visitor = {sizeof(struct qr_lane), init_qr_lane, visit_qr_rows, merge_triangles,
                                clear_qr_lane,          &work,        list_triangle};
    struct qr_lane total;
    solution->method = LINPRED_METHOD_QR;
    linpred__cut cut = linpred__cut_triangle(design->data, (double)n);
    linpred_status status =
        linpred__pass_all(design->data, design->run->pool, &visitor, (void *[]){&total}, 1, cut, error);
    if (status != LINPRED_OK)
        return status;
    absorb_penalty(objective, &work, &total);
    status = solve_triangle(design, total.rows, solution, error);
    clear_qr_lane(&work, &total);
    *contraction = 8.0 * design->width * DBL_EPSILON * solution->condition;
    return status;
}
