/* The Hessian of a logistic fit: H = (1/W) Σ c e/(1+e)² (x - centre, 1)(x - centre, 1)' + penalties, where e =
 * exp(-|s|) for the score s of the row.
 *
 * Dense rows are scaled by the root of their curvature, gathered, and multiplied. Sparse rows have no centres; each
 * adds its products, entry by entry. If there are many columns, the matrix would not stay in cache, and each thread
 * would need one of its own. Then each task fills some rows of one matrix, for all rows of the data.
 */
#include <math.h>
#include <string.h>

#include "check/dense/product.h"
#include "check/limits.h"
#include "check/logistic/measure.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"

struct hessian_work {
    const linpred__logistic_question *question;
    const linpred_data *data;
    const linpred__careful *careful;
    size_t d;
    size_t stride;  /* entries of a row of the matrix */
    double *matrix; /* the upper triangle; by columns only */
    double *root;   /* the curvatures of all rows; by columns only */
};

struct hessian_part {
    double *matrix; /* upper triangle */
    double *rows;   /* rows that wait to be multiplied; dense rows only */
    size_t waiting; /* their number */
};

/* The curvature of the loss of row r, times its weight. */
static double curvature_of(const struct hessian_work *work, const linpred__block *block, int32_t r)
{
    linpred__measured_score score;
    linpred__careful_scores(work->careful, block, r, r + 1, &score);
    double e = exp(-fabs(score.value)), weight = block->weight ? block->weight[r] : 1.0;
    return weight * work->question->class_weight[block->target[r] > 0] * (e / (1.0 + e)) / (1.0 + e);
}

/* ---- rows by rows ---- */

static void clear_hessian_part(void *context, void *state)
{
    (void)context;
    linpred__release(((struct hessian_part *)state)->matrix);
    linpred__release(((struct hessian_part *)state)->rows);
}

static bool init_hessian_part(void *context, void *state)
{
    const struct hessian_work *work = context;
    struct hessian_part *part = state;
    bool sparse = work->data->layout == LINPRED__SPARSE;
    part->matrix = linpred__calloc(work->stride * work->stride, sizeof(double));
    part->rows = sparse ? NULL : linpred__calloc(linpred__product_rows(work->d) * work->stride, sizeof(double));
    if (part->matrix && (sparse || part->rows))
        return true;
    clear_hessian_part(context, state);
    return false;
}

static void multiply_waiting(const struct hessian_work *work, struct hessian_part *part)
{
    linpred__product_add(part->waiting, part->rows, work->d, part->rows, work->d, true, part->matrix);
    part->waiting = 0;
}

static void add_dense_row(const struct hessian_work *work, struct hessian_part *part, const linpred__block *block,
                          int32_t r)
{
    const double *x = block->values + r * block->stride, *centre = work->careful->centre;
    double root = sqrt(curvature_of(work, block, r)), *to = part->rows + part->waiting * work->stride;
    for (int32_t j = 0; j < block->columns; j++)
        to[j] = root * (x[j] - centre[j]);
    if (work->careful->has_intercept)
        to[work->d - 1] = root;
    if (++part->waiting == linpred__product_rows(work->d))
        multiply_waiting(work, part);
}

/* Adds c x_k (x_k, x_k+1, …, 1) to the row of the matrix that belongs to entry k. */
static void add_products(const struct hessian_work *work, const linpred__entries *row, int64_t k, double c,
                         double *matrix)
{
    double a = c * row->values[k], *restrict to = matrix + (size_t)row->indices[k] * work->stride;
    for (int64_t l = k; l < row->count; l++)
        to[row->indices[l]] += a * row->values[l];
    if (work->careful->has_intercept)
        to[work->d - 1] += a;
}

static void visit_hessian(void *context, void *state, const linpred__block *block)
{
    const struct hessian_work *work = context;
    struct hessian_part *part = state;
    for (int32_t r = 0; r < block->rows; r++) {
        if (part->rows) {
            add_dense_row(work, part, block, r);
            continue;
        }
        linpred__entries row = linpred__entries_of(block, r);
        double c = curvature_of(work, block, r);
        for (int64_t k = 0; k < row.count; k++)
            add_products(work, &row, k, c, part->matrix);
        if (work->careful->has_intercept)
            part->matrix[work->stride * (work->d - 1) + work->d - 1] += c;
    }
}

static void merge_hessians(void *context, void *into, const void *from)
{
    const struct hessian_work *work = context;
    struct hessian_part *a = into;
    struct hessian_part *b = (struct hessian_part *)from;
    multiply_waiting(work, a); /* before the sums of b, so that no sum has more additions than the bound counts */
    multiply_waiting(work, b);
    for (size_t i = 0; i < work->stride * work->stride; i++)
        a->matrix[i] += b->matrix[i];
}

