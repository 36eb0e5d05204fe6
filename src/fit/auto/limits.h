/* The limits of method auto. Pocket ends after 10 + 200000 / rows passes without a better halfspace. More passes make
   the fit slower and rarely find fewer mistakes; the values are choices, not measured optima. */
#ifndef LINPRED_FIT_AUTO_LIMITS_H
#define LINPRED_FIT_AUTO_LIMITS_H

enum {
    /* The constant term: the patience for very many rows. */
    LINPRED__AUTO_PATIENCE = 10,

    /* The numerator. It gives small data, whose passes are short, more of them. */
    LINPRED__AUTO_PATIENCE_ROWS = 200000
};

#endif
