/* Least absolute deviations under way: what its parts share.
 *
 * Rows are reduced to the columns taken as independent. A row that is clearly above or below the fit is fixed on that
 * side and enters the small problem only through c, the sum of its slope times x; the others are `active` and held in
 * cache.
 */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_LEAST_ABSOLUTE_H
#define LINPRED_FIT_LEAST_ABSOLUTE_LEAST_ABSOLUTE_H

#include "num/dd.h"
#include "fit/design.h"
#include "fit/fit.h"

#define LINPRED__SLACK_ALLOWED 1e-12 /* of a proof: in the sum of ρ(r) - a r, and in its duals, relative */

typedef struct linpred__deviations {
    linpred__fit *fit;
    linpred__design design;
    double quantile;
    int32_t width; /* coordinates of a row */
    int32_t rank;
    int32_t *column; /* the coordinates taken, `rank` of them */
    int32_t dependencies;
    linpred__dd *null; /* dependencies x width by rows, in the design's units */
    int64_t *basis;    /* data rows that the fit goes through, `rank` of them */
    double *w;         /* width: coordinates not taken are 0 */
    double size;       /* how far y spreads: what is tiny is measured by it */
    double shake;      /* size of the perturbation of y that keeps vertices apart */
    int8_t *side;      /* of each data row: +1 above the fit, -1 below, 0 active */
    double *c;         /* rank */
    double *scratch;   /* of one row: leading and trailing parts, 2 width */
    int64_t steps;
    int64_t rounds;
    int64_t passes;
    int64_t most_active;
    bool stopped;
    double fault; /* how far the duals, as settled last, are from proving the fit, relative */
} linpred__deviations;

/* Row `row` of the data: its block and place. */
const linpred__block *linpred__deviations_row(const linpred__deviations *dev, int64_t row, int32_t *r);
/* up = 2τ weight, down = 2(1-τ) weight */
void linpred__deviations_slopes(const linpred__deviations *dev, const linpred__block *block, int32_t r, double *up,
                                double *down);
/* The target in the design's unit, shaken by a number that depends on the row alone. */
double linpred__deviations_target(const linpred__deviations *dev, const linpred__block *block, int32_t r);

/* y - <x,w> of a row, y shaken. `row` has room for 2 width and is filled unless the design is plain. */
double linpred__deviations_residual(const linpred__deviations *dev, const linpred__block *block, int32_t r,
                                    double *row);
/* One pass. band >= 0: fixes the rows farther than this from the fit, sets c to the sum of their slopes, and counts the
   others; band < 0: marks the fixed rows that are on the wrong side (side 2 or -2), and counts them. */
linpred_status linpred__deviations_price(linpred__deviations *dev, double band, int64_t *found, linpred_error *error);

/* Which columns are independent, and that many independent rows as a first basis. `sample` are rows to look at first.
 */
linpred_status linpred__deviations_span(linpred__deviations *dev, const int64_t *sample, int64_t samples,
                                        linpred_error *error);

/* The optimal vertex of these rows (which hold the basis) beside the fixed ones: basis and w. */
linpred_status linpred__deviations_solve(linpred__deviations *dev, const int64_t *rows, int64_t count,
                                         linpred_error *error);

/* What is proved at the end: w of the basis in double-double, duals, sums, certificate, coefficients. `slack` is the
   sum of ρ(r) - a r over all rows, relative: 0 at an optimum. */
linpred_status linpred__deviations_certify(linpred__deviations *dev, double *slack, linpred_error *error);

#endif
