/* Least squares over many rows by the Gram matrix, and what it has in common with QR over many rows
 * (least_squares_qr.c).
 *
 * Both give an S with S'(X'VX + κT'T)S ≈ I: from the Cholesky factor of the Gram matrix, which is off by about cond²
 * 2^-53, or from the R of a QR factorisation, off by about cond 2^-53. Refinement multiplies the error of w by that
 * each time, so the Gram matrix, whose products run at the speed of the machine, is enough wherever that factor is well
 * below 1. Columns that depend on others are found by QR.
 */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/error.h"
#include "core/memory.h"
#include "pass/gram.h"
#include "data/tree.h"
#include "data/row.h"
#include "fit/least_squares/least_squares.h"

/* ---- rows as both ways write them
 * -------------------------------------------------------------------------------------- */

void linpred__squares_write_row(const linpred__squares *squares, const linpred__block *block, int32_t r, double *tail,
                                double *out)
{
    const linpred__design *design = &squares->design;
    int32_t terms = design->basis->terms;
    bool intercept = design->basis->has_intercept;
    double *x = out + intercept;
    if (design->plain && block->layout == LINPRED__DENSE) {
        memcpy(x, block->values + r * block->stride, (size_t)terms * sizeof *x);
    } else {
        linpred__design_row(design, block, r, x, tail); /* its 1 comes where the target goes, and is overwritten */
    }
    if (intercept)
        out[0] = 1.0;
    double y = block->target[r];
    x[terms] = design->target_exponent ? ldexp(y, -design->target_exponent) : y;
    double weight = linpred__row_weight(block, r);
    if (weight != 1.0) {
        double root = sqrt(weight);
        for (size_t j = 0; j <= (size_t)squares->width; j++)
            out[j] *= root;
    }
}

size_t linpred__squares_place(const linpred__squares *squares, int32_t j)
{
    bool intercept = squares->design.basis->has_intercept;
    return intercept ? (j == squares->width - 1 ? 0 : (size_t)j + 1) : (size_t)j;
}

bool linpred__squares_make_factor(linpred__squares *squares, int32_t rank)
{
    squares->rank = rank;
    linpred__release(squares->factor);
    squares->factor = linpred__calloc((size_t)squares->width * (size_t)rank, sizeof *squares->factor);
    return squares->factor != NULL;
}

/* ---- the Gram matrix
 * ----------------------------------------------------------------------------------------------------- */

struct work {
    const linpred__squares *squares;
    size_t n;      /* entries of a row: p + 1 */
    size_t stride; /* of rows and of the matrix */
    size_t room;   /* rows of a chunk */
};

struct lane {
    double *matrix; /* upper triangle by rows: see pass/gram.h */
    double *memory;
    double *rows; /* a chunk, on a border of 64 bytes within `memory` */
    double *tail;
    size_t used; /* rows of the chunk that wait to be added */
};

static void clear_lane(void *context, void *state)
{
    (void)context;
    struct lane *lane = state;
    linpred__release(lane->matrix);
    linpred__release(lane->memory);
    linpred__release(lane->tail);
}

static bool init_lane(void *context, void *state)
{
    const struct work *work = context;
    struct lane *lane = state;
    lane->matrix = linpred__calloc(work->stride * work->stride, sizeof(double));
    lane->memory = linpred__calloc(work->room * work->stride + 8, sizeof(double));
    lane->tail = linpred__alloc(work->n, sizeof(double));
    if (!lane->matrix || !lane->memory || !lane->tail) {
        clear_lane(context, state);
        return false;
    }
    lane->rows = lane->memory + (64 - (uintptr_t)lane->memory % 64) / sizeof(double) % 8;
    return true;
}

/* The Gram matrix from the entries of sparse rows alone. */
static void add_sparse(const struct work *work, struct lane *lane, const linpred__block *block)
{
    size_t n = work->n, stride = work->stride;
    size_t first = work->squares->design.basis->has_intercept;
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r), y = block->target[r];
        for (int64_t k = block->start[r]; k < block->start[r + 1]; k++) {
            double a = weight * block->values[k];
            double *column = lane->matrix + (first + (size_t)block->indices[k]) * stride;
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
        lane->matrix[(n - 1) * stride + n - 1] += weight * y * y;
    }
}

static void add_waiting(const struct work *work, struct lane *lane, const double *ahead)
{
    linpred__gram_add(work->n, lane->used, lane->rows, ahead, lane->matrix);
    lane->used = 0;
}

static void visit(void *context, void *state, const linpred__block *block)
{
    const struct work *work = context;
    struct lane *lane = state;
    if (block->layout == LINPRED__SPARSE && work->squares->design.plain) {
        add_sparse(work, lane, block);
        return;
    }
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__squares_write_row(work->squares, block, r, lane->tail, lane->rows + lane->used * work->stride);
        if (++lane->used == work->room) {
            bool more = block->layout == LINPRED__DENSE && r + 1 + (int32_t)work->room <= block->rows;
            add_waiting(work, lane, more ? block->values + (r + 1) * block->stride : NULL);
        }
    }
}

static void merge(void *context, void *into, const void *from)
{
    const struct work *work = context;
    struct lane *a = into;
    struct lane *b = (struct lane *)from;
    add_waiting(work, a, NULL);
    add_waiting(work, b, NULL);
    for (size_t i = 0; i < work->stride * work->stride; i++)
        a->matrix[i] += b->matrix[i];
}

