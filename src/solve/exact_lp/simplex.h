/* The inside of the exact simplex, shared by dual_simplex.c (changes of basis), price.c (which row is violated) and
 * answer.c (witnesses). Nobody else includes it. */
#ifndef LINPRED_SOLVE_EXACT_LP_SIMPLEX_H
#define LINPRED_SOLVE_EXACT_LP_SIMPLEX_H

#include "core/random.h"
#include "solve/exact_lp/modular_basis.h"
#include "solve/exact_lp/exact_lp.h"

/* Rows here are local: 0 .. anchors-1 are the anchors, then the rows asked about. */
typedef struct linpred__simplex {
    const linpred__exact_question *question;
    linpred__effort *effort;
    linpred__random random;
    int32_t anchors;
    int32_t rows;
    int32_t *global; /* the row's number in the question's view */
    linpred__integral z;
    linpred__modular_basis basis;
    linpred__integers right; /* scratch for right sides, as long as a basis can get */
    linpred__fractions w;    /* by places in J: <w, integer row b> = 1 */
    linpred__fractions alpha;
    double *estimate; /* w by columns, times 2^-scale */
    /* To end soon, something must grow with every change of basis: the value of  minimise <c,w>  for a cost c that is a
       random positive combination of the first basis. */
    linpred__integers cost;        /* c on the integer columns */
    linpred__fractions multiplier; /* mu with c = sum mu_b z_b */
    bool *uncertain;
    int32_t pivots;
    bool decided;
} linpred__simplex;

/* Solves with simplex->right into *x, which is opened anew to the size of the basis. */
linpred_status linpred__simplex_solve(linpred__simplex *s, bool transposed, linpred__fractions *x, bool *solved);
/* A row that w violates, -1 if none. `least`: the first in order (Bland); otherwise the most violated for its size. */
int32_t linpred__simplex_violated(linpred__simplex *s, bool least);
/* Fills the answer from w, or from alpha of a row that nothing positive in the basis stands against. */
linpred_status linpred__simplex_separated(linpred__simplex *s, linpred__exact_answer *answer);
linpred_status linpred__simplex_inseparable(linpred__simplex *s, int32_t row, linpred__exact_answer *answer);

#endif
