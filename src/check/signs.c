/* Each row's sign, certain.
 *
 * A sum s of n rounded products, in any order, differs from the exact sum by at most (n+2) u Σ|w_j x_j| / (1 - (n+2) u)
 * + n 2^-1074, u = 2^-53. Beyond that bound the sign is that of s; nearer to zero the products are added exactly.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "check/check.h"
#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "data/fingerprint.h"

static bool init(void *context, void *state)
{
    (void)context;
    linpred__signs *signs = state;
    signs->lowest = INFINITY;
    signs->worst_row = -1;
    return true;
}

static void exact_sum(const linpred_model *model, const linpred__entries *row, linpred__exact *sum)
{
    linpred__exact_clear(sum);
    for (int64_t k = 0; k < row->count; k++)
        linpred__exact_add(sum, row->values[k], model->w[linpred__entry_column(row, k)]);
    linpred__exact_add(sum, model->b, 1.0);
}

enum { AT_A_TIME = 64, WIDTH = 8 };

/* Σ w_j x_j + b and Σ |w_j x_j| + |b| of rows from .. to-1; dense rows eight products at a time. */
LINPRED__FAST static void sum_rows(const linpred_model *model, const linpred__block *block, int32_t from, int32_t to,
                                   double *sum, double *size)
{
    const double *w = model->w;
    for (int32_t r = from; r < to; r++) {
        linpred__entries row = linpred__entries_of(block, r);
        double part[WIDTH] = {0}, part_size[WIDTH] = {0};
        int64_t k = 0;
        for (; !row.indices && k + WIDTH <= row.count; k += WIDTH)
            for (int l = 0; l < WIDTH; l++) {
                double product = row.values[k + l] * w[k + l];
                part[l] += product;
                part_size[l] += fabs(product);
            }
        double s = model->b, t = fabs(model->b);
        for (; k < row.count; k++) {
            double product = row.values[k] * w[linpred__entry_column(&row, k)];
            s += product;
            t += fabs(product);
        }
        for (int l = 0; l < WIDTH; l++) {
            s += part[l];
            t += part_size[l];
        }
        sum[r - from] = s;
        size[r - from] = t;
    }
}

void linpred__signs_row(linpred__signs *signs, const linpred__block *block, int32_t r, double label, double sum,
                        double bound, linpred__exact_sum *exact_sum, const linpred_model *model)
{
    double weight = block->weight ? block->weight[r] : 1.0;
    bool clear = fabs(sum) > bound; /* false too where something overflowed */
    double score = label * sum;
    bool wrong = clear && score < 0;
    if (!clear || score - bound < signs->lowest) {
        linpred__entries row = linpred__entries_of(block, r);
        linpred__exact exact;
        exact_sum(model, &row, &exact);
        wrong = label * linpred__exact_sign(&exact) <= 0;
        score = label * linpred__exact_value(&exact);
        signs->exactly += !clear;
    }
    signs->weight += weight;
    if (wrong) {
        signs->errors += weight;
        signs->wrong[block->target[r] > 0] += weight;
    }
    if (score < signs->lowest || signs->worst_row < 0) {
        signs->lowest = score;
        signs->worst_row = block->first_row + r;
    }
}

static void visit(void *context, void *state, const linpred__block *block)
{
    double sum[AT_A_TIME], size[AT_A_TIME];
    for (int32_t from = 0; from < block->rows; from += AT_A_TIME) {
        int32_t to = from + AT_A_TIME < block->rows ? from + AT_A_TIME : block->rows;
        sum_rows(context, block, from, to, sum, size);
        for (int32_t r = from; r < to; r++) {
            double terms = (double)linpred__entries_of(block, r).count;
            double bound = (terms + WIDTH + 4.0) * DBL_EPSILON * size[r - from] + (terms + 1.0) * 0x1p-1073;
            linpred__signs_row(state, block, r, block->target[r], sum[r - from], bound, exact_sum, context);
        }
    }
}

static void merge(void *context, void *into, const void *from)
{
    (void)context;
    linpred__signs *a = into;
    const linpred__signs *b = from;
    a->weight += b->weight;
    a->errors += b->errors;
    a->wrong[0] += b->wrong[0];
    a->wrong[1] += b->wrong[1];
    a->exactly += b->exactly;
    if (b->lowest < a->lowest || (b->lowest == a->lowest && b->worst_row < a->worst_row)) {
        a->lowest = b->lowest;
        a->worst_row = b->worst_row;
    }
}

linpred_status linpred__signs_pass(const linpred_data *data, linpred__pool *pool,
                                   void (*visit_block)(void *context, void *state, const linpred__block *block),
                                   void *context, linpred__signs *signs, uint64_t *fingerprint, linpred_error *error)
{
    linpred__visitor visitor[2] = {{sizeof *signs, init, visit_block, merge, NULL, context}};
    if (!linpred__fingerprint_visitor(data, &visitor[1]))
        return linpred__no_memory(error);
    uint64_t sum;
    linpred_status status = linpred__pass_all(data, pool, visitor, (void *[]){signs, &sum}, 2, linpred__cut_small(data), error);
    linpred__release(visitor[1].context);
    if (status == LINPRED_OK)
        *fingerprint = linpred__fingerprint_end(data, sum);
    return status;
}

linpred_status linpred__check_signs(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                    linpred__signs *signs, uint64_t *fingerprint, linpred_error *error)
{
    return linpred__signs_pass(data, pool, visit, (void *)model, signs, fingerprint, error);
}
