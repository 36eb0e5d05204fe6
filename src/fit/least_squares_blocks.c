/* Least squares over many rows: the Gram matrix block by block, or QR block by block, then refinement.
 *
 * Both give an S with S'(X'VX + κT'T)S ≈ I: from the Cholesky factor of the Gram matrix, which is off by about cond² 2^-53, or from
 * the R of a QR factorisation, off by about cond 2^-53. Refinement multiplies the error of w by that each time, so the
 * Gram matrix, whose products run at the speed of the machine, is enough wherever that factor is well below 1. Columns that
 * depend on others are found by QR.
 */
#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/pass.h"
#include "data/row.h"
#include "fit/least_squares.h"
#include "solve/dd_qr.h"

/* Rows are written out as (1, terms, target) sqrt(weight): the intercept first, so that columns depend on it rather than it
   on them. */
struct lane {
    double *matrix; /* n x n, n = p + 1: the Gram matrix, or R by rows */
    double *rows;   /* n a row; with QR behind the n rows of R */
    double *tail;
    double *reflectors;
    size_t used; /* QR: rows waiting to be absorbed */
};

struct work {
    const linpred__squares *squares;
    bool qr;
    size_t n;
    size_t room; /* rows */
};

static void clear_lane(void *context, void *state)
{
    (void)context;
    struct lane *lane = state;
    linpred__release(lane->matrix);
    linpred__release(lane->rows);
    linpred__release(lane->tail);
    linpred__release(lane->reflectors);
}

static bool init_lane(void *context, void *state)
{
    const struct work *work = context;
    struct lane *lane = state;
    size_t n = work->n;
    if (!work->qr)
        lane->matrix = linpred__calloc(n * n, sizeof(double));
    lane->rows = linpred__calloc((work->room + (work->qr ? n : 0)) * n, sizeof(double));
    lane->tail = linpred__alloc(n, sizeof(double));
    lane->reflectors = linpred__alloc(n, sizeof(double));
    if (lane->rows && lane->tail && lane->reflectors && (work->qr || lane->matrix))
        return true;
    clear_lane(context, state);
    return false;
}

static void write_row(const struct work *work, struct lane *lane, const linpred__block *block, int32_t r, double *out)
{
    const linpred__design *design = &work->squares->design;
    int32_t terms = design->basis->terms;
    bool intercept = design->basis->has_intercept;
    double *x = out + intercept;
    if (design->plain && block->layout == LINPRED__DENSE) {
        memcpy(x, block->values + r * block->stride, (size_t)terms * sizeof *x);
    } else {
        linpred__design_row(design, block, r, x, lane->tail); /* its 1 comes where the target goes, and is overwritten */
    }
    if (intercept)
        out[0] = 1.0;
    double y = block->target[r];
    x[terms] = design->target_exponent ? ldexp(y, -design->target_exponent) : y;
    double weight = linpred__row_weight(block, r);
    if (weight != 1.0) {
        double root = sqrt(weight);
        for (size_t j = 0; j < work->n; j++)
            out[j] *= root;
    }
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

/* The Gram matrix from the entries of sparse rows alone; the lower triangle by columns. */
static void add_sparse(const struct work *work, struct lane *lane, const linpred__block *block)
{
    size_t n = work->n;
    size_t first = work->squares->design.basis->has_intercept;
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r), y = block->target[r];
        for (int64_t k = block->start[r]; k < block->start[r + 1]; k++) {
            double a = weight * block->values[k];
            double *column = lane->matrix + (first + (size_t)block->indices[k]) * n;
            for (int64_t l = k; l < block->start[r + 1]; l++)
                column[first + (size_t)block->indices[l]] += a * block->values[l];
            column[n - 1] += a * y;
            if (first)
                lane->matrix[first + (size_t)block->indices[k]] += a;
        }
        if (first) {
            lane->matrix[0] += weight;
            lane->matrix[n - 1] += weight * y;
        }
        lane->matrix[n * n - 1] += weight * y * y;
    }
}

