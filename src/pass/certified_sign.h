/* Signs of y(<w,x>+b) that are certain, many at a time.
 *
 * `slack` bounds the rounding of all rows' scores at once, by Cauchy and Schwarz: the bound of data/exact_score.h with
 * ||(w,b)|| R for Σ|w_j x_j| + |b|, R >= ||(x,1)||. A score beyond the slack has its sign for certain; the few others
 * are looked at alone.
 */
#ifndef LINPRED_PASS_CERTIFIED_SIGN_H
#define LINPRED_PASS_CERTIFIED_SIGN_H

#include "data/exact_score.h"

typedef struct linpred__hyperplane {
    double *w; /* padded with zeros to a multiple of 8, on a boundary of 64 bytes: for linpred__row_dot_padded */
    double b;
    double slack;
    bool has_intercept;
    double *memory; /* what w stands in */
} linpred__hyperplane;

/* A copy of w, b (NULL: zeros) with its slack for rows of norm `radius` at most. On error there is nothing to close. */
linpred_status linpred__hyperplane_open(linpred__hyperplane *plane, int32_t columns, const double *w, double b,
                                        double radius, linpred_error *error);
void linpred__hyperplane_close(linpred__hyperplane *plane);

static inline double linpred__slack(int32_t columns, double norm, double radius)
{
    return linpred__score_bound(columns, norm * radius);
}

/* y_r (<w,x_r> + b) as computed, of rows from .. to-1. */
void linpred__signed_scores(const linpred__hyperplane *plane, const linpred__block *block, int32_t from, int32_t to,
                            double *scores);
enum { LINPRED__ROWS_AT_A_TIME = 64 }; /* enough to make a call of the above worth it, few enough for the stack */

/* The exact sign of y_r (<w,x_r> + b): -1, 0 or 1. */
int linpred__certified_sign(const linpred__hyperplane *plane, const linpred__block *block, int32_t r);

/* The exact y_r (<w,x_r> + b), rounded once; infinite beyond the range of double, never 0 unless it is 0. */
double linpred__certified_score(const linpred__hyperplane *plane, const linpred__block *block, int32_t r);

/* Whether row r is a mistake: y s <= 0, or by the rule `sign` sign(s) != y with sign(0) = +1. */
bool linpred__is_mistake(const linpred__hyperplane *plane, linpred_mistake rule, const linpred__block *block,
                         int32_t r);

/* ||(v, extra)|| to the last digits, and its square (infinite or 0 where it leaves the range). */
double linpred__norm(const double *v, int64_t n, double extra);
double linpred__norm_squared(const double *v, int64_t n, double extra);
/* An upper bound of ||v|| for n values (and of ||(v, extra)||), without overflow unless the bound itself overflows. */
double linpred__norm_above(const double *v, int64_t n, double extra);

#endif
