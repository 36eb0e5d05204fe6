/* What proves a vertex optimal: w of its basis in double-double, and a dual for every row.
 *
 * Duals a with Σ a x = 0 and -down <= a <= up prove it: the objective exceeds its minimum by at most Σ (ρ(r) - a r).
 * A row above the fit has a = up, one below has a = -down. The rows of the basis have duals that make Σ a x = 0.
 */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_PROOF_H
#define LINPRED_FIT_LEAST_ABSOLUTE_PROOF_H

#include "fit/least_absolute/deviations.h"

typedef struct linpred__deviation_support {
    int64_t row; /* of the data */
    linpred__dd dual;
} linpred__deviation_support;

typedef struct linpred__deviation_proof {
    linpred__dd *w;                      /* width long, in the units of the design */
    size_t supports;                     /* the number of rows in `support` */
    linpred__deviation_support *support; /* the basis and other rows with residual 0, ascending; their duals do not
                                            follow from the sign of a residual */
    bool unique;                         /* no other fit of the independent columns is as good */
    bool perfect;                        /* the loss is only rounding; the duals mean nothing then */
    double gap;   /* Σ (ρ(r) - a r) / loss; for a perfect fit the loss relative to the targets */
    double fault; /* how far duals exceed their bounds, or Σ a x differs from 0; both relative */
    /* Sums over the rows, with targets in the unit of the design. */
    double weight;
    double loss;     /* Σ ρ(r) */
    double absolute; /* Σ weight |r| */
    double squares;  /* Σ weight r² */
} linpred__deviation_proof;

/* Proves the vertex optimal for the unperturbed y; one pass. During the pass `side` marks the rows of the basis, which
   must be active; afterwards they are active again. */
linpred_status linpred__deviations_certify(const linpred__deviations *question, const linpred__deviation_span *span,
                                           const linpred__deviation_vertex *vertex, int8_t *side,
                                           linpred__deviation_proof *proof, linpred_error *error);
/* Moves w, a little off the vertex, so that it goes through the rows of the basis again. */
linpred_status linpred__deviations_return(const linpred__deviations *question, const linpred__deviation_span *span,
                                          const linpred__deviation_vertex *vertex, linpred__dd *w,
                                          linpred_error *error);
void linpred__deviation_proof_clear(linpred__deviation_proof *proof);

#endif