/* The Gram matrix of a dense block as it stands, without writing rows out. */
static void add_dense(const struct work *work, struct lane *lane, const linpred__block *block)
{
    int n = (int)work->n, d = block->columns, stride = (int)block->stride;
    size_t first = work->squares->design.basis->has_intercept;
    double *ones = lane->rows, *sum = lane->tail;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, d, block->rows, 1.0, block->values, stride, 1.0,
                lane->matrix + first * (size_t)(n + 1), n);
    cblas_dgemv(CblasColMajor, CblasNoTrans, d, block->rows, 1.0, block->values, stride, block->target, 1, 0.0, sum, 1);
    for (int j = 0; j < d; j++)
        lane->matrix[(first + (size_t)j) * (size_t)n + (size_t)n - 1] += sum[j];
    lane->matrix[(size_t)n * (size_t)n - 1] += cblas_ddot(block->rows, block->target, 1, block->target, 1);
    if (!first)
        return;
    for (int32_t r = 0; r < block->rows; r++)
        ones[r] = 1.0;
    cblas_dgemv(CblasColMajor, CblasNoTrans, d, block->rows, 1.0, block->values, stride, ones, 1, 1.0, lane->matrix + 1, 1);
    lane->matrix[0] += block->rows;
    lane->matrix[n - 1] += cblas_ddot(block->rows, block->target, 1, ones, 1);
}

static void visit(void *context, void *state, const linpred__block *block)
{
    const struct work *work = context;
    struct lane *lane = state;
    size_t n = work->n;
    if (!work->qr && block->layout == LINPRED__SPARSE && work->squares->design.plain) {
        add_sparse(work, lane, block);
        return;
    }
    if (!work->qr && work->squares->design.plain && !block->weight && block->columns > 0 && block->stride <= INT32_MAX) {
        add_dense(work, lane, block);
        return;
    }
    if (!work->qr) {
        for (int32_t r = 0; r < block->rows; r++)
            write_row(work, lane, block, r, lane->rows + (size_t)r * n);
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)n, block->rows, 1.0, lane->rows, (int)n, 1.0, lane->matrix,
                    (int)n);
        return;
    }
    for (int32_t r = 0; r < block->rows; r++) {
        write_row(work, lane, block, r, lane->rows + (n + lane->used) * n);
        if (++lane->used == work->room)
            absorb(work, lane);
    }
}

static void merge(void *context, void *into, const void *from)
{
    const struct work *work = context;
    struct lane *a = into;
    struct lane *b = (struct lane *)from;
    size_t n = work->n;
    for (size_t i = 0; !work->qr && i < n * n; i++)
        a->matrix[i] += b->matrix[i];
    if (!work->qr)
        return;
    absorb(work, b);
    for (size_t i = 0; i < n; i++) {
        memcpy(a->rows + (n + a->used) * n, b->rows + i * n, n * sizeof(double));
        if (++a->used == work->room)
            absorb(work, a);
    }
}

/* Where coordinate j (terms, then the intercept) stands in a written row. */
static size_t place(const linpred__squares *squares, int32_t j)
{
    bool intercept = squares->design.basis->has_intercept;
    return intercept ? (j == squares->width - 1 ? 0 : (size_t)j + 1) : (size_t)j;
}

static bool make_room(linpred__squares *squares, int32_t rank)
{
    squares->rank = rank;
    linpred__release(squares->factor);
    squares->factor = linpred__calloc((size_t)squares->width * (size_t)rank, sizeof *squares->factor);
    return squares->factor != NULL;
}

/* ---- the Gram matrix ------------------------------------------------------------------------------------------------- */

/* Adds κ T'T, in doubles, in the places of written rows. */
static void add_penalty(const linpred__squares *squares, double *matrix, size_t n)
{
    size_t p = (size_t)squares->width;
    for (int32_t t = 0; squares->map && t < squares->design.basis->terms; t++)
        for (int32_t i = 0; i < squares->width; i++) {
            double a = squares->penalty * squares->map[(size_t)t * p + (size_t)i].hi;
            for (int32_t j = 0; a != 0.0 && j < squares->width; j++)
                matrix[place(squares, i) * n + place(squares, j)] += a * squares->map[(size_t)t * p + (size_t)j].hi;
        }
}

