/* A new recipe from a table and the options: roles of the columns (choose_roles.c), check of missing values, labels
 * (labels.c) or real targets, features (features.c), notes (recipe.c). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/columns.h"
#include "table/limits.h"
#include "table/recipe/encode.h"
#include "table/recipe/make.h"

enum role { FEATURE, LABEL, WEIGHTS };

/* Fails if the column has no values at all, or has missing values that the policy does not cover: `drop` covers all,
   `mean` covers number columns that are features. */
static linpred_status check_column(const linpred__table *table, int32_t i, linpred_missing policy, enum role role,
                                   linpred_error *error)
{
    const linpred__column *column = &table->column[i];
    if (column->type == LINPRED_COLUMN_EMPTY)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, column->first_missing_line, i + 1,
                                "%s: column %d (%.60s) has no value at all; %s", table->name, i + 1, column->name,
                                role == LABEL     ? "it cannot be what is predicted"
                                : role == WEIGHTS ? "it cannot hold the weights"
                                                  : "leave it out with --drop");
    bool can_fill = role == FEATURE && column->type == LINPRED_COLUMN_NUMBER;
    if (column->missing == 0 || policy == LINPRED_MISSING_DROP || (policy == LINPRED_MISSING_MEAN && can_fill))
        return LINPRED_OK;
    const char *advice =
        role == LABEL     ? "what is to be predicted is never made up; fill it in, or choose --missing drop"
        : role == WEIGHTS ? "fill it in, or choose --missing drop"
        : policy == LINPRED_MISSING_MEAN
            ? "--missing mean fills numbers only; choose --missing drop, or leave the column out with --drop"
        : can_fill ? "choose --missing drop or --missing mean, or leave the column out with --drop"
                   : "choose --missing drop, or leave the column out with --drop";
    int64_t cells = 0;
    int32_t columns = 0;
    for (int32_t k = 0; k < table->columns; k++) {
        if (table->column[k].use == LINPRED__UNUSED)
            continue;
        cells += table->column[k].missing;
        columns += table->column[k].missing > 0;
    }
    char others[120] = "";
    if (column->marker)
        snprintf(others, sizeof others, " (written '%s')", column->marker);
    size_t used = strlen(others);
    if (columns > 1)
        snprintf(others + used, sizeof others - used, ", and %lld in %d columns that are used", (long long)cells,
                 columns);
    char at[LINPRED__LINE_TEXT];
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, column->first_missing_line, i + 1,
                            "%s%s: column %d (%.60s) has a missing value, %lld in all%s; %s", table->name,
                            linpred__table_place(table, column->first_missing_line, at), i + 1, column->name,
                            (long long)column->missing, others, advice);
}

/* For regression: the target is the numbers of the column. */
static linpred_status take_targets(linpred__recipe *recipe, const linpred__table *table, const linpred__roles *roles,
                                   const char *positive, linpred_error *error)
{
    recipe->real_target = true;
    if (positive)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: --positive has no meaning for regression, which has no labels", table->name);
    if (recipe->target_type != LINPRED_COLUMN_NUMBER)
        return linpred__fail_at(
            error, LINPRED_ERROR_INPUT, 0, roles->target + 1,
            "%s: column '%.60s' holds text, but regression needs numbers; choose another column with --target",
            table->name, recipe->target);
    return LINPRED_OK;
}

/* For points: the caller labels them later, with + and -. Every chosen column is a coordinate and must hold numbers. */
static linpred_status take_no_labels(linpred__recipe *recipe, const linpred__table *table, const bool *chosen,
                                     linpred_error *error)
{
    for (int32_t i = 0; table->column && i < table->columns; i++)
        if (chosen[i] && table->column[i].type == LINPRED_COLUMN_TEXT)
            return linpred__fail_at(
                error, LINPRED_ERROR_INPUT, 0, i + 1,
                "%s: column %d (%.60s) holds text, but coordinates must be numbers; leave it out with --drop",
                table->name, i + 1, table->column[i].name);
    for (int sign = 0; sign < 2; sign++) {
        recipe->label[sign] = linpred__copy_text(sign ? "+" : "-", 1);
        recipe->label_value[sign] = sign ? 1.0 : -1.0;
        if (!recipe->label[sign])
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}

/* Copies the names of target and weights into the recipe. */
static linpred_status name_target_and_weights(linpred__recipe *recipe, const linpred__table *table,
                                              const linpred__roles *roles, linpred_error *error)
{
    const char *target = roles->target >= 0 ? table->column[roles->target].name : "label";
    recipe->target = linpred__copy_text(target, strlen(target));
    recipe->target_type = roles->target >= 0 ? table->column[roles->target].type : LINPRED_COLUMN_NUMBER;
    recipe->target_days = roles->target >= 0 && table->column[roles->target].use == LINPRED__USED_AS_DAYS;
    recipe->target_occurrence = roles->target >= 0 ? linpred__column_occurrence(table, roles->target) : 0;
    if (!recipe->target)
        return linpred__no_memory(error);
    if (roles->weights < 0)
        return LINPRED_OK;
    const linpred__column *weights = &table->column[roles->weights];
    recipe->weights = linpred__copy_text(weights->name, strlen(weights->name));
    recipe->weights_occurrence = linpred__column_occurrence(table, roles->weights);
    if (!recipe->weights)
        return linpred__no_memory(error);
    return weights->type == LINPRED_COLUMN_NUMBER
               ? LINPRED_OK
               : linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, roles->weights + 1,
                                  "%s: the column of weights, '%.60s', does not hold numbers", table->name,
                                  weights->name);
}

