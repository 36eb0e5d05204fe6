/* Options in the public interface: a handle that owns its text, and values that are set and read by name and type. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/options.h"

/* ---- the handle -------------------------------------------------------------------------------------------------- */

linpred_options *linpred_options_new(void)
{
    linpred_options *options = linpred__alloc(1, sizeof *options);
    if (!options)
        return NULL;
    linpred__options_init(options);
    options->owns_text = true;
    return options;
}

linpred_options *linpred_options_copy(const linpred_options *options)
{
    if (!options)
        return NULL;
    linpred_options *copy = linpred_options_new();
    if (!copy)
        return NULL;
    *copy = *options;
    copy->owns_text = true;
    bool whole = true;
    for (size_t i = 0; i < LINPRED__OPTIONS; i++) {
        const char *text;
        char *at = (char *)copy + linpred__option_table[i].offset;
        if (linpred__option_table[i].kind != LINPRED__OPTION_TEXT)
            continue;
        memcpy(&text, at, sizeof text);
        const char *own = text && whole ? linpred__copy_text(text, strlen(text)) : NULL;
        whole = whole && (own || !text);
        memcpy(at, &own, sizeof own);
    }
    copy->file = NULL;
    copy->files = 0;
    for (size_t i = 0; i < options->files && whole; i++)
        whole = linpred_options_add_file(copy, options->file[i], NULL) == LINPRED_OK;
    if (whole)
        return copy;
    linpred_options_free(copy);
    return NULL;
}

linpred_status linpred_options_add_file(linpred_options *options, const char *path, linpred_error *error)
{
    LINPRED__NEEDS(options);
    LINPRED__NEEDS(path);
    char *copy = linpred__copy_text(path, strlen(path));
    char **grown = copy ? linpred__resize(options->file, options->files + 1, sizeof *grown) : NULL;
    if (!grown) {
        linpred__release(copy);
        return linpred__no_memory(error);
    }
    options->file = grown;
    options->file[options->files++] = copy;
    return LINPRED_OK;
}

void linpred_options_clear_files(linpred_options *options)
{
    if (!options)
        return;
    for (size_t i = 0; i < options->files; i++)
        linpred__release(options->file[i]);
    linpred__release(options->file);
    options->file = NULL;
    options->files = 0;
}

void linpred_options_free(linpred_options *options)
{
    if (!options)
        return;
    for (size_t i = 0; i < LINPRED__OPTIONS; i++)
        if (linpred__option_table[i].kind == LINPRED__OPTION_TEXT)
            linpred__option_put_text(options, i, NULL, NULL);
    linpred_options_clear_files(options);
    linpred__release(options);
}

void linpred_options_set_task(linpred_options *options, linpred_task task)
{
    if (!options)
        return;
    options->task = task;
}

linpred_task linpred_options_get_task(const linpred_options *options)
{
    if (!options)
        return LINPRED_TASK_HALFSPACE;
    return options->task;
}

void linpred_options_on_progress(linpred_options *options,
                                 bool (*on_progress)(void *context, const linpred_progress *progress), void *context)
{
    if (!options)
        return;
    options->on_progress = on_progress;
    options->context = context;
}

void linpred_options_on_update(linpred_options *options, bool (*on_update)(void *context, const linpred_update *update),
                               void *context)
{
    if (!options)
        return;
    options->on_update = on_update;
    options->update_context = context;
}

void linpred_options_set_start(linpred_options *options, const linpred_model *start)
{
    if (!options)
        return;
    options->start = start;
}

void linpred_options_allow_one_class(linpred_options *options, bool allow)
{
    if (!options)
        return;
    options->one_class = allow;
}

/* ---- setting by type --------------------------------------------------------------------------------------------- */

/* Finds the index of the option `name`. Returns an error if it is not of this kind. */
static linpred_status find_option(const char *name, linpred__option_kind kind, size_t *index, linpred_error *error)
{
    static const char *const kinds[] = {[LINPRED__OPTION_TEXT] = "text",
                                        [LINPRED__OPTION_REAL] = "a number",
                                        [LINPRED__OPTION_COUNT] = "a count",
                                        [LINPRED__OPTION_SWITCH] = "a switch",
                                        [LINPRED__OPTION_CHOICE] = "a choice"};
    int found = linpred__option_find(name);
    if (found < 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "there is no option --%.60s", name);
    if (linpred__option_table[found].kind != kind)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--%s is %s, not %s", name,
                             kinds[linpred__option_table[found].kind], kinds[kind]);
    *index = (size_t)found;
    return LINPRED_OK;
}

