/* Exact sums of products of doubles.
 *
 * Every finite double is an integer times 2^-1074, so the product of two is an integer times 2^-2148. The accumulator
 * is a fixed-point integer of 4352 bits in two's complement. It holds any sum of up to 2^62 such products without
 * rounding or overflow. So the sign of a dot product is exact.
 */
#ifndef LINPRED_NUM_EXACT_SUM_H
#define LINPRED_NUM_EXACT_SUM_H

#include <stdint.h>

enum { LINPRED__EXACT_WORDS = 68 };

typedef struct linpred__exact {
    uint64_t word[LINPRED__EXACT_WORDS]; /* least significant first */
} linpred__exact;

void linpred__exact_clear(linpred__exact *sum);
void linpred__exact_add(linpred__exact *sum, double a, double b); /* sum += a*b; a and b finite */
int linpred__exact_sign(const linpred__exact *sum);               /* -1, 0 or +1 */
double linpred__exact_value(const linpred__exact *sum);           /* rounded to nearest even; ±inf if too large */

#endif
