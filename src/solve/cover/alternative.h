/* Inseparable subsets at the least price, and halfspaces from the same linear program.
 *
 *   minimise  Σ price_i λ_i   subject to   Σ λ_i z_i = 0,  Σ λ_i = 1,  λ >= 0            (Gordan's alternative)
 *
 * Every vertex is carried by a minimal inseparable subset (at most rank + 1 rows), and with price the value that a
 * covering program gives each row, a vertex of small price is a subset that the program has not covered. The
 * multipliers v, t of the constraints satisfy <-v,z_i> >= t - price_i: if t > 0, then w = -v has every row of price
 * below t on its right side. Floating point proposes; a subset is handed out only after exact_lp.h has proved it.
 */
#ifndef LINPRED_SOLVE_COVER_ALTERNATIVE_H
#define LINPRED_SOLVE_COVER_ALTERNATIVE_H

#include "solve/effort.h"
#include "num/integers.h"
#include "solve/rows.h"
#include "solve/cover/hyperplane_search.h"

typedef struct linpred__alternative {
    const linpred__hyperplane_search *planes; /* borrowed */
    void *model;
    int32_t count; /* the subset found last, ascending; 0: none that could be proved */
    int32_t *row;
    linpred__integers weight; /* of its rows: λ > 0 with Σ λ z = 0 */
    double *w;                /* scaled */
    double least;             /* t */
    int64_t asked;
    int32_t *support;
} linpred__alternative;

linpred_status linpred__alternative_open(linpred__alternative *alternative, const linpred__hyperplane_search *planes,
                                         linpred_error *error);
void linpred__alternative_close(linpred__alternative *alternative);
/* Fills count, row, w and least. */
linpred_status linpred__alternative_ask(linpred__alternative *alternative, const double *price, linpred__effort *effort,
                                        linpred_error *error);

#endif
