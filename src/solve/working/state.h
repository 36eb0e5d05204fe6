/* The inside of linpred__working_rows, shared by rows.c, two_way.c and three_way.c. Nobody else includes it. */
#ifndef LINPRED_SOLVE_WORKING_STATE_H
#define LINPRED_SOLVE_WORKING_STATE_H

#include "solve/working/working_rows.h"

struct linpred__working_rows {
    linpred__rows rows; /* sparse, pointing at the arrays below */
    double *values;
    int32_t *indices;
    int64_t *start;
    size_t values_capacity;
    size_t indices_capacity;
    size_t start_capacity;
    linpred__lp *lp;
    linpred__lp_answer proposed;
    bool current; /* `proposed` speaks of the rows as they are now */
    /* Three-way: carriers have positive weights that combine them to zero; anchors are independent carriers with the
       same span. Both stay true whatever rows are added. */
    int32_t zero_row; /* the first row without entries, -1 if none */
    int32_t carriers;
    int32_t *carrier;
    linpred__integers carrier_weight;
    int32_t anchors;
    int32_t *anchor;
    int32_t witnesses; /* the first minimal set found */
    int32_t *witness;
    linpred__integers witness_weight;
    bool *bound; /* rows held at zero in the linear program */
    size_t bound_capacity;
};

/* Solves the linear program unless nothing has changed. */
linpred_status linpred__working_rows_run_lp(linpred__working_rows *s, bool (*stop)(void *context), void *context,
                                            linpred_error *error);
/* The linear program's w, if it separates all rows for certain; else *rounded stays NULL. */
linpred_status linpred__working_rows_take_point(const linpred__working_rows *s, double **rounded);
/* The exact alternative on rows use[0 .. used-1], none of them held at zero, modulo the anchors, after the linear
   program has run. On any status but LINPRED_OK *answer is empty. */
linpred_status linpred__working_rows_decide(linpred__working_rows *s, const int32_t *use, int32_t used, bool round,
                                            linpred__effort *effort, linpred__exact_answer *answer,
                                            linpred_error *error);

linpred_status linpred__copy_weighted(int32_t count, const int32_t *from, const linpred__integers *weights,
                                      int32_t **row, linpred__integers *weight);
/* One row of weight 1: a row of zeros. */
linpred_status linpred__single_weighted(int32_t row, int32_t **rows, linpred__integers *weight);

#endif
