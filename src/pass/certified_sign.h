/* Exact signs of y(<w,x>+b), many rows at a time.
 *
 * One number bounds the rounding error of the scores of all rows. It is the bound of data/score.h with Σ|w_j x_j|
 * + |b| replaced by ||(w,b)|| R (Cauchy-Schwarz), where R >= ||(x,1)|| for every row. If |score| exceeds the bound, the
 * sign of the score is exact. The few other scores are computed again, exactly.
 */
#ifndef LINPRED_PASS_CERTIFIED_SIGN_H
#define LINPRED_PASS_CERTIFIED_SIGN_H

#include "data/limits.h"
#include "data/score.h"
#include "num/vector.h"

typedef struct linpred__hyperplane {
    double *w; /* padded with zeros to a multiple of 8 and aligned to 64 bytes, as linpred__row_dot_padded needs it */
    double b;
    double rounding_bound; /* bound of the rounding of any score */
    double *memory;        /* what w stands in; freed by close */
} linpred__hyperplane;

/* Copies w (NULL: zeros) and b, for rows with ||(x,1)|| <= radius. On error there is nothing to close. */
linpred_status linpred__hyperplane_open(linpred__hyperplane *hyperplane, int32_t columns, const double *w, double b,
                                        double radius, linpred_error *error);
void linpred__hyperplane_close(linpred__hyperplane *hyperplane);

/* The bound for rows with ||(x,1)|| <= radius and a halfspace with ||(w,b)|| <= norm. */
static inline double linpred__rounding_bound(int32_t columns, double norm, double radius)
{
    return linpred__score_bound(columns, norm * radius);
}

/* scores[r - from] = y_r (<w,x_r> + b) as computed, for rows from .. to - 1. */
void linpred__signed_scores(const linpred__hyperplane *hyperplane, const linpred__block *block, int32_t from,
                            int32_t to, double *scores);

/* The exact sign of y_r (<w,x_r> + b): -1, 0 or 1. */
int linpred__certified_sign(const linpred__hyperplane *hyperplane, const linpred__block *block, int32_t r);

/* The exact y_r (<w,x_r> + b), rounded once. It is infinite beyond the range of double, and 0 only if it is 0. */
double linpred__certified_score(const linpred__hyperplane *hyperplane, const linpred__block *block, int32_t r);

/* Whether row r is a mistake: y s <= 0; by the rule `sign`: sign(s) != y, with sign(0) = +1. */
bool linpred__is_mistake(const linpred__hyperplane *hyperplane, linpred_mistake rule, const linpred__block *block,
                         int32_t r);

#endif
