/* What the help says of a flag: which methods it is for, and other words than the library's. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "draw/picture.h"

/* ---- words ---- */

/* Whether `word` is one of `words`, which are separated by spaces. */
static bool has_word(const char *words, const char *word, size_t length)
{
    for (;;) {
        words += strspn(words, " ");
        size_t next = strcspn(words, " ");
        if (next == 0)
            return false;
        if (next == length && memcmp(words, word, length) == 0)
            return true;
        words += next;
    }
}

bool cli_words_meet(const char *a, const char *b)
{
    for (size_t length; a += strspn(a, " "), (length = strcspn(a, " ")) > 0; a += length)
        if (has_word(b, a, length))
            return true;
    return false;
}

/* Writes the words of `a` that are also in `b` to `both`. */
static void common_words(const char *a, const char *b, char *both, size_t bytes)
{
    both[0] = '\0';
    for (size_t used = 0, length; a += strspn(a, " "), (length = strcspn(a, " ")) > 0; a += length)
        if (has_word(b, a, length) && used < bytes)
            used += (size_t)snprintf(both + used, bytes - used, "%.*s ", (int)length, a);
}

/* Adds text to a list whose parts are separated by `between`. */
static void add_part(char *list, size_t bytes, const char *between, const char *text)
{
    size_t used = strlen(list);
    snprintf(list + used, bytes - used, "%s%s", used ? between : "", text);
}

/* ---- methods ---- */

void cli_list_scopes(const cli_command *command, char *scopes, size_t bytes)
{
    linpred_method_text method = {.struct_size = sizeof method};
    linpred_task task;
    snprintf(scopes, bytes, "%s", command->scopes);
    for (size_t i = 0; cli_find_task(command, &task) && linpred_methods_describe(task, i, &method); i++)
        add_part(scopes, bytes, " ", method.scope);
}

/* Sets `takes` and `text` of --method: the methods of the command's task, and what they do. */
static void describe_methods(const cli_command *command, cli_flag *flag)
{
    linpred_method_text method = {.struct_size = sizeof method};
    linpred_task task;
    char phrases[320] = "";
    for (size_t i = 0; cli_find_task(command, &task) && linpred_methods_describe(task, i, &method); i++) {
        add_part(flag->method_names, sizeof flag->method_names, "|", method.name);
        if (*method.help) {
            add_part(phrases, sizeof phrases, "; ", method.name);
            add_part(phrases, sizeof phrases, ": ", method.help);
        }
    }
    snprintf(flag->method_help, sizeof flag->method_help, "%s (%s)", flag->text, phrases);
    flag->takes = flag->method_names;
    flag->text = flag->method_help;
}

/* Writes the methods of the command's task that use the scope, as a phrase; "" if all of them do. */
static void name_listeners(const cli_command *command, const char *scope, char *name, size_t bytes)
{
    linpred_method_text method = {.struct_size = sizeof method};
    linpred_options *options = linpred_options_new();
    linpred_task task;
    linpred_error error;
    char listeners[160] = "";
    bool all = true;
    for (size_t i = 0; options && cli_find_task(command, &task) && linpred_methods_describe(task, i, &method); i++) {
        linpred_options_set_task(options, task);
        linpred_options_set_choice(options, "method", (int)method.method, &error);
        if (linpred_options_listens(options, scope))
            add_part(listeners, sizeof listeners, " ", method.scope);
        else
            all = false;
    }
    linpred_scopes_text(all ? "" : listeners, name, bytes);
    linpred_options_free(options);
}

/* Writes which methods of the task draw random numbers: those that always do, and those that do with --order random. */
static void name_drawing(const cli_command *command, char *name, size_t bytes)
{
    linpred_method_text method = {.struct_size = sizeof method};
    linpred_options *options = linpred_options_new();
    linpred_task task;
    linpred_error error;
    char always[160] = "", ordered[160] = "", phrase[80];
    for (size_t i = 0; options && cli_find_task(command, &task) && linpred_methods_describe(task, i, &method); i++) {
        linpred_options_set_task(options, task);
        linpred_options_set_choice(options, "method", (int)method.method, &error);
        linpred_options_set_choice(options, "order", LINPRED_ORDER_CYCLIC, &error);
        bool draws = linpred_options_listens(options, "random");
        linpred_options_set_choice(options, "order", LINPRED_ORDER_RANDOM, &error);
        if (linpred_options_listens(options, "random"))
            add_part(draws ? always : ordered, sizeof always, " ", method.scope);
    }
    linpred_options_free(options);
    linpred_scopes_text(always, name, bytes);
    if (linpred_scopes_text(ordered, phrase, sizeof phrase) > 0) {
        add_part(name, bytes, ", and ", phrase);
        add_part(name, bytes, " ", "with --order random");
    }
}

