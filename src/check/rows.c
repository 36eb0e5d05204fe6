/* Signs, mistakes, margins, loss and fingerprint in one pass; see rows.h.
 *
 * Let s be the computed sum of n products w_j x_j, in any order, and u = 2^-53. It differs from the exact sum by at
 * most
 *
 *   (n+2) u Σ|w_j x_j| / (1 - (n+2) u) + n 2^-1074.
 *
 * If x has decimals, it is off them by at most u |x|, which is one more rounding. If |s| is larger than that, s has the
 * right sign. If not, the products are added exactly.
 */
#include "check/rows.h"

#include <float.h>
#include <math.h>

#include "check/whole.h"
#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "data/fingerprint.h"
#include "data/limits.h"

enum { WIDTH = 8 };

struct pass {
    const linpred_model *model;
    bool radius; /* also find the largest ||x|| */
};

static bool init_rows_part(void *context, void *state)
{
    (void)context;
    linpred__rows_part *part = state;
    part->lowest = part->nearest = INFINITY;
    part->worst_row = -1;
    return true;
}

static void sum_exactly(const linpred_model *model, const linpred__block *block, int32_t r, linpred__exact *sum)
{
    linpred__entries row = linpred__entries_of(block, r);
    linpred__exact_clear(sum);
    for (int64_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k);
        double part[2];
        linpred__read_cell(block, j, row.values[k], part);
        linpred__exact_add(sum, part[0], model->w[j]);
        linpred__exact_add(sum, part[1], model->w[j]);
    }
    linpred__exact_add(sum, model->b, linpred__row_factor(block));
}

/* Σ w_j x_j + b and Σ |w_j x_j| + |b| of the rows from .. to-1. Dense rows are added in eight interleaved sums. */
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

/* ||x||, also if the squares overflow or underflow. */
static double length_of(const linpred__entries *row, double square)
{
    if (square > 0x1p-900 && square < 0x1p900)
        return sqrt(square);
    double length = 0.0;
    for (int64_t k = 0; k < row->count; k++)
        length = hypot(length, row->values[k]);
    return length;
}

LINPRED__FAST static double square_of(const double *x, int64_t n)
{
    double part[WIDTH] = {0}, sum = 0.0;
    int64_t k = 0;
    for (; k + WIDTH <= n; k += WIDTH)
        for (int l = 0; l < WIDTH; l++)
            part[l] += x[k + l] * x[k + l];
    for (; k < n; k++)
        sum += x[k] * x[k];
    for (int l = 0; l < WIDTH; l++)
        sum += part[l];
    return sum;
}

void linpred__rows_add(linpred__rows_part *part, const linpred_model *model, const linpred__block *block, int32_t r,
                       const linpred__computed_score *computed)
{
    double weight = block->weight ? block->weight[r] : 1.0, error = computed->error;
    bool clear = fabs(computed->value) > error; /* also false if the sum overflowed */
    double score = computed->side * computed->value;
    bool wrong = clear && score < 0;
    /* The exact sum is needed for an uncertain sign, and if the row may have the smallest y s(x). */
    if (!clear || score - error < part->lowest) {
        linpred__exact exact;
        computed->sum_exactly(model, block, r, &exact);
        wrong = computed->side * linpred__exact_sign(&exact) <= 0;
        score = computed->side * (linpred__exact_value(&exact) / computed->factor);
        error = 0x1p-52 * fabs(score);
        part->exact_signs += !clear;
    }
    part->weight = linpred__dd_add_double(part->weight, weight);
    if (wrong) {
        linpred__dd *sum = &part->wrong[block->target[r] > 0];
        *sum = linpred__dd_add_double(*sum, weight);
        part->loss = linpred__dd_add_double(part->loss, -weight * score);
        part->loss_error += weight * error;
    }
    if (score < part->lowest || part->worst_row < 0) {
        part->lowest = score;
        part->worst_row = block->first_row + r;
    }
}