/* Adds κ T'T, in doubles, in the places of written rows. */
static void add_penalty(const linpred__squares *squares, double *matrix, size_t stride)
{
    size_t p = (size_t)squares->width;
    for (int32_t t = 0; squares->map && t < squares->design.basis->terms; t++)
        for (int32_t i = 0; i < squares->width; i++) {
            double a = squares->penalty * squares->map[(size_t)t * p + (size_t)i].hi;
            for (int32_t j = 0; a != 0.0 && j < squares->width; j++)
                matrix[linpred__squares_place(squares, i) * stride + linpred__squares_place(squares, j)] +=
                    a * squares->map[(size_t)t * p + (size_t)j].hi;
        }
}

/* Whether no diagonal entry is so large or small that products may have left the range. */
static bool in_range(const double *matrix, size_t stride)
{
    for (size_t j = 0; j < stride; j++) {
        double d = matrix[j * stride + j];
        if (!(d == 0.0 || (d > 1e-120 && d < 1e120)))
            return false;
    }
    return true;
}

/* S = D L'^-1 from the Cholesky factor of the scaled Gram matrix D G D, D a diagonal that makes its diagonal 1. Answers
   the condition number of it, or infinity if it has none. `matrix` holds the upper triangle by rows, to LAPACK the
   lower by columns. */
static double invert_gram(double *matrix, size_t stride, size_t p, double *scale, double *inverse)
{
    for (size_t j = 0; j < p; j++) {
        if (!(matrix[j * stride + j] > 0))
            return INFINITY;
        scale[j] = 1.0 / sqrt(matrix[j * stride + j]);
    }
    double norm = 0.0;
    for (size_t j = 0; j < p; j++)
        for (size_t i = j; i < p; i++)
            inverse[j * p + i] = matrix[j * stride + i] * scale[i] * scale[j];
    norm = LAPACKE_dlansy(LAPACK_COL_MAJOR, '1', 'L', (lapack_int)p, inverse, (lapack_int)p);
    double reciprocal = 0.0;
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)p, inverse, (lapack_int)p) != 0 ||
        LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', (lapack_int)p, inverse, (lapack_int)p, norm, &reciprocal) != 0 ||
        !(reciprocal > 0) || LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', (lapack_int)p, inverse, (lapack_int)p) != 0)
        return INFINITY;
    return 1.0 / reciprocal;
}

/* Takes S and a first w = S S' X'Vy. The inverse L^-1 by columns is S' = L^-1 D. */
static linpred_status take_gram(linpred__squares *squares, const double *matrix, size_t stride, const double *scale,
                                const double *inverse, linpred_error *error)
{
    size_t p = (size_t)squares->width;
    double *along = linpred__calloc(p, sizeof *along);
    if (!along || !linpred__squares_make_factor(squares, squares->width)) {
        linpred__release(along);
        return linpred__no_memory(error);
    }
    for (size_t k = 0; k < p; k++)
        for (size_t j = 0; j <= k; j++)
            along[k] += inverse[j * p + k] * scale[j] * matrix[j * stride + p];
    for (int32_t j = 0; j < squares->width; j++) {
        size_t at = linpred__squares_place(squares, j);
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

static linpred_status run_pass(struct work *work, struct lane *total, linpred_error *error)
{
    linpred__visitor visitor = {sizeof(struct lane), init_lane, visit, merge, clear_lane, work};
    const linpred__design *design = &work->squares->design;
    linpred__cut cut = linpred__cut_matrix(design->data, (double)work->n);
    linpred_status status = linpred__pass_all(design->data, design->pool, &visitor, (void *[]){total}, 1, cut, error);
    linpred__blas_enter();
    if (status == LINPRED_OK)
        add_waiting(work, total, NULL);
    linpred__blas_leave();
    return status;
}

/* The Gram matrix in plain units; in measured ones if it has left the range, or there are polynomials. */
static linpred_status gram_in_range(struct work *work, linpred__squares *squares, struct lane *total,
                                    linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    if (!squares->design.plain)
        status = linpred__design_measure(&squares->design, error);
    if (status == LINPRED_OK)
        status = run_pass(work, total, error);
    if (status != LINPRED_OK || !squares->design.plain || in_range(total->matrix, work->stride))
        return status;
    clear_lane(work, total);
    status = linpred__design_measure(&squares->design, error);
    return status == LINPRED_OK ? run_pass(work, total, error) : status;
}

linpred_status linpred__squares_blocks(linpred__squares *squares, linpred_error *error)
{
    size_t p = (size_t)squares->width, n = p + 1;
    struct work work = {squares, n, linpred__gram_stride(n), linpred__gram_rows(n)};
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
        add_penalty(squares, total.matrix, work.stride);
        linpred__blas_enter(); /* one thread: the same bits on every machine with the same instructions */
        double condition = invert_gram(total.matrix, work.stride, p, scale, inverse);
        linpred__blas_leave();
        double contraction = 8.0 * (double)p * DBL_EPSILON * condition;
        squares->condition = sqrt(condition);
        squares->threshold = 0x1p-44;
        squares->method = LINPRED_METHOD_GRAM;
        if (contraction < 1e-3) {
            status = take_gram(squares, total.matrix, work.stride, scale, inverse, error);
            if (status == LINPRED_OK)
                status = linpred__squares_refine(squares, contraction, error);
        } else {
            status = linpred__squares_qr(squares, error);
        }
    }
    linpred__release(scale);
    linpred__release(inverse);
    clear_lane(&work, &total);
    return status;
}
