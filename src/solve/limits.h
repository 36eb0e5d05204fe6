/* Limits of src/solve. A solver that reaches a limit on work answers "undecided" or tries another method. It never
 * gives a wrong answer because of a limit.
 */
#ifndef LINPRED_SOLVE_LIMITS_H
#define LINPRED_SOLVE_LIMITS_H

enum {
    /* Rows in an exact basis. 4096 products of 54 and 60 bits add up to less than 2^126, so dixon.c can add them in
       signed 128-bit integers. */
    LINPRED__MAX_BASIS_ROWS = 4096,
    /* Pivots of the exact simplex that begins at the basis of the floating-point program. A basis that is right up to
       rounding needs a few. If it needs more, a second floating-point program in better coordinates is cheaper than
       exact pivots. */
    LINPRED__MAX_PIVOTS_FROM_LP = 15,
    /* Pivots before Bland's rule, plus 20 for each row of the basis. The rule of the most violated row needs far fewer
       pivots, but it may cycle in theory. Bland's rule never cycles. The limit only has to be beyond the pivots that
       the first rule needs when it does not cycle. */
    LINPRED__PIVOTS_BEFORE_BLAND = 2000,
    /* Times that working/two_way.c solves the linear program again in the coordinates of the exact basis, before it
       runs the exact simplex without a limit. Each change resolves differences that are about 2^-50 times smaller than
       before. The number 4 was not measured: more changes delay the exact simplex, which always decides. */
    LINPRED__MAX_COORDINATE_CHANGES = 4,
    /* Iterations of CLP between two calls of `stop`: some milliseconds on a few thousand rows. */
    LINPRED__LP_SLICE = 400,
    /* Slices of one linear program: 800,000 iterations. The limit only ends a program on which CLP cycles. */
    LINPRED__LP_MAX_SLICES = 2000,
    /* Steps of the covering program between two calls of `stop`: some milliseconds. */
    LINPRED__COVER_SLICE = 500,
    /* Slices of one covering program: 1,000,000 steps. At the limit its last multipliers are used; they prove a
       weaker bound. */
    LINPRED__COVER_MAX_SLICES = 2000,
    /* Steps after which the inverse of its basis is made anew from y = 0. */
    LINPRED__PACKING_REFRESH = 500,
    /* Iterations to find one inseparable subset. If they do not suffice, no subset is found, and the tree branches. */
    LINPRED__ALTERNATIVE_ITERATIONS = 5000,
    /* Branches of the tree for the fewest errors. The tree takes about a gigabyte if each leaf has some hundred
       multipliers of 12 bytes. */
    LINPRED__MAX_BRANCHES = 400000,
    /* Rows that may join the active set of a least-distance problem one after another without a rise of the dual value.
       A single rise may be smaller than the rounding of the value. A hundred without a rise are taken as a cycle. */
    LINPRED__ROWS_WITHOUT_RISE = 100,
    /* Rounds of iterative refinement in a least-distance problem. A round that gains less than 2 bits ends the
       refinement, so 40 rounds gain 80 bits or more. */
    LINPRED__REFINEMENT_ROUNDS = 40,
    /* Square systems with fewer equations than this are solved by QR in double-double, in a millisecond. Larger ones
       are refined. */
    LINPRED__REFINED_SYSTEM = 24,
    /* Least distance: with fewer rows than this, or with fewer violated rows than the next, the rows join one by one in
       some milliseconds, and no active set is proposed. */
    LINPRED__PROPOSAL_MIN_ROWS = 64,
    LINPRED__PROPOSAL_MIN_VIOLATED = 32,
    /* Rows from which block pivoting starts, at least. From fewer, all rows of one label join, then all of the other,
       until it gives up; single multipliers are a better start. */
    LINPRED__PROPOSAL_MIN_START = 8,
    /* Rows times columns from which on all threads work on the active rows: a tenth of a millisecond. */
    LINPRED__DISTANCE_SHARED_WORK = 1 << 16,
    /* Columns of a task that adds rows up: their sums, 2 KB, stay in the first cache. */
    LINPRED__DISTANCE_COLUMNS = 128,
    /* With more rows than this, their products would take more than half a gigabyte. */
    LINPRED__PROPOSAL_MAX_ROWS = 8192,
    /* Changes of single multipliers for each row, at most. Rows that are not many more than the columns need 3 to 10.
     */
    LINPRED__PROPOSAL_CHANGES = 20,
    /* Rounds of block pivoting without fewer changes than before; then the proposal is dropped. */
    LINPRED__PROPOSAL_PATIENCE = 5,
    /* Least distance: rows times columns of an interior point method, which holds a copy of the rows: a quarter of
       a gigabyte. */
    LINPRED__INTERIOR_VALUES = 1 << 25,
    /* Steps of the interior point method. It takes 15 to 20; more mean that it fails. */
    LINPRED__INTERIOR_STEPS = 30,
    /* Columns of a tile of X'QX: a task of some milliseconds. With few columns tiles are narrower, down to the second
       number, so that there are four at least: threads share them, and less is computed above the diagonal. */
    LINPRED__NORMAL_TILE = 64,
    LINPRED__NORMAL_MIN_TILE = 16,
    /* Rows of a tile of products: a task of some milliseconds. */
    LINPRED__PRODUCTS_TILE = 128,
    /* Inseparable subsets that are searched for between two covering programs. More subsets need fewer programs, but
       the prices get stale. */
    LINPRED__COVER_SUBSETS = 10,
    /* Covering programs in a branch other than the root. Beyond that, branching gains more than further subsets. */
    LINPRED__COVER_ROUNDS = 5,
    /* Covering programs in succession that close less than 1/500 of the gap each; then the branch is divided. */
    LINPRED__COVER_STALLED = 8,
    /* Explorers of branches at the same time, and the most leaves of each in a round. They do not depend on the number
       of threads, so that threads change no answer. */
    LINPRED__EXPLORERS = 4,
    LINPRED__EXPLORER_LEAVES = 8,
    /* Sweeps of the local search from a halfspace that the alternative proposes. */
    LINPRED__COVER_SWEEPS = 30,
    /* Multipliers of a cover are multiples of 2^-20, if total · 2^20 is below 2^61. */
    LINPRED__COVER_BITS = 20,
    /* Sweeps of each local search in linpred__hyperplane_search_iterate. More sweeps go deeper from one start, fewer
       allow more starts. */
    LINPRED__HYPERPLANE_SWEEPS = 150,
    /* Smooth search: pairs of steps and changes of the gradient that give the next direction. */
    LINPRED__SMOOTH_PAIRS = 6,
    /* Smooth search: steps at one temperature, and lengths that are tried for a step. */
    LINPRED__SMOOTH_STEPS = 60,
    LINPRED__SMOOTH_TRIES = 6,
    /* Smooth search: after so many iterations without a better halfspace it returns to the best one. */
    LINPRED__SMOOTH_PATIENCE = 50,
    /* Smooth search: one iteration in so many may end at a cost that is higher by one row. */
    LINPRED__SMOOTH_WORSE = 4,
    /* Smooth search: the mean number of mistakes that are stressed, and how many times as much these count. */
    LINPRED__SMOOTH_STRESSED = 4,
    LINPRED__SMOOTH_STRESS = 10,
    /* Vertex search: a row that became right stays so for this many moves, one that became wrong for up to twice as
       many. */
    LINPRED__VERTEX_TABU = 3,
    /* Vertex search: up to so many mistakes more than at the best vertex are allowed. */
    LINPRED__VERTEX_MORE_MISTAKES = 6,
    /* Vertex search: the most steps of a move. Few moves take more than thirty. */
    LINPRED__VERTEX_STEPS = 100,
    /* Vertex search: the moves after which its tableau is computed anew. */
    LINPRED__VERTEX_REFRESH = 50,
    /* Vertex search: after so many returns to the best vertex it begins again with new bars. */
    LINPRED__VERTEX_PATIENCE = 1000,
    /* Columns for which least squares is a start of the local search. Its n d² multiplications would be a large part of
       the search beyond. */
    LINPRED__HYPERPLANE_START_COLUMNS = 400
};

