#include "fit/least_squares/written_row.h"

#include <math.h>
#include <string.h>

#include "data/row.h"

void linpred__squares_write_row(const linpred__design *design, const linpred__block *block, int32_t r, double *tail,
                                double *out)
{
    int32_t terms = design->basis.terms;
    bool intercept = design->basis.has_intercept;
    double *x = out + intercept;
    if (design->plain && block->layout == LINPRED__DENSE) {
        memcpy(x, block->values + r * block->stride, (size_t)terms * sizeof *x);
    } else {
        linpred__design_row(design, block, r, x, tail); /* the target below overwrites the intercept's 1 */
    }
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
