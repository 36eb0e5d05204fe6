/* Tries dependencies of columns in exact arithmetic.
 *
 * A vector n is tried on every row in up to two forms. If it has few nonzero entries, it is tried as it is shown, that
 * is divided by the entry of its last column. If its entries are in the ratio of small whole numbers, or short decimals
 * as shown (kmh = 1.6093 mph), it is tried in whole numbers. A form with <n,(x,1)> = 0 on every row replaces n. If both
 * forms hold, that is the one in whole numbers.
 */
#include "fit/exact_dependencies.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/limits.h"
#include "num/vector.h"
#include "pass/dependence.h"

/* Writes n divided by the entry of its last column. Returns the number of nonzero entries. */
static int32_t write_as_shown(const linpred__recipe *recipe, const double *n, int32_t width, double *shown)
{
    int32_t last = linpred__dependency_last(recipe, n), parts = 0;
    for (int32_t j = 0; j < width; j++) {
        shown[j] = n[last] != 0.0 ? n[j] / n[last] : n[j];
        parts += n[j] != 0.0;
    }
    return parts;
}

/* Multiplies n by the least power of 10 that makes all entries whole, as far as rounding can tell, and rounds them.
   Returns false if there is none up to 10^9. */
static bool round_to_decimals(double *n, int32_t width)
{
    for (double power = 1e1; power <= 1e9; power *= 10.0) {
        bool near = true;
        for (int32_t j = 0; near && j < width; j++)
            near = fabs(n[j] * power) < 0x1p40 &&
                   fabs(n[j] * power - nearbyint(n[j] * power)) <= 0x1p-40 * fabs(n[j] * power);
        for (int32_t j = 0; near && j < width; j++)
            n[j] = nearbyint(n[j] * power);
        if (near)
            return true;
    }
    return false;
}

/* Writes the vectors to try, at most two for each dependency. Vector i is a form of dependency which[i]. Returns their
   number. */
static int32_t write_trials(const linpred__dependencies *dependencies, const linpred__recipe *recipe, double *vectors,
                            int32_t *which)
{
    size_t p = (size_t)dependencies->width;
    int32_t count = 0;
    for (int32_t k = 0; k < dependencies->count; k++) {
        double *shown = vectors + (size_t)count * p;
        const double *n = dependencies->vector + (size_t)k * p;
        bool few = write_as_shown(recipe, n, dependencies->width, shown) <= LINPRED__FEW_PARTS;
        if (few)
            which[count++] = k;
        double *whole = vectors + (size_t)count * p;
        if (few)
            memcpy(whole, shown, p * sizeof *whole);
        if (linpred__round_to_fractions(whole, dependencies->width) > 0 ||
            round_to_decimals(whole, dependencies->width))
            which[count++] = k;
    }
    return count;
}

linpred_status linpred__find_exact_dependencies(linpred__run *run, const linpred__problem *problem,
                                                const linpred__recipe *recipe, linpred__dependencies *dependencies,
                                                linpred_error *error)
{
    if (dependencies->count == 0)
        return LINPRED_OK;
    size_t p = (size_t)dependencies->width, max_trials = 2 * (size_t)dependencies->count + 1;
    double *vectors = linpred__alloc(max_trials * p, sizeof *vectors);
    double *worst = linpred__alloc(max_trials, sizeof *worst);
    int32_t *which = linpred__alloc(max_trials, sizeof *which);
    linpred_status status = vectors && worst && which ? LINPRED_OK : linpred__no_memory(error);
    int32_t count = status == LINPRED_OK ? write_trials(dependencies, recipe, vectors, which) : 0;
    if (count > 0)
        status = linpred__dependence(problem->data, run->pool, problem->has_intercept, vectors, count, worst, error);
    for (int32_t i = 0; status == LINPRED_OK && i < count; i++)
        if (worst[i] == 0.0) {
            memcpy(dependencies->vector + (size_t)which[i] * p, vectors + (size_t)i * p, p * sizeof *vectors);
            dependencies->exact[which[i]] = true;
        }
    linpred__release(vectors);
    linpred__release(worst);
    linpred__release(which);
    return status;
}
