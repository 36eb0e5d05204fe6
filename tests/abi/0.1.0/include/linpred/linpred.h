/* linpred: linear predictors that prove their answers.
 *
 * This is the whole public interface (with theory.h, which it includes). Read it from the top: the calls that most
 * programs need come first, the expert ones last. docs/c-api.md is the guide. The shortest working program is
 *
 *     linpred_options *options = linpred_options_new();
 *     linpred_data *data = NULL;
 *     linpred_result *result = NULL;
 *     if (linpred_data_load("flowers.csv", options, &data, NULL) == LINPRED_OK &&
 *         linpred_fit(data, options, &result, NULL) == LINPRED_OK)
 *         linpred_result_save(result, "flowers.json", NULL);
 *     linpred_result_free(result);
 *     linpred_data_free(data);
 *     linpred_options_free(options);
 *
 * Rules that hold for every call:
 *  - A call that can fail returns a linpred_status: did the call work? What was found is another question: see
 *    linpred_outcome.
 *  - Out-parameters stay untouched unless the call returns LINPRED_OK. There is never anything half-built to free.
 *  - `linpred_error *` belongs to the caller and may be NULL everywhere. Any other NULL given to a call that returns a
 *    status is LINPRED_ERROR_USAGE, unless the call says what NULL means. A call that only reads a handle needs one.
 *    Freeing NULL is fine.
 *  - The library never prints, exits, aborts, or touches the locale, signals or global random state.
 *    (GNU MP aborts when memory is exhausted: sizes are bounded before it is called.)
 *  - A const handle may be used by any number of threads at once: no call changes what it takes as const. A handle that
 *    a call changes or frees is used by one thread at a time.
 *  - Strings are UTF-8. Strings and arrays handed out live as long as the handle they were asked of.
 *  - A double that does not apply is NaN, a count that does not apply is -1.
 *
 * How the interface grows: a program compiled against this header runs with every later library of the same major
 * version, without being compiled again.
 *  - Functions, options, scopes, figures and enumerators are added, never removed or changed. A program must be ready
 *    for values of an enumeration that it does not know.
 *  - A struct that the caller allocates begins with struct_size. The caller sets it to the sizeof of the struct; the
 *    library reads or fills only the members that both know. New members come at the end. Members that only the caller
 *    knows are filled with 0, and must be 0 where the library reads.
 *  - A struct that the library allocates (linpred_progress) gets new members at its end.
 *  - linpred_error is the one struct without struct_size: its layout is final, with reserved members.
 */
#ifndef LINPRED_LINPRED_H
#define LINPRED_LINPRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LINPRED_API __attribute__((visibility("default")))
#else
#define LINPRED_API
#endif

/* ---- version ---------------------------------------------------------------------------------------------------- */

/* Of this header. CMake reads the project's version here. */
#define LINPRED_VERSION_MAJOR 0
#define LINPRED_VERSION_MINOR 1
#define LINPRED_VERSION_PATCH 0
#define LINPRED_VERSION_NUMBER (LINPRED_VERSION_MAJOR * 1000000 + LINPRED_VERSION_MINOR * 1000 + LINPRED_VERSION_PATCH)

/* Of the library that runs: "0.1.0", and the number as LINPRED_VERSION_NUMBER, which can be compared. */
LINPRED_API const char *linpred_version(void);
LINPRED_API int linpred_version_number(void);

/* ---- status and errors ------------------------------------------------------------------------------------------ */

typedef enum linpred_status {
#define LINPRED_STATUS(name, text) LINPRED_##name,
#include "linpred/status.def"
#undef LINPRED_STATUS
} linpred_status;

/* What went wrong. It need not be set up before a call. */
typedef struct linpred_error {
    linpred_status status;
    int64_t line;        /* where an input error is: the 1-based line of a file, or row of an array; 0 = unknown */
    int64_t column;      /* the 1-based column; 0 = unknown */
    int64_t reserved[4]; /* 0 */
    char message[512];   /* one sentence, with the file's name, the place, the offending text and what to do */
} linpred_error;

LINPRED_API const char *linpred_status_name(linpred_status status);
LINPRED_API const char *linpred_status_text(linpred_status status);

/* ---- handles ---------------------------------------------------------------------------------------------------- */

/* Options say what is asked for. Data is rows. A model is a predictor. A result is a model, what was found, and what is
   claimed. */
typedef struct linpred_options linpred_options;
typedef struct linpred_data linpred_data;
typedef struct linpred_model linpred_model;
typedef struct linpred_result linpred_result;

/* ---- options: what is asked for, by name ------------------------------------------------------------------------ */

typedef enum linpred_task {
    LINPRED_TASK_HALFSPACE,  /* labels -1 and +1 */
    LINPRED_TASK_LOGISTIC,   /* the probability of the label +1 */
    LINPRED_TASK_REGRESSION, /* real targets */
    LINPRED_TASK_BALL        /* labels -1 and +1, one of them inside a ball */
} linpred_task;

