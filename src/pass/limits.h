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
    /* Rows up to which halfspaces are searched by boxes: their big integers are within some megabytes. */
    LINPRED__HYPERPLANES_MAX_ROWS = 4000,
    /* Boxes that are searched before the caller is asked whether to stop. */
    LINPRED__BOXES_AT_A_TIME = 8,
    /* A box that is too much work is divided so often: into 16 that the threads share. */
    LINPRED__BOX_DIVISIONS = 4,
    /* So few rows are asked about before any box is divided. */
    LINPRED__BOX_FEW_ROWS = 12,
    /* Boxes around a smallest one that are asked: 16, 256, … times as wide. */
    LINPRED__BOX_AROUND = 4,
    /* Divisions within a box: 30 of each entry lead to boxes below LINPRED__BOX_SMALLEST. */
    LINPRED__BOX_LEVELS = 480
};

/* A score enters the perceptron's loss as it was computed if it exceeds its rounding bound by this factor. The loss is
   then right to 2^-34 of each term, which is less than the 1e-9 that the checker allows. */
#define LINPRED__LOSS_DIGITS 0x1p34

/* The work of one box, in signs: some milliseconds. A limit of seconds is looked at after each batch of boxes. */
#define LINPRED__BOX_WORK 1e6

/* Boxes of this half width are small: where rows are still undecided, they probably meet in one halfspace, and integers
   are asked. */
#define LINPRED__BOX_SMALL 0x1p-17

/* Boxes of this half width are not divided. Scores are off by less. */
#define LINPRED__BOX_SMALLEST 0x1p-29

/* The largest error of a score with which boxes are worth trying. */
#define LINPRED__BOX_MAX_ERROR 0x1p-34

/* Integers are asked if they have at most so many signs to find: some tenths of a millisecond. */
#define LINPRED__BOX_EXACT_SIGNS 3e3

/* If boxes have found so many signs, and integers need only so many, they go through all hyperplanes. */
#define LINPRED__BOX_FEW_WORK 2e7
#define LINPRED__BOX_ALL_SIGNS 2e5

/* One of these signs is as much work as so many in doubles. */
#define LINPRED__BOX_EXACT_WORK 30.0

#endif
