/* Rows that lie in files, because they do not fit into memory.
 *
 * Targets and weights are in memory, and data->block describes all blocks, but their values are NULL. The pass
 * (tree.h) reads blocks ahead of its work; what looks at single blocks or rows calls linpred__block_at and
 * linpred__block_of. Rows are read with pread, never mapped, so that a file that is cut cannot end the process.
 *
 * The rows of several files are one sequence, and a block may begin in one file and end in another. The files must stay
 * as they are. Their length and time of change are compared after each pass. What cannot be read is taken as zeros, and
 * the data is broken from then on: linpred__stored_check says so, and the calls that use data answer with it.
 */
#ifndef LINPRED_DATA_STORED_H
#define LINPRED_DATA_STORED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/stat.h>

#include "core/comm.h"
#include "core/threads.h"
#include "data/data.h"
#include "data/limits.h"

typedef struct linpred__stored linpred__stored;

/* What a file states of an array: CRC-32 of its bytes, and of those of them that stand before the numbers. */
typedef struct linpred__array_sums {
    uint32_t whole, before;
} linpred__array_sums;

/* One file, and where the numbers of its rows lie in it. */
typedef struct linpred__stored_file {
    int descriptor;    /* belongs to the stored rows, also on failure */
    const char *name;  /* for messages; it is copied */
    int64_t first_row; /* the row of the data with which it begins */
    int64_t rows;      /* 1 at least */
    uint64_t values;   /* the byte at which the values begin */
    uint64_t indices;  /* sparse: the byte at which the columns of the entries begin, as int32_t */
    linpred__array_sums value_sums, index_sums; /* what it states of these two arrays */
    /* Set by linpred__stored_open: */
    int single;        /* the file again, for rows that are read alone; -1: it is not open */
    int direct;        /* the file again, for reads past the system's cache; -1: it is not open */
    struct stat about; /* of the file when it was opened */
} linpred__stored_file;

/* The files that hold the rows, in order. */
typedef struct linpred__stored_files {
    linpred__stored_file *file; /* copied */
    int64_t files;              /* 1 at least */
    const char *name;           /* of all of them, for messages; it is copied */
    int32_t columns;            /* of a row */
    double memory;              /* a pass holds about so many bytes of rows */
    double cache;               /* the system can keep about so many bytes of the files for the next pass */
    const int64_t *start; /* sparse: where each row begins, counted through all files; not owned. NULL: dense rows */
} linpred__stored_files;

/* Consecutive rows that were read. */
typedef struct linpred__rows_held {
    double *values;
    int64_t *start;     /* sparse: of each row, from 0 */
    int32_t *indices;   /* sparse */
    double *own_values; /* memory for values and indices, where no room was given */
    int32_t *own_indices;
    size_t value_capacity, start_capacity, index_capacity;
    struct linpred__rows_held *under; /* of a view: the rows that these are made from */
    /* Set by the caller: */
    char *room; /* memory for values and indices of a file, of linpred__stored_room bytes for these rows; NULL: none */
    bool alone; /* the rows behind these are not wanted next, so the system need not read ahead */
    bool once;  /* these rows are not wanted soon again, so the system need not keep them */
    bool later; /* another thread takes the first look at them */
} linpred__rows_held;
void linpred__rows_held_clear(linpred__rows_held *held);
/* Reads `blocks` blocks, which must be consecutive; made[i] becomes from[i] with its values, which are in `held`. */
void linpred__stored_read(const linpred_data *data, const linpred__block *from, int64_t blocks,
                          linpred__rows_held *held, linpred__block *made);

/* The bytes that a room for consecutive rows has at most. */
size_t linpred__stored_room(const linpred_data *data, int64_t first_row, int64_t rows);

/* These rows will be read soon: the system may begin to. */
void linpred__stored_announce(const linpred_data *data, int64_t first_row, int64_t rows);

/* A block, or one row, that a thread looks at. */
typedef struct linpred__place {
    linpred__block block;
    linpred__rows_held held;
} linpred__place;

typedef struct linpred__looker {
    pthread_t thread;
    linpred__place block[LINPRED__BLOCKS_HELD], row[LINPRED__ROWS_HELD];
    unsigned next_block, next_row; /* the places that are used next */
    int64_t last_row;              /* the row that was asked for last */
    int64_t next_first;            /* the first row behind the block that was read last */
    struct linpred__looker *next;
} linpred__looker;

struct linpred__stored {
    linpred__stored_files all; /* unless this is a view */
    linpred__stored_view view; /* view.under is NULL if this is none */
    struct linpred__first_look
        *look;              /* NULL: the rows are known to be those that were written, or nobody knows better */
    _Atomic int failure;    /* an error number, one of the following, or 0: none */
    _Atomic int64_t failed; /* the number of the file that the failure is about */
    pthread_mutex_t mutex;  /* guards the list of lookers */
    linpred__looker *lookers;
};

enum {
    LINPRED__STORED_CHANGED = -1,
    LINPRED__STORED_NO_MEMORY = -2,
    LINPRED__STORED_DAMAGED_VALUES = -3,
    LINPRED__STORED_DAMAGED_INDICES = -4,
    LINPRED__STORED_NOT_FINITE = -5,
    LINPRED__STORED_DAMAGED_DECIMALS = -6
};
/* The data is broken from now on, because of a file. The first failure is the one that is told. */
void linpred__stored_fail(linpred__stored *stored, int64_t file, int failure);
/* The number of the file that holds a row. */
int64_t linpred__stored_file_of(const linpred__stored_files *all, int64_t row);
/* How many values the rows from `first` to `end` - 1 have, dense or sparse. */
int64_t linpred__values_between(const linpred__stored_files *all, int64_t first, int64_t end);