typedef enum linpred_method {
    LINPRED_METHOD_AUTO, /* separable: largest margin; else pocket and local search */
    LINPRED_METHOD_PERCEPTRON,
    LINPRED_METHOD_POCKET,
    LINPRED_METHOD_LP,        /* decides whether a halfspace separates, with proof */
    LINPRED_METHOD_MARGIN,    /* the largest margin */
    LINPRED_METHOD_EXACT,     /* the fewest mistakes, proved */
    LINPRED_METHOD_NEWTON,    /* logistic: Newton's method with Cholesky factors */
    LINPRED_METHOD_NEWTON_CG, /* logistic: Newton's method by conjugate gradients, for very many features */
    /* What a regression was solved by: chosen by the data, never asked for. Methods that can be asked for are added
       above. */
    LINPRED_METHOD_GRAM = 64, /* Cholesky of the normal equations, refined by residuals in double-double */
    LINPRED_METHOD_QR,    /* QR block by block, refined likewise; in double-double throughout where the data is small */
    LINPRED_METHOD_CG,    /* conjugate gradients: more columns than a square matrix of them has room for */
    LINPRED_METHOD_VERTEX /* absolute loss: an optimal vertex */
} linpred_method;

typedef enum linpred_loss {
    LINPRED_LOSS_SQUARED, /* least squares */
    LINPRED_LOSS_ABSOLUTE /* least absolute deviations, and quantiles */
} linpred_loss;

/* All options at their defaults; NULL: out of memory. An options handle can be used for many calls. */
LINPRED_API linpred_options *linpred_options_new(void);
LINPRED_API linpred_options *linpred_options_copy(const linpred_options *options); /* NULL: out of memory */
LINPRED_API void linpred_options_free(linpred_options *options);

/* Sets one option from text: linpred_options_set(options, "l2", "0.1", &error). The names are the program's flags
   without their dashes, listed by linpred_options_describe and by `linpred COMMAND --help`; and "task". The text is
   copied. A switch takes yes, true, no, false, or nothing ("" or NULL), which means yes. NULL takes an option of text
   back. */
LINPRED_API linpred_status linpred_options_set(linpred_options *options, const char *name, const char *text,
                                               linpred_error *error);
LINPRED_API void linpred_options_set_task(linpred_options *options, linpred_task task);
/* The same for values of one type; an option of another type is an error. A choice is an enumerator:
   LINPRED_METHOD_LP, LINPRED_LOSS_ABSOLUTE. */
LINPRED_API linpred_status linpred_options_set_text(linpred_options *options, const char *name, const char *text,
                                                    linpred_error *error);
LINPRED_API linpred_status linpred_options_set_number(linpred_options *options, const char *name, double value,
                                                      linpred_error *error);
LINPRED_API linpred_status linpred_options_set_count(linpred_options *options, const char *name, int64_t value,
                                                     linpred_error *error);
LINPRED_API linpred_status linpred_options_set_switch(linpred_options *options, const char *name, bool on,
                                                      linpred_error *error);
LINPRED_API linpred_status linpred_options_set_choice(linpred_options *options, const char *name, int choice,
                                                      linpred_error *error);

/* The values. Where there is no option of this name and type: NULL, NaN, -1, false, -1. */
LINPRED_API linpred_task linpred_options_get_task(const linpred_options *options);
LINPRED_API const char *linpred_options_get_text(const linpred_options *options, const char *name); /* NULL: not set */
LINPRED_API double linpred_options_get_number(const linpred_options *options, const char *name);
LINPRED_API int64_t linpred_options_get_count(const linpred_options *options, const char *name);
LINPRED_API bool linpred_options_get_switch(const linpred_options *options, const char *name);
LINPRED_API int linpred_options_get_choice(const linpred_options *options, const char *name);
/* Whether the option was set by one of the calls above, perhaps to its default. */
LINPRED_API bool linpred_options_given(const linpred_options *options, const char *name);

/* How a fit is going; handed to the progress callback a few times a second. */
typedef struct linpred_progress {
    const char *stage; /* "perceptron", "pocket", … */
    int64_t updates;
    int64_t passes;
    double errors; /* of the best so far, weighted; NaN if not counted yet */
    double seconds;
} linpred_progress;

/* Calls `on_progress` a few times a second from the thread that called linpred_fit. If it returns false, the fit ends
   and keeps the best so far. NULL: no calls. `context` is handed on. */
LINPRED_API void linpred_options_on_progress(linpred_options *options,
                                             bool (*on_progress)(void *context, const linpred_progress *progress),
                                             void *context);
/* Whether each option is within its bounds, and those that were set mean something to a fit with these options.
   linpred_fit asks the same. Options that belong to reading, to applying a model or to instances are let through. */
LINPRED_API linpred_status linpred_options_check(const linpred_options *options, linpred_error *error);

/* ---- data: rows, targets, optional row weights ------------------------------------------------------------------ */

