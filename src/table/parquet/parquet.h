/* What the files of the Parquet reader share. All code is written from the format's specification.
 *
 *   thrift.h   the protocol of footer and page headers
 *   footer.c   the footer: columns, row groups, and where the chunks of a column lie
 *   schema.c   what the values of a column mean
 *   pages.c    the pages of a chunk, checked and unpacked
 *   codecs.c   unpacks a page
 *   runs.h     runs and bit-packed numbers, deltas
 *   values.c   the encoded values of a page, in batches
 *   meaning.c  a value as a number or as text
 *   chunk.c    one chunk: its pages become cells of the table
 *   reader.c   all chunks, on all threads; levels of text columns
 *
 * Every length, count and offset of the file is checked before it is used.
 */
#ifndef LINPRED_TABLE_PARQUET_PARQUET_H
#define LINPRED_TABLE_PARQUET_PARQUET_H

#include "table/cells/dictionary.h"
#include "table/parquet/thrift.h"
#include "table/table.h"

typedef struct linpred__slice {
    const unsigned char *at;
    size_t bytes;
} linpred__slice;

/* ---- the footer -------------------------------------------------------------------------------------------------- */

/* How values are stored; the numbers are those of the format. */
typedef enum linpred__parquet_type {
    LINPRED__PARQUET_BOOLEAN,
    LINPRED__PARQUET_INT32,
    LINPRED__PARQUET_INT64,
    LINPRED__PARQUET_INT96,
    LINPRED__PARQUET_FLOAT,
    LINPRED__PARQUET_DOUBLE,
    LINPRED__PARQUET_BYTES, /* each value with its length */
    LINPRED__PARQUET_FIXED  /* bytes of one length */
} linpred__parquet_type;

/* What values mean. */
typedef enum linpred__parquet_meaning {
    LINPRED__PARQUET_WHOLE,     /* whole numbers and truth values */
    LINPRED__PARQUET_UNSIGNED,  /* whole numbers from 0 */
    LINPRED__PARQUET_REAL,      /* float and double */
    LINPRED__PARQUET_HALF,      /* floating point of 16 bits */
    LINPRED__PARQUET_DECIMAL,   /* whole numbers of 10^-scale */
    LINPRED__PARQUET_TEXT,      /* UTF-8 */
    LINPRED__PARQUET_DATE,      /* days since 1970-01-01; they are read as text */
    LINPRED__PARQUET_TIME,      /* 10^-scale seconds since midnight; text */
    LINPRED__PARQUET_TIMESTAMP, /* 10^-scale seconds since 1970-01-01; text */
    LINPRED__PARQUET_UNREADABLE /* the column is refused */
} linpred__parquet_meaning;

typedef struct linpred__parquet_column {
    const char *name; /* in the footer, not closed by a NUL */
    size_t name_bytes;
    int32_t leaf; /* which chunk of a row group holds the column; a nested column has several, from this one on */
    linpred__parquet_type type;
    linpred__parquet_meaning meaning;
    int32_t length;      /* FIXED: bytes of a value */
    int32_t scale;       /* decimals: digits after the point; times: digits of a second */
    bool utc;            /* timestamps: they are in UTC, not in local time */
    bool optional;       /* values may be missing */
    bool as_text;        /* --text names it */
    bool wanted;         /* it is to be read; the reader decides it */
    const char *refusal; /* why the column cannot be read; NULL if it can */
} linpred__parquet_column;

typedef struct linpred__parquet_place {
    int64_t offset; /* of the first page */
    int64_t bytes;  /* of all pages, with their headers */
    int32_t codec;
    int32_t type;
    const char *refusal; /* why this chunk cannot be read; NULL if it can */
} linpred__parquet_place;

typedef struct linpred__parquet_group {
    int64_t rows;
    int64_t first_row; /* 0-based row of the file */
} linpred__parquet_group;

typedef struct linpred__parquet_footer {
    linpred__parquet_column *column;
    size_t column_capacity;
    int32_t columns;
    int32_t leaves; /* chunks of each row group */
    linpred__parquet_group *group;
    size_t group_capacity;
    int64_t groups;
    linpred__parquet_place *place; /* groups x leaves */
    size_t place_capacity;
    int64_t places; /* length of `place` */
    int64_t rows;
} linpred__parquet_footer;

