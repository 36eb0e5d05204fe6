/* Exact signs of <w, z_i>, and integers w rounded to doubles that keep these signs positive. */
#ifndef LINPRED_SOLVE_ROW_SIGNS_H
#define LINPRED_SOLVE_ROW_SIGNS_H

#include "num/integers.h"
#include "solve/rows.h"

/* The exact sign of <w, row>: -1, 0 or +1. */
int linpred__row_sign(const linpred__rows *rows, int32_t row, const double *w);
int linpred__row_sign_integers(const linpred__rows *rows, int32_t row, const linpred__integers *w);

/* Rounds factor · w to doubles for the factors 1, 3, 5, …, 127 until <rounded, z_i> > 0 exactly on every row
   use[0 .. used-1]. Returns false if no factor works. Rows are tested in the order of `use`, so the rows with the
   smallest <w, z_i> should come first. */
bool linpred__round_separating(const linpred__rows *rows, const int32_t *use, int32_t used, const linpred__integers *w,
                               double *rounded);

#endif
