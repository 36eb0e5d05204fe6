/* A ball with few mistakes: pocket on lifted rows.
 *
 * It starts from the better of two balls, around the mean of the rows inside and around the centre of least squares.
 * The best halfspace of lifted rows that pocket finds gives a centre, and the best radius around it a ball.
 */
#ifndef LINPRED_FIT_BALL_POCKET_H
#define LINPRED_FIT_BALL_POCKET_H

#include "fit/ball/best_ball.h"
#include "separate/perceptron.h"

typedef struct linpred__ball_pocket {
    linpred__perceptron_end end;
    int64_t updates;
    int64_t passes; /* but those to try balls */
} linpred__ball_pocket;

/* `question` says how to walk; its start is set here. The best ball is improved. */
linpred_status linpred__ask_ball_pocket(linpred__run *run, const linpred__ball_lift *lift,
                                        const linpred__problem *lifted, const linpred__perceptron_question *question,
                                        linpred__best_ball *best, linpred__ball_pocket *answer, linpred_error *error);

#endif