/* Writes the methods or losses of the command that an option is for, as a phrase; "" if it is for all of them. */
static void name_methods(const char *scopes, const cli_command *command, char *name, size_t bytes)
{
    linpred_task task;
    *name = '\0';
    if (!cli_find_task(command, &task)) /* there are no methods to choose from */
        return;
    static const char whole[] =
        "read encode labels apply predict decide fit halfspace regression logistic ball origin generate convert";
    char own[256], both[256];
    cli_list_scopes(command, own, sizeof own);
    common_words(scopes, own, both, sizeof both);
    linpred_scopes_text(cli_words_meet(both, whole) ? "" : both, name, bytes);
}

/* Writes the choices of an option that a method takes; false if it takes all of them, or does not have the option. */
static bool list_choices(linpred_task task, const linpred_method_text *method, const char *name, const char *words,
                         char *list, size_t bytes)
{
    linpred_options *options = linpred_options_new();
    linpred_error error;
    bool all = true;
    *list = '\0';
    if (options && linpred_options_set_choice(options, "method", (int)method->method, &error) == LINPRED_OK) {
        linpred_options_set_task(options, task);
        for (size_t length; *words; words += length + (words[length] == '|')) {
            char word[40];
            length = strcspn(words, "|");
            snprintf(word, sizeof word, "%.*s", (int)length, words);
            if (linpred_options_set(options, name, word, &error) == LINPRED_OK &&
                linpred_options_check(options, &error) == LINPRED_OK)
                add_part(list, bytes, "|", word);
            else
                all = false;
        }
    }
    linpred_options_free(options);
    return !all && *list;
}

/* Where a method takes some choices of an option only: if no other method has the option they are all that is offered,
   else they are named behind what the option is for. */
static void narrow_choices(const cli_command *command, const char *scopes, cli_flag *flag)
{
    linpred_method_text method = {.struct_size = sizeof method};
    linpred_task task;
    char list[80], some[160] = "";
    size_t methods = 0;
    for (size_t i = 0; cli_find_task(command, &task) && linpred_methods_describe(task, i, &method); i++) {
        if (!cli_words_meet(scopes, method.scope))
            continue;
        methods++;
        if (list_choices(task, &method, flag->name, flag->takes, list, sizeof list)) {
            add_part(some, sizeof some, "; ", method.name);
            add_part(some, sizeof some, ": ", list);
        }
    }
    if (methods == 1 && *some) {
        snprintf(flag->method_names, sizeof flag->method_names, "%s", list);
        flag->takes = flag->method_names;
    } else if (*some) {
        add_part(flag->only, sizeof flag->only, "; ", some);
    }
}

