/* The finite part of a fit without a minimum. A direction v settles some rows, <v,z> > 0, and leaves the rows T at 0.
 *
 * Along v the losses of T stay as they are and all others fall to 0. So the infimum of F is that of the losses of T
 * alone, and F comes as near to it as one likes at u + t v, where u minimises the losses of T. If T overlaps, there is
 * such a u. Vectors n with <n,z> = 0 on T, of which v is one, change no loss of T: u is the one of least norm.
 *
 * u is claimed only if its gap is proved and every n holds exactly.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/logistic/limits.h"
#include "fit/logistic/logistic.h"
#include "pass/row_extents.h"
#include "proof/limits.h"
#include "separate/strict_separation.h"

void linpred__logistic_finite_clear(linpred__logistic_finite *finite)
{
    linpred__finite_part_clear(&finite->part);
}

/* Takes u and the vectors n as the answer, if both are as good as they must be. */
static linpred_status take_finite_part(const linpred__logistic_problem *whole, const linpred__logistic_problem *left,
                                       const linpred__logistic_found *found, const linpred__logistic_values *values,
                                       linpred__logistic_finite *finite, linpred_error *error)
{
    const linpred__dependencies *null = &found->null_space.dependencies;
    const double *b = left->has_intercept ? &values->b : NULL;
    int32_t columns = left->original->data->columns, width = columns + left->has_intercept;
    bool usable = found->gap <= left->terms.tolerance && found->null_space.inexact == 0 && null->count > 0;
    for (int32_t j = 0; j < columns; j++)
        usable = usable && isfinite(values->w[j]);
    if (!usable)
        return LINPRED_OK;
    if (!linpred__vector_of_weights(values->w, columns, b, &finite->part.weights) ||
        !linpred__vector_open(&finite->part.null, null->count * width)) {
        linpred__logistic_finite_clear(finite);
        return linpred__no_memory(error);
    }
    memcpy(finite->part.null.value, null->vector, (size_t)null->count * (size_t)width * sizeof(double));
    finite->infimum = linpred__logistic_last_point(found)->objective * (left->weight / whole->weight);
    finite->gap = found->gap;
    return LINPRED_OK;
}

static linpred_status fit_rows_left(const linpred__logistic_problem *whole, const linpred__problem *rows,
                                    linpred__logistic_finite *finite, linpred_error *error)
{
    linpred__logistic_terms terms = whole->terms;
    linpred__logistic_problem left;
    linpred__logistic_found found = {0};
    linpred__logistic_values values = {0};
    terms.start = NULL;
    terms.drop = false;
    linpred_status status = linpred__logistic_open(whole->run, rows, &terms, true, &left, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__logistic_by_newton(&left, &found, error);
    if (status == LINPRED_OK && found.existence.direction.count == 0)
        status = linpred__logistic_write(&left, &found, &values, error);
    if (status == LINPRED_OK && values.w)
        status = take_finite_part(whole, &left, &found, &values, finite, error);
    linpred__release(values.w);
    linpred__logistic_found_clear(&found);
    linpred__logistic_close(&left);
    return status;
}

/* Marks the rows that the direction leaves: those of the proof that they overlap. */
static void mark_rows_left(const linpred_data *data, const linpred__combination *left, bool *on)
{
    for (int64_t k = 0; k < left->count; k++) {
        int32_t r;
        const linpred__block *block = linpred__row_of_file(data, left->row[k], &r);
        on[block->first_row + r] = true;
    }
}

linpred_status linpred__logistic_find_finite_part(const linpred__logistic_problem *problem,
                                                  const linpred__three_way *existence, linpred__logistic_finite *finite,
                                                  linpred_error *error)
{
    const linpred_data *data = problem->original->data;
    linpred__rest rest = {.data = data};
    linpred__problem left = {.has_intercept = problem->has_intercept};
    linpred_data *rows = NULL;
    *finite = (linpred__logistic_finite){0};
    if (existence->direction.count == 0 || existence->carriers.count == 0 ||
        data->columns > LINPRED__MAX_MATRIX_FEATURES)
        return LINPRED_OK;
    rest.on = linpred__calloc((size_t)data->rows, sizeof *rest.on);
    if (!rest.on)
        return linpred__no_memory(error);
    mark_rows_left(data, &existence->carriers, rest.on);
    linpred_status status = linpred__rest_copy(&rest, &rows, error);
    if (status == LINPRED_OK) {
        left.data = rows;
        status = linpred__find_row_extents(rows, problem->run->pool, left.has_intercept, false, &left.extents, error);
    }
    if (status == LINPRED_OK) {
        status = fit_rows_left(problem, &left, finite, error);
        linpred__row_extents_clear(&left.extents);
    }
    linpred_data_free(rows);
    linpred__rest_clear(&rest);
    return status;
}
