#include "data/fused.h"

#include <cblas.h>
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/pass.h"
#include "data/row.h"

/* What one lane adds up, and its scratch for one block. */
struct lane {
    double *gradient;
    double *hessian;
    double *product;
    double *scratch; /* z, loss, r, curvature of a block; then sqrt(D) X_b for the Hessian */
    linpred__dd loss;
};

struct work {
    const linpred_data *data;
    linpred__fused *fused;
    int32_t dimension;
    double *weights;   /* padded with zeros to whole vectors */
    double *direction; /* likewise; NULL: none */
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
    size_t d = (size_t)work->dimension;
    size_t rows = (size_t)work->data->block_rows;
    bool dense_hessian = work->fused->hessian && work->data->layout == LINPRED__DENSE;
    lane->scratch = linpred__alloc(rows * (4 + (dense_hessian ? d : 0)), sizeof(double));
    if (work->fused->gradient)
        lane->gradient = linpred__calloc(d, sizeof(double));
    if (work->fused->hessian)
        lane->hessian = linpred__calloc(d * d, sizeof(double));
    if (work->fused->product)
        lane->product = linpred__calloc(d, sizeof(double));
    bool complete = lane->scratch && (!work->fused->gradient || lane->gradient) &&
                    (!work->fused->hessian || lane->hessian) && (!work->fused->product || lane->product);
    if (!complete)
        clear_lane(context, state);
    return complete;
}

enum { WIDTH = 8, TOGETHER = 4 };

static int32_t padded(int32_t columns)
{
    return (columns + WIDTH - 1) / WIDTH * WIDTH;
}

/* How many dense rows may be read to a whole number of vectors: what lies behind a row is then the next row's. */
static int32_t rows_to_read_over(const linpred__block *block)
{
    if (block->layout != LINPRED__DENSE || block->stride != block->columns || block->columns < WIDTH)
        return 0;
    return (block->rows - 1) / TOGETHER * TOGETHER;
}

/* Four rows at a time; entry j goes to lane j mod 8 as in linpred__dot_dense, and w is 0 behind its end: the same bits. */
LINPRED__FAST static void score_together(const linpred__block *block, int32_t rows, const double *w, double b, double *z)
{
    int32_t n = padded(block->columns);
    for (int32_t r = 0; r < rows; r += TOGETHER) {
        const double *x = block->values + r * block->stride;
        linpred__lanes sum[TOGETHER] = {{0}};
        for (int32_t j = 0; j < n; j += WIDTH) {
            linpred__lanes weight, value;
            memcpy(&weight, w + j, sizeof weight);
            for (int32_t k = 0; k < TOGETHER; k++) {
                memcpy(&value, x + k * block->stride + j, sizeof value);
                sum[k] += value * weight;
            }
        }
        for (int32_t k = 0; k < TOGETHER; k++) {
            double lane[WIDTH];
            memcpy(lane, &sum[k], sizeof lane);
            z[r + k] = linpred__add_lanes(lane) + b;
        }
    }
}

/* z_r = <w, x_r> + b; w is padded with zeros. */
LINPRED__FAST static void score(const linpred__block *block, const double *w, double b, double *z)
{
    int32_t first = rows_to_read_over(block);
    score_together(block, first, w, b, z);
    for (int32_t r = first; r < block->rows; r++)
        z[r] = linpred__row_dot(block, r, w) + b;
}

/* sum += X_b' a, row after row; four rows at a time where that spares trips to `sum`. */
LINPRED__FAST static void add_rows(const linpred__block *block, const double *a, bool has_intercept, double *sum)
{
    int32_t first = block->layout == LINPRED__DENSE ? block->rows / TOGETHER * TOGETHER : 0;
    for (int32_t r = 0; r < first; r += TOGETHER) {
        const double *x0 = block->values + r * block->stride, *x1 = x0 + block->stride;
        const double *x2 = x1 + block->stride, *x3 = x2 + block->stride;
        for (int32_t j = 0; j < block->columns; j++)
            sum[j] = (((sum[j] + a[r] * x0[j]) + a[r + 1] * x1[j]) + a[r + 2] * x2[j]) + a[r + 3] * x3[j];
        for (int32_t k = 0; has_intercept && k < TOGETHER; k++)
            sum[block->columns] += a[r + k];
    }
    for (int32_t r = first; r < block->rows; r++) {
        linpred__row_add(block, r, a[r], sum);
        if (has_intercept)
            sum[block->columns] += a[r];
    }
}

