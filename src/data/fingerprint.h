/* A fingerprint of the data: a hash of shape, labels, weights, and the place and bits of every nonzero value.
 *
 * Row i has the hash h_i = Σ_j m(bits of x_ij) K_j mod 2^64, with m(u) = u xor (u >> 32) and a fixed odd K_j for each
 * column. A zero adds nothing, so that dense and sparse rows have the same hash. The fingerprint is the sum over the
 * rows of mix(h_i, i, label, weight) mod 2^64, so that the order in which rows are added does not matter. The decimals
 * of columns and targets are mixed in at the end (docs/model-file.md has the formula). The fingerprint detects
 * accidental changes; it does not protect against forgery.
 */
#ifndef LINPRED_DATA_FINGERPRINT_H
#define LINPRED_DATA_FINGERPRINT_H

#include "core/threads.h"
#include "data/tree.h"

linpred_status linpred__fingerprint(const linpred_data *data, linpred__pool *pool, uint64_t *fingerprint,
                                    linpred_error *error);

/* The fingerprint as a visitor, to share a pass with others. Its state is a uint64_t sum, from which
   linpred__fingerprint_end makes the fingerprint. False if out of memory. The caller releases visitor->context. */
bool linpred__fingerprint_visitor(const linpred_data *data, linpred__visitor *visitor);
uint64_t linpred__fingerprint_end(const linpred_data *data, uint64_t sum);

/* Sets hash[i] of the first `rows` rows from their values alone: rows with equal values have equal hashes. */
linpred_status linpred__row_hashes(const linpred_data *data, linpred__pool *pool, int64_t rows, uint64_t *hash,
                                   linpred_error *error);

#endif
