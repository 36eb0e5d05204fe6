/* Options by name: defaults, bounds and help all come from options.def. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "core/options.h"
#include "linpred/linpred.h"

enum kind { TEXT, REAL, COUNT, SWITCH, CHOICE };

static const struct {
    enum kind kind;
    const char *flag;
    size_t offset;
    double real_initial, real_low, real_high;
    int64_t count_initial, count_low, count_high;
    const char *words;
    unsigned applies;
    const char *help;
} table[] = {
#define AT(field) offsetof(linpred_options, field)
#define LINPRED_TEXT_OPTION(field, flag, applies, help) {TEXT, flag, AT(field), 0, 0, 0, 0, 0, 0, "", applies, help},
#define LINPRED_REAL_OPTION(field, flag, initial, low, high, applies, help)                                            \
    {REAL, flag, AT(field), initial, low, high, 0, 0, 0, "", applies, help},
#define LINPRED_COUNT_OPTION(field, flag, initial, low, high, applies, help)                                           \
    {COUNT, flag, AT(field), 0, 0, 0, initial, low, high, "", applies, help},
#define LINPRED_SWITCH_OPTION(field, flag, applies, help)                                                              \
    {SWITCH, flag, AT(field), 0, 0, 0, 0, 0, 0, "", applies, help},
#define LINPRED_CHOICE_OPTION(type, field, flag, initial, words, applies, help)                                        \
    {CHOICE, flag, AT(field), 0, 0, 0, (int64_t)(initial), 0, 0, words, applies, help},
#include "linpred/options.def"
#undef LINPRED_TEXT_OPTION
#undef LINPRED_REAL_OPTION
#undef LINPRED_COUNT_OPTION
#undef LINPRED_SWITCH_OPTION
#undef LINPRED_CHOICE_OPTION
};

enum { OPTIONS = sizeof table / sizeof table[0] };

/* Choices are enums of ours, all as wide as an int. */
_Static_assert(sizeof(linpred_method) == sizeof(int) && sizeof(linpred_format) == sizeof(int), "enums are ints");

static void put(linpred_options *options, size_t index, const void *value, size_t bytes)
{
    memcpy((char *)options + table[index].offset, value, bytes);
}

void linpred_options_init(linpred_options *options)
{
    memset(options, 0, sizeof *options);
    options->struct_size = sizeof *options;
    for (size_t i = 0; i < OPTIONS; i++) {
        int choice = (int)table[i].count_initial;
        if (table[i].kind == REAL)
            put(options, i, &table[i].real_initial, sizeof(double));
        else if (table[i].kind == COUNT)
            put(options, i, &table[i].count_initial, sizeof(int64_t));
        else if (table[i].kind == CHOICE)
            put(options, i, &choice, sizeof choice);
    }
}

/* The place of word in "one|two|three", or -1. */
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
    char room[LINPRED__EXCERPT];
    if (!text)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--%s takes %s, not nothing", table[index].flag, wanted);
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--%s takes %s, not '%s'", table[index].flag, wanted,
                         linpred__excerpt(text, strlen(text), room));
}

static bool count_allowed(size_t index, int64_t value)
{
    return table[index].count_low <= value && value <= table[index].count_high;
}

static bool real_allowed(size_t index, double value)
{
    return table[index].real_low <= value && value <= table[index].real_high; /* not NaN */
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

static linpred_status bad_real(linpred_error *error, size_t index, const char *text)
{
    char wanted[80];
    double low = table[index].real_low;
    double high = table[index].real_high;
    if (high == 1.0 - DBL_EPSILON / 2)
        snprintf(wanted, sizeof wanted, "a number above 0 and below 1");
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
            put(options, index, &on, sizeof on);
            return LINPRED_OK;
        }
    return bad_value(error, index, text, "yes or no");
}

static linpred_status set(linpred_options *options, size_t index, const char *text, linpred_error *error)
{
    int choice;
    int64_t count;
    double real;
    switch (table[index].kind) {
    case TEXT:
        put(options, index, &text, sizeof text);
        return LINPRED_OK;
    case SWITCH:
        return set_switch(options, index, text ? text : "", error);
    case CHOICE:
        choice = text ? find_word(table[index].words, text) : -1;
        if (choice < 0)
            return bad_value(error, index, text, table[index].words);
        put(options, index, &choice, sizeof choice);
        return LINPRED_OK;
    case COUNT:
        if (!text || !linpred__whole_read(text, strlen(text), &count) || !count_allowed(index, count))
            return bad_count(error, index, text);
        put(options, index, &count, sizeof count);
        return LINPRED_OK;
    case REAL:
        if (!text || linpred__number_read(text, strlen(text), &real) != LINPRED__NUMBER || !real_allowed(index, real))
            return bad_real(error, index, text);
        put(options, index, &real, sizeof real);
        return LINPRED_OK;
    }
    return LINPRED_OK;
}

