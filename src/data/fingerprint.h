/* A fingerprint of the data: shape, labels, weights, and the place and bits of every non-zero value.
 *
 * Row i has h_i = Σ_j m(bits of x_ij) K_j mod 2^64, with m(u) = u xor (u >> 32) and a fixed odd K_j for each column. A
 * zero adds nothing, so dense and sparse rows agree. The fingerprint is the sum over rows of mix(h_i, i, label, weight)
 * mod 2^64: the order of the rows and the cut into blocks do not matter. It notices accidents, not forgery.
 */
#ifndef LINPRED_DATA_FINGERPRINT_H
#define LINPRED_DATA_FINGERPRINT_H

#include "core/threads.h"
#include "data/tree.h"

linpred_status linpred__fingerprint(const linpred_data *data, linpred__pool *pool, uint64_t *fingerprint,
                                    linpred_error *error);

/* The same as a visitor that can share a pass: its state is a uint64_t sum, from which linpred__fingerprint_end makes
   the fingerprint. False: out of memory. The caller releases visitor->context. */
bool linpred__fingerprint_visitor(const linpred_data *data, linpred__visitor *visitor);
uint64_t linpred__fingerprint_end(const linpred_data *data, uint64_t sum);

/* hash[i] of row i, for the first `rows` rows, from its values alone: rows with equal values have equal hashes. */
linpred_status linpred__row_hashes(const linpred_data *data, linpred__pool *pool, int64_t rows, uint64_t *hash,
                                   linpred_error *error);

#endif
