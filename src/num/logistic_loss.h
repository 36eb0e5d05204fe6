/* The logistic loss of many rows at once.
 *
 *   t = y z,   loss = log(1 + e^-t) = max(-t, 0) + log1p(e),   e = exp(-|t|),
 *   d loss / dz = -y σ(-t),   d² loss / dz² = σ(t) σ(-t) = e / (1 + e)²
 *
 * Nothing overflows for any finite z, and each value is right to a few units in the last place, relative also where it
 * is tiny (|t| up to 708; beyond, e stays at exp(-708)). exp and log1p are polynomials evaluated for eight rows at a
 * time without fused operations: the same bits on every machine, whatever the number of rows.
 */
#ifndef LINPRED_NUM_LOGISTIC_LOSS_H
#define LINPRED_NUM_LOGISTIC_LOSS_H

#include <stdint.h>

/* Loss, first derivative r and second derivative (curvature) of each row by its score z, times the row's weight (NULL:
   1) and that of its class: class_weight[0] for rows labelled -1, class_weight[1] for rows labelled +1. */
void linpred__logistic_rows(int32_t rows, const double *z, const double *y, const double *weight,
                            const double class_weight[2], double *loss, double *r, double *curvature);

/* Sums over the scores of some rows. */
typedef struct linpred__score_tally {
    double errors;   /* weight of rows with y z <= 0 */
    double unsure;   /* number of rows with |z| <= rounding_bound */
    double score[2]; /* Σ weight z over the rows labelled -1 and +1 */
} linpred__score_tally;

/* weight NULL: all 1. A score beyond `rounding_bound` has a certain sign. */
linpred__score_tally linpred__tally_scores(int32_t rows, const double *z, const double *y, const double *weight,
                                           double rounding_bound);

#endif
