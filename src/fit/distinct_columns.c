/* Columns that look dependent by their length only, found by trying their dependencies on every row. */
#include "fit/distinct_columns.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/limits.h"
#include "model/limits.h"
#include "pass/dependence.h"

linpred_status linpred__find_distinct_columns(const linpred__design *design, const linpred__dd_solution *s,
                                              bool *distinct, bool *found, linpred_error *error)
{
    size_t p = (size_t)design->width, count = p - (size_t)s->rank;
    double *vectors = linpred__alloc(count * p, sizeof *vectors), *worst = linpred__alloc(count, sizeof *worst);
    linpred__dd *pair = linpred__alloc(2 * p, sizeof *pair);
    linpred_status status = vectors && worst && pair ? LINPRED_OK : linpred__no_memory(error);
    for (size_t k = 0; status == LINPRED_OK && k < count; k++) {
        linpred__design_to_user(design, s->null + k * p, 1, 0, pair, pair + p);
        for (size_t j = 0; j < p; j++)
            vectors[k * p + j] = pair[p + j].hi;
    }
    if (status == LINPRED_OK)
        status = linpred__dependence(design->data, design->run->pool, design->basis.has_intercept, vectors,
                                     (int32_t)count, worst, error);
    *found = false;
    for (size_t k = 0; status == LINPRED_OK && k < count; k++)
        if (worst[k] > LINPRED__DEPENDENCY_TOLERANCE && !distinct[s->order[(size_t)s->rank + k]])
            *found = distinct[s->order[(size_t)s->rank + k]] = true;
    linpred__release(vectors);
    linpred__release(worst);
    linpred__release(pair);
    return status;
}

/* Whether <n, x - first> is at most a small part of its terms in every row. `row` has 4 numbers for each coefficient.
 */
static bool holds_about_first(const linpred__design *design, const linpred__dd *n, double *row)
{
    size_t p = (size_t)design->width;
    double *first = row + 2 * p;
    for (int64_t i = 0; i < design->data->blocks; i++) {
        const linpred__block *block = linpred__block_at(design->data, i);
        for (int32_t r = 0; r < block->rows; r++) {
            linpred__dd sum = {0.0, 0.0};
            double size = 0.0;
            linpred__design_row(design, block, r, row, row + p);
            if (i == 0 && r == 0)
                memcpy(first, row, 2 * p * sizeof *first);
            for (size_t j = 0; j < (size_t)design->basis.terms; j++) {
                linpred__dd apart =
                    linpred__dd_add(linpred__two_sum(row[j], -first[j]), linpred__two_sum(row[p + j], -first[p + j]));
                linpred__dd term = linpred__dd_multiply(apart, n[j]);
                sum = linpred__dd_add(sum, term);
                size += fabs(term.hi);
            }
            if (fabs(sum.hi) > LINPRED__DEPENDENT_ABOUT_FIRST * size)
                return false;
        }
    }
    return true;
}

linpred_status linpred__find_distinct_about_first(const linpred__design *design, const linpred__dd_solution *s,
                                                  bool *distinct, bool *found, linpred_error *error)
{
    size_t p = (size_t)design->width, count = p - (size_t)s->rank;
    *found = false;
    if (!design->basis.has_intercept || (double)design->data->rows * (double)(count * p) > LINPRED__ABOUT_FIRST_WORK)
        return LINPRED_OK;
    double *row = linpred__alloc(4 * p, sizeof *row);
    for (size_t k = 0; row && k < count; k++) {
        const linpred__dd *n = s->null + k * p;
        int32_t parts = 0, column = s->order[(size_t)s->rank + k];
        for (int32_t j = 0; j < design->basis.terms; j++)
            parts += n[j].hi != 0.0;
        if (parts > 1 && !distinct[column] && !holds_about_first(design, n, row))
            *found = distinct[column] = true;
    }
    linpred__release(row);
    return row ? LINPRED_OK : linpred__no_memory(error);
}
