/* Applying a model: loading data by its recipe, computing scores, and labels from scores: +1 if the score is 0 or more,
 * else -1. */
#include <float.h>
#include <math.h>

#include "core/comm.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/score.h"
#include "data/stored.h"
#include "data/tree.h"
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

linpred_status linpred_data_from_frame_for(const linpred_model *model, const linpred_frame *table, bool labels,
                                           const linpred_options *options, linpred_data **data, linpred_error *error)
{
    LINPRED__NEEDS(model, table, data);
    linpred_options usual;
    linpred__options_init(&usual);
    return linpred__data_frame_by(model->recipe, table, labels, options ? options : &usual, data, error);
}

struct scoring {
    const linpred_model *model;
    const linpred_data *data;
    double *scores;
    linpred__share blocks; /* those that this process scores */
};

static void score_block(const linpred__block *block, const linpred_model *model, double *scores)
{
    for (int32_t r = 0; r < block->rows; r++) {
        double score = model->tails.count > 0 ? linpred__tailed_score(block, r, model->w, model->b, &model->tails)
                                              : linpred__row_score(block, r, model->w, model->b);
        /* The sign is exact, as in the checker. A score beyond the range of doubles becomes the largest double. */
        scores[r] = fmax(-DBL_MAX, fmin(DBL_MAX, score));
    }
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
    const linpred__block *block = linpred__block_at(scoring->data, scoring->blocks.from + task);
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
    score_block(block, scoring->model, scoring->scores + block->first_row);
}

linpred_status linpred__model_suits(const linpred_model *model, const linpred_data *data, linpred_error *error)
{
    if (data->columns == model->recipe->features)
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "the model has %d features, the data has %d",
                         model->recipe->features, data->columns);
}

linpred_status linpred_score(const linpred_model *model, const linpred_data *data, int threads, double *scores,
                             linpred_error *error)
{
    LINPRED__NEEDS(model, data, scores);
    linpred__pool *pool;
    linpred_status status = linpred__model_suits(model, data, error);
    if (status == LINPRED_OK)
        status = linpred__pool_open(threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    const linpred__comm *comm = linpred__comm_get();
    linpred__cut cut = linpred__cut_small(data);
    struct scoring scoring = {model, data, scores, linpred__own_blocks(data, cut)};
    linpred__pool_run(pool, scoring.blocks.to - scoring.blocks.from, score_task, &scoring);
    linpred__pool_close(pool);
    linpred_error changed;
    status = linpred__stored_check(data, &changed);
    if (status != LINPRED_OK && comm)
        comm->give_up(&changed); /* the others wait for scores */
    if (status != LINPRED_OK && error)
        *error = changed;
    if (status != LINPRED_OK)
        return status;
    linpred__share_rows(data, cut, scores, sizeof *scores);
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

int linpred_decide(const linpred_model *model, double score, double threshold)
{
    if (!model || isnan(score))
        return 0;
    bool logistic = model->task == LINPRED_TASK_LOGISTIC;
    if (isnan(threshold) ||
        (logistic && threshold == 0.5)) /* the sign of a score near 0 is exact, its exponential not */
        return score >= 0 ? 1 : -1;
    return (logistic ? linpred_probability(score) : score) >= threshold ? 1 : -1;
}

linpred_status linpred_predict_labels(const linpred_model *model, const linpred_data *data, int threads,
                                      signed char *labels, linpred_error *error)
{
    LINPRED__NEEDS(model, data, labels);
    if (model->task == LINPRED_TASK_REGRESSION)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "a regression predicts numbers, not labels: use its scores");
    double *scores = linpred__alloc((size_t)data->rows_in_file, sizeof *scores);
    linpred_status status = scores ? linpred_score(model, data, threads, scores, error) : linpred__no_memory(error);
    for (int64_t i = 0; status == LINPRED_OK && i < data->rows_in_file; i++)
        labels[i] = (signed char)linpred_decide(model, scores[i], NAN);
    linpred__release(scores);
    return status;
}
