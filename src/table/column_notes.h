/* Notes about columns that a reader of any format may have understood otherwise than they are meant. */
#ifndef LINPRED_TABLE_COLUMN_NOTES_H
#define LINPRED_TABLE_COLUMN_NOTES_H

#include "table/table.h"

/* Adds notes to a table that is complete: levels that are markers of missing values, numbers with units, and
   dates that are text or numbers. Where a model says what the columns are, there is nothing to note. */
void linpred__note_columns(linpred__table *table, const linpred__read_request *request);
/* Writes how the odd cell of a text column is made a missing value: "; if it means a missing value, say --na 'NA,?,-'".
   Writes "" if the cell holds a digit, and so is a number that is written oddly, or if it stands in the first row, and
   so may be a name. */
enum { LINPRED__NA_ADVICE = 240 };
const char *linpred__na_advice(const linpred__table *table, const linpred__column *column,
                               char advice[LINPRED__NA_ADVICE]);

#endif
