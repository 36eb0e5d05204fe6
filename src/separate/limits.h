/* The limits of the questions about separability. One unit of work is a multiplication, about a nanosecond. */
#ifndef LINPRED_SEPARATE_LIMITS_H
#define LINPRED_SEPARATE_LIMITS_H

/* Work that one question in exact arithmetic may take: about a minute. */
#define LINPRED__EXACT_WORK 6e10

/* Work that strict separation may take on the rows that a direction leaves open: some seconds. Beyond that the answer
   is undecided, and logistic regression still knows that there is no minimum. */
#define LINPRED__STRICT_WORK 1e10

/* Work that local search may take where auto ends with it: some hundredths of a second. */
#define LINPRED__LOCAL_SEARCH_WORK 6e7

/* Work of the search of large_scale.h, in entries of rows read: about half a minute on two cores, at 1.2 ns an entry.
   It is counted as passes times (entries + rows). Without a limit, rows that are just separable keep the search going
   for hours. */
#define LINPRED__LARGE_SCALE_WORK 2.5e10

enum {
    /* With more columns and more rows than this, linear programs and exact work take too long (large_scale.h). */
    LINPRED__LARGE_SCALE_COLUMNS = 2000,
    LINPRED__LARGE_SCALE_ROWS = 4000,

    /* Large scale: the perceptron may correct one mistake in so many rows. */
    LINPRED__LARGE_SCALE_FEW_ERRORS = 1000,

    /* Large scale: passes of the perceptron at each try. Rows that it can correct take fewer. */
    LINPRED__LARGE_SCALE_PASSES = 30,

    /* Passes of the perceptron before any linear program. */
    LINPRED__FIRST_PASSES = 2,

    /* Passes of the perceptron where rows are at most four times the columns: such data is often separable and soon
       separated. */
    LINPRED__FIRST_PASSES_FEW_ROWS = 200,

    /* Values that the first passes read; of larger data they read every n-th block. */
    LINPRED__FIRST_VALUES = 1 << 22,

    /* Rows searched for contradictory pairs before any linear program. All rows are searched once a linear program
       finds working rows inseparable. */
    LINPRED__FIRST_CONTRADICTORY = 65536,

    /* Rows that join the working rows in one round, at most. */
    LINPRED__MAX_ROWS_A_ROUND = 2000,

    /* Values of all rows together up to which exact elimination may decide whether carriers span all rows. */
    LINPRED__MAX_SPAN_VALUES = 1 << 23
};

#endif