/* Reads a data file (CSV, TSV, LIBSVM, npy; .gz and .zst; "-" is standard input) into memory and encodes it. */
LINPRED_API linpred_status linpred_data_load(const char *path, const linpred_options *options, linpred_data **data,
                                             linpred_error *error);

/* Reads a data file as a model's recipe says: the same features, levels and labels. Without `labels` the label column
   may be absent, and is ignored. */
LINPRED_API linpred_status linpred_data_load_for(const linpred_model *model, const char *path, bool labels,
                                                 const linpred_options *options, linpred_data **data,
                                                 linpred_error *error);

/* Rows in memory. The arrays are borrowed until the data is freed. All values must be finite. The features are called
   x1, x2, … */
typedef struct linpred_arrays {
    size_t struct_size;
    int64_t rows;
    int32_t columns;
    const double *values; /* dense: row after row; sparse: the entries */
    int64_t stride;       /* dense: from one row to the next, in doubles; 0: `columns` */
    /* Sparse, rows + 1 long: row i is entries start[i] to start[i+1]-1, 0 <= start[0]. NULL: the rows are dense. */
    const int64_t *start;
    const int32_t *indices; /* sparse: the column of each entry, 0-based, ascending within a row */
    const double *labels;   /* -1 or +1; regression: any numbers. NULL: not known, the rows can only be predicted. */
    const double *weights;  /* 0 or more; NULL: all 1. A row of weight 0 is left out. */
    /* Called when the library no longer needs the arrays, also if the call fails. NULL: nothing is to be released. */
    void (*release)(void *context);
    void *context; /* for `release` */
} linpred_arrays;

LINPRED_API linpred_status linpred_data_from_arrays(const linpred_arrays *arrays, linpred_data **data,
                                                    linpred_error *error);
LINPRED_API void linpred_data_free(linpred_data *data);

/* What is in the data. */
typedef struct linpred_shape {
    size_t struct_size;
    int64_t rows;
    int32_t columns;
    int64_t entries; /* stored values: rows x columns, or the entries of sparse rows */
    bool sparse;
    int64_t rows_in_file;       /* before rows were dropped */
    int64_t dropped_missing;    /* rows left out because a value is missing */
    int64_t dropped_weightless; /* rows left out because their weight is 0 */
    double weight;              /* the weight of all rows; their number if they have no weights */
    double positive;            /* the weight of the rows labelled +1 */
    int32_t index_base;         /* LIBSVM: the first index, 0 or 1; -1 elsewhere */
    bool weighted;              /* the rows have weights */
    bool whole_weights;         /* all weights are whole numbers; true without weights */
} linpred_shape;

LINPRED_API int64_t linpred_data_rows(const linpred_data *data);
LINPRED_API int32_t linpred_data_columns(const linpred_data *data);
LINPRED_API bool linpred_data_shape(const linpred_data *data, linpred_shape *shape); /* false: struct_size is not set */
LINPRED_API const char *linpred_data_feature(const linpred_data *data, int32_t column);
/* The label that stands for -1 (sign < 0) or +1 (sign > 0), and the name of its column, as text. */
LINPRED_API const char *linpred_data_label(const linpred_data *data, int sign);
LINPRED_API const char *linpred_data_target(const linpred_data *data);
LINPRED_API const char *linpred_data_level(const linpred_data *data, const char *column,
                                           int32_t index); /* as of a model */
/* A remark about data: as a sentence for people, and as values for programs. */
typedef struct linpred_note {
    size_t struct_size;
    const char *kind;     /* one of the words below; later versions add others */
    const char *sentence; /* for people */
    const char *column;   /* the column that it is about; NULL: none */
    int64_t count;        /* -1: nothing is counted */
    int64_t line;         /* of the file, 1-based; 0: it is about no line */
} linpred_note;

/* How features and labels are made. Note `index`; false past the last.
     target          the score is the column itself                   labels, one_label   what the sign of a score means
     levels          a text column of `count` levels is indicators    one_level           a text column gives no feature
     missing_drop    rows with missing values are left out            missing_mean        a missing value is the mean
     index_base      the first index of a LIBSVM file is `count` */
LINPRED_API bool linpred_data_note(const linpred_data *data, size_t index, linpred_note *note);
/* What is probably not meant, though it can be read. Warning `index`; false past the last.
     identifier      a text column has `count` levels, nearly one a row
     row_numbers     a column counts the rows
     altered_numbers `count` numbers are not doubles; the first stands in this line
     unknown_features `count` entries are of features that the model does not know
     no_weights      the column of row weights is missing */
LINPRED_API bool linpred_data_warning(const linpred_data *data, size_t index, linpred_note *warning);
/* Row `file_row` of the file (1-based): `columns` values, zeros included, and the label. False: the row was dropped. */
LINPRED_API bool linpred_data_row(const linpred_data *data, int64_t file_row, double *values, double *label);
/* The row of the file (1-based) that is row `row` (0-based) of the data. They differ if rows were dropped. */
LINPRED_API int64_t linpred_data_source_row(const linpred_data *data, int64_t row);

