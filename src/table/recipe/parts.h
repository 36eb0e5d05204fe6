/* The parts that the columns of a table play in a recipe. */
#ifndef LINPRED_TABLE_RECIPE_PARTS_H
#define LINPRED_TABLE_RECIPE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct linpred__parts {
    int32_t target;  /* column of the target, -1: none */
    int32_t weights; /* column of the weights, -1: none */
    int32_t *source; /* for each source of the recipe, its column in the table */
    bool fresh;      /* the recipe was made from this table, not from another */
    bool labels;     /* labels are wanted. If not, labels of a LIBSVM file are ignored, and all rows may be dropped. */
} linpred__parts;

/* Frees `source`. Defined in make.c. */
void linpred__parts_clear(linpred__parts *parts);

#endif
