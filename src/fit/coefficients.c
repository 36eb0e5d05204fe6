/* Coefficients of a regression, from an answer to the model. */
#include "fit/coefficients.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/exact_dependencies.h"
#include "fit/least_norm.h"
#include "model/limits.h"
#include "pass/dependence.h"

bool linpred__coefficients_open(linpred__coefficients *coefficients, int32_t width)
{
    *coefficients = (linpred__coefficients){.width = width};
    coefficients->plain = linpred__calloc((size_t)width, sizeof *coefficients->plain);
    coefficients->in_basis = linpred__calloc((size_t)width, sizeof *coefficients->in_basis);
    return coefficients->plain && coefficients->in_basis;
}

void linpred__coefficients_clear(linpred__coefficients *coefficients)
{
    linpred__polynomial_basis_clear(&coefficients->basis);
    linpred__release(coefficients->plain);
    linpred__release(coefficients->in_basis);
    linpred__dependencies_clear(&coefficients->dependencies);
    *coefficients = (linpred__coefficients){0};
}

/* ---- the least norm ---- */

/* Keeps the pairs of dependencies that hold in every row, and answers their number. One that does not, though it holds
   for the lengths of columns, would move fitted values. Powers are not tested. */
static linpred_status keep_holding(const linpred__design *design, const linpred__dependencies *dependencies,
                                   linpred__dd *pairs, int32_t *kept, linpred_error *error)
{
    size_t p = (size_t)design->width, count = (size_t)dependencies->count, places = 0;
    double *worst = linpred__calloc(count, sizeof *worst);
    if (!worst)
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    if (design->basis.polynomials == 0)
        status = linpred__dependence(design->data, design->run->pool, design->basis.has_intercept, dependencies->vector,
                                     dependencies->count, worst, error);
    for (size_t k = 0; status == LINPRED_OK && k < count; k++) {
        if (!(worst[k] <= LINPRED__DEPENDENCY_TOLERANCE))
            continue;
        linpred__dd *pair = pairs + 2 * p * places++;
        memmove(pair, pairs + 2 * p * k, 2 * p * sizeof *pair);
        for (size_t j = 0; dependencies->exact[k] && j < p; j++)
            pair[j] = pair[p + j] = (linpred__dd){dependencies->vector[k * p + j], 0.0};
    }
    *kept = (int32_t)places;
    linpred__release(worst);
    return status;
}

linpred_status linpred__coefficients_choose(const linpred__design *design, const linpred__problem *problem,
                                            const linpred__recipe *recipe, linpred__dd *pairs,
                                            linpred__coefficients *coefficients, linpred_error *error)
{
    size_t p = (size_t)design->width, terms = (size_t)design->basis.terms;
    linpred__dependencies *dependencies = &coefficients->dependencies;
    bool powers = design->basis.polynomials > 0;
    int32_t kept = 0;
    if (dependencies->count == 0)
        return LINPRED_OK;
    linpred_status status =
        powers ? LINPRED_OK : linpred__find_exact_dependencies(design->run, problem, recipe, dependencies, error);
    if (status != LINPRED_OK || dependencies->drop)
        return status;
    status = keep_holding(design, dependencies, pairs, &kept, error);
    linpred__dd *pair = linpred__alloc(2 * p, sizeof *pair);
    if (status == LINPRED_OK && !pair)
        status = linpred__no_memory(error);
    if (status == LINPRED_OK) {
        memcpy(pair, coefficients->plain, p * sizeof *pair);
        memcpy(pair + p, coefficients->in_basis, p * sizeof *pair);
        linpred__take_least_norm(pairs, kept, terms, 2 * p, pair);
        if (powers) /* rounding may have made the two halves different functions */
            linpred__polynomial_basis_to_powers(&design->basis, pair + p, pair);
        memcpy(coefficients->plain, pair, p * sizeof *pair);
        memcpy(coefficients->in_basis, powers ? pair + p : pair, p * sizeof *pair);
    }
    linpred__release(pair);
    return status;
}

/* ---- to the model ---- */

linpred_status linpred__coefficients_check_range(const linpred__coefficients *coefficients,
                                                 const linpred__recipe *recipe, linpred_error *error)
{
    for (int32_t j = 0; j < coefficients->width; j++) {
        linpred__dd plain = coefficients->plain[j];
        bool finite = isfinite(plain.hi) && isfinite(plain.lo);
        if (!finite && j < recipe->terms)
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "the coefficient of '%.60s' is beyond the range of numbers: "
                                 "change its unit",
                                 linpred__recipe_feature(recipe, j));
        if (!finite)
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "the intercept is beyond the range of numbers: change the unit of the target");
    }
    return LINPRED_OK;
}

void linpred__coefficients_take_basis(linpred__coefficients *coefficients, linpred__design *design)
{
    coefficients->basis = design->basis;
    design->basis = (linpred__polynomial_basis){0};
}

linpred_status linpred__coefficients_assemble(linpred__coefficients *coefficients, linpred_model *model,
                                              linpred_error *error)
{
    linpred__regression *regression = model->regression;
    for (int32_t j = 0; j < coefficients->width; j++) {
        *(j < model->columns ? &model->w[j] : &model->b) = coefficients->plain[j].hi;
        regression->tail[j] = coefficients->plain[j].lo;
        regression->basis_weight[j] = coefficients->in_basis[j].hi;
        regression->basis_tail[j] = coefficients->in_basis[j].lo;
    }
    linpred__polynomial_basis_clear(&regression->basis);
    regression->basis = coefficients->basis;
    coefficients->basis = (linpred__polynomial_basis){0};
    regression->dependencies = coefficients->dependencies;
    coefficients->dependencies = (linpred__dependencies){0};
    bool written = linpred__dependencies_write(&regression->dependencies, model->recipe);
    return written ? LINPRED_OK : linpred__no_memory(error);
}
