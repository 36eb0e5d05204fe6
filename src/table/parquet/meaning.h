/* A stored value as a cell of the table: a number, or the number of a level. */
#ifndef LINPRED_TABLE_PARQUET_MEANING_H
#define LINPRED_TABLE_PARQUET_MEANING_H

#include "table/parquet/values.h"

/* What is not plain about a cell. */
typedef enum linpred__oddity {
    LINPRED__ODD_NONE,
    LINPRED__ODD_ALTERED,  /* a number that was rounded */
    LINPRED__ODD_ABSENT,   /* NaN or empty text, which are missing values */
    LINPRED__ODD_INFINITE, /* all from here on refuse the column */
    LINPRED__ODD_BROKEN_TEXT,
    LINPRED__ODD_NUL_TEXT,
    LINPRED__ODD_LONG_DECIMAL
} linpred__oddity;

/* Turns the first `count` values of the batch into cells, which may be those of batch->real. Text is numbered by
   `levels`. If some oddity is not LINPRED__ODD_NONE, *odd is set to true and `oddity` is filled. False if out of
   memory. */
bool linpred__parquet_cells(const linpred__parquet_column *column, const linpred__parquet_batch *batch, int64_t count,
                            linpred__dictionary *levels, double *cells, unsigned char *oddity, bool *odd);
/* What a refused cell holds, for a sentence. */
const char *linpred__oddity_phrase(linpred__oddity oddity);
/* Whether the cells of the column are levels. */
bool linpred__parquet_is_text(const linpred__parquet_column *column);

#endif
