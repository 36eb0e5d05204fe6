/* Tuning constants of this room that several files share. */
#ifndef LINPRED_DATA_LIMITS_H
#define LINPRED_DATA_LIMITS_H

enum {
    /* Values of a block at most, unless it has BLOCK_MIN_ROWS: 256 KB, so that a block stays in the second cache. */
    LINPRED__BLOCK_VALUES = 32768,
    LINPRED__BLOCK_MIN_ROWS = 16,
    LINPRED__BLOCK_MAX_ROWS = 4096,

    /* Blocks of a segment at least: 0.1 ms of work or more, of which making and merging a small state is about 1%. */
    LINPRED__SEGMENT_MIN_BLOCKS = 8,
    /* Entries of a segment for each number of a state: clearing and merging a number costs about half an entry. */
    LINPRED__SEGMENT_ENTRIES_A_NUMBER = 8,
    /* Rows of a segment at least, where a state is a matrix: merging one costs about as much as 20 rows. */
    LINPRED__SEGMENT_MATRIX_ROWS = 2048,
    /* Rows of a segment for each column of a matrix, so that few states are alive where they are large. */
    LINPRED__SEGMENT_ROWS_A_COLUMN = 2,
    /* Sparse rows with k of d entries add k²/2 products to a matrix of d²/2. A segment has this many times (d/k)² rows.
     */
    LINPRED__SEGMENT_SPARSE_MATRIX = 24,
    /* Rows of a segment for each column of a triangle at least, and at most while the segment is under 16,384 rows. */
    LINPRED__SEGMENT_TRIANGLE_MIN = 16,
    LINPRED__SEGMENT_TRIANGLE_MAX = 64,
    LINPRED__SEGMENT_TRIANGLE_ROWS = 16384,

    /* Doubles that all states of a pass may have together: 1 GB. Beyond it a pass uses fewer threads, 2 at least. */
    LINPRED__STATES_NUMBERS = 1 << 27
};

#endif
