/* The logistic loss of many rows at once.
 *
 *   t = y z,   loss = log(1 + e^-t) = max(-t, 0) + log1p(e),   e = exp(-|t|),
 *   d loss / dz = -y σ(-t),   d² loss / dz² = σ(t) σ(-t) = e / (1 + e)²
 *
 * No finite z overflows. Each value is right to a few units in the last place, also if it is tiny, for |t| <= 708.
 * Beyond that e stays at exp(-708). exp and log1p are polynomials, evaluated for eight rows at a time without fused
 * operations. So the bits are the same on every machine and do not depend on the number of rows.
 */
#ifndef LINPRED_NUM_LOGISTIC_LOSS_H
#define LINPRED_NUM_LOGISTIC_LOSS_H

#include <stdint.h>

/* Computes the loss of each row at its score z, and its first derivative r and second derivative (curvature) by z. All
   three are multiplied by the weight of the row (1 if `weight` is NULL) and of its class: class_weight[0] for the label
   -1, class_weight[1] for the label +1. */
void linpred__logistic_rows(int32_t rows, const double *z, const double *y, const double *weight,
                            const double class_weight[2], double *loss, double *r, double *curvature);

/* Sums over the scores of some rows. */
typedef struct linpred__score_tally {
    double errors;   /* weight of rows with y z <= 0 */
    double unsure;   /* number of rows with |z| <= rounding_bound */
    double score[2]; /* Σ weight z over the rows labelled -1 and +1 */
} linpred__score_tally;

/* A `weight` of NULL means that all weights are 1. The sign of a score above `rounding_bound` is certified. */
linpred__score_tally linpred__tally_scores(int32_t rows, const double *z, const double *y, const double *weight,
                                           double rounding_bound);

#endif
