/* The limits of the questions about separability. One unit of work is a multiplication, about a nanosecond. A larger
 * limit decides more problems and lets hopeless ones run longer. */
#ifndef LINPRED_SEPARATE_LIMITS_H
#define LINPRED_SEPARATE_LIMITS_H

/* The most work that one question to the exact solvers may take: about a minute. */
#define LINPRED__EXACT_WORK 6e10

/* The most work that strict separation may take on the rows on the hyperplane of a direction: some seconds. If that is
   not enough, the answer is undecided; logistic regression still knows that there is no minimum. */
#define LINPRED__STRICT_WORK 1e10

/* The rows that a direction leaves at 0 are asked for further directions, and proved to overlap, if there are at most
   so many of them times columns²: some seconds, and a proof of some megabytes. */
#define LINPRED__SETTLE_WORK 1e8

/* The most work of the local search at the end of method auto: some hundredths of a second. */
#define LINPRED__LOCAL_SEARCH_WORK 6e7

/* What the local search of method exact may work after a turn of branch and cut, as a share of it: at first and after
   each better halfspace, and least of all, after many turns without one and with a bound near the best cost. */
#define LINPRED__LOCAL_SHARE (1.0 / 3.0)
#define LINPRED__LOCAL_LEAST_SHARE 0.05

/* The work of the team of local searches, divided by that of branch and cut beside it, is this times the relative gap,
   but at most 1. */
#define LINPRED__TEAM_SHARE 2.0
/* The same where branches are explored on all threads, so that no thread would be idle without the team. */
#define LINPRED__TEAM_ROUNDS_SHARE 0.5
/* The work of a turn of branch and cut beside the team: some tenths of a second. Threads wait for each other between
   turns. */
#define LINPRED__TEAM_TURN 3e8

/* The local search at length: its work, a few tenths of a second, which a better halfspace makes longer, up to a few
   seconds; and the work after which it looks at the clock. */
#define LINPRED__LENGTH_WORK 3e8
#define LINPRED__LENGTH_MAX_WORK 3e9
#define LINPRED__LENGTH_SLICE 1e7

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
    LINPRED__MAX_SPAN_VALUES = 1 << 23,

    /* Least squares is a start up to so many columns. With more, its factor, columns³/3 multiplications, takes longer
       than the start saves. */
    LINPRED__START_MAX_COLUMNS = 3000,

    /* The logistic loss is a start by Newton's method with a matrix up to so many columns, else by conjugate
       gradients. */
    LINPRED__START_MATRIX_COLUMNS = 1000,

    /* Largest margin: steps of the solver after which the run is asked whether to stop. */
    LINPRED__MARGIN_SLICE = 2000,

    /* Largest margin: so many rows are all working rows from the start, if they are at most ten times the columns. A
       good part of such rows are support rows, and their products with each other fit in memory. */
    LINPRED__MARGIN_ALL_ROWS = 6000,

    /* With fewer columns rows join in some milliseconds, and passes find few of them at a time. */
    LINPRED__MARGIN_MIN_COLUMNS = 50,

    /* Perceptron: values in a chunk. Scoring them takes some microseconds, enough to be worth a task. */
    LINPRED__WALK_CHUNK_VALUES = 16384,

    /* Perceptron: chunks that the threads score ahead at a time. More use the threads better, but more scores are
       discarded at a mistake. */
    LINPRED__WALK_WINDOW = 64,

    /* Perceptron: updates after which the norm is computed again. Fewer make its bound, which grows with each update,
       tighter, but each takes a pass over the columns. */
    LINPRED__WALK_RENORM = 256,

    /* Perceptron: columns up to which four rows are visited together. They and the next four stay in the nearest cache;
       longer rows take so long to read that waiting for the weights does not count. */
    LINPRED__FOUR_ROWS_COLUMNS = 256,

    /* Perceptron: the typical run of right rows below which four rows are visited together. The products of pairs cost
       half as much again as the scores; a mistake that was not foreseen costs as much as two rows. */
    LINPRED__FOUR_ROWS_RUN = 8,

    /* Pocket: blocks that are counted before the sum is compared with the errors of the pocket. */
    LINPRED__POCKET_BLOCKS = 64,

    /* Pocket: rows that may be read for scoring for each row that the walk visits. */
    LINPRED__POCKET_SCORED_A_ROW = 4,

    /* Pocket: rows that may be read for scoring in any case: about a tenth of a second. */
    LINPRED__POCKET_SCORED_ANYHOW = 1 << 24,

    /* Few mistakes: pocket ends after 10 + 200000 / rows passes without a better halfspace. The second term gives small
       data, whose passes are short, more of them. More passes make the fit slower and rarely find fewer mistakes; the
       values are choices, not measured optima. */
    LINPRED__POCKET_PATIENCE = 10,
    LINPRED__POCKET_PATIENCE_ROWS = 200000,

    /* Local search of method auto: the first descent takes at most so many sweeps over all rows, and each turn after it
       as much work. Few descents need more to reach a local minimum. */
    LINPRED__LOCAL_SWEEPS = 150,

    /* It ends after so many turns without fewer mistakes; more rarely find any. */
    LINPRED__LOCAL_PATIENCE = 50,

    /* If its limit of work allows fewer sweeps, it is not started: it would find little. */
    LINPRED__LOCAL_MIN_SWEEPS = 30,

    /* Rows that a pass with a direction reports: enough to add to working rows in one round, few enough to compare. */
    LINPRED__MAX_REPORTED = 16,

    /* Fewest errors: the number of local searches beside branch and cut. It does not depend on the number of threads,
       so that threads change no answer. */
    LINPRED__TEAM = 4,

    /* Fewest errors: sweeps of each of the first two local searches: more rarely find fewer mistakes. */
    LINPRED__FEWEST_SWEEPS = 200,

    /* Fewest errors: a tree with more multipliers in its leaves is not kept: some ten megabytes of text. */
    LINPRED__MAX_MULTIPLIERS = 1000000
};

