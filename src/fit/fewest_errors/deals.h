/* Deals rows out into parts whose own fewest mistakes are many.
 *
 * Rows are dealt out like cards, in the order of their scores: so every part has about as many mistakes of the best
 * halfspace, and as many rows at each distance from it. Deals differ in what their parts cost at least, by a tenth and
 * more, and a short local search on each part shows about what it costs. So several deals are drawn, and the dearest
 * is taken. Then pairs of its parts are dealt anew, and keep what is dearer; unless the first deals show that parts are
 * of no use, since they cost no more than what is proved already.
 */
#ifndef LINPRED_FIT_FEWEST_ERRORS_DEALS_H
#define LINPRED_FIT_FEWEST_ERRORS_DEALS_H

#include "fit/fewest_errors/chosen_rows.h"
#include "separate/fewest_errors/search_team.h"

typedef struct linpred__deal_question {
    const linpred__chosen_rows *all;         /* the rows to deal out */
    const linpred__hyperplane_search *local; /* the search on them, with the best halfspace */
    const double *known;                     /* the best halfspace, for the rows that are not scaled */
    int32_t parts;
    int64_t bound;  /* what is proved already */
    int32_t rounds; /* in which pairs of parts are dealt anew */
    uint64_t seed;
    linpred__pool *pool;
    linpred__team_stop *stop;
} linpred__deal_question;

/* part_of[i] becomes the part of row i of the search, from 0. */
linpred_status linpred__deal_out(const linpred__deal_question *question, int32_t *part_of, linpred_error *error);

#endif
