/* Applying a model: loading data by its recipe, computing scores, and evaluating them. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/struct_size.h"
#include "data/ball_score.h"
#include "data/row.h"
#include "data/exact_score.h"
#include "model/model.h"
#include "table/recipe/encode.h"

linpred_status linpred_data_load_for(const linpred_model *model, const char *path, bool labels,
                                     const linpred_options *options, linpred_data **data, linpred_error *error)
{
    LINPRED__NEEDS(model, path, data);
    linpred_options usual;
    linpred__options_init(&usual);
    return linpred__data_load_by(model->recipe, path, labels, options ? options : &usual, data, error);
}

struct scoring {
    const linpred_model *model;
    const linpred_data *data;
    double *scores;
};

static void score_block(const linpred__block *block, const double *w, double b, double *scores)
{
    for (int32_t r = 0; r < block->rows; r++)
        /* The sign is exact, as in the checker. A score beyond the range of doubles becomes the largest double. */
        scores[r] = fmax(-DBL_MAX, fmin(DBL_MAX, linpred__row_score(block, r, w, b)));
}

static void score_ball(const linpred__block *block, const linpred_model *model, double *scores)
{
    linpred__ball ball = linpred__ball_of(model->w, model->columns, model->b);
    for (int32_t r = 0; r < block->rows; r++) {
        double score = fmax(-DBL_MAX, fmin(DBL_MAX, linpred__ball_score(&ball, block, r)));
        scores[r] = model->outside ? 0.0 - score : score;
    }
}

static void score_task(void *context, int64_t task)
{
    const struct scoring *scoring = context;
    const linpred__block *block = &scoring->data->block[task];
    const linpred__regression *regression = scoring->model->regression;
    if (regression && regression->basis.polynomials > 0) {
        for (int32_t r = 0; r < block->rows; r++)
            scoring->scores[block->first_row + r] = linpred__polynomial_basis_score(
                &regression->basis, block, r, regression->basis_weight, regression->basis_tail);
        return;
    }
    if (scoring->model->task == LINPRED_TASK_BALL) {
        score_ball(block, scoring->model, scoring->scores + block->first_row);
        return;
    }
    score_block(block, scoring->model->w, scoring->model->b, scoring->scores + block->first_row);
}

linpred_status linpred_score(const linpred_model *model, const linpred_data *data, int threads, double *scores,
                             linpred_error *error)
{
    LINPRED__NEEDS(model, data, scores);
    if (data->columns != model->recipe->features)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the model has %d features, the data has %d",
                             model->recipe->features, data->columns);
    linpred__pool *pool;
    linpred_status status = linpred__pool_open(threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    struct scoring scoring = {model, data, scores};
    linpred__pool_run(pool, data->blocks, score_task, &scoring);
    linpred__pool_close(pool);
    /* Moves the scores to the rows of the file, from the end, so that nothing is overwritten. */
    if (data->source_row) {
        int64_t row = data->rows - 1;
        for (int64_t place = data->rows_in_file - 1; place >= 0; place--)
            scores[place] = row >= 0 && data->source_row[row] == place ? scores[row--] : NAN;
    }
    return LINPRED_OK;
}

double linpred_probability(double score)
{
    double e = exp(-fabs(score));
    return score < 0 ? e / (1.0 + e) : 1.0 / (1.0 + e);
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

struct scored {
    double score;
    double label;
    double weight;
};

static int by_score(const void *a, const void *b)
{
    double x = ((const struct scored *)a)->score;
    double y = ((const struct scored *)b)->score;
    return (x > y) - (x < y);
}

/* The area under the ROC curve: the weight of pairs (positive, negative) in the right order, ties half. */
static double area(struct scored *rows, int64_t n)
{
    qsort(rows, (size_t)n, sizeof *rows, by_score);
    double below = 0.0, right = 0.0, positive = 0.0;
    for (int64_t i = 0; i < n;) {
        double tied_positive = 0.0, tied_negative = 0.0;
        double score = rows[i].score;
        for (; i < n && rows[i].score == score; i++)
            *(rows[i].label > 0 ? &tied_positive : &tied_negative) += rows[i].weight;
        right += tied_positive * (below + 0.5 * tied_negative);
        below += tied_negative;
        positive += tied_positive;
    }
    return positive > 0 && below > 0 ? right / positive / below : NAN;
}

static void tally(const struct scored *row, linpred_evaluation *e)
{
    bool predicted = row->score >= 0; /* sign(0) = +1 */
    bool actual = row->label > 0;
    e->weight += row->weight;
    *(predicted ? actual ? &e->true_positive : &e->false_positive
      : actual  ? &e->false_negative
                : &e->true_negative) += row->weight;
    if (row->score == 0.0)
        e->on_boundary += row->weight;
}

/* Mean errors and R², with sums in double-double. The mean of y comes first, because R² needs deviations from it. */
static void measure_regression(const struct scored *rows, int64_t n, const linpred_model *model, linpred_evaluation *e)
{
    bool has_intercept = model->has_intercept;
    double tilt = linpred_model_loss(model) == LINPRED_LOSS_ABSOLUTE ? 2.0 * model->regression->quantile - 1.0 : 0.0;
    linpred__dd signed_sum = {0, 0}, below = {0, 0}, on = {0, 0};
    linpred__dd weight = {0, 0}, sum = {0, 0}, squares = {0, 0}, distances = {0, 0}, total = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        weight = linpred__dd_add_double(weight, rows[i].weight);
        sum = linpred__dd_add(sum, linpred__two_product(rows[i].weight, rows[i].label));
    }
    double mean = has_intercept ? sum.hi / weight.hi : 0.0;
    for (int64_t i = 0; i < n; i++) {
        double r = rows[i].label - rows[i].score, around = rows[i].label - mean;
        squares = linpred__dd_add_double(squares, rows[i].weight * r * r);
        distances = linpred__dd_add_double(distances, rows[i].weight * fabs(r));
        total = linpred__dd_add_double(total, rows[i].weight * around * around);
        signed_sum = linpred__dd_add_double(signed_sum, rows[i].weight * r);
        bool near = fabs(r) <= 0x1p-40 * (fabs(rows[i].label) + fabs(rows[i].score));
        below = linpred__dd_add_double(below, r < 0 && !near ? rows[i].weight : 0.0);
        on = linpred__dd_add_double(on, near ? rows[i].weight : 0.0);
    }
    *e = (linpred_evaluation){.rows = n, .weight = weight.hi, .error = NAN, .auc = NAN, .log_loss = NAN, .brier = NAN};
    e->mean_squared_error = squares.hi / weight.hi;
    e->mean_absolute_error = distances.hi / weight.hi;
    e->r_squared = total.hi > 0 ? 1.0 - squares.hi / total.hi : NAN;
    e->mean_loss = linpred_model_loss(model) == LINPRED_LOSS_SQUARED
                       ? e->mean_squared_error
                       : (distances.hi + tilt * signed_sum.hi) / weight.hi; /* the quantile loss is |r| + (2τ-1) r */
    e->share_below = below.hi / weight.hi;
    e->share_on = on.hi / weight.hi;
}