/* Bytes that GNU MP may need for one exact solution. GNU MP aborts the process if memory runs out, so dixon.c bounds
   the size first, and a solution beyond 2 GB is left undecided. */
static const double linpred__max_gmp_bytes = 2e9;

/* A subset joins the packing if it enlarges it by more than this for each unit; smaller gains may be rounding errors.
 */
#define LINPRED__PACKING_GAIN 1e-8

/* After so much work in a round an explorer takes no further leaf: some hundredths of a second. */
#define LINPRED__EXPLORER_WORK 5e7

/* Between two looks at all subsets, steps look only at those whose sum of x was below 1.3 at the last one. */
#define LINPRED__PACKING_NEAR (-0.3)

/* A subset counts as covered if the solution of the covering program covers it so far: the tolerance above on its sum,
   with a wide margin. */
#define LINPRED__COVERED_ENOUGH (1.0 - 1e-6)

/* Least distance: a row with <z_i,w> < 1 minus this is violated. So much residual of an active row is accepted too, if
   refinement cannot reduce it further. */
#define LINPRED__DISTANCE_VIOLATION 0x1p-46

/* Square systems: refinement ends when x changes by less than this part of its largest entry; a few digits above the
   rounding of double-doubles. */
#define LINPRED__REFINED_ENOUGH 0x1p-98

