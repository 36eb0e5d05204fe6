#include "fit/strict.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/gather.h"
#include "fit/overlap_rows.h"
#include "fit/proof.h"

enum { DEEPEST = 6 }; /* T has a T of its own, if its rows are quasi-separated too */

/* ---- the rows on the hyperplane ------------------------------------------------------------------------------------ */

struct rest {
    const linpred_data *data;
    bool has_intercept;
    const linpred__integers *v;
    unsigned char *on; /* of each row: 0, or 1 on the hyperplane, or 2: out of memory */
    linpred_arrays arrays;
};

static void mark_block(void *context, int64_t i)
{
    const struct rest *rest = context;
    const linpred__block *block = &rest->data->block[i];
    for (int64_t row = block->first_row; row < block->first_row + block->rows; row++) {
        linpred__gathered gathered;
        bool made = linpred__gather(rest->data, rest->has_intercept, &row, 1, &gathered, NULL) == LINPRED_OK;
        rest->on[row] = !made ? 2 : linpred__row_sign_integers(&gathered.rows, 0, rest->v) == 0;
        if (made)
            linpred__gathered_clear(&gathered);
    }
}

static void release_rows(void *context)
{
    linpred_arrays *arrays = context;
    linpred__release((void *)arrays->values);
    linpred__release((void *)arrays->start);
    linpred__release((void *)arrays->indices);
    linpred__release((void *)arrays->labels);
}

static void copy_row(const linpred__block *block, int32_t r, int64_t at, int64_t row, const linpred_arrays *to)
{
    linpred__entries entries = linpred__entries_of(block, r);
    memcpy((double *)to->values + at, entries.values, (size_t)entries.count * sizeof(double));
    if (to->start) {
        memcpy((int32_t *)to->indices + at, entries.indices, (size_t)entries.count * sizeof(int32_t));
        ((int64_t *)to->start)[row + 1] = at + entries.count;
    }
    ((double *)to->labels)[row] = block->target[r];
}

/* A copy of the rows that are marked. */
static linpred_status copy_rows(struct rest *rest, linpred_data **out, linpred_error *error)
{
    const linpred_data *data = rest->data;
    linpred_arrays *arrays = &rest->arrays;
    int64_t rows = 0, entries = 0, at = 0, next = 0;
    bool sparse = data->layout == LINPRED__SPARSE;
    for (int64_t i = 0; i < data->blocks; i++)
        for (int32_t r = 0; r < data->block[i].rows; r++)
            if (rest->on[data->block[i].first_row + r]) {
                rows++;
                entries += linpred__entries_of(&data->block[i], r).count;
            }
    *arrays = (linpred_arrays){.struct_size = sizeof *arrays, .rows = rows, .columns = data->columns};
    arrays->values = linpred__alloc((size_t)entries + 1, sizeof(double));
    arrays->labels = linpred__alloc((size_t)rows + 1, sizeof(double));
    if (sparse) {
        arrays->start = linpred__calloc((size_t)rows + 1, sizeof(int64_t));
        arrays->indices = linpred__alloc((size_t)entries + 1, sizeof(int32_t));
    }
    if (!arrays->values || !arrays->labels || (sparse && (!arrays->start || !arrays->indices)))
        return linpred__no_memory(error);
    for (int64_t i = 0; i < data->blocks; i++)
        for (int32_t r = 0; r < data->block[i].rows; r++)
            if (rest->on[data->block[i].first_row + r]) {
                copy_row(&data->block[i], r, at, next++, arrays);
                at += linpred__entries_of(&data->block[i], r).count;
            }
    return linpred_data_from_arrays(arrays, out, error);
}

/* ---- the question ---------------------------------------------------------------------------------------------------- */

static int labels_of(const linpred_arrays *arrays)
{
    int seen = 0;
    for (int64_t i = 0; i < arrays->rows; i++)
        seen |= arrays->labels[i] > 0 ? 2 : 1;
    return seen;
}

/* K v + u for the first K that has every row strictly on its side. */
static linpred_status combine(linpred__fit *fit, const linpred__integers *v, const linpred__integers *u,
                              linpred__overlap *overlap, linpred_error *error)
{
    linpred__integers sum;
    bool has_intercept = !fit->options->no_intercept, found = false;
    if (!linpred__integers_open(v->count, &sum))
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    for (mp_bitcnt_t bits = 4; bits <= 256 && status == LINPRED_OK && !found; bits *= 4) {
        linpred__tried tried;
        for (int32_t j = 0; j < v->count; j++) {
            mpz_mul_2exp(sum.value[j], v->value[j], bits);
            mpz_add(sum.value[j], sum.value[j], u->value[j]);
        }
        status = linpred__try_direction(fit->data, fit->pool, has_intercept, &sum, fit->survey.radius.above, &tried, error);
        if (status != LINPRED_OK)
            break;
        found = tried.positive == fit->data->rows;
        linpred__release(tried.row);
        overlap->passes++;
    }
    if (status == LINPRED_OK && found) {
        linpred__certificate_clear(&overlap->proof);
        status = linpred__take_direction(&overlap->proof, &sum, error);
        overlap->kind = LINPRED_SEPARATION_SEPARATED;
        overlap->settled = fit->data->rows;
    }
    linpred__integers_close(&sum);
    return status;
}

