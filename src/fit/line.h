/* How far to go along a step of Newton's method. */
#ifndef LINPRED_FIT_LINE_H
#define LINPRED_FIT_LINE_H

#include "fit/logistic.h"

/* False: out of memory. */
bool linpred__line_open(const linpred__logistic *problem, linpred__line *line);
void linpred__line_close(linpred__line *line);
/* About the t where F(v + t step) is least, and the mean curvature of the rows there; `slope` is -<gradient, step> > 0 at v. */
double linpred__line_step(const linpred__line *line, const linpred__logistic *problem, const double *v,
                          const double *step, double slope, double *curvature);

#endif
