/* Notes about columns that a reader of any format may have understood otherwise than they are meant. */
#ifndef LINPRED_TABLE_COLUMN_NOTES_H
#define LINPRED_TABLE_COLUMN_NOTES_H

#include "table/table.h"

/* Adds notes to a table that is complete: levels that are markers of missing values, numbers with units, and
   dates that are text or numbers. Where a model says what the columns are, there is nothing to note. */
void linpred__note_columns(linpred__table *table, const linpred__read_request *request);

#endif
