/* What least absolute deviations compute of one row. These functions are inlined into the loops over the rows of a
 * block. */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_ROW_H
#define LINPRED_FIT_LEAST_ABSOLUTE_ROW_H

#include <math.h>

#include "data/decimals.h"
#include "data/row.h"
#include "fit/least_absolute/deviations.h"

#define LINPRED__ROW static inline __attribute__((always_inline))

/* up = 2τ weight, down = 2(1-τ) weight */
LINPRED__ROW void linpred__deviations_slopes(const linpred__deviations *question, const linpred__block *block,
                                             int32_t r, double *up, double *down)
{
    double weight = linpred__row_weight(block, r);
    *up = 2.0 * question->quantile * weight;
    *down = 2.0 * (1.0 - question->quantile) * weight;
}

/* The target in the unit of the design. */
LINPRED__ROW double linpred__deviations_target(const linpred__deviations *question, const linpred__block *block,
                                               int32_t r)
{
    int exponent = question->design.target_exponent;
    return exponent ? ldexp(block->target[r], -exponent) : block->target[r];
}

/* What it lacks of the decimal that is meant. */
LINPRED__ROW double linpred__deviations_lost(const linpred__deviations *question, const linpred__block *block,
                                             int32_t r)
{
    double lost = linpred__target_lost(question->design.data, block->target[r]);
    return lost != 0.0 ? ldexp(lost, -question->design.target_exponent) : 0.0;
}

/* The target plus `perturbation` times a hash of the row's number (the finaliser of SplitMix64) in [-1, 1). */
LINPRED__ROW double linpred__deviations_perturbed(const linpred__deviations *question, double perturbation,
                                                  const linpred__block *block, int32_t r)
{
    uint64_t z = (uint64_t)(block->first_row + r) * 0x9E3779B97F4A7C15u + 0x1234567u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    double uniform = (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
    return linpred__deviations_target(question, block, r) + perturbation * uniform;
}

/* y - <x, w> at the vertex, with y perturbed. `row` is scratch, 2 width long; it holds the row afterwards unless the
   design is plain. */
LINPRED__ROW double linpred__deviations_residual(const linpred__deviations *question,
                                                 const linpred__deviation_vertex *vertex, const linpred__block *block,
                                                 int32_t r, double *row)
{
    const linpred__design *design = &question->design;
    double y = linpred__deviations_perturbed(question, vertex->perturbation, block, r);
    if (design->plain) {
        double b = design->basis.has_intercept ? vertex->w[block->columns] : 0.0;
        return y - (linpred__row_dot(block, r, vertex->w) + b);
    }
    linpred__design_row(design, block, r, row, row + design->width);
    return y - linpred__dot_dense(row, vertex->w, design->width);
}

/* Returns the block of data row `row`, sets *r to its place there, and writes the row into question->scratch. */
static inline const linpred__block *linpred__deviations_fetch(const linpred__deviations *question, int64_t row,
                                                              int32_t *r)
{
    const linpred__design *design = &question->design;
    const linpred__block *block = linpred__block_of(design->data, row, r);
    linpred__design_row(design, block, *r, question->scratch, question->scratch + design->width);
    return block;
}

/* <x, w> of the row in question->scratch. */
static inline linpred__dd linpred__deviations_score(const linpred__deviations *question, const linpred__dd *w)
{
    int32_t p = question->design.width;
    linpred__dd sum = {0.0, 0.0};
    for (int32_t j = 0; j < p; j++) {
        linpred__dd x = {question->scratch[j], question->scratch[p + j]};
        sum = linpred__dd_add(sum, linpred__dd_multiply(x, w[j]));
    }
    return sum;
}

#endif
