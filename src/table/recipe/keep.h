/* Columns of the file that predictions pass through: option keep.
 *
 * They are read as text, so that 007 stays 007. A column that is also a feature of numbers is read as numbers, and
 * comes out as the shortest text of each.
 */
#ifndef LINPRED_TABLE_RECIPE_KEEP_H
#define LINPRED_TABLE_RECIPE_KEEP_H

#include "table/recipe/recipe.h"
#include "table/recipe/roles.h"
#include "table/table.h"

/* Sets *list to those columns of the list `keep` that are to be read as text: all that are not features of numbers by
   their name. It is NULL if there are none, and is released by the caller. */
linpred_status linpred__kept_as_text(const linpred__recipe *recipe, const char *keep, char **list,
                                     linpred_error *error);

/* Finds the columns of the list `keep` in a table that was read so, and sets roles->kept. */
linpred_status linpred__kept_find(const linpred__recipe *recipe, const linpred__table *table, const char *keep,
                                  linpred__roles *roles, linpred_error *error);

/* Copies the cells of these columns; names and levels stay those of the table. *kept is NULL if there are none. False
   if out of memory; what was made is then released. */
bool linpred__kept_copy(const linpred__table *table, const linpred__roles *roles, linpred__kept **kept);
void linpred__kept_free(linpred__kept *kept, int32_t columns);

#endif