/* ---- fit -------------------------------------------------------------------------------------------------------- */

typedef enum linpred_outcome {
#define LINPRED_OUTCOME(name, text) LINPRED_OUTCOME_##name,
#include "linpred/outcome.def"
#undef LINPRED_OUTCOME
} linpred_outcome;

/* Whether a halfspace can tell the rows apart. */
typedef enum linpred_separation {
    LINPRED_SEPARATION_NOT_ASKED,
    LINPRED_SEPARATION_SEPARATED,       /* some (w,b) has y(<w,x>+b) > 0 on every row */
    LINPRED_SEPARATION_QUASI_SEPARATED, /* none has that, but some has >= 0 on every row and > 0 on one */
    LINPRED_SEPARATION_OVERLAPPING,     /* neither is the case */
    LINPRED_SEPARATION_INSEPARABLE,     /* quasi-separated or overlapping: which of the two was not asked */
    LINPRED_SEPARATION_UNDECIDED        /* asked, but not decided */
} linpred_separation;

LINPRED_API linpred_status linpred_fit(const linpred_data *data, const linpred_options *options,
                                       linpred_result **result, linpred_error *error);
LINPRED_API const linpred_model *linpred_result_model(const linpred_result *result);

#include "linpred/claims.h"

/* A coefficient and what is known of it, for a regression under squared loss or a logistic fit without a penalty. The
   intercept is the column after the last. NaN: not known, or it cannot be estimated since its column depends on others.
 */
typedef struct linpred_coefficient {
    size_t struct_size;
    const char *name;
    double value;
    double standard_error;
    double t;   /* value / standard_error, with the figure degrees_of_freedom; of a logistic fit the normal z */
    double p;   /* of a |t| at least as large, if the coefficient were 0 */
    double low; /* confidence interval, at the level of the option `confidence` */
    double high;
} linpred_coefficient;

LINPRED_API bool linpred_result_coefficient(const linpred_result *result, int32_t column,
                                            linpred_coefficient *coefficient); /* false past the intercept */
LINPRED_API double linpred_result_confidence(const linpred_result *result);    /* the level of their intervals */
/* Where nothing separates the rows: rows of the file (1-based, ascending) and positive integers (decimal) with
   Σ weight_i y_i (x_i, 1) = 0 exactly. Where no ball does, the same with Σ weight_i y_i ||x_i||² >= 0 besides (<= 0 if
   the label +1 is outside). Count 0, NULL: there is no such witness. */
LINPRED_API int64_t linpred_result_witness(const linpred_result *result, const int64_t **rows);
LINPRED_API const char *linpred_result_witness_weight(const linpred_result *result, int64_t index);
/* Logistic regression without a minimiser, or quasi-separated rows: the integer direction v (decimal; the intercept
   last) with y(<v,x>+v_b) >= 0 on every row and > 0 on some. Rows that integers separate, but no weights of doubles
   that were found: these integers, > 0 on every row; where a ball does, for (x, ||x||², 1). Entry `index` of it; NULL:
   there is none. */
LINPRED_API const char *linpred_result_direction(const linpred_result *result, int32_t index);
/* Standard errors of the coefficients, the intercept's last; NaN where one is not estimable. NULL where theory gives
   none (linpred_result_no_standard_errors says why). The model file keeps them. */
LINPRED_API const double *linpred_result_standard_errors(const linpred_result *result);
/* One by one, which columns depend on which others, as sentences; NULL past the last. */
LINPRED_API const char *linpred_result_dependency(const linpred_result *result, size_t index);
/* The column of the file that dependency `index` gives by the others: it ends if that is left out. NULL past the last.
 */
LINPRED_API const char *linpred_result_dependent(const linpred_result *result, size_t index);
/* An option as the fit used it, by its flag: "class-weights", "cost". NULL if it was not given, or is nothing to such a
 * fit. */
LINPRED_API const char *linpred_result_option(const linpred_result *result, const char *flag);
/* What multiplied the weights of the rows labelled -1 (sign < 0) or +1: a logistic optimum, and costs of mistakes;
 * else 1. */
LINPRED_API double linpred_result_class_weight(const linpred_result *result, int sign);
LINPRED_API void linpred_result_free(linpred_result *result);
LINPRED_API const char *linpred_outcome_name(linpred_outcome outcome);
LINPRED_API const char *linpred_method_name(linpred_method method);
LINPRED_API const char *linpred_separation_name(linpred_separation separation);

/* Separated, quasi-separated or overlapping, with proof: linpred_result_separation. The outcome is then
   SEPARATED, NO_MINIMISER or INSEPARABLE; UNDECIDED if exact arithmetic is too dear. Of the options no_intercept,
   max_seconds, threads and progress count. */
LINPRED_API linpred_status linpred_find_separation(const linpred_data *data, const linpred_options *options,
                                                   linpred_result **result, linpred_error *error);

/* ---- the model file --------------------------------------------------------------------------------------------- */

