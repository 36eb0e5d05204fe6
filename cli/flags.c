/* The flags of a command: the library's options that it takes, the program's own flags, and the flags of every
 * command. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const struct {
    const char *name;
    const char *takes;
    const char *help;
    const char *group; /* the scope that names the methods which use the flag; "" if all do */
} own_flags[OWN_FLAGS] = {
    [OWN_OUTPUT] = {"output", "FILE", "write the result there", ""},
    [OWN_NO_VERIFY] = {"no-verify", "", "do not check the claim after the fit", ""},
    [OWN_TRACE] = {"trace", "FILE", "write one CSV row for each update of the perceptron", "trace"},
    [OWN_START] = {"start", "MODEL", "begin at the weights of this model", "start"},
    [OWN_WHAT] = {"what", "label|probability|score",
                  "what to print for each row, one or several with commas (default: label, of a regression score); "
                  "probability: of the label +1, see inspect MODEL",
                  ""},
    [OWN_INTERVAL] = {"interval", "",
                      "least squares: also the bounds between which a new target lies (with --confidence)", ""},
    [OWN_ACCEPT_EDITED] = {"accept-edited", "", "take a model that was edited by hand", ""},
    [OWN_ALL] = {"all", "", "show every column of a data file, however many there are", ""},
    [OWN_KIND] = {"kind", "KIND", "which picture (default: the first one of the model)", ""},
    [OWN_AXES] = {"axes", "A,B", "the two features to draw (default: those that move the score most)", ""},
    [OWN_PROJECT] = {"project", "", "draw along the normal of the hyperplane, and across it", ""},
    [OWN_WITH] = {"with", "MODEL", "a second regression in the same picture", ""},
    [OWN_THEME] = {"theme", "light|dark|auto", "colours; auto: those that the viewer of an SVG prefers, else light",
                   ""},
    [OWN_TRUTH] = {"truth", "FILE", "write what was planted and what is promised there, as JSON", ""},
};

/* ---- tasks and their methods ---- */

bool cli_find_task(const cli_command *command, linpred_task *task)
{
    for (int t = LINPRED_TASK_HALFSPACE; t <= LINPRED_TASK_BALL; t++)
        if (strncmp(command->name, "fit ", 4) == 0 &&
            strcmp(command->name + 4, linpred_task_name((linpred_task)t)) == 0) {
            *task = (linpred_task)t;
            return true;
        }
    return false;
}

bool cli_method_listens(const linpred_options *options, linpred_method method, const char *name)
{
    linpred_option_text option = {.struct_size = sizeof option};
    linpred_options *copy = linpred_options_copy(options);
    bool listens = false;
    linpred_error error;
    if (copy && linpred_options_set_choice(copy, "method", (int)method, &error) == LINPRED_OK)
        for (size_t i = 0; !listens && linpred_options_describe(i, &option); i++)
            listens = strcmp(option.name, name) == 0 && linpred_options_listens(copy, option.scopes);
    linpred_options_free(copy);
    return listens;
}

/* Whether an option of the command's scopes would change nothing: points are never text, and a picture of the
   perceptron always shows the bound. */
static bool is_no_use(const cli_command *command, const char *name)
{
    return (cli_words_meet(command->scopes, "points") && strcmp(name, "text") == 0) ||
           (strcmp(command->name, "plot perceptron") == 0 && strcmp(name, "bound") == 0);
}

static size_t count_options(void)
{
    static size_t count;
    linpred_option_text option = {.struct_size = sizeof option};
    while (linpred_options_describe(count, &option))
        count++;
    return count;
}

/* Finds the next flag of a command, of the given name unless that is NULL. Only a flag that is found is put in words,
   which takes longer than to find it. */
static bool find_next_flag(const cli_command *command, const char *name, size_t *at, cli_flag *flag)
{
    static const cli_flag every[] = {
        {.name = "json",
         .takes = "",
         .text = "print one JSON object, and nothing else, on standard output",
         .own = NOT_OWN},
        {.name = "quiet", .takes = "", .text = "no progress and no notices on standard error", .own = NOT_OWN},
        {.name = "progress",
         .takes = "plain|none|auto",
         .initial = "auto",
         .text = "how to show the progress of what takes long: as lines, not at all, or in place on a terminal",
         .own = NOT_OWN},
    };
    char own_scopes[256];
    linpred_option_text option = {.struct_size = sizeof option};
    cli_list_scopes(command, own_scopes, sizeof own_scopes);
    while (linpred_options_describe(*at, &option)) {
        ++*at;
        if ((name && strcmp(option.name, name) != 0) || !cli_words_meet(option.scopes, own_scopes) ||
            is_no_use(command, option.name))
            continue;
        *flag = (cli_flag){.name = option.name, .takes = option.takes, .text = option.help, .own = NOT_OWN};
        snprintf(flag->initial, sizeof flag->initial, "%s", option.initial);
        cli_word_flag(command, option.scopes, flag);
        return true;
    }
    size_t options = count_options();
    for (size_t own; (own = *at - options) < OWN_FLAGS; ++*at) {
        if (!(command->own & (1u << own)) || (name && strcmp(own_flags[own].name, name) != 0))
            continue;
        *flag = (cli_flag){
            .name = own_flags[own].name, .takes = own_flags[own].takes, .text = own_flags[own].help, .own = (int)own};
        cli_word_flag(command, own_flags[own].group, flag);
        ++*at;
        return true;
    }
    bool reads = cli_words_meet(command->scopes, "read"); /* other commands show no progress, which is the last flag */
    for (size_t rest; (rest = (*at)++ - options - OWN_FLAGS) < sizeof every / sizeof every[0] - !reads;)
        if (!name || strcmp(every[rest].name, name) == 0) {
            *flag = every[rest];
            return true;
        }
    return false;
}

bool cli_next_flag(const cli_command *command, size_t *at, cli_flag *flag)
{
    return find_next_flag(command, NULL, at, flag);
}

bool cli_find_flag(const cli_command *command, const char *name, cli_flag *flag)
{
    size_t at = 0;
    return find_next_flag(command, name, &at, flag);
}