/* Sets a value if it is in range. */
static linpred_status put_checked(linpred_options *options, size_t index, const void *value, linpred_error *error)
{
    linpred_options tried = *options;
    linpred__option_put(&tried, index, value);
    linpred_status status = linpred__option_check_range(&tried, index, error);
    if (status == LINPRED_OK)
        linpred__option_put(options, index, value);
    return status;
}

linpred_status linpred_options_set_text(linpred_options *options, const char *name, const char *text,
                                        linpred_error *error)
{
    LINPRED__NEEDS(options, name);
    size_t index = 0;
    linpred_status status = find_option(name, LINPRED__OPTION_TEXT, &index, error);
    return status == LINPRED_OK ? linpred__option_put_text(options, index, text, error) : status;
}

linpred_status linpred_options_set_number(linpred_options *options, const char *name, double value,
                                          linpred_error *error)
{
    LINPRED__NEEDS(options, name);
    size_t index = 0;
    linpred_status status = find_option(name, LINPRED__OPTION_REAL, &index, error);
    return status == LINPRED_OK ? put_checked(options, index, &value, error) : status;
}

linpred_status linpred_options_set_count(linpred_options *options, const char *name, int64_t value,
                                         linpred_error *error)
{
    LINPRED__NEEDS(options, name);
    size_t index = 0;
    linpred_status status = find_option(name, LINPRED__OPTION_COUNT, &index, error);
    return status == LINPRED_OK ? put_checked(options, index, &value, error) : status;
}

linpred_status linpred_options_set_switch(linpred_options *options, const char *name, bool on, linpred_error *error)
{
    LINPRED__NEEDS(options, name);
    size_t index = 0;
    linpred_status status = find_option(name, LINPRED__OPTION_SWITCH, &index, error);
    return status == LINPRED_OK ? put_checked(options, index, &on, error) : status;
}

linpred_status linpred_options_set_choice(linpred_options *options, const char *name, int choice, linpred_error *error)
{
    LINPRED__NEEDS(options, name);
    size_t index = 0;
    linpred_status status = find_option(name, LINPRED__OPTION_CHOICE, &index, error);
    return status == LINPRED_OK ? put_checked(options, index, &choice, error) : status;
}

/* ---- getting by type --------------------------------------------------------------------------------------------- */

/* Copies the value of option `name` into *value, if there is such an option of this kind. */
static void get(const linpred_options *options, const char *name, linpred__option_kind kind, void *value, size_t bytes)
{
    int index = linpred__option_find(name);
    if (index >= 0 && linpred__option_table[index].kind == kind)
        memcpy(value, (const char *)options + linpred__option_table[index].offset, bytes);
}

const char *linpred_options_get_text(const linpred_options *options, const char *name)
{
    if (!options || !name)
        return NULL;
    const char *text = NULL;
    get(options, name, LINPRED__OPTION_TEXT, &text, sizeof text);
    return text;
}

double linpred_options_get_number(const linpred_options *options, const char *name)
{
    if (!options || !name)
        return (double)NAN;
    double value = NAN;
    get(options, name, LINPRED__OPTION_REAL, &value, sizeof value);
    return value;
}

int64_t linpred_options_get_count(const linpred_options *options, const char *name)
{
    if (!options || !name)
        return -1;
    int64_t value = -1;
    get(options, name, LINPRED__OPTION_COUNT, &value, sizeof value);
    return value;
}

bool linpred_options_get_switch(const linpred_options *options, const char *name)
{
    if (!options || !name)
        return false;
    bool on = false;
    get(options, name, LINPRED__OPTION_SWITCH, &on, sizeof on);
    return on;
}

int linpred_options_get_choice(const linpred_options *options, const char *name)
{
    if (!options || !name)
        return -1;
    int choice = -1;
    get(options, name, LINPRED__OPTION_CHOICE, &choice, sizeof choice);
    return choice;
}

bool linpred_options_given(const linpred_options *options, const char *name)
{
    if (!options || !name)
        return false;
    int index = linpred__option_find(name);
    return index >= 0 && options->given[index];
}
