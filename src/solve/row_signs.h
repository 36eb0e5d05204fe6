/* Exact signs of <w, z_i> for working rows, and rounding an integer w so that they stay. */
#ifndef LINPRED_SOLVE_ROW_SIGNS_H
#define LINPRED_SOLVE_ROW_SIGNS_H

#include "num/integers.h"
#include "solve/rows.h"

/* The exact sign of <w, row>. */
int linpred__row_sign(const linpred__rows *rows, int32_t row, const double *w);
int linpred__row_sign_integers(const linpred__rows *rows, int32_t row, const linpred__integers *w);

/* Rounds w to doubles, times a few common factors, until <rounded, z_i> > 0 certainly on every row use[0 .. used-1].
   Rows at the front of `use` are looked at first: put the tightest there. */
bool linpred__round_separating(const linpred__rows *rows, const int32_t *use, int32_t used, const linpred__integers *w,
                               double *rounded);

#endif
