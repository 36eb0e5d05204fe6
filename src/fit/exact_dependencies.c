/* Which dependencies of a regression hold without any rounding.
 *
 * Least squares and absolute deviations find vectors n with <n,(x,1)> = 0 as far as rounding can tell. Those that have
 * few parts, or parts in the ratio of small whole numbers, are tried on every row in exact arithmetic: as they are
 * shown (the last column by the others), and in whole numbers. One that holds is kept in that form. Powers are no
 * columns of the data, and are not tried.
 */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/dependence.h"
#include "fit/fit.h"
#include "num/fractions.h"
#include "model/dependency.h"

enum { FEW = 8 }; /* parts: others than whole-numbered vectors of more are not tried */

/* n as it is shown; answers the number of its parts. */
static int32_t as_shown(const linpred__recipe *recipe, const double *n, int32_t width, double *shown)
{
    int32_t last = linpred__dependency_last(recipe, n), parts = 0;
    for (int32_t j = 0; j < width; j++) {
        shown[j] = n[last] != 0.0 ? n[j] / n[last] : n[j];
        parts += n[j] != 0.0;
    }
    return parts;
}

/* What to try: answers how many vectors (at most two for each dependency), and of which dependency each is. */
static int32_t gather(const linpred__regression *regression, const linpred__recipe *recipe, double *vectors,
                      int32_t *which)
{
    size_t p = (size_t)regression->width;
    int32_t count = 0;
    for (int32_t k = 0; k < regression->dependencies.count; k++) {
        double *shown = vectors + (size_t)count * p;
        bool few = as_shown(recipe, regression->dependencies.vector + (size_t)k * p, regression->width, shown) <= FEW;
        if (few)
            which[count++] = k;
        double *whole = vectors + (size_t)count * p;
        if (few)
            memcpy(whole, shown, p * sizeof *whole);
        if (linpred__round_to_fractions(whole, regression->width) > 0)
            which[count++] = k;
    }
    return count;
}

linpred_status linpred__exact_dependencies(linpred__fit *fit, linpred_error *error)
{
    const linpred_model *model = &fit->result->model;
    linpred__regression *regression = model->regression;
    if (regression->dependencies.count == 0 || regression->basis.polynomials > 0)
        return LINPRED_OK;
    size_t p = (size_t)regression->width, most = 2 * (size_t)regression->dependencies.count + 1;
    double *vectors = linpred__alloc(most * p, sizeof *vectors);
    double *worst = linpred__alloc(most, sizeof *worst);
    int32_t *which = linpred__alloc(most, sizeof *which);
    linpred_status status = vectors && worst && which ? LINPRED_OK : linpred__no_memory(error);
    int32_t count = status == LINPRED_OK ? gather(regression, model->recipe, vectors, which) : 0;
    if (count > 0)
        status =
            linpred__dependence(fit->problem.data, fit->run.pool, model->has_intercept, vectors, count, worst, error);
    for (int32_t i = 0; status == LINPRED_OK && i < count; i++)
        if (worst[i] == 0.0) {
            memcpy(regression->dependencies.vector + (size_t)which[i] * p, vectors + (size_t)i * p,
                   p * sizeof *vectors);
            regression->dependencies.exact[which[i]] = true;
        }
    if (status == LINPRED_OK && !linpred__dependencies_write(&regression->dependencies, model->recipe))
        status = linpred__no_memory(error);
    linpred__release(vectors);
    linpred__release(worst);
    linpred__release(which);
    return status;
}
