/* The state of the exact simplex. dual_simplex.c changes the basis, price.c finds violated rows, answer.c makes
 * witnesses. No other file includes this header.
 *
 * The pivots minimise <c,w> subject to <w,z_i> >= 1. The cost c is a random positive combination of the rows that
 * joined the basis without replacing another (anchors aside). So c = Σ mu_b z_b, with mu > 0 at first on rows that are
 * no anchors. When row i replaces row b, mu stays >= 0 and the value <c,w> = Σ mu_b rises by (mu_b / alpha_b) (1 -
 * <w,z_i>). That is positive unless mu_b = 0, so hardly any basis can come back.
 */
#ifndef LINPRED_SOLVE_EXACT_LP_SIMPLEX_H
#define LINPRED_SOLVE_EXACT_LP_SIMPLEX_H

#include "core/random.h"
#include "solve/exact_lp/modular_basis.h"
#include "solve/exact_lp/exact_lp.h"

/* Row numbers are local: 0 .. anchors-1 are the anchors, the rows asked about follow. The integer rows are those of
   integral_rows.h. */
typedef struct linpred__simplex {
    const linpred__exact_question *question;
    linpred__effort *effort;
    linpred__random random;        /* for the cost; its seed is fixed, so answers are reproducible */
    int32_t anchors;               /* number of anchors */
    int32_t rows;                  /* anchors and rows asked about */
    int32_t *global;               /* the number of each local row in the question's view */
    linpred__integral z;           /* the local rows as integers */
    linpred__modular_basis basis;  /* B and J, with the inverse modulo a prime */
    linpred__integers right;       /* scratch for right sides, as long as the largest possible basis */
    linpred__fractions w;          /* by places in J: <w, integer row b> = 1, and 0 on anchors */
    linpred__fractions alpha;      /* by places in B: the row last expressed is Σ alpha_b z_b */
    double *estimate;              /* w in floating point, one value for each column (price.c has the scale) */
    linpred__integers cost;        /* c, one integer for each column of z */
    linpred__fractions multiplier; /* by places in B: mu with c = Σ mu_b z_b */
    bool *uncertain;               /* scratch: rows whose violation floating point cannot decide */
    int32_t pivots;                /* rows replaced so far */
    bool decided;                  /* the answer is filled */
} linpred__simplex;

/* Solves A x = s->right, or x A = s->right if transposed. *x is allocated anew with the size of the basis. *solved is
   false if the effort ran out. */
linpred_status linpred__simplex_solve(linpred__simplex *s, bool transposed, linpred__fractions *x, bool *solved);
/* Returns a row that w violates, -1 if there is none. With `bland` it is the first such row, otherwise the row most
   violated for its size. */
int32_t linpred__simplex_violated(linpred__simplex *s, bool bland);
/* Fills the answer SEPARATED from s->w. */
linpred_status linpred__simplex_separated(linpred__simplex *s, linpred__exact_answer *answer);
/* Fills the answer INSEPARABLE from s->alpha of `row`. Only anchors may have a positive alpha. */
linpred_status linpred__simplex_inseparable(linpred__simplex *s, int32_t row, linpred__exact_answer *answer);

#endif
