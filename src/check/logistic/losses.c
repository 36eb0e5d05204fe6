/* The pass over all rows that sums the logistic loss and its gradient, with bounds of their rounding errors.
 *
 * A computed score is wrong by at most δ_i = (n+4) 2^-52 (Σ|w_j x_ij| + |b|); if that is much, it is computed again in
 * double-double. So the derivative r_i of the loss of row i is wrong by at most δ_i times the curvature, which is at
 * most 1/4, and a few units in its last place. A sum of K terms is wrong by at most K 2^-52 Σ|terms|. The pass adds all
 * of these bounds up in gradient_error. exp and log1p come from the C library; the fit has its own. A cell that means a
 * decimal is off it by 2^-53 |x| at most: δ_i covers that as one more rounding, and x - c is off by as much.
 */
#include "check/logistic/measure.h"

#include <float.h>
#include <math.h>

#include "core/fast.h"
#include "core/memory.h"
#include "data/limits.h"
#include "data/tree.h"
#include "num/greater.h"

struct loss_pass {
    const linpred__careful *careful;
    const double *class_weight;
    int32_t dimension;
    bool sparse;
    double chain; /* 2^-52 times the largest number of terms of a sum */
};

static bool init_loss_lane(void *context, void *state)
{
    const struct loss_pass *work = context;
    size_t d = (size_t)work->dimension, vectors = work->sparse ? 3 : 4;
    double *gradient = ((linpred__losses *)state)->gradient = linpred__calloc(vectors * d, sizeof(double));
    for (size_t j = 0; gradient && !work->sparse && j < d; j++) {
        gradient[2 * d + j] = -INFINITY;
        gradient[3 * d + j] = INFINITY;
    }
    return gradient != NULL;
}

static void clear_loss_lane(void *context, void *state)
{
    (void)context;
    linpred__release(((linpred__losses *)state)->gradient);
}

/* What a row adds: r (x - c) to the gradient, dr |x - c| + dx |x| to the bound of its error. */
struct share {
    double r, dr, dx;
};

enum { TOGETHER = 4 }; /* dense rows that are added on one trip over the sums */

/* Adds the shares of TOGETHER rows, and updates the extremes of x. */
LINPRED__FAST static void add_dense(const struct loss_pass *work, const double *const *x, const struct share *s,
                                    double *restrict g)
{
    int64_t d = work->dimension, n = d - work->careful->has_intercept;
    const double *centre = work->careful->centre;
    double *restrict rounding = g + d, *restrict high = g + 2 * d, *restrict low = g + 3 * d;
    LINPRED__INDEPENDENT_ITERATIONS
    for (int64_t j = 0; j < n; j++) {
        double sum = g[j], error = rounding[j], least = low[j], most = high[j];
        for (int k = 0; k < TOGETHER; k++) {
            double cell = x[k][j], value = cell - centre[j];
            sum += s[k].r * value;
            error += s[k].dr * fabs(value) + s[k].dx * fabs(cell);
            least = cell < least ? cell : least;
            most = cell > most ? cell : most;
        }
        g[j] = sum;
        rounding[j] = error;
        low[j] = least;
        high[j] = most;
    }
}

/* Adds the shares of the dense rows from .. to - 1. Where fewer than TOGETHER are left, the last is repeated with a
   share of 0. */
static void add_dense_rows(const struct loss_pass *work, const linpred__block *block, int32_t from, int32_t to,
                           const struct share *share, double *g)
{
    for (int32_t r = from; r < to; r += TOGETHER) {
        const double *x[TOGETHER];
        struct share s[TOGETHER] = {{0}};
        for (int32_t k = 0; k < TOGETHER; k++) {
            x[k] = block->values + (r + k < to ? r + k : to - 1) * block->stride;
            if (r + k < to)
                s[k] = share[r + k - from];
        }
        add_dense(work, x, s, g);
    }
}

/* Adds the share of a sparse row. Sparse columns have no centres, and `high` is the largest |x|. */
static void add_sparse_gradient(const linpred__entries *row, struct share s, double *g, double *rounding, double *high)
{
    for (int64_t k = 0; k < row->count; k++) {
        int32_t j = row->indices[k];
        double size = fabs(row->values[k]);
        g[j] += s.r * row->values[k];
        rounding[j] += (s.dr + s.dx) * size;
        high[j] = size > high[j] ? size : high[j];
    }
}