/* Written to a temporary name in the same folder, synced, renamed: the file is whole or not there. */
LINPRED_API linpred_status linpred_result_save(const linpred_result *result, const char *path, linpred_error *error);
/* `accept_edited`: do not insist on the checksum (people may edit a model by hand). */
LINPRED_API linpred_status linpred_result_load(const char *path, bool accept_edited, linpred_result **result,
                                               linpred_error *error);
/* The same in memory: the text of the model file, which ends with a NUL that `bytes` (may be NULL) does not count. */
LINPRED_API linpred_status linpred_result_to_text(const linpred_result *result, char **text, size_t *bytes,
                                                  linpred_error *error);
LINPRED_API void linpred_text_free(char *text);
LINPRED_API linpred_status linpred_result_from_text(const char *text, size_t bytes, bool accept_edited,
                                                    linpred_result **result, linpred_error *error);
/* Whether a file can be written there: asked before a long fit. */
LINPRED_API linpred_status linpred_path_writable(const char *path, linpred_error *error);
/* Any other file, written in the same way: at once, or piece by piece. Commit and discard free the output. */
typedef struct linpred_output linpred_output;
LINPRED_API linpred_status linpred_write_file(const char *path, const void *text, size_t bytes, linpred_error *error);
LINPRED_API linpred_status linpred_output_open(const char *path, linpred_output **output, linpred_error *error);
LINPRED_API FILE *linpred_output_stream(linpred_output *output); /* the library's to close */
LINPRED_API linpred_status linpred_output_commit(linpred_output *output, linpred_error *error);
LINPRED_API void linpred_output_discard(linpred_output *output);

/* ---- the model -------------------------------------------------------------------------------------------------- */

LINPRED_API linpred_task linpred_model_task(const linpred_model *model);
LINPRED_API const char *linpred_task_name(linpred_task task);
LINPRED_API int32_t linpred_model_columns(const linpred_model *model);
LINPRED_API const double *linpred_model_coefficients(const linpred_model *model);
LINPRED_API bool linpred_model_has_intercept(const linpred_model *model);
LINPRED_API double linpred_model_intercept(const linpred_model *model);
/* A ball: its centre, in the units of the file (NULL for other models), radius² (0 or less: the empty ball; NaN for
   other models), and the label that is inside: +1, -1, 0 for other models. Its coefficients are the centre, its
   intercept is radius². */
LINPRED_API const double *linpred_model_centre(const linpred_model *model);
LINPRED_API double linpred_model_radius_squared(const linpred_model *model);
LINPRED_API int linpred_model_inside(const linpred_model *model);
/* A regression: what was minimised, and the highest power of a column. Of other models squared, NaN and 1. */
LINPRED_API linpred_loss linpred_model_loss(const linpred_model *model);
/* 0.5: the absolute loss itself; NaN: squared loss. */
LINPRED_API double linpred_model_quantile(const linpred_model *model);
LINPRED_API int32_t linpred_model_degree(const linpred_model *model);
LINPRED_API const char *linpred_model_feature(const linpred_model *model, int32_t column);
/* The power of its column that a feature is: 1 for a column itself, 0 for an indicator, -1 past the last. */
LINPRED_API int32_t linpred_model_feature_power(const linpred_model *model, int32_t column);
/* Level `index` of a text column, in the order of their bytes; the first gives no feature. NULL past the last, or if
   there is no such text column. */
LINPRED_API const char *linpred_model_level(const linpred_model *model, const char *column, int32_t index);
LINPRED_API const char *linpred_model_label(const linpred_model *model, int sign);
LINPRED_API const char *linpred_model_target(const linpred_model *model);
/* The column of row weights; NULL: the fit had none. */
LINPRED_API const char *linpred_model_weights(const linpred_model *model);
LINPRED_API bool linpred_model_note(const linpred_model *model, size_t index, linpred_note *note); /* as of data */

/* The score of each row: <w,x>+b; of a ball radius² - ||x-centre||², negated if the label +1 is outside. `scores` is
   rows_in_file long, in the order of the file, NaN for a row that was dropped. */
LINPRED_API linpred_status linpred_score(const linpred_model *model, const linpred_data *data, int threads,
                                         double *scores, linpred_error *error);

/* What the signs of the scores mean: +1 for a score of 0 or more, -1 below, 0 for a row that was dropped. `labels` is
   rows_in_file long; linpred_model_label names them. A regression is LINPRED_ERROR_USAGE: its scores are its
   predictions. */
LINPRED_API linpred_status linpred_predict_labels(const linpred_model *model, const linpred_data *data, int threads,
                                                  signed char *labels, linpred_error *error);

/* Regression by least squares: bounds between which a new row's target lies with probability `confidence`, if errors
   are normal with one variance. Both are rows_in_file long, NaN for a row that was dropped; -inf and inf for a row
   whose prediction the training data do not determine, since it breaks a dependency of their columns. A model that
   cannot give intervals (another loss or task, a penalty, no degrees of freedom, too many coefficients) is
   LINPRED_ERROR_USAGE. */
