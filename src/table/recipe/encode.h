/* Encode: from the columns of a table to data, by a recipe.
 *
 * The table's blocks are taken over and changed in place wherever the features fit where the columns were, so memory
 * peaks near the final matrix; only text columns with more than two levels need new, wider blocks, made one at a time
 * while the old are freed.
 */
#ifndef LINPRED_TABLE_RECIPE_ENCODE_H
#define LINPRED_TABLE_RECIPE_ENCODE_H

#include "core/options.h"
#include "table/recipe/roles.h"
#include "table/recipe/recipe.h"
#include "table/table.h"

/* A new recipe for a fit, from a table and the options target, positive, features, drop, weights, missing. Without
   `labels` every column is a feature, and must hold numbers. */
linpred_status linpred__recipe_make(const linpred__table *table, const linpred_options *options, bool labels,
                                    linpred__recipe **recipe, linpred__roles *roles, linpred_error *error);

/* Finds the recipe's columns in another file. Without `labels` the label and weights are not looked for. With
   `guessed_base` the first index of a LIBSVM file is that of the recipe, whatever the reader took it to be. */
linpred_status linpred__recipe_match(const linpred__recipe *recipe, const linpred__table *table, bool labels,
                                     bool guessed_base, linpred__roles *roles, linpred_error *error);

/* Makes the data. Takes the table over, also on failure. */
linpred_status linpred__encode(linpred__table *table, linpred__recipe *recipe, const linpred__roles *roles,
                               linpred_unknown_level unknown, linpred__pool *pool, linpred_data **data,
                               linpred_error *error);

/* Writes down what a careful user wants to know; `unused_entries` of a LIBSVM file belong to features beyond the
 * recipe's. */
void linpred__warn(linpred_data *data, const linpred__table *table, const linpred__recipe *recipe,
                   const linpred__roles *roles, int64_t unused_entries);

/* Reads a file and encodes it by an existing recipe. */
linpred_status linpred__data_load_by(linpred__recipe *recipe, const char *path, bool labels,
                                     const linpred_options *options, linpred_data **data, linpred_error *error);

#endif
