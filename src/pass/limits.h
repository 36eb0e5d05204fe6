/* Tuning constants of this room. */
#ifndef LINPRED_PASS_LIMITS_H
#define LINPRED_PASS_LIMITS_H

enum {
    /* Columns from which on the Hessian of sparse rows is made column by column: a matrix of 8 MB is in no cache. */
    LINPRED__HESSIAN_BY_COLUMNS = 1024,
    /* Columns up to which our own Gram kernel is faster than BLAS, which packs its operands first. */
    LINPRED__GRAM_OWN_MAX = 320,
    /* Doubles of a chunk of rows for the Gram kernel: 32 KB, which stay in the first cache. */
    LINPRED__GRAM_CHUNK = 4096,
    /* Rows of a chunk for BLAS: enough for its inner loops. */
    LINPRED__GRAM_BLAS_ROWS = 256,
    /* Lists of violators: one for each of so many interleaved sets of blocks. */
    LINPRED__VIOLATOR_STRATA = 16
};

#endif
