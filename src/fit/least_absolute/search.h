/* The search for the optimal vertex of all rows. */
#ifndef LINPRED_FIT_LEAST_ABSOLUTE_SEARCH_H
#define LINPRED_FIT_LEAST_ABSOLUTE_SEARCH_H

#include "fit/least_absolute/deviations.h"
#include "fit/least_absolute/proof.h"

/* What the search has found so far. */
typedef struct linpred__deviation_search {
    linpred__deviation_span span;
    linpred__deviation_vertex vertex;
    linpred__deviation_sides sides;
    linpred__deviation_proof proof; /* of the vertex */
    linpred__deviation_effort effort;
} linpred__deviation_search;

/* Finds and proves the optimal vertex. If the run is stopped, the last vertex is proved as far as it goes, which may
   leave a gap. Sets the spread of the question. Fails if doubles are too coarse for a proof. */
linpred_status linpred__deviations_search(linpred__deviations *question, linpred__deviation_search *search,
                                          linpred_error *error);
void linpred__deviation_search_clear(linpred__deviation_search *search);

#endif
