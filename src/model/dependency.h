/* Columns that depend on each other: vectors n with <n,(x,1)> = 0 in every row x. A vector has one entry for each
 * coefficient, the intercept last. */
#ifndef LINPRED_MODEL_DEPENDENCY_H
#define LINPRED_MODEL_DEPENDENCY_H

#include "table/recipe/recipe.h"

typedef struct linpred__dependencies {
    int32_t count;
    int32_t width;
    double *vector; /* count x width by rows */
    bool *exact;    /* of each vector: whether it holds without any rounding */
    bool drop;      /* the last column of each vector is dropped: its coefficient is 0, and so is its entry in all other
                       vectors. False: the coefficients are those of least norm. */
    char **sentence; /* each vector in words; NULL: not written yet */
} linpred__dependencies;

/* Allocates `count` vectors, all zero. False: out of memory. */
bool linpred__dependencies_open(linpred__dependencies *dependencies, int32_t count, int32_t width);
void linpred__dependencies_clear(linpred__dependencies *dependencies);
/* Writes the sentences, replacing earlier ones: "x3 = 2 x1 - 1 in every row", with ≈ if it is not exact. The last
   column whose entry is not 0 is on the left side. Returns false if memory runs out. */
bool linpred__dependencies_write(linpred__dependencies *dependencies, const linpred__recipe *recipe);

/* The last column whose entry in n is not 0. */
int32_t linpred__dependency_last(const linpred__recipe *recipe, const double *n);
/* Whether a coefficient can be estimated; `terms` is their number without the intercept. By the least norm that are
   those without a part in any vector, if columns are dropped all others. */
bool linpred__dependencies_leave(const linpred__dependencies *dependencies, int32_t terms, int32_t coefficient);

/* broken_rows.c: whether the coordinates x of a row, the intercept's 1 included, break the dependency n. `exact`: n
   holds without any rounding in the training rows. */
bool linpred__breaks_dependency(const double *n, const double *x, int32_t width, bool exact);

#endif
