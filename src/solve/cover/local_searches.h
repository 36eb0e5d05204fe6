/* The three local searches for a halfspace of small cost by turns: from vertex to vertex, by a smooth loss, and through
 * circles. Which one is best depends on the rows: where columns are many, mostly the first; where mistakes are many,
 * the others help it. They share the best halfspace. Of four turns the first has two, the others one each. */
#ifndef LINPRED_SOLVE_COVER_LOCAL_SEARCHES_H
#define LINPRED_SOLVE_COVER_LOCAL_SEARCHES_H

#include "solve/cover/smooth_search.h"
#include "solve/cover/vertex_search.h"

typedef struct linpred__local_searches {
    linpred__hyperplane_search *search; /* the rows and the best halfspace, and the search through circles; borrowed */
    linpred__smooth_search smooth;
    linpred__vertex_search vertices;
    int64_t turns; /* taken so far */
} linpred__local_searches;

linpred_status linpred__local_searches_open(linpred__local_searches *local, linpred__hyperplane_search *search,
                                            linpred_error *error);
void linpred__local_searches_close(linpred__local_searches *local);
/* The next turn, for so much work: search->work grows by at least that. */
void linpred__local_searches_turn(linpred__local_searches *local, double work);

#endif
