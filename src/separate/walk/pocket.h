/* The pocket: the best weights of a perceptron's walk, by training error, kept with ratchet.
 *
 * The whole sample is scored when the run of correct rows exceeds the pocket's own longest run, and at the end of each
 * pass; the weights are replaced only if strictly better. Weights are scored once: until the next update nothing
 * changes. A good pocket with a short run would have nearly every update scored in vain, so a run has the sample scored
 * only while the rows read for that, but for the first millions, are at most four times those that the walk visited.
 * While the walk stands on the pocket's own weights, the pocket's run grows with it.
 */
#ifndef LINPRED_SEPARATE_WALK_POCKET_H
#define LINPRED_SEPARATE_WALK_POCKET_H

#include "separate/walk/walk.h"

typedef struct linpred__pocket {
    double *w;
    double b;
    double errors; /* total weight of the mistakes on the whole sample */
    int64_t run;
    int64_t scored;       /* number of updates of the weights last scored, -1: none */
    int64_t kept;         /* number of updates of the weights in the pocket */
    int64_t kept_visited; /* rows visited when they were put in */
    int64_t rows_scored;  /* read to score weights, in all */
    double *block_errors;
} linpred__pocket;

/* Scores the walk's first weights and puts them in. */
linpred_status linpred__pocket_open(linpred__pocket *pocket, const linpred__walk *walk, linpred_error *error);
void linpred__pocket_close(linpred__pocket *pocket);
/* Before an update (at_pass_end false) and at the end of a pass (true). */
void linpred__pocket_score(linpred__pocket *pocket, const linpred__walk *walk, bool at_pass_end);

#endif
