#include "separate/file_rows.h"

#include <stdlib.h>

#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"

struct entry {
    int64_t row;   /* of the file */
    int64_t place; /* among those chosen */
};

static void put_in_order(const linpred_data *data, struct entry *entry, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        entry[i].row = linpred_data_source_row(data, entry[i].row);
    qsort(entry, (size_t)count, sizeof *entry, linpred__ascending);
}

linpred_status linpred__take_witness(linpred__certificate *proof, const linpred_data *data, const int64_t *row,
                                     const int32_t *chosen, int32_t count, const linpred__integers *weight,
                                     linpred_error *error)
{
    struct entry *entry = linpred__alloc((size_t)count, sizeof *entry);
    if (!entry || !linpred__certificate_witnesses(proof, count)) {
        linpred__release(entry);
        return linpred__no_memory(error);
    }
    for (int32_t i = 0; i < count; i++)
        entry[i] = (struct entry){row[chosen[i]], i};
    put_in_order(data, entry, count);
    linpred_status status = LINPRED_OK;
    for (int32_t i = 0; i < count && status == LINPRED_OK; i++) {
        proof->witness_row[i] = entry[i].row;
        proof->witness_weight[i] = linpred__integers_text(weight, (int32_t)entry[i].place);
        if (!proof->witness_weight[i])
            status = linpred__no_memory(error);
    }
    linpred__release(entry);
    return status;
}

linpred_status linpred__take_support(linpred__certificate *proof, const linpred_data *data, const int64_t *row,
                                     const int64_t *chosen, int64_t count, const double *multiplier, const double *tail,
                                     linpred_error *error)
{
    struct entry *entry = linpred__alloc((size_t)count, sizeof *entry);
    if (!entry || !linpred__certificate_supports(proof, count)) {
        linpred__release(entry);
        return linpred__no_memory(error);
    }
    for (int64_t i = 0; i < count; i++)
        entry[i] = (struct entry){row[chosen ? chosen[i] : i], i};
    put_in_order(data, entry, count);
    for (int64_t i = 0; i < count; i++) {
        proof->support_row[i] = entry[i].row;
        proof->multiplier[i] = multiplier[entry[i].place];
        proof->tail[i] = tail ? tail[entry[i].place] : 0.0;
    }
    linpred__release(entry);
    return LINPRED_OK;
}

linpred_status linpred__take_direction(linpred__certificate *proof, const linpred__integers *w, linpred_error *error)
{
    if (!linpred__certificate_directions(proof, w->count))
        return linpred__no_memory(error);
    for (int32_t j = 0; j < w->count; j++) {
        proof->direction[j] = linpred__integers_text(w, j);
        if (!proof->direction[j])
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}
