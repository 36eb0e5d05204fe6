/* The fields of linpred__working_rows, and the functions that rows.c, two_way.c and three_way.c share. No other file
 * includes this header.
 *
 * Carriers are rows with positive integer weights that combine them to zero: Σ carrier_weight_k z_carrier[k] = 0.
 * Anchors are independent carriers that span all carriers. Both facts stay true when rows are added.
 */
#ifndef LINPRED_SOLVE_WORKING_STATE_H
#define LINPRED_SOLVE_WORKING_STATE_H

#include "solve/working/working_rows.h"

struct linpred__working_rows {
    linpred__rows rows;               /* a sparse view of the four arrays below */
    double *values;                   /* the entries of all rows; none is zero */
    int32_t *indices;                 /* the column of each entry */
    int16_t *exponents;               /* the exponent of each entry; NULL: all are 0 */
    int64_t *start;                   /* row i has the entries start[i] .. start[i+1]-1 */
    size_t values_capacity;           /* allocated length of values */
    size_t indices_capacity;          /* allocated length of indices */
    size_t exponents_capacity;        /* allocated length of exponents */
    size_t start_capacity;            /* allocated length of start */
    linpred__lp *lp;                  /* the floating-point program on the same rows */
    linpred__lp_answer proposed;      /* the answer of its last run */
    bool current;                     /* neither rows nor their kinds have changed since that run */
    int32_t zero_row;                 /* the first row without entries, -1 if there is none */
    int32_t carriers;                 /* number of carriers */
    int32_t *carrier;                 /* their rows */
    linpred__integers carrier_weight; /* their weights, all positive, common divisor 1 */
    int32_t anchors;                  /* number of anchors: the rank of the carriers */
    int32_t *anchor;                  /* their rows */
    int32_t witnesses;                /* size of the first minimal inseparable set that was found, 0 if none was */
    int32_t *witness;                 /* its rows */
    linpred__integers witness_weight; /* its positive weights, with Σ weight_k z_witness[k] = 0 */
    bool *held_at_zero;               /* for each row, whether the linear program demands <w,z_i> = 0 */
    size_t held_capacity;             /* allocated length of held_at_zero */
};

/* Solves the linear program, unless its last answer is still current. */
linpred_status linpred__working_rows_run_lp(linpred__working_rows *s, bool (*stop)(void *context), void *context,
                                            linpred_error *error);
/* Sets *rounded to the linear program's w if <w,z_i> > 0 exactly on all rows. Otherwise *rounded does not change. */
linpred_status linpred__working_rows_take_point(const linpred__working_rows *s, double **rounded);
/* Decides exactly whether some w with <w,anchor> = 0 has <w,z_i> > 0 on the rows use[0 .. used-1]. None of these rows
   may be held at zero, and the linear program must have run. `round` asks for a w in doubles too. On any status but
   LINPRED_OK *answer is empty. */
linpred_status linpred__working_rows_decide(linpred__working_rows *s, const int32_t *use, int32_t used, bool round,
                                            linpred__effort *effort, linpred__exact_answer *answer,
                                            linpred_error *error);

/* Copies `count` rows and their weights into new arrays. */
linpred_status linpred__copy_weighted(int32_t count, const int32_t *from, const linpred__integers *weights,
                                      int32_t **row, linpred__integers *weight);
/* Makes the witness of a row of zeros: that row with weight 1. */
linpred_status linpred__single_weighted(int32_t row, int32_t **rows, linpred__integers *weight);

#endif
