/* Which column of a table plays which role: target, weights, feature, or none.
 *
 * The target is the column of --target, else the last one; a LIBSVM file has its label apart from the columns. Features
 * are the columns of --features, else all columns but row names, without those of --drop, the target and the weights.
 */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/columns.h"
#include "table/recipe/encode.h"
#include "table/recipe/make.h"

void linpred__roles_clear(linpred__roles *roles)
{
    linpred__release(roles->source);
    linpred__release(roles->kept);
    *roles = (linpred__roles){0};
}

/* What a message calls the column that is predicted. */
static const char *target_word(const linpred_options *options)
{
    return options->task == LINPRED_TASK_REGRESSION ? "target" : "label";
}

/* An option that would be ignored is an error. */
static linpred_status check_options(const linpred__table *table, const linpred_options *options, bool labels,
                                    linpred_error *error)
{
    bool sparse = table->layout == LINPRED__SPARSE;
    if (!labels && (options->target || options->weights || options->positive))
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: points have no labels and no weights: every column is a coordinate", table->name);
    if (sparse && options->target && strcmp(options->target, "label") != 0 && strcmp(options->target, "1") != 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: in a LIBSVM file the %s begins each line; --target can only be 'label'", table->name,
                             target_word(options));
    if (sparse && options->weights)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: --weights has no meaning for a LIBSVM file, which has no column of weights",
                             table->name);
    return LINPRED_OK;
}

static linpred_status find_target_and_weights(const linpred__table *table, const linpred_options *options,
                                              linpred__roles *roles, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    bool sparse = table->layout == LINPRED__SPARSE;
    roles->target = sparse || !roles->labels ? -1 : table->columns - 1;
    roles->weights = roles->labels ? table->weights : -1;
    if (options->target && !sparse)
        status = linpred__find_column(table, options->target, strlen(options->target), "target", &roles->target, error);
    if (status == LINPRED_OK && options->weights)
        status =
            linpred__find_column(table, options->weights, strlen(options->weights), "weights", &roles->weights, error);
    if (status == LINPRED_OK && roles->weights >= 0 && roles->weights == roles->target)
        status = linpred__fail(error, LINPRED_ERROR_USAGE, "%s: the weights and the %s are the same column, '%.60s'",
                               table->name, target_word(options), table->column[roles->target].name);
    return status;
}

/* Sets `chosen`, given in `dropped` the columns of --drop. */
static linpred_status choose_features(const linpred__table *table, const linpred_options *options,
                                      const linpred__roles *roles, const bool *dropped, bool *chosen,
                                      linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    if (options->features)
        status = linpred__find_columns(table, options->features, "features", chosen, error);
    else
        for (int32_t i = 0; i < table->columns; i++)
            chosen[i] = i != table->row_names;
    for (int32_t i = 0; status == LINPRED_OK && i < table->columns; i++) {
        bool taken = i == roles->target || i == roles->weights;
        if (taken && (dropped[i] || (options->features && chosen[i])))
            status = linpred__fail(
                error, LINPRED_ERROR_USAGE, "%s: column '%.60s' is the %s; it cannot be listed in --%s", table->name,
                table->column[i].name, i == roles->target ? target_word(options) : "column of weights",
                dropped[i] ? "drop" : "features");
        chosen[i] = chosen[i] && !taken && !dropped[i];
    }
    return status;
}

static bool is_used(const linpred__roles *roles, const bool *chosen, int32_t column)
{
    return chosen[column] || column == roles->target || column == roles->weights;
}

linpred_status linpred__choose_roles(const linpred__table *table, const linpred_options *options, linpred__roles *roles,
                                     bool *chosen, linpred_error *error)
{
    linpred_status status = check_options(table, options, roles->labels, error);
    if (status == LINPRED_OK)
        status = find_target_and_weights(table, options, roles, error);
    if (status != LINPRED_OK)
        return status;
    bool *dropped = linpred__calloc((size_t)table->columns, sizeof *dropped);
    if (!dropped)
        return linpred__no_memory(error);
    if (options->drop)
        status = linpred__find_columns(table, options->drop, "drop", dropped, error);
    if (status == LINPRED_OK)
        status = choose_features(table, options, roles, dropped, chosen, error);
    linpred__release(dropped);
    return status;
}

/* Columns that are used must have different names. */
static linpred_status check_different(const linpred__table *table, const linpred__roles *roles, const bool *chosen,
                                      linpred_error *error)
{
    char at[LINPRED__LINE_TEXT] = "";
    if (table->names_line > 0)
        linpred__table_place(table, table->names_line, at);
    for (int32_t k = 1; k < table->columns; k++)
        for (int32_t i = 0; is_used(roles, chosen, k) && i < k; i++)
            if (is_used(roles, chosen, i) && strcmp(table->column[i].name, table->column[k].name) == 0)
                return linpred__fail_at(error, LINPRED_ERROR_INPUT, table->names_line, k + 1,
                                        "%s%s: columns %d and %d have the same name '%.60s'; rename one of them, or "
                                        "leave it out with --drop %d",
                                        table->name, at, i + 1, k + 1, table->column[k].name, k + 1);
    return LINPRED_OK;
}

/* The reader lets names through that are empty or occur twice: columns that are not used may have such names. */
linpred_status linpred__check_usable(const linpred__table *table, const linpred__roles *roles, const bool *chosen,
                                     linpred_error *error)
{
    if (!table->column) /* a sparse table has no names that could be wrong */
        return LINPRED_OK;
    for (int32_t i = 0; i < table->columns; i++) {
        if (is_used(roles, chosen, i) && table->column[i].refusal)
            return linpred__refused_column(table, i, chosen[i], error);
        if (!is_used(roles, chosen, i) || table->column[i].name[0] != '\0')
            continue;
        char advice[60] = "";
        if (chosen[i])
            snprintf(advice, sizeof advice, ", or leave it out with --drop %d", i + 1);
        else if (i == roles->target)
            snprintf(advice, sizeof advice, ", or choose another column as the target with -t");
        char at[LINPRED__LINE_TEXT];
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, table->names_line, i + 1,
                                "%s%s: column %d has no name; name it%s", table->name,
                                linpred__table_place(table, table->names_line, at), i + 1, advice);
    }
    return table->repeated_names ? check_different(table, roles, chosen, error) : LINPRED_OK;
}

linpred_status linpred__choose_uses(void *context, const linpred__table *head, linpred__use *use, linpred_error *error)
{
    const linpred__fit_columns *wanted = context;
    linpred__roles roles = {.labels = wanted->labels, .fresh = true};
    bool *chosen = linpred__calloc((size_t)head->columns, sizeof *chosen);
    if (!chosen)
        return linpred__no_memory(error);
    linpred_status status = linpred__choose_roles(head, wanted->options, &roles, chosen, error);
    if (status == LINPRED_OK)
        status = linpred__check_usable(head, &roles, chosen, error);
    bool real = wanted->options->task == LINPRED_TASK_REGRESSION;
    for (int32_t i = 0; status == LINPRED_OK && i < head->columns; i++)
        use[i] = i == roles.weights || (i == roles.target && real) ? LINPRED__USED_AS_NUMBERS
                 : chosen[i] || i == roles.target                  ? LINPRED__USED
                                                                   : LINPRED__UNUSED;
    linpred__release(chosen);
    return status;
}
