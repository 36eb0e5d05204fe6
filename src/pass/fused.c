/* The fused pass (see fused.h). Dense rows are scaled and multiplied by BLAS; sparse rows are added entry by entry, or
 * column by column (sparse_gram.h) if there are many columns. */
#include "pass/fused.h"

#include <cblas.h>
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/block_sums.h"
#include "data/row.h"
#include "data/tree.h"
#include "num/vector.h"
#include "pass/limits.h"
#include "pass/sparse_gram.h"

enum {
    WIDTH = 8,    /* doubles of a vector */
    TOGETHER = 4, /* entries of a sparse row whose rows of the Hessian are filled side by side */
    TILE = 16     /* rows and columns of a square that is mirrored at a time: both stay in cache */
};

static int32_t padded(int32_t columns)
{
    return (int32_t)linpred__padded(columns);
}

/* The state of the pass: sums over rows, and scratch for one block. */
struct fused_sums {
    double *gradient; /* of the features, padded to whole vectors; then of the intercept */
    double *hessian;  /* lower triangle by rows */
    double *product;  /* as the gradient */
    double *scratch;  /* z, loss, r and curvature of a block; then sqrt(D) X_b for the Hessian */
    linpred__dd loss;
};

struct fused_work {
    const linpred_data *data;
    linpred__fused *fused;
    int32_t dimension;
    double *weights;   /* padded with zeros to whole vectors */
    double *direction; /* padded with zeros; zeros if there is none */
    double *centre;    /* padded with zeros; zeros if there is none */
    double *curvature; /* of all rows, if the Hessian is made from them after the pass; else NULL */
    int64_t *first;    /* with `curvature`: where each block's begin */
};

static void clear_fused_sums(void *context, void *state)
{
    (void)context;
    struct fused_sums *sums = state;
    linpred__release(sums->gradient);
    linpred__release(sums->hessian);
    linpred__release(sums->product);
    linpred__release(sums->scratch);
}

static bool init_fused_sums(void *context, void *state)
{
    struct fused_work *work = context;
    struct fused_sums *sums = state;
    size_t d = (size_t)work->dimension, length = (size_t)padded(work->data->columns) + 1;
    size_t rows = (size_t)work->data->block_rows;
    bool dense_hessian = work->fused->hessian && work->data->layout == LINPRED__DENSE;
    sums->scratch = linpred__alloc(rows * (4 + (dense_hessian ? d : 0)), sizeof(double));
    if (work->fused->gradient)
        sums->gradient = linpred__calloc(length, sizeof(double));
    bool hessian = work->fused->hessian && !work->curvature;
    if (hessian)
        sums->hessian = linpred__calloc(d * d, sizeof(double));
    if (work->fused->product)
        sums->product = linpred__calloc(length, sizeof(double));
    bool complete = sums->scratch && (!work->fused->gradient || sums->gradient) && (!hessian || sums->hessian) &&
                    (!work->fused->product || sums->product);
    if (!complete)
        clear_fused_sums(context, state);
    return complete;
}

/* sums += (X_b - c, 1)' a. The entry of the intercept stands behind the padded ones of the features. c NULL: 0. */
static void add_scaled_rows(const linpred__block *block, const double *a, const double *c, bool has_intercept,
                            double *sums)
{
    linpred__block_add(block, a, c, sums);
    double ones = 0.0;
    for (int32_t r = 0; r < block->rows; r++)
        ones += a[r];
    if (has_intercept)
        sums[padded(block->columns)] += ones;
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
static void add_dense_hessian(const linpred__block *block, const double *curvature, const double *centre,
                              bool has_intercept, double *scaled, double *hessian)
{
    int32_t d = block->columns + has_intercept;
    scale_rows(block, curvature, centre, has_intercept, scaled);
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, d, block->rows, 1.0, scaled, d, 1.0, hessian, d);
}

/* Adds c x x' to four rows of H, those of entries `below` .. below + 3 of x, up to the diagonal. */
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

/* Lower triangle of H += X_b' D X_b for sparse rows, four entries of a row at a time. */
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

static void visit_fused(void *context, void *state, const linpred__block *block)
{
    struct fused_work *work = context;
    struct fused_sums *sums = state;
    linpred__fused *fused = work->fused;
    size_t rows = (size_t)work->data->block_rows;
    double *z = sums->scratch;
    double *loss = z + rows;
    double *r = loss + rows;
    double *curvature =
        work->curvature ? work->curvature + work->first[linpred__block_number(work->data, block)] : r + rows;
    linpred__block_scores(block, work->weights, fused->has_intercept ? fused->intercept : 0.0, z);
    fused->row_function(fused->context, block, z, loss, r, curvature);
    sums->loss = linpred__dd_add(sums->loss, linpred__sum(loss, block->rows));
    if (sums->gradient)
        add_scaled_rows(block, r, fused->centre ? work->centre : NULL, fused->has_intercept, sums->gradient);
    if (sums->hessian && block->layout == LINPRED__DENSE)
        add_dense_hessian(block, curvature, work->centre, fused->has_intercept, curvature + rows, sums->hessian);
    else if (sums->hessian)
        add_sparse_hessian(block, curvature, fused->has_intercept, sums->hessian);
    if (sums->product) {
        linpred__block_scores(block, work->direction, fused->has_intercept ? fused->direction[block->columns] : 0.0, z);
        for (int32_t i = 0; i < block->rows; i++)
            z[i] *= curvature[i];
        add_scaled_rows(block, z, NULL, fused->has_intercept, sums->product);
    }
}

