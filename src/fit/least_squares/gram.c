/* Least squares over many rows by the Cholesky factor of the Gram matrix G = X'VX + κT'T.
 *
 *   D G D = L L',   S = D L'^-1,   w = S S' X'Vy   with D = diag(G)^-1/2
 *
 * Rounding makes S'GS differ from I by about cond² 2^-53; with QR in doubles it is only cond 2^-53. Each step of
 * refinement multiplies the error of w by that number. The Gram matrix is much faster to sum than QR is to compute, so
 * it is used if the number is well below 1.
 */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "data/tree.h"
#include "fit/least_squares/limits.h"
#include "fit/least_squares/ways.h"
#include "fit/least_squares/written_row.h"
#include "pass/gram.h"
#include "model/limits.h"

/* ---- the matrix ---- */

struct gram_pass {
    const linpred__design *design;
    size_t n;          /* entries of a row: p + 1 */
    size_t stride;     /* of rows and of the matrix */
    size_t chunk_rows; /* rows that are added at a time */
};

struct gram_lane {
    double *matrix; /* upper triangle by rows: see pass/gram.h */
    double *memory; /* holds `rows` */
    double *rows;   /* a chunk of rows, aligned to 64 bytes */
    double *tail;   /* scratch of a written row */
    size_t used;    /* rows of the chunk that wait to be added */
};

static void clear_gram_lane(void *context, void *state)
{
    (void)context;
    struct gram_lane *lane = state;
    linpred__release(lane->matrix);
    linpred__release(lane->memory);
    linpred__release(lane->tail);
}

static bool init_gram_lane(void *context, void *state)
{
    const struct gram_pass *work = context;
    struct gram_lane *lane = state;
    lane->matrix = linpred__calloc(work->stride * work->stride, sizeof(double));
    lane->memory = linpred__calloc(work->chunk_rows * work->stride + 8, sizeof(double));
    lane->tail = linpred__alloc(work->n, sizeof(double));
    if (!lane->matrix || !lane->memory || !lane->tail) {
        clear_gram_lane(context, state);
        return false;
    }
    lane->rows = lane->memory + (64 - (uintptr_t)lane->memory % 64) / sizeof(double) % 8;
    return true;
}

/* Adds sparse rows entry by entry. */
static void add_sparse_products(const struct gram_pass *work, struct gram_lane *lane, const linpred__block *block)
{
    size_t n = work->n, stride = work->stride;
    size_t first = work->design->basis.has_intercept;
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

static void add_waiting(const struct gram_pass *work, struct gram_lane *lane, const double *ahead)
{
    linpred__gram_add(work->n, lane->used, lane->rows, ahead, lane->matrix);
    lane->used = 0;
}

static void visit_gram_rows(void *context, void *state, const linpred__block *block)
{
    const struct gram_pass *work = context;
    struct gram_lane *lane = state;
    if (block->layout == LINPRED__SPARSE && work->design->plain) {
        add_sparse_products(work, lane, block);
        return;
    }
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__squares_write_row(work->design, block, r, lane->tail, lane->rows + lane->used * work->stride);
        if (++lane->used == work->chunk_rows) {
            bool more = block->layout == LINPRED__DENSE && r + 1 + (int32_t)work->chunk_rows <= block->rows;
            add_waiting(work, lane, more ? block->values + (r + 1) * block->stride : NULL);
        }
    }
}

static void merge_grams(void *context, void *into, const void *from)
{
    const struct gram_pass *work = context;
    struct gram_lane *a = into;
    struct gram_lane *b = (struct gram_lane *)from;
    add_waiting(work, a, NULL);
    add_waiting(work, b, NULL);
    for (size_t i = 0; i < work->stride * work->stride; i++)
        a->matrix[i] += b->matrix[i];
}

static void list_gram(void *context, void *state, linpred__state_pieces *pieces)
{
    const struct gram_pass *work = context;
    struct gram_lane *lane = state;
    add_waiting(work, lane, NULL); /* as any merge would: rows that wait need not be sent */
    linpred__state_triangle(pieces, lane->matrix, (linpred__triangle_shape){work->stride, work->stride, true});
}

linpred_status linpred__squares_gram_sum(const linpred__design *design, linpred__squares_gram *gram,
                                         linpred_error *error)
{
    size_t n = (size_t)design->width + 1;
    struct gram_pass work = {design, n, linpred__gram_stride(n), linpred__gram_rows(n)};
    linpred__visitor visitor = {sizeof(struct gram_lane), init_gram_lane, visit_gram_rows, merge_grams,
                                clear_gram_lane,          &work,          list_gram};
    struct gram_lane total;
    *gram = (linpred__squares_gram){NULL, n, work.stride};
    linpred__cut cut = linpred__cut_matrix(design->data, (double)n);
    linpred_status status =
        linpred__pass_all(design->data, design->run->pool, &visitor, (void *[]){&total}, 1, cut, error);
    if (status != LINPRED_OK)
        return status;
    linpred__blas_enter();
    add_waiting(&work, &total, NULL);
    linpred__blas_leave();
    gram->matrix = total.matrix;
    total.matrix = NULL;
    clear_gram_lane(&work, &total);
    return LINPRED_OK;
}

void linpred__squares_gram_clear(linpred__squares_gram *gram)
{
    linpred__release(gram->matrix);
    gram->matrix = NULL;
}

