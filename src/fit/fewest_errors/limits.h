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
    LINPRED__EXACT_MAX_COLUMNS = 2000
};

/* The work of branch and cut on all rows before halfspaces of other methods are tried: less than a tenth of a second,
   which is enough for most small data. */
#define LINPRED__EXACT_QUICK_WORK 6e7

/* The work of the first turn of boxes, some tenths of a second; each further turn is twice as long. */
#define LINPRED__EXACT_BOX_WORK 2e8

/* Whether the checker can go through all hyperplanes through rows: pencils of columns - 2 rows, with all rows each. */
static inline bool linpred__pencils_are_few(int64_t rows, int32_t columns)
{
    double vectors = (double)rows;
    for (int32_t i = 0; i < columns - 2; i++)
        vectors *= (double)(rows - i) / (i + 1.0);
    return vectors <= LINPRED__MAX_PENCIL_VECTORS;
}

#endif
