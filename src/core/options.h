/* Options inside the library: a plain struct, made from options.def.
 *
 * The public type is opaque and reached by name. Inside, learners read the fields, and a question that needs options
 * of its own keeps a struct on the stack: linpred__options_init makes one with all defaults.
 */
#ifndef LINPRED_CORE_OPTIONS_H
#define LINPRED_CORE_OPTIONS_H

#include "core/scopes.h"
#include "linpred/linpred.h"

/* What a fit with these options listens to: FIT and the scopes of its task and method. */
linpred__scopes linpred__options_scopes(const linpred_options *options);

/* ---- the struct ----------------------------------------------------------------------------------------------------
 */

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
    bool (*on_progress)(void *context, const linpred_progress *progress); /* false: stop, keep the best so far */
    void *context;                                                        /* for on_progress */
    bool (*on_update)(void *context, const linpred_update *update);       /* false: stop; called for every update */
    void *update_context;                                                 /* for on_update */
    linpred_task task;
    bool one_class;               /* rows that all have one label are no error */
    const linpred_model *start;   /* first weights of perceptron, pocket and logistic; NULL: all zero; borrowed */
    bool given[LINPRED__OPTIONS]; /* option i was set by name, perhaps to its default */
    bool owns_text;               /* text options are copies to be released: true only for linpred_options_new */
};

/* All defaults. Text that is put into this struct is borrowed, so the struct needs no clearing. */
void linpred__options_init(linpred_options *options);

/* ---- options one by one, by their index
 * ------------------------------------------------------------------------------ */

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
    const char *flag;
    size_t offset; /* of its field in struct linpred_options */
    double real_initial, real_low, real_high;
    int64_t count_initial, count_low, count_high; /* count_initial: of a choice too */
    const char *words;                            /* of a choice, "one|two|three" */
    linpred__scopes scopes;
    const char *help;
} linpred__option;

extern const linpred__option linpred__option_table[LINPRED__OPTIONS];

/* The index of the option with this name, or -1. */
int linpred__option_find(const char *flag);
/* Writes a value into the field of option `index`: a double, int64_t, bool or int, as the kind says. Marks it given. */
void linpred__option_put(linpred_options *options, size_t index, const void *value);
/* The same for text, which is copied if the struct owns its text. NULL: back to the default. */
linpred_status linpred__option_put_text(linpred_options *options, size_t index, const char *text, linpred_error *error);
/* The value of option `index` as people would type it, at most `bytes` long. False if it is unset, off or unlimited. */
bool linpred__option_value(const linpred_options *options, size_t index, char *buffer, size_t bytes);
/* Whether the option was set: it was given by name, or differs from its default. */
bool linpred__option_is_set(const linpred_options *options, size_t index);
/* Whether the value, which may have been written straight into the struct, is one that options.def allows. */
linpred_status linpred__option_check_range(const linpred_options *options, size_t index, linpred_error *error);
/* Whether all options are in range and those that were set mean something to a call named `what`, which listens to
   these scopes. Options of reading and encoding are let through: the data may have come by them. */
linpred_status linpred__options_check_for(const linpred_options *options, linpred__scopes listens, const char *what,
                                          linpred_error *error);

#endif