bool linpred__squares_gram_in_range(const linpred__squares_gram *gram)
{
    for (size_t j = 0; j < gram->stride; j++) {
        double d = gram->matrix[j * gram->stride + j];
        if (!(d == 0.0 || (d > LINPRED__SQUARES_DIAGONAL_MIN && d < LINPRED__SQUARES_DIAGONAL_MAX)))
            return false;
    }
    return true;
}

void linpred__squares_gram_totals(const linpred__squares_gram *gram, linpred__design *design)
{
    double weight = 0.0;
    if (design->basis.has_intercept) {
        weight = gram->matrix[0];
        design->target_mean = gram->matrix[gram->n - 1] / gram->matrix[0];
    }
    for (int64_t i = 0; !design->basis.has_intercept && i < design->data->blocks; i++)
        for (int32_t r = 0; r < design->data->block[i].rows; r++)
            weight += linpred__row_weight(&design->data->block[i], r);
    design->weight = weight;
}

/* ---- its factor ---- */

/* Adds κT'T in the places of written rows. */
static void add_penalty(const linpred__squares_objective *objective, linpred__squares_gram *gram)
{
    const linpred__design *design = &objective->design;
    size_t p = (size_t)design->width;
    for (int32_t t = 0; objective->map && t < design->basis.terms; t++)
        for (int32_t i = 0; i < design->width; i++) {
            double a = objective->penalty * objective->map[(size_t)t * p + (size_t)i].hi;
            double *row = gram->matrix + linpred__squares_place(design, i) * gram->stride;
            for (int32_t j = 0; a != 0.0 && j < design->width; j++)
                row[linpred__squares_place(design, j)] += a * objective->map[(size_t)t * p + (size_t)j].hi;
        }
}

/* Sets `inverse` to L^-1 for the Cholesky factor L of D G D, where the diagonal D scales its diagonal to 1. Returns the
   condition number of D G D, or infinity if it is not positive definite. `matrix` holds the upper triangle by rows,
   which LAPACK reads as the lower triangle by columns. */
static double invert_gram(double *matrix, size_t stride, size_t p, double *scale, double *inverse)
{
    for (size_t j = 0; j < p; j++) {
        if (!(matrix[j * stride + j] > 0))
            return INFINITY;
        scale[j] = 1.0 / sqrt(matrix[j * stride + j]);
    }
    for (size_t j = 0; j < p; j++)
        for (size_t i = j; i < p; i++)
            inverse[j * p + i] = matrix[j * stride + i] * scale[i] * scale[j];
    double norm = LAPACKE_dlansy(LAPACK_COL_MAJOR, '1', 'L', (lapack_int)p, inverse, (lapack_int)p);
    double reciprocal = 0.0;
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (lapack_int)p, inverse, (lapack_int)p) != 0 ||
        LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', (lapack_int)p, inverse, (lapack_int)p, norm, &reciprocal) != 0 ||
        !(reciprocal > 0) || LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', (lapack_int)p, inverse, (lapack_int)p) != 0)
        return INFINITY;
    return 1.0 / reciprocal;
}

/* S = D L'^-1 from L^-1 by columns, and w = S S' X'Vy. */
static bool read_cholesky_solution(const linpred__design *design, const linpred__squares_gram *gram,
                                   const double *scale, const double *inverse, linpred__squares_solution *solution)
{
    size_t p = (size_t)design->width;
    double *along = linpred__calloc(p, sizeof *along); /* S'X'Vy */
    if (!along || !linpred__squares_solution_factor(solution, design->width, design->width)) {
        linpred__release(along);
        return false;
    }
    for (size_t k = 0; k < p; k++)
        for (size_t j = 0; j <= k; j++)
            along[k] += inverse[j * p + k] * scale[j] * gram->matrix[j * gram->stride + p];
    for (int32_t j = 0; j < design->width; j++) {
        size_t at = linpred__squares_place(design, j);
        double sum = 0.0;
        for (size_t k = at; k < p; k++) {
            double s = inverse[at * p + k] * scale[at];
            solution->factor[(size_t)j * p + k].hi = s;
            sum += s * along[k];
        }
        solution->w[j] = (linpred__dd){sum, 0.0};
    }
    linpred__release(along);
    return true;
}

linpred_status linpred__squares_by_gram(const linpred__squares_objective *objective, linpred__squares_gram *gram,
                                        linpred__squares_solution *solution, double *contraction, linpred_error *error)
{
    size_t p = (size_t)objective->design.width;
    double *scale = linpred__alloc(p, sizeof *scale);
    double *inverse = linpred__calloc(p * p, sizeof *inverse);
    bool complete = scale && inverse;
    if (complete) {
        add_penalty(objective, gram);
        linpred__blas_enter(); /* one thread, so that the bits do not depend on how many BLAS would start */
        double condition = invert_gram(gram->matrix, gram->stride, p, scale, inverse);
        linpred__blas_leave();
        *contraction = 8.0 * (double)p * DBL_EPSILON * condition;
        solution->method = LINPRED_METHOD_GRAM;
        solution->condition = sqrt(condition);
        solution->threshold = LINPRED__RANK_THRESHOLD;
        if (*contraction < LINPRED__SQUARES_MAX_CONTRACTION)
            complete = read_cholesky_solution(&objective->design, gram, scale, inverse, solution);
    }
    linpred__release(scale);
    linpred__release(inverse);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}
