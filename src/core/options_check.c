/* Checks that every option that was set has a meaning for the fit, and that the options fit together. An option that
 * would be ignored is an error. options.def gives the scopes of each option, which say what it is for; messages name
 * them in words.
 */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "core/task_methods.h"
#include "core/threads.h"

/* ---- scopes as words, for the public interface and for messages -------------------------------------------------- */

static const struct {
    const char *word;
    const char *before;
    const char *after;
} scope[LINPRED__SCOPES] = {
#define LINPRED_SCOPE(bit, word, before, after) {word, before, after},
#include "core/scopes.def"
#undef LINPRED_SCOPE
};

/* Writes the scopes as a message names them, such as "--method perceptron or pocket". Returns the length, which is 0 if
   no scope has such a name. */
static size_t scopes_phrase(linpred__scopes scopes, char *buffer, size_t bytes)
{
    const char *last = "";
    size_t used = 0;
    if (bytes > 0)
        buffer[0] = '\0';
    for (int s = 0; s < LINPRED__SCOPES; s++)
        if ((scopes >> s & 1) && *scope[s].after && used < bytes) {
            bool repeats = strcmp(last, scope[s].before) == 0;
            used += (size_t)snprintf(buffer + used, bytes - used, "%s%s%s", used ? " or " : "",
                                     repeats ? "" : scope[s].before, scope[s].after);
            last = scope[s].before;
        }
    return used;
}

void linpred__scopes_words(linpred__scopes scopes, char *buffer, size_t bytes)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int s = 0; s < LINPRED__SCOPES; s++)
        if ((scopes >> s & 1) && used < bytes)
            used += (size_t)snprintf(buffer + used, bytes - used, "%s%s", used ? " " : "", scope[s].word);
}

/* ---- what an option means for this fit --------------------------------------------------------------------------- */

/* The scopes of calls other than a fit. */
#define ELSEWHERE                                                                                                      \
    (LINPRED__FOR(READ) | LINPRED__FOR(ENCODE) | LINPRED__FOR(LABELS) | LINPRED__FOR(CONVERT) | LINPRED__FOR(APPLY) |  \
     LINPRED__FOR(POINTS) | LINPRED__FOR(VC) | LINPRED__FOR(SAMPLE_SIZE) | LINPRED__FOR(GENERALIZATION) |              \
     LINPRED__FOR(GENERATE))

linpred__scopes linpred__fit_scopes(linpred_task task, linpred_method method, const linpred_options *options)
{
    const linpred__task_method *found = linpred__find_task_method(task, method);
    linpred__scopes listens = LINPRED__FOR(FIT) | linpred__task_scope(task);
    if (task != LINPRED_TASK_BALL)
        listens |= LINPRED__FOR(ORIGIN);
    if (task == LINPRED_TASK_REGRESSION)
        listens |= options->loss == LINPRED_LOSS_SQUARED ? LINPRED__FOR(SQUARED) : LINPRED__FOR(ABSOLUTE);
    if (!found)
        return listens;
    unsigned draws = LINPRED__DRAWS | (options->order == LINPRED_ORDER_RANDOM ? LINPRED__DRAWS_ORDER : 0);
    return listens | found->scope | (found->traits & draws ? LINPRED__FOR(RANDOM) : 0);
}

/* The scopes of the fit that the options ask for. */
static linpred__scopes options_scopes(const linpred_options *options)
{
    return linpred__fit_scopes(options->task, options->method, options);
}

/* The union of the scopes of all options. */
static linpred__scopes all_scopes(void)
{
    linpred__scopes scopes = 0;
    for (size_t i = 0; i < LINPRED__OPTIONS; i++)
        scopes |= linpred__option_table[i].scopes;
    return scopes;
}

/* Names this fit for a message: by its loss, or by its method if the methods of the task differ in their options, or
   else by its task. */
static void name_fit(const linpred_options *options, char *name, size_t bytes)
{
    linpred__scopes task = linpred__task_scope(options->task);
    linpred__scopes parts = linpred__methods_of(options->task) | LINPRED__FOR(SQUARED) | LINPRED__FOR(ABSOLUTE);
    linpred__scopes part = options_scopes(options) & parts;
    bool differ = options->task == LINPRED_TASK_REGRESSION || (all_scopes() & linpred__methods_of(options->task)) != 0;
    scopes_phrase(differ ? part : task, name, bytes);
}

/* The scopes without the methods of other tasks, or all scopes if nothing else is left. */
static linpred__scopes near_scopes(const linpred_options *options, linpred__scopes scopes)
{
    linpred__scopes near = scopes;
    for (size_t i = 0; i < LINPRED__TASK_METHODS; i++)
        if (linpred__task_methods[i].task != options->task)
            near &= ~linpred__task_methods[i].scope;
    return near ? near : scopes;
}

static linpred_status meaningless(const linpred_options *options, const char *flag, linpred__scopes scopes,
                                  linpred_error *error)
{
    char fit[40], others[200];
    name_fit(options, fit, sizeof fit);
    size_t told = scopes_phrase(near_scopes(options, scopes), others, sizeof others);
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--%s has no meaning for %s%s%s", flag, fit,
                         told ? "; it is for " : "", others);
}

