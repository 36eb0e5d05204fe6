/* The table of options, their values as text, and their bounds. Everything comes from options.def. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/task_methods.h"
#include "core/number.h"
#include "core/options.h"
#include "core/threads.h"

/* The words of the option `method`, each behind a bar: a choice is the place of its word. */
static const char method_words[] =
#define LINPRED_METHOD(name, word) "|" word
#include "core/method.def"
    ;
#define LINPRED__METHOD_WORDS (method_words + 1)

enum { /* the place of each word */
#define LINPRED_METHOD(name, word) PLACE_##name,
#include "core/method.def"
};
#define LINPRED_METHOD(name, word)                                                                                     \
    _Static_assert((int)PLACE_##name == (int)LINPRED_METHOD_##name,                                                    \
                   "method.def lists " word " in the order of linpred_method");
#include "core/method.def"

const linpred__option linpred__option_table[LINPRED__OPTIONS] = {
#define AT(field) offsetof(linpred_options, field)
#define LINPRED_TEXT_OPTION(field, flag, scopes, help)                                                                 \
    {LINPRED__OPTION_TEXT, flag, AT(field), 0, 0, 0, 0, 0, 0, "", scopes, help},
#define LINPRED_REAL_OPTION(field, flag, initial, low, high, scopes, help)                                             \
    {LINPRED__OPTION_REAL, flag, AT(field), initial, low, high, 0, 0, 0, "", scopes, help},
#define LINPRED_COUNT_OPTION(field, flag, initial, low, high, scopes, help)                                            \
    {LINPRED__OPTION_COUNT, flag, AT(field), 0, 0, 0, initial, low, high, "", scopes, help},
#define LINPRED_SWITCH_OPTION(field, flag, scopes, help)                                                               \
    {LINPRED__OPTION_SWITCH, flag, AT(field), 0, 0, 0, 0, 0, 0, "", scopes, help},
#define LINPRED_CHOICE_OPTION(type, field, flag, initial, words, scopes, help)                                         \
    {LINPRED__OPTION_CHOICE, flag, AT(field), 0, 0, 0, (int64_t)(initial), 0, 0, words, scopes, help},
#include "core/options.def"
#undef LINPRED_TEXT_OPTION
#undef LINPRED_REAL_OPTION
#undef LINPRED_COUNT_OPTION
#undef LINPRED_SWITCH_OPTION
#undef LINPRED_CHOICE_OPTION
};

#define table linpred__option_table

/* Choices are enums, which are copied as ints. */
_Static_assert(sizeof(linpred_method) == sizeof(int) && sizeof(linpred_format) == sizeof(int), "enums are ints");

static const size_t bytes_of[] = {[LINPRED__OPTION_TEXT] = sizeof(char *),
                                  [LINPRED__OPTION_REAL] = sizeof(double),
                                  [LINPRED__OPTION_COUNT] = sizeof(int64_t),
                                  [LINPRED__OPTION_SWITCH] = sizeof(bool),
                                  [LINPRED__OPTION_CHOICE] = sizeof(int)};

static void *field(linpred_options *options, size_t index)
{
    return (char *)options + table[index].offset;
}

void linpred__options_init(linpred_options *options)
{
    memset(options, 0, sizeof *options);
    for (size_t i = 0; i < LINPRED__OPTIONS; i++) {
        int choice = (int)table[i].count_initial;
        if (table[i].kind == LINPRED__OPTION_REAL)
            memcpy(field(options, i), &table[i].real_initial, sizeof(double));
        else if (table[i].kind == LINPRED__OPTION_COUNT)
            memcpy(field(options, i), &table[i].count_initial, sizeof(int64_t));
        else if (table[i].kind == LINPRED__OPTION_CHOICE)
            memcpy(field(options, i), &choice, sizeof choice);
    }
}

int linpred__option_find(const char *flag)
{
    for (int i = 0; i < LINPRED__OPTIONS; i++)
        if (strcmp(table[i].flag, flag) == 0)
            return i;
    return -1;
}

void linpred__option_put(linpred_options *options, size_t index, const void *value)
{
    memcpy(field(options, index), value, bytes_of[table[index].kind]);
    options->given[index] = table[index].kind != LINPRED__OPTION_SWITCH || *(const bool *)value;
}

linpred_status linpred__option_put_text(linpred_options *options, size_t index, const char *text, linpred_error *error)
{
    char *before;
    if (options->owns_text) {
        char *copy = text ? linpred__copy_text(text, strlen(text)) : NULL;
        if (text && !copy)
            return linpred__no_memory(error);
        memcpy(&before, field(options, index), sizeof before);
        linpred__release(before);
        text = copy;
    }
    memcpy(field(options, index), &text, sizeof text);
    options->given[index] = text != NULL;
    return LINPRED_OK;
}

/* The place of `word` in a list such as "one|two|three", or -1. */
static int find_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (int place = 0;; place++) {
        size_t end = strcspn(words, "|");
        if (end == length && memcmp(words, word, length) == 0)
            return place;
        if (words[end] == '\0')
            return -1;
        words += end + 1;
    }
}

