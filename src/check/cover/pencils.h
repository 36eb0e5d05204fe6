/* The least cost of a halfspace's mistakes, by sweeping pencils of hyperplanes. It is for few columns.
 *
 * Let the signed rows z = y(x,1) have rank k >= 2. A best halfspace can be turned until its hyperplane holds k-1
 * independent rows; no row that ends up off the hyperplane changes sides meanwhile. So
 *
 *     least cost = min over hyperplanes through k-1 independent rows, and over both orientations, of
 *                  cost of the rows on the wrong side + least cost of the rows on the hyperplane.
 *
 * The last term is the same problem with rank k-1. Fix the first k-2 of the rows. The hyperplanes through them are a
 * pencil: modulo these rows every other row is a vector of the plane, and the hyperplane is a line through 0 that
 * turns. Once the vectors are sorted by the angle of their lines, running sums give the costs of all hyperplanes of the
 * pencil. So n rows take n^(k-2) sorts of n vectors. All decisions are exact: doubles decide only where their rounding
 * cannot matter, integers decide the rest.
 */
#ifndef LINPRED_CHECK_COVER_PENCILS_H
#define LINPRED_CHECK_COVER_PENCILS_H

#include "check/cover/row_set.h"
#include "core/threads.h"

typedef struct linpred__costs_of_data {
    const linpred_data *data;
    bool has_intercept;
    const int64_t *cost; /* of a mistake on each row */
    int64_t limit;
    bool boxes; /* boxes may be tried */
} linpred__costs_of_data;

/* whole_rows.c: sets *least to the smaller of the limit and the least cost, or leaves it if that would take too long.
 *by_boxes says whether boxes have shown that it is the limit (boxes.h); else pencils have. */
linpred_status linpred__least_cost_of_data(const linpred__costs_of_data *asked, linpred__pool *pool, int64_t *least,
                                           bool *by_boxes, linpred_error *error);

/* pencils.c: the smaller of `limit` and the least cost. Returns -1 if memory runs out. */
int64_t linpred__least_cost(const linpred__row_set *set, linpred__pool *pool, int64_t limit);

/* The vectors that linpred__least_cost has to sort if the rows have this rank. */
double linpred__pencil_vectors(int64_t rows, int32_t rank);
/* The same work in signs on boxes, with the eliminations that make the pencils. */
double linpred__pencil_signs(int64_t rows, int32_t rank);

#endif
