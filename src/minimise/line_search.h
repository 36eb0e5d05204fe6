/* How far to go along a step of Newton's method. */
#ifndef LINPRED_MINIMISE_LINE_SEARCH_H
#define LINPRED_MINIMISE_LINE_SEARCH_H

#include "minimise/logistic.h"

/* False: out of memory. */
bool linpred__line_search_open(const linpred__logistic *problem, linpred__line_search *line);
void linpred__line_search_close(linpred__line_search *line);
/* About the t where F(v + t step) is least, and the mean curvature of the rows there; `slope` is -<gradient, step> > 0
 * at v. */
double linpred__line_search_step(const linpred__line_search *line, const linpred__logistic *problem, const double *v,
                                 const double *step, double slope, double *curvature);

#endif