LINPRED_API linpred_status linpred_predict_interval(const linpred_model *model, const linpred_data *data, int threads,
                                                    double confidence, double *low, double *high, linpred_error *error);

/* 1/(1+exp(-score)): the probability of the label +1 by a logistic model. */
LINPRED_API double linpred_probability(double score);

/* Rows whose probability of the label +1 lies in one tenth of [0,1]. */
typedef struct linpred_calibration {
    double weight;
    double predicted; /* mean probability; NaN if there is no row */
    double observed;  /* fraction labelled +1 */
} linpred_calibration;

typedef struct linpred_evaluation {
    size_t struct_size;
    int64_t rows;
    double weight;
    double true_positive; /* all by weight */
    double false_positive;
    double true_negative;
    double false_negative;
    double error;       /* fraction whose predicted label is wrong; sign(0) = +1 */
    double on_boundary; /* weight of rows with score exactly 0 */
    double auc; /* how often a row labelled +1 scores above one labelled -1, ties half; NaN: only one label occurs */
    /* Logistic models only; else NaN. */
    double log_loss; /* mean of -log(probability of the actual label) */
    double brier;    /* mean of (probability of +1, less 1 or 0)² */
    linpred_calibration calibration[10];
    /* Regressions only; else NaN. What stands above is then 0 or NaN. */
    double mean_squared_error;
    double mean_absolute_error;
    double r_squared; /* 1 - Σ(y-score)²/Σ(y-mean y)²; without intercept 1 - Σ(y-score)²/Σy²; NaN: the divisor is 0 */
    double
        mean_loss; /* the loss of the fit: squared, absolute, or of its quantile τ (2τ above the fit, 2(1-τ) below) */
    double share_below; /* the share of the weight with y < score */
    double share_on;    /* the share with y = score, to rounding (2^-40 of |y| + |score|) */
} linpred_evaluation;

LINPRED_API linpred_status linpred_evaluate(const linpred_model *model, const linpred_data *data, int threads,
                                            linpred_evaluation *evaluation, linpred_error *error);

/* ---- verify: an independent check of what a result claims ------------------------------------------------------- */

/* From the strongest to the weakest. */
typedef enum linpred_verdict {
    LINPRED_PROVED,           /* in exact arithmetic, or with all rounding bounded */
    LINPRED_WITHIN_TOLERANCE, /* to the last digits of doubles */
    LINPRED_RECOMPUTED,       /* the same came out again, by code that the fit uses too */
    LINPRED_PARTLY_PROVED,    /* nothing speaks against it, but not all of it could be checked */
    LINPRED_REFUTED
} linpred_verdict;

/* Gives every claim of the result a verdict of its own, by the rows. Nothing is written into the result. The check is
   freed by linpred_check_free. */
typedef struct linpred_check linpred_check;
LINPRED_API linpred_status linpred_verify(const linpred_result *result, const linpred_data *data, int threads,
                                          linpred_check **check, linpred_error *error);
LINPRED_API void linpred_check_free(linpred_check *check);
/* The verdict of the whole: that of the weakest main claim. Any claim that is refuted refutes the whole. On rows that
   are not those of the fit nothing is more than partly proved. */
LINPRED_API linpred_verdict linpred_check_verdict(const linpred_check *check);
/* What was found, as a sentence: of the first claim that is refuted, else of all main claims. */
LINPRED_API const char *linpred_check_summary(const linpred_check *check);
/* Whether the fingerprint of the rows is that of the fit's. */
LINPRED_API bool linpred_check_same_data(const linpred_check *check);
/* One answer a claim, in the order of the result's claims: their number; the name of each (NULL past the last), whether
   it is a main one, its verdict, and what was found as a sentence (NULL past the last). */
LINPRED_API size_t linpred_check_claims(const linpred_check *check);
LINPRED_API const char *linpred_check_claim(const linpred_check *check, size_t index);
LINPRED_API bool linpred_check_claim_is_main(const linpred_check *check, size_t index);
LINPRED_API linpred_verdict linpred_check_claim_verdict(const linpred_check *check, size_t index);
LINPRED_API const char *linpred_check_finding(const linpred_check *check, size_t index);
/* A number by its name; NaN where it does not apply, or for a name that is none:
     errors               mistakes by weight, each row's sign certain
     gap                  relative, as far as it is proved: of the margin from its bound, of an objective from its
                          minimum; infinite if nothing is proved
     lower_bound_proved   no predictor's mistakes cost less, by the checker's own account
     worst_row            1-based row of the file with the smallest y(<w,x>+b)
     settled_exactly      rows whose sign needed exact arithmetic */
LINPRED_API double linpred_check_number(const linpred_check *check, const char *name);
/* Regression by least squares: how far a coefficient (the intercept's index is the number of columns) is from that of
   an exact minimiser at most; NaN where that is not known. */
