/* Strict separation: copies the rows on the hyperplane of v and asks the two-way question for them. */
#include "data/stored.h"
#include "separate/strict_separation.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/row_extents.h"
#include "separate/limits.h"
#include "separate/rows/direction_rows.h"
#include "separate/rows/solver_rows.h"
#include "separate/separated.h"

/* ---- the rows on the hyperplane ---------------------------------------------------------------------------------- */

static void release_rows(void *context)
{
    linpred_arrays *arrays = context;
    linpred__release((void *)arrays->values);
    linpred__release((void *)arrays->start);
    linpred__release((void *)arrays->indices);
    linpred__release((void *)arrays->labels);
    linpred__release((void *)arrays->weights);
}

void linpred__rest_clear(linpred__rest *rest)
{
    release_rows(&rest->arrays);
    linpred__release(rest->on);
}

static void copy_row_to_arrays(const linpred__block *block, int32_t r, int64_t at, int64_t row,
                               const linpred_arrays *to)
{
    linpred__entries entries = linpred__entries_of(block, r);
    memcpy((double *)to->values + at, entries.values, (size_t)entries.count * sizeof(double));
    if (to->start) {
        /* NOLINTNEXTLINE(clang-analyzer-core*): rows of sparse blocks have indices */
        memcpy((int32_t *)to->indices + at, entries.indices, (size_t)entries.count * sizeof(int32_t));
        ((int64_t *)to->start)[row + 1] = at + entries.count;
    }
    ((double *)to->labels)[row] = block->target[r];
    ((double *)to->weights)[row] = block->weight ? block->weight[r] : 1.0;
}

linpred_status linpred__rest_copy(linpred__rest *rest, linpred_data **out, linpred_error *error)
{
    const linpred_data *data = rest->data;
    linpred_arrays *arrays = &rest->arrays;
    int64_t rows = 0, entries = 0, at = 0, next = 0;
    bool sparse = data->layout == LINPRED__SPARSE;
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int32_t r = 0; r < block->rows; r++)
            if (rest->on[block->first_row + r]) {
                rows++;
                entries += sparse ? block->start[r + 1] - block->start[r] : block->columns;
            }
    }
    linpred_status status = linpred__stored_refuse_bytes(data, "the question about rows on a hyperplane",
                                                         (double)entries * (double)sizeof(double), error);
    if (status != LINPRED_OK)
        return status;
    *arrays = (linpred_arrays){.struct_size = sizeof *arrays, .rows = rows, .columns = data->columns};
    arrays->values = linpred__alloc((size_t)entries + 1, sizeof(double));
    arrays->labels = linpred__alloc((size_t)rows + 1, sizeof(double));
    arrays->weights = linpred__alloc((size_t)rows + 1, sizeof(double));
    if (sparse) {
        arrays->start = linpred__calloc((size_t)rows + 1, sizeof(int64_t));
        arrays->indices = linpred__alloc((size_t)entries + 1, sizeof(int32_t));
    }
    if (!arrays->values || !arrays->labels || !arrays->weights || (sparse && (!arrays->start || !arrays->indices)))
        return linpred__no_memory(error);
    for (int64_t i = 0; i < data->blocks; i++) {
        const linpred__block *block = linpred__block_at(data, i);
        for (int32_t r = 0; r < block->rows; r++)
            if (rest->on[block->first_row + r]) {
                copy_row_to_arrays(block, r, at, next++, arrays);
                at += linpred__entries_of(block, r).count;
            }
    }
    status = linpred__data_of_arrays(arrays, out, error);
    if (status == LINPRED_OK)
        linpred__set_decimals(*out, data->decimals);
    return status;
}

/* ---- the question ------------------------------------------------------------------------------------------------ */

struct strict_question {
    linpred__run *run;
    const linpred__problem *problem;
    linpred__three_way *answer;
};

static linpred_status try_on_all(struct strict_question *work, const linpred__integers *v, bool *zero,
                                 int64_t *positive, linpred_error *error)
{
    const linpred__problem *problem = work->problem;
    linpred__found_rows tried;
    linpred_status status = linpred__try_direction(work->run, problem, v, zero, &tried, error);
    work->answer->passes++;
    if (status != LINPRED_OK)
        return status;
    *positive = tried.positive;
    linpred__release(tried.row);
    return LINPRED_OK;
}

