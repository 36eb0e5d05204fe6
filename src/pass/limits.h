/* Tuning constants of the passes. */
#ifndef LINPRED_PASS_LIMITS_H
#define LINPRED_PASS_LIMITS_H

enum {
    /* With so many columns or more, the Hessian of sparse rows is made column by column: row by row, the additions
       would miss the cache, which does not hold a matrix of 8 MB. */
    LINPRED__HESSIAN_BY_COLUMNS = 1024,
    /* Up to so many columns our own Gram kernel is used. BLAS packs its operands first, which for narrow rows takes as
       long as multiplying them. */
    LINPRED__GRAM_OWN_MAX = 320,
    /* Doubles of a chunk of rows for the Gram kernel: 32 KB, which stay in the first cache. */
    LINPRED__GRAM_CHUNK = 4096,
    /* Rows of a chunk for BLAS. More rows would use more memory, fewer would leave its inner loops too short. */
    LINPRED__GRAM_BLAS_ROWS = 256,
    /* Violators are listed separately for so many interleaved sets of blocks. More sets spread the list further over
       the data, but each set then keeps fewer of its worst rows. */
    LINPRED__VIOLATOR_STRATA = 16,
    /* Rows and columns up to which all hyperplanes through rows are tried. So many rows keep their big integers within
       some megabytes; with more columns rows^(columns - 1) hyperplanes are too many anyway. */
    LINPRED__HYPERPLANES_MAX_ROWS = 4000,
    LINPRED__HYPERPLANES_MAX_COLUMNS = 12,
    /* Tasks of hyperplanes that run before the caller is asked whether to stop. */
    LINPRED__HYPERPLANES_TASKS = 8
};

/* A score enters the perceptron's loss as it was computed if it exceeds its rounding bound by this factor. The loss is
   then right to 2^-34 of each term, which is less than the 1e-9 that the checker allows. */
#define LINPRED__LOSS_DIGITS 0x1p34

#endif
