/* F and its gradient at coefficients as a model states them (see written_point.h).
 *
 * The rows are those of the file. The gradient by v is that over x - origin, Σ r x - origin Σ r; both sums are made in
 * double-double from the same r, so that their difference keeps its digits.
 */
#include "minimise/written_point.h"

#include <math.h>

#include "core/error.h"
#include "core/fast.h"
#include "core/memory.h"
#include "data/decimals.h"
#include "data/row.h"
#include "data/tree.h"
#include "num/dd.h"

enum { WRITTEN_ROWS = 64 }; /* rows whose losses are computed together */

struct written {
    const linpred__logistic_problem *problem;
    const double *w; /* of the columns of the file */
    double b;
    int32_t *place; /* the column of the problem that each column of the file became; -1: it has no entries */
};

struct written_sums {
    linpred__dd *gradient; /* Σ r x for each column of the problem, in the units of v; then Σ r */
    linpred__dd loss;
    double curvature;
    double score[2]; /* Σ weight score of each class */
};

static bool init_written_sums(void *context, void *state)
{
    const struct written *written = context;
    struct written_sums *sums = state;
    sums->gradient = linpred__calloc((size_t)written->problem->data->columns + 1, sizeof *sums->gradient);
    return sums->gradient != NULL;
}

static void clear_written_sums(void *context, void *state)
{
    (void)context;
    linpred__release(((struct written_sums *)state)->gradient);
}

/* Column j goes to lane j mod 8, so that additions need not wait for each other, and a zero changes no lane. The error
   is below (n+8)² 2^-104 of the sum of the sizes, as in pass/careful_row.h. */
LINPRED__INLINED double score_of(const struct written *written, const linpred__block *block, int32_t r)
{
    enum { LANES = 8 };
    double sum[LANES] = {written->b}, errors[LANES] = {0.0};
    linpred__entries row = linpred__entries_of(block, r);
    for (int64_t k = 0; k < row.count; k++) {
        int32_t j = linpred__entry_column(&row, k), lane = j % LANES;
        linpred__dd p = linpred__two_product(row.values[k], written->w[j]);
        if (block->decimals)
            p.lo += linpred__cell_lost(block, j, row.values[k]) * written->w[j];
        linpred__compensated_add(&sum[lane], &errors[lane], p.hi, p.lo);
    }
    for (int lane = 1; lane < LANES; lane++)
        linpred__compensated_add(&sum[0], &errors[0], sum[lane], errors[lane]);
    return sum[0] + errors[0];
}

LINPRED__INLINED void add_to_gradient(const struct written *written, const linpred__block *block, int32_t r,
                                      double derivative, linpred__dd *gradient)
{
    const linpred__logistic_problem *problem = written->problem;
    linpred__entries row = linpred__entries_of(block, r);
    for (int64_t k = 0; k < row.count; k++) {
        int32_t column = linpred__entry_column(&row, k), j = written->place[column];
        if (j < 0)
            continue;
        linpred__dd p = linpred__two_product(derivative, row.values[k] * problem->unit[j]);
        if (block->decimals)
            p.lo += derivative * (linpred__cell_lost(block, column, row.values[k]) * problem->unit[j]);
        gradient[j] = linpred__dd_add(gradient[j], p);
    }
    int32_t last = problem->data->columns;
    gradient[last] = linpred__dd_add_double(gradient[last], derivative);
}

LINPRED__INLINED void add_written_block_body(const struct written *written, struct written_sums *sums,
                                             const linpred__block *block)
{
    const double *class_weight = written->problem->terms.class_weight;
    double z[WRITTEN_ROWS], loss[WRITTEN_ROWS], r[WRITTEN_ROWS], curvature[WRITTEN_ROWS];
    for (int32_t from = 0; from < block->rows; from += WRITTEN_ROWS) {
        int32_t count = block->rows - from < WRITTEN_ROWS ? block->rows - from : WRITTEN_ROWS;
        for (int32_t i = 0; i < count; i++)
            z[i] = score_of(written, block, from + i);
        linpred__logistic_rows(count, z, block->target + from, block->weight ? block->weight + from : NULL,
                               class_weight, loss, r, curvature);
        for (int32_t i = 0; i < count; i++) {
            int positive = block->target[from + i] > 0;
            double t = block->target[from + i] * z[i];
            if (t > 708.0) { /* the smallest that linpred__logistic_rows gives is exp(-708) */
                loss[i] = curvature[i] = linpred__row_weight(block, from + i) * class_weight[positive] * exp(-t);
                r[i] = -block->target[from + i] * loss[i];
            }
            sums->loss = linpred__dd_add_double(sums->loss, loss[i]);
            sums->curvature += curvature[i];
            sums->score[positive] += linpred__row_weight(block, from + i) * z[i];
            add_to_gradient(written, block, from + i, r[i], sums->gradient);
        }
    }
}

