/* Signs, mistakes, margins, loss and fingerprint in one pass; see rows.h.
 *
 * Let s be the computed sum of n products w_j x_j, in any order, and u = 2^-53. It differs from the exact sum by at
 * most
 *
 *   (n+2) u Σ|w_j x_j| / (1 - (n+2) u) + n 2^-1074.
 *
 * If x has decimals, it is off them by at most u |x|, which is one more rounding; tails of w are another. If |s| is
 * larger than that, s has the right sign. If not, the products are added exactly.
 */
#include "check/rows/rows.h"

#include <float.h>
#include <math.h>

#include "check/rows/sums.h"
#include "check/rows/whole.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/fingerprint.h"
#include "data/limits.h"

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
    const linpred__tails *tails = &model->tails;
    linpred__exact_clear(sum);
    for (int64_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k);
        double part[2];
        linpred__read_cell(block, j, row.values[k], part);
        linpred__exact_add(sum, part[0], model->w[j]);
        linpred__exact_add(sum, part[1], model->w[j]);
        for (int32_t p = 0; p < tails->count; p++)
            for (int half = 0; half < 2; half++)
                linpred__exact_add(sum, part[half], tails->value[p * tails->width + j]);
    }
    linpred__exact_add(sum, model->b, linpred__row_factor(block));
    for (int32_t p = 0; p < tails->count && model->has_intercept; p++)
        linpred__exact_add(sum, tails->value[p * tails->width + model->columns], linpred__row_factor(block));
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
    const linpred__rows_pass *pass = context;
    linpred__rows_part *part = state;
    double factor = linpred__row_factor(block), b = pass->model->b;
    linpred__row_sums sums[LINPRED__ROWS_AT_A_TIME];
    for (int32_t from = 0; from < block->rows; from += LINPRED__ROWS_AT_A_TIME) {
        int32_t to = from + LINPRED__ROWS_AT_A_TIME < block->rows ? from + LINPRED__ROWS_AT_A_TIME : block->rows;
        int32_t right = 0; /* rows of weight 1 that are certainly right, and not the one with the smallest y s(x) */
        linpred__sum_rows(block, from, to, pass->model->w, NULL, sums);
        for (int32_t r = from; r < to; r++) {
            linpred__entries row = linpred__entries_of(block, r);
            double terms = (double)row.count, sum = sums[r - from].score + b, size = sums[r - from].size + fabs(b);
            double error = (terms + 12.0) * DBL_EPSILON * size + (terms + 1.0) * 0x1p-1073;
            double least = block->target[r] * sum - error;
            if (least > 0 && least >= part->lowest && !block->weight && !pass->radius) {
                right++;
                continue;
            }
            linpred__computed_score score = {sum, error, block->target[r], factor, sum_exactly};
            linpred__rows_add(part, pass->model, block, r, &score);
            if (pass->radius)
                part->longest = fmax(part->longest, length_of(&row, sums[r - from].square));
        }
        part->weight = linpred__dd_add_double(part->weight, right);
    }
}

static void visit_ball(void *context, void *state, const linpred__block *block)
{
    linpred__visit_ball_rows((void *)((const linpred__rows_pass *)context)->model, state, block);
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

bool linpred__rows_open(const linpred_model *model, const linpred_data *data, bool radius, linpred__rows_pass *pass)
{
    bool ball = model->task == LINPRED_TASK_BALL;
    *pass = (linpred__rows_pass){.model = model, .data = data, .radius = radius && !ball};
    pass->total[0] = &pass->part;
    pass->total[1] = &pass->hash;
    pass->visitor[0] = (linpred__visitor){sizeof pass->part,   init_rows_part, ball ? visit_ball : visit_signs,
                                          merge_rows_parts,    NULL,           pass,
                                          linpred__whole_state};
    return linpred__fingerprint_visitor(data, &pass->visitor[1]);
}

void linpred__rows_close(linpred__rows_pass *pass)
{
    linpred__release(pass->visitor[1].context);
}

linpred_status linpred__rows_finish(linpred__rows_pass *pass, linpred__pool *pool, linpred__rows_finding *rows,
                                    linpred_error *error)
{
    const linpred_model *model = pass->model;
    const linpred__rows_part *part = &pass->part;
    bool ball = model->task == LINPRED_TASK_BALL;
    if (!pass->visited) {
        linpred_status status =
            linpred__pass_all(pass->data, pool, pass->visitor, pass->total, 2, linpred__cut_small(pass->data), error);
        if (status != LINPRED_OK)
            return status;
        pass->visited = true;
    }
    *rows = (linpred__rows_finding){
        .weight = part->weight.hi,
        .errors = linpred__dd_add(part->wrong[0], part->wrong[1]).hi,
        .wrong = {part->wrong[0].hi, part->wrong[1].hi},
        .lowest = part->lowest,
        .worst_row = part->worst_row,
        .exact_signs = part->exact_signs,
        .loss = part->loss.hi,
        .loss_error = part->loss_error + 0x1p-50 * part->loss.hi,
        .radius = pass->radius ? hypot(part->longest, model->has_intercept ? 1.0 : 0.0) : (double)NAN,
        .nearest = ball && model->b > 0 ? part->nearest : (double)NAN,
        .fingerprint = linpred__fingerprint_end(pass->data, pass->hash),
    };
    return LINPRED_OK;
}

linpred_status linpred__measure_rows(const linpred_model *model, const linpred_data *data, linpred__pool *pool,
                                     bool radius, linpred__rows_finding *rows, linpred_error *error)
{
    linpred__rows_pass pass;
    linpred_status status = linpred__rows_open(model, data, radius, &pass)
                                ? linpred__rows_finish(&pass, pool, rows, error)
                                : linpred__no_memory(error);
    linpred__rows_close(&pass);
    return status;
}
