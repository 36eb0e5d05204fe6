/* A search for a halfspace of small cost by a smooth loss in place of the count of mistakes.
 *
 *   minimise over v   Σ weight_i φ(<v,r_i> / T),   φ(t) = (1 - t / √(1 + t²)) / 2
 *
 * Here r_i are the rows of the local search with standardised features. As T falls to 0, the sum becomes the cost of
 * the mistakes. So the search follows a minimum from a large T to a small one. It is iterated: with weights drawn at
 * random, or with more weight on a few mistakes, the search first leaves the minimum at which it stands, then it
 * descends with the true costs. Where columns are many this finds halfspaces that circles through two directions, as in
 * hyperplane_search.h, do not reach.
 *
 * φ needs only + - * / and square roots, so that every machine finds the same halfspace.
 */
#ifndef LINPRED_SOLVE_COVER_SMOOTH_SEARCH_H
#define LINPRED_SOLVE_COVER_SMOOTH_SEARCH_H

#include "solve/cover/hyperplane_search.h"
#include "solve/limits.h"

typedef struct linpred__smooth_search {
    linpred__hyperplane_search *search; /* the rows and the best halfspace; borrowed */
    int32_t width;                      /* d, rounded up to whole vectors */
    double *row;                        /* n x width: r_i, then zeros */
    double *cost;                       /* n long: the cost of each row as a share of the mean */
    double *weight;                     /* n long: of the sum that is minimised now */
    double *score;                      /* n long: <v,r_i>; also scratch for their median */
    double *current;                    /* width long: the v at which the iterated search stands */
    int64_t current_cost;               /* its cost */
    int64_t known_cost;                 /* of the best halfspace when the search last stood there */
    int32_t idle;                       /* iterations since */
    double work_limit;                  /* the search->work at which this iteration is cut short */
    double *v;                          /* width long: the v that moves */
    double *trial;                      /* width long: the next v */
    double *gradient;                   /* width long: at v */
    double *trial_gradient;             /* width long: at the next v */
    double *direction;                  /* width long: of the step */
    double *step;                       /* LINPRED__SMOOTH_PAIRS x width: the last steps */
    double *change;                     /* LINPRED__SMOOTH_PAIRS x width: what each changed the gradient by */
} linpred__smooth_search;

linpred_status linpred__smooth_search_open(linpred__smooth_search *smooth, linpred__hyperplane_search *search,
                                           linpred_error *error);
void linpred__smooth_search_close(linpred__smooth_search *smooth);
/* Iterates from the best halfspace until `work` more multiplications are done, and offers what costs less. False: there
   is no start, since half of the rows or more are on the best hyperplane. */
bool linpred__smooth_search_iterate(linpred__smooth_search *smooth, double work);

#endif
