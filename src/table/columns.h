/* Columns named by people: a name, or a 1-based number where no column has that name. */
#ifndef LINPRED_TABLE_COLUMNS_H
#define LINPRED_TABLE_COLUMNS_H

#include "core/number.h"
#include "table/table.h"

/* The 0-based column that `text` means; an error names the option it came from and, if it helps, the nearest name. */
linpred_status linpred__find_column(const linpred__table *table, const char *text, size_t bytes, const char *flag,
                                    int32_t *column, linpred_error *error);

/* Sets chosen[column] for each of the columns in a list separated by commas; a comma inside a name is doubled. */
linpred_status linpred__find_columns(const linpred__table *table, const char *list, const char *flag, bool *chosen,
                                     linpred_error *error);

/* The name of a column, in `buffer` for tables without names of their own. */
const char *linpred__column_name(const linpred__table *table, int32_t column, char buffer[LINPRED__NUMBERED_BYTES]);

#endif
