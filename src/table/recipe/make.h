/* The steps of linpred__recipe_make, in the order in which make.c takes them. `chosen` has one entry for each column of
 * the table: whether the column becomes features. `used` has one entry for each row: whether the row will be in the
 * data; it is NULL if all will be. */
#ifndef LINPRED_TABLE_RECIPE_MAKE_H
#define LINPRED_TABLE_RECIPE_MAKE_H

#include "core/options.h"
#include "table/recipe/recipe.h"
#include "table/recipe/roles.h"
#include "table/table.h"

/* choose_roles.c: finds the columns of the target and the weights and sets `chosen`, from the options target, weights,
   features and drop. roles->labels must be set. */
linpred_status linpred__choose_roles(const linpred__table *table, const linpred_options *options, linpred__roles *roles,
                                     bool *chosen, linpred_error *error);

/* choose_roles.c: fails if a column that is used has no name or is refused. */
linpred_status linpred__check_usable(const linpred__table *table, const linpred__roles *roles, const bool *chosen,
                                     linpred_error *error);

/* labels.c: sets recipe->label and recipe->label_value. Only rows that will be in the data count; they must have two
   labels, or one if options->one_class allows it. */
linpred_status linpred__recipe_map_labels(linpred__recipe *recipe, const linpred__table *table,
                                          const linpred__roles *roles, const bool *used, const linpred_options *options,
                                          linpred_error *error);

/* A table whose rows do not fit into memory: its columns without rows, and those of weights and target with rows. */
typedef struct linpred__recipe_tables {
    const linpred__table *head;
    linpred__roles *roles; /* of the columns of `head`; `source` is set */
    const linpred__table *thin;
    const linpred__roles *thin_roles;
} linpred__recipe_tables;
/* linpred__recipe_make for it. `chosen` says which columns are features; they must hold numbers, none missing. */
linpred_status linpred__recipe_make_beyond(const linpred__recipe_tables *tables, const bool *chosen,
                                           const linpred_options *options, linpred__recipe **recipe,
                                           linpred_error *error);

/* features.c: fills the sources of the recipe and roles->source, then names the terms. A text column has the levels of
   the rows that will be in the data. */
linpred_status linpred__recipe_add_features(linpred__recipe *recipe, linpred__roles *roles, const linpred__table *table,
                                            const linpred_options *options, const bool *chosen, const bool *used,
                                            linpred_error *error);

#endif
