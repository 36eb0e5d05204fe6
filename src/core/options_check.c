/* Which options mean something to which fit, and whether those that were set make sense together. An option that would
 * be ignored is an error. The rule itself stands in options.def: each option says what it applies to. */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "linpred/linpred.h"

/* Bits that speak of other calls than a fit; those of a fit's are all the others. */
enum {
    ELSEWHERE = LINPRED_FOR_READ | LINPRED_FOR_ENCODE | LINPRED_FOR_LABELS | LINPRED_FOR_APPLY | LINPRED_FOR_POINTS |
                LINPRED_FOR_VC | LINPRED_FOR_SAMPLE_SIZE | LINPRED_FOR_GENERALIZATION | LINPRED_FOR_GENERATE
};

/* The bits of a fit in words, in the order in which they are told. */
static const struct {
    unsigned bit;
    const char *before;
    const char *word;
} words[] = {
    {LINPRED_FOR_PERCEPTRON, "--method ", "perceptron"},
    {LINPRED_FOR_POCKET, "--method ", "pocket"},
    {LINPRED_FOR_LP, "--method ", "lp"},
    {LINPRED_FOR_MARGIN, "--method ", "margin"},
    {LINPRED_FOR_EXACT, "--method ", "exact"},
    {LINPRED_FOR_AUTO, "--method ", "auto"},
    {LINPRED_FOR_SQUARED, "--loss ", "squared"},
    {LINPRED_FOR_ABSOLUTE, "--loss ", "absolute"},
    {LINPRED_FOR_HALFSPACE, "fit ", "halfspace"},
    {LINPRED_FOR_REGRESSION, "fit ", "regression"},
    {LINPRED_FOR_LOGISTIC, "fit ", "logistic"},
    {LINPRED_FOR_BALL, "fit ", "ball"},
    {LINPRED_FOR_BALL_POCKET, "fit ball --method ", "pocket"},
    {LINPRED_FOR_BALL_LP, "fit ball --method ", "lp"},
    {LINPRED_FOR_BALL_AUTO, "fit ball --method ", "auto"},
    {LINPRED_FOR_BALL_EXACT, "fit ball --method ", "exact"},
};

size_t linpred_applies_text(unsigned applies, char *room, size_t bytes)
{
    const char *last = "";
    size_t used = 0;
    room[0] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if ((applies & words[i].bit) && used < bytes) {
            bool repeats = strcmp(last, words[i].before) == 0;
            used += (size_t)snprintf(room + used, bytes - used, "%s%s%s", used ? " or " : "",
                                     repeats ? "" : words[i].before, words[i].word);
            last = words[i].before;
        }
    return used;
}

static unsigned method_bit(linpred_method method)
{
    switch (method) {
    case LINPRED_METHOD_AUTO:
        return LINPRED_FOR_AUTO;
    case LINPRED_METHOD_PERCEPTRON:
        return LINPRED_FOR_PERCEPTRON;
    case LINPRED_METHOD_POCKET:
        return LINPRED_FOR_POCKET;
    case LINPRED_METHOD_LP:
        return LINPRED_FOR_LP;
    case LINPRED_METHOD_MARGIN:
        return LINPRED_FOR_MARGIN;
    case LINPRED_METHOD_EXACT:
        return LINPRED_FOR_EXACT;
    default: /* of other tasks */
        return 0;
    }
}

unsigned linpred_options_listens(const linpred_options *options)
{
    if (options->task == LINPRED_TASK_LOGISTIC)
        return LINPRED_FOR_FIT | LINPRED_FOR_ORIGIN | LINPRED_FOR_LOGISTIC;
    if (options->task == LINPRED_TASK_REGRESSION)
        return LINPRED_FOR_FIT | LINPRED_FOR_ORIGIN | LINPRED_FOR_REGRESSION |
               (options->loss == LINPRED_LOSS_SQUARED ? LINPRED_FOR_SQUARED : LINPRED_FOR_ABSOLUTE);
    if (options->task == LINPRED_TASK_BALL) {
        bool pocket = options->method == LINPRED_METHOD_POCKET, automatic = options->method == LINPRED_METHOD_AUTO;
        bool exact = options->method == LINPRED_METHOD_EXACT;
        bool draws = automatic || exact || (pocket && options->order == LINPRED_ORDER_RANDOM);
        unsigned by = pocket      ? LINPRED_FOR_BALL_POCKET
                      : automatic ? LINPRED_FOR_BALL_AUTO
                      : exact     ? LINPRED_FOR_BALL_EXACT
                                  : LINPRED_FOR_BALL_LP;
        return LINPRED_FOR_FIT | LINPRED_FOR_BALL | by | (draws ? LINPRED_FOR_RANDOM : 0);
    }
    unsigned method = method_bit(options->method);
    bool walks = (method & (LINPRED_FOR_PERCEPTRON | LINPRED_FOR_POCKET)) != 0;
    bool random =
        method == LINPRED_FOR_AUTO || method == LINPRED_FOR_EXACT || (walks && options->order == LINPRED_ORDER_RANDOM);
    return LINPRED_FOR_FIT | LINPRED_FOR_ORIGIN | LINPRED_FOR_HALFSPACE | method | (random ? LINPRED_FOR_RANDOM : 0);
}

