/* Rows of the design in doubles, as the Gram matrix and QR take them: (1, terms, target) sqrt(weight).
 *
 * The intercept's 1 comes first, so that other columns are found to depend on it and not it on them.
 */
#ifndef LINPRED_FIT_LEAST_SQUARES_WRITTEN_ROW_H
#define LINPRED_FIT_LEAST_SQUARES_WRITTEN_ROW_H

#include "fit/design.h"

/* Writes row r, width + 1 entries. `tail` is scratch of the same length. */
void linpred__squares_write_row(const linpred__design *design, const linpred__block *block, int32_t r, double *tail,
                                double *out);

/* Where coordinate j of the design (terms, then the intercept) stands in a written row. */
static inline size_t linpred__squares_place(const linpred__design *design, int32_t j)
{
    return design->basis.has_intercept ? (j == design->width - 1 ? 0 : (size_t)j + 1) : (size_t)j;
}

#endif
