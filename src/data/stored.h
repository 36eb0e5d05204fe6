/* Rows that lie in a file, because they do not fit into memory.
 *
 * Targets and weights are in memory, and data->block describes all blocks, but their values are NULL. The pass
 * (tree.h) reads blocks ahead of its work; what looks at single blocks or rows calls linpred__block_at and
 * linpred__block_of. Rows are read with pread, never mapped, so that a file that is cut cannot end the process.
 *
 * The file must stay as it is. Its length, its time of change and its identity are compared after each pass. What
 * cannot be read is taken as zeros, and the data is broken from then on: linpred__stored_check says so, and the calls
 * that use data answer with it.
 */
#ifndef LINPRED_DATA_STORED_H
#define LINPRED_DATA_STORED_H

#include <stddef.h>

#include "data/data.h"

typedef struct linpred__stored linpred__stored;

/* Opens the rows of a file for data: row i begins at byte `at` + i * columns * sizeof(double). The descriptor belongs
   to the stored rows, also on failure. `name` is for messages and is copied. A pass holds about `memory` bytes of rows.
 */
linpred_status linpred__stored_open(int descriptor, const char *name, uint64_t at, double memory,
                                    linpred__stored **stored, linpred_error *error);
void linpred__stored_close(linpred__stored *stored);

/* Reads the values of a block of the data into `values`, rows times columns doubles. */
void linpred__stored_read(const linpred_data *data, const linpred__block *block, double *values);
/* The bytes that a pass may hold. */
double linpred__stored_memory(const linpred_data *data);

/* Fails if the file has changed, or could not be read. LINPRED_OK for data in memory. */
linpred_status linpred__stored_check(const linpred_data *data, linpred_error *error);
/* Fails if the rows are not in memory: `what` needs them there. */
linpred_status linpred__stored_refuse(const linpred_data *data, const char *what, linpred_error *error);

/* ---- reading ahead (read_ahead.c) -------------------------------------------------------------------------------- */

/* For the pass: a thread of its own reads the blocks in order, while others work on the blocks before. A part is a
   segment of the pass, or a piece of one if memory is short. */
typedef struct linpred__read_ahead linpred__read_ahead;

typedef struct linpred__part {
    int64_t first;         /* the first block */
    int64_t blocks;        /* how many */
    linpred__block *block; /* these blocks, with their values */
    int place;             /* the buffer that they are in */
} linpred__part;

/* Begins to read. *workers may be lowered: to 1 if segments are read in pieces, else to as many as have a buffer. */
linpred_status linpred__read_ahead_open(const linpred_data *data, int64_t segment_blocks, int64_t *workers,
                                        linpred__read_ahead **ahead, linpred_error *error);
/* Ends the thread and frees the buffers. */
void linpred__read_ahead_close(linpred__read_ahead *ahead);
/* Waits for the next part; false if there is none. Parts are handed out in order. */
bool linpred__read_ahead_take(linpred__read_ahead *ahead, linpred__part *part);
void linpred__read_ahead_give_back(linpred__read_ahead *ahead, const linpred__part *part);
/* No further part is handed out. */
void linpred__read_ahead_stop(linpred__read_ahead *ahead);

#endif
