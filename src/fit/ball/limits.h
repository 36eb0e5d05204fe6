/* The limits of fit ball. They trade time for fewer mistakes; the values are choices, not measured optima. */
#ifndef LINPRED_FIT_BALL_LIMITS_H
#define LINPRED_FIT_BALL_LIMITS_H

enum {
    /* In method auto, pocket ends after 10 + 200000 / rows passes without a better halfspace of lifted rows. This is
       the constant term. A larger one makes fits of many rows slower. */
    LINPRED__BALL_PATIENCE = 10,

    /* The numerator of that expression. It gives small data, whose passes are short, more of them. */
    LINPRED__BALL_PATIENCE_ROWS = 200000,

    /* Method exact refuses more distinct rows, and auto skips its local search: both keep all exact lifted rows in
       memory, and a step of either costs rows x columns. */
    LINPRED__BALL_MAX_ROWS = 3000,

    /* The same limit for columns. */
    LINPRED__BALL_MAX_COLUMNS = 1000
};

#endif
