/* Columns that look dependent by their length only, found by trying their dependencies on every row. */
#include "fit/distinct_columns.h"

#include "core/error.h"
#include "core/memory.h"
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
