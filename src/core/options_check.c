/* Which options mean something to which fit, and whether those that were set make sense together. An option that would
 * be ignored is an error. The rule itself stands in options.def: each option says what it scopes to. */
#include "core/error.h"
#include "core/options.h"
#include "linpred/linpred.h"

/* Scopes of other calls than a fit; all others are scopes of a fit. */
#define ELSEWHERE                                                                                                      \
    (LINPRED__FOR(READ) | LINPRED__FOR(ENCODE) | LINPRED__FOR(LABELS) | LINPRED__FOR(APPLY) | LINPRED__FOR(POINTS) |   \
     LINPRED__FOR(VC) | LINPRED__FOR(SAMPLE_SIZE) | LINPRED__FOR(GENERALIZATION) | LINPRED__FOR(GENERATE))

static linpred__scopes method_scope(linpred_method method)
{
    switch (method) {
    case LINPRED_METHOD_AUTO:
        return LINPRED__FOR(AUTO);
    case LINPRED_METHOD_PERCEPTRON:
        return LINPRED__FOR(PERCEPTRON);
    case LINPRED_METHOD_POCKET:
        return LINPRED__FOR(POCKET);
    case LINPRED_METHOD_LP:
        return LINPRED__FOR(LP);
    case LINPRED_METHOD_MARGIN:
        return LINPRED__FOR(MARGIN);
    case LINPRED_METHOD_EXACT:
        return LINPRED__FOR(EXACT);
    default: /* of other tasks */
        return 0;
    }
}

linpred__scopes linpred__options_scopes(const linpred_options *options)
{
    if (options->task == LINPRED_TASK_LOGISTIC)
        return LINPRED__FOR(FIT) | LINPRED__FOR(ORIGIN) | LINPRED__FOR(LOGISTIC);
    if (options->task == LINPRED_TASK_REGRESSION)
        return LINPRED__FOR(FIT) | LINPRED__FOR(ORIGIN) | LINPRED__FOR(REGRESSION) |
               (options->loss == LINPRED_LOSS_SQUARED ? LINPRED__FOR(SQUARED) : LINPRED__FOR(ABSOLUTE));
    if (options->task == LINPRED_TASK_BALL) {
        bool pocket = options->method == LINPRED_METHOD_POCKET, automatic = options->method == LINPRED_METHOD_AUTO;
        bool exact = options->method == LINPRED_METHOD_EXACT;
        bool draws = automatic || exact || (pocket && options->order == LINPRED_ORDER_RANDOM);
        linpred__scopes by = pocket      ? LINPRED__FOR(BALL_POCKET)
                             : automatic ? LINPRED__FOR(BALL_AUTO)
                             : exact     ? LINPRED__FOR(BALL_EXACT)
                                         : LINPRED__FOR(BALL_LP);
        return LINPRED__FOR(FIT) | LINPRED__FOR(BALL) | by | (draws ? LINPRED__FOR(RANDOM) : 0);
    }
    linpred__scopes method = method_scope(options->method);
    bool walks = (method & (LINPRED__FOR(PERCEPTRON) | LINPRED__FOR(POCKET))) != 0;
    bool random = method == LINPRED__FOR(AUTO) || method == LINPRED__FOR(EXACT) ||
                  (walks && options->order == LINPRED_ORDER_RANDOM);
    return LINPRED__FOR(FIT) | LINPRED__FOR(ORIGIN) | LINPRED__FOR(HALFSPACE) | method |
           (random ? LINPRED__FOR(RANDOM) : 0);
}

/* What this fit is called where an option does not suit it: by its method or loss, if it has a choice of them. */
static void name_fit(const linpred_options *options, char *name, size_t bytes)
{
    linpred__scopes listens = linpred__options_scopes(options);
    linpred__scopes whole = LINPRED__FOR(HALFSPACE) | LINPRED__FOR(REGRESSION) | LINPRED__FOR(BALL);
    linpred__scopes_phrase(listens & ~whole, name, bytes);
}

static linpred_status meaningless(const linpred_options *options, const char *flag, linpred__scopes scopes,
                                  linpred_error *error)
{
    char fit[40], others[120];
    name_fit(options, fit, sizeof fit);
    /* Methods of a ball are told to those who fit one, if that is what it is for. */
    linpred__scopes balls =
        LINPRED__FOR(BALL_POCKET) | LINPRED__FOR(BALL_LP) | LINPRED__FOR(BALL_EXACT) | LINPRED__FOR(BALL_AUTO);
    linpred__scopes near = options->task == LINPRED_TASK_BALL ? scopes & balls : scopes & ~balls;
    size_t told = linpred__scopes_phrase(near ? near : scopes, others, sizeof others);
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
    if ((int)options->task < LINPRED_TASK_HALFSPACE || (int)options->task > LINPRED_TASK_BALL)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the task is %d, which is no task", (int)options->task);
    linpred_status status = LINPRED_OK;
    for (size_t i = 0; i < LINPRED__OPTIONS && status == LINPRED_OK; i++)
        status = linpred__option_check_range(options, i, error);
    return status;
}

linpred_status linpred__options_check_for(const linpred_options *options, linpred__scopes listens, const char *what,
                                          linpred_error *error)
{
    linpred_status status = check_ranges(options, error);
    listens |= LINPRED__FOR(READ) | LINPRED__FOR(ENCODE) | LINPRED__FOR(APPLY);
    for (size_t i = 0; i < LINPRED__OPTIONS && status == LINPRED_OK; i++) {
        const linpred__option *option = &linpred__option_table[i];
        if (linpred__option_is_set(options, i) && !(option->scopes & listens))
            status = linpred__fail(error, LINPRED_ERROR_USAGE, "--%s has no meaning for %s", option->flag, what);
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

linpred_status linpred_options_check(const linpred_options *options, linpred_error *error)
{
    LINPRED__NEEDS(options);
    linpred_status status = check_ranges(options, error);
    if (status == LINPRED_OK)
        status = check_method(options, error);
    if (status != LINPRED_OK)
        return status;
    linpred__scopes listens = linpred__options_scopes(options);
    for (size_t i = 0; i < LINPRED__OPTIONS; i++) {
        const linpred__option *option = &linpred__option_table[i];
        bool set = linpred__option_is_set(options, i);
        if (set && i == LINPRED__OPTION_confidence && (option->scopes & listens)) {
            status = check_confidence(options, error);
            if (status != LINPRED_OK)
                return status;
        }
        if (!set || !(option->scopes & ~ELSEWHERE) || (option->scopes & listens))
            continue;
        if (option->scopes & LINPRED__FOR(RANDOM))
            return linpred__fail(error, LINPRED_ERROR_USAGE,
                                 "--%s has no meaning where nothing is random: choose --order random, or leave it out",
                                 option->flag);
        return meaningless(options, option->flag, option->scopes, error);
    }
    if (options->on_update && !(listens & LINPRED__FOR_TRACE))
        return meaningless(options, "trace", LINPRED__FOR_TRACE, error);
    if (options->start && !(listens & LINPRED__FOR_START))
        return meaningless(options, "start", LINPRED__FOR_START, error);
    return LINPRED_OK;
}