/* Compares the probabilities of a logistic model with the labels: log loss, Brier score, and the mean probability and
   observed share in each tenth of [0,1]. */
static void calibrate(const struct scored *rows, int64_t n, linpred_evaluation *e)
{
    enum { TENTHS = sizeof e->calibration / sizeof e->calibration[0] };
    linpred__dd loss = {0, 0}, brier = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        const struct scored *row = &rows[i];
        double p = linpred_probability(row->score),
               wrong = linpred_probability(row->label > 0 ? -row->score : row->score);
        double t = row->label * row->score;
        loss = linpred__dd_add_double(loss, row->weight * ((t < 0 ? -t : 0.0) + log1p(exp(-fabs(t)))));
        brier = linpred__dd_add_double(brier, row->weight * wrong * wrong);
        int tenth = p < 1.0 ? (int)(p * TENTHS) : TENTHS - 1;
        linpred_calibration *part = &e->calibration[tenth];
        part->weight += row->weight;
        part->predicted += row->weight * p;
        part->observed += row->label > 0 ? row->weight : 0.0;
    }
    e->log_loss = loss.hi / e->weight;
    e->brier = brier.hi / e->weight;
    for (int k = 0; k < TENTHS; k++) {
        e->calibration[k].predicted /= e->calibration[k].weight; /* NaN (0/0) if no row falls into this tenth */
        e->calibration[k].observed /= e->calibration[k].weight;
    }
}

linpred_status linpred_evaluate(const linpred_model *model, const linpred_data *data, int threads,
                                linpred_evaluation *evaluation, linpred_error *error)
{
    LINPRED__NEEDS(model, data, evaluation);
    linpred_status status = linpred__struct_check(evaluation, "linpred_evaluation", error);
    if (status != LINPRED_OK)
        return status;
    if (!data->labelled || data->rows == 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "there are no labelled rows to evaluate the model on");
    double *scores = linpred__alloc((size_t)data->rows_in_file, sizeof *scores);
    struct scored *rows = linpred__alloc((size_t)data->rows, sizeof *rows);
    status = scores && rows ? linpred_score(model, data, threads, scores, error) : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        linpred_evaluation e = {.rows = data->rows,
                                .log_loss = NAN,
                                .brier = NAN,
                                .mean_squared_error = NAN,
                                .mean_absolute_error = NAN,
                                .r_squared = NAN,
                                .mean_loss = NAN,
                                .share_below = NAN,
                                .share_on = NAN};
        for (int64_t i = 0; i < data->rows; i++) {
            int32_t r;
            const linpred__block *block = linpred__block_of(data, i, &r);
            rows[i] = (struct scored){scores[data->source_row ? data->source_row[i] : i], block->target[r],
                                      linpred__row_weight(block, r)};
            tally(&rows[i], &e);
        }
        e.error = (e.false_positive + e.false_negative) / e.weight;
        if (model->task == LINPRED_TASK_LOGISTIC)
            calibrate(rows, data->rows, &e);
        if (model->regression)
            measure_regression(rows, data->rows, model, &e);
        else
            e.auc = area(rows, data->rows);
        linpred__struct_fill(evaluation, &e, sizeof e);
    }
    linpred__release(scores);
    linpred__release(rows);
    return status;
}