static linpred_status check_columns(const linpred__table *table, const linpred__roles *roles, const bool *chosen,
                                    linpred_missing policy, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    if (roles->weights >= 0)
        status = check_column(table, roles->weights, policy, WEIGHTS, error);
    if (status == LINPRED_OK && roles->target >= 0)
        status = check_column(table, roles->target, policy, LABEL, error);
    for (int32_t i = 0; status == LINPRED_OK && table->column && i < table->columns; i++)
        if (chosen[i])
            status = check_column(table, i, policy, FEATURE, error);
    return status;
}

/* Whether a row will be in the data: its label and weight are not missing, its weight is not 0, and, with --missing
   drop, none of its features is missing. */
static bool is_used(const linpred__table *table, const linpred__roles *roles, const bool *chosen,
                    linpred_missing missing, const double *row)
{
    if (roles->weights >= 0 && (row[roles->weights] == 0.0 || isnan(row[roles->weights])))
        return false;
    if (roles->target >= 0 && isnan(row[roles->target]))
        return false;
    for (int32_t i = 0; missing == LINPRED_MISSING_DROP && i < table->columns; i++)
        if (chosen[i] && isnan(row[i]))
            return false;
    return true;
}

/* Sets *used to an array with is_used of each row; to NULL if no row can be left out. The caller releases it. */
static linpred_status find_used(const linpred__table *table, const linpred__roles *roles, const bool *chosen,
                                linpred_missing missing, bool **used, linpred_error *error)
{
    *used = NULL;
    if (table->layout != LINPRED__DENSE || (missing != LINPRED_MISSING_DROP && roles->weights < 0))
        return LINPRED_OK;
    bool *made = *used = linpred__alloc((size_t)table->rows, sizeof **used);
    if (!made)
        return linpred__no_memory(error);
    for (int64_t b = 0; b < table->blocks; b++)
        for (int32_t r = 0; r < table->block[b].rows; r++)
            *made++ = is_used(table, roles, chosen, missing, table->block[b].values + (int64_t)r * table->columns);
    return LINPRED_OK;
}

static linpred_status fill(linpred__recipe *recipe, const linpred__table *table, const linpred_options *options,
                           linpred__roles *roles, bool *chosen, linpred_error *error)
{
    recipe->missing = options->missing;
    recipe->index_base = table->index_base;
    bool *used = NULL;
    if (!linpred__reading_copy(&recipe->reading, &table->reading))
        return linpred__no_memory(error);
    linpred_status status = linpred__choose_roles(table, options, roles, chosen, error);
    if (status == LINPRED_OK)
        status = linpred__check_usable(table, roles, chosen, error);
    if (status == LINPRED_OK)
        status = name_target_and_weights(recipe, table, roles, error);
    if (status == LINPRED_OK)
        status = check_columns(table, roles, chosen, options->missing, error);
    if (status == LINPRED_OK)
        status = find_used(table, roles, chosen, options->missing, &used, error);
    if (status == LINPRED_OK)
        status = !roles->labels ? take_no_labels(recipe, table, chosen, error)
                 : options->task == LINPRED_TASK_REGRESSION
                     ? take_targets(recipe, table, roles, options->positive, error)
                     : linpred__recipe_map_labels(recipe, table, roles, used, options, error);
    if (status == LINPRED_OK)
        status = linpred__recipe_add_features(recipe, roles, table, options, chosen, used, error);
    linpred__release(used);
    if (status == LINPRED_OK && !linpred__recipe_write_notes(recipe))
        status = linpred__no_memory(error);
    return status;
}

linpred_status linpred__recipe_make(const linpred__table *table, const linpred_options *options, bool labels,
                                    linpred__recipe **out, linpred__roles *out_roles, linpred_error *error)
{
    linpred_status many = linpred__check_empty_columns(table, "a fit", LINPRED__COLUMN_BYTES, error);
    if (many != LINPRED_OK)
        return many;
    linpred__recipe *recipe = linpred__recipe_new();
    bool *chosen = linpred__calloc((size_t)table->columns, sizeof *chosen);
    linpred__roles roles = {.labels = labels, .fresh = true};
    linpred_status status =
        recipe && chosen ? fill(recipe, table, options, &roles, chosen, error) : linpred__no_memory(error);
    linpred__release(chosen);
    if (status != LINPRED_OK) {
        linpred__recipe_release(recipe);
        linpred__roles_clear(&roles);
        return status;
    }
    *out = recipe;
    *out_roles = roles;
    return LINPRED_OK;
}

linpred_status linpred__recipe_make_beyond(const linpred__recipe_tables *tables, const bool *chosen,
                                           const linpred_options *options, linpred__recipe **out, linpred_error *error)
{
    const linpred__table *head = tables->head;
    linpred__recipe *recipe = linpred__recipe_new();
    if (!recipe)
        return linpred__no_memory(error);
    recipe->missing = options->missing;
    recipe->index_base = head->index_base;
    linpred_status status =
        linpred__reading_copy(&recipe->reading, &head->reading) ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__check_usable(head, tables->roles, chosen, error);
    if (status == LINPRED_OK)
        status = name_target_and_weights(recipe, head, tables->roles, error);
    if (status == LINPRED_OK)
        status = !tables->roles->labels ? take_no_labels(recipe, head, chosen, error)
                 : options->task == LINPRED_TASK_REGRESSION
                     ? take_targets(recipe, tables->thin, tables->thin_roles, options->positive, error)
                     : linpred__recipe_map_labels(recipe, tables->thin, tables->thin_roles, NULL, options, error);
    if (status == LINPRED_OK)
        status = linpred__recipe_add_features(recipe, tables->roles, head, options, chosen, NULL, error);
    if (status == LINPRED_OK && !linpred__recipe_write_notes(recipe))
        status = linpred__no_memory(error);
    if (status != LINPRED_OK) {
        linpred__recipe_release(recipe);
        return status;
    }
    *out = recipe;
    return LINPRED_OK;
}
