/* Evaluation: how good the predictions of a model are on rows with labels or targets. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "model/model.h"
#include "num/dd.h"

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

/* What a threshold is compared with. */
static double threshold_of(const linpred_model *model, double score)
{
    return model->task == LINPRED_TASK_LOGISTIC ? linpred_probability(score) : score;
}

static void tally_row(const linpred_model *model, const struct scored *row, double threshold, linpred_evaluation *e)
{
    bool predicted = linpred_decide(model, row->score, threshold) > 0;
    bool actual = row->label > 0;
    e->weight += row->weight;
    *(predicted ? actual ? &e->true_positive : &e->false_positive
      : actual  ? &e->false_negative
                : &e->true_negative) += row->weight;
    if (isnan(threshold) ? row->score == 0.0 : threshold_of(model, row->score) == threshold)
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
    e->precision = e->recall = e->f1 = e->threshold = NAN;
    e->mean_squared_error = squares.hi / weight.hi;
    e->mean_absolute_error = distances.hi / weight.hi;
    e->r_squared = total.hi > 0 ? 1.0 - squares.hi / total.hi : NAN;
    e->mean_loss = linpred_model_loss(model) == LINPRED_LOSS_SQUARED
                       ? e->mean_squared_error
                       : (distances.hi + tilt * signed_sum.hi) / weight.hi; /* the quantile loss is |r| + (2τ-1) r */
    e->share_below = below.hi / weight.hi;
    e->share_on = on.hi / weight.hi;
}

/* The log loss and the Brier score of the probabilities of a logistic model. */
static void measure_probabilities(const struct scored *rows, int64_t n, linpred_evaluation *e)
{
    linpred__dd loss = {0, 0}, brier = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        const struct scored *row = &rows[i];
        double wrong = linpred_probability(row->label > 0 ? -row->score : row->score), t = row->label * row->score;
        loss = linpred__dd_add_double(loss, row->weight * ((t < 0 ? -t : 0.0) + log1p(exp(-fabs(t)))));
        brier = linpred__dd_add_double(brier, row->weight * wrong * wrong);
    }
    e->log_loss = loss.hi / e->weight;
    e->brier = brier.hi / e->weight;
}

/* Scores the labelled rows. The caller releases *rows. */
static linpred_status score_labelled_rows(const linpred_model *model, const linpred_data *data, int threads,
                                          struct scored **rows, linpred_error *error)
{
    if (!data->labelled || data->rows == 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "there are no labelled rows to evaluate the model on");
    double *scores = linpred__alloc((size_t)data->rows_in_file, sizeof *scores);
    struct scored *made = linpred__alloc((size_t)data->rows, sizeof *made);
    linpred_status status =
        scores && made ? linpred_score(model, data, threads, scores, error) : linpred__no_memory(error);
    for (int64_t b = 0; status == LINPRED_OK && b < data->blocks; b++)
        for (int32_t r = 0; r < data->block[b].rows; r++) {
            const linpred__block *block = &data->block[b]; /* targets are in memory, wherever the values are */
            int64_t i = block->first_row + r;
            made[i] = (struct scored){scores[data->source_row ? data->source_row[i] : i], block->target[r],
                                      linpred__row_weight(block, r)};
        }
    linpred__release(scores);
    if (status == LINPRED_OK)
        *rows = made;
    else
        linpred__release(made);
    return status;
}

linpred_status linpred_evaluate(const linpred_model *model, const linpred_data *data, int threads,
                                linpred_evaluation *evaluation, linpred_error *error)
{
    LINPRED__NEEDS(model, data, evaluation);
    return linpred_evaluate_at(model, data, threads, NAN, evaluation, error);
}

static linpred_status check_threshold(const linpred_model *model, double threshold, linpred_error *error)
{
    if (isnan(threshold))
        return LINPRED_OK;
    if (model->regression)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "a regression predicts numbers: it has no threshold");
    return model->task != LINPRED_TASK_LOGISTIC || (threshold >= 0 && threshold <= 1)
               ? LINPRED_OK
               : linpred__fail(error, LINPRED_ERROR_USAGE,
                               "the threshold of a logistic model is a probability between 0 and 1, not %g", threshold);
}

