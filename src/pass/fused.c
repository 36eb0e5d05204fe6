#include "pass/fused.h"

#include <cblas.h>
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "num/sum.h"
#include "data/tree.h"
#include "data/row.h"
#include "pass/sparse_gram.h"

enum { WIDTH = 8, TOGETHER = 4, TILE = 16 };
enum { WIDE = 1024 }; /* columns from which on the Hessian of sparse rows is made by columns */

static int32_t padded(int32_t columns)
{
    return (columns + WIDTH - 1) / WIDTH * WIDTH;
}

/* What one lane adds up, and its scratch for one block. */
struct lane {
    double *gradient; /* the features' in whole vectors, then the intercept's */
    double *hessian;
    double *product; /* likewise */
    double *scratch; /* z, loss, r, curvature of a block; then sqrt(D) X_b for the Hessian */
    linpred__dd loss;
};

struct work {
    const linpred_data *data;
    linpred__fused *fused;
    int32_t dimension;
    double *weights;   /* padded with zeros to whole vectors */
    double *direction; /* likewise; NULL: none */
    double *center;    /* likewise */
    double *curvature; /* of all rows, where the Hessian is made of them afterwards; else NULL */
    int64_t *first;    /* where those of each block begin */
};

static void clear_lane(void *context, void *state)
{
    (void)context;
    struct lane *lane = state;
    linpred__release(lane->gradient);
    linpred__release(lane->hessian);
    linpred__release(lane->product);
    linpred__release(lane->scratch);
}

static bool init_lane(void *context, void *state)
{
    struct work *work = context;
    struct lane *lane = state;
    size_t d = (size_t)work->dimension, sums = (size_t)padded(work->data->columns) + 1;
    size_t rows = (size_t)work->data->block_rows;
    bool dense_hessian = work->fused->hessian && work->data->layout == LINPRED__DENSE;
    lane->scratch = linpred__alloc(rows * (4 + (dense_hessian ? d : 0)), sizeof(double));
    if (work->fused->gradient)
        lane->gradient = linpred__calloc(sums, sizeof(double));
    bool hessian = work->fused->hessian && !work->curvature;
    if (hessian)
        lane->hessian = linpred__calloc(d * d, sizeof(double));
    if (work->fused->product)
        lane->product = linpred__calloc(sums, sizeof(double));
    bool complete = lane->scratch && (!work->fused->gradient || lane->gradient) && (!hessian || lane->hessian) &&
                    (!work->fused->product || lane->product);
    if (!complete)
        clear_lane(context, state);
    return complete;
}

/* How many rows may be read to a whole number of vectors. */
static int32_t rows_to_read_over(const linpred__block *block)
{
    if (!linpred__reads_over(block))
        return 0;
    int64_t behind = padded(block->columns) - block->columns;
    int64_t rows = block->rows - (block->stride > 0 ? (behind + block->stride - 1) / block->stride : block->rows);
    return rows > 0 ? (int32_t)(rows / TOGETHER * TOGETHER) : 0;
}

/* Four rows at a time; entry j goes to lane j mod 8 as in linpred__dot_dense, and w is 0 behind its end: the same bits.
 */
LINPRED__FAST static void score_together(const linpred__block *block, int32_t rows, const double *w, double b,
                                         double *z)
{
    int32_t n = padded(block->columns);
    for (int32_t r = 0; r < rows; r += TOGETHER) {
        const double *x = block->values + r * block->stride;
        linpred__lanes sum[TOGETHER] = {{0}};
        for (int32_t j = 0; j < n; j += WIDTH) {
            linpred__lanes weight, value;
            memcpy(&weight, w + j, sizeof weight);
            for (int32_t k = 0; k < TOGETHER; k++) {
                __builtin_prefetch(x + k * block->stride + j + LINPRED__AHEAD);
                memcpy(&value, x + k * block->stride + j, sizeof value);
                sum[k] += value * weight;
            }
        }
        for (int32_t k = 0; k < TOGETHER; k++) {
            z[r + k] = linpred__add_vector(sum[k]) + b;
        }
    }
}

/* z_r = <w, x_r> + b; w is padded with zeros. */
LINPRED__FAST static void score(const linpred__block *block, const double *w, double b, double *z)
{
    int32_t first = rows_to_read_over(block);
    score_together(block, first, w, b, z);
    for (int32_t r = first; r < block->rows; r++)
        z[r] = linpred__row_dot_quick(block, r, w) + b;
}

/* sum += (X_b - c)' a, row after row, four rows at a time where that spares trips to `sum`; behind the features' part,
   which is padded, stands the intercept's. What is read over goes to the padding. c NULL: 0. */
