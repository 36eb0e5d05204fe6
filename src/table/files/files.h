/* Data of several files: one table of all their rows, in the order of the files, as if they were one file.
 *
 *   files.c   reads the files, and reads them again where they must agree
 *   head.c    what a table says of its columns, as bytes for other processes
 *   agree.c   do the files have the same columns, and how must they be read? one head for all
 *   join.c    the rows of all files
 *
 * Processes that work together (core/comm.h) read some of the files each. Then every one learns the heads of all, comes
 * to the same agreement, and gets the rows of all. An error in one file is the error of every process.
 */
#ifndef LINPRED_TABLE_FILES_FILES_H
#define LINPRED_TABLE_FILES_FILES_H

#include "core/comm.h"
#include "table/table.h"

/* How all files must be read, though each would be read otherwise alone. */
typedef struct linpred__agreement {
    bool *text;      /* columns that hold words in some file and numbers in another; NULL: not known yet */
    int64_t *odd;    /* of these: the file with the first word, from 0 */
    int32_t columns; /* length of `text` and `odd` */
    bool comma;      /* the decimal mark of some file is a comma */
    bool zero;       /* LIBSVM: the indices of some file begin with 0 */
} linpred__agreement;

/* The files of one data set. */
typedef struct linpred__files {
    const char **path;
    int64_t count;
    linpred__table **table; /* of each file: its head, and its rows if this process has read it. NULL: the file has no
                               bytes. Lines are counted in rows of the file. */
    const linpred__comm *comm; /* NULL: this process is alone */
    linpred__spill *spill;     /* where the rows of each file lie until all are joined; NULL: in memory */
} linpred__files;

/* files.c: the process that reads a file. */
int linpred__file_reader(const linpred__files *files, int64_t file);
/* files.c: reads the files, of which the request names the further ones, until all agree; *all becomes their head. Of
   several processes each has the rows of its files then. linpred__files_close must follow, also on failure. */
linpred_status linpred__files_open(const char *path, const linpred__read_request *request, linpred__pool *pool,
                                   linpred__files *files, linpred__table **all, linpred_error *error);
void linpred__files_close(linpred__files *files);
/* files.c: reads all files as one table. */
linpred_status linpred__files_read(const char *path, const linpred__read_request *request, linpred__pool *pool,
                                   linpred__table **table, linpred_error *error);
/* files.c: memory ran out in this process, so that none can go on. */
linpred_status linpred__files_no_memory(const linpred__files *files, linpred_error *error);

/* Bytes that grow. */
typedef struct linpred__bytes {
    char *at;
    size_t count;
    size_t capacity;
    size_t read;    /* bytes that were taken from the beginning */
    bool no_memory; /* some bytes are missing */
} linpred__bytes;

void linpred__bytes_put(linpred__bytes *bytes, const void *from, size_t count);
void linpred__bytes_take(linpred__bytes *bytes, void *to, size_t count);
/* head.c: adds the head of a table: all that it says but its rows. */
void linpred__head_put(linpred__bytes *bytes, const linpred__table *table);
/* head.c: makes a table without rows of a head; NULL if out of memory. */
linpred__table *linpred__head_take(linpred__bytes *bytes);

/* agree.c: compares the columns of all files, and adds to the agreement what they tell. *again[i] becomes true for each
   file that must be read again because of that. */
linpred_status linpred__files_agree(const linpred__files *files, linpred__agreement *agreement, bool *again,
                                    linpred_error *error);
/* agree.c: adds the levels of a column to a dictionary. Unless `number` is NULL, number[k] becomes the number of level
   k there. False if out of memory. */
bool linpred__list_levels(const linpred__column *column, linpred__dictionary *levels, int32_t *number);
/* agree.c: makes the head of all files. */
linpred_status linpred__files_head(const linpred__files *files, const linpred__agreement *agreement,
                                   linpred__table **all, linpred_error *error);
/* join.c: adds the rows of all files to their common head. Frees the rows of each file once they are copied. */
linpred_status linpred__files_join(linpred__files *files, linpred__table *all, linpred_error *error);
/* join.c: makes a table of the rows of the files that this process has read, which lie in `spill`. It borrows its
   columns from the head of all; linpred__files_free_own frees it. */
linpred_status linpred__files_join_own(const linpred__files *files, const linpred__table *all, linpred__spill *spill,
                                       linpred__table *own, linpred_error *error);
void linpred__files_free_own(linpred__table *own);

#endif
