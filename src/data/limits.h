/* Limits of src/data, each with its reason. They decide in which order rows are added, so changing one changes the last
 * digits of sums. */
#ifndef LINPRED_DATA_LIMITS_H
#define LINPRED_DATA_LIMITS_H

enum {
    /* The largest number of values of a block: 256 KB stay in a second-level cache. A block of BLOCK_MIN_ROWS rows may
       have more. */
    LINPRED__BLOCK_VALUES = 32768,
    /* The smallest number of rows of a block: kernels handle 4 rows at a time. */
    LINPRED__BLOCK_MIN_ROWS = 16,
    /* The largest number of rows of a block, so that one number per row (scores) is 32 KB and stays in cache too. */
    LINPRED__BLOCK_MAX_ROWS = 4096,

    /* The smallest number of blocks of a segment. They are 0.1 ms of work or more; making and merging a small state
       costs about 1% of that. */
    LINPRED__SEGMENT_MIN_BLOCKS = 8,
    /* A segment has at least this many entries for each number of a vector state. Clearing and merging one number costs
       about as much as half an entry. */
    LINPRED__SEGMENT_ENTRIES_A_NUMBER = 8,
    /* The smallest number of rows of a segment if the state is a matrix. Merging a matrix costs about as much as 20
       rows. */
    LINPRED__SEGMENT_MATRIX_ROWS = 2048,
    /* A segment has at least this many rows for each column of a matrix state, so that few large states are alive. */
    LINPRED__SEGMENT_ROWS_A_COLUMN = 2,
    /* A sparse row with k entries adds k²/2 products to a matrix with d²/2 numbers. A segment has at least this many
       times (d/k)² rows, so that merging costs little. */
    LINPRED__SEGMENT_SPARSE_MATRIX = 24,
    /* A segment has at least this many rows for each column of a triangle (QR): merging two triangles costs as much as
       one row per column. */
    LINPRED__SEGMENT_TRIANGLE_MIN = 16,
    /* A segment has this many rows for each column of a triangle, as long as that is fewer than
       SEGMENT_TRIANGLE_ROWS. */
    LINPRED__SEGMENT_TRIANGLE_MAX = 64,
    /* From this length on the rows per column fall from SEGMENT_TRIANGLE_MAX to SEGMENT_TRIANGLE_MIN, so that threads
       still have several segments to share. */
    LINPRED__SEGMENT_TRIANGLE_ROWS = 16384,

    /* Rows are divided among processes in at least so many parts for each: shares then differ by less than 2%. More
       parts would be cut at smaller nodes of the tree, of which more are sent. */
    LINPRED__STRETCHES_A_PROCESS = 64,

    /* Doubles that all states of a pass may have together: 1 GB. If they would have more, the pass uses fewer threads,
       but at least 2. */
    LINPRED__STATES_NUMBERS = 1 << 27,

    /* Blocks and rows of a file that a thread may look at side by side: comparisons of two, with some to spare. */
    LINPRED__BLOCKS_HELD = 4,
    LINPRED__ROWS_HELD = 16,
    /* Whoever goes from row to row by steps of which at least so many are in a block gets blocks that are read whole:
       that takes as long as some single reads. */
    LINPRED__STEPS_A_BLOCK = 8,
    /* Threads that take blocks in turn skip those that others take. Up to so many blocks skipped is still reading in
       order, for which the system reads ahead. */
    LINPRED__BLOCKS_SKIPPED = 32,
    /* Bytes of rows that may be kept in memory however little memory there is to be: a working set must fit. */
    LINPRED__ROWS_ANYHOW = 1 << 26,
    /* Up to so many files are opened three times: for rows in order, for single rows, and for reads past the system's
       cache. Then 1,024 descriptors, the usual limit of a process, are enough for any 900 files. */
    LINPRED__FILES_AGAIN = 256,
    /* Buffers of a pass over a file beyond those that threads work on, so that the next block is read meanwhile. */
    LINPRED__BLOCKS_AHEAD = 2,
    /* Buffers beyond these where memory allows: the disk goes on while threads are held up for some milliseconds. They
       are used only then, since the first free buffer is taken. */
    LINPRED__BLOCKS_SPARE = 12,
    /* Threads that read past the system's cache. Two requests of some MB keep a disk busy; with four it stays so while
       a thread waits for a processor. */
    LINPRED__READERS = 4,
    /* A block or row that stands alone is announced so many reads before it: disks answer several requests as fast as
       one. */
    LINPRED__READS_ANNOUNCED = 16,

    /* Empty columns are dropped if at least one column in so many is empty. With fewer, the copy of the indices costs
       more than it saves. */
    LINPRED__EMPTY_SHARE = 2,

    /* Rows that a kernel handles in one call, with one number for each on the stack: enough to be worth a call. */
    LINPRED__ROWS_AT_A_TIME = 64
};

/* The smallest sum of row weights. Products of smaller weights with losses and class weights would lose digits below
   the range of doubles. */
#define LINPRED__MIN_TOTAL_WEIGHT 0x1p-900

#endif
