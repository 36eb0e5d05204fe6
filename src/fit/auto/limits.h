/* The limits of method auto. */
#ifndef LINPRED_FIT_AUTO_LIMITS_H
#define LINPRED_FIT_AUTO_LIMITS_H

enum {
    /* Passes without a better halfspace after which pocket ends. */
    LINPRED__AUTO_PATIENCE = 10,

    /* Few rows make short passes: the patience grows by as many passes as read so many rows. */
    LINPRED__AUTO_PATIENCE_ROWS = 200000
};

#endif
