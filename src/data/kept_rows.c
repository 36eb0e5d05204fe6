/* Few rows of a file that are wanted again and again are kept in memory: those of a sample, and single ones. */
#include <string.h>

#include "core/memory.h"
#include "data/limits.h"
#include "data/stored.h"
#include "data/tree.h"

/* ---- a sample ---------------------------------------------------------------------------------------------------- */

struct kept_sample {
    const linpred_data *sample;
    double *values; /* of block i, from i times the values of the first block on */
};

static int64_t place_of_block(const linpred_data *sample, int64_t i)
{
    return i * sample->block[0].rows * sample->columns;
}

static void keep_block(void *context, void *state, const linpred__block *block)
{
    (void)state;
    const struct kept_sample *kept = context;
    int64_t at = place_of_block(kept->sample, linpred__block_number(kept->sample, block));
    memcpy(kept->values + at, block->values, (size_t)block->rows * (size_t)block->columns * sizeof *kept->values);
}

double *linpred__keep_sample(linpred_data *sample, linpred__pool *pool)
{
    double nothing, bytes = (double)sample->rows * sample->columns * sizeof(double);
    linpred_error error;
    if (!sample->stored || sample->layout != LINPRED__DENSE || bytes > 0.5 * linpred__stored_memory(sample))
        return NULL;
    struct kept_sample kept = {sample,
                               linpred__alloc((size_t)sample->rows * (size_t)sample->columns, sizeof *kept.values)};
    linpred__visitor visitor = {.block = keep_block, .context = &kept};
    if (!kept.values || linpred__pass_all(sample, pool, &visitor, (void *[]){&nothing}, 1, linpred__cut_small(sample),
                                          &error) != LINPRED_OK) {
        linpred__release(kept.values);
        return NULL;
    }
    sample->stored = NULL;
    for (int64_t i = 0; i < sample->blocks; i++) {
        sample->block[i].values = kept.values + place_of_block(sample, i);
        sample->block[i].stride = sample->columns;
    }
    return kept.values;
}

/* ---- single rows ------------------------------------------------------------------------------------------------- */

bool linpred__keep_rows(const linpred_data *data, const int64_t *row, int64_t rows, linpred__block *kept,
                        double **values)
{
    int64_t columns = data->columns;
    *values = NULL;
    if (!data->stored || data->layout != LINPRED__DENSE)
        return true;
    double *made = linpred__alloc((size_t)rows * (size_t)columns, sizeof *made);
    if (!made)
        return false;
    for (int64_t i = 0; i < rows; i++) {
        int32_t r;
        if (i + LINPRED__READS_ANNOUNCED < rows)
            linpred__stored_announce(data, row[i + LINPRED__READS_ANNOUNCED], 1);
        const linpred__block *block = linpred__block_of(data, row[i], &r);
        linpred__row_expand(block, r, made + i * columns);
    }
    *kept = (linpred__block){
        .rows = (int32_t)rows, .columns = data->columns, .layout = LINPRED__DENSE, .values = made, .stride = columns};
    *values = made;
    return true;
}
