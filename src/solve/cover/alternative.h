/* Inseparable subsets of small price, and halfspaces, from one linear program.
 *
 *   minimise  Σ price_i λ_i   subject to   Σ λ_i z_i = 0,  Σ λ_i = 1,  λ >= 0            (Gordan's alternative)
 *
 * The rows with λ_i > 0 at a vertex are a minimal inseparable subset of at most rank + 1 rows. The price of a row is
 * its x_i in the covering program (cover.h). So a vertex of small price is a subset that the covering program does not
 * cover yet.
 *
 * The dual values v and t of the constraints satisfy <-v,z_i> >= t - price_i. So w = -v has <w,z_i> > 0 on every row
 * with a price below t.
 *
 * The linear program is solved in floating point. A subset is given to the caller only after exact_lp.h has proved it.
 */
#ifndef LINPRED_SOLVE_COVER_ALTERNATIVE_H
#define LINPRED_SOLVE_COVER_ALTERNATIVE_H

#include "solve/effort.h"
#include "num/integers.h"
#include "solve/rows.h"
#include "solve/cover/hyperplane_search.h"

typedef struct linpred__alternative {
    const linpred__hyperplane_search *search; /* the rows; borrowed */
    void *model;                              /* CLP's model */
    int32_t count;                            /* size of the subset found last; 0 if none was found and proved */
    int32_t *row;                             /* its rows, ascending */
    linpred__integers weight;                 /* the weights λ > 0 of its rows, with Σ λ_i z_i = 0 */
    double *w;                                /* the halfspace -v, for the scaled rows of `search` */
    double threshold;                         /* t */
    int64_t calls;                            /* calls of linpred__alternative_find so far */
    int32_t *support;                         /* scratch: the rows with λ_i > 0 */
} linpred__alternative;

linpred_status linpred__alternative_open(linpred__alternative *alternative, const linpred__hyperplane_search *search,
                                         linpred_error *error);
void linpred__alternative_close(linpred__alternative *alternative);
/* Solves the linear program for these prices and fills count, row, weight, w and threshold. If CLP fails, count is 0
   and w is that of an earlier call. */
linpred_status linpred__alternative_find(linpred__alternative *alternative, const double *price,
                                         linpred__effort *effort, linpred_error *error);

#endif
