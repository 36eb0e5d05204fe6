/* The roles that the columns of one table play in a recipe: target, weights, sources of features. */
#ifndef LINPRED_TABLE_RECIPE_ROLES_H
#define LINPRED_TABLE_RECIPE_ROLES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct linpred__roles {
    int32_t target;  /* the table's column of the target; -1 if there is none, and in a sparse table */
    int32_t weights; /* the table's column of row weights; -1 if there is none */
    int32_t *source; /* source[k] is the table's column that is source k of the recipe. In a sparse table it may lie
                        outside 0 … columns-1: the file then has no entry of that feature. */
    int32_t *kept;   /* the table's columns that are passed through, in the order in which they were named */
    int32_t kept_columns; /* length of `kept` */
    bool fresh;           /* the recipe was made from this table; false if it comes from a model */
    bool labels; /* the caller needs labels. If false, the labels of a LIBSVM file are ignored, and it is no error if
                    every row is dropped. */
} linpred__roles;

/* Frees `source`. */
void linpred__roles_clear(linpred__roles *roles);

#endif