static void visit_signs(void *context, void *state, const linpred__block *block)
{
    const struct pass *pass = context;
    linpred__rows_part *part = state;
    double sum[LINPRED__ROWS_AT_A_TIME], size[LINPRED__ROWS_AT_A_TIME], factor = linpred__row_factor(block);
    for (int32_t from = 0; from < block->rows; from += LINPRED__ROWS_AT_A_TIME) {
        int32_t to = from + LINPRED__ROWS_AT_A_TIME < block->rows ? from + LINPRED__ROWS_AT_A_TIME : block->rows;
        int32_t right = 0; /* rows of weight 1 that are certainly right, and not the one with the smallest y s(x) */
        sum_rows(pass->model, block, from, to, sum, size);
        for (int32_t r = from; r < to; r++) {
            linpred__entries row = linpred__entries_of(block, r);
            double terms = (double)row.count;
            double error = (terms + WIDTH + 4.0) * DBL_EPSILON * size[r - from] + (terms + 1.0) * 0x1p-1073;
            double least = block->target[r] * sum[r - from] - error;
            if (least > 0 && least >= part->lowest && !block->weight && !pass->radius) {
                right++;
                continue;
            }
            linpred__computed_score score = {sum[r - from], error, block->target[r], factor, sum_exactly};
            linpred__rows_add(part, pass->model, block, r, &score);
            if (pass->radius)
                part->longest = fmax(part->longest, length_of(&row, square_of(row.values, row.count)));
        }
        part->weight = linpred__dd_add_double(part->weight, right);
    }
}

static void visit_ball(void *context, void *state, const linpred__block *block)
{
    linpred__visit_ball_rows((void *)((const struct pass *)context)->model, state, block);
}

static void merge_rows_parts(void *context, void *into, const void *from)
{
    (void)context;
    linpred__rows_part *a = into;
    const linpred__rows_part *b = from;
    a->weight = linpred__dd_add(a->weight, b->weight);
    a->wrong[0] = linpred__dd_add(a->wrong[0], b->wrong[0]);
    a->wrong[1] = linpred__dd_add(a->wrong[1], b->wrong[1]);
    a->loss = linpred__dd_add(a->loss, b->loss);
    a->loss_error += b->loss_error;
    a->nearest = fmin(a->nearest, b->nearest);
    a->longest = fmax(a->longest, b->longest);
    a->exact_signs += b->exact_signs;
    if (b->lowest < a->lowest || (b->lowest == a->lowest && b->worst_row < a->worst_row)) {
        a->lowest = b->lowest;
        a->worst_row = b->worst_row;
    }
}

linpred_status linpred__measure_rows(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                     bool radius, linpred__rows_finding *rows, linpred_error *error)
{
    bool ball = model->task == LINPRED_TASK_BALL;
    struct pass pass = {model, radius && !ball};
    linpred__rows_part part;
    linpred__visitor visitor[2] = {
        {sizeof part, init_rows_part, ball ? visit_ball : visit_signs, merge_rows_parts, NULL, &pass}};
    if (!linpred__fingerprint_visitor(data, &visitor[1]))
        return linpred__no_memory(error);
    uint64_t sum;
    linpred_status status =
        linpred__pass_all(data, pool, visitor, (void *[]){&part, &sum}, 2, linpred__cut_small(data), error);
    linpred__release(visitor[1].context);
    if (status != LINPRED_OK)
        return status;
    *rows = (linpred__rows_finding){
        .weight = part.weight.hi,
        .errors = linpred__dd_add(part.wrong[0], part.wrong[1]).hi,
        .wrong = {part.wrong[0].hi, part.wrong[1].hi},
        .lowest = part.lowest,
        .worst_row = part.worst_row,
        .exact_signs = part.exact_signs,
        .loss = part.loss.hi,
        .loss_error = part.loss_error + 0x1p-50 * part.loss.hi,
        .radius = pass.radius ? hypot(part.longest, model->has_intercept ? 1.0 : 0.0) : (double)NAN,
        .nearest = ball && model->b > 0 ? part.nearest : (double)NAN,
        .fingerprint = linpred__fingerprint_end(data, sum),
    };
    return LINPRED_OK;
}
