/* What is asked for: tasks, methods, and options by name. Part of linpred.h. */
#ifndef LINPRED_OPTIONS_H
#define LINPRED_OPTIONS_H

#include "linpred/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tasks, methods, losses -------------------------------------------------------------------------------------- */

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

/* ---- options by name --------------------------------------------------------------------------------------------- */

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

/* Whether each option is within its bounds, and those that were set mean something to a fit with these options.
   linpred_fit asks the same. Options that belong to reading, to applying a model or to instances are let through. */
LINPRED_API linpred_status linpred_options_check(const linpred_options *options, linpred_error *error);

/* ---- progress ---------------------------------------------------------------------------------------------------- */

/* How a fit is going; handed to the progress callback a few times a second. */
typedef struct linpred_progress {
    const char *stage; /* "perceptron", "pocket", … */
    int64_t updates;   /* stage "reading", if `bytes` is -1: rows */
    int64_t passes;
    double errors; /* of the best so far, weighted; NaN if not counted yet */
    double seconds;
    double lower_bound;   /* method exact: no predictor's mistakes cost less, as far as proved; NaN if not known */
    double gap;           /* logistic: about how far the objective is above its minimum, relative; NaN if not known */
    int64_t working_rows; /* of the linear or quadratic program that is being solved; -1 if there is none */
    int64_t bytes;        /* stage "reading": bytes read so far, -1 of a database; else -1 */
    int64_t total_bytes;  /* stage "reading": of the file; -1 if not known */
} linpred_progress;

/* Calls `on_progress` a few times a second from the thread that called linpred_fit. If it returns false, the fit ends
   and keeps the best so far. While a file is read it is called too, perhaps from another thread, and its answer is not
   looked at. NULL: no calls. `context` is handed on. */
LINPRED_API void linpred_options_on_progress(linpred_options *options,
                                             bool (*on_progress)(void *context, const linpred_progress *progress),
                                             void *context);

/* ---- values of options with a choice ----------------------------------------------------------------------------- */

/* Values of the options order, mistake, norm, dependent, missing, unknown-level, format, header and index-base. */
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

typedef enum linpred_dependent {
    LINPRED_DEPENDENT_LEAST_NORM, /* of all coefficients that fit the same, those of least ||w|| */
    LINPRED_DEPENDENT_DROP        /* a column that depends on those before it and the intercept has the coefficient 0 */
} linpred_dependent;

typedef enum linpred_missing { LINPRED_MISSING_FAIL, LINPRED_MISSING_DROP, LINPRED_MISSING_MEAN } linpred_missing;
typedef enum linpred_unknown_level {
    LINPRED_UNKNOWN_FAIL,
    LINPRED_UNKNOWN_ZERO,
    LINPRED_UNKNOWN_DROP
} linpred_unknown_level;
typedef enum linpred_format {
    LINPRED_FORMAT_AUTO,
    LINPRED_FORMAT_CSV,
    LINPRED_FORMAT_LIBSVM,
    LINPRED_FORMAT_NPY,
    LINPRED_FORMAT_SQLITE,
    LINPRED_FORMAT_PARQUET,
    LINPRED_FORMAT_NPZ /* as linpred_convert writes it */
} linpred_format;
typedef enum linpred_header { LINPRED_HEADER_AUTO, LINPRED_HEADER_YES, LINPRED_HEADER_NO } linpred_header;
typedef enum linpred_index_base { LINPRED_INDEX_AUTO, LINPRED_INDEX_ZERO, LINPRED_INDEX_ONE } linpred_index_base;

/* ---- the perceptron's updates, a start, one class ---------------------------------------------------------------- */

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
       <w*,w> >= T, ||w||^2 <= T R^2, cos(w*,w) >= sqrt(T)/(RB). NaN without the option `bound`. */
    double norm_squared; /* ||(w,b)||^2 */
    double star_product; /* <w*,w> */
    double norm_limit;   /* T R^2 */
    double cosine;       /* of the angle between w* and w */
    double cosine_limit; /* sqrt(T)/(RB) */
    double best_errors;  /* pocket: the weighted mistakes of the best weights before this update; else NaN */
} linpred_update;

/* Calls `on_update` for every update of the perceptron. If it returns false, the fit ends. */
LINPRED_API void linpred_options_on_update(linpred_options *options,
                                           bool (*on_update)(void *context, const linpred_update *update),
                                           void *context);
/* First weights of perceptron, pocket and logistic: those of a halfspace or logistic model. NULL: all zero. The model
   must live until the last fit with these options. */
LINPRED_API void linpred_options_set_start(linpred_options *options, const linpred_model *start);
/* Data of several files: this one comes after the file that linpred_data_load or another call that reads data is asked
   for, and after those that were added before. All have the same columns. The path is copied. */
LINPRED_API linpred_status linpred_options_add_file(linpred_options *options, const char *path, linpred_error *error);
LINPRED_API void linpred_options_clear_files(linpred_options *options); /* takes all of them back */
/* Rows that all have one label are no error: whether they are separable is a question all the same. */
LINPRED_API void linpred_options_allow_one_class(linpred_options *options, bool allow);

/* ---- the list of options, for programs that show it -------------------------------------------------------------- */

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
     logistic-auto, logistic-newton, logistic-newton-cg             methods of logistic regression
     ball-auto, ball-pocket, ball-lp, ball-exact                    methods of a ball
     squared, absolute                                              losses of a regression
     points, vc, sample-size, generalization, generate              shattering, bounds, instances
     trace, start             not of options: what linpred_options_on_update and linpred_options_set_start are for */
LINPRED_API bool linpred_options_describe(size_t index, linpred_option_text *text); /* false past the last */
/* One method of a task. */
typedef struct linpred_method_text {
    size_t struct_size;
    linpred_method method;
    const char *name;  /* what the option `method` takes */
    const char *help;  /* what it does, as a phrase; "" if its name says it */
    const char *scope; /* the scope of options that are for this method of this task */
} linpred_method_text;

/* Method `index` of a task. False past the last; a regression has none to choose. */
LINPRED_API bool linpred_methods_describe(linpred_task task, size_t index, linpred_method_text *text);
/* Whether a fit with these options listens to one of the scopes, words separated by spaces. */
LINPRED_API bool linpred_options_listens(const linpred_options *options, const char *scopes);
/* The methods, losses and tasks among the scopes as a phrase, "--method perceptron or pocket". Returns the length.
   `scopes` NULL: none. */
LINPRED_API size_t linpred_scopes_text(const char *scopes, char *buffer, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
