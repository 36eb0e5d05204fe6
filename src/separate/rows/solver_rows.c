/* Rows on their way to a solver and back (see solver_rows.h). */
#include "separate/rows/solver_rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/decimals.h"

void linpred__gathered_clear(linpred__gathered *gathered)
{
    linpred__release(gathered->values);
    linpred__release(gathered->start);
    linpred__release(gathered->indices);
    linpred__release(gathered->exponents);
    *gathered = (linpred__gathered){0};
}

/* Writes the entries of a signed row from `at` on. Returns where the next row begins. */
static int64_t copy_signed_row(const linpred_data *data, bool has_intercept, int64_t row, linpred__gathered *out,
                               int64_t at)
{
    int32_t r;
    const linpred__block *block = linpred__block_of(data, row, &r);
    linpred__entries entries = linpred__entries_of(block, r);
    double y = block->target[r];
    for (int64_t k = 0; k < entries.count; k++) {
        int32_t column = linpred__entry_column(&entries, k);
        linpred__dd z = {entries.values[k], 0.0};
        if (block->decimals)
            z = linpred__whole_cell(block->decimals, column, z.hi);
        for (int part = 0; part < 2; part++) {
            if (part == 1 && z.lo == 0.0)
                break;
            if (out->indices)
                out->indices[at] = column;
            out->values[at++] = y * (part ? z.lo : z.hi);
        }
    }
    if (!has_intercept)
        return at;
    if (out->indices)
        out->indices[at] = data->columns;
    out->values[at++] = block->decimals ? y * block->decimals->unit : y;
    return at;
}

linpred_status linpred__gather(const linpred_data *data, bool has_intercept, const int64_t *row, int64_t count,
                               linpred__gathered *out, linpred_error *error)
{
    linpred__gathered made = {0};
    bool two_parts = data->decimals && data->decimals->long_cells;
    bool sparse = data->layout == LINPRED__SPARSE || two_parts;
    int64_t entries = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, row[i], &r);
        entries += (two_parts ? 2 : 1) * linpred__entries_of(block, r).count + has_intercept;
    }
    made.start = linpred__alloc((size_t)count + 1, sizeof *made.start);
    made.values = linpred__alloc((size_t)entries, sizeof *made.values);
    if (sparse)
        made.indices = linpred__alloc((size_t)entries, sizeof *made.indices);
    if (!made.start || !made.values || (sparse && !made.indices)) {
        linpred__gathered_clear(&made);
        return linpred__no_memory(error);
    }
    made.start[0] = 0;
    for (int64_t i = 0; i < count; i++)
        made.start[i + 1] = copy_signed_row(data, has_intercept, row[i], &made, made.start[i]);
    made.rows = (linpred__rows){.rows = (int32_t)count,
                                .columns = data->columns + has_intercept,
                                .values = made.values,
                                .start = sparse ? made.start : NULL,
                                .indices = made.indices};
    *out = made;
    return LINPRED_OK;
}

/* ---- proofs from working rows: their rows are numbered as in the file and put in order --------------------------- */

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