/* Adds the loss of a row, and the bounds of its errors. Returns what the row adds to the gradient. */
static struct share add_row_loss(const struct loss_pass *work, linpred__losses *lane, const linpred__block *block,
                                 int32_t i, linpred__measured_score score)
{
    const linpred__careful *careful = work->careful;
    double off = score.off;
    int positive = block->target[i] > 0;
    double weight = (block->weight ? block->weight[i] : 1.0) * work->class_weight[positive];
    double t = positive ? score.value : -score.value;
    double e = exp(-fabs(t)), near = e / (1.0 + e), far = 1.0 / (1.0 + e);
    double miss = t < 0 ? far : near;
    double loss = weight * ((t < 0 ? -t : 0.0) + log1p(e));
    double r = (positive ? -1.0 : 1.0) * weight * miss;
    /* Within `off` of the computed score the curvature is at most e^off times the computed one, and at most 1/4. */
    double curvature = off < 0.1 ? 1.2 * miss * (1.0 - miss) + DBL_MIN : 0.25;
    double dr = weight * fmin(off * curvature, 1.0) + fabs(r) * (0x1p-48 + work->chain);
    lane->loss = linpred__dd_add_double(lane->loss, loss);
    lane->loss_error += weight * fmin(off, 1e300) * fmin(1.0, 1.2 * miss + off) + loss * 0x1p-48;
    lane->score_error = linpred__greater(lane->score_error, off);
    lane->radius_square = linpred__greater(lane->radius_square, score.square + careful->has_intercept);
    lane->curvature += weight * near / (1.0 + e);
    lane->weight[positive] = linpred__dd_add_double(lane->weight[positive], weight);
    lane->score[positive] += weight * score.value;
    lane->size[positive] += weight * fabs(score.value);
    return (struct share){r, dr, fabs(r) * careful->off};
}

static void visit_losses(void *context, void *state, const linpred__block *block)
{
    const struct loss_pass *work = context;
    linpred__losses *lane = state;
    struct share share[LINPRED__ROWS_AT_A_TIME];
    linpred__measured_score score[LINPRED__ROWS_AT_A_TIME];
    int32_t d = work->dimension;
    double *g = lane->gradient, *rounding = g + d, *high = rounding + d;
    for (int32_t from = 0; from < block->rows; from += LINPRED__ROWS_AT_A_TIME) {
        int32_t to = from + LINPRED__ROWS_AT_A_TIME < block->rows ? from + LINPRED__ROWS_AT_A_TIME : block->rows;
        linpred__careful_scores(work->careful, block, from, to, score);
        for (int32_t i = from; i < to; i++) {
            struct share s = share[i - from] = add_row_loss(work, lane, block, i, score[i - from]);
            if (work->careful->has_intercept) {
                g[d - 1] += s.r;
                rounding[d - 1] += s.dr;
            }
            linpred__entries row = linpred__entries_of(block, i);
            if (row.indices)
                add_sparse_gradient(&row, s, g, rounding, high);
        }
        if (block->layout == LINPRED__DENSE)
            add_dense_rows(work, block, from, to, share, g);
    }
}

static void merge_losses(void *context, void *into, const void *from)
{
    const struct loss_pass *work = context;
    linpred__losses *a = into;
    const linpred__losses *b = from;
    int32_t d = work->dimension;
    for (int32_t j = 0; j < 2 * d; j++)
        a->gradient[j] += b->gradient[j];
    for (int32_t j = 2 * d; j < 3 * d; j++)
        a->gradient[j] = fmax(a->gradient[j], b->gradient[j]);
    for (int32_t j = 3 * d; !work->sparse && j < 4 * d; j++)
        a->gradient[j] = fmin(a->gradient[j], b->gradient[j]);
    a->loss = linpred__dd_add(a->loss, b->loss);
    a->loss_error += b->loss_error;
    a->score_error = linpred__greater(a->score_error, b->score_error);
    a->radius_square = linpred__greater(a->radius_square, b->radius_square);
    a->curvature += b->curvature;
    for (int k = 0; k < 2; k++) {
        a->weight[k] = linpred__dd_add(a->weight[k], b->weight[k]);
        a->score[k] += b->score[k];
        a->size[k] += b->size[k];
    }
}

static void list_losses(void *context, void *state, linpred__state_pieces *pieces)
{
    const struct loss_pass *work = context;
    linpred__losses *losses = state;
    linpred__state_piece(pieces, losses->gradient, (work->sparse ? 3 : 4) * (size_t)work->dimension * sizeof(double));
    linpred__state_piece(pieces, &losses->loss, sizeof *losses - offsetof(linpred__losses, loss));
}

linpred_status linpred__sum_losses(const linpred__logistic_question *question, const linpred__careful *careful,
                                   linpred__pool *pool, linpred__losses *total, linpred_error *error)
{
    const linpred_data *data = careful->data;
    int32_t d = careful->dimension;
    struct loss_pass work = {careful, question->class_weight, d, data->layout == LINPRED__SPARSE,
                             ((double)data->rows + 40.0) * 0x1p-52};
    linpred__rows_pass *beside = question->beside;
    bool both = beside && beside->data == data && !beside->visited;
    linpred__visitor visitor[3] = {
        {sizeof(linpred__losses), init_loss_lane, visit_losses, merge_losses, clear_loss_lane, &work, list_losses}};
    void *totals[3] = {total};
    for (int k = 0; both && k < 2; k++) {
        visitor[1 + k] = beside->visitor[k];
        totals[1 + k] = beside->total[k];
    }
    linpred_status status =
        linpred__pass_all(data, pool, visitor, totals, both ? 3 : 1, linpred__cut_vector(data, 4.0 * d), error);
    if (both && status == LINPRED_OK)
        beside->visited = true;
    return status;
}