LINPRED__FAST static void add_rows(const linpred__block *block, const double *a, const double *c, bool has_intercept,
                                   double *sum)
{
    int32_t first = rows_to_read_over(block), n = padded(block->columns);
    for (int32_t r = 0; r < first; r += TOGETHER) {
        const double *x = block->values + r * block->stride;
        for (int32_t j = 0; j < n; j += WIDTH) {
            linpred__lanes total, value, center = {0};
            memcpy(&total, sum + j, sizeof total);
            if (c)
                memcpy(&center, c + j, sizeof center);
            for (int32_t k = 0; k < TOGETHER; k++) {
                memcpy(&value, x + k * block->stride + j, sizeof value);
                total += a[r + k] * (value - center);
            }
            memcpy(sum + j, &total, sizeof total);
        }
    }
    for (int32_t r = first; r < block->rows; r++) {
        if (!c)
            linpred__row_add(block, r, a[r], sum);
        for (int32_t j = 0; c && j < block->columns; j++)
            sum[j] += a[r] * (block->values[r * block->stride + j] - c[j]);
    }
    double ones = 0.0;
    for (int32_t r = 0; r < block->rows; r++)
        ones += a[r];
    if (has_intercept)
        sum[n] += ones;
}

/* scaled = sqrt(D) (X_b - c, 1), row by row. */
LINPRED__FAST static void scale_rows(const linpred__block *block, const double *curvature, const double *restrict c,
                                     bool has_intercept, double *restrict scaled)
{
    int32_t columns = block->columns;
    for (int32_t r = 0; r < block->rows; r++) {
        double root = sqrt(curvature[r]);
        const double *x = block->values + r * block->stride;
        double *s = scaled + (size_t)r * (size_t)(columns + has_intercept);
        for (int32_t j = 0; j < columns; j++)
            s[j] = root * (x[j] - c[j]);
        if (has_intercept)
            s[columns] = root;
    }
}

/* Lower triangle of H += X_b' D X_b, through the block S = sqrt(D) (X_b - c, 1) while it is in cache. */
static void add_dense_hessian(const linpred__block *block, const double *curvature, const double *center,
                              bool has_intercept, double *scaled, double *hessian)
{
    int32_t d = block->columns + has_intercept;
    scale_rows(block, curvature, center, has_intercept, scaled);
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, d, block->rows, 1.0, scaled, d, 1.0, hessian, d);
}

/* Rows index[0..4) of H, of entries that are side by side, up to the diagonal; `below` entries of the row come before.
 */
static inline __attribute__((always_inline)) void add_four(const double *restrict value, const int32_t *restrict index,
                                                           int64_t below, double c, double *restrict hessian, size_t d)
{
    double a[TOGETHER], *row[TOGETHER];
    for (int i = 0; i < TOGETHER; i++) {
        a[i] = c * value[below + i];
        row[i] = hessian + (size_t)index[below + i] * d;
    }
    for (int64_t l = 0; l < below; l++) {
        int32_t j = index[l];
        double x = value[l];
        row[0][j] += a[0] * x;
        row[1][j] += a[1] * x;
        row[2][j] += a[2] * x;
        row[3][j] += a[3] * x;
    }
    for (int i = 0; i < TOGETHER; i++)
        for (int l = 0; l <= i; l++)
            row[i][index[below + l]] += a[i] * value[below + l];
}

/* The lower triangle again, four entries of a row at a time: their rows of H are filled side by side. */
static void add_sparse_hessian(const linpred__block *block, const double *curvature, bool has_intercept,
                               double *restrict hessian)
{
    size_t d = (size_t)block->columns + has_intercept;
    double *restrict ones = hessian + (size_t)block->columns * d;
    for (int32_t r = 0; r < block->rows; r++) {
        const double *restrict value = block->values + block->start[r];
        const int32_t *restrict index = block->indices + block->start[r];
        int64_t n = block->start[r + 1] - block->start[r], k = n % TOGETHER;
        double c = curvature[r];
        if (c == 0.0)
            continue;
        for (int64_t i = 0; i < k; i++)
            for (int64_t l = 0; l <= i; l++)
                hessian[(size_t)index[i] * d + (size_t)index[l]] += c * value[i] * value[l];
        for (; k < n; k += TOGETHER)
            add_four(value, index, k, c, hessian, d);
        if (!has_intercept)
            continue;
        for (k = 0; k < n; k++)
            ones[index[k]] += c * value[k];
        ones[block->columns] += c;
    }
}

static void visit(void *context, void *state, const linpred__block *block)
{
    struct work *work = context;
    struct lane *lane = state;
    linpred__fused *fused = work->fused;
    size_t room = (size_t)work->data->block_rows;
    double *z = lane->scratch;
    double *loss = z + room;
    double *r = loss + room;
    double *curvature = work->curvature ? work->curvature + work->first[block - work->data->block] : r + room;
    score(block, work->weights, fused->has_intercept ? fused->intercept : 0.0, z);
    fused->row_function(fused->context, block, z, loss, r, curvature);
    lane->loss = linpred__dd_add(lane->loss, linpred__sum(loss, block->rows));
    if (lane->gradient)
        add_rows(block, r, fused->center ? work->center : NULL, fused->has_intercept, lane->gradient);
    if (lane->hessian && block->layout == LINPRED__DENSE)
        add_dense_hessian(block, curvature, work->center, fused->has_intercept, curvature + room, lane->hessian);
    else if (lane->hessian)
        add_sparse_hessian(block, curvature, fused->has_intercept, lane->hessian);
    if (lane->product) {
        score(block, work->direction, fused->has_intercept ? fused->direction[block->columns] : 0.0, z);
        for (int32_t i = 0; i < block->rows; i++)
            z[i] *= curvature[i];
        add_rows(block, z, NULL, fused->has_intercept, lane->product);
    }
}