LINPRED__FAST static void add_vector(double *restrict into, const double *restrict from, size_t n)
{
    for (size_t i = 0; into && i < n; i++)
        into[i] += from[i];
}

static void merge_fused_sums(void *context, void *into, const void *from)
{
    struct fused_work *work = context;
    struct fused_sums *a = into;
    const struct fused_sums *b = from;
    size_t d = (size_t)work->dimension, length = (size_t)padded(work->data->columns) + 1;
    add_vector(a->gradient, b->gradient, length);
    for (size_t i = 0; a->hessian && i < d; i++) /* the lower triangle */
        add_vector(a->hessian + i * d, b->hessian + i * d, i + 1);
    add_vector(a->product, b->product, length);
    a->loss = linpred__dd_add(a->loss, b->loss);
}

static void list_fused_sums(void *context, void *state, linpred__state_pieces *pieces)
{
    const struct fused_work *work = context;
    struct fused_sums *sums = state;
    size_t d = (size_t)work->dimension, length = (size_t)padded(work->data->columns) + 1;
    linpred__state_piece(pieces, &sums->loss, sizeof sums->loss);
    linpred__state_piece(pieces, sums->gradient, length * sizeof(double));
    linpred__state_triangle(pieces, sums->hessian, (linpred__triangle_shape){d, d, false});
    linpred__state_piece(pieces, sums->product, length * sizeof(double));
}

/* Whether the Hessian is made column by column after the pass (pass/sparse_gram.h). */
static bool by_columns(const linpred_data *data)
{
    return data->layout == LINPRED__SPARSE && data->columns >= LINPRED__HESSIAN_BY_COLUMNS;
}

linpred__cut linpred__fused_cut(const linpred_data *data, bool hessian)
{
    double d = data->columns + 1.0;
    return hessian && !by_columns(data) ? linpred__cut_matrix(data, d) : linpred__cut_vector(data, 2.0 * d);
}

double linpred__fused_chain(const linpred_data *data)
{
    return by_columns(data) ? (double)data->rows : linpred__pass_chain(data, linpred__fused_cut(data, true));
}

/* A buffer for the curvatures of all rows. */
static bool keep_curvatures(struct fused_work *work)
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

/* From padded sums to the caller's vector. */
static void take_padded(double *to, const double *from, int32_t columns, bool has_intercept)
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

static void release_work(struct fused_work *work)
{
    linpred__release(work->weights);
    linpred__release(work->curvature);
    linpred__release(work->first);
}

linpred_status linpred__fused_pass(const linpred_data *data, linpred__pool *pool, linpred__fused *fused,
                                   linpred_error *error)
{
    struct fused_work work = {.data = data, .fused = fused, .dimension = data->columns + fused->has_intercept};
    size_t columns = (size_t)data->columns, length = (size_t)padded(data->columns) + WIDTH;
    work.weights = linpred__calloc(3 * length, sizeof(double));
    if (!work.weights || (fused->hessian && by_columns(data) && !keep_curvatures(&work))) {
        release_work(&work);
        return linpred__no_memory(error);
    }
    work.direction = work.weights + length;
    work.centre = work.direction + length;
    memcpy(work.weights, fused->weights, columns * sizeof(double));
    if (fused->direction)
        memcpy(work.direction, fused->direction, columns * sizeof(double));
    if (fused->centre)
        memcpy(work.centre, fused->centre, columns * sizeof(double));
    linpred__visitor visitor = {sizeof(struct fused_sums), init_fused_sums, visit_fused,    merge_fused_sums,
                                clear_fused_sums,          &work,           list_fused_sums};
    struct fused_sums total;
    linpred__cut cut = linpred__fused_cut(data, fused->hessian);
    linpred_status status = linpred__pass_all(data, pool, &visitor, (void *[]){&total}, 1, cut, error);
    if (status == LINPRED_OK) {
        size_t d = (size_t)work.dimension;
        fused->loss = total.loss;
        take_padded(fused->gradient, total.gradient, data->columns, fused->has_intercept);
        take_padded(fused->product, total.product, data->columns, fused->has_intercept);
        if (total.hessian)
            take_hessian(fused->hessian, total.hessian, d);
        clear_fused_sums(&work, &total);
    }
    if (status == LINPRED_OK && work.curvature) {
        linpred__share_rows(data, cut, work.curvature, sizeof *work.curvature);
        status =
            linpred__sparse_gram(data, pool, work.curvature, work.first, fused->has_intercept, fused->hessian, error);
    }
    release_work(&work);
    return status;
}