linpred_status linpred_evaluate_at(const linpred_model *model, const linpred_data *data, int threads, double threshold,
                                   linpred_evaluation *evaluation, linpred_error *error)
{
    LINPRED__NEEDS(model, data, evaluation);
    struct scored *rows = NULL;
    linpred_status status = linpred__struct_check(evaluation, "linpred_evaluation", error);
    if (status == LINPRED_OK)
        status = check_threshold(model, threshold, error);
    if (status == LINPRED_OK)
        status = score_labelled_rows(model, data, threads, &rows, error);
    if (status != LINPRED_OK)
        return status;
    linpred_evaluation e = {.rows = data->rows,
                            .log_loss = NAN,
                            .brier = NAN,
                            .mean_squared_error = NAN,
                            .mean_absolute_error = NAN,
                            .r_squared = NAN,
                            .mean_loss = NAN,
                            .share_below = NAN,
                            .share_on = NAN};
    for (int64_t i = 0; i < data->rows; i++)
        tally_row(model, &rows[i], threshold, &e);
    double wrong = e.false_positive + e.false_negative;
    e.precision = e.true_positive / (e.true_positive + e.false_positive); /* NaN (0/0) if no row is labelled +1 */
    e.recall = e.true_positive / (e.true_positive + e.false_negative);
    e.f1 = 2 * e.true_positive / (2 * e.true_positive + wrong);
    e.threshold = !isnan(threshold) ? threshold : model->task == LINPRED_TASK_LOGISTIC ? 0.5 : 0.0;
    e.error = wrong / e.weight;
    if (model->task == LINPRED_TASK_LOGISTIC)
        measure_probabilities(rows, data->rows, &e);
    if (model->regression)
        measure_regression(rows, data->rows, model, &e);
    else
        e.auc = area(rows, data->rows);
    linpred__struct_fill(evaluation, &e, sizeof e);
    linpred__release(rows);
    return LINPRED_OK;
}

/* ---- the ROC curve ----------------------------------------------------------------------------------------------- */

struct linpred_roc {
    size_t corners;
    linpred_roc_corner corner[]; /* rates hold weights until the curve is complete */
};

/* Adds a corner. The last one is replaced if it lies on the straight line between its neighbours. */
static void add_corner(linpred_roc *roc, double threshold, double positive, double negative)
{
    if (roc->corners >= 2) {
        const linpred_roc_corner *a = &roc->corner[roc->corners - 2], *b = &roc->corner[roc->corners - 1];
        double up = b->true_positive_rate - a->true_positive_rate,
               right = b->false_positive_rate - a->false_positive_rate;
        if (up * (negative - b->false_positive_rate) == right * (positive - b->true_positive_rate))
            roc->corners--;
    }
    roc->corner[roc->corners++] =
        (linpred_roc_corner){.threshold = threshold, .true_positive_rate = positive, .false_positive_rate = negative};
}

/* Sorts the rows and adds a corner for each score, from the highest down. */
static void add_corners(linpred_roc *roc, const linpred_model *model, struct scored *rows, int64_t n)
{
    double positive = 0.0, negative = 0.0;
    qsort(rows, (size_t)n, sizeof *rows, by_score);
    add_corner(roc, INFINITY, 0.0, 0.0);
    for (int64_t i = n - 1; i >= 0;) {
        double score = rows[i].score;
        for (; i >= 0 && rows[i].score == score; i--)
            *(rows[i].label > 0 ? &positive : &negative) += rows[i].weight;
        add_corner(roc, threshold_of(model, score), positive, negative);
    }
    for (size_t k = 0; k < roc->corners; k++) {
        roc->corner[k].true_positive_rate /= positive;
        roc->corner[k].false_positive_rate /= negative;
    }
}

