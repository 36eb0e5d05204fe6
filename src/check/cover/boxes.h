/* Whether no halfspace costs less than a limit, by dividing the space of halfspaces into boxes. It is for few columns.
 *
 * Every halfspace is a direction w, a point of the surface of the cube max |w_j| = 1. On a box with centre c and half
 * widths h every score <w,z> is at most <c,z> + Σ h_j |z_j|. If that is negative, the row is wrong on the whole box. A
 * box on which such rows cost the limit or more holds no halfspace that costs less. Any other box is halved. A row that
 * is right on the whole box is left out, which can only lower what is proved.
 *
 * Where many rows meet in one halfspace, no box around it decides them, however small. Then the rows that are undecided
 * are a question of their own: do they cost what is missing in any halfspace, in the box or not? Pencils answer it, or,
 * since such rows have a smaller rank, boxes with fewer entries.
 *
 * Scores are doubles with a bound of all their rounding. Nothing here is taken from the search.
 */
#ifndef LINPRED_CHECK_COVER_BOXES_H
#define LINPRED_CHECK_COVER_BOXES_H

#include "check/cover/pencils.h"

typedef enum linpred__boxes_say {
    LINPRED__BOXES_PROVE, /* no halfspace costs less than the limit */
    LINPRED__BOXES_OPEN,  /* one may: one was not excluded, or that would take too long */
    LINPRED__BOXES_NO_MEMORY
} linpred__boxes_say;

/* Goes on until about max_signs signs of scores are found. The answer depends neither on threads nor on time. */
linpred__boxes_say linpred__divide_halfspaces(const linpred__row_set *set, linpred__pool *pool, int64_t limit,
                                              double max_signs);

/* box_rows.c: the rows as boxes see them. The columns are centred and scaled, which is a linear map of the space, and
   then each row is divided by the sum of its |z_j|. Neither changes which sets of rows a halfspace can get wrong. */
enum { LINPRED__CHECKED_BOX_COLUMNS = 16 };

typedef struct linpred__checked_rows {
    int32_t n;
    int32_t columns;                             /* independent */
    double *z;                                   /* row by row */
    int32_t *row;                                /* the number of each row in `whole` */
    int64_t *cost;                               /* of a mistake on each */
    double tolerance;                            /* no score is off by more, however often its box was halved */
    double weight[LINPRED__CHECKED_BOX_COLUMNS]; /* Σ_i |z_ij| */
} linpred__checked_rows;

/* Makes the doubles. set->columns is the rank. Returns false if memory runs out. */
bool linpred__checked_rows_open(const linpred__row_set *set, linpred__checked_rows *rows);
void linpred__checked_rows_close(linpred__checked_rows *rows);

/* Rows with opposite z: every halfspace gets one of them wrong. Sets *always to what such rows cost, with rows of
   zeros, and writes to `row` (ascending) and `cost` (by number in `whole`) what is left. Returns the number of rows
   left; -1: out of memory. */
int32_t linpred__cancel_opposites(const linpred__row_set *set, int32_t *row, int64_t *cost, int64_t *always);

#endif
