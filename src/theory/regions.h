/* Counts the regions of a central arrangement of hyperplanes.
 *
 * The sign patterns of <w,v_1>, …, <w,v_n>, none of them 0, correspond to the regions into which the hyperplanes
 * {w : <w,v_i> = 0} cut the space of w. The last hyperplane cuts some regions of the others in two; these correspond to
 * the regions of the others inside it. So
 *
 *     regions(v_1 … v_n) = regions(v_1 … v_{n-1}) + regions(v_1 … v_{n-1} modulo v_n)
 *
 * (Zaslavsky 1975). In general position this is Cover's 2 Σ_{k<D} C(n-1,k). The count needs exact elimination only; no
 * region is enumerated.
 */
#ifndef LINPRED_THEORY_REGIONS_H
#define LINPRED_THEORY_REGIONS_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "num/integers.h"

/* `vectors` holds n vectors of `width` integers, one after the other; they are changed. *counted is false if the effort
   ran out or the computation was stopped. The count is 0 if a vector is 0. */
linpred_status linpred__count_regions(linpred__integers *vectors, int32_t n, int32_t width, linpred__effort *effort,
                                      mpz_t count, bool *counted);

#endif
