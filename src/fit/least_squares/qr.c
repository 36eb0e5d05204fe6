/* Least squares over many rows by QR: [R; rows] -> R chunk by chunk, lane by lane, then S = R^-1 and refinement. For
 * data on which the Gram matrix would lose too much, and where columns depend on others. */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "fit/least_squares/least_squares.h"
#include "solve/dense/dd_qr.h"

struct lane {
    double *rows; /* n rows of R, then the rows waiting to be absorbed; n entries each */
    double *tail;
    double *reflectors;
    size_t used; /* rows waiting */
};

struct work {
    const linpred__squares *squares;
    size_t n;    /* p + 1 */
    size_t room; /* for waiting rows */
};

static void clear_lane(void *context, void *state)
{
    (void)context;
    struct lane *lane = state;
    linpred__release(lane->rows);
    linpred__release(lane->tail);
    linpred__release(lane->reflectors);
}

static bool init_lane(void *context, void *state)
{
    const struct work *work = context;
    struct lane *lane = state;
    size_t n = work->n;
    lane->rows = linpred__calloc((work->room + n) * n, sizeof(double));
    lane->tail = linpred__alloc(n, sizeof(double));
    lane->reflectors = linpred__alloc(n, sizeof(double));
    if (lane->rows && lane->tail && lane->reflectors)
        return true;
    clear_lane(context, state);
    return false;
}

/* [R; waiting rows] -> R. By rows this is the transpose of what LAPACK sees, so QR is its LQ. */
static void absorb(const struct work *work, struct lane *lane)
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

/* Room for the next row. */
static double *next_row(const struct work *work, struct lane *lane)
{
    if (lane->used == work->room)
        absorb(work, lane);
    return lane->rows + (work->n + lane->used++) * work->n;
}

static void visit(void *context, void *state, const linpred__block *block)
{
    const struct work *work = context;
    struct lane *lane = state;
    for (int32_t r = 0; r < block->rows; r++)
        linpred__squares_write_row(work->squares, block, r, lane->tail, next_row(work, lane));
}

static void merge(void *context, void *into, const void *from)
{
    const struct work *work = context;
    struct lane *a = into;
    struct lane *b = (struct lane *)from;
    size_t n = work->n;
    absorb(work, b);
    for (size_t i = 0; i < n; i++)
        memcpy(next_row(work, a), b->rows + i * n, n * sizeof(double));
}

/* From R, by rows, n columns, the last being the target: S = R^-1, in double-double where columns depend on others. */
static linpred_status take_triangle(linpred__squares *squares, const double *r, size_t n, linpred_error *error)
{
    int32_t p = squares->width;
    linpred__dd *wide = linpred__calloc(n * n, sizeof *wide);
    int32_t *turn = linpred__alloc((size_t)p, sizeof *turn);
    linpred__dd_solution s = {0};
    bool complete = wide && turn;
    for (size_t i = 0; complete && i < n; i++)
        for (size_t j = i; j < n; j++)
            wide[i * n + j].hi = r[i * n + j];
    for (int32_t i = 0; complete && i < p; i++)
        turn[i] = i;
    squares->threshold = fmax(0x1p-44, 16.0 * p * 0x1p-53);
    complete = complete && linpred__dd_solve(p, wide, turn, squares->threshold, &s) &&
               linpred__squares_make_factor(squares, s.rank);
    if (complete) {
        squares->dependencies = p - s.rank;
        squares->condition = s.condition;
        squares->null = linpred__calloc((size_t)squares->dependencies * (size_t)p, sizeof *squares->null);
        complete = squares->null != NULL;
    }
    for (int32_t j = 0; complete && j < p; j++) {
        size_t at = linpred__squares_place(squares, j);
        squares->w[j] = s.w[at];
        memcpy(squares->factor + (size_t)j * (size_t)s.rank, s.factor + at * (size_t)p,
               (size_t)s.rank * sizeof *s.factor);
        for (int32_t k = 0; k < squares->dependencies; k++)
            squares->null[(size_t)k * (size_t)p + (size_t)j] = s.null[(size_t)k * (size_t)p + at];
    }
    linpred__dd_solution_clear(&s);
    linpred__release(wide);
    linpred__release(turn);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

/* The penalty's rows sqrt(κ) T behind those of the data. */
static void absorb_penalty(const struct work *work, struct lane *lane)
{
    const linpred__squares *squares = work->squares;
    size_t p = (size_t)squares->width, n = work->n;
    for (int32_t t = 0; squares->map && t < squares->design.basis->terms; t++) {
        double *row = next_row(work, lane);
        memset(row, 0, n * sizeof *row);
        for (int32_t j = 0; j < squares->width; j++)
            row[linpred__squares_place(squares, j)] =
                sqrt(squares->penalty) * squares->map[(size_t)t * p + (size_t)j].hi;
    }
    absorb(work, lane);
}

linpred_status linpred__squares_qr(linpred__squares *squares, linpred_error *error)
{
    const linpred_data *data = squares->design.data;
    size_t n = (size_t)squares->width + 1;
    struct work work = {squares, n, 2 * n + (size_t)data->block_rows};
    linpred__visitor visitor = {sizeof(struct lane), init_lane, visit, merge, clear_lane, &work};
    struct lane total;
    squares->method = LINPRED_METHOD_QR;
    linpred__cut cut = linpred__cut_triangle(data, (double)n);
    linpred_status status = linpred__pass_all(data, squares->design.pool, &visitor, (void *[]){&total}, 1, cut, error);
    if (status != LINPRED_OK)
        return status;
    absorb_penalty(&work, &total);
    status = take_triangle(squares, total.rows, n, error);
    clear_lane(&work, &total);
    double factor = 8.0 * squares->width * DBL_EPSILON * squares->condition;
    return status == LINPRED_OK ? linpred__squares_refine(squares, factor, error) : status;
}