/* Makes room for so many values, and for the starts and indices of `sparse_rows` rows unless it is negative. */
bool linpred__rows_held_grow(linpred__rows_held *held, int64_t values, int64_t sparse_rows);

/* Opens the rows of files. */
linpred_status linpred__stored_open(const linpred__stored_files *all, linpred__stored **stored, linpred_error *error);

void linpred__stored_close(linpred__stored *stored);

/* The bytes that a pass may hold, those that the system can keep, and those that a row takes on average. */
double linpred__stored_memory(const linpred_data *data);
double linpred__stored_cache(const linpred_data *data);
double linpred__stored_row_bytes(const linpred_data *data);
/* Whether rows that are wanted once are read past the system's cache. */
bool linpred__stored_is_direct(const linpred_data *data);
/* Fails if a file has changed, or could not be read. LINPRED_OK for data in memory. */
linpred_status linpred__stored_check(const linpred_data *data, linpred_error *error);
/* Fails if the rows are not in memory: `what` needs them there. */
linpred_status linpred__stored_refuse(const linpred_data *data, const char *what, linpred_error *error);
/* The same if `what` needs so many bytes, and they are more than rows may take. */
linpred_status linpred__stored_refuse_bytes(const linpred_data *data, const char *what, double bytes,
                                            linpred_error *error);

/* ---- the first look (first_look.c) --------------------------------------------------------------------------------
 *
 * Whether rows are those that were written is found out as blocks are read for the first time, so that no reading is
 * made for it alone. When all blocks have been looked at, their checksums together must be those that the files state.
 * Rows with a number that is not finite are read as zeros each time, and break the data at once.
 */

struct linpred__need;
/* From now on rows of the data are looked at. `needs`, which is taken over, is what the files state of their columns
   (decimals.h); NULL: nothing. */
linpred_status linpred__look_first(const linpred_data *data, struct linpred__need *needs, linpred_error *error);
/* Looks at all rows now, by a pass for this alone. *finite: whether all numbers are finite, which breaks nothing. */
linpred_status linpred__look_now(const linpred_data *data, linpred__pool *pool, bool *finite, linpred_error *error);
/* What the files state of their columns; NULL: nothing. */
const struct linpred__need *linpred__stated_needs(const linpred_data *data);
/* Looks at rows that were read: one block of the data, or several in a row. */
void linpred__look_at(const linpred__stored *stored, const linpred__block *rows);
void linpred__first_look_free(struct linpred__first_look *look);

/* ---- rows that are wanted again and again (kept_rows.c) ---------------------------------------------------------- */

/* Reads the dense rows of a sample, if they lie in a file and take at most half of what rows may take. The sample is in
   memory then. Returns the values, which the caller releases; NULL if the sample stays as it was. If reading fails, the
   next pass over it says why. */
double *linpred__keep_sample(linpred_data *sample, linpred__pool *pool);
/* Reads single dense rows, given in ascending order, if they lie in a file. *kept is a block of them; the caller
   releases *values, which is NULL if they are in memory or sparse. False: out of memory. */
bool linpred__keep_rows(const linpred_data *data, const int64_t *row, int64_t rows, linpred__block *kept,
                        double **values);

/* ---- reading past the system's cache (direct_read.c) ------------------------------------------------------------- */

/* Opens a file again; -1 if that is not possible. `direct`: for reads past the system's cache. */
int linpred__open_again(int descriptor, bool direct);
/* Reads bytes of a file that was opened so, and what stands beside them in its sectors. Returns how many it could
   read. 0 if `items` is not in its place in a room. */
size_t linpred__direct_read(int descriptor, uint64_t at, size_t bytes, void *items);
/* The bytes of a room, from its beginning, that bytes of a file take with what stands beside them. */
size_t linpred__room_bytes(uint64_t at, size_t bytes);
/* The place in a room for bytes of a file, which are items of so many bytes: where linpred__direct_read can read them,
   unless the items would not be aligned. */
void *linpred__room_place(char *room, uint64_t at, size_t item);

/* Rooms side by side, so that huge pages hold them. */
typedef struct linpred__rooms {
    char *memory; /* to be released */
    char *first;  /* the others follow */
    size_t bytes; /* of each */
} linpred__rooms;
bool linpred__rooms_open(linpred__rooms *rooms, size_t count, size_t bytes); /* false: out of memory */

/* ---- reading ahead (read_ahead.c) -------------------------------------------------------------------------------- */

/* For the pass: threads of their own read the blocks in order, while others work on the blocks before. A part is a
   segment of the pass, or a piece of one if memory is short. */
typedef struct linpred__read_ahead linpred__read_ahead;

typedef struct linpred__part {
    int64_t first;         /* the first block */
    int64_t blocks;        /* how many */
    linpred__block *block; /* these blocks, with their values */
    int place;             /* the buffer that they are in */
} linpred__part;

/* Begins to read the given blocks. *workers may be lowered: to 1 if segments are read in pieces, else to as many as
 * have a buffer. */
linpred_status linpred__read_ahead_open(const linpred_data *data, linpred__share blocks, int64_t segment_blocks,
                                        int64_t *workers, linpred__read_ahead **ahead, linpred_error *error);
/* Ends the threads and frees the buffers. */
void linpred__read_ahead_close(linpred__read_ahead *ahead);
/* Waits for the next part; false if there is none. Parts are handed out in order. The caller takes the first look at
   each block before it works on it, so that the block comes from memory once. */
bool linpred__read_ahead_take(linpred__read_ahead *ahead, linpred__part *part);
void linpred__read_ahead_give_back(linpred__read_ahead *ahead, const linpred__part *part);
/* No further part is handed out. */
void linpred__read_ahead_stop(linpred__read_ahead *ahead);

#endif