linpred_status linpred_roc_draw(const linpred_model *model, const linpred_data *data, int threads, linpred_roc **out,
                                linpred_error *error)
{
    LINPRED__NEEDS(model, data, out);
    if (model->regression)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "a regression predicts numbers: it has no ROC curve");
    struct scored *rows = NULL;
    linpred_status status = score_labelled_rows(model, data, threads, &rows, error);
    if (status != LINPRED_OK)
        return status;
    bool both[2] = {false, false};
    for (int64_t i = 0; i < data->rows; i++)
        both[rows[i].label > 0] = true;
    /* One element more for the first corner, and one that leaves room for the count. */
    linpred_roc *roc = linpred__alloc((size_t)data->rows + 2, sizeof roc->corner[0]);
    if (!roc) {
        status = linpred__no_memory(error);
    } else if (!both[0] || !both[1]) {
        status = linpred__fail(error, LINPRED_ERROR_USAGE, "all rows have the same label: there is no ROC curve");
    } else {
        roc->corners = 0;
        add_corners(roc, model, rows, data->rows);
        *out = roc;
    }
    if (status != LINPRED_OK)
        linpred__release(roc);
    linpred__release(rows);
    return status;
}

bool linpred_roc_point(const linpred_roc *roc, size_t index, linpred_roc_corner *corner)
{
    return roc && corner && index < roc->corners && linpred__struct_fill(corner, &roc->corner[index], sizeof *corner);
}

void linpred_roc_free(linpred_roc *roc)
{
    linpred__release(roc);
}

/* ---- calibration ------------------------------------------------------------------------------------------------- */

struct linpred_calibration {
    size_t bins;
    linpred_bin bin[];
};

static void fill_bins(const struct scored *rows, int64_t n, linpred_calibration *made)
{
    double bins = (double)made->bins;
    for (size_t k = 0; k < made->bins; k++)
        made->bin[k] = (linpred_bin){.from = (double)k / bins, .to = (double)(k + 1) / bins};
    for (int64_t i = 0; i < n; i++) {
        double p = linpred_probability(rows[i].score), place = p * bins;
        linpred_bin *bin = &made->bin[place < bins ? (size_t)place : made->bins - 1];
        bin->weight += rows[i].weight;
        bin->predicted += rows[i].weight * p;
        bin->observed += rows[i].label > 0 ? rows[i].weight : 0.0;
    }
    for (size_t k = 0; k < made->bins; k++) {
        made->bin[k].predicted /= made->bin[k].weight; /* NaN (0/0) if no row falls into this bin */
        made->bin[k].observed /= made->bin[k].weight;
    }
}

linpred_status linpred_calibrate(const linpred_model *model, const linpred_data *data, int threads, size_t bins,
                                 linpred_calibration **calibration, linpred_error *error)
{
    LINPRED__NEEDS(model, data, calibration);
    if (model->task != LINPRED_TASK_LOGISTIC || bins == 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             bins == 0 ? "a calibration needs at least one bin"
                                       : "only a logistic model gives probabilities");
    struct scored *rows = NULL;
    linpred_status status = score_labelled_rows(model, data, threads, &rows, error);
    if (status != LINPRED_OK)
        return status;
    /* One more element than there are bins leaves room for the count. */
    linpred_calibration *made = bins < SIZE_MAX ? linpred__alloc(bins + 1, sizeof made->bin[0]) : NULL;
    if (made) {
        made->bins = bins;
        fill_bins(rows, data->rows, made);
        *calibration = made;
    }
    linpred__release(rows);
    return made ? LINPRED_OK : linpred__no_memory(error);
}

bool linpred_calibration_bin(const linpred_calibration *calibration, size_t index, linpred_bin *bin)
{
    if (!calibration || !bin)
        return false;
    return index < calibration->bins && linpred__struct_fill(bin, &calibration->bin[index], sizeof *bin);
}

void linpred_calibration_free(linpred_calibration *calibration)
{
    linpred__release(calibration);
}