/* The relative gap at which the logistic loss is a start: beyond it hardly a row changes sides. */
#define LINPRED__START_LOGISTIC_GAP 1e-7
/* The penalty that gives the loss a minimum where it has none. */
#define LINPRED__START_LOGISTIC_L2 1e-9

/* The most work of conjugate gradients for that start, counted as in LINPRED__LARGE_SCALE_WORK: some seconds. */
#define LINPRED__START_LOGISTIC_WORK 2e9

/* Largest margin: the search ends at this relative gap, because w in doubles can hardly do better. */
#define LINPRED__MARGIN_GAP_WANTED 1e-12

/* Largest margin in rationals: the most rows, rows x columns², and exchanges; a fraction of a second even in extreme
   units. Rounding the multipliers to integers raises the bound by less than 2^-45 of it. */
enum {
    LINPRED__EXACT_MARGIN_ROWS = 100,
    LINPRED__EXACT_MARGIN_WORK = 2000,
    LINPRED__EXACT_MARGIN_STEPS = 1000,
    LINPRED__EXACT_MARGIN_BITS = 45
};

/* Its weights have so many tails at most, and are rounded from so many bits: all that doubles have places for. */
enum { LINPRED__EXACT_TAILS = 39, LINPRED__EXACT_WEIGHT_BITS = 2200 };

/* Its weights, and their products with cells, are below 2 to this power: sums of them stay in the range of doubles. */
enum { LINPRED__EXACT_WEIGHT_EXPONENT = 960 };

/* Largest margin: with a larger relative gap the margin is not called the largest. */
#define LINPRED__MARGIN_GAP_MAX 1e-9

/* Fewest errors: the work of the first turn of branch and cut, some hundredths of a second. */
#define LINPRED__FIRST_TURN 3e7

/* Costs: the largest total in units. Sums of costs are then exact in doubles, and int64 has bits left for fractions of
   units. */
#define LINPRED__COST_MAX_UNITS 0x1p50

/* Costs: the smallest cost allowed, as a share of the total, if costs are rounded down. A smaller one is lost in
   rounding. */
#define LINPRED__COST_MIN_SHARE 0x1p-40

/* Costs: the smallest total allowed. With a smaller one units and multipliers could underflow. */
#define LINPRED__COST_MIN_TOTAL 0x1p-900

#endif