/* What this fit is called where an option does not suit it: by its method or loss, if it has a choice of them. */
static void name_fit(const linpred_options *options, char *room, size_t bytes)
{
    unsigned listens = linpred_options_listens(options);
    unsigned whole = LINPRED_FOR_HALFSPACE | LINPRED_FOR_REGRESSION | LINPRED_FOR_BALL;
    linpred_applies_text(listens & ~whole, room, bytes);
}

static linpred_status meaningless(const linpred_options *options, const char *flag, unsigned applies,
                                  linpred_error *error)
{
    char fit[40], others[120];
    name_fit(options, fit, sizeof fit);
    /* Methods of a ball are told to those who fit one, if that is what it is for. */
    unsigned balls = LINPRED_FOR_BALL_POCKET | LINPRED_FOR_BALL_LP | LINPRED_FOR_BALL_EXACT | LINPRED_FOR_BALL_AUTO;
    unsigned near = options->task == LINPRED_TASK_BALL ? applies & balls : applies & ~balls;
    size_t told = linpred_applies_text(near ? near : applies, others, sizeof others);
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--%s has no meaning for %s%s%s", flag, fit,
                         told ? "; it is for " : "", others);
}

/* Methods of one task make no sense for another. */
static linpred_status check_method(const linpred_options *options, linpred_error *error)
{
    bool logistic = options->method == LINPRED_METHOD_NEWTON || options->method == LINPRED_METHOD_NEWTON_CG;
    bool ball = options->method == LINPRED_METHOD_LP || options->method == LINPRED_METHOD_POCKET ||
                options->method == LINPRED_METHOD_EXACT;
    bool known = options->task == LINPRED_TASK_BALL ? ball : logistic == (options->task == LINPRED_TASK_LOGISTIC);
    if (options->method == LINPRED_METHOD_AUTO || known)
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--method %s is not a method of fit %s",
                         linpred_method_name(options->method), linpred_task_name(options->task));
}

static linpred_status check_ranges(const linpred_options *options, linpred_error *error)
{
    if (options->struct_size != sizeof *options)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "linpred_options was not set up by linpred_options_init");
    if ((int)options->task < LINPRED_TASK_HALFSPACE || (int)options->task > LINPRED_TASK_BALL)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "linpred_options.task is %d, which is no task",
                             (int)options->task);
    linpred_status status = LINPRED_OK;
    for (size_t i = 0; i < linpred_options_count() && status == LINPRED_OK; i++)
        status = linpred__option_check_range(options, i, error);
    return status;
}

linpred_status linpred__options_check_for(const linpred_options *options, unsigned listens, const char *what,
                                          linpred_error *error)
{
    linpred_status status = check_ranges(options, error);
    listens |= LINPRED_FOR_READ | LINPRED_FOR_ENCODE | LINPRED_FOR_APPLY;
    for (size_t i = 0; i < linpred_options_count() && status == LINPRED_OK; i++) {
        linpred_option_text option = linpred_options_describe(i);
        if (linpred__option_is_set(options, i) && !(option.applies & listens))
            status = linpred__fail(error, LINPRED_ERROR_USAGE, "--%s has no meaning for %s", option.flag, what);
    }
    return status;
}

/* Some fits of a task that gives intervals give none. */
static linpred_status check_confidence(const linpred_options *options, linpred_error *error)
{
    const char *without = options->l2 > 0 ? "--l2" : options->class_weights ? "--class-weights" : NULL;
    return without ? linpred__fail(error, LINPRED_ERROR_USAGE,
                                   "--confidence has no meaning with %s, which gives no intervals", without)
                   : LINPRED_OK;
}

linpred_status linpred_options_check(const linpred_options *options, const bool *given, linpred_error *error)
{
    LINPRED__NEEDS(options);
    linpred_status status = check_ranges(options, error);
    if (status == LINPRED_OK)
        status = check_method(options, error);
    if (status != LINPRED_OK)
        return status;
    unsigned listens = linpred_options_listens(options);
    for (size_t i = 0; i < linpred_options_count(); i++) {
        linpred_option_text option = linpred_options_describe(i);
        bool set = given ? given[i] : linpred__option_is_set(options, i);
        if (set && strcmp(option.flag, "confidence") == 0 && (option.applies & listens)) {
            status = check_confidence(options, error);
            if (status != LINPRED_OK)
                return status;
        }
        if (!set || !(option.applies & ~(unsigned)ELSEWHERE) || (option.applies & listens))
            continue;
        if (option.applies & LINPRED_FOR_RANDOM)
            return linpred__fail(error, LINPRED_ERROR_USAGE,
                                 "--%s has no meaning where nothing is random: choose --order random, or leave it out",
                                 option.flag);
        return meaningless(options, option.flag, option.applies, error);
    }
    if (options->on_update && !(listens & LINPRED_FOR_TRACE))
        return meaningless(options, "trace", LINPRED_FOR_TRACE, error);
    if (options->start && !(listens & LINPRED_FOR_START))
        return meaningless(options, "start", LINPRED_FOR_START, error);
    return LINPRED_OK;
}
