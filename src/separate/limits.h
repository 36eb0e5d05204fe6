/* The limits of the questions about separability. One unit of work is a multiplication, about a nanosecond. A larger
 * limit decides more problems and lets hopeless ones run longer. */
#ifndef LINPRED_SEPARATE_LIMITS_H
#define LINPRED_SEPARATE_LIMITS_H

/* The most work that one question to the exact solvers may take: about a minute. */
#define LINPRED__EXACT_WORK 6e10

/* The most work that strict separation may take on the rows on the hyperplane of a direction: some seconds. If that is
   not enough, the answer is undecided; logistic regression still knows that there is no minimum. */
#define LINPRED__STRICT_WORK 1e10

/* The most work of the local search at the end of method auto: some hundredths of a second. */
#define LINPRED__LOCAL_SEARCH_WORK 6e7

/* The most work of the search of large_scale.h, counted as passes times (entries + rows): about half a minute on two
   cores, at 1.2 ns an entry. Without a limit, rows that are barely separable keep the search going for hours. */
#define LINPRED__LARGE_SCALE_WORK 2.5e10

enum {
    /* With more columns than this and more rows than the next limit, linear programs and exact arithmetic take too
       long. The search of large_scale.h takes their place. */
    LINPRED__LARGE_SCALE_COLUMNS = 2000,

    /* The limit of rows that goes with it. */
    LINPRED__LARGE_SCALE_ROWS = 4000,

    /* Large scale: the perceptron is tried for the first time once at most one row in so many is a mistake. Earlier
       tries rarely separate the rows and cost passes. */
    LINPRED__LARGE_SCALE_FEW_ERRORS = 1000,

    /* Large scale: the most passes of the perceptron in one try. If it can correct the mistakes, it needs fewer. */
    LINPRED__LARGE_SCALE_PASSES = 30,

    /* Passes of the perceptron before any linear program. They separate easy data; hard data needs a linear program
       anyway, so more passes would be wasted. */
    LINPRED__FIRST_PASSES = 2,

    /* The same if the rows are at most four times the columns: such data is often separable, and passes are short. */
    LINPRED__FIRST_PASSES_FEW_ROWS = 200,

    /* The first passes read about so many values, some milliseconds. Of larger data they read a sample of the
       blocks. */
    LINPRED__FIRST_VALUES = 1 << 22,

    /* So many rows are searched for contradictory rows before any linear program. All rows are searched after a linear
       program has found working rows inseparable. */
    LINPRED__FIRST_CONTRADICTORY = 65536,

    /* The most rows that join the working rows in one round. More make fewer rounds, but larger linear programs. */
    LINPRED__MAX_ROWS_A_ROUND = 2000,

    /* Exact elimination on all rows, which decides whether carriers span them, is tried up to so many values in all. */
    LINPRED__MAX_SPAN_VALUES = 1 << 23
};

#endif
