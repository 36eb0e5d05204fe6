/* A direction that settles all it can. A direction v has <v,z> >= 0 on every row; it settles the rows with <v,z> > 0.
 *
 * Let T be the rows that v leaves at 0. A direction u of T, extended to K v + u with K large enough, settles what v and
 * u settle. So T is asked the three-way question again and again until its rows overlap. Every direction of all rows is
 * >= 0 on T, and hence 0 there: no direction settles a row that the last one leaves.
 *
 * The proof is positive integers λ on every row of T with Σ λ z = 0. The carriers c of the answer span T and have
 * Σ λ_c z_c = 0. Each other row r has a relation a_r z_r + Σ a_rc z_c = 0 with a_r > 0. The sum of all relations and of
 * M times the carriers' is the proof, with M so large that the weights of the carriers are positive.
 */
#ifndef LINPRED_SEPARATE_SETTLE_ALL_H
#define LINPRED_SEPARATE_SETTLE_ALL_H

#include "core/run.h"
#include "separate/answer.h"

/* Improves the direction of a quasi-separated answer. answer->carriers becomes the proof for the rows that are left; it
   stays empty if that is too much work, and the direction may then leave rows that another settles. If the rows overlap
   and their carriers do not span the space, they become such a proof for all rows. */
linpred_status linpred__settle_all(linpred__run *run, const linpred__problem *problem, linpred__three_way *answer,
                                   linpred_error *error);

#endif
