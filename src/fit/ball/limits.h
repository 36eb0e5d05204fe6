/* The limits of fit ball. */
#ifndef LINPRED_FIT_BALL_LIMITS_H
#define LINPRED_FIT_BALL_LIMITS_H

enum {
    /* auto: passes without a better halfspace of lifted rows after which pocket ends. */
    LINPRED__BALL_PATIENCE = 10,

    /* auto: few rows make short passes, so the patience grows by as many passes as read so many rows. */
    LINPRED__BALL_PATIENCE_ROWS = 200000,

    /* Distinct rows and columns that method exact and the local search of auto take. */
    LINPRED__BALL_MAX_ROWS = 3000,
    LINPRED__BALL_MAX_COLUMNS = 1000
};

#endif
