/* Options inside the library: a plain struct, made from options.def.
 *
 * In the public interface the type is opaque and options are set by name. Inside the library, learners read the fields.
 * A question that needs options of its own has a struct on the stack, which linpred__options_init fills with defaults.
 */
#ifndef LINPRED_CORE_OPTIONS_H
#define LINPRED_CORE_OPTIONS_H

#include "core/scopes.h"
#include "linpred/linpred.h"

/* The scopes of a fit by this task and method: FIT and the scopes of task, method and loss. The options give loss and
   order. An option has a meaning for the fit if it has one of these scopes. */
linpred__scopes linpred__fit_scopes(linpred_task task, linpred_method method, const linpred_options *options);

/* ---- the struct -------------------------------------------------------------------------------------------------- */

enum linpred__option_index {
#define LINPRED_TEXT_OPTION(field, flag, scopes, help) LINPRED__OPTION_##field,
#define LINPRED_REAL_OPTION(field, flag, initial, low, high, scopes, help) LINPRED__OPTION_##field,
#define LINPRED_COUNT_OPTION(field, flag, initial, low, high, scopes, help) LINPRED__OPTION_##field,
#define LINPRED_SWITCH_OPTION(field, flag, scopes, help) LINPRED__OPTION_##field,
#define LINPRED_CHOICE_OPTION(type, field, flag, initial, words, scopes, help) LINPRED__OPTION_##field,
#include "core/options.def"
#undef LINPRED_TEXT_OPTION
#undef LINPRED_REAL_OPTION
#undef LINPRED_COUNT_OPTION
#undef LINPRED_SWITCH_OPTION
#undef LINPRED_CHOICE_OPTION
    LINPRED__OPTIONS
};

struct linpred_options {
#define LINPRED_TEXT_OPTION(field, flag, scopes, help) const char *field;
#define LINPRED_REAL_OPTION(field, flag, initial, low, high, scopes, help) double field;
#define LINPRED_COUNT_OPTION(field, flag, initial, low, high, scopes, help) int64_t field;
#define LINPRED_SWITCH_OPTION(field, flag, scopes, help) bool field;
#define LINPRED_CHOICE_OPTION(type, field, flag, initial, words, scopes, help) type field;
#include "core/options.def"
#undef LINPRED_TEXT_OPTION
#undef LINPRED_REAL_OPTION
#undef LINPRED_COUNT_OPTION
#undef LINPRED_SWITCH_OPTION
#undef LINPRED_CHOICE_OPTION
    bool (*on_progress)(void *context,
                        const linpred_progress *progress);          /* returns false to stop with the best so far */
    void *context;                                                  /* the argument of on_progress */
    bool (*on_update)(void *context, const linpred_update *update); /* called for every update; false: stop */
    void *update_context;                                           /* the argument of on_update */
    linpred_task task;
    bool one_class;             /* it is no error if all rows have the same label */
    bool may_be_empty;          /* it is no error if a file holds names of columns and no rows */
    char **file;                /* further files of the data, in order; owned, but borrowed by a struct on the stack */
    size_t files;               /* length of `file` */
    const linpred_model *start; /* first weights of perceptron, pocket and logistic; NULL: all zero; borrowed */
    bool given[LINPRED__OPTIONS]; /* for each option, whether it was set by name, even to its default */
    bool owns_text; /* text options are copies that must be released; true only after linpred_options_new */
};

/* Sets all options to their defaults. Text that is put into this struct is borrowed, so nothing must be released. */
void linpred__options_init(linpred_options *options);

/* ---- single options, by their index ------------------------------------------------------------------------------ */

typedef enum linpred__option_kind {
    LINPRED__OPTION_TEXT,
    LINPRED__OPTION_REAL,
    LINPRED__OPTION_COUNT,
    LINPRED__OPTION_SWITCH,
    LINPRED__OPTION_CHOICE
} linpred__option_kind;

/* One line of options.def. */
typedef struct linpred__option {
    linpred__option_kind kind;
    const char *flag;       /* its name in the public interface */
    size_t offset;          /* offset of its field in struct linpred_options */
    double real_initial;    /* REAL: the default */
    double real_low;        /* REAL: the smallest value allowed */
    double real_high;       /* REAL: the largest value allowed */
    int64_t count_initial;  /* COUNT and CHOICE: the default */
    int64_t count_low;      /* COUNT: the smallest value allowed */
    int64_t count_high;     /* COUNT: the largest value allowed */
    const char *words;      /* CHOICE: its words, as "one|two|three" */
    linpred__scopes scopes; /* what the option is for */
    const char *help;       /* one line for the user */
} linpred__option;

extern const linpred__option linpred__option_table[LINPRED__OPTIONS];

/* The index of the option with this name, or -1. */
int linpred__option_find(const char *flag);
/* Sets option `index` to *value, a double, int64_t, bool or int according to its kind, and marks it as given. */
void linpred__option_put(linpred_options *options, size_t index, const void *value);
/* The same for text, which is copied if the struct owns its text. NULL restores the default. */
linpred_status linpred__option_put_text(linpred_options *options, size_t index, const char *text, linpred_error *error);
/* Writes the value of option `index` as a user would type it. Returns false if it is unset, off or unlimited. */
bool linpred__option_value(const linpred_options *options, size_t index, char *buffer, size_t bytes);
/* Whether the option was given by name or differs from its default. */
bool linpred__option_is_set(const linpred_options *options, size_t index);
/* Returns an error if options.def does not allow the value. Inside the library a value may be set without a check. */
linpred_status linpred__option_check_range(const linpred_options *options, size_t index, linpred_error *error);
/* Returns an error if an option is out of range, or if an option was set that has none of the scopes `listens`. `what`
   names the call in the message. Options for reading and encoding are always allowed, because the data may have been
   read with them. */
linpred_status linpred__options_check_for(const linpred_options *options, linpred__scopes listens, const char *what,
                                          linpred_error *error);

#endif
