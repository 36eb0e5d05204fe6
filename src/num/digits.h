/* The logistic loss to many digits, for scores that doubles cannot tell apart.
 *
 * Numbers have 512 bits. Results are right to a relative 2^-480: exp(-a) = 2^-k exp(-r) with a = k ln 2 + r, and
 * exp(-r) is the 4096th power of exp(-r / 4096), whose series ends after some forty terms; log(1+e) = 2 artanh(e /
 * (2+e)), a series in powers of at most 1/9.
 */
#ifndef LINPRED_NUM_DIGITS_H
#define LINPRED_NUM_DIGITS_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

enum { LINPRED__DIGITS = 512, LINPRED__DIGITS_RIGHT = 480 };

/* An array of `count` zeros with so many bits each. NULL: out of memory. */
mpf_t *linpred__digits_open(size_t count, mp_bitcnt_t bits);
/* Does nothing to NULL. */
void linpred__digits_close(mpf_t *digits, size_t count);

/* With t = y s: the loss log(1 + exp(-t)), its derivative 1/(1 + exp(t)) without the sign, and its curvature.
   Where |t| is above 2^20, exp(-|t|) is taken as 0, which is off by less than 2^-1000000; the result is then false. */
bool linpred__digits_loss(const mpf_t t, mpf_t loss, mpf_t miss, mpf_t curvature);

/* log2 |x|; -INFINITY for 0. */
double linpred__digits_log2(const mpf_t x);
/* The nearest double, rounded towards 0; beyond the range of doubles ±INFINITY or 0. */
double linpred__digits_double(const mpf_t x);
/* Takes x apart: part[0] is x rounded to the nearest double, part[stride] what is left, and so on, `count` of them;
   each is below the last digit of the one before. What is left of x stays there. False: beyond the range of doubles. */
bool linpred__digits_parts(mpf_t x, size_t count, size_t stride, double *part);

#endif
