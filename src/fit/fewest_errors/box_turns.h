/* Turns of the search by boxes of halfspaces, and the local search beside it (see pass/boxes/hyperplanes.h). */
#ifndef LINPRED_FIT_FEWEST_ERRORS_BOX_TURNS_H
#define LINPRED_FIT_FEWEST_ERRORS_BOX_TURNS_H

#include "pass/boxes/hyperplanes.h"
#include "separate/fewest_errors/distinct_rows.h"
#include "solve/cover/branch.h"

typedef struct linpred__box_turns {
    const linpred_data *data;
    bool has_intercept;
    const linpred__distinct *distinct;
    linpred__hyperplane_search *local; /* on all distinct rows; it keeps the best halfspace */
    linpred__pool *pool;
    bool (*stop)(void *context);
    void *context;
    linpred__hyperplanes boxes;
    int64_t *row_cost; /* of each data row; NULL: boxes are not open */
    int64_t proved;    /* no halfspace costs less; 0: boxes have not decided */
} linpred__box_turns;

/* If a quick local search from least squares and from `known` leaves many mistakes, boxes are searched before anything
   else. *end is as of linpred__boxes_turn. */
linpred_status linpred__boxes_first(linpred__box_turns *turns, const double *known, linpred__tree_end *end,
                                    linpred_error *error);
/* Searches by boxes for so much work. *end becomes DONE if none costs less than the best halfspace, STOPPED if the run
   was stopped; otherwise it is left. Opens the boxes unless they are open. */
linpred_status linpred__boxes_turn(linpred__box_turns *turns, double work, linpred__tree_end *end,
                                   linpred_error *error);
void linpred__box_turns_close(linpred__box_turns *turns);

#endif
