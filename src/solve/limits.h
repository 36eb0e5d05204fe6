/* Limits of src/solve. A limit on work ends in an honest "undecided" or in another way to the answer, never in a wrong
 * one.
 */
#ifndef LINPRED_SOLVE_LIMITS_H
#define LINPRED_SOLVE_LIMITS_H

enum {
    /* Rows in an exact basis. Sums of 4096 products of 54 and 60 bits still fit in 128 bits. */
    LINPRED__BASIS_LARGEST = 4096,
    /* Changes of an exact basis that begins at the floating-point answer. If it takes more, that answer was wrong, and
       another start is better. */
    LINPRED__FEW_PIVOTS = 15,
    /* Changes of an exact basis before Bland's rule takes over, plus 20 for each row of the basis. Bland's rule always
       ends, but slowly. */
    LINPRED__PIVOTS_BEFORE_BLAND = 2000,
    /* Times that two_way adds the rows its answer gets wrong and asks again, before it takes all rows. */
    LINPRED__CLOSER_LOOKS = 4,
    /* Iterations of CLP between two questions whether to stop: some milliseconds. */
    LINPRED__LP_SLICE = 400,
    /* Slices of one linear program: 800,000 iterations, far beyond what working rows need. */
    LINPRED__LP_MAX_SLICES = 2000,
    /* The same for the covering program, which is asked less often whether to stop. */
    LINPRED__COVER_SLICE = 2000,
    LINPRED__COVER_MAX_SLICES = 500,
    /* Iterations for one inseparable subset. A subset that takes longer is given up, and the tree branches instead. */
    LINPRED__ALTERNATIVE_ITERATIONS = 5000,
    /* Branches of the tree for the fewest errors: some gigabytes of memory. */
    LINPRED__MAX_BRANCHES = 400000,
    /* Rows that may join the active set of a least-distance problem while the dual value rises by less than its
       rounding. */
    LINPRED__ROWS_WITHOUT_RISE = 100,
    /* Rounds of iterative refinement. Each gains several digits, unless the factor is too rough for any. */
    LINPRED__REFINEMENT_ROUNDS = 40
};

/* Bytes that GNU MP may be asked for in one exact solution. It aborts when memory is out, so the size is bounded first.
 */
static const double linpred__max_gmp_bytes = 2e9;

#endif