/* Square systems: with many equations the rounding of the residual ends refinement earlier. Then this is enough: four
   digits less than QR in double-double would give. */
#define LINPRED__REFINED_AT_LEAST 0x1p-84

/* Least distance: multipliers are changed one by one until the values of all rows are right within this. Block pivoting
   then takes 3 to 5 rounds; with a smaller number it takes one or two less. */
#define LINPRED__PROPOSAL_MISS 0.3

/* Least distance: the diagonal of the products is enlarged by this part of its mean, so that rows that depend on each
   other have a factor too. */
#define LINPRED__PROPOSAL_RIDGE 1e-12

/* Least distance: with a start w, b, rows whose value is within this part of the smallest value are its support. */
#define LINPRED__PROPOSAL_NEAR 1e-5

/* Least distance: a row with a value below 1 minus this joins in block pivoting: some digits above rounding. */
#define LINPRED__PROPOSAL_VIOLATION 1e-9

/* Least distance: with a row so short, as a part of the mean squared length, no active set is proposed. */
#define LINPRED__PROPOSAL_MIN_SHARE 1e-12

/* Least distance: the interior point method ends at this relative gap, with all rows right within the next number.
   Block pivoting then takes one or two rounds; from 1e-3 it can fail. */
#define LINPRED__INTERIOR_GAP 1e-7
#define LINPRED__INTERIOR_MISS 1e-6

/* Least distance: the part of the way to the boundary that a step of the interior point method goes. */
#define LINPRED__INTERIOR_STEP 0.995

/* Least distance: active rows have |<z_i,w> - 1| below this after each step. */
#define LINPRED__DISTANCE_STEP_ACCURACY 0x1p-44

/* Least distance: they have it below this at the end, if double-doubles allow it. */
#define LINPRED__DISTANCE_FINAL_ACCURACY 0x1p-100

/* A column that depends on at most this many others has 0 for all the rest in its null vector. More are rare, and
   finding them again costs the square of their number. */
enum { LINPRED__NULL_VECTOR_PARTS = 16 };
/* Numbers beyond 2 to this exponent, or below its inverse, are brought to a size near 1 before a QR in double-double
   squares them: the square and its rounding error then stay in the range of doubles. */
enum { LINPRED__QR_FAR_EXPONENT = 400 };
/* The rounding error of a unit vector that went through a QR in double-double, from above: some hundred operations. */
#define LINPRED__DD_QR_ROUNDING 0x1p-96

/* Smooth search: a step that lowers the loss by less than this part of it is the last one at its temperature. */
#define LINPRED__SMOOTH_LITTLE 1e-4

/* Smooth search: the largest temperature, where the median of |<v,r_i>| is 1, and where it ends; the first one of an
   iteration is the largest, its half or its quarter. From above, the search forgets where it stood; from below, it
   hardly leaves. */
#define LINPRED__SMOOTH_TEMPERATURE 0.06
#define LINPRED__SMOOTH_LAST_TEMPERATURE 0.004

/* Smooth search: an iteration that takes more work is cut short, so that the caller can look at the clock: some tenths
   of a second. */
#define LINPRED__SMOOTH_MAX_WORK 1e8

/* Smooth search: the most that a row counts, in mean costs: a row that must be right is not to hide all others. */
#define LINPRED__SMOOTH_MAX_COST 100.0

/* Vertex search: an entry of the tableau whose size is at most this counts as 0. */
#define LINPRED__VERTEX_PIVOT 1e-7

/* Vertex search: a right row may be below its bar, which is between 1 and 2, by this. */
#define LINPRED__VERTEX_OVER 1e-9

/* Vertex search: right rows nearer to the best hyperplane than this part of the mean distance count as wrong at first.
   They would make all scores large. */
#define LINPRED__VERTEX_NEAREST 1e-6

/* Vertex search: the weight of chance in the choice of the row that becomes wrong, in mistakes. */
#define LINPRED__VERTEX_CHANCE 0.3

/* Vertex search: what the choice of a row that became right lately costs, in mistakes. */
#define LINPRED__VERTEX_PENALTY 3.0

/* Vertex search: the work of changing an entry of the tableau, which is done in vectors. */
#define LINPRED__VERTEX_ENTRY_WORK 0.4

/* Vertex search: it does not start where the steps to its first vertex, one for each column, would take more work, some
   hundredths of a second: few moves would follow before the caller looks at the clock. */
#define LINPRED__VERTEX_MAX_WORK 5e7

#endif
