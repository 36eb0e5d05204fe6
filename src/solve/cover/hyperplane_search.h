/* The rows of a 0-1 problem and the best halfspace known for them.
 *
 *   minimise over w   Σ cost_i over the rows with <w,z_i> <= 0
 *
 * Costs are whole numbers. A row that must be right whatever else is costs more than all others together. Rows are kept
 * in scaled units, columns and rows times powers of two; candidates are offered in these units, and kept only if they
 * are better by signs that are certain.
 */
#ifndef LINPRED_SOLVE_COVER_HYPERPLANE_SEARCH_H
#define LINPRED_SOLVE_COVER_HYPERPLANE_SEARCH_H

#include <stdbool.h>

#include "core/random.h"
#include "linpred/linpred.h"
#include "solve/rows.h"

typedef struct linpred__hyperplane_search {
    const linpred__rows *rows; /* borrowed: z_i as they are */
    const int64_t *cost;       /* borrowed; > 0, in all below 2^60 */
    int64_t total;
    int32_t n;         /* rows, with zero rows left in: they are always wrong */
    int32_t d;         /* columns */
    int32_t *exponent; /* of the columns */
    double *z;         /* n x d: z_ij 2^-exponent_j, times a power of two for each row */
    double *mean;      /* of x, scaled: directions are drawn as if the columns had mean 0 and deviation 1 */
    double *deviation;
    int32_t constant; /* the column of the intercept, -1: none */
    double *best;     /* scaled; best_cost total: none yet */
    int64_t best_cost;
    double *current; /* where wandering stands */
    int64_t current_cost;
    linpred__random random;
    double work; /* multiplications so far, about */
    double *a;   /* scratch: scores, direction, its scores, events of a sweep */
    double *b;
    double *direction;
    double *start;
    double *w;
    double *plain; /* w in the units of the rows */
    struct linpred__crossing *crossing;
} linpred__hyperplane_search;

/* The last column is y (the intercept's) if has_intercept. */
linpred_status linpred__hyperplane_search_open(linpred__hyperplane_search *planes, const linpred__rows *rows,
                                               const int64_t *cost, bool has_intercept, uint64_t seed,
                                               linpred_error *error);
void linpred__hyperplane_search_close(linpred__hyperplane_search *planes);

/* Keeps w (scaled) if it is better than the best; answers whether. */
bool linpred__hyperplane_search_offer(linpred__hyperplane_search *planes, const double *w);
/* The same for w in the units of the rows. */
bool linpred__hyperplane_search_offer_plain(linpred__hyperplane_search *planes, const double *w);
/* The best, in the units of the rows. */
void linpred__hyperplane_search_best(const linpred__hyperplane_search *planes, double *w);

/* Local search from w (scaled), by so many sweeps: the best halfspace on the circle through the current one and a
   direction, exactly, in O(n d + n log n). What it finds is offered; w becomes where it ended, and what that costs, as
   far as rounding can tell, is the answer. */
int64_t linpred__hyperplane_search_improve(linpred__hyperplane_search *planes, double *w, int32_t sweeps);
/* From where it stands a random step, a local search from there, and on from the better of the two: until `work` more
   is done. */
void linpred__hyperplane_search_wander(linpred__hyperplane_search *planes, double work);
/* A start: least squares on the labels, scaled. */
void linpred__hyperplane_search_least_squares(linpred__hyperplane_search *planes, double *w);

#endif
