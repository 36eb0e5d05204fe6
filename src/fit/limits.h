/* Limits that several learners share; those of one learner stand in its folder. */
#ifndef LINPRED_FIT_LIMITS_H
#define LINPRED_FIT_LIMITS_H

/* A dependency of columns with more nonzero entries is tried in whole numbers only: rounding spoils it as it is
   shown. */
enum { LINPRED__FEW_PARTS = 8 };

/* A regression needs units if a number is beyond these sizes: products of larger numbers may overflow, those of smaller
   ones underflow. */
#define LINPRED__DESIGN_SIZE_MAX 1e60
#define LINPRED__DESIGN_SIZE_MIN 1e-60

/* A regression refuses numbers beyond 2 to these exponents. Columns: a coefficient and its standard error must be in
   range in the user's unit. Targets times the weight of all rows: sums of them must be in range, with room for terms
   that cancel. Targets of least squares: their mean square must not be denormal. Those of absolute loss:
   their mean must not be, nor a residual that is no more than their rounding. Weights: they multiply squares of scaled
   numbers, and beside a row that weighs 2^200 times as much a row counts for nothing. */
enum {
    LINPRED__MAX_FEATURE_EXPONENT = 1000,
    LINPRED__MAX_TARGET_EXPONENT = 960,
    LINPRED__MIN_TARGET_EXPONENT = -505,
    LINPRED__MIN_ABSOLUTE_TARGET_EXPONENT = -950,
    LINPRED__MAX_WEIGHT_EXPONENT = 200
};

/* A coefficient whose unit, that of the targets divided by that of the column, is below 2 to this loses digits of its
   leading part: doubles end at 2^-1074. */
enum { LINPRED__MIN_COEFFICIENT_EXPONENT = -1000 };

/* Columns may differ in size by 2 to these exponents. Dependent ones: the entries of a dependency must be in range.
   Penalised ones: squares of coefficients must be. */
enum { LINPRED__MAX_DEPENDENT_SPREAD = 700, LINPRED__MAX_PENALISED_SPREAD = 450 };

/* A dependency of columns far from 0 must hold to this part of what rows differ by. That is looked at if rows times
   entries of the dependencies are at most this: a tenth of a second. */
#define LINPRED__DEPENDENT_ABOUT_FIRST 1e-6
#define LINPRED__ABOUT_FIRST_WORK 1e6

/* The least norm is taken along a dependency whose entries differ by at most 2 to this exponent. If the largest is near
   1, the smallest then keeps all digits, and so do its products. */
enum { LINPRED__LEAST_NORM_SPREAD = 900 };

/* Sweeps of taking the least norm. Each takes 100 bits off what is left: enough for any two numbers. */
enum { LINPRED__LEAST_NORM_SWEEPS = 40 };

#endif