/* Whether no diagonal entry is so large or small that products may have left the range. */
static bool in_range(const double *matrix, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double d = matrix[j * n + j];
        if (!(d == 0.0 || (d > 1e-120 && d < 1e120)))
            return false;
    }
    return true;
}

/* S = D L'^-1 from the Cholesky factor of the scaled Gram matrix D G D, D a diagonal that makes its diagonal 1. Answers the
   condition number of it, or infinity if it has none. `matrix` holds the lower triangle by columns. */
static double invert_gram(double *matrix, size_t n, size_t p, double *scale, double *inverse)
{
    for (size_t j = 0; j < p; j++) {
        if (!(matrix[j * n + j] > 0))
            return INFINITY;
        scale[j] = 1.0 / sqrt(matrix[j * n + j]);
    }
    double norm = 0.0;
    for (size_t j = 0; j < p; j++)
        for (size_t i = j; i < p; i++)
            inverse[j * p + i] = matrix[j * n + i] * scale[i] * scale[j];
    norm = LAPACKE_dlansy(LAPACK_COL_MAJOR, '1', 'L', (lapack_int)p, inverse, (lapack_int)p);
    double reciprocal = 0.0;
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)p, inverse, (lapack_int)p) != 0 ||
        LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', (lapack_int)p, inverse, (lapack_int)p, norm, &reciprocal) != 0 ||
        !(reciprocal > 0) ||
        LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', (lapack_int)p, inverse, (lapack_int)p) != 0)
        return INFINITY;
    return 1.0 / reciprocal;
}

/* Takes S and a first w = S S' X'Vy. The inverse L^-1 by columns is S' = L^-1 D. */
static linpred_status take_gram(linpred__squares *squares, const double *matrix, size_t n, const double *scale,
                                const double *inverse, linpred_error *error)
{
    size_t p = (size_t)squares->width;
    double *along = linpred__calloc(p, sizeof *along);
    if (!along || !make_room(squares, squares->width)) {
        linpred__release(along);
        return linpred__no_memory(error);
    }
    for (size_t k = 0; k < p; k++)
        for (size_t j = 0; j <= k; j++)
            along[k] += inverse[j * p + k] * scale[j] * matrix[j * n + p];
    for (int32_t j = 0; j < squares->width; j++) {
        size_t at = place(squares, j);
        double sum = 0.0;
        for (size_t k = at; k < p; k++) {
            double s = inverse[at * p + k] * scale[at];
            squares->factor[(size_t)j * p + k].hi = s;
            sum += s * along[k];
        }
        squares->w[j] = (linpred__dd){sum, 0.0};
    }
    linpred__release(along);
    return LINPRED_OK;
}

/* ---- QR -------------------------------------------------------------------------------------------------------------------- */

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
    complete = complete && linpred__dd_solve(p, wide, turn, squares->threshold, &s) && make_room(squares, s.rank);
    if (complete) {
        squares->dependencies = p - s.rank;
        squares->condition = s.condition;
        squares->null = linpred__calloc((size_t)squares->dependencies * (size_t)p, sizeof *squares->null);
        complete = squares->null != NULL;
    }
    for (int32_t j = 0; complete && j < p; j++) {
        size_t at = place(squares, j);
        squares->w[j] = s.w[at];
        memcpy(squares->factor + (size_t)j * (size_t)s.rank, s.factor + at * (size_t)p, (size_t)s.rank * sizeof *s.factor);
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
        double *row = lane->rows + (n + lane->used) * n;
        memset(row, 0, n * sizeof *row);
        for (int32_t j = 0; j < squares->width; j++)
            row[place(squares, j)] = sqrt(squares->penalty) * squares->map[(size_t)t * p + (size_t)j].hi;
        if (++lane->used == work->room)
            absorb(work, lane);
    }
    absorb(work, lane);
}

