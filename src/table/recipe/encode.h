/* Encodes a table: its columns become features, labels and weights, by a recipe.
 *
 * The blocks of the table are changed in place if the features of each row fit into its columns. Memory then peaks near
 * the size of the table. New blocks are needed if a text column has more than two levels or the columns stand in
 * another order than the sources; each is made by the thread that encodes it, which then frees the old one.
 */
#ifndef LINPRED_TABLE_RECIPE_ENCODE_H
#define LINPRED_TABLE_RECIPE_ENCODE_H

#include "core/options.h"
#include "table/recipe/roles.h"
#include "table/recipe/recipe.h"
#include "table/table.h"

/* What a fit needs of a file: the context of linpred__choose_uses. */
typedef struct linpred__fit_columns {
    const linpred_options *options;
    bool labels; /* false: the table holds points */
} linpred__fit_columns;

/* What a model needs of a file: the context of linpred__recipe_uses. */
typedef struct linpred__needed_columns {
    const linpred__recipe *recipe;
    bool labels; /* the columns of target and weights are needed too */
} linpred__needed_columns;

/* For linpred__read_request: what the columns of a table are needed for, by the options of a fit or by a recipe. */
linpred_status linpred__choose_uses(void *context, const linpred__table *head, linpred__use *use, linpred_error *error);
linpred_status linpred__recipe_uses(void *context, const linpred__table *head, linpred__use *use, linpred_error *error);

/* Makes a new recipe for a fit, from a table and the options task, target, positive, one_class, features, drop,
   weights, missing, degree and on. Without `labels` the table holds points: every chosen column is a coordinate and
   must hold numbers. */
linpred_status linpred__recipe_make(const linpred__table *table, const linpred_options *options, bool labels,
                                    linpred__recipe **recipe, linpred__roles *roles, linpred_error *error);

/* Finds the columns of a recipe in another table. Without `labels` the columns of label and weights are not used.
   `missing` is what is done about missing values; it may differ from what the recipe says. `guessed_base` says that the
   user did not give the index base of a LIBSVM file; the base of the recipe then replaces the base that the reader
   guessed. */
linpred_status linpred__recipe_match(const linpred__recipe *recipe, const linpred__table *table, bool labels,
                                     linpred_missing missing, bool guessed_base, linpred__roles *roles,
                                     linpred_error *error);

/* Whether a level of a text column is a marker of missing values that is no level of the recipe's column. */
bool linpred__recipe_marks_missing(const linpred__recipe *recipe, const linpred__recipe_column *source,
                                   const char *level);
/* Makes cells with such levels missing, with a note. */
void linpred__recipe_take_markers(const linpred__recipe *recipe, const linpred__roles *roles, linpred__table *table);

/* Makes the data. Takes the table over, also on failure. */
linpred_status linpred__encode(linpred__table *table, linpred__recipe *recipe, const linpred__roles *roles,
                               linpred__policy policy, linpred__pool *pool, linpred_data **data, linpred_error *error);

/* Reads a file, or a table in memory, and encodes it by the recipe of a model. */
linpred_status linpred__data_load_by(linpred__recipe *recipe, const char *path, bool labels,
                                     const linpred_options *options, linpred_data **data, linpred_error *error);
linpred_status linpred__data_frame_by(linpred__recipe *recipe, const linpred_frame *table, bool labels,
                                      const linpred_options *options, linpred_data **data, linpred_error *error);

#endif