LINPRED__VERSIONS(add_written_block,
                  (const struct written *written, struct written_sums *sums, const linpred__block *block),
                  (written, sums, block))

static void visit_written(void *context, void *state, const linpred__block *block)
{
    add_written_block(context, state, block);
}

static void merge_written(void *context, void *into, const void *from)
{
    const struct written *written = context;
    struct written_sums *a = into;
    const struct written_sums *b = from;
    for (int32_t j = 0; j <= written->problem->data->columns; j++)
        a->gradient[j] = linpred__dd_add(a->gradient[j], b->gradient[j]);
    a->loss = linpred__dd_add(a->loss, b->loss);
    a->curvature += b->curvature;
    for (int k = 0; k < 2; k++)
        a->score[k] += b->score[k];
}

static void list_written(void *context, void *state, linpred__state_pieces *pieces)
{
    const struct written *written = context;
    struct written_sums *sums = state;
    linpred__state_piece(pieces, sums->gradient,
                         ((size_t)written->problem->data->columns + 1) * sizeof *sums->gradient);
    linpred__state_piece(pieces, &sums->loss, sizeof sums->loss);
    linpred__state_piece(pieces, &sums->curvature, sizeof sums->curvature);
    linpred__state_piece(pieces, sums->score, sizeof sums->score);
}

/* From sums over the rows to the point. */
static void take_written(const struct written *written, const struct written_sums *sums, linpred__logistic_point *point)
{
    const linpred__logistic_problem *problem = written->problem;
    const int32_t *column = problem->used_columns.column;
    int32_t columns = problem->data->columns;
    linpred__dd ones = sums->gradient[columns];
    point->objective = sums->loss.hi / problem->weight;
    for (int32_t j = 0; j < columns; j++) {
        double v = written->w[column ? column[j] : j] / problem->unit[j];
        linpred__dd about = linpred__dd_multiply_double(ones, -problem->origin[j] * problem->data_unit[j]);
        point->gradient[j] = linpred__dd_add(sums->gradient[j], about).hi / problem->weight + problem->penalty[j] * v;
        point->objective += 0.5 * problem->penalty[j] * v * v;
    }
    if (problem->has_intercept)
        point->gradient[columns] = ones.hi / problem->weight;
    point->curvature = sums->curvature / problem->weight;
    for (int k = 0; k < 2; k++)
        point->mean_score[k] = sums->score[k] * problem->terms.class_weight[k] / (problem->share[k] * problem->weight);
    point->unsure = problem->data->rows;
}

linpred_status linpred__logistic_evaluate_written(linpred__logistic_problem *problem, const double *w, double b,
                                                  linpred__logistic_point *point, linpred_error *error)
{
    const linpred_data *data = problem->original->data;
    const int32_t *column = problem->used_columns.column;
    struct written written = {problem, w, b, linpred__alloc((size_t)data->columns, sizeof *written.place)};
    if (!written.place)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < data->columns; j++)
        written.place[j] = column ? -1 : j;
    for (int32_t j = 0; column && j < problem->data->columns; j++)
        written.place[column[j]] = j;
    linpred__visitor visitor = {sizeof(struct written_sums), init_written_sums, visit_written, merge_written,
                                clear_written_sums,          &written,          list_written};
    struct written_sums total;
    linpred_status status = linpred__pass(data, problem->run->pool, &visitor, &total, error);
    problem->progress.passes++;
    if (status == LINPRED_OK) {
        take_written(&written, &total, point);
        clear_written_sums(&written, &total);
    }
    linpred__release(written.place);
    return status;
}