/* Other words for an option in the help of some commands. The first entry that suits the command is used. */
static const struct {
    const char *name;
    const char *scopes; /* for commands with one of these scopes; "" for any command */
    const char *takes;  /* replaces the library's `takes`; NULL keeps it */
    const char *text;   /* replaces the library's help; NULL keeps it */
    bool no_initial;    /* the library's default is not that of the command, and `text` says what is */
} worded[] = {
    {"target", "regression", "COLUMN", "the column to predict, a name or a 1-based number (default: the last)", false},
    {"target", "", "COLUMN", NULL, false},
    {"weights", "", "COLUMN", NULL, false},
    {"features", "", "COLUMNS", NULL, false},
    {"drop", "", "COLUMNS", NULL, false},
    {"keep", "", "COLUMNS", NULL, false},
    {"text", "", "COLUMNS", NULL, false},
    {"date", "", "COLUMNS", NULL, false},
    {"on", "", "COLUMNS", NULL, false},
    {"positive", "", "LABEL", NULL, false},
    {"table", "", "NAME", NULL, false},
    {"query", "", "SELECT", NULL, false},
    {"na", "", "MARKERS", NULL, false},
    {"decimal", "", "MARK", NULL, false},
    {"separator", "", "MARK", NULL, false},
    {"labels", "", "SIGNS", NULL, false},
    {"no-intercept", "points vc sample-size", NULL, "halfspaces through the origin", false},
    {"cost", "", "A:B", NULL, false},
    {"class-weights", "", "balanced|A:B", NULL, false},
    {"missing", "predict", NULL,
     "what to do about missing values: stop, answer NA (drop), or take the mean of the fit (default: what the fit did)",
     true},
    {"missing", "apply", NULL,
     "what to do about missing values: stop, leave the row out, or take the mean of the fit (default: what the fit "
     "did)",
     true},
    {"unknown-level", "predict", NULL,
     "what to do about a level that training did not see: stop, all indicators 0, or answer NA (drop)", false},
};

/* What -o is for, by the beginning of a command's name. */
static const struct {
    const char *command;
    const char *text;
} outputs[] = {
    {"fit ", "write the model there, with its claims and their proofs"},
    {"separable", "write the hyperplane there as a model, with its proof"},
    {"predict", "write the predictions there (default: standard output)"},
    {"plot", "write the picture there, as .svg, .png or .pdf (default: SVG on standard output)"},
    {"report", "write the page there"},
    {"generate", "write the rows there (default: standard output)"},
    {"convert", "write the archive there: FILE.npz, or FILE.npy for plain numbers"},
};

/* Sets `text` of --kind: the pictures of each task. */
static void describe_pictures(cli_flag *flag)
{
    snprintf(flag->method_help, sizeof flag->method_help, "which picture;");
    for (int t = LINPRED_TASK_HALFSPACE; t <= LINPRED_TASK_BALL; t++) {
        char list[160] = "", part[200];
        for (size_t i = 0; i < draw_kind_count; i++)
            if (draw_kinds[i].tasks & (1u << t))
                add_part(list, sizeof list, ", ", draw_kinds[i].name);
        snprintf(part, sizeof part, "of a %s %s", linpred_task_name((linpred_task)t), list);
        add_part(flag->method_help, sizeof flag->method_help, t > LINPRED_TASK_HALFSPACE ? "; " : " ", part);
    }
    flag->text = flag->method_help;
}

static void reword(const cli_command *command, cli_flag *flag)
{
    if (flag->own == OWN_KIND)
        describe_pictures(flag);
    for (size_t i = 0; flag->own == OWN_OUTPUT && i < sizeof outputs / sizeof outputs[0]; i++)
        if (strncmp(outputs[i].command, command->name, strlen(outputs[i].command)) == 0)
            flag->text = outputs[i].text;
    if (strcmp(flag->name, "method") == 0)
        describe_methods(command, flag);
    for (size_t i = 0; i < sizeof worded / sizeof worded[0]; i++)
        if (strcmp(worded[i].name, flag->name) == 0 &&
            (!*worded[i].scopes || cli_words_meet(worded[i].scopes, command->scopes))) {
            flag->takes = worded[i].takes ? worded[i].takes : flag->takes;
            flag->text = worded[i].text ? worded[i].text : flag->text;
            flag->initial[worded[i].no_initial ? 0 : strlen(flag->initial)] = '\0';
            return;
        }
}

void cli_word_flag(const cli_command *command, const char *scopes, cli_flag *flag)
{
    if (flag->own != NOT_OWN && *scopes)
        name_listeners(command, scopes, flag->only, sizeof flag->only);
    else if (flag->own == NOT_OWN)
        name_methods(scopes, command, flag->only, sizeof flag->only);
    if (strcmp(flag->name, "seed") == 0)
        name_drawing(command, flag->only, sizeof flag->only);
    if (flag->own == NOT_OWN && strchr(flag->takes, '|') && *flag->only)
        narrow_choices(command, scopes, flag);
    reword(command, flag);
}