LINPRED__FAST static void add_vector(double *restrict into, const double *restrict from, size_t n)
{
    for (size_t i = 0; into && i < n; i++)
        into[i] += from[i];
}

static void merge(void *context, void *into, const void *from)
{
    struct work *work = context;
    struct lane *a = into;
    const struct lane *b = from;
    size_t d = (size_t)work->dimension, sums = (size_t)padded(work->data->columns) + 1;
    add_vector(a->gradient, b->gradient, sums);
    for (size_t i = 0; a->hessian && i < d; i++) /* the lower triangle */
        add_vector(a->hessian + i * d, b->hessian + i * d, i + 1);
    add_vector(a->product, b->product, sums);
    a->loss = linpred__dd_add(a->loss, b->loss);
}

static bool by_columns(const linpred_data *data)
{
    return data->layout == LINPRED__SPARSE && data->columns >= WIDE;
}

static linpred__cut cut_for(const linpred_data *data, bool hessian)
{
    double d = data->columns + 1.0;
    return hessian && !by_columns(data) ? linpred__cut_matrix(data, d) : linpred__cut_vector(data, 2.0 * d);
}

double linpred__fused_chain(const linpred_data *data)
{
    return by_columns(data) ? (double)data->rows : linpred__pass_chain(data, cut_for(data, true));
}

/* Room for the curvatures of all rows. */
static bool keep_curvatures(struct work *work)
{
    const linpred_data *data = work->data;
    int64_t rows = 0;
    work->first = linpred__alloc((size_t)data->blocks, sizeof *work->first);
    for (int64_t i = 0; work->first && i < data->blocks; i++) {
        work->first[i] = rows;
        rows += data->block[i].rows;
    }
    work->curvature = linpred__alloc((size_t)rows, sizeof *work->curvature);
    return work->first && work->curvature;
}

/* From a lane's sums to the caller's vector. */
static void take(double *to, const double *from, int32_t columns, bool has_intercept)
{
    if (to)
        memcpy(to, from, (size_t)columns * sizeof(double));
    if (to && has_intercept)
        to[columns] = from[padded(columns)];
}

/* Both triangles from the lower one, tile by tile: both stay in cache. */
static void take_hessian(double *restrict to, const double *restrict from, size_t d)
{
    for (size_t top = 0; top < d; top += TILE)
        for (size_t left = 0; left <= top; left += TILE)
            for (size_t i = top; i < d && i < top + TILE; i++)
                for (size_t j = left; j <= i && j < left + TILE; j++)
                    to[i * d + j] = to[j * d + i] = from[i * d + j];
}

static void release_work(struct work *work)
{
    linpred__release(work->weights);
    linpred__release(work->curvature);
    linpred__release(work->first);
}

linpred_status linpred__fused_pass(const linpred_data *data, linpred__pool *pool, linpred__fused *fused,
                                   linpred_error *error)
{
    struct work work = {.data = data, .fused = fused, .dimension = data->columns + fused->has_intercept};
    size_t columns = (size_t)data->columns, room = (size_t)padded(data->columns) + WIDTH;
    work.weights = linpred__calloc(3 * room, sizeof(double));
    if (!work.weights || (fused->hessian && by_columns(data) && !keep_curvatures(&work))) {
        release_work(&work);
        return linpred__no_memory(error);
    }
    work.direction = work.weights + room;
    work.center = work.direction + room;
    memcpy(work.weights, fused->weights, columns * sizeof(double));
    if (fused->direction)
        memcpy(work.direction, fused->direction, columns * sizeof(double));
    if (fused->center)
        memcpy(work.center, fused->center, columns * sizeof(double));
    linpred__visitor visitor = {sizeof(struct lane), init_lane, visit, merge, clear_lane, &work};
    struct lane total;
    linpred_status status =
        linpred__pass_all(data, pool, &visitor, (void *[]){&total}, 1, cut_for(data, fused->hessian), error);
    if (status == LINPRED_OK) {
        size_t d = (size_t)work.dimension;
        fused->loss = total.loss;
        take(fused->gradient, total.gradient, data->columns, fused->has_intercept);
        take(fused->product, total.product, data->columns, fused->has_intercept);
        if (total.hessian)
            take_hessian(fused->hessian, total.hessian, d);
        clear_lane(&work, &total);
    }
    if (status == LINPRED_OK && work.curvature)
        status =
            linpred__sparse_gram(data, pool, work.curvature, work.first, fused->has_intercept, fused->hessian, error);
    release_work(&work);
    return status;
}