static linpred_status bad_value(linpred_error *error, size_t index, const char *text, const char *wanted)
{
    char excerpt[LINPRED__EXCERPT];
    if (!text)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--%s takes %s, not nothing", table[index].flag, wanted);
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--%s takes %s, not '%s'", table[index].flag, wanted,
                         linpred__excerpt(text, strlen(text), excerpt));
}

static bool count_allowed(size_t index, int64_t value)
{
    return table[index].count_low <= value && value <= table[index].count_high;
}

static bool real_allowed(size_t index, double value)
{
    return table[index].real_low <= value && value <= table[index].real_high; /* false for NaN */
}

static linpred_status bad_count(linpred_error *error, size_t index, const char *text)
{
    char wanted[80];
    if (table[index].count_high == INT64_MAX)
        snprintf(wanted, sizeof wanted, "a whole number from %lld up", (long long)table[index].count_low);
    else
        snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)table[index].count_low,
                 (long long)table[index].count_high);
    return bad_value(error, index, text, wanted);
}

/* Fails because a number that must lie below 1 looks like a percentage: 95 for 0.95. */
static linpred_status bad_percentage(linpred_error *error, size_t index, const char *text, double percentage)
{
    return linpred__fail(error, LINPRED_ERROR_USAGE,
                         "--%s takes a number above 0 and below 1, not '%.20s'; did you mean %.6g?", table[index].flag,
                         text, percentage / 100.0);
}

static linpred_status bad_real(linpred_error *error, size_t index, const char *text)
{
    char wanted[80];
    double value;
    double low = table[index].real_low;
    double high = table[index].real_high;
    bool is_number = text && linpred__number_read(text, strlen(text), &value) == LINPRED__NUMBER;
    if (high < 1.0 && is_number && value >= 2.0 && real_allowed(index, value / 100.0))
        return bad_percentage(error, index, text, value);
    if (high == 1.0 - DBL_EPSILON / 2)
        snprintf(wanted, sizeof wanted, "a number above 0 and below 1");
    else if (low == -DBL_MAX && high == DBL_MAX)
        snprintf(wanted, sizeof wanted, "a number");
    else if (high == 1.0 - low)
        snprintf(wanted, sizeof wanted, "a number above 0 and below 1, by at least %g", low);
    else if (high < DBL_MAX)
        snprintf(wanted, sizeof wanted, "a number from %g to %g", low, high);
    else
        snprintf(wanted, sizeof wanted, low > 0 ? "a number above 0" : "a number from %g up", low);
    return bad_value(error, index, text, wanted);
}

/* A switch may be given without a value. */
static linpred_status set_switch(linpred_options *options, size_t index, const char *text, linpred_error *error)
{
    static const char *const said[] = {"", "yes", "true", "no", "false"};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
        if (strcmp(text, said[i]) == 0) {
            bool on = i < 3;
            linpred__option_put(options, index, &on);
            return LINPRED_OK;
        }
    return bad_value(error, index, text, "yes or no");
}

/* Of methods, those of the task are told. */
static linpred_status bad_choice(const linpred_options *options, size_t index, const char *text, linpred_error *error)
{
    char methods[160];
    linpred__methods_words(options->task, methods, sizeof methods);
    return bad_value(error, index, text, index == LINPRED__OPTION_method && *methods ? methods : table[index].words);
}

static linpred_status set(linpred_options *options, size_t index, const char *text, linpred_error *error)
{
    int choice;
    int64_t count;
    double real;
    switch (table[index].kind) {
    case LINPRED__OPTION_TEXT:
        return linpred__option_put_text(options, index, text, error);
    case LINPRED__OPTION_SWITCH:
        return set_switch(options, index, text ? text : "", error);
    case LINPRED__OPTION_CHOICE:
        choice = text ? find_word(table[index].words, text) : -1;
        if (choice < 0)
            return bad_choice(options, index, text, error);
        linpred__option_put(options, index, &choice);
        return LINPRED_OK;
    case LINPRED__OPTION_COUNT:
        if (!text || !linpred__whole_read(text, strlen(text), &count) || !count_allowed(index, count))
            return bad_count(error, index, text);
        linpred__option_put(options, index, &count);
        return LINPRED_OK;
    case LINPRED__OPTION_REAL:
        if (!text || linpred__number_read(text, strlen(text), &real) != LINPRED__NUMBER || !real_allowed(index, real))
            return bad_real(error, index, text);
        linpred__option_put(options, index, &real);
        return LINPRED_OK;
    }
    return LINPRED_OK;
}

/* The task is not in the table, because the program takes it from its command. The interface sets it by name. */
static linpred_status set_task(linpred_options *options, const char *text, linpred_error *error)
{
    static const char words[] = "halfspace|logistic|regression|ball"; /* in the order of linpred_task */
    char excerpt[LINPRED__EXCERPT];
    int task = text ? find_word(words, text) : -1;
    if (task < 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the task is one of %s, not '%s'", words,
                             text ? linpred__excerpt(text, strlen(text), excerpt) : "");
    options->task = (linpred_task)task;
    return LINPRED_OK;
}

