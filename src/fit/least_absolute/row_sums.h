/* The sums over all rows that a proof is made of, at the w of a basis and with y as it is. */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_ROW_SUMS_H
#define LINPRED_FIT_LEAST_ABSOLUTE_ROW_SUMS_H

#include "fit/least_absolute/proof.h"

enum { LINPRED__BASIS_SIDE = 3 }; /* a side of its own for the rows of the basis during this pass */

/* The rows of the basis have residual 0. They count in `weight` alone. */
typedef struct linpred__deviation_sums {
    double *slopes;                   /* Σ a x: leading parts, then trailing parts, 2 width */
    double *row;                      /* scratch of one row, 2 width */
    linpred__deviation_support *zero; /* rows at residual 0, or so near that the perturbed y had the other sign */
    size_t zeros;
    size_t capacity;
    bool failed; /* out of memory for `zero` */
    linpred__dd absolute;
    linpred__dd squares;
    linpred__dd sum;
    linpred__dd weight;
    double excess;  /* Σ (ρ(r) - a r) */
    double targets; /* Σ weight |y| without the basis */
} linpred__deviation_sums;

/* One pass. `near`: a residual beyond this, computed in doubles, is certainly not 0. */
linpred_status linpred__deviations_sum(const linpred__deviations *question, const linpred__deviation_vertex *vertex,
                                       const int8_t *side, const linpred__dd *w, double near,
                                       linpred__deviation_sums *sums, linpred_error *error);
void linpred__deviation_sums_clear(linpred__deviation_sums *sums);

#endif
