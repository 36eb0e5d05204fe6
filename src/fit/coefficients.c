/* Coefficients of a regression, from an answer to the model. */
#include "fit/coefficients.h"

#include "core/error.h"
#include "core/memory.h"

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
