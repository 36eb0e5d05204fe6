/* The rows of a 0-1 problem, the best known halfspace, and a local search for a better one.
 *
 *   minimise over w   Σ { cost_i : <w,z_i> <= 0 }
 *
 * Costs are whole numbers. A row on which no mistake is allowed has a cost larger than all other costs together.
 *
 * Rows are stored scaled: columns and rows are multiplied by powers of two. A candidate w for the scaled rows replaces
 * the best one only if certified signs show that it costs less. The cost is that of the w that
 * linpred__hyperplane_search_best writes, also if unscaling loses bits. Integers that cost less than all doubles that
 * were found may take the place of the best w.
 */
#ifndef LINPRED_SOLVE_COVER_HYPERPLANE_SEARCH_H
#define LINPRED_SOLVE_COVER_HYPERPLANE_SEARCH_H

#include <stdbool.h>

#include "core/random.h"
#include "linpred/linpred.h"
#include "num/integers.h"
#include "solve/rows.h"

typedef struct linpred__hyperplane_search {
    const linpred__rows *rows;          /* z_i, not scaled; borrowed */
    const int64_t *cost;                /* cost of a mistake on each row; > 0, the sum is below 2^60; borrowed */
    int64_t total;                      /* sum of all costs */
    int32_t n;                          /* rows; rows of zeros are among them and are always mistakes */
    int32_t d;                          /* columns */
    int32_t *exponent;                  /* scaled column j = column j times 2^-exponent[j] */
    double *z;                          /* n x d: the scaled rows, the largest entry of each in [1/2, 1) */
    double *mean;                       /* mean of each scaled feature x_j, 0 without an intercept */
    double *deviation;                  /* standard deviation of each scaled feature; 1 for the intercept */
    int32_t constant;                   /* the column of the intercept, -1 if there is none */
    double *best;                       /* the best w, scaled; it is 0 while best_cost is `total` */
    int64_t best_cost;                  /* its cost, by certified signs; if there are integers, theirs */
    linpred__integers integers;         /* for the rows that are not scaled; empty: `best` costs as little */
    double *current;                    /* the w at which the iterated local search stands, scaled */
    int64_t current_cost;               /* its cost */
    linpred__random random;             /* for directions and ties */
    double work;                        /* estimated multiplications so far */
    double *a;                          /* n long, scratch: scores of w */
    double *b;                          /* n long, scratch: scores of the direction */
    double *direction;                  /* d long, scratch */
    double *start;                      /* d long, scratch: the start of a local search */
    double *w;                          /* d long, scratch */
    double *unscaled;                   /* d long, scratch: w for the rows that are not scaled */
    struct linpred__crossing *crossing; /* n long, scratch: the crossings of a sweep */
} linpred__hyperplane_search;

/* If has_intercept, the last column of the rows is the label y, the entry of the intercept. */
linpred_status linpred__hyperplane_search_open(linpred__hyperplane_search *search, const linpred__rows *rows,
                                               const int64_t *cost, bool has_intercept, uint64_t seed,
                                               linpred_error *error);
void linpred__hyperplane_search_close(linpred__hyperplane_search *search);

/* Makes w (scaled) the best if it costs less than the best. Returns whether it did. */
bool linpred__hyperplane_search_offer(linpred__hyperplane_search *search, const double *w);
/* The same for a w for the rows that are not scaled. */
bool linpred__hyperplane_search_offer_unscaled(linpred__hyperplane_search *search, const double *w);
/* The best w, for the rows that are not scaled. */
void linpred__hyperplane_search_best(const linpred__hyperplane_search *search, double *w);

/* Local search from w (scaled). Each of `sweeps` sweeps draws a direction and moves to the best halfspace on the circle
   through w and the direction, in O(n d + n log n). Every improvement is offered. w becomes the last halfspace. Returns
   its cost up to rounding, or INT64_MAX if no sweep was done. */
int64_t linpred__hyperplane_search_descend(linpred__hyperplane_search *search, double *w, int32_t sweeps);
/* Iterated local search: takes a random step from the current w, does a local search from there, and makes its end the
   current w unless it costs more. Repeats until `work` more multiplications are done. */
void linpred__hyperplane_search_iterate(linpred__hyperplane_search *search, double work);
/* A start for the local search: the scaled w of least squares on the labels. With more than 400 columns it is the sum
   of the rows, each times its cost. */
void linpred__hyperplane_search_least_squares(linpred__hyperplane_search *search, double *w);

#endif
