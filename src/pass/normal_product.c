/* X'VX v = Σ weight <x,v> x over the rows, or its diagonal Σ weight x_j². */
#include "pass/normal_product.h"

#include <string.h>

#include "core/memory.h"
#include "data/row.h"
#include "data/tree.h"

struct product_pass {
    const linpred__normal_matrix *matrix;
    const double *v; /* NULL: the pass sums the diagonal */
};

struct product_lane {
    double *sum; /* over the rows so far, width long */
    double *row; /* scratch of one row: leading parts, trailing parts, 2 width */
};

static void clear_product(void *context, void *state)
{
    (void)context;
    struct product_lane *lane = state;
    linpred__release(lane->sum);
    linpred__release(lane->row);
}

static bool init_product(void *context, void *state)
{
    size_t p = (size_t)((struct product_pass *)context)->matrix->width;
    struct product_lane *lane = state;
    lane->sum = linpred__calloc(p, sizeof(double));
    lane->row = linpred__calloc(2 * p, sizeof(double));
    if (lane->sum && lane->row)
        return true;
    clear_product(context, state);
    return false;
}

static void add_diagonal(const struct product_pass *pass, struct product_lane *lane, const linpred__block *block)
{
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r);
        linpred__entries row = linpred__entries_of(block, r);
        for (int64_t k = 0; k < row.count; k++)
            lane->sum[linpred__entry_column(&row, k)] += weight * row.values[k] * row.values[k];
        if (pass->matrix->has_intercept)
            lane->sum[block->columns] += weight;
    }
}

LINPRED__FAST static void add_plain_rows(const struct product_pass *pass, struct product_lane *lane,
                                         const linpred__block *block)
{
    bool intercept = pass->matrix->has_intercept;
    for (int32_t r = 0; r < block->rows; r++) {
        double z = linpred__row_dot(block, r, pass->v) + (intercept ? pass->v[block->columns] : 0.0);
        z *= linpred__row_weight(block, r);
        linpred__row_add(block, r, z, lane->sum);
        if (intercept)
            lane->sum[block->columns] += z;
    }
}

static void add_expanded_rows(const struct product_pass *pass, struct product_lane *lane, const linpred__block *block)
{
    const linpred__normal_matrix *matrix = pass->matrix;
    int32_t p = matrix->width;
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r), z = 0.0;
        matrix->expand(matrix->context, block, r, lane->row, lane->row + p);
        for (int32_t j = 0; pass->v && j < p; j++)
            z += lane->row[j] * pass->v[j];
        for (int32_t j = 0; j < p; j++)
            lane->sum[j] += weight * lane->row[j] * (pass->v ? z : lane->row[j]);
    }
}

static void visit_product_rows(void *context, void *state, const linpred__block *block)
{
    const struct product_pass *pass = context;
    if (pass->matrix->expand)
        add_expanded_rows(pass, state, block);
    else if (pass->v)
        add_plain_rows(pass, state, block);
    else
        add_diagonal(pass, state, block);
}

static void merge_products(void *context, void *into, const void *from)
{
    struct product_lane *a = into;
    const struct product_lane *b = from;
    for (int32_t j = 0; j < ((struct product_pass *)context)->matrix->width; j++)
        a->sum[j] += b->sum[j];
}

static void list_products(void *context, void *state, linpred__state_pieces *pieces)
{
    linpred__state_piece(pieces, ((struct product_lane *)state)->sum,
                         (size_t)((struct product_pass *)context)->matrix->width * sizeof(double));
}

linpred_status linpred__normal_product(const linpred_data *data, linpred__pool *pool,
                                       const linpred__normal_matrix *matrix, const double *v, double *out,
                                       linpred_error *error)
{
    struct product_pass pass = {matrix, v};
    linpred__visitor visitor = {sizeof(struct product_lane),
                                init_product,
                                visit_product_rows,
                                merge_products,
                                clear_product,
                                &pass,
                                list_products};
    struct product_lane total;
    linpred_status status = linpred__pass(data, pool, &visitor, &total, error);
    if (status != LINPRED_OK)
        return status;
    memcpy(out, total.sum, (size_t)matrix->width * sizeof *out);
    clear_product(&pass, &total);
    return LINPRED_OK;
}
