/* Tails of Student's t, F and the normal distribution, with a relative error of about 1e-13. */
#ifndef LINPRED_NUM_DISTRIBUTION_H
#define LINPRED_NUM_DISTRIBUTION_H

/* The regularised incomplete beta function I_x(a, b) for a, b > 0 and 0 <= x <= 1. `rest` is 1 - x; the caller computes
   it, so that it keeps its digits if x is near 1. */
double linpred__incomplete_beta(double a, double b, double x, double rest);

double linpred__t_two_sided(double t, double df);          /* P(|T| >= |t|); with infinite df T is normal */
double linpred__f_upper(double f, double df1, double df2); /* P(F >= f) */
double linpred__t_quantile(double probability, double df); /* the t with P(T <= t) = probability, 0 < probability < 1 */
double linpred__normal_two_sided(double z);                /* P(|Z| >= |z|) */

#endif
