/* Rows that break a dependency n of the training columns: <n,(x,1)> is not 0. The coefficients could be changed by any
 * multiple of n without changing a fitted value, so the training data do not determine the prediction of such a row.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "model/limits.h"
#include "model/model.h"

bool linpred__breaks_dependency(const double *n, const double *x, int32_t width, bool exact)
{
    double sum = 0.0, size = 0.0,
           tolerance = exact ? LINPRED__EXACT_DEPENDENCY_TOLERANCE : LINPRED__DEPENDENCY_TOLERANCE;
    for (int32_t j = 0; j < width; j++) {
        sum += n[j] * x[j];
        size += fabs(n[j] * x[j]);
    }
    return fabs(sum) > tolerance * size;
}

struct question {
    const linpred_data *data;
    linpred__polynomial_basis basis; /* the coordinates of the vectors */
    const double *vector;
    const linpred__dependencies *dependencies;
};

struct broken_lane {
    double *x;      /* leading parts, trailing parts: 2 width */
    int64_t *count; /* of rows that break each dependency, then the first of them, -1 if there is none */
};

static void clear_broken_lane(void *context, void *state)
{
    (void)context;
    struct broken_lane *lane = state;
    linpred__release(lane->x);
    linpred__release(lane->count);
}

static bool init_broken_lane(void *context, void *state)
{
    const linpred__dependencies *dependencies = ((const struct question *)context)->dependencies;
    struct broken_lane *lane = state;
    size_t count = (size_t)dependencies->count;
    lane->x = linpred__alloc(2 * (size_t)dependencies->width, sizeof *lane->x);
    lane->count = linpred__calloc(2 * count, sizeof *lane->count);
    for (size_t k = 0; lane->count && k < count; k++)
        lane->count[count + k] = -1;
    if (lane->x && lane->count)
        return true;
    clear_broken_lane(context, state);
    return false;
}

static void note_broken(struct broken_lane *lane, int32_t k, int32_t dependencies, int64_t count, int64_t first)
{
    int64_t *known = &lane->count[dependencies + k];
    lane->count[k] += count;
    *known = *known < 0 || (first >= 0 && first < *known) ? first : *known;
}

static void count_broken(void *context, void *state, const linpred__block *block)
{
    const struct question *question = context;
    const linpred__dependencies *dependencies = question->dependencies;
    struct broken_lane *lane = state;
    int32_t width = dependencies->width;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__polynomial_basis_row(&question->basis, block, r, lane->x, lane->x + width);
        for (int32_t k = 0; k < dependencies->count; k++)
            if (linpred__breaks_dependency(question->vector + (size_t)k * (size_t)width, lane->x, width,
                                           dependencies->exact[k]))
                note_broken(lane, k, dependencies->count, 1, block->first_row + r);
    }
}

static void merge_broken(void *context, void *into, const void *from)
{
    int32_t count = ((const struct question *)context)->dependencies->count;
    const struct broken_lane *lane = from;
    for (int32_t k = 0; k < count; k++)
        note_broken(into, k, count, lane->count[k], lane->count[count + k]);
}

static void list_broken(void *context, void *state, linpred__state_pieces *pieces)
{
    size_t count = 2 * (size_t)((const struct question *)context)->dependencies->count;
    struct broken_lane *lane = state;
    linpred__state_piece(pieces, lane->count, count * sizeof *lane->count);
}

/* Vectors in the basis of the fit keep more digits. If the model has none, the vectors are for plain powers. */
static bool open_question(const linpred_result *result, const linpred_data *data, struct question *question)
{
    const linpred_model *model = &result->model;
    const linpred__regression *regression = model->regression;
    *question = (struct question){.data = data, .dependencies = linpred__result_dependencies(result)};
    bool in_basis = regression && regression->basis_dependency;
    question->vector = in_basis ? regression->basis_dependency : question->dependencies->vector;
    return in_basis ? linpred__polynomial_basis_copy(&question->basis, &regression->basis)
                    : linpred__polynomial_basis_make(&question->basis, model->recipe, model->has_intercept);
}

linpred_status linpred_broken_dependencies(const linpred_result *result, const linpred_data *data, int threads,
                                           int64_t *rows, int64_t *first, linpred_error *error)
{
    LINPRED__NEEDS(result, data, rows, first);
    const linpred__dependencies *dependencies = linpred__result_dependencies(result);
    struct question question;
    linpred__pool *pool = NULL;
    if (dependencies->count == 0)
        return LINPRED_OK;
    if (data->columns != result->model.recipe->features)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the model has %d features, the data has %d",
                             result->model.recipe->features, data->columns);
    if (!open_question(result, data, &question))
        return linpred__no_memory(error);
    linpred__visitor visitor = {sizeof(struct broken_lane), init_broken_lane, count_broken, merge_broken,
                                clear_broken_lane,          &question,        list_broken};
    struct broken_lane total;
    linpred_status status = linpred__pool_open(threads, &pool, error);
    if (status == LINPRED_OK)
        status = linpred__pass(data, pool, &visitor, &total, error);
    if (status == LINPRED_OK) {
        for (int32_t k = 0; k < dependencies->count; k++) {
            int64_t row = total.count[dependencies->count + k];
            rows[k] = total.count[k];
            first[k] = row < 0 ? 0 : linpred_data_source_row(data, row);
        }
        clear_broken_lane(&question, &total);
    }
    linpred__pool_close(pool);
    linpred__polynomial_basis_clear(&question.basis);
    return status;
}
