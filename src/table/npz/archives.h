/* The archives of one data set that may be larger than memory: their heads, and where the rows of each lie. Processes
 * that work together all open all archives, and read the rows of their shares. Of files of another format they make
 * archives first. */
#ifndef LINPRED_TABLE_NPZ_ARCHIVES_H
#define LINPRED_TABLE_NPZ_ARCHIVES_H

#include "table/npz/npz.h"
#include "table/table.h"

typedef struct linpred__archive {
    const char *path;
    int descriptor; /* -1: it is not open, or the data has taken it over */
    uint64_t size;  /* bytes */
    linpred__zip zip;
    linpred__table *head; /* NULL if it is the head of all */
    linpred__npz_columns columns;
    int64_t first_row; /* the row of all archives with which it begins */
    int64_t rows;
    int64_t entries;
    linpred__npz_array values, indices; /* of the entries; indices of sparse rows */
} linpred__archive;

typedef struct linpred__archives {
    linpred__archive *archive; /* in order; files without bytes are left out */
    int64_t count;             /* 0: some file is no archive */
    linpred__table *head;      /* of the rows of all */
    char *name;                /* its name, which stays */
    bool past_cache;           /* the system's cache cannot keep them, so they are read past it */
    linpred__npz_columns
        columns; /* its list, which is owned, is that of the columns of `head`; NULL: they are in order */
} linpred__archives;

/* Lists the files that the options and `path` name, with their sizes. archives->count is 0 if one of them is no
   archive, or cannot be opened: whoever reads it then says why. */
linpred_status linpred__archives_find(const char *path, const linpred_options *options, linpred__archives *archives,
                                      linpred_error *error);
/* Opens the archives, reads their heads and makes that of all. Fails and sets *unfit if the archives agree
 * only if some are read in another way. */
linpred_status linpred__archives_heads(linpred__archives *archives, const char *path,
                                       const linpred__read_request *request, bool *unfit, linpred_error *error);
void linpred__archives_close(linpred__archives *archives);
/* Reads the head of an archive whose descriptor, size and path are set, and finds its arrays. */
linpred_status linpred__archive_open(linpred__archive *archive, linpred_error *error);

/* numbers.c: reads an array of a number a row of archive i, and hands the numbers out: those of `count` rows from row
   `first` of the archive on. Threads call `take` at the same time, for other rows. The numbers that were handed out are
   not to be trusted if this fails. */
typedef void linpred__take_numbers(void *context, int64_t first, const double *numbers, int64_t count);
linpred_status linpred__archive_numbers(const linpred__archives *archives, int64_t i, const char *name,
                                        linpred__pool *pool, linpred__take_numbers *take, void *context,
                                        linpred_error *error);
/* thin.c: makes a table of the rows of all archives that holds the weights, if there are some, and the target alone.
   `roles` are those of the head. The rows follow one another in memory. Fails and sets *missing if a row lacks one of
   them. */
linpred_status linpred__archives_thin(const linpred__archives *archives, const linpred__roles *roles,
                                      linpred__pool *pool, bool *missing, linpred__table **thin, linpred_error *error);

#endif
