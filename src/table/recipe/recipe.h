/* The recipe: how the columns of a file become features and labels. Made when a file is encoded for a fit, stored in
 * the model, applied again by predict, evaluate and verify. Shared by data and models, so counted.
 *
 * A number column gives one feature of its name. A text column with levels a < b < c (sorted by bytes) gives indicators
 * "name=b" and "name=c"; a, the reference level, is all zeros.
 *
 * For regression a number column x may stand for the terms x, x^2, …, x^degree. Data holds x alone: powers are formed
 * where they are used, in double-double. A coefficient belongs to a term; without powers terms and features are the
 * same.
 */
#ifndef LINPRED_TABLE_RECIPE_RECIPE_H
#define LINPRED_TABLE_RECIPE_RECIPE_H

#include <math.h>

#include "data/remark.h"
#include "core/number.h"
#include "linpred/linpred.h"

typedef struct linpred__recipe_column {
    char *name;
    linpred_column_type type; /* number or text */
    char **level;             /* text: sorted */
    int32_t levels;
    double mean;    /* number: what a missing value becomes; NaN unless the policy is mean */
    int32_t degree; /* number: the highest power, 0 and 1 mean itself only */
} linpred__recipe_column;

typedef struct linpred__recipe {
    int references;
    int32_t sources; /* the columns used, in the file's order */
    linpred__recipe_column
        *source; /* NULL: plain numbers x1, x2, …, of which there may be very many; see linpred__recipe_source */
    int32_t index_base; /* LIBSVM: 0 or 1, how the file's indices are counted; -1 elsewhere */
    int32_t features;   /* columns of the data */
    int32_t terms;      /* coefficients */
    char *names;        /* all names of terms, each with its NUL */
    size_t *name_at;    /* where term j's name starts; NULL if the sources are: at j LINPRED__NUMBERED_BYTES */
    char *target;       /* name of the label column */
    linpred_column_type target_type;
    bool real_target;      /* regression: the numbers themselves, no labels */
    char *label[2];        /* -1, +1 as text */
    double label_value[2]; /* as numbers, if target_type is number */
    char *weights;         /* name of the column of row weights, or NULL */
    linpred_missing missing;
    linpred__remark *about; /* what the notes are about */
    char **note;            /* their sentences */
    int32_t notes;
} linpred__recipe;

linpred__recipe *linpred__recipe_new(void); /* empty, one reference; NULL: out of memory */
linpred__recipe *linpred__recipe_share(linpred__recipe *recipe);
void linpred__recipe_release(linpred__recipe *recipe);

/* For arrays: features x1 … xn, labels -1 and +1 (or real targets, and powers of every column). NULL: out of memory. */
linpred__recipe *linpred__recipe_plain(int32_t columns);
linpred__recipe *linpred__recipe_plain_real(int32_t columns, int32_t degree);

/* The sources become columns of numbers x1 … xn, nothing in place of missing values, and so do the features; false if
   out of memory. */
bool linpred__recipe_number_columns(linpred__recipe *recipe, int32_t columns);
/* Whether they are just that, and not none. */
bool linpred__recipe_is_numbered(const linpred__recipe *recipe);

/* How many columns of data, and how many coefficients, a source gives. */
int32_t linpred__recipe_column_features(const linpred__recipe_column *source);
int32_t linpred__recipe_column_terms(const linpred__recipe_column *source);

/* Makes the feature names from the sources; false if out of memory. */
bool linpred__recipe_name_features(linpred__recipe *recipe);
static inline const char *linpred__recipe_feature(const linpred__recipe *recipe, int32_t term)
{
    return recipe->names + (recipe->name_at ? recipe->name_at[term] : (size_t)term * LINPRED__NUMBERED_BYTES);
}

static inline linpred__recipe_column linpred__recipe_source(const linpred__recipe *recipe, int32_t i)
{
    if (recipe->source)
        return recipe->source[i];
    return (linpred__recipe_column){.name = recipe->names + (size_t)i * LINPRED__NUMBERED_BYTES,
                                    .type = LINPRED_COLUMN_NUMBER,
                                    .mean = NAN,
                                    .degree = 1};
}

/* The name of the column that a term was made from. */
const char *linpred__recipe_column_of(const linpred__recipe *recipe, int32_t term);
/* Level `index` of a text column; NULL past the last, or if there is no such column. */
const char *linpred__recipe_level(const linpred__recipe *recipe, const char *column, int32_t index);

/* Makes the notes from everything else; false if out of memory. */
bool linpred__recipe_write_notes(linpred__recipe *recipe);

#endif
