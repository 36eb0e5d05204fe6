/* Proofs from working rows: their rows are numbered as in the file and put in order. */
#include "separate/rows/file_rows.h"

#include <stdlib.h>

#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"

struct entry {
    int64_t row;   /* of the file */
    int64_t place; /* among the chosen rows */
};

static void put_in_order(const linpred_data *data, struct entry *entry, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        entry[i].row = linpred_data_source_row(data, entry[i].row);
    qsort(entry, (size_t)count, sizeof *entry, linpred__ascending);
}

linpred_status linpred__take_combination(linpred__combination *out, const linpred_data *data, const int64_t *row,
                                         const int32_t *chosen, int32_t count, const linpred__integers *weight,
                                         linpred_error *error)
{
    struct entry *entry = linpred__alloc((size_t)count, sizeof *entry);
    if (!entry || !linpred__combination_open(out, count)) {
        linpred__release(entry);
        return linpred__no_memory(error);
    }
    for (int32_t i = 0; i < count; i++)
        entry[i] = (struct entry){row[chosen[i]], i};
    put_in_order(data, entry, count);
    linpred_status status = LINPRED_OK;
    for (int32_t i = 0; i < count && status == LINPRED_OK; i++) {
        out->row[i] = entry[i].row;
        out->weight[i] = linpred__integers_text(weight, (int32_t)entry[i].place);
        if (!out->weight[i])
            status = linpred__no_memory(error);
    }
    linpred__release(entry);
    return status;
}

linpred_status linpred__take_support(linpred__support *out, const linpred_data *data, const int64_t *row,
                                     const linpred__multipliers *found, linpred_error *error)
{
    int64_t count = found->count;
    struct entry *entry = linpred__alloc((size_t)count, sizeof *entry);
    if (!entry || !linpred__support_open(out, count)) {
        linpred__release(entry);
        return linpred__no_memory(error);
    }
    for (int64_t i = 0; i < count; i++)
        entry[i] = (struct entry){row[found->chosen ? found->chosen[i] : i], i};
    put_in_order(data, entry, count);
    for (int64_t i = 0; i < count; i++) {
        out->row[i] = entry[i].row;
        out->multiplier[i] = found->multiplier[entry[i].place];
        out->tail[i] = found->tail ? found->tail[entry[i].place] : 0.0;
    }
    linpred__release(entry);
    return LINPRED_OK;
}

linpred_status linpred__take_direction(linpred__direction *out, const linpred__integers *w, linpred_error *error)
{
    if (!linpred__direction_open(out, w->count))
        return linpred__no_memory(error);
    for (int32_t j = 0; j < w->count; j++) {
        out->entry[j] = linpred__integers_text(w, j);
        if (!out->entry[j])
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}