linpred_status linpred_options_set(linpred_options *options, const char *flag, const char *text, linpred_error *error)
{
    LINPRED__NEEDS(options, flag);
    for (size_t i = 0; i < OPTIONS; i++)
        if (strcmp(table[i].flag, flag) == 0)
            return set(options, i, text, error);
    return linpred__fail(error, LINPRED_ERROR_USAGE, "there is no option --%.60s", flag);
}

linpred_status linpred__option_check_range(const linpred_options *options, size_t index, linpred_error *error)
{
    const char *at = (const char *)options + table[index].offset;
    char text[LINPRED__NUMBER_ROOM];
    const char *words = table[index].words;
    int64_t count;
    double real;
    int choice, choices = 1;
    switch (table[index].kind) {
    case COUNT:
        memcpy(&count, at, sizeof count);
        snprintf(text, sizeof text, "%lld", (long long)count);
        return count_allowed(index, count) ? LINPRED_OK : bad_count(error, index, text);
    case REAL:
        memcpy(&real, at, sizeof real);
        snprintf(text, sizeof text, "%g", real);
        return real_allowed(index, real) ? LINPRED_OK : bad_real(error, index, text);
    case CHOICE:
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
    static const size_t bytes[] = {[TEXT] = sizeof(char *),
                                   [REAL] = sizeof(double),
                                   [COUNT] = sizeof(int64_t),
                                   [SWITCH] = sizeof(bool),
                                   [CHOICE] = sizeof(int)};
    linpred_options initial;
    linpred_options_init(&initial);
    return memcmp((const char *)options + table[index].offset, (const char *)&initial + table[index].offset,
                  bytes[table[index].kind]) != 0;
}

size_t linpred_options_count(void)
{
    return OPTIONS;
}

bool linpred__option_text(const linpred_options *options, size_t index, char *room, size_t bytes)
{
    const char *at = (const char *)options + table[index].offset;
    const char *text = table[index].words;
    double real;
    int64_t count;
    int choice;
    bool on;
    room[0] = '\0';
    switch (table[index].kind) {
    case TEXT:
        memcpy(&text, at, sizeof text);
        if (text)
            snprintf(room, bytes, "%s", text);
        return text != NULL;
    case SWITCH:
        memcpy(&on, at, sizeof on);
        snprintf(room, bytes, "%s", on ? "yes" : "");
        return on;
    case COUNT:
        memcpy(&count, at, sizeof count);
        if (count < INT64_MAX)
            snprintf(room, bytes, "%lld", (long long)count);
        return count < INT64_MAX;
    case REAL:
        memcpy(&real, at, sizeof real);
        if (real < DBL_MAX && bytes >= LINPRED__NUMBER_ROOM)
            linpred__number_write(real, room);
        return real < DBL_MAX;
    case CHOICE:
        memcpy(&choice, at, sizeof choice);
        for (; choice > 0; choice--)
            text += strcspn(text, "|") + 1;
        snprintf(room, bytes, "%.*s", (int)strcspn(text, "|"), text);
        return true;
    }
    return false;
}

linpred_option_text linpred_options_describe(size_t index)
{
    static const char *const takes[] = {
        [TEXT] = "TEXT", [REAL] = "NUMBER", [COUNT] = "N", [SWITCH] = "", [CHOICE] = ""};
    linpred_option_text text = {0};
    if (index >= OPTIONS)
        return text;
    text.flag = table[index].flag;
    text.takes = table[index].kind == CHOICE ? table[index].words : takes[table[index].kind];
    text.help = table[index].help;
    text.applies = table[index].applies;
    linpred_options initial;
    linpred_options_init(&initial);
    linpred__option_text(&initial, index, text.initial, sizeof text.initial);
    return text;
}

const char *linpred_method_name(linpred_method method)
{
    switch (method) {
    case LINPRED_METHOD_AUTO:
        return "auto";
    case LINPRED_METHOD_PERCEPTRON:
        return "perceptron";
    case LINPRED_METHOD_POCKET:
        return "pocket";
    case LINPRED_METHOD_LP:
        return "lp";
    case LINPRED_METHOD_MARGIN:
        return "margin";
    case LINPRED_METHOD_EXACT:
        return "exact";
    case LINPRED_METHOD_GRAM:
        return "gram";
    case LINPRED_METHOD_QR:
        return "qr";
    case LINPRED_METHOD_CG:
        return "cg";
    case LINPRED_METHOD_VERTEX:
        return "vertex";
    case LINPRED_METHOD_NEWTON:
        return "newton";
    case LINPRED_METHOD_NEWTON_CG:
        return "newton-cg";
    }
    return "unknown";
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
