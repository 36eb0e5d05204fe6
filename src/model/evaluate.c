/* Evaluation: how good the predictions of a model are on rows with labels or targets. */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "model/model.h"
#include "model/ranking.h"
#include "num/dd.h"

/* The rows of labelled data with their scores. */
struct labelled {
    const linpred_data *data;
    double *scores; /* of the rows of the file */
};

struct scored {
    double score;
    double label;
    double weight;
};

static struct scored row_of(const struct labelled *labelled, int64_t i)
{
    const linpred_data *data = labelled->data;
    const linpred__block *block = &data->block[i / data->block_rows];
    int32_t r = (int32_t)(i % data->block_rows);
    return (struct scored){labelled->scores[data->source_row ? data->source_row[i] : i], block->target[r],
                           linpred__row_weight(block, r)};
}

/* The area under the ROC curve: the weight of pairs (positive, negative) in the right order, ties half. */
static double area(linpred__ranking *ranking)
{
    double below = 0.0, right = 0.0, positive = 0.0;
    linpred__ranked tied;
    while (linpred__ranking_next(ranking, &tied)) {
        right += tied.positive * (below + 0.5 * tied.negative);
        below += tied.negative;
        positive += tied.positive;
    }
    return positive > 0 && below > 0 ? right / positive / below : NAN;
}

/* Ranks the rows by sign times score, and releases the scores: both together would take too much where rows are many.
 */
static linpred_status rank_rows(struct labelled *labelled, double sign, linpred__ranking **ranking,
                                linpred_error *error)
{
    int64_t n = labelled->data->rows;
    linpred_status status = linpred__ranking_open(n, ranking, error);
    for (int64_t i = 0; status == LINPRED_OK && i < n; i++) {
        struct scored row = row_of(labelled, i);
        linpred__ranking_add(*ranking, sign * row.score, row.label > 0 ? row.weight : -row.weight);
    }
    linpred__release(labelled->scores);
    labelled->scores = NULL;
    return status;
}

/* What a threshold is compared with. */
static double threshold_of(const linpred_model *model, double score)
{
    return model->task == LINPRED_TASK_LOGISTIC ? linpred_probability(score) : score;
}

static void tally_row(const linpred_model *model, struct scored row, double threshold, linpred_evaluation *e)
{
    bool predicted = linpred_decide(model, row.score, threshold) > 0;
    bool actual = row.label > 0;
    e->weight += row.weight;
    *(predicted ? actual ? &e->true_positive : &e->false_positive
      : actual  ? &e->false_negative
                : &e->true_negative) += row.weight;
    if (isnan(threshold) ? row.score == 0.0 : threshold_of(model, row.score) == threshold)
        e->on_boundary += row.weight;
}