/* ---- both ------------------------------------------------------------------------------------------------------------------- */

static linpred_status run_pass(struct work *work, struct lane *total, linpred_error *error)
{
    const linpred_data *data = work->squares->design.data;
    work->room = work->qr ? 2 * work->n + (size_t)data->block_rows : (size_t)data->block_rows;
    linpred__visitor visitor = {sizeof(struct lane), init_lane, visit, merge, clear_lane, work};
    return linpred__pass(data, work->squares->design.pool, &visitor, total, error);
}

static linpred_status by_qr(linpred__squares *squares, linpred_error *error)
{
    struct work work = {.squares = squares, .qr = true, .n = (size_t)squares->width + 1};
    struct lane total;
    squares->method = LINPRED_METHOD_QR;
    linpred_status status = run_pass(&work, &total, error);
    if (status != LINPRED_OK)
        return status;
    absorb(&work, &total);
    absorb_penalty(&work, &total);
    status = take_triangle(squares, total.rows, work.n, error);
    clear_lane(&work, &total);
    double factor = 8.0 * squares->width * DBL_EPSILON * squares->condition;
    return status == LINPRED_OK ? linpred__squares_refine(squares, factor, error) : status;
}

/* Total weight and mean target: with an intercept they stand in the Gram matrix, else they are counted. */
static void take_totals(linpred__squares *squares, const double *matrix, size_t n)
{
    linpred__design *design = &squares->design;
    double weight = 0.0;
    if (design->basis->has_intercept) {
        weight = matrix[0];
        design->target_mean = matrix[n - 1] / matrix[0];
    }
    for (int64_t i = 0; !design->basis->has_intercept && i < design->data->blocks; i++)
        for (int32_t r = 0; r < design->data->block[i].rows; r++)
            weight += linpred__row_weight(&design->data->block[i], r);
    design->weight = weight;
}

/* The Gram matrix in plain units; in measured ones if it has left the range, or there are polynomials. */
static linpred_status gram_in_range(struct work *work, linpred__squares *squares, struct lane *total, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    if (!squares->design.plain)
        status = linpred__design_measure(&squares->design, error);
    if (status == LINPRED_OK)
        status = run_pass(work, total, error);
    if (status != LINPRED_OK || !squares->design.plain || in_range(total->matrix, work->n))
        return status;
    clear_lane(work, total);
    status = linpred__design_measure(&squares->design, error);
    return status == LINPRED_OK ? run_pass(work, total, error) : status;
}

linpred_status linpred__squares_blocks(linpred__squares *squares, linpred_error *error)
{
    struct work work = {.squares = squares, .qr = false, .n = (size_t)squares->width + 1};
    size_t p = (size_t)squares->width;
    struct lane total;
    linpred_status status = gram_in_range(&work, squares, &total, error);
    if (status != LINPRED_OK)
        return status;
    take_totals(squares, total.matrix, work.n);
    squares->penalty *= 0.5 * squares->design.weight;
    double *scale = linpred__alloc(p, sizeof *scale);
    double *inverse = linpred__calloc(p * p, sizeof *inverse);
    if (!scale || !inverse || !linpred__squares_make_map(squares)) {
        status = linpred__no_memory(error);
    } else {
        add_penalty(squares, total.matrix, work.n);
        double condition = invert_gram(total.matrix, work.n, p, scale, inverse);
        double contraction = 8.0 * (double)p * DBL_EPSILON * condition;
        squares->condition = sqrt(condition);
        squares->threshold = 0x1p-44;
        squares->method = LINPRED_METHOD_GRAM;
        if (contraction < 1e-3) {
            status = take_gram(squares, total.matrix, work.n, scale, inverse, error);
            if (status == LINPRED_OK)
                status = linpred__squares_refine(squares, contraction, error);
        } else {
            status = by_qr(squares, error);
        }
    }
    linpred__release(scale);
    linpred__release(inverse);
    clear_lane(&work, &total);
    return status;
}
