/* The vertex as the model states it. */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_STATED_H
#define LINPRED_FIT_LEAST_ABSOLUTE_STATED_H

#include "fit/least_absolute/least_absolute.h"
#include "fit/least_absolute/search.h"

/* Judges the coefficients of the answer, which are in the user's units and of least norm. Brings them back to the
   vertex, and makes support, sums and gap those of the coefficients. Fails if they are no proved optimum, but the
   vertex was one. */
linpred_status linpred__deviations_as_stated(const linpred__deviations *question, linpred__deviation_search *search,
                                             linpred__least_absolute *answer, linpred_error *error);
/* Moves w, near the vertex, to the rows of its basis and to coefficients that respect the dependencies. *best says
   whether the duals of the basis prove it the best among these. */
linpred_status linpred__deviations_respect(const linpred__deviations *question, linpred__deviation_search *search,
                                           const linpred__dependencies *dependencies, linpred__dd *w, bool *best,
                                           linpred_error *error);

#endif
