/* The vertex at which a vertex search stands, and the steps to others (see vertex_search.h).
 *
 * The tableau holds each row as a combination of the d directions. A direction that has a tight row changes the score
 * of no other tight row. A step of length t along direction k adds t times entry k, i to the score of row i. The
 * weights w are rows too: their scores are the halfspace.
 */
#ifndef LINPRED_SOLVE_COVER_VERTEX_STEPS_H
#define LINPRED_SOLVE_COVER_VERTEX_STEPS_H

#include "solve/cover/hyperplane_search.h"

/* Numbers in a vector. */
enum { LINPRED__VERTEX_LANES = 8 };

typedef struct linpred__vertex {
    double *tableau; /* d x width: entry k, i is the share of tight row k in row i; behind the rows the weights */
    double *score;   /* width long: <w,z_i>, then w (scaled), then zeros */
    double *floor;   /* width long: below this a row becomes wrong; -INFINITY: the row is tight, wrong or no row */
    int32_t *tight;  /* d long: the tight rows; -1: this direction is not used yet, or changes no row */
    bool *wrong;     /* n long */
    int64_t cost;    /* of the wrong rows */
} linpred__vertex;

typedef struct linpred__vertex_search {
    linpred__hyperplane_search *search; /* the rows and the best halfspace; borrowed */
    int32_t width;                      /* n + d, rounded up to whole vectors */
    double *bar;                        /* n long */
    int64_t *moved;                     /* n long: the move in which a row became right or wrong */
    int32_t *list;                      /* n long, scratch */
    linpred__vertex at;                 /* where the search stands; tableau NULL: the rows are too large for it */
    linpred__vertex incumbent;          /* the best vertex since the search stood at the best halfspace */
    int64_t known_cost;                 /* of the best halfspace when the search last knew it */
    int64_t allowed;                    /* so many mistakes more than at the incumbent are allowed */
    int64_t moves;                      /* so far */
    int32_t idle;                       /* returns to the incumbent since it was found */
} linpred__vertex_search;

/* Draws new bars and goes from the best halfspace to a vertex at which its right rows are right. This becomes the
   incumbent. False: no halfspace is known, or its scores are no numbers. */
bool linpred__vertex_stand(linpred__vertex_search *s);
void linpred__vertex_copy(linpred__vertex_search *s, const linpred__vertex *from, linpred__vertex *to);
/* Computes the tableau and the scores anew from the tight rows, since rounding errors add up. */
void linpred__vertex_refresh(linpred__vertex_search *s);

/* The longest step along direction k, with this sign, after which all right rows are still right. */
double linpred__vertex_longest_step(const linpred__vertex_search *s, int32_t k, double sign);
/* The right row that ends a step along direction k; -1 if none does. Of rows that end it nearly at the same place it is
   the one that the step changes most. `farthest` gets the length of the step (Harris's ratio test). */
int32_t linpred__vertex_block(linpred__vertex_search *s, int32_t k, double sign, double *farthest);
/* Moves along direction k until row `row` is at its bar, and makes it tight. Wrong rows that get to their bars become
   right. */
void linpred__vertex_step(linpred__vertex_search *s, int32_t k, int32_t row);
void linpred__vertex_set_wrong(linpred__vertex_search *s, int32_t row, bool wrong);

#endif
