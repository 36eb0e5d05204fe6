/* Making and freeing the regression part of a model. */
#include "model/regression.h"

#include "core/memory.h"

linpred__regression *linpred__regression_new(const linpred__recipe *recipe, bool has_intercept)
{
    linpred__regression *regression = linpred__calloc(1, sizeof *regression);
    if (!regression)
        return NULL;
    size_t width = (size_t)recipe->terms + has_intercept;
    regression->width = (int32_t)width;
    regression->quantile = 0.5;
    regression->tail = linpred__calloc(width, sizeof(double));
    regression->basis_weight = linpred__calloc(width, sizeof(double));
    regression->basis_tail = linpred__calloc(width, sizeof(double));
    if (!regression->tail || !regression->basis_weight || !regression->basis_tail ||
        !linpred__polynomial_basis_make(&regression->basis, recipe, has_intercept)) {
        linpred__regression_free(regression);
        return NULL;
    }
    return regression;
}

void linpred__regression_free(linpred__regression *regression)
{
    if (!regression)
        return;
    linpred__dependencies_clear(&regression->dependencies);
    linpred__release(regression->tail);
    linpred__release(regression->basis_weight);
    linpred__release(regression->basis_tail);
    linpred__release(regression->factor);
    linpred__release(regression->basis_dependency);
    linpred__polynomial_basis_clear(&regression->basis);
    linpred__release(regression);
}

bool linpred__regression_factor(linpred__regression *regression, int32_t columns)
{
    linpred__release(regression->factor);
    regression->factor_columns = columns;
    regression->factor = linpred__calloc((size_t)regression->width * (size_t)columns, sizeof(double));
    return regression->factor != NULL;
}

bool linpred__regression_basis_dependencies(linpred__regression *regression)
{
    regression->basis_dependency =
        linpred__calloc((size_t)regression->dependencies.count * (size_t)regression->width, sizeof(double));
    return regression->basis_dependency != NULL;
}
