/* The pocket: the weights of a perceptron's walk with the fewest mistakes so far (Gallant's pocket with ratchet).
 *
 * To score weights is to count their mistakes on all rows. The current weights are scored when their run, the number of
 * rows in sequence that they get right, exceeds the run of the pocket, and at the end of each pass. They replace those
 * in the pocket only if they make fewer mistakes. The same weights are scored only once. While the walk still has the
 * weights of the pocket, the pocket's run grows with that of the walk.
 *
 * If the pocket has good weights with a short run, nearly every update would be scored in vain. So a long run has the
 * weights scored only while the rows read for scoring are at most 2^24 plus four times the rows that the walk visited.
 */
#ifndef LINPRED_SEPARATE_WALK_POCKET_H
#define LINPRED_SEPARATE_WALK_POCKET_H

#include "separate/walk/walk.h"

typedef struct linpred__pocket {
    double *w;
    double b;
    double errors;        /* the weight of the mistakes on all rows */
    int64_t run;          /* the longest run of these weights */
    int64_t scored;       /* walk->updates when weights were last scored */
    int64_t kept;         /* walk->updates when these weights were put into the pocket */
    int64_t kept_visited; /* walk->visited when these weights were put into the pocket */
    int64_t rows_scored;  /* rows read so far to score weights */
    double *block_errors; /* scratch: the weight of the mistakes in each block */
} linpred__pocket;

/* Scores the first weights of the walk and puts them into the pocket. */
linpred_status linpred__pocket_open(linpred__pocket *pocket, const linpred__walk *walk, linpred_error *error);
void linpred__pocket_close(linpred__pocket *pocket);
/* Scores the current weights if it is time to. It is called before each update with at_pass_end false, and at the end
   of each pass with true. */
void linpred__pocket_score(linpred__pocket *pocket, const linpred__walk *walk, bool at_pass_end);

#endif
