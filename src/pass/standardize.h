/* A standardised copy of the data: each column less its weighted mean, divided by its weighted standard deviation
 * (divisor: the total weight). A constant column becomes 0. The copy is dense. Fits run on it; answers are turned back
 * into the file's units: <w',(x-μ)/σ> + b' = <w,x> + b with w = w'/σ and b = b' - <w,μ>.
 */
#ifndef LINPRED_PASS_STANDARDIZE_H
#define LINPRED_PASS_STANDARDIZE_H

#include "core/threads.h"
#include "data/data.h"

typedef struct linpred__standard {
    linpred_data *data;
    double *center;
    double *scale; /* the standard deviation, 1 for a constant column */
} linpred__standard;

/* Not centered (for fits through the origin): μ = 0, and σ is the root mean square. */
linpred_status linpred__standardize(const linpred_data *data, bool centered, linpred__pool *pool,
                                    linpred__standard *standard, linpred_error *error);
void linpred__standard_clear(linpred__standard *standard);
/* Weights for the copy into weights for the file's units, and back; w is changed in place. */
void linpred__standard_to_file(const linpred__standard *standard, double *w, double *b);
void linpred__standard_from_file(const linpred__standard *standard, double *w, double *b);

#endif
