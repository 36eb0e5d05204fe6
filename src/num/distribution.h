/* Tails of Student's t and of F, through the regularised incomplete beta function. Relative error about 1e-13. */
#ifndef LINPRED_NUM_DISTRIBUTION_H
#define LINPRED_NUM_DISTRIBUTION_H

/* I_x(a, b), a, b > 0, 0 <= x <= 1, with `rest` = 1 - x given apart, so that it keeps its digits where x is near 1. */
double linpred__incomplete_beta(double a, double b, double x, double rest);

double linpred__t_two_sided(double t, double df);          /* P(|T| >= |t|); df infinite: the normal distribution */
double linpred__f_upper(double f, double df1, double df2); /* P(F >= f) */
double linpred__t_quantile(double probability, double df); /* the t with P(T <= t) = probability, in (0,1) */
double linpred__normal_two_sided(double z);                /* P(|Z| >= |z|) */

#endif
