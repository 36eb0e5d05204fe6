/* The least cost of mistakes for few columns: through all hyperplanes.
 *
 * Let the rows have rank k. Some best halfspace can be turned until its hyperplane holds k-1 independent rows, and no
 * row off the hyperplane has changed sides meanwhile. So the least cost is, over all hyperplanes through k-1
 * independent rows and both their sides, what the rows on the wrong side cost plus the least cost of the rows on the
 * hyperplane among themselves, a problem of one dimension less: a coordinate in which the normal is not 0 may be
 * dropped.
 */
#ifndef LINPRED_PASS_HYPERPLANES_H
#define LINPRED_PASS_HYPERPLANES_H

#include <gmp.h>

#include "core/threads.h"
#include "data/data.h"

/* Rows as integers, columns times powers of two. */
typedef struct linpred__grid {
    int32_t rows;
    int32_t columns;
    mpz_t *z; /* rows x columns */
    const int64_t *cost;
} linpred__grid;

/* hyperplanes_exact.c, in integers throughout. The least cost of some rows on some columns, or `limit` if it is not
 * below. */
int64_t linpred__grid_least(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *column,
                            int32_t columns, int64_t limit, bool *failed);
/* The least cost of the two halfspaces of the hyperplane through columns - 1 rows (ascending), where the rows on it may
   still be put on either side. It answers `limit` if these rows are dependent, or if they are not the first independent
   rows on the hyperplane: then the same hyperplane is met again through those. */
int64_t linpred__grid_beside(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *through,
                             const int32_t *column, int32_t columns, int64_t limit, bool *failed);
/* Chooses columns on which the rows have the same rank as on all. Answers how many; -1: out of memory. */
int32_t linpred__grid_columns(const linpred__grid *grid, const int32_t *row, int32_t rows, const int32_t *column,
                              int32_t columns, int32_t *chosen);

/* hyperplanes.c */
typedef enum linpred__hyperplanes_end {
    LINPRED__HYPERPLANES_NONE_LESS, /* no halfspace costs less than the limit */
    LINPRED__HYPERPLANES_LESS,      /* one does */
    LINPRED__HYPERPLANES_TOO_MANY,  /* nothing was done */
    LINPRED__HYPERPLANES_STOPPED
} linpred__hyperplanes_end;

/* Hyperplanes times rows: the signs that linpred__go_through_hyperplanes has to find. */
double linpred__hyperplane_signs(const linpred_data *data, bool has_intercept);
/* Whether some halfspace costs less than `limit`. Costs are 0 or more, their sum is below 2^52. If there are more than
   max_signs signs to find, it does nothing. stop(context) is asked now and then; stop may be NULL. */
linpred_status linpred__go_through_hyperplanes(const linpred_data *data, linpred__pool *pool, bool has_intercept,
                                               const int64_t *cost, int64_t limit, double max_signs,
                                               bool (*stop)(void *context), void *context,
                                               linpred__hyperplanes_end *end, linpred_error *error);

#endif
