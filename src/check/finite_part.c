/* The claim `finite_part`: what the logistic loss without a minimum comes near to.
 *
 * The direction v of the claim `no_minimiser` has <v,z> >= 0 on every row. Let T be the rows with <v,z> = 0. Along v
 * the losses of T stay and the others fall to 0, and no loss is negative. So the infimum of F is that of the losses of
 * T, divided by the weight of all rows. The witness is weights u, and vectors n with <n,(x,1)> = 0 on T.
 *
 * The gap of u on the rows T is judged as that of a model by `logistic_optimum`. Refuted also if v does not have these
 * signs, if a vector is not 0 on T, if u is not the shortest along them, or if the infimum is another one.
 */
#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/limits.h"
#include "check/witness/combination.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/stored.h"

/* The rows T: a view of the data with a block for each row, or copies if the rows lie in a file. */
struct rows_left {
    linpred_data data;
    double *values;   /* of the copies */
    int32_t *indices; /* of sparse copies */
    int64_t *start;   /* of sparse copies: two numbers a row */
    double share;     /* of T in the weight of all rows, by class weights too */
};

/* Makes room for copies of the rows that are left. */
static linpred_status open_copies(const linpred_data *data, const bool *zero, int64_t count, struct rows_left *left,
                                  linpred_error *error)
{
    bool sparse = data->layout == LINPRED__SPARSE;
    size_t entries = sparse ? 0 : (size_t)count * (size_t)data->columns;
    for (int64_t i = 0; sparse && i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int32_t r = 0; r < block->rows; r++)
            entries += zero[block->first_row + r] ? (size_t)(block->start[r + 1] - block->start[r]) : 0;
    }
    linpred_status status = linpred__stored_refuse_bytes(data, "the check of a finite part",
                                                         (double)entries * (double)sizeof(double), error);
    if (status != LINPRED_OK)
        return status;
    left->values = linpred__alloc(entries + 1, sizeof *left->values);
    left->indices = sparse ? linpred__alloc(entries + 1, sizeof *left->indices) : NULL;
    left->start = sparse ? linpred__alloc((size_t)count, 2 * sizeof *left->start) : NULL;
    if (!left->values || (sparse && (!left->indices || !left->start)))
        return linpred__no_memory(error);
    return LINPRED_OK;
}

/* Copies row r of a block behind the `before` entries of the rows before, and makes `to` point at the copy. */
static void copy_row_left(const struct rows_left *left, const linpred__block *from, int32_t r, int64_t before,
                          linpred__block *to)
{
    linpred__entries row = linpred__entries_of(from, r);
    memcpy(left->values + before, row.values, (size_t)row.count * sizeof(double));
    to->values = left->values + before;
    if (!left->indices || !row.indices)
        return;
    memcpy(left->indices + before, row.indices, (size_t)row.count * sizeof(int32_t));
    int64_t *start = left->start + 2 * to->first_row;
    start[0] = 0;
    start[1] = row.count;
    to->start = start;
    to->indices = left->indices + before;
}

static linpred_status view_rows_left(const linpred__measured *measured, const bool *zero, int64_t count,
                                     struct rows_left *left, linpred_error *error)
{
    const linpred__figures *figures = &measured->result->figures;
    linpred__block *to = linpred__calloc((size_t)count, sizeof *to);
    double all = 0.0, part = 0.0;
    *left = (struct rows_left){.data = *measured->data};
    left->data.rows = left->data.blocks = 0;
    left->data.entries = 0;
    left->data.block_rows = 1;
    left->data.block = to;
    left->data.source_row = NULL;
    left->data.stored = NULL;
    if (to && measured->data->stored) {
        linpred_status status = open_copies(measured->data, zero, count, left, error);
        if (status != LINPRED_OK)
            return status;
    }
    for (int64_t i = 0; to && i < measured->data->blocks; i++) {
        const linpred__block *from = linpred__block_at(measured->data, i);
        for (int32_t r = 0; r < from->rows; r++) {
            double weight = (from->target[r] > 0 ? figures->class_weight_positive : figures->class_weight_negative) *
                            (from->weight ? from->weight[r] : 1.0);
            all += weight;
            if (!zero[from->first_row + r])
                continue;
            part += weight;
            int64_t before = left->data.entries;
            left->data.entries += linpred__entries_of(from, r).count;
            *to = *from;
            to->first_row = left->data.rows++;
            to->rows = 1;
            to->target += r;
            to->weight = from->weight ? from->weight + r : NULL;
            to->start = from->start ? from->start + r : NULL;
            if (left->values)
                copy_row_left(left, from, r, before, to);
            else if (from->layout == LINPRED__DENSE)
                to->values += r * from->stride;
            to++;
        }
    }
    left->data.blocks = left->data.rows;
    left->share = part / all;
    return to ? LINPRED_OK : linpred__no_memory(error);
}

