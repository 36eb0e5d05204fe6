/* The sums over all rows that a proof needs, at the w of a basis and with the unperturbed y. */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_ROW_SUMS_H
#define LINPRED_FIT_LEAST_ABSOLUTE_ROW_SUMS_H

#include "fit/least_absolute/proof.h"

enum { LINPRED__BASIS_SIDE = 3 }; /* the mark of the rows of the basis during this pass */

/* The rows of the basis have residual 0. Of the sums only `weight` includes them. */
typedef struct linpred__deviation_sums {
    double *slopes;                   /* Σ a x: leading parts, then trailing parts, 2 width */
    double *row;                      /* scratch of one row, 2 width */
    linpred__deviation_support *zero; /* rows with residual 0, or so near 0 that the perturbed y had the other sign */
    size_t zeros;                     /* the number of rows in `zero` */
    size_t capacity;                  /* of `zero` */
    bool failed;                      /* memory ran out for `zero` */
    linpred__dd absolute;             /* Σ weight |r| */
    linpred__dd squares;              /* Σ weight r² */
    linpred__dd sum;                  /* Σ weight r */
    linpred__dd weight;               /* Σ weight */
    double excess;                    /* Σ (ρ(r) - a r) */
    double targets;                   /* Σ weight |y| without the basis */
} linpred__deviation_sums;

/* One pass. If a residual in doubles is larger than `near`, it is certainly not 0. */
linpred_status linpred__deviations_sum(const linpred__deviations *question, const linpred__deviation_vertex *vertex,
                                       const int8_t *side, const linpred__dd *w, double near,
                                       linpred__deviation_sums *sums, linpred_error *error);
void linpred__deviation_sums_clear(linpred__deviation_sums *sums);

#endif
