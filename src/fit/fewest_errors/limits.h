/* The limits of method exact. */
#ifndef LINPRED_FIT_FEWEST_ERRORS_LIMITS_H
#define LINPRED_FIT_FEWEST_ERRORS_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "proof/limits.h"

enum {
    /* Up to so many distinct rows the search takes all of them at once. With more it takes a part, so that a round
       stays short, but it may need several rounds. The three numbers of rows are choices, not measured optima. */
    LINPRED__EXACT_ALL_ROWS = 3000,

    /* The number of working rows in the first round, if there are more distinct rows than that. */
    LINPRED__EXACT_FIRST_ROWS = 2000,

    /* The largest number of rows that join the working rows after a round. */
    LINPRED__EXACT_ROWS_A_ROUND = 1000,

    /* Rows with more columns that are not known to be separable are refused: each inseparable subset then has thousands
       of rows, and finding one is too much work. */
    LINPRED__EXACT_MAX_COLUMNS = 2000,

    /* Up to so many columns, with the intercept, boxes are searched: their number grows exponentially with the columns.
       They come first, after so many sweeps a column. */
    LINPRED__EXACT_FEW_COLUMNS = 8,
    LINPRED__EXACT_FIRST_SWEEPS = 20
};

/* The work of branch and cut on all rows before halfspaces of other methods are tried: less than a tenth of a second,
   which is enough for most small data. */
#define LINPRED__EXACT_QUICK_WORK 6e7

/* With few columns boxes come before all that, if a quick local search leaves so many mistakes: with fewer the tree is
   quick, and its proof can be added up. If boxes are not done within so many signs for each entry of the rows, and in
   all, a second or two, the search goes on as else. */
#define LINPRED__EXACT_MANY_MISTAKES 20.0
#define LINPRED__EXACT_FIRST_BOX_WORK_EACH 4e5
#define LINPRED__EXACT_FIRST_BOX_WORK 1e9

/* Parts of the rows begin with about so many mistakes of the best halfspace in each; then their number falls by this
   factor. */
#define LINPRED__PARTS_FIRST_MISTAKES 18.0
#define LINPRED__PARTS_FEWER 0.85

/* Deals of the rows that are tried at a time, how often that is repeated for pairs of parts, of how many pairs of rows
   one changes places then, and the work of the local search that tries a part: about a hundredth of a second. */
enum { LINPRED__DEALS = 16, LINPRED__DEAL_ROUNDS = 8, LINPRED__DEAL_STAY = 4 };
#define LINPRED__DEAL_WORK 1e7
/* What they are for each part in all. */
#define LINPRED__DEALS_WORK (LINPRED__DEALS * (1 + LINPRED__DEAL_ROUNDS) * LINPRED__DEAL_WORK)

/* The work of the first turn of each part, mostly of its local search, and of each further turn: some tenths of a
   second. */
#define LINPRED__PARTS_FIRST_WORK 6e7
#define LINPRED__PARTS_TURN 3e8

/* The work of branch and cut on all rows before parts are tried: a few seconds. Then turns of parts, which get
   longer, and turns of branch and cut with this share of their work, or with the next if parts prove more. */
#define LINPRED__EXACT_BEFORE_PARTS 2e9
#define LINPRED__EXACT_PARTS_WORK 2e9
#define LINPRED__EXACT_TREE_SHARE 0.25
#define LINPRED__EXACT_TREE_LESS_SHARE 0.05

/* The work of the first turn of boxes, some tenths of a second; each further turn is twice as long. */
#define LINPRED__EXACT_BOX_WORK 2e8

#endif
