/* The checker's sums of products in double-double over the entries of a row: <x,w> and g += r x.
 *
 * x has trailing parts if `tail` is not NULL. Entry k belongs to column index[k], or k if `index` is NULL. A product is
 * exact, and what an addition loses is added up beside the sum. So the error of <x,w> is below (n+8)² 2^-104 Σ|x_j w_j|
 * for n entries (Dot2 of Ogita, Rump and Oishi), and that of an entry of g after n additions is below n² 2^-104 Σ|r
 * x_j|.
 */
#ifndef LINPRED_CHECK_ROWS_CAREFUL_H
#define LINPRED_CHECK_ROWS_CAREFUL_H

#include <stdint.h>

#include "core/fast.h"
#include "num/dd.h"

/* <x, w> for w = hi + lo. Sets *size to Σ|x_j hi_j|. Entries are added in eight sums, whose additions do not wait for
   each other. The last eight entries of a dense row are taken together too; those of them that were added before count
   as zeros. */
LINPRED__INLINED linpred__dd linpred__sum_products(int64_t n, const double *restrict x, const double *restrict tail,
                                                   const int32_t *restrict index, const double *restrict hi,
                                                   const double *restrict lo, double *size)
{
    enum { SUMS = 8 };
    double sum[SUMS] = {0.0}, lost[SUMS] = {0.0}, absolute[SUMS] = {0.0};
    int64_t k = 0;
#define LINPRED__ADD_PRODUCTS(count, old)                                                                              \
    for (int64_t i = 0; i < (count); i++) {                                                                            \
        int64_t j = index ? index[k + i] : k + i;                                                                      \
        double entry = i < (old) ? 0.0 : x[k + i], small = !tail || i < (old) ? 0.0 : tail[k + i];                     \
        linpred__dd p = linpred__two_product(entry, hi[j]);                                                            \
        double rest = p.lo + entry * lo[j];                                                                            \
        linpred__compensated_add(&sum[i], &lost[i], p.hi, tail ? rest + small *hi[j] : rest);                          \
        absolute[i] += fabs(p.hi);                                                                                     \
    }
    for (; k + SUMS <= n; k += SUMS)
        LINPRED__ADD_PRODUCTS(SUMS, 0)
    int64_t left = n - k;
    if (left > 0 && !index && n >= SUMS) {
        k = n - SUMS;
        LINPRED__ADD_PRODUCTS(SUMS, SUMS - left)
    } else {
        LINPRED__ADD_PRODUCTS(left, 0)
    }
#undef LINPRED__ADD_PRODUCTS
    for (int half = SUMS / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) {
            linpred__compensated_add(&sum[i], &lost[i], sum[i + half], lost[i + half]);
            absolute[i] += absolute[i + half];
        }
    *size = absolute[0];
    return linpred__two_sum(sum[0], lost[0]);
}

/* g += r x for g = hi + lo. */
LINPRED__INLINED void linpred__add_multiple(int64_t n, linpred__dd r, const double *restrict x,
                                            const double *restrict tail, const int32_t *restrict index,
                                            double *restrict hi, double *restrict lo)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t j = index ? index[k] : k;
        linpred__dd p = linpred__two_product(r.hi, x[k]);
        double rest = p.lo + r.lo * x[k];
        linpred__compensated_add(&hi[j], &lo[j], p.hi, tail ? rest + r.hi * tail[k] : rest);
    }
}

/* first_j += a |x_j| and second_j += b |x_j| */
LINPRED__INLINED void linpred__add_sizes(int64_t n, const double *restrict x, const int32_t *restrict index, double a,
                                         double *restrict first, double b, double *restrict second)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t j = index ? index[k] : k;
        first[j] += a * fabs(x[k]);
        second[j] += b * fabs(x[k]);
    }
}

#endif
