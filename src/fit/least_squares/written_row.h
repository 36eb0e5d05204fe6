/* Rows of the design in doubles, as the Gram matrix and QR take them: (1, terms, target) sqrt(weight).
 *
 * The intercept's 1 comes first, so that other columns are found to depend on it and not it on them.
 */
#ifndef LINPRED_FIT_LEAST_SQUARES_WRITTEN_ROW_H
#define LINPRED_FIT_LEAST_SQUARES_WRITTEN_ROW_H

#include <math.h>
#include <string.h>

#include "data/row.h"
#include "fit/design.h"

/* Writes row r, width + 1 entries. `tail` is scratch of the same length. */
static inline void linpred__squares_write_row(const linpred__design *design, const linpred__block *block, int32_t r,
                                              double *tail, double *out)
{
    int32_t terms = design->basis.terms;
    bool intercept = design->basis.has_intercept;
    double *x = out + intercept;
    const double *in_place = linpred__design_row_in_place(design, block, r);
    if (in_place)
        memcpy(x, in_place, (size_t)terms * sizeof *x);
    else
        linpred__design_row(design, block, r, x, tail); /* the target below overwrites the intercept's 1 */
    if (intercept)
        out[0] = 1.0;
    double y = block->target[r];
    x[terms] = design->target_exponent ? ldexp(y, -design->target_exponent) : y;
    double weight = linpred__row_weight(block, r);
    if (weight != 1.0) {
        double root = sqrt(weight);
        for (size_t j = 0; j <= (size_t)design->width; j++)
            out[j] *= root;
    }
}

/* Where coordinate j of the design (terms, then the intercept) stands in a written row. */
static inline size_t linpred__squares_place(const linpred__design *design, int32_t j)
{
    return design->basis.has_intercept ? (j == design->width - 1 ? 0 : (size_t)j + 1) : (size_t)j;
}

#endif
