/* The smallest cost of mistakes, by trying all hyperplanes. It is for few columns.
 *
 * Let the signed rows z have rank k. A halfspace of smallest cost can be turned until its hyperplane contains k-1
 * independent rows; no row that ends up off the hyperplane changes sides meanwhile. So
 *
 *     min cost = min over hyperplanes through k-1 independent rows, and over both orientations, of
 *                cost of the rows on the wrong side + min cost of the rows on the hyperplane.
 *
 * The last term is the same problem with one dimension less: a coordinate in which the normal is not 0 is dropped.
 */
#ifndef LINPRED_PASS_HYPERPLANES_H
#define LINPRED_PASS_HYPERPLANES_H

#include <gmp.h>

#include "core/threads.h"
#include "data/data.h"

/* The signed rows as integers: each column is multiplied by a power of two. */
typedef struct linpred__grid {
    int32_t rows;
    int32_t columns;
    mpz_t *z;            /* rows x columns, row by row */
    const int64_t *cost; /* of a mistake on each row */
} linpred__grid;

/* hyperplanes_exact.c: integer arithmetic only. The functions set *failed if memory runs out. */

/* The smaller of `limit` and the smallest cost of these rows in these columns. */
int64_t linpred__grid_min_cost(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *column,
                               int32_t columns, int64_t limit, bool *failed);
/* The smaller of `limit` and the smallest cost of a halfspace bounded by the hyperplane through the columns - 1 rows
   `through` (ascending), turned slightly so that the rows on the hyperplane are on sides that cost least. If the rows
   `through` are dependent, or are not the first independent rows on the hyperplane, the answer is `limit`: each
   hyperplane is counted once, through its first independent rows. */
int64_t linpred__grid_hyperplane_cost(const linpred__grid *grid, const int32_t *row, int32_t rows,
                                      const int32_t *through, const int32_t *column, int32_t columns, int64_t limit,
                                      bool *failed);
/* Chooses as many of the columns as the rows have rank, so that the rows have the same rank in the chosen columns.
   Returns the rank, or -1 if memory runs out. */
int32_t linpred__grid_columns(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *column,
                              int32_t columns, int32_t *chosen);

/* hyperplanes.c: floating point with error bounds first, integers where the bounds do not decide. */
typedef enum linpred__hyperplanes_end {
    LINPRED__HYPERPLANES_NONE_LESS, /* no halfspace costs less than the limit */
    LINPRED__HYPERPLANES_LESS,      /* some halfspace costs less than the limit */
    LINPRED__HYPERPLANES_TOO_MANY,  /* there are more than max_signs signs to find; nothing was done */
    LINPRED__HYPERPLANES_STOPPED
} linpred__hyperplanes_end;

/* Hyperplanes times rows: the signs that linpred__go_through_hyperplanes has to find. */
double linpred__hyperplane_signs(const linpred_data *data, bool has_intercept);

typedef struct linpred__hyperplanes_question {
    const linpred_data *data;
    linpred__pool *pool;
    bool has_intercept;
    const int64_t *cost; /* of a mistake on each row: 0 or more; their sum is below 2^52 */
    int64_t limit;
    double max_signs;            /* if more signs are to be found, nothing is done */
    bool (*stop)(void *context); /* asked now and then whether to end early; NULL: never */
    void *context;               /* for `stop` */
} linpred__hyperplanes_question;

/* Does some halfspace cost less than `limit`? */
linpred_status linpred__go_through_hyperplanes(const linpred__hyperplanes_question *question,
                                               linpred__hyperplanes_end *end, linpred_error *error);

#endif
