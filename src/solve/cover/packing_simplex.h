/* The largest packing of the known subsets: the dual of the covering program of cover.h, by the simplex method.
 *
 *   maximise  Σ_S y_S   subject to   Σ_{S ∋ i} y_S <= cost_i for every free row i,  y >= 0
 *
 * Subsets with a row that is given up have y_S = 0, and rows that are kept have no constraint. The dual values of the
 * constraints are the solution x of the covering program.
 *
 * A basis holds k subsets, k tight rows, and the slacks of all other rows. With A the k x k matrix of which subset has
 * which tight row, y = A⁻¹ cost and x = 1ᵀA⁻¹ on the tight rows, and x = 0 on the others. Only A⁻¹ is kept, as a dense
 * matrix: a step costs about k² multiplications and k looks at subsets. Every branch starts from y = 0, which is always
 * allowed; the subsets of its parent's packing enter first. In a branch subsets only ever join, so that the last y
 * remains allowed.
 *
 * Costs are lowered by about 1e-10 of themselves, each a little differently, so that no two constraints become tight at
 * the same step and the method does not cycle.
 */
#ifndef LINPRED_SOLVE_COVER_PACKING_SIMPLEX_H
#define LINPRED_SOLVE_COVER_PACKING_SIMPLEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The subsets, as in cover.h; all is borrowed. */
typedef struct linpred__subsets {
    int32_t count;
    const int64_t *start;
    const int32_t *row;
} linpred__subsets;

typedef struct linpred__packing_simplex {
    int32_t n;           /* rows */
    const double *lower; /* n long: 1 on rows that are given up, else 0; borrowed */
    const double *upper; /* n long: 0 on rows that are kept, else 1; borrowed */
    double *cost;        /* n long: the lowered costs */
    int32_t basics;      /* k: the subsets in the basis, and the tight rows */
    int32_t *subset;     /* k long: the subset at each place of the basis */
    double *y;           /* k long: its value */
    int32_t *tight;      /* k long: the tight rows */
    double *inverse;     /* column j of A⁻¹, which belongs to row tight[j], begins at j n */
    int32_t *state;      /* n long: the place of a tight row in `tight`, SLACK if the row is not tight, or IGNORED */
    double *slack;       /* n long: what the packing leaves of the cost of a row that is not tight */
    double *x;           /* n long: the dual values; huge on rows that are given up, 0 on those that are kept */
    double *direction;   /* scratch: how fast the y of each place falls as the variable enters */
    double *fall;        /* n long, scratch: how fast the slack of each row falls as the variable enters */
    double *factor;      /* scratch: for each tight row how many times `direction` its column loses */
    int32_t *place;      /* scratch: the places whose subset has the leaving row */
    int32_t *list;       /* scratch: the subsets of the basis that is made anew */
    int32_t *near;       /* the subsets that x covered by little or not at all when all were last priced */
    int32_t nears;       /* length of `near` */
    size_t capacity;     /* allocated length of `near` */
    int32_t steps;       /* since the last start from y = 0 */
    double work;         /* estimated multiplications so far */
} linpred__packing_simplex;

/* False: out of memory. */
bool linpred__packing_simplex_open(linpred__packing_simplex *simplex, int32_t n, const double *cost,
                                   const double *lower, const double *upper);
void linpred__packing_simplex_close(linpred__packing_simplex *simplex);
/* Returns to y = 0, for the branch that `lower` and `upper` now hold. Then the `count` subsets `first` are taken in as
   far as they enlarge the packing. */
void linpred__packing_simplex_begin(linpred__packing_simplex *simplex, const linpred__subsets *subsets, int32_t count,
                                    const int32_t *first);
/* Does `steps` steps or a few more. Returns whether the packing is the largest. Every subset must have a row that is
   not kept. */
bool linpred__packing_simplex_run(linpred__packing_simplex *simplex, const linpred__subsets *subsets, int32_t steps);

#endif
