/* The limits of method exact. */
#ifndef LINPRED_FIT_FEWEST_ERRORS_LIMITS_H
#define LINPRED_FIT_FEWEST_ERRORS_LIMITS_H

/* Signs of rows that going through all hyperplanes may take: some ten seconds. The checker does the same again. */
#define LINPRED__MAX_HYPERPLANE_SIGNS 3e10

enum {
    /* Distinct rows up to which the search works on all of them at once. */
    LINPRED__EXACT_ALL_ROWS = 3000,

    /* Of more distinct rows, so many are worked on at first. */
    LINPRED__EXACT_FIRST_ROWS = 2000,

    /* Rows that join in one round, at most. */
    LINPRED__EXACT_ROWS_A_ROUND = 1000,

    /* Columns beyond which inseparable rows are too much work. */
    LINPRED__EXACT_MAX_COLUMNS = 2000
};

#endif
