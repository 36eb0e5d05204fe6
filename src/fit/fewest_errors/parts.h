/* Lower bounds from parts of the rows.
 *
 * What the mistakes of a halfspace cost is the sum of what they cost on disjoint parts of the rows. So the sum of lower
 * bounds of the parts is a lower bound. Where mistakes are many, branch and cut on all rows gets nowhere: its root is
 * at about rows / (columns + 1), and branches add little. On a part with a dozen mistakes it finds the least cost
 * within seconds. The larger the parts, the larger the sum of their least costs, and the harder each of them. So the
 * search begins with many parts and goes on to fewer and fewer. Which rows make a part is chosen so that the sum is
 * large (deals.h).
 *
 * The local search of each part shows what the sum can be at most. If that is no more than what is proved already, the
 * search goes on to fewer parts at once. So rows for which parts are of no use cost little.
 */
#ifndef LINPRED_FIT_FEWEST_ERRORS_PARTS_H
#define LINPRED_FIT_FEWEST_ERRORS_PARTS_H

#include "fit/fewest_errors/chosen_rows.h"
#include "proof/witness.h"
#include "separate/fewest_errors/search_team.h"

typedef struct linpred__row_part linpred__row_part;

typedef struct linpred__row_parts {
    const linpred__chosen_rows *all; /* the rows of the team: all distinct rows */
    linpred__search_team *team;      /* it searches beside the parts, on all rows */
    uint64_t seed;
    linpred__pool *pool;
    linpred__team_stop *stop;
    int32_t count;              /* of the parts that are open */
    linpred__row_part *part;    /* NULL: none are */
    int32_t next;               /* the number of parts after these; 1: there are none to come */
    bool begun;                 /* `next` is set */
    double *known;              /* a halfspace to start from, for the rows that are not scaled */
    int64_t bound;              /* no halfspace costs less, by the best parts so far; 0: none */
    linpred__cover_proof proof; /* of `bound` */
} linpred__row_parts;

/* Searches on for about so much work of the largest part, for a sum above `known_bound`. *end becomes DONE if the bound
   is the cost of the best halfspace, STOPPED if the run was stopped; otherwise it is left. */
linpred_status linpred__parts_turn(linpred__row_parts *parts, double work, int64_t known_bound, linpred__tree_end *end,
                                   linpred_error *error);
/* Keeps the bound of the parts that are open, if it is the largest so far. */
linpred_status linpred__parts_keep(linpred__row_parts *parts, linpred_error *error);
void linpred__parts_close(linpred__row_parts *parts);

#endif
