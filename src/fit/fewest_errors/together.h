/* The long search on all rows with more than a few columns: branch and cut beside a team of local searches, by turns
 * with parts of the rows, all on all threads. Work is counted, so that threads change no answer. */
#ifndef LINPRED_FIT_FEWEST_ERRORS_TOGETHER_H
#define LINPRED_FIT_FEWEST_ERRORS_TOGETHER_H

#include "fit/fewest_errors/chosen_rows.h"
#include "proof/witness.h"
#include "separate/fewest_errors/search_team.h"

typedef struct linpred__together {
    linpred__run *run;
    linpred__chosen_rows all; /* the rows of the search: all distinct rows */
    uint64_t seed;
    linpred__tree *tree;        /* branch and cut, which is open */
    int64_t bound;              /* the result: no halfspace costs less, by parts; 0: there is none */
    linpred__cover_proof proof; /* the result: of `bound` */
    int64_t shown_cost;         /* for progress: the cost of the best halfspace, and the bound, before the turn */
    int64_t shown_bound;
} linpred__together;

/* Goes on until the search ends. */
linpred_status linpred__search_together(linpred__together *together, linpred__tree_end *end, linpred_error *error);

#endif