static void list_hessian(void *context, void *state, linpred__state_pieces *pieces)
{
    const struct hessian_work *work = context;
    struct hessian_part *part = state;
    multiply_waiting(work, part); /* as any merge would: rows that wait need not be sent */
    linpred__state_triangle(pieces, part->matrix, (linpred__triangle_shape){work->d, work->stride, true});
}

static linpred_status sum_by_rows(struct hessian_work *work, linpred__pool *pool, linpred_error *error)
{
    linpred__visitor visitor = {sizeof(struct hessian_part),
                                init_hessian_part,
                                visit_hessian,
                                merge_hessians,
                                clear_hessian_part,
                                work,
                                list_hessian};
    struct hessian_part total;
    linpred__cut cut = linpred__cut_matrix(work->data, (double)work->d);
    linpred_status status = linpred__pass_all(work->data, pool, &visitor, (void *[]){&total}, 1, cut, error);
    if (status != LINPRED_OK)
        return status;
    multiply_waiting(work, &total);
    work->matrix = total.matrix;
    linpred__release(total.rows);
    return LINPRED_OK;
}

/* ---- sparse rows with many columns ---- */

enum { COLUMNS_OF_TASK = 32 };

/* The first entry of a row whose column is not before `column`. */
static int64_t first_from(const linpred__entries *row, int32_t column)
{
    int64_t low = 0, high = row->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (row->indices[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_curvatures(void *context, int64_t task)
{
    struct hessian_work *work = context;
    const linpred__block *block = linpred__block_at(work->data, task);
    for (int32_t r = 0; r < block->rows; r++)
        work->root[task * work->data->block_rows + r] = curvature_of(work, block, r);
}

/* Rows from, from + 1, … of the matrix; that of the intercept has one entry. */
static void fill_rows(void *context, int64_t task)
{
    struct hessian_work *work = context;
    int32_t from = (int32_t)task * COLUMNS_OF_TASK, to = from + COLUMNS_OF_TASK;
    bool last = work->careful->has_intercept && (size_t)to >= work->d && (size_t)from < work->d;
    for (int64_t i = 0; i < work->data->blocks; i++) {
        const linpred__block *block = linpred__block_at(work->data, i);
        for (int32_t r = 0; r < block->rows; r++) {
            double c = work->root[i * work->data->block_rows + r];
            linpred__entries row = linpred__entries_of(block, r);
            if (!row.indices) /* only sparse rows come here */
                continue;
            for (int64_t k = first_from(&row, from); k < row.count && row.indices[k] < to; k++)
                add_products(work, &row, k, c, work->matrix);
            if (last)
                work->matrix[work->stride * (work->d - 1) + work->d - 1] += c;
        }
    }
}

static linpred_status sum_by_columns(struct hessian_work *work, linpred__pool *pool, linpred_error *error)
{
    work->matrix = linpred__calloc(work->stride * work->stride, sizeof(double));
    work->root = linpred__alloc((size_t)(work->data->blocks * work->data->block_rows), sizeof(double));
    bool ready = work->matrix && work->root;
    if (ready) {
        linpred__pool_run(pool, work->data->blocks, find_curvatures, work);
        linpred__pool_run(pool, ((int64_t)work->d + COLUMNS_OF_TASK - 1) / COLUMNS_OF_TASK, fill_rows, work);
    }
    linpred__release(work->root);
    return ready ? LINPRED_OK : linpred__no_memory(error);
}

/* ---- the whole ---- */

static bool by_columns(const linpred_data *data)
{
    return data->layout == LINPRED__SPARSE && data->columns >= LINPRED__MANY_COLUMNS;
}

double linpred__hessian_chain(const linpred_data *data)
{
    return by_columns(data) ? (double)data->rows
                            : linpred__pass_chain(data, linpred__cut_matrix(data, data->columns + 1.0));
}

linpred_status linpred__sum_hessian(const linpred__logistic_question *question, const linpred_data *data,
                                    linpred__pool *pool, const linpred__careful *careful, double *hessian,
                                    linpred_error *error)
{
    size_t d = (size_t)careful->dimension;
    struct hessian_work work = {.question = question, .data = data, .careful = careful, .d = d};
    work.stride = linpred__whole_vectors(d);
    linpred_status status = by_columns(data) ? sum_by_columns(&work, pool, error) : sum_by_rows(&work, pool, error);
    for (size_t i = 0; status == LINPRED_OK && i < d; i++) {
        for (size_t j = i; j < d; j++)
            hessian[i * d + j] = hessian[j * d + i] = work.matrix[i * work.stride + j] / careful->weight;
        hessian[i * d + i] += careful->penalty[i];
    }
    linpred__release(work.matrix);
    return status;
}