LINPRED_API double linpred_check_error_bound(const linpred_check *check, int32_t column);
LINPRED_API const char *linpred_verdict_name(linpred_verdict verdict);

/* ---- inspect: what is in a data file ---------------------------------------------------------------------------- */

typedef struct linpred_inspection linpred_inspection;

typedef enum linpred_column_type {
    LINPRED_COLUMN_EMPTY,
    LINPRED_COLUMN_NUMBER,
    LINPRED_COLUMN_TEXT
} linpred_column_type;

typedef struct linpred_column_report {
    size_t struct_size;
    const char *name;
    linpred_column_type type;
    int64_t missing;
    int64_t distinct; /* text: its levels; number: 1 if constant, else -1 (not counted) */
    double low;       /* numbers only */
    double high;
    double mean;
    bool constant;
    int32_t duplicate_of; /* 0-based column that holds the same values, or -1 */
    int32_t number;       /* as other commands count columns, from 1; 0: the label of a LIBSVM file */
} linpred_column_report;

LINPRED_API linpred_status linpred_inspect(const char *path, const linpred_options *options,
                                           linpred_inspection **inspection, linpred_error *error);
LINPRED_API int64_t linpred_inspection_rows(const linpred_inspection *inspection);
LINPRED_API int32_t linpred_inspection_columns(const linpred_inspection *inspection);
LINPRED_API const char *linpred_inspection_format(const linpred_inspection *inspection); /* as a sentence */
LINPRED_API bool linpred_inspection_column(const linpred_inspection *inspection, int32_t column,
                                           linpred_column_report *report); /* false past the last */
/* Level `index` of a text column, most frequent first, with its count; NULL past the last. */
LINPRED_API const char *linpred_inspection_level(const linpred_inspection *inspection, int32_t column, int32_t index,
                                                 int64_t *count);
LINPRED_API void linpred_inspection_free(linpred_inspection *inspection);

/* ---- what a class can learn: shattering, and bounds ------------------------------------------------------------- */

#include "linpred/theory.h"

/* ---- instances: data that shows what the theory says ------------------------------------------------------------ */

typedef struct linpred_instance linpred_instance;

typedef struct linpred_instance_text {
    size_t struct_size;
    const char *name;
    const char *shows; /* as a sentence */
    /* What is certain about it, as a sentence; z_i is y_i x_i, with a 1 appended to x_i if there is an intercept. */
    const char *promises;
    const char *const *options; /* the names of the options it listens to, NULL after the last */
    int64_t rows;               /* unless the options say otherwise */
    int32_t columns;
} linpred_instance_text;

LINPRED_API size_t linpred_instances_count(void);
LINPRED_API bool linpred_instances_describe(size_t index, linpred_instance_text *text); /* false past the last */
/* The same name, options and seed give the same bits on every machine. */
LINPRED_API linpred_status linpred_generate(const char *name, const linpred_options *options,
                                            linpred_instance **instance, linpred_error *error);
/* Its rows, dense, and labels (-1 and +1, for regression real numbers), borrowed from the instance. */
LINPRED_API bool linpred_instance_arrays(const linpred_instance *instance, linpred_arrays *arrays);
/* What was planted and what is promised, as a JSON object; keys mean what they mean in the answers of fit. */
LINPRED_API const char *linpred_instance_truth(const linpred_instance *instance);
LINPRED_API void linpred_instance_free(linpred_instance *instance);

/* ---- options for experts: choices, updates, a start ------------------------------------------------------------- */

/* Values of the options order, mistake, norm, missing, unknown-level, format, header and index-base. */
typedef enum linpred_order {
    LINPRED_ORDER_CYCLIC, /* row after row, again and again */
    LINPRED_ORDER_FIRST,  /* back to the first row after every update */
    LINPRED_ORDER_RANDOM, /* a fresh seeded shuffle for every pass */
    LINPRED_ORDER_WORST   /* the most violated row of all, lowest row number on ties */
} linpred_order;

typedef enum linpred_mistake {
    LINPRED_MISTAKE_MARGIN, /* y<w,x> <= 0 is a mistake */
    LINPRED_MISTAKE_SIGN    /* sign(<w,x>) != y is, with sign(0) = +1 */
} linpred_mistake;

typedef enum linpred_margin_norm {
    LINPRED_MARGIN_WITH_INTERCEPT,   /* least ||(w,b)||: the form the theory of the perceptron speaks of */
    LINPRED_MARGIN_WITHOUT_INTERCEPT /* least ||w||: the usual distance of the rows from the hyperplane */
} linpred_margin_norm;