/* Judges the weights on the rows left. */
static linpred_status judge_rows_left(const linpred__measured *measured, const linpred__finite_part *part,
                                      const struct rows_left *left, linpred__claim_check *check, linpred_error *error)
{
    const linpred__figures *figures = &measured->result->figures;
    linpred_model model = measured->result->model;
    int32_t width = part->weights.count, vectors = part->null.count / width;
    linpred__logistic_finding found;
    bool *exact = linpred__alloc((size_t)vectors, sizeof *exact);
    if (!exact)
        return linpred__no_memory(error);
    for (int32_t k = 0; k < vectors; k++)
        exact[k] = true;
    model.w = part->weights.value;
    model.tails.count = 0;
    model.b = model.has_intercept ? part->weights.value[model.columns] : 0.0;
    linpred__logistic_question question = {
        .model = &model,
        .class_weight = {figures->class_weight_negative, figures->class_weight_positive},
        .tolerance = figures->gap_tolerance,
        .null = {vectors, width, part->null.value, false},
        .null_exact = exact,
    };
    linpred_status status = linpred__measure_logistic(&question, &left->data, measured->pool, &found, error);
    linpred__release(exact);
    if (status != LINPRED_OK)
        return status;
    double infimum = left->share * found.objective;
    linpred__find(check, "on the %lld row%s left: ", (long long)left->data.rows,
                  linpred__plural((double)left->data.rows));
    linpred__judge_gap(measured->result, &found, check);
    if (!found.null_exact || !found.null_independent)
        linpred__refute(check, "a vector is not 0 on every row left, or the vectors depend on each other");
    else if (!(found.norm_left <= LINPRED__FIGURE_TOLERANCE))
        linpred__refute(check, "the weights are not those of least norm");
    else if (check->verdict != LINPRED_REFUTED)
        linpred__compare_required(check, "the infimum", figures->infimum, infimum,
                                  left->share * found.objective_error + LINPRED__FIGURE_TOLERANCE * infimum);
    return LINPRED_OK;
}

/* Whether the claim says enough to be judged. */
static bool is_whole(const linpred__measured *measured, const linpred__finite_part *part, linpred__claim_check *check)
{
    const linpred_model *model = &measured->result->model;
    const linpred__figures *figures = &measured->result->figures;
    int32_t width = model->columns + model->has_intercept;
    bool whole = part->weights.count == width && part->null.count > 0 && part->null.count % width == 0 &&
                 figures->class_weight_negative > 0 && figures->class_weight_positive > 0 &&
                 !isnan(figures->gap_tolerance) && model->task == LINPRED_TASK_LOGISTIC;
    for (int32_t j = 0; whole && j < width; j++)
        whole = isfinite(part->weights.value[j]);
    return whole || linpred__refute(check, "the claim does not say which weights, or of which loss");
}

linpred_status linpred__check_finite_part(const linpred__measured *measured, const linpred__claim *claim,
                                          linpred__claim_check *check, linpred_error *error)
{
    const linpred_data *data = measured->data;
    const linpred__claim *none = linpred__claims_find(&measured->result->claims, LINPRED_CLAIM_NO_MINIMISER);
    if (!none || !is_whole(measured, &claim->by.finite, check) || !linpred__judge_balance(measured, check)) {
        if (!none)
            linpred__refute(check, "the claim belongs to a loss without a minimum");
        return LINPRED_OK;
    }
    linpred__direction_signs signs;
    struct rows_left left = {0};
    bool *zero = linpred__calloc((size_t)data->rows, sizeof *zero);
    linpred_status status = zero ? linpred__check_direction(&none->by.direction, &measured->result->model, data,
                                                            measured->pool, zero, &signs, error)
                                 : linpred__no_memory(error);
    int64_t count = status == LINPRED_OK ? data->rows - signs.positive - signs.negative : 0;
    if (status == LINPRED_OK && (signs.negative > 0 || signs.positive == 0 || count == 0))
        linpred__refute(check, "the direction leaves no rows, or is none");
    else if (status == LINPRED_OK) {
        status = view_rows_left(measured, zero, count, &left, error);
        if (status == LINPRED_OK)
            status = judge_rows_left(measured, &claim->by.finite, &left, check, error);
    }
    linpred__release(left.data.block);
    linpred__release(left.values);
    linpred__release(left.indices);
    linpred__release(left.start);
    linpred__release(zero);
    return status;
}
