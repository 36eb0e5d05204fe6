#include "separate/strict_separation.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "separate/direction_rows.h"
#include "separate/file_rows.h"

static const double some_work = 1e10; /* multiplications, about: some seconds. Beyond that it stays open. */

/* ---- the rows on the hyperplane ------------------------------------------------------------------------------------
 */

struct rest {
    const linpred_data *data;
    bool *on; /* of each row: on the hyperplane */
    linpred_arrays arrays;
};

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

/* ---- the question
 * ---------------------------------------------------------------------------------------------------- */

/* K v + u for the first K that has every row strictly on its side. */
static linpred_status combine(linpred__fit *fit, const linpred__integers *v, const linpred__integers *u,
                              linpred__three_way *overlap, linpred_error *error)
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
        status = linpred__try_direction(fit->problem.data, fit->run.pool, has_intercept, &sum,
                                        fit->problem.extents.radius.above, NULL, &tried, error);
        if (status != LINPRED_OK)
            break;
        found = tried.positive == fit->problem.data->rows;
        linpred__release(tried.row);
        overlap->passes++;
    }
    if (status == LINPRED_OK && found) {
        linpred__certificate_clear(&overlap->proof);
        status = linpred__take_direction(&overlap->proof, &sum, error);
        overlap->kind = LINPRED_SEPARATION_SEPARATED;
        overlap->settled = fit->problem.data->rows;
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

/* What the oracle says of T, it says of all rows. */
static linpred_status ask_rest(linpred__fit *fit, linpred_data *rows, const double *w, double b,
                               const linpred__integers *v, linpred__three_way *overlap, linpred_error *error)
{
    linpred__fit inner = *fit;
    inner.problem.data = rows;
    inner.result = NULL;
    inner.oracle_work = some_work;
    inner.problem.extents = (linpred__row_extents){0};
    linpred__three_way found = {0};
    linpred_status status = linpred__result_new(rows, fit->options, &inner.result, error);
    if (status == LINPRED_OK)
        status = linpred__find_row_extents(rows, fit->run.pool, !fit->options->no_intercept, true,
                                           &inner.problem.extents, error);
    if (status == LINPRED_OK)
        status = linpred__ask_separated(&inner, w, b, &found, error);
    overlap->passes += found.passes;
    overlap->rounds += found.rounds;
    overlap->working_rows = found.working_rows;
    linpred__integers u;
    if (status == LINPRED_OK && found.kind == LINPRED_SEPARATION_SEPARATED) {
        status = read_direction(&found.proof, &u) ? combine(fit, v, &u, overlap, error) : linpred__no_memory(error);
        linpred__integers_close(&u);
    } else if (status == LINPRED_OK) {
        overlap->kind = found.kind;
    }
    linpred__three_way_clear(&found);
    linpred_result_free(inner.result);
    linpred__row_extents_clear(&inner.problem.extents);
    return status;
}

linpred_status linpred__ask_strict_separation(linpred__fit *fit, const double *w, double b, linpred__three_way *overlap,
                                              linpred_error *error)
{
    linpred__integers v;
    overlap->kind = LINPRED_SEPARATION_NOT_ASKED;
    if (!read_direction(&overlap->proof, &v))
        return linpred__no_memory(error);
    struct rest rest = {.data = fit->problem.data};
    linpred__tried tried = {0};
    linpred_data *rows = NULL;
    rest.on = linpred__alloc((size_t)fit->problem.data->rows, sizeof *rest.on);
    linpred_status status = rest.on ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__try_direction(fit->problem.data, fit->run.pool, !fit->options->no_intercept, &v,
                                        fit->problem.extents.radius.above, rest.on, &tried, error);
    overlap->passes++;
    if (status == LINPRED_OK)
        status = copy_rows(&rest, &rows, error);
    if (status == LINPRED_OK)
        status = ask_rest(fit, rows, w, b, &v, overlap, error);
    linpred__release(tried.row);
    linpred_data_free(rows);
    release_rows(&rest.arrays);
    linpred__release(rest.on);
    linpred__integers_close(&v);
    return status;
}