/* The error for an option of random numbers if the fit draws none. */
static linpred_status nothing_random(const linpred_options *options, const char *flag, linpred_error *error)
{
    const linpred__task_method *method = linpred__find_task_method(options->task, options->method);
    if (method && (method->traits & LINPRED__DRAWS_ORDER))
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--%s has no meaning where nothing is random: choose --order random, or leave it out",
                             flag);
    char fit[40], always[80], ordered[80];
    linpred__scopes own = linpred__methods_of(options->task);
    name_fit(options, fit, sizeof fit);
    if (scopes_phrase(own & linpred__methods_with(LINPRED__DRAWS), always, sizeof always) == 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--%s has no meaning for %s, where nothing is random", flag,
                             fit);
    bool also = scopes_phrase(own & linpred__methods_with(LINPRED__DRAWS_ORDER), ordered, sizeof ordered) > 0;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--%s has no meaning for %s; it is for %s%s%s%s", flag, fit,
                         always, also ? ", and for " : "", also ? ordered : "", also ? " with --order random" : "");
}

/* Returns an error if the method belongs to another task. */
static linpred_status check_method(const linpred_options *options, linpred_error *error)
{
    char methods[160];
    linpred__methods_words(options->task, methods, sizeof methods);
    if (linpred__find_task_method(options->task, options->method) || !*methods)
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_USAGE, "--method %s is not a method of fit %s, which has %s",
                         linpred_method_name(options->method), linpred_task_name(options->task), methods);
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
    bool traces = options->on_update && !(listens & linpred__methods_with(LINPRED__TRACES));
    bool starts = options->start && !(listens & linpred__methods_with(LINPRED__STARTS));
    if (status == LINPRED_OK && (traces || starts))
        status =
            linpred__fail(error, LINPRED_ERROR_USAGE, "--%s has no meaning for %s", traces ? "trace" : "start", what);
    return status;
}

/* Penalised and class-weighted fits give no intervals, although their task does. */
static linpred_status check_confidence(const linpred_options *options, linpred_error *error)
{
    const char *without = options->l2 > 0 ? "--l2" : options->class_weights ? "--class-weights" : NULL;
    return without ? linpred__fail(error, LINPRED_ERROR_USAGE,
                                   "--confidence has no meaning with %s, which gives no intervals", without)
                   : LINPRED_OK;
}

/* Pocket goes through the rows: it cannot begin again at the first, or look for the worst mistake. */
static linpred_status check_order(const linpred_options *options, linpred_error *error)
{
    bool possible = options->order == LINPRED_ORDER_CYCLIC || options->order == LINPRED_ORDER_RANDOM;
    return possible || options->method != LINPRED_METHOD_POCKET
               ? LINPRED_OK
               : linpred__fail(error, LINPRED_ERROR_USAGE, "--method pocket takes --order cyclic or random");
}

/* A penalty determines all coefficients. Powers are solved in polynomials, in which a column is not one coordinate. */
static linpred_status check_dependent(const linpred_options *options, linpred_error *error)
{
    bool regression = options->task == LINPRED_TASK_REGRESSION;
    if (options->dependent != LINPRED_DEPENDENT_DROP || (!regression && options->task != LINPRED_TASK_LOGISTIC))
        return LINPRED_OK;
    if (options->l2 > 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--dependent drop has no meaning with --l2, which determines every coefficient");
    return regression && options->degree > 1
               ? linpred__fail(
                     error, LINPRED_ERROR_USAGE,
                     "--dependent drop does not go with --degree: drop columns with --drop, or lower the degree")
               : LINPRED_OK;
}

/* Through the origin both norms are the same. */
static linpred_status check_norm(const linpred_options *options, linpred_error *error)
{
    return options->no_intercept && options->norm == LINPRED_MARGIN_WITHOUT_INTERCEPT
               ? linpred__fail(error, LINPRED_ERROR_USAGE,
                               "--norm without-intercept has no meaning with --no-intercept: there is no intercept to "
                               "leave out")
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
    linpred__scopes listens = options_scopes(options);
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
            return nothing_random(options, option->flag, error);
        return meaningless(options, option->flag, option->scopes, error);
    }
    if (options->on_update && !(listens & linpred__methods_with(LINPRED__TRACES)))
        return meaningless(options, "trace", linpred__methods_with(LINPRED__TRACES), error);
    if (options->start && !(listens & linpred__methods_with(LINPRED__STARTS)))
        return meaningless(options, "start", linpred__methods_with(LINPRED__STARTS), error);
    status = check_norm(options, error);
    if (status == LINPRED_OK)
        status = check_dependent(options, error);
    return status == LINPRED_OK ? check_order(options, error) : status;
}

/* ---- scopes of the public interface ------------------------------------------------------------------------------ */

static linpred__scopes find_word(const char *word, size_t length)
{
    for (int s = 0; s < LINPRED__SCOPES; s++)
        if (strlen(scope[s].word) == length && memcmp(scope[s].word, word, length) == 0)
            return UINT64_C(1) << s;
    if (length == strlen("trace") && memcmp(word, "trace", length) == 0)
        return linpred__methods_with(LINPRED__TRACES);
    if (length == strlen("start") && memcmp(word, "start", length) == 0)
        return linpred__methods_with(LINPRED__STARTS);
    return 0; /* a later version may have more words; no option of this version has them */
}

static linpred__scopes read_words(const char *words)
{
    linpred__scopes scopes = 0;
    while (*words) {
        size_t length = strcspn(words, " ");
        scopes |= find_word(words, length);
        words += length;
        words += strspn(words, " ");
    }
    return scopes;
}

size_t linpred_scopes_text(const char *scopes, char *buffer, size_t bytes)
{
    if (!buffer)
        return 0;
    return scopes_phrase(scopes ? read_words(scopes) : 0, buffer, bytes);
}

bool linpred_options_listens(const linpred_options *options, const char *scopes)
{
    if (!options || !scopes)
        return false;
    return (options_scopes(options) & read_words(scopes)) != 0;
}
