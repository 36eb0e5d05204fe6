/* Making and freeing the regression part of a model. */
#include "model/regression.h"

#include <math.h>

#include "core/memory.h"

linpred__regression *linpred__regression_new(const linpred__recipe *recipe, bool has_intercept)
{
    linpred__regression *regression = linpred__calloc(1, sizeof *regression);
    if (!regression)
        return NULL;
    size_t width = (size_t)recipe->terms + has_intercept;
    regression->width = (int32_t)width;
    regression->rank = -1;
    regression->quantile = 0.5;
    regression->residual_sd = NAN;
    regression->degrees_of_freedom = NAN;
    regression->tail = linpred__calloc(width, sizeof(double));
    regression->standard_error = linpred__alloc(width, sizeof(double));
    regression->basis_weight = linpred__calloc(width, sizeof(double));
    regression->basis_tail = linpred__calloc(width, sizeof(double));
    if (!regression->tail || !regression->standard_error || !regression->basis_weight || !regression->basis_tail ||
        !linpred__polynomial_basis_make(&regression->basis, recipe, has_intercept)) {
        linpred__regression_free(regression);
        return NULL;
    }
    for (size_t j = 0; j < width; j++)
        regression->standard_error[j] = NAN;
    return regression;
}

void linpred__regression_free(linpred__regression *regression)
{
    if (!regression)
        return;
    linpred__dependencies_clear(&regression->dependencies);
    linpred__release(regression->tail);
    linpred__release(regression->standard_error);
    linpred__release(regression->basis_weight);
    linpred__release(regression->basis_tail);
    linpred__release(regression->factor);
    linpred__release(regression->basis_dependency);
    linpred__polynomial_basis_clear(&regression->basis);
    linpred__release(regression);
}

bool linpred__regression_factor(linpred__regression *regression, int32_t rank)
{
    linpred__release(regression->factor);
    regression->rank = rank;
    regression->factor = linpred__calloc((size_t)regression->width * (size_t)rank, sizeof(double));
    return regression->factor != NULL;
}

bool linpred__regression_basis_dependencies(linpred__regression *regression)
{
    regression->basis_dependency =
        linpred__calloc((size_t)regression->dependencies.count * (size_t)regression->width, sizeof(double));
    return regression->basis_dependency != NULL;
}