/* Takes K v + u as the answer for the first of K = 2^4, 2^16, 2^64, 2^256 with which it is positive on every row. */
static linpred_status combine(struct strict_question *work, const linpred__integers *v, const linpred__integers *u,
                              linpred_error *error)
{
    linpred__three_way *answer = work->answer;
    int64_t rows = work->problem->data->rows, positive = 0;
    linpred__integers sum;
    if (!linpred__integers_open(v->count, &sum))
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    for (mp_bitcnt_t bits = 4; bits <= 256 && status == LINPRED_OK && positive < rows; bits *= 4) {
        for (int32_t j = 0; j < v->count; j++) {
            mpz_mul_2exp(sum.value[j], v->value[j], bits);
            mpz_add(sum.value[j], sum.value[j], u->value[j]);
        }
        status = try_on_all(work, &sum, NULL, &positive, error);
    }
    if (status == LINPRED_OK && positive == rows) {
        answer->kind = LINPRED_SEPARATION_SEPARATED;
        answer->settled_rows = rows;
        linpred__direction_clear(&answer->direction);
        status = linpred__take_direction(&answer->direction, &sum, error);
    }
    linpred__integers_close(&sum);
    return status;
}

bool linpred__direction_integers(const linpred__direction *direction, linpred__integers *v)
{
    if (!linpred__integers_open(direction->count, v))
        return false;
    for (int32_t j = 0; j < v->count; j++)
        mpz_set_str(v->value[j], direction->entry[j], 10);
    return true;
}

/* The witness numbers the rows on the hyperplane: 1 is the first of them. It is kept with the numbers of the file. */
static void take_strict_witness(struct strict_question *work, const bool *on, linpred__combination *witness)
{
    const linpred_data *data = work->problem->data;
    int64_t next = 0, number = 0; /* `number` rows before row `next` lie on the hyperplane */
    for (int64_t i = 0; i < witness->count; i++) {
        while (number < witness->row[i])
            number += on[next++];
        witness->row[i] = linpred_data_source_row(data, next - 1);
    }
    work->answer->witness = *witness;
    *witness = (linpred__combination){0};
}

/* Takes the answer for the rows on the hyperplane as that for all rows. */
static linpred_status take_separated(struct strict_question *work, linpred__separated *found, const bool *on,
                                     const linpred__integers *v, linpred_error *error)
{
    linpred__three_way *answer = work->answer;
    answer->passes += found->passes;
    answer->rounds += found->rounds;
    if (found->kind == LINPRED_SEPARATION_INSEPARABLE) {
        answer->kind = LINPRED_SEPARATION_QUASI_SEPARATED;
        take_strict_witness(work, on, &found->witness);
    }
    if (found->kind != LINPRED_SEPARATION_SEPARATED)
        return LINPRED_OK;
    linpred__integers u;
    if (!linpred__direction_integers(&found->direction, &u))
        return linpred__no_memory(error);
    linpred_status status = combine(work, v, &u, error);
    linpred__integers_close(&u);
    return status;
}

static linpred_status ask_rest(struct strict_question *work, linpred_data *rows, const bool *on, const double *w,
                               double b, const linpred__integers *v, linpred_error *error)
{
    linpred__problem rest = {.data = rows, .has_intercept = work->problem->has_intercept};
    linpred__separated found;
    linpred_status status =
        linpred__find_row_extents(rows, work->run->pool, rest.has_intercept, false, &rest.extents, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__ask_separated(work->run, &rest, LINPRED__STRICT_WORK, w, b, &found, error);
    if (status == LINPRED_OK) {
        status = take_separated(work, &found, on, v, error);
        linpred__separated_clear(&found);
    }
    linpred__row_extents_clear(&rest.extents);
    return status;
}

static linpred_status ask_on_hyperplane(struct strict_question *work, const linpred__integers *v, const double *w,
                                        double b, linpred_error *error)
{
    linpred__rest rest = {.data = work->problem->data};
    linpred_data *rows = NULL;
    rest.on = linpred__alloc((size_t)rest.data->rows, sizeof *rest.on);
    linpred_status status = rest.on ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = try_on_all(work, v, rest.on, &work->answer->settled_rows, error);
    if (status == LINPRED_OK)
        status = linpred__rest_copy(&rest, &rows, error);
    if (status == LINPRED_OK)
        status = ask_rest(work, rows, rest.on, w, b, v, error);
    linpred_data_free(rows);
    linpred__rest_clear(&rest);
    return status;
}

linpred_status linpred__ask_strict_separation(linpred__run *run, const linpred__problem *problem,
                                              const linpred__direction *weak, const double *w, double b,
                                              linpred__three_way *answer, linpred_error *error)
{
    *answer = (linpred__three_way){.kind = LINPRED_SEPARATION_UNDECIDED};
    struct strict_question work = {run, problem, answer};
    linpred__integers v;
    if (!linpred__direction_integers(weak, &v))
        return linpred__no_memory(error);
    linpred_status status = linpred__direction_copy(weak, &answer->direction)
                                ? ask_on_hyperplane(&work, &v, w, b, error)
                                : linpred__no_memory(error);
    linpred__integers_close(&v);
    if (status != LINPRED_OK)
        linpred__three_way_clear(answer);
    return status;
}
