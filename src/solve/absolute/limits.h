/* Tuning constants of the simplex method for absolute regression. None of them changes the optimum; they change speed
 * and, among several optimal vertices, which one is found.
 */
#ifndef LINPRED_SOLVE_ABSOLUTE_LIMITS_H
#define LINPRED_SOLVE_ABSOLUTE_LIMITS_H

/* Steps after which the inverse and the residuals are computed anew. More steps lose digits to the updates; fewer spend
   more time on new inverses. */
enum { LINPRED__ABSOLUTE_REFRESH = 40 };

/* Rows of a block in a product with all rows. 512 sums are 4 kB, which stay in the first-level cache. */
enum { LINPRED__ABSOLUTE_PIECE = 512 };

/* Columns from which on an interior point method looks for the first basis. With fewer the simplex method is as fast.
 */
enum { LINPRED__ABSOLUTE_INTERIOR_COLUMNS = 24 };

/* Steps of the interior point method. It takes 10 to 20; more mean that it fails. */
enum { LINPRED__ABSOLUTE_INTERIOR_STEPS = 50 };

/* The interior point method ends at this gap, relative to the loss. The simplex method then makes about one step for
   a hundred columns, and one of them costs less than a hundredth of an interior one; 1e-8 takes a quarter longer. */
#define LINPRED__ABSOLUTE_INTERIOR_GAP 1e-4

/* The part of the way to the boundary that a step of the interior point method goes. */
#define LINPRED__ABSOLUTE_STEP 0.9995

/* Its start keeps multipliers and duals so far from 0, relative to the mean residual and to the range of the dual. */
#define LINPRED__ABSOLUTE_AWAY 0.1

/* A dual is outside its bounds only if the excess is above this multiple of DBL_EPSILON times the sum of its terms.
   Smaller excesses may be rounding. */
#define LINPRED__ABSOLUTE_NOISE 64.0

/* A row can enter the basis only if its residual changes along the edge by more than this part of the sum of the terms
   of that change. Otherwise the next basis would be nearly singular. */
#define LINPRED__ABSOLUTE_MIN_PIVOT 1e-11

/* Sign changes are searched up to this multiple of the length of the last move. Moves get shorter, so few sign changes
   have to be collected. */
#define LINPRED__ABSOLUTE_FIRST_REACH 8.0
/* If no lowest point is found within the reach, the reach grows by this factor. */
#define LINPRED__ABSOLUTE_NEXT_REACH 64.0

#endif