typedef enum linpred_missing { LINPRED_MISSING_FAIL, LINPRED_MISSING_DROP, LINPRED_MISSING_MEAN } linpred_missing;
typedef enum linpred_unknown_level { LINPRED_UNKNOWN_FAIL, LINPRED_UNKNOWN_ZERO } linpred_unknown_level;
typedef enum linpred_format {
    LINPRED_FORMAT_AUTO,
    LINPRED_FORMAT_CSV,
    LINPRED_FORMAT_LIBSVM,
    LINPRED_FORMAT_NPY
} linpred_format;
typedef enum linpred_header { LINPRED_HEADER_AUTO, LINPRED_HEADER_YES, LINPRED_HEADER_NO } linpred_header;
typedef enum linpred_index_base { LINPRED_INDEX_AUTO, LINPRED_INDEX_ZERO, LINPRED_INDEX_ONE } linpred_index_base;

/* One update of the perceptron: row (1-based data row), its label, y<w,x> before the update, and the new weights. */
typedef struct linpred_update {
    int64_t update; /* 1, 2, 3, … */
    int64_t pass;   /* 1, 2, 3, … */
    int64_t row;
    double label;
    double score; /* y(<w,x>+b) of this row before the update, at rate 1 */
    double loss;  /* max(0, -score): this row's perceptron loss */
    int32_t columns;
    const double *weights; /* after the update, at rate 1; columns long */
    double intercept;
    /* Both sides of the inequalities that prove the bound on the updates T, with w* of y<w*,x> >= 1 and least norm B:
       <w*,w> >= T, ||w||^2 <= T R^2, cos(w*,w) >= sqrt(T)/(RB). NaN without --bound. */
    double norm_squared; /* ||(w,b)||^2 */
    double star_product; /* <w*,w> */
    double norm_limit;   /* T R^2 */
    double cosine;       /* of the angle between w* and w */
    double cosine_limit; /* sqrt(T)/(RB) */
} linpred_update;

/* Calls `on_update` for every update of the perceptron. If it returns false, the fit ends. */
LINPRED_API void linpred_options_on_update(linpred_options *options,
                                           bool (*on_update)(void *context, const linpred_update *update),
                                           void *context);
/* First weights of perceptron, pocket and logistic: those of a halfspace or logistic model. NULL: all zero. The model
   must live until the last fit with these options. */
LINPRED_API void linpred_options_set_start(linpred_options *options, const linpred_model *start);
/* Rows that all have one label are no error: whether they are separable is a question all the same. */
LINPRED_API void linpred_options_allow_one_class(linpred_options *options, bool allow);

/* ---- the list of options, for programs that show it ------------------------------------------------------------- */

/* One option as people meet it. */
typedef struct linpred_option_text {
    size_t struct_size;
    const char *name;  /* the flag without its dashes */
    const char *takes; /* "" for a switch, "N", "NUMBER", "TEXT" or "one|two|three" */
    const char *help;  /* as a sentence */
    char initial[32];  /* the default as text, "" if none */
    char scopes[256];  /* what it is for, words separated by spaces: "perceptron pocket" */
} linpred_option_text;

/* A scope is something that options can be for: an option that is set for something else is an error, never ignored.
     read, encode, labels     reading a file; making features and targets; making labels of two classes
     apply, interval          making features by a model's recipe; prediction intervals
     fit, origin, random      every fit; fits that can go through the origin; fits that draw random numbers
     halfspace, logistic, regression, ball                          tasks
     auto, perceptron, pocket, lp, margin, exact                    methods of a halfspace
     ball-auto, ball-pocket, ball-lp, ball-exact                    methods of a ball
     squared, absolute                                              losses of a regression
     points, vc, sample-size, generalization, generate              shattering, bounds, instances
     trace, start             not of options: what linpred_options_on_update and linpred_options_set_start are for */
LINPRED_API bool linpred_options_describe(size_t index, linpred_option_text *text); /* false past the last */
/* Whether a fit with these options listens to one of the scopes, words separated by spaces. */
LINPRED_API bool linpred_options_listens(const linpred_options *options, const char *scopes);
/* The methods, losses and tasks among the scopes as a phrase, "--method perceptron or pocket". Returns the length. */
LINPRED_API size_t linpred_scopes_text(const char *scopes, char *buffer, size_t bytes);

/* ---- small tools ------------------------------------------------------------------------------------------------ */

/* The shortest of 15, 16 and 17 significant digits that reads back to the same double, whatever the locale. Returns the
   length. */
LINPRED_API size_t linpred_number_text(double value, char buffer[32]);
/* Which of the words was meant by `text`, allowing one slip for every three letters; NULL if none is near. */
LINPRED_API const char *linpred_nearest(const char *text, const char *const *words, size_t count);

/* ---- for hosts that bring their own memory ---------------------------------------------------------------------- */

typedef struct linpred_allocator {
    size_t struct_size;
    /* Like realloc: memory NULL allocates, and NULL is returned if there is no memory. */
    void *(*reallocate)(void *context, void *memory, size_t bytes);
    void (*release)(void *context, void *memory);
    void *context;
} linpred_allocator;

/* Before any other call; NULL goes back to the C library's. False, and nothing changes: struct_size is not set. */
LINPRED_API bool linpred_set_allocator(const linpred_allocator *allocator);

#ifdef __cplusplus
}
#endif
#endif