linpred_status linpred_options_set(linpred_options *options, const char *name, const char *text, linpred_error *error)
{
    LINPRED__NEEDS(options, name);
    if (strcmp(name, "task") == 0)
        return set_task(options, text, error);
    int index = linpred__option_find(name);
    return index >= 0 ? set(options, (size_t)index, text, error)
                      : linpred__fail(error, LINPRED_ERROR_USAGE, "there is no option --%.60s", name);
}

linpred_status linpred__option_check_range(const linpred_options *options, size_t index, linpred_error *error)
{
    const char *at = (const char *)options + table[index].offset;
    char text[LINPRED__NUMBER_BYTES];
    const char *words = table[index].words;
    int64_t count;
    double real;
    int choice, choices = 1;
    switch (table[index].kind) {
    case LINPRED__OPTION_COUNT:
        memcpy(&count, at, sizeof count);
        snprintf(text, sizeof text, "%lld", (long long)count);
        return count_allowed(index, count) ? LINPRED_OK : bad_count(error, index, text);
    case LINPRED__OPTION_REAL:
        memcpy(&real, at, sizeof real);
        snprintf(text, sizeof text, "%g", real);
        return real_allowed(index, real) ? LINPRED_OK : bad_real(error, index, text);
    case LINPRED__OPTION_CHOICE:
        memcpy(&choice, at, sizeof choice);
        snprintf(text, sizeof text, "%d", choice);
        for (; *words; words++)
            choices += *words == '|';
        return choice >= 0 && choice < choices ? LINPRED_OK : bad_value(error, index, text, table[index].words);
    default:
        return LINPRED_OK;
    }
}

bool linpred__option_is_set(const linpred_options *options, size_t index)
{
    linpred_options initial;
    linpred__options_init(&initial);
    return options->given[index] || memcmp((const char *)options + table[index].offset, field(&initial, index),
                                           bytes_of[table[index].kind]) != 0;
}

bool linpred__option_value(const linpred_options *options, size_t index, char *buffer, size_t bytes)
{
    const char *at = (const char *)options + table[index].offset;
    const char *text = table[index].words;
    double real;
    int64_t count;
    int choice;
    bool on;
    buffer[0] = '\0';
    switch (table[index].kind) {
    case LINPRED__OPTION_TEXT:
        memcpy(&text, at, sizeof text);
        if (text)
            snprintf(buffer, bytes, "%s", text);
        return text != NULL;
    case LINPRED__OPTION_SWITCH:
        memcpy(&on, at, sizeof on);
        snprintf(buffer, bytes, "%s", on ? "yes" : "");
        return on;
    case LINPRED__OPTION_COUNT:
        memcpy(&count, at, sizeof count);
        if (count < INT64_MAX)
            snprintf(buffer, bytes, "%lld", (long long)count);
        return count < INT64_MAX;
    case LINPRED__OPTION_REAL:
        memcpy(&real, at, sizeof real);
        if (real < DBL_MAX && bytes >= LINPRED__NUMBER_BYTES)
            linpred__number_write(real, buffer);
        return real < DBL_MAX;
    case LINPRED__OPTION_CHOICE:
        memcpy(&choice, at, sizeof choice);
        for (; choice > 0; choice--)
            text += strcspn(text, "|") + 1;
        snprintf(buffer, bytes, "%.*s", (int)strcspn(text, "|"), text);
        return true;
    }
    return false;
}

bool linpred_options_describe(size_t index, linpred_option_text *text)
{
    if (!text)
        return false;
    static const char *const takes[] = {[LINPRED__OPTION_TEXT] = "TEXT",
                                        [LINPRED__OPTION_REAL] = "NUMBER",
                                        [LINPRED__OPTION_COUNT] = "N",
                                        [LINPRED__OPTION_SWITCH] = ""};
    linpred_option_text made = {0};
    if (index >= LINPRED__OPTIONS)
        return false;
    made.name = table[index].flag;
    made.takes = table[index].kind == LINPRED__OPTION_CHOICE ? table[index].words : takes[table[index].kind];
    made.help = table[index].help;
    linpred__scopes_words(table[index].scopes, made.scopes, sizeof made.scopes);
    linpred_options initial;
    linpred__options_init(&initial);
    linpred__option_value(&initial, index, made.initial, sizeof made.initial);
    return linpred__struct_fill(text, &made, sizeof made);
}

const char *linpred_task_name(linpred_task task)
{
    switch (task) {
    case LINPRED_TASK_HALFSPACE:
        return "halfspace";
    case LINPRED_TASK_LOGISTIC:
        return "logistic";
    case LINPRED_TASK_REGRESSION:
        return "regression";
    case LINPRED_TASK_BALL:
        return "ball";
    }
    return "unknown";
}