typedef struct linpred__parquet_file {
    const char *name; /* of the file, for messages */
    const unsigned char *data;
    int64_t bytes;
    int64_t data_end; /* where the footer begins */
    linpred__parquet_footer footer;
} linpred__parquet_file;

/* Reads the footer. file->name, data and bytes must be set. linpred__parquet_footer_free must be called, also on
   failure. */
linpred_status linpred__parquet_footer_read(linpred__parquet_file *file, linpred_error *error);
void linpred__parquet_footer_free(linpred__parquet_footer *footer);
/* Reads the next element of the schema; *children is the number of elements below it. */
void linpred__parquet_element_read(linpred__thrift *thrift, linpred__parquet_column *column, int64_t *children);

/* ---- pages ------------------------------------------------------------------------------------------------------- */

/* Encodings and kinds of pages, as the format numbers them. */
enum {
    LINPRED__ENCODING_PLAIN = 0,
    LINPRED__ENCODING_PLAIN_DICTIONARY = 2,
    LINPRED__ENCODING_RLE = 3,
    LINPRED__ENCODING_DELTA = 5,
    LINPRED__ENCODING_DELTA_LENGTH = 6,
    LINPRED__ENCODING_DELTA_BYTES = 7,
    LINPRED__ENCODING_DICTIONARY = 8,
    LINPRED__ENCODING_SPLIT = 9,
    LINPRED__PAGE_DATA = 0,
    LINPRED__PAGE_INDEX = 1,
    LINPRED__PAGE_DICTIONARY = 2,
    LINPRED__PAGE_DATA_2 = 3
};

typedef struct linpred__parquet_page {
    int kind;
    int32_t encoding;
    int32_t level_encoding; /* of definition levels, pages of version 1 */
    int64_t values;         /* of the page, missing values included */
    int64_t level_bytes;    /* pages of version 2: bytes of the definition levels */
    int64_t repeat_bytes;   /* pages of version 2: bytes of the repetition levels */
    bool packed;            /* the codec was used */
    int64_t unpacked_bytes; /* of the page after unpacking */
    bool has_crc;
    uint32_t crc;
    const unsigned char *body; /* as it lies in the file */
    int64_t body_bytes;
    const unsigned char *levels; /* after unpacking: definition levels, and their end */
    const unsigned char *levels_end;
    const unsigned char *data; /* after unpacking: the values, and their end */
    const unsigned char *data_end;
} linpred__parquet_page;

/* Goes through the pages of a chunk. */
typedef struct linpred__parquet_pages {
    const linpred__parquet_file *file;
    const linpred__parquet_place *place;
    int64_t at;  /* offset of the next page */
    int64_t end; /* of the chunk */
    bool optional;
    unsigned char *unpacked; /* memory for a page, the caller's to free */
    size_t unpacked_capacity;
    const char *wrong; /* what is wrong with the file at `at`; NULL: nothing */
} linpred__parquet_pages;

void linpred__parquet_pages_open(const linpred__parquet_file *file, const linpred__parquet_place *place, bool optional,
                                 linpred__parquet_pages *pages);
/* Reads the header of the next page. False at the end of the chunk, or if `wrong` is set. */
bool linpred__parquet_pages_next(linpred__parquet_pages *pages, linpred__parquet_page *page);
/* Unpacks the page and finds levels and values. False if out of memory or if `wrong` is set. */
bool linpred__parquet_page_unpack(linpred__parquet_pages *pages, linpred__parquet_page *page);

/* Why a codec is not read; NULL if it is. */
const char *linpred__parquet_codec_refusal(int32_t codec);
/* How many bytes a packed byte can become at most. */
int64_t linpred__parquet_codec_ratio(int32_t codec);
/* Unpacks bytes into exactly `wanted`. False if that is not what they hold, or if memory ran out: *no_memory is then
   set. */
bool linpred__parquet_unpack(int32_t codec, linpred__slice packed, unsigned char *to, size_t wanted, bool *no_memory);

#endif
