/* The encoded values of a page, in batches: as whole numbers, as doubles, as bytes, or as entries of a dictionary. */
#ifndef LINPRED_TABLE_PARQUET_VALUES_H
#define LINPRED_TABLE_PARQUET_VALUES_H

#include "table/limits.h"
#include "table/parquet/parquet.h"
#include "table/parquet/runs.h"

/* Which member holds the values follows from the type of the column; `entry` is set if `by_dictionary`. */
typedef struct linpred__parquet_batch {
    union {
        int64_t whole[LINPRED__PARQUET_BATCH];        /* BOOLEAN, INT32, INT64 */
        double real[LINPRED__PARQUET_BATCH];          /* FLOAT, DOUBLE */
        linpred__slice slice[LINPRED__PARQUET_BATCH]; /* BYTES, FIXED; valid until the next batch */
        uint32_t entry[LINPRED__PARQUET_BATCH];       /* of the dictionary */
    };
} linpred__parquet_batch;

typedef struct linpred__parquet_values {
    const linpred__parquet_column *column;
    int32_t encoding;
    bool by_dictionary;
    const unsigned char *at; /* what is not read yet */
    const unsigned char *end;
    int64_t index;          /* PLAIN truth values and SPLIT: of the next value */
    int64_t stride;         /* SPLIT: the values of the page */
    linpred__runs runs;     /* dictionary, RLE */
    linpred__deltas deltas; /* numbers; lengths of bytes, or of what follows the common prefix */
    linpred__deltas prefix; /* DELTA_BYTES: bytes in common with the value before */
    unsigned char *text;    /* DELTA_BYTES: the values of a batch; the caller's to free */
    size_t text_capacity;
    size_t last_bytes;  /* DELTA_BYTES: length of the last value, which begins the memory of the next batch */
    uint64_t text_left; /* DELTA_BYTES: bytes that the page may still become */
    bool no_memory;
} linpred__parquet_values;

/* Whether values of this type can have this encoding. */
bool linpred__parquet_encoding_known(linpred__parquet_type type, int32_t encoding);
/* Begins with the values of a page. The memory of the page before is used again. False if they are damaged. */
bool linpred__parquet_values_open(linpred__parquet_values *values, const linpred__parquet_column *column,
                                  const linpred__parquet_page *page);
/* Takes the next `count` values, at most LINPRED__PARQUET_BATCH. False if they are damaged or memory ran out. */
bool linpred__parquet_values_next(linpred__parquet_values *values, int64_t count, linpred__parquet_batch *batch);

#endif
