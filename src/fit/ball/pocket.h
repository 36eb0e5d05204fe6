/* A ball with few mistakes: pocket on lifted rows.
 *
 * It starts from the better of two balls. One is around the mean of the rows that belong inside. The other is around
 * the centre that least squares on lifted rows gives. The best halfspace of lifted rows that pocket finds gives a new
 * centre, and the best radius around it is chosen.
 */
#ifndef LINPRED_FIT_BALL_POCKET_H
#define LINPRED_FIT_BALL_POCKET_H

#include "fit/ball/best_ball.h"
#include "separate/perceptron.h"

typedef struct linpred__ball_pocket {
    linpred__perceptron_end end;
    int64_t updates;
    int64_t passes; /* without the passes that best_ball.h counts */
} linpred__ball_pocket;

/* `question` holds order, limits and patience of the perceptron; its start is ignored. Improves the best ball. */
linpred_status linpred__ask_ball_pocket(linpred__run *run, const linpred__ball_lift *lift,
                                        const linpred__problem *lifted, const linpred__perceptron_question *question,
                                        linpred__best_ball *best, linpred__ball_pocket *answer, linpred_error *error);

#endif
