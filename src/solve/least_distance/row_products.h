/* The products of all working rows with each other, K_ij = y_i y_j <x_i, x_j>, in doubles and without the intercept.
   They are kept as rows are added, and each product is computed once. */
#ifndef LINPRED_SOLVE_LEAST_DISTANCE_ROW_PRODUCTS_H
#define LINPRED_SOLVE_LEAST_DISTANCE_ROW_PRODUCTS_H

#include "core/threads.h"
#include "solve/least_distance/state.h"

/* Computes the products of the rows that were added since the last call. Each task computes a tile of K on its own, so
   the number of threads changes no bit. False: out of memory. */
bool linpred__row_products_update(linpred__least_distance *p, linpred__pool *pool);

#endif
