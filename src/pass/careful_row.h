/* Row kernels in double-double: <x,w> and g += r x for rows of doubles, or of double-doubles (x, tail).
 *
 * They are inlined bodies: LINPRED__VERSIONS (core/fast.h) makes a function of a block from one. All its versions do
 * the same operations in the same order. The error of a dot product of n terms is below (n+8)²
 * 2^-104 Σ|x_j w_j| (Dot2 of Ogita, Rump and Oishi).
 */
#ifndef LINPRED_PASS_CAREFUL_ROW_H
#define LINPRED_PASS_CAREFUL_ROW_H

#include "core/fast.h"
#include "data/data.h"
#include "num/dd.h"

enum { LINPRED__CAREFUL_LANES = 16 }; /* two vectors of 8: their additions overlap */

/* The sum of the lanes, by halves: one after another they would take longer than a row. */
LINPRED__INLINED linpred__dd linpred__merge_lanes(double *sum, double *errors)
{
    for (int half = LINPRED__CAREFUL_LANES / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            linpred__compensated_add(&sum[k], &errors[k], sum[k + half], errors[k + half]);
    return linpred__two_sum(sum[0], errors[0]);
}

/* <x, w> in lanes: column j goes to lane j mod 16, in a sparse row too. tail, lo NULL: zeros. */
LINPRED__INLINED void linpred__careful_lanes(int32_t n, const double *restrict x, const double *restrict tail,
                                             const double *restrict hi, const double *restrict lo, double *restrict sum,
                                             double *restrict errors)
{
    int32_t j = 0;
#define LINPRED__DOT_STEP(from, to)                                                                                    \
    for (int32_t k = from; k < (to); k++) {                                                                            \
        linpred__dd p = linpred__two_product(x[j + k], hi[j + k]);                                                     \
        double rest = lo ? p.lo + x[j + k] * lo[j + k] : p.lo;                                                         \
        linpred__compensated_add(&sum[k], &errors[k], p.hi, tail ? rest + tail[j + k] * hi[j + k] : rest);             \
    }
    for (int32_t k = 0; k < LINPRED__CAREFUL_LANES; k++)
        sum[k] = errors[k] = 0.0;
    for (; j + LINPRED__CAREFUL_LANES <= n; j += LINPRED__CAREFUL_LANES)
        LINPRED__DOT_STEP(0, LINPRED__CAREFUL_LANES)
    if (n - j >= 8) {
        LINPRED__DOT_STEP(0, 8)
        LINPRED__DOT_STEP(8, n - j)
    } else {
        LINPRED__DOT_STEP(0, n - j)
    }
#undef LINPRED__DOT_STEP
}

LINPRED__INLINED linpred__dd linpred__careful_dot(int32_t n, const double *restrict x, const double *restrict tail,
                                                  const double *restrict hi, const double *restrict lo)
{
    double sum[LINPRED__CAREFUL_LANES], errors[LINPRED__CAREFUL_LANES];
    linpred__careful_lanes(n, x, tail, hi, lo, sum, errors);
    return linpred__merge_lanes(sum, errors);
}

/* g += r x */
LINPRED__INLINED void linpred__careful_add(int32_t n, linpred__dd r, const double *restrict x,
                                           const double *restrict tail, double *restrict hi, double *restrict lo)
{
    for (int32_t j = 0; j < n; j++) {
        linpred__dd p = linpred__two_product(r.hi, x[j]);
        double rest = p.lo + r.lo * x[j];
        linpred__compensated_add(&hi[j], &lo[j], p.hi, tail ? rest + r.hi * tail[j] : rest);
    }
}

/* g += Σ_k r_k x_k for eight rows in this order: g is loaded and stored once. tail NULL: zeros. */
LINPRED__INLINED void linpred__careful_add_eight(int32_t n, const double *rhi, const double *rlo,
                                                 const double *const x[8], const double *const *tail,
                                                 double *restrict hi, double *restrict lo)
{
    LINPRED__INDEPENDENT_ITERATIONS
    for (int32_t j = 0; j < n; j++) {
        double sum = hi[j], errors = lo[j];
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++) {
            linpred__dd p = linpred__two_product(rhi[k], x[k][j]);
            double rest = p.lo + rlo[k] * x[k][j];
            linpred__compensated_add(&sum, &errors, p.hi, tail ? rest + rhi[k] * tail[k][j] : rest);
        }
        hi[j] = sum;
        lo[j] = errors;
    }
}

#endif