/* Lower triangle of H += X_b' D X_b, through the block S = sqrt(D) (X_b, 1) while it is in cache. */
static void add_dense_hessian(const linpred__block *block, const double *curvature, bool has_intercept, double *scaled,
                              double *hessian)
{
    int32_t d = block->columns + has_intercept;
    for (int32_t r = 0; r < block->rows; r++) {
        double root = sqrt(curvature[r]);
        const double *x = block->values + r * block->stride;
        double *s = scaled + (size_t)r * (size_t)d;
        for (int32_t j = 0; j < block->columns; j++)
            s[j] = root * x[j];
        if (has_intercept)
            s[block->columns] = root;
    }
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, d, block->rows, 1.0, scaled, d, 1.0, hessian, d);
}

static void add_sparse_hessian(const linpred__block *block, const double *curvature, bool has_intercept,
                               double *hessian)
{
    size_t d = (size_t)block->columns + has_intercept;
    for (int32_t r = 0; r < block->rows; r++) {
        for (int64_t k = block->start[r]; k < block->start[r + 1]; k++) {
            double a = curvature[r] * block->values[k];
            double *row = hessian + (size_t)block->indices[k] * d;
            for (int64_t l = block->start[r]; l <= k; l++)
                row[block->indices[l]] += a * block->values[l];
            if (has_intercept)
                hessian[(size_t)block->columns * d + (size_t)block->indices[k]] += a;
        }
        if (has_intercept)
            hessian[d * d - 1] += curvature[r];
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
    double *curvature = r + room;
    score(block, work->weights, fused->has_intercept ? fused->intercept : 0.0, z);
    fused->row_function(fused->context, block, z, loss, r, curvature);
    for (int32_t i = 0; i < block->rows; i++)
        lane->loss = linpred__dd_add_double(lane->loss, loss[i]);
    if (lane->gradient)
        add_rows(block, r, fused->has_intercept, lane->gradient);
    if (lane->hessian && block->layout == LINPRED__DENSE)
        add_dense_hessian(block, curvature, fused->has_intercept, curvature + room, lane->hessian);
    else if (lane->hessian)
        add_sparse_hessian(block, curvature, fused->has_intercept, lane->hessian);
    if (lane->product) {
        score(block, work->direction, fused->has_intercept ? fused->direction[block->columns] : 0.0, z);
        for (int32_t i = 0; i < block->rows; i++)
            z[i] *= curvature[i];
        add_rows(block, z, fused->has_intercept, lane->product);
    }
}

static void add_vector(double *into, const double *from, size_t n)
{
    for (size_t i = 0; into && i < n; i++)
        into[i] += from[i];
}

static void merge(void *context, void *into, const void *from)
{
    struct work *work = context;
    struct lane *a = into;
    const struct lane *b = from;
    size_t d = (size_t)work->dimension;
    add_vector(a->gradient, b->gradient, d);
    add_vector(a->hessian, b->hessian, d * d);
    add_vector(a->product, b->product, d);
    a->loss = linpred__dd_add(a->loss, b->loss);
}

linpred_status linpred__fused_pass(const linpred_data *data, linpred__pool *pool, linpred__fused *fused,
                                   linpred_error *error)
{
    struct work work = {data, fused, data->columns + fused->has_intercept, NULL, NULL};
    size_t columns = (size_t)data->columns, room = (size_t)padded(data->columns) + WIDTH;
    work.weights = linpred__calloc(2 * room, sizeof(double));
    if (!work.weights)
        return linpred__no_memory(error);
    work.direction = work.weights + room;
    memcpy(work.weights, fused->weights, columns * sizeof(double));
    if (fused->direction)
        memcpy(work.direction, fused->direction, columns * sizeof(double));
    linpred__visitor visitor = {sizeof(struct lane), init_lane, visit, merge, clear_lane, &work};
    struct lane total;
    linpred_status status = linpred__pass(data, pool, &visitor, &total, error);
    linpred__release(work.weights);
    if (status != LINPRED_OK)
        return status;
    size_t d = (size_t)work.dimension;
    fused->loss = total.loss;
    if (fused->gradient)
        memcpy(fused->gradient, total.gradient, d * sizeof(double));
    if (fused->product)
        memcpy(fused->product, total.product, d * sizeof(double));
    for (size_t i = 0; fused->hessian && i < d; i++)
        for (size_t j = 0; j <= i; j++)
            fused->hessian[i * d + j] = fused->hessian[j * d + i] = total.hessian[i * d + j];
    clear_lane(&work, &total);
    return LINPRED_OK;
}
