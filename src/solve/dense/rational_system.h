/* Square systems in rationals, for problems so small that nothing need be rounded. */
#ifndef LINPRED_SOLVE_DENSE_RATIONAL_SYSTEM_H
#define LINPRED_SOLVE_DENSE_RATIONAL_SYSTEM_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "num/dd.h"

/* A matrix of rationals by rows, all 0 at first. */
typedef struct linpred__rationals {
    size_t rows, columns;
    mpq_t *at;
} linpred__rationals;

/* False: memory ran out, and there is nothing to close. */
bool linpred__rationals_open(linpred__rationals *a, size_t rows, size_t columns);
void linpred__rationals_close(linpred__rationals *a);

/* x = d.hi + d.lo, and the other way, rounded. */
void linpred__rational_set_dd(mpq_t x, linpred__dd d);
linpred__dd linpred__rational_get_dd(const mpq_t x);

/* Solves the system whose last column is its right side, by elimination; the last column becomes the solution. Returns
   false if the system is singular. */
bool linpred__rationals_solve(linpred__rationals *a);

#endif
