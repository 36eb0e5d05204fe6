/* Labels from scores: +1 if the score is 0 or more, else -1. */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"

linpred_status linpred_predict_labels(const linpred_model *model, const linpred_data *data, int threads,
                                      signed char *labels, linpred_error *error)
{
    LINPRED__NEEDS(model, data, labels);
    if (model->task == LINPRED_TASK_REGRESSION)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "a regression predicts numbers, not labels: use its scores");
    double *scores = linpred__alloc((size_t)data->rows_in_file, sizeof *scores);
    linpred_status status = scores ? linpred_score(model, data, threads, scores, error) : linpred__no_memory(error);
    for (int64_t i = 0; status == LINPRED_OK && i < data->rows_in_file; i++)
        labels[i] = isnan(scores[i]) ? 0 : scores[i] >= 0 ? 1 : -1;
    linpred__release(scores);
    return status;
}
