/* The recipe: how the columns of a file become features and labels. A fit makes it from its file and stores it in the
 * model; predict, evaluate and verify apply it to their files. Data and models share it, so references are counted.
 *
 * A number column gives one feature with its name. A text column `name` with the levels a < b < c, sorted by bytes,
 * gives the indicators "name=b" and "name=c"; a is the reference level, for which both are 0.
 *
 * For regression a number column x may give the terms x, x^2, …, x^degree. The data holds x alone; powers are formed
 * where they are used, in double-double. Each coefficient belongs to one term. Without powers the terms are the
 * features.
 */
#ifndef LINPRED_TABLE_RECIPE_RECIPE_H
#define LINPRED_TABLE_RECIPE_RECIPE_H

#include <math.h>

#include "core/number.h"
#include "data/data.h"
#include "linpred/linpred.h"
#include "table/reading.h"

typedef struct linpred__recipe_column {
    char *name;
    linpred_column_type type; /* number or text */
    char **level;             /* text: the levels, sorted by bytes; the first is the reference level */
    int32_t levels;           /* length of `level` */
    double mean;              /* number: replaces a missing value; NaN unless the policy is mean */
    int32_t degree;           /* number: the highest power; 0 and 1 both mean the column itself only */
    bool days;                /* number: the file holds dates, read as days since 1970-01-01 */
    int32_t occurrence;       /* the file of the fit had several columns of this name, and it was this one, counted from
                                 1; 0 if it had one */
} linpred__recipe_column;

typedef struct linpred__recipe {
    int references;
    int32_t sources;                /* the number of columns that become features */
    linpred__recipe_column *source; /* these columns, in the order of the file. NULL if they are number columns x1, x2,
                                       … without means and powers: a LIBSVM file may have millions of them. Read it by
                                       linpred__recipe_source. */
    int32_t index_base;             /* LIBSVM: the first index of the file, 0 or 1; -1 for other formats */
    int32_t features;               /* columns of the data */
    int32_t terms;                  /* coefficients, without the intercept */
    char *names;                    /* the names of all terms, each closed by a NUL */
    size_t *name_at;                /* where the name of term j begins in `names`; NULL if `source` is NULL: then it
                                       begins at j * LINPRED__NUMBERED_BYTES */
    char *target;                   /* name of the target column */
    linpred_column_type target_type;
    bool target_days;           /* the target is a date, read as days since 1970-01-01 */
    int32_t target_occurrence;  /* as `occurrence` of a source */
    int32_t weights_occurrence; /* the same of the column of weights */
    linpred__reading reading;   /* how the file was read */
    signed char *decimals;      /* of each source (data/decimals.h), 0 where cells mean their doubles; NULL if all do */
    signed char target_decimals; /* of a real target */
    bool real_target;            /* regression: the target is a number, and there are no labels */
    char *label[2];              /* the labels -1 and +1 as text; label[0] is "" if all rows have one label */
    bool rest;                   /* the label -1 stands for every label but +1; its text is "not " and the label +1 */
    double label_value[2];       /* the labels as numbers, if target_type is number; else NaN */
    char *weights;               /* name of the column of row weights; NULL if there is none */
    linpred_missing missing;
    linpred__remark *about; /* what each note is about */
    char **note;            /* the sentence of each note */
    int32_t notes;          /* length of `about` and `note` */
} linpred__recipe;

/* What is done about cells that the recipe cannot encode. */
typedef struct linpred__policy {
    linpred_missing missing;       /* a value is missing */
    linpred_unknown_level unknown; /* a text column has a level that the recipe does not have */
    bool by_model;                 /* the recipe is that of a model, which says what decimals mean */
} linpred__policy;

/* An empty recipe with one reference; NULL if out of memory. */
linpred__recipe *linpred__recipe_new(void);
/* Adds a reference; linpred__recipe_release takes one away and frees the recipe with the last. */
linpred__recipe *linpred__recipe_share(linpred__recipe *recipe);
void linpred__recipe_release(linpred__recipe *recipe);

/* What the caller calls the columns, the target and the labels of arrays; copied. */
typedef struct linpred__array_names {
    const char *const *columns; /* NULL: x1, x2, … */
    const char *target;         /* NULL: "label" */
    const char *label[2];       /* NULL: "-1" and "1" */
} linpred__array_names;

/* The recipe of arrays: number columns, with two labels, or with real targets and powers of every column up to
   `degree`. NULL if out of memory. */
linpred__recipe *linpred__recipe_of_arrays(int32_t columns, const linpred__array_names *names, bool real,
                                           int32_t degree);
/* The recipe of a model that is fitted to arrays, from the recipe of the data: the same names. */
linpred__recipe *linpred__recipe_for_arrays(const linpred__recipe *data, bool real, int32_t degree);

/* Makes the sources and features of a new recipe the number columns x1 … xn; false if out of memory. */
bool linpred__recipe_number_columns(linpred__recipe *recipe, int32_t columns);
/* Whether the sources are the number columns x1 … xn, without means and powers, and n > 0. */
bool linpred__recipe_is_numbered(const linpred__recipe *recipe);

/* How many features, and how many terms, a source gives. */
int32_t linpred__recipe_column_features(const linpred__recipe_column *source);
int32_t linpred__recipe_column_terms(const linpred__recipe_column *source);

/* Counts features and terms and makes the names of the terms, from the sources; false if out of memory. */
bool linpred__recipe_name_features(linpred__recipe *recipe);
/* The name of a term. */
static inline const char *linpred__recipe_feature(const linpred__recipe *recipe, int32_t term)
{
    return recipe->names + (recipe->name_at ? recipe->name_at[term] : (size_t)term * LINPRED__NUMBERED_BYTES);
}

/* Source i, also if `source` is NULL. */
static inline linpred__recipe_column linpred__recipe_source(const linpred__recipe *recipe, int32_t i)
{
    if (recipe->source)
        return recipe->source[i];
    return (linpred__recipe_column){.name = recipe->names + (size_t)i * LINPRED__NUMBERED_BYTES,
                                    .type = LINPRED_COLUMN_NUMBER,
                                    .mean = NAN,
                                    .degree = 1};
}

/* The name of the column that a term is made from. */
const char *linpred__recipe_column_of(const linpred__recipe *recipe, int32_t term);
/* Level `index` of a text column; NULL if the index is out of range or there is no such column. */
const char *linpred__recipe_level(const linpred__recipe *recipe, const char *column, int32_t index);

/* The decimals of source i. */
static inline int linpred__recipe_decimals(const linpred__recipe *recipe, int32_t i)
{
    return recipe->decimals ? recipe->decimals[i] : 0;
}

/* The decimals, in data, of the source whose first feature is `feature`; 0 where cells mean their doubles. */
int linpred__source_decimals(const linpred__decimals *decimals, const linpred__recipe_column *source, int32_t feature);
/* Keeps the decimals of the data that a new recipe made; false if out of memory. */
bool linpred__recipe_keep_decimals(linpred__recipe *recipe, const linpred__decimals *decimals);

/* Makes the notes, once everything else is set; false if out of memory. */
bool linpred__recipe_write_notes(linpred__recipe *recipe);

#endif
