/* Finds the columns that a user names in an option: by name, or by 1-based number if no column has that name. */
#ifndef LINPRED_TABLE_COLUMNS_H
#define LINPRED_TABLE_COLUMNS_H

#include "core/error.h"
#include "core/number.h"
#include "table/table.h"

/* Sets *column to the 0-based column that `text` names; a name that several columns have is an error. `flag` is the
   option that gave the text; an error message shows it, and the nearest name if one is near. */
linpred_status linpred__find_column(const linpred__table *table, const char *text, size_t bytes, const char *flag,
                                    int32_t *column, linpred_error *error);

/* Sets chosen[i] to true for each column i in a list separated by commas. A comma inside a name is written twice. A
   name that several columns have chooses all of them. */
linpred_status linpred__find_columns(const linpred__table *table, const char *list, const char *flag, bool *chosen,
                                     linpred_error *error);

/* Copies the next item of a list separated by commas into `item`, which must be as long as the list and its NUL, and
   moves *at behind it. Returns false if it was the last. */
bool linpred__next_item(const char **at, char *item, size_t *bytes);

/* The name of a 0-based column. A sparse table has no names, so x1, x2, … is written into `buffer`. */
const char *linpred__column_name(const linpred__table *table, int32_t column, char buffer[LINPRED__NUMBERED_BYTES]);

/* Writes "column 2 (x1)", or "column 2" if the file has no names. */
enum { LINPRED__COLUMN_PLACE = 200 };
const char *linpred__column_place(const linpred__table *table, int32_t column, char buffer[LINPRED__COLUMN_PLACE]);
/* The argument of an option that names the column: its name, or its number if the name is long, occurs twice or would
   need quoting in a shell. */
const char *linpred__column_argument(const linpred__table *table, int32_t column, char buffer[LINPRED__EXCERPT]);

/* Fails because a column that is to be used is refused. `droppable`: it can be left out with --drop. */
linpred_status linpred__refused_column(const linpred__table *table, int32_t column, bool droppable,
                                       linpred_error *error);

/* If several columns have the name of `column`: which of them it is, counted from 1. Else 0. */
int32_t linpred__column_occurrence(const linpred__table *table, int32_t column);

/* Refuses sparse rows with so many columns that never occur that memory would go to these alone. `who` needs so many
   bytes for each column: "a fit". */
linpred_status linpred__check_empty_columns(const linpred__table *table, const char *who, size_t column_bytes,
                                            linpred_error *error);

/* For readers, once the names are known: sets `use` of each column, by the request and the options --text and --date.
 */
linpred_status linpred__choose_columns(linpred__table *table, const linpred__read_request *request,
                                       linpred_error *error);

#endif
