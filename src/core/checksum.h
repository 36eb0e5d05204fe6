/* CRC-32 as zip archives have it, faster than zlib's where the processor multiplies polynomials. Also whether numbers
 * are finite. Both are asked of every byte of a file that is read, so they must cost less than reading it. */
#ifndef LINPRED_CORE_CHECKSUM_H
#define LINPRED_CORE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The checksum of what `before` is the checksum of, followed by these bytes; 0 is that of nothing. */
uint32_t linpred__checksum(uint32_t before, const void *bytes, size_t count);

bool linpred__all_finite(const double *values, size_t count);

#endif
