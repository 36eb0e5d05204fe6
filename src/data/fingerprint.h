/* A fingerprint of the data: shape, labels, weights, and the place and bits of every non-zero value.
 *
 * Row i gives h_i = Σ_j m(bits of x_ij) K_j mod 2^64, with m(u) = u xor (u >> 32) and a fixed odd K_j for each column;
 * zeros give nothing, so dense and sparse rows agree. The fingerprint is the sum over rows of mix(h_i, i, label, weight),
 * which no cutting into blocks changes. It notices accidents, not forgers: certificates are checked, not believed.
 */
#ifndef LINPRED_DATA_FINGERPRINT_H
#define LINPRED_DATA_FINGERPRINT_H

#include "core/threads.h"
#include "data/data.h"

linpred_status linpred__fingerprint(const linpred_data *data, linpred__pool *pool, uint64_t *fingerprint,
                                    linpred_error *error);

/* The same as part of another trip over the rows: keys for each column (NULL: out of memory; linpred__release), a block's share, and
   what the sum of all shares comes to. */
uint64_t *linpred__fingerprint_keys(int32_t columns);
uint64_t linpred__fingerprint_rows(const linpred__block *block, const uint64_t *key);
uint64_t linpred__fingerprint_end(const linpred_data *data, uint64_t sum);

/* A hash of the values alone (not label, weight or place) of each of the first `rows` rows: equal values, equal hashes. */
linpred_status linpred__row_hashes(const linpred_data *data, linpred__pool *pool, int64_t rows, uint64_t *hash,
                                   linpred_error *error);

#endif
