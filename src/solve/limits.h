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
    /* Iterations of the covering program between two calls of `stop`. Its rows have a few entries each, so an iteration
       is cheaper than one on working rows. */
    LINPRED__COVER_SLICE = 2000,
    /* Slices of one covering program: 1,000,000 iterations. At the limit its last multipliers are used; they prove a
       weaker bound. */
    LINPRED__COVER_MAX_SLICES = 500,
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
    LINPRED__REFINEMENT_ROUNDS = 40
};

/* Bytes that GNU MP may need for one exact solution. GNU MP aborts the process if memory runs out, so dixon.c bounds
   the size first, and a solution beyond 2 GB is left undecided. */
static const double linpred__max_gmp_bytes = 2e9;

#endif
