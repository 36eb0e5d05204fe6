/* F and its gradient at coefficients as a model states them: doubles in the units of the file. */
#ifndef LINPRED_MINIMISE_WRITTEN_POINT_H
#define LINPRED_MINIMISE_WRITTEN_POINT_H

#include "minimise/logistic_point.h"

/* Sets objective, gradient, mean scores and curvature of the point to those of (w,b), in one pass. Scores are added up
   in double-double, so that the huge terms of nearly dependent columns may cancel. The gradient is that by v, as ever;
   v itself is not touched. No sign counts as certain. */
linpred_status linpred__logistic_evaluate_written(linpred__logistic_problem *problem, const double *w, double b,
                                                  linpred__logistic_point *point, linpred_error *error);

#endif
