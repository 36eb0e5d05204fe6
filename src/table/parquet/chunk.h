/* One chunk of a Parquet file: the values of one column in one row group. */
#ifndef LINPRED_TABLE_PARQUET_CHUNK_H
#define LINPRED_TABLE_PARQUET_CHUNK_H

#include "table/parquet/meaning.h"

/* What was found in a chunk. */
typedef struct linpred__parquet_chunk {
    linpred__dictionary levels; /* text: its cells are numbers of this dictionary until the chunks are joined */
    int64_t missing;
    int64_t first_missing; /* 1-based row of the file; so are the next three */
    int64_t altered;
    int64_t first_altered;
    int64_t refused;        /* the row that refuses the column; 0: none */
    linpred__oddity oddity; /* of that row */
    bool unknown_encoding;  /* some page has an encoding that is not read; this refuses the column too */
    const char *wrong;      /* what is wrong with the file; NULL: nothing */
    int64_t wrong_at;       /* byte of the file */
    bool no_memory;
} linpred__parquet_chunk;

/* Reads the headers of all pages and compares the number of their values with the rows of the group. */
void linpred__parquet_chunk_scan(const linpred__parquet_file *file, int64_t group, int32_t column,
                                 linpred__parquet_chunk *chunk);
/* Memory for reading chunks, which one task after the other uses: pages are large, and new memory is slow. */
typedef struct linpred__parquet_desk linpred__parquet_desk;
linpred__parquet_desk *linpred__parquet_desk_new(void); /* NULL if out of memory */
void linpred__parquet_desk_free(linpred__parquet_desk *desk);

/* Reads the columns `first` … first + LINPRED__PARQUET_COLUMNS - 1 of a row group, as far as there are, into the cells
   of the table. Columns that are not wanted are left out. chunks[c] is the chunk of column c. */
void linpred__parquet_chunks_read(const linpred__parquet_file *file, int64_t group, int32_t first,
                                  linpred__table *table, linpred__parquet_chunk *chunks, linpred__parquet_desk *desk);

#endif
