/* How many labellings: the regions of a central arrangement of hyperplanes.
 *
 * The labellings that <w,v_i> != 0 realises on vectors v_1 .. v_n are the regions into which the hyperplanes {w :
 * <w,v_i> = 0} cut the space of w. A last hyperplane cuts in two those regions of the others that it meets, which are
 * the regions of the others inside it: regions(v_1 .. v_n) = regions(v_1 .. v_n-1) + regions(v_1 .. v_n-1 modulo v_n).
 * (Zaslavsky 1975; in general position this is Cover's 2 sum_{k<D} C(n-1,k).) So they are counted by exact elimination
 * alone, several at a time; none is looked at.
 */
#ifndef LINPRED_THEORY_REGIONS_H
#define LINPRED_THEORY_REGIONS_H

#include "linpred/linpred.h"
#include "solve/effort.h"
#include "num/integers.h"

/* `vectors` holds n vectors of `width` integers, one after the other; they are changed. *counted is false if the effort
 * ran out. */
linpred_status linpred__count_regions(linpred__integers *vectors, int32_t n, int32_t width, linpred__effort *effort,
                                      mpz_t count, bool *counted);

#endif