/* Mean errors and R², with sums in double-double. The mean of y comes first, because R² needs deviations from it. */
static void measure_regression(const struct labelled *rows, const linpred_model *model, linpred_evaluation *e)
{
    int64_t n = rows->data->rows;
    bool has_intercept = model->has_intercept;
    double tilt = linpred_model_loss(model) == LINPRED_LOSS_ABSOLUTE ? 2.0 * model->regression->quantile - 1.0 : 0.0;
    linpred__dd signed_sum = {0, 0}, below = {0, 0}, on = {0, 0};
    linpred__dd weight = {0, 0}, sum = {0, 0}, squares = {0, 0}, distances = {0, 0}, total = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        struct scored row = row_of(rows, i);
        weight = linpred__dd_add_double(weight, row.weight);
        sum = linpred__dd_add(sum, linpred__two_product(row.weight, row.label));
    }
    double mean = has_intercept ? sum.hi / weight.hi : 0.0;
    for (int64_t i = 0; i < n; i++) {
        struct scored row = row_of(rows, i);
        double r = row.label - row.score, around = row.label - mean;
        squares = linpred__dd_add_double(squares, row.weight * r * r);
        distances = linpred__dd_add_double(distances, row.weight * fabs(r));
        total = linpred__dd_add_double(total, row.weight * around * around);
        signed_sum = linpred__dd_add_double(signed_sum, row.weight * r);
        bool near = fabs(r) <= 0x1p-40 * (fabs(row.label) + fabs(row.score));
        below = linpred__dd_add_double(below, r < 0 && !near ? row.weight : 0.0);
        on = linpred__dd_add_double(on, near ? row.weight : 0.0);
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
static void measure_probabilities(const struct labelled *rows, linpred_evaluation *e)
{
    linpred__dd loss = {0, 0}, brier = {0, 0};
    for (int64_t i = 0; i < rows->data->rows; i++) {
        struct scored row = row_of(rows, i);
        double wrong = linpred_probability(row.label > 0 ? -row.score : row.score), t = row.label * row.score;
        loss = linpred__dd_add_double(loss, row.weight * ((t < 0 ? -t : 0.0) + log1p(exp(-fabs(t)))));
        brier = linpred__dd_add_double(brier, row.weight * wrong * wrong);
    }
    e->log_loss = loss.hi / e->weight;
    e->brier = brier.hi / e->weight;
}

/* Scores the labelled rows. The caller releases their scores. */
static linpred_status score_labelled_rows(const linpred_model *model, const linpred_data *data, int threads,
                                          struct labelled *rows, linpred_error *error)
{
    if (!data->labelled || data->rows == 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "there are no labelled rows to evaluate the model on");
    *rows = (struct labelled){data, linpred__alloc((size_t)data->rows_in_file, sizeof *rows->scores)};
    linpred_status status =
        rows->scores ? linpred_score(model, data, threads, rows->scores, error) : linpred__no_memory(error);
    if (status != LINPRED_OK)
        linpred__release(rows->scores);
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
    struct labelled rows = {0};
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
        tally_row(model, row_of(&rows, i), threshold, &e);
    double wrong = e.false_positive + e.false_negative;
    e.precision = e.true_positive / (e.true_positive + e.false_positive); /* NaN (0/0) if no row is labelled +1 */
    e.recall = e.true_positive / (e.true_positive + e.false_negative);
    e.f1 = 2 * e.true_positive / (2 * e.true_positive + wrong);
    e.threshold = !isnan(threshold) ? threshold : model->task == LINPRED_TASK_LOGISTIC ? 0.5 : 0.0;
    e.error = wrong / e.weight;
    if (model->task == LINPRED_TASK_LOGISTIC)
        measure_probabilities(&rows, &e);
    if (model->regression) {
        measure_regression(&rows, model, &e);
    } else {
        linpred__ranking *ranking = NULL;
        status = rank_rows(&rows, 1.0, &ranking, error);
        e.auc = status == LINPRED_OK ? area(ranking) : NAN;
        linpred__ranking_close(ranking);
    }
    linpred__release(rows.scores);
    if (status == LINPRED_OK)
        linpred__struct_fill(evaluation, &e, sizeof e);
    return status;
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

/* Adds a corner for each score, from the highest down. */
static void add_corners(linpred_roc *roc, const linpred_model *model, linpred__ranking *ranking)
{
    double positive = 0.0, negative = 0.0;
    linpred__ranked tied;
    add_corner(roc, INFINITY, 0.0, 0.0);
    while (linpred__ranking_next(ranking, &tied)) {
        positive += tied.positive;
        negative += tied.negative;
        add_corner(roc, threshold_of(model, -tied.score), positive, negative);
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
    struct labelled rows = {0};
    linpred_status status = score_labelled_rows(model, data, threads, &rows, error);
    if (status != LINPRED_OK)
        return status;
    bool both[2] = {false, false};
    for (int64_t i = 0; i < data->rows; i++)
        both[row_of(&rows, i).label > 0] = true;
    /* One element more for the first corner, and one that leaves room for the count. */
    linpred__ranking *ranking = NULL;
    status = rank_rows(&rows, -1.0, &ranking, error);
    linpred_roc *roc = linpred__alloc((size_t)data->rows + 2, sizeof roc->corner[0]);
    if (status == LINPRED_OK && !roc) {
        status = linpred__no_memory(error);
    } else if (status == LINPRED_OK && (!both[0] || !both[1])) {
        status = linpred__fail(error, LINPRED_ERROR_USAGE, "all rows have the same label: there is no ROC curve");
    } else if (status == LINPRED_OK) {
        roc->corners = 0;
        add_corners(roc, model, ranking);
        *out = roc;
    }
    if (status != LINPRED_OK)
        linpred__release(roc);
    linpred__ranking_close(ranking);
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

static void fill_bins(const struct labelled *rows, linpred_calibration *made)
{
    double bins = (double)made->bins;
    for (size_t k = 0; k < made->bins; k++)
        made->bin[k] = (linpred_bin){.from = (double)k / bins, .to = (double)(k + 1) / bins};
    for (int64_t i = 0; i < rows->data->rows; i++) {
        struct scored row = row_of(rows, i);
        double p = linpred_probability(row.score), place = p * bins;
        linpred_bin *bin = &made->bin[place < bins ? (size_t)place : made->bins - 1];
        bin->weight += row.weight;
        bin->predicted += row.weight * p;
        bin->observed += row.label > 0 ? row.weight : 0.0;
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
    struct labelled rows = {0};
    linpred_status status = score_labelled_rows(model, data, threads, &rows, error);
    if (status != LINPRED_OK)
        return status;
    /* One more element than there are bins leaves room for the count. */
    linpred_calibration *made = bins < SIZE_MAX ? linpred__alloc(bins + 1, sizeof made->bin[0]) : NULL;
    if (made) {
        made->bins = bins;
        fill_bins(&rows, made);
        *calibration = made;
    }
    linpred__release(rows.scores);
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
