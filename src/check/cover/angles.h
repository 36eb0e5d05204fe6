/* Rows as vectors of the plane, sorted by the angles of their lines: what a pencil of hyperplanes is swept with.
 *
 * With f and g orthogonal to the rows that are fixed, row z is the vector (<f,z>, <g,z>). Vectors below the first axis
 * are turned round; `flipped` remembers it. So all angles are at least 0 and less than π.
 */
#ifndef LINPRED_CHECK_COVER_ANGLES_H
#define LINPRED_CHECK_COVER_ANGLES_H

#include "check/cover/row_set.h"

typedef struct linpred__plane_vector {
    int32_t row; /* number of the row in `whole` */
    bool flipped;
    bool exact;          /* x and y are exact */
    double x, y;         /* as computed; of a flipped row they have the opposite sign */
    double off_x, off_y; /* bounds of their errors */
} linpred__plane_vector;

typedef struct linpred__plane {
    const linpred__row_set *set;
    mpz_t *f, *g;                  /* orthogonal to the rows that are fixed */
    double *fd, *gd;               /* the same, rounded */
    linpred__plane_vector *vector; /* of the rows that do not depend on those that are fixed, in the order of the set */
    int32_t vectors;
    int32_t *order; /* the vectors by their angles */
    int8_t *turn;   /* beside `order`: 0 if the angle is that of the vector before, 1 if it is larger */
    /* scratch */
    int32_t *merged;
    uint64_t *key; /* two for each vector */
    mpz_t *number;
} linpred__plane;

/* False: out of memory. In any case linpred__plane_close releases what there is. */
bool linpred__plane_open(const linpred__row_set *set, linpred__plane *plane);
void linpred__plane_close(linpred__plane *plane);

/* Fixes columns - 2 rows of `whole`. Returns 1; 0 if they are dependent; -1: out of memory. */
int linpred__plane_turn(linpred__plane *plane, const int32_t *through);
/* Makes the vectors of all rows of the set. Those that depend on the rows that are fixed have none, and are written to
   `dependent`. Returns how many these are. */
int32_t linpred__plane_take_rows(linpred__plane *plane, int32_t *dependent);
void linpred__plane_sort(linpred__plane *plane);

/* The vector in place i by the angles. */
static inline const linpred__plane_vector *linpred__plane_at(const linpred__plane *plane, int32_t i)
{
    return &plane->vector[plane->order[i]];
}

#endif
