/* A standardised copy of the data: each column less its weighted mean, divided by its weighted standard deviation
 * (divisor: the total weight). A constant column becomes 0. The copy is dense. Fits run on it; answers are turned back
 * into the file's units: <w',(x-μ)/σ> + b' = <w,x> + b with w = w'/σ and b = b' - <w,μ>.
 */
#ifndef LINPRED_PASS_STANDARDIZE_H
#define LINPRED_PASS_STANDARDIZE_H

#include "core/threads.h"
#include "data/data.h"

typedef struct linpred__standard {
    linpred_data *data; /* the copy */
    double *centre;     /* μ of each column */
    double *scale;      /* σ of each column; 1 if the column is constant */
} linpred__standard;

/* centred false, for fits through the origin: μ = 0, and σ is the root mean square. */
linpred_status linpred__standardize(const linpred_data *data, bool centred, linpred__pool *pool,
                                    linpred__standard *standard, linpred_error *error);
void linpred__standard_clear(linpred__standard *standard);
/* From weights for the copy to weights in the units of the file, and back, in place. */
void linpred__standard_to_file(const linpred__standard *standard, double *w, double *b);
void linpred__standard_from_file(const linpred__standard *standard, double *w, double *b);

#endif
