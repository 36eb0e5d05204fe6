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

#endif
