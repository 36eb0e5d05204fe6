/* A sample of the rows (see row_sample.h): the first rows of some blocks, as a view of the data. */
#include "minimise/row_sample.h"

#include "core/memory.h"
#include "minimise/limits.h"

bool linpred__row_sample_open(const linpred__logistic_problem *problem, int64_t every, linpred__row_sample *sample)
{
    const linpred_data *data = problem->data;
    int64_t skip = data->blocks / LINPRED__SAMPLED_BLOCKS;
    skip = skip < every ? skip : every;
    skip = skip > 1 ? skip : 1;
    int64_t rows = data->block_rows * skip / every;
    rows = rows > LINPRED__MIN_ROWS_OF_BLOCK ? rows : LINPRED__MIN_ROWS_OF_BLOCK;
    if (!linpred__data_sample(data, skip, &sample->data))
        return false;
    sample->data.rows = 0;
    for (int64_t i = 0; i < sample->data.blocks; i++) {
        linpred__block *block = &sample->data.block[i];
        block->rows = block->rows < rows ? block->rows : (int32_t)rows;
        sample->data.rows += block->rows;
    }
    const double *class_weight = problem->terms.class_weight;
    int64_t of_class[2];
    double sum[2];
    linpred__class_sums(&sample->data, of_class, sum);
    sample->weight = class_weight[0] * sum[0] + class_weight[1] * sum[1];
    if (sum[0] > 0 && sum[1] > 0)
        return true;
    linpred__row_sample_close(sample);
    return false;
}

void linpred__row_sample_close(linpred__row_sample *sample)
{
    linpred__release(sample->data.block);
    sample->data.block = NULL;
}
