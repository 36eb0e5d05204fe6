/* What a class of predictors can learn: shattering, counts, bounds. Part of linpred.h. */
#ifndef LINPRED_THEORY_H
#define LINPRED_THEORY_H

#include "linpred/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A class of predictors: a value of the option class. */
typedef enum linpred_class { LINPRED_CLASS_HALFSPACE, LINPRED_CLASS_BALL } linpred_class;

/* ---- shattering ---------------------------------------------------------------------------------- */

/* Reads a file of points: every column is a coordinate, and those that are chosen must hold numbers. The labels of a
   LIBSVM file are not looked at. */
LINPRED_API linpred_status linpred_points_load(const char *path, const linpred_options *options, linpred_data **points,
                                               linpred_error *error);

/* A labelling is realised strictly: score > 0 where the label is +, < 0 where it is -. (For balls: inside, outside.) */
typedef struct linpred_shatter_info {
    linpred_class class_asked;
    bool has_intercept;
    int64_t points;
    int32_t columns;
    int64_t vc_dimension; /* of the class: never are more points shattered than this */
    int shattered; /* 1: every labelling is realised; 0: one is not, by the witness; -1: stopped before it was known */
    int64_t rank;  /* shattered: of the points, with 1 appended if there is an intercept: as many as there are points */
    int realised;  /* the labelling asked for: 1 yes, 0 no; -1: none was asked for, or it was not decided */
    int general_position; /* 1, 0; -1: not counted */
    double seconds;
    char reason_no_count[160]; /* why the labellings were not counted; "": they were, or it was not asked for */
} linpred_shatter_info;

typedef enum linpred_labellings {
    LINPRED_LABELLINGS_REALISED,         /* on these points */
    LINPRED_LABELLINGS_GENERAL_POSITION, /* on as many points in general position: halfspaces 2 Σ_{k<D} C(m-1,k), balls
                                            Σ_{k<=D} C(m,k) */
    LINPRED_LABELLINGS_SAUER             /* no class of this VC dimension realises more: Σ_{k<=D} C(m,k) */
} linpred_labellings;

typedef struct linpred_shattering linpred_shattering;

/* These options count: class, no-intercept, labels, count, max-seconds, threads, and progress. The labels of
   the data are not looked at. */
LINPRED_API linpred_status linpred_shatter(const linpred_data *points, const linpred_options *options,
                                           linpred_shattering **shattering, linpred_error *error);
LINPRED_API const linpred_shatter_info *linpred_shattering_info(const linpred_shattering *shattering);
/* Not shattered: rows of the file (1-based, ascending), a sign for each, and positive integers (decimal) with Σ sign
   weight x = 0 and, with an intercept, Σ sign weight = 0; for balls also Σ sign weight ||x||² >= 0. No member of the
   class gives these points these signs as labels. Dropping any of them leaves points that are shattered. Answers how
   many there are, 0 if shattered. */
LINPRED_API int64_t linpred_shattering_witness(const linpred_shattering *shattering, const int64_t **rows,
                                               const signed char **signs);
LINPRED_API const char *linpred_shattering_weight(const linpred_shattering *shattering, int64_t index);
/* The labelling asked for: a model that realises it, or a witness that nothing does; and what the verifier found. NULL:
 * none. */
LINPRED_API const linpred_result *linpred_shattering_result(const linpred_shattering *shattering);
LINPRED_API const linpred_check *linpred_shattering_check(const linpred_shattering *shattering);
/* How many labellings there are, in decimal; NULL: not counted. */
LINPRED_API const char *linpred_shattering_count(const linpred_shattering *shattering, linpred_labellings which);
LINPRED_API void linpred_shattering_free(linpred_shattering *shattering);

/* ---- bounds ---------------------------------------------------------------------------------------- */

/* A theorem with its numbers. (The bound on the perceptron's updates is a figure of a fit.) */
typedef struct linpred_bound {
    size_t struct_size;
    const char *name; /* vc, separable, agnostic, … */
    double value;     /* a whole number of rows, rounded up (beyond 2^53 to the next double); or a bound on an error */
    const char *formula;
    const char *says; /* what the value is good for, and under which conditions, as a sentence */
    const char *source;
    char numbers[240]; /* the formula with its numbers */
} linpred_bound;

/* A list of bounds. */
typedef struct linpred_bounds linpred_bounds;
LINPRED_API size_t linpred_bounds_count(const linpred_bounds *bounds);
LINPRED_API bool linpred_bounds_get(const linpred_bounds *bounds, size_t index, linpred_bound *bound);
LINPRED_API void linpred_bounds_free(linpred_bounds *bounds);

/* The VC dimension of a class on `dimension` features; D in what follows. */
LINPRED_API linpred_status linpred_vc_dimension(linpred_class class_asked, int64_t dimension, bool has_intercept,
                                                linpred_bound *bound, linpred_error *error);
/* How many rows are enough for error epsilon with probability 1 - delta. These options count: epsilon and delta; and
   vc, or dimension, class and no-intercept (bounds "separable" and "agnostic"); or bits, dimension, no-intercept and
   range (regression by numbers of so many bits); or hypotheses and range (any class of so many predictors). */
LINPRED_API linpred_status linpred_sample_size(const linpred_options *options, linpred_bounds **bounds,
                                               linpred_error *error);

/* A model's error on rows, and what its true error is bounded by. */
typedef struct linpred_generalization {
    size_t struct_size;
    double rows;          /* a weight of k counts as k rows */
    double error;         /* the fraction of the rows whose label the model gets wrong */
    int64_t vc_dimension; /* of the class of the model */
    bool same_data;       /* the rows are those of the fit */
} linpred_generalization;

/* From the error on rows to the true error, with probability 1 - the option delta. The bounds: "uniform" holds for
   whatever halfspace or ball was chosen by looking at the rows; "consistent" does too, and is there if the model makes
   no error on the rows; "fresh" holds if the model does not depend on the rows, and is left out if they are the rows of
   the fit. */
LINPRED_API linpred_status linpred_generalize(const linpred_result *result, const linpred_data *data,
                                              const linpred_options *options, linpred_generalization *generalization,
                                              linpred_bounds **bounds, linpred_error *error);

#ifdef __cplusplus
}
#endif
#endif