static bool read_direction(const linpred__certificate *proof, linpred__integers *v)
{
    if (!linpred__integers_open(proof->directions, v))
        return false;
    for (int32_t j = 0; j < v->count; j++)
        mpz_set_str(v->value[j], proof->direction[j], 10);
    return true;
}

/* What the fit to T says of all rows. */
static linpred_status conclude(linpred__fit *fit, const linpred_result *found, const linpred__integers *v,
                               linpred__overlap *overlap, linpred_error *error)
{
    linpred_separation kind = found->info.separation;
    if (kind == LINPRED_SEPARATION_OVERLAPPING || kind == LINPRED_SEPARATION_QUASI_SEPARATED)
        overlap->kind = LINPRED_SEPARATION_QUASI_SEPARATED;
    if (kind != LINPRED_SEPARATION_SEPARATED || found->certificate.directions != v->count)
        return LINPRED_OK;
    linpred__integers u;
    if (!read_direction(&found->certificate, &u))
        return linpred__no_memory(error);
    linpred_status status = combine(fit, v, &u, overlap, error);
    linpred__integers_close(&u);
    return status;
}

static linpred_status fit_rest(linpred__fit *fit, linpred_data *rows, const linpred__integers *v, linpred__overlap *overlap,
                               linpred_error *error)
{
    linpred_options options;
    linpred_options_init(&options);
    options.task = LINPRED_TASK_LOGISTIC;
    options.no_intercept = fit->options->no_intercept;
    options.max_seconds = fit->options->max_seconds;
    options.on_progress = fit->options->on_progress;
    options.context = fit->options->context;
    linpred__fit inner = {.data = rows,
                          .options = &options,
                          .pool = fit->pool,
                          .began = fit->began,
                          .reported = fit->reported,
                          .inside = fit->inside + 1};
    linpred_status status = linpred__result_new(rows, &options, &inner.result, error);
    if (status == LINPRED_OK)
        status = linpred__survey_rows(rows, fit->pool, !options.no_intercept, true, &inner.survey, error);
    if (status == LINPRED_OK)
        status = linpred__fit_logistic(&inner, error);
    if (status == LINPRED_OK) {
        overlap->passes += inner.result->info.passes;
        status = conclude(fit, inner.result, v, overlap, error);
    }
    linpred_result_free(inner.result);
    linpred__survey_clear(&inner.survey);
    return status;
}

/* T has one label: with an intercept that alone separates it. */
static linpred_status settle_one_label(linpred__fit *fit, int label, const linpred__integers *v, linpred__overlap *overlap,
                                       linpred_error *error)
{
    linpred__integers u;
    if (fit->options->no_intercept)
        return LINPRED_OK;
    if (!linpred__integers_open(v->count, &u))
        return linpred__no_memory(error);
    mpz_set_si(u.value[v->count - 1], label == 2 ? 1 : -1);
    linpred_status status = combine(fit, v, &u, overlap, error);
    linpred__integers_close(&u);
    return status;
}

linpred_status linpred__ask_rest(linpred__fit *fit, linpred__overlap *overlap, linpred_error *error)
{
    linpred__integers v;
    overlap->kind = LINPRED_SEPARATION_NOT_ASKED;
    if (fit->inside >= DEEPEST)
        return LINPRED_OK;
    if (!read_direction(&overlap->proof, &v))
        return linpred__no_memory(error);
    struct rest rest = {.data = fit->data, .has_intercept = !fit->options->no_intercept, .v = &v};
    rest.on = linpred__calloc((size_t)fit->data->rows, 1);
    linpred_data *rows = NULL;
    linpred_status status = rest.on ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        linpred__pool_run(fit->pool, fit->data->blocks, mark_block, &rest);
        if (memchr(rest.on, 2, (size_t)fit->data->rows))
            status = linpred__no_memory(error);
    }
    if (status == LINPRED_OK)
        status = copy_rows(&rest, &rows, error);
    if (status == LINPRED_OK) {
        int labels = labels_of(&rest.arrays);
        status = labels == 3 ? fit_rest(fit, rows, &v, overlap, error) : settle_one_label(fit, labels, &v, overlap, error);
    }
    linpred_data_free(rows);
    release_rows(&rest.arrays);
    linpred__release(rest.on);
    linpred__integers_close(&v);
    return status;
}
