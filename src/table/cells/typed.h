/* What the readers of typed files (SQLite, Parquet) share. Such a file says itself what is a number and what is text.
 *
 * A column that cannot be used is no error by itself: it gets a refusal, and a recipe that uses it fails with that
 * sentence. A column that is not used is not read. NULL and empty text are missing values.
 */
#ifndef LINPRED_TABLE_TYPED_H
#define LINPRED_TABLE_TYPED_H

#include "core/options.h"
#include "table/cells/dictionary.h"
#include "table/cells/markers.h"
#include "table/table.h"

/* Allocates table->column for table->columns columns without names. */
linpred_status linpred__typed_columns(linpred__table *table, linpred_error *error);
/* Names a column; blanks around the name do not count. A column whose name is not UTF-8 is refused. */
linpred_status linpred__typed_name(linpred__table *table, int32_t column, const char *name, size_t bytes,
                                   linpred_error *error);
/* Finds out whether two columns have the same name, which matters only if both are used. */
linpred_status linpred__typed_check_names(linpred__table *table, linpred_error *error);
/* Sets the use of each column. *as_text are those that must be text, by --text or a model: an array of table->columns
   truth values. The caller frees it. */
linpred_status linpred__typed_as_text(linpred__table *table, const linpred__read_request *request, bool **as_text,
                                      linpred_error *error);

/* Refuses a column because of its 1-based row `row`; 0: because of what the column is. The first reason is kept.
   False if out of memory. */
bool linpred__typed_refuse(linpred__column *column, int64_t row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Why a text cannot be a level: it is not UTF-8, or holds a NUL. NULL if it can. */
const char *linpred__typed_bad_text(const char *text, size_t bytes);
/* Counts a missing value in the 1-based row `row`. */
void linpred__typed_missing(linpred__column *column, int64_t row);
/* Counts a whole number that the double nearest to it does not equal. */
void linpred__typed_altered(linpred__column *column, int64_t row);
/* Whether some int64 is not the double nearest to it. */
bool linpred__typed_inexact(int64_t value);

/* Cuts the last block to the rows of the table, and empties the columns that are refused. */
void linpred__typed_trim(linpred__table *table);

/* The list of --na: that of the options, else that of the model's fit; NULL if there is none. */
const char *linpred__typed_na(const linpred__read_request *request);
/* Applies --na and --date to a table that is trimmed, and adds notes about its columns. */
linpred_status linpred__typed_finish(linpred__table *table, const linpred__read_request *request, linpred_error *error);

#endif
