/* A new recipe, from a table and what the user asked for: which column is the label and which are features, the levels
 * of text columns, and means for missing values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "table/columns.h"
#include "table/recipe/encode.h"
#include "table/limits.h"

void linpred__parts_clear(linpred__parts *parts)
{
    linpred__release(parts->source);
    *parts = (linpred__parts){0};
}

/* ---- which column plays which part ------------------------------------------------------------------------------ */

static linpred_status choose_parts(const linpred__table *table, const linpred_options *options, linpred__parts *parts,
                                   bool *chosen, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    bool sparse = table->layout == LINPRED__SPARSE;
    parts->target = sparse || !parts->labels ? -1 : table->columns - 1;
    parts->weights = -1;
    if (!parts->labels && (options->target || options->weights || options->positive))
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: points have no labels and no weights: every column is a coordinate", table->name);
    if (sparse && options->target && strcmp(options->target, "label") != 0 && strcmp(options->target, "1") != 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: in a LIBSVM file the label begins each line; --target can only be 'label'",
                             table->name);
    if (sparse && options->weights)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: --weights has no meaning for a LIBSVM file, which has no column of weights",
                             table->name);
    if (options->target && !sparse)
        status = linpred__find_column(table, options->target, strlen(options->target), "target", &parts->target, error);
    if (status == LINPRED_OK && options->weights)
        status =
            linpred__find_column(table, options->weights, strlen(options->weights), "weights", &parts->weights, error);
    if (status == LINPRED_OK && parts->weights >= 0 && parts->weights == parts->target)
        status =
            linpred__fail(error, LINPRED_ERROR_USAGE, "%s: the weights and the label are the same column", table->name);
    if (status == LINPRED_OK && options->features)
        status = linpred__find_columns(table, options->features, "features", chosen, error);
    else
        memset(chosen, 1, (size_t)table->columns);
    bool *dropped = linpred__calloc((size_t)table->columns, sizeof *dropped);
    if (status == LINPRED_OK && !dropped)
        status = linpred__no_memory(error);
    if (status == LINPRED_OK && options->drop)
        status = linpred__find_columns(table, options->drop, "drop", dropped, error);
    for (int32_t i = 0; status == LINPRED_OK && i < table->columns; i++) {
        bool taken = i == parts->target || i == parts->weights;
        if (taken && (dropped[i] || (options->features && chosen[i])))
            status =
                linpred__fail(error, LINPRED_ERROR_USAGE, "%s: column '%.60s' is the %s; it cannot be listed in --%s",
                              table->name, table->column[i].name, i == parts->target ? "label" : "column of weights",
                              dropped[i] ? "drop" : "features");
        chosen[i] = chosen[i] && !taken && !dropped[i];
    }
    linpred__release(dropped);
    return status;
}

/* R writes row names into a column without a name. It can be left out, but plays no part. */
static linpred_status check_named(const linpred__table *table, const linpred__parts *parts, const bool *chosen,
                                  linpred_error *error)
{
    for (int32_t i = 0; table->column && i < table->columns; i++) {
        bool feature = chosen[i], used = feature || i == parts->target || i == parts->weights;
        char advice[60] = ", or choose another column for the label with -t";
        if (i == parts->weights)
            advice[0] = '\0';
        if (feature)
            snprintf(advice, sizeof advice, ", or leave it out with --drop %d", i + 1);
        if (used && table->column[i].name[0] == '\0')
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, table->names_line, i + 1,
                                    "%s:%lld: column %d has no name; name it%s", table->name,
                                    (long long)table->names_line, i + 1, advice);
    }
    return LINPRED_OK;
}

/* ---- missing values -----------------------------------------------------------------------------------------------
 */

enum part { FEATURE, LABEL, WEIGHTS };

/* Whether the column has all its values, or the policy says what to do about those it lacks. */
static linpred_status check_column(const linpred__table *table, int32_t i, linpred_missing policy, enum part part,
                                   linpred_error *error)
{
    const linpred__column *column = &table->column[i];
    if (column->type == LINPRED_COLUMN_EMPTY)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, column->first_missing_line, i + 1,
                                "%s: column %d (%.60s) has no value at all; %s", table->name, i + 1, column->name,
                                part == LABEL     ? "it cannot be the label"
                                : part == WEIGHTS ? "it cannot hold the weights"
                                                  : "leave it out with --drop");
    bool can_fill = part == FEATURE && column->type == LINPRED_COLUMN_NUMBER;
    if (column->missing == 0 || policy == LINPRED_MISSING_DROP || (policy == LINPRED_MISSING_MEAN && can_fill))
        return LINPRED_OK;
    const char *advice =
        part == LABEL     ? "a missing label is no class of its own: give it, or choose --missing drop"
        : part == WEIGHTS ? "give the weight, or choose --missing drop"
        : policy == LINPRED_MISSING_MEAN
            ? "--missing mean fills numbers only: choose --missing drop, or leave the column out with --drop"
        : can_fill ? "choose --missing drop or --missing mean, or leave the column out with --drop"
                   : "choose --missing drop, or leave the column out with --drop";
    int64_t cells = 0;
    int32_t columns = 0;
    for (int32_t k = 0; k < table->columns; k++) {
        cells += table->column[k].missing;
        columns += table->column[k].missing > 0;
    }
    char others[80] = "";
    if (columns > 1)
        snprintf(others, sizeof others, ", and the file %lld in %d columns", (long long)cells, columns);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, column->first_missing_line, i + 1,
                            "%s:%lld: column %d (%.60s) has a missing value, %lld in all%s; %s", table->name,
                            (long long)column->first_missing_line, i + 1, column->name, (long long)column->missing,
                            others, advice);
}

/* The mean of a column over the rows that have it, by weight. */
static double column_mean(const linpred__table *table, const linpred__parts *parts, int32_t column)
{
    linpred__dd sum = {0, 0}, weight = {0, 0};
    for (int64_t b = 0; b < table->blocks; b++) {
        const linpred__table_block *block = &table->block[b];
        for (int32_t r = 0; r < block->rows; r++) {
            const double *row = block->values + (int64_t)r * table->columns;
            double w = parts->weights >= 0 ? row[parts->weights] : 1.0;
            if (isnan(row[column]) || isnan(w))
                continue;
            weight = linpred__dd_add_double(weight, w);
            sum = linpred__dd_add(sum, linpred__two_product(w, row[column] * 0x1p-80)); /* no sum of rows overflows */
        }
    }
    return weight.hi > 0 ? sum.hi / weight.hi * 0x1p80 : 0.0; /* no row counts: nothing to fill */
}

/* ---- features
 * --------------------------------------------------------------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static linpred_status copy_levels(const linpred__table *table, int32_t i, linpred__recipe_column *source,
                                  linpred_error *error)
{
    const linpred__column *column = &table->column[i];
    if (column->levels > LINPRED__MAX_LEVELS)
        return linpred__fail_at(
            error, LINPRED_ERROR_INPUT, 0, i + 1,
            "%s: text column '%.60s' has %d different values, more than %d; leave it out with --drop", table->name,
            column->name, column->levels, LINPRED__MAX_LEVELS);
    source->level = linpred__calloc((size_t)column->levels, sizeof *source->level);
    if (!source->level)
        return linpred__no_memory(error);
    for (; source->levels < column->levels; source->levels++) {
        const char *level = column->level[source->levels];
        source->level[source->levels] = linpred__copy_text(level, strlen(level));
        if (!source->level[source->levels])
            return linpred__no_memory(error);
    }
    qsort(source->level, (size_t)source->levels, sizeof *source->level, by_bytes);
    return LINPRED_OK;
}

static linpred_status add_source(linpred__recipe *recipe, linpred__parts *parts, const linpred__table *table, int32_t i,
                                 linpred_error *error)
{
    char buffer[LINPRED__NUMBERED_BYTES];
    const char *name = linpred__column_name(table, i, buffer);
    linpred__recipe_column *source = &recipe->source[recipe->sources];
    parts->source[recipe->sources++] = i;
    source->name = linpred__copy_text(name, strlen(name));
    source->type = table->column ? table->column[i].type : LINPRED_COLUMN_NUMBER;
    source->mean = NAN;
    if (!source->name)
        return linpred__no_memory(error);
    if (!table->column)
        return LINPRED_OK;
    if (source->type == LINPRED_COLUMN_TEXT)
        return copy_levels(table, i, source, error);
    if (recipe->missing == LINPRED_MISSING_MEAN)
        source->mean = column_mean(table, parts, i);
    return LINPRED_OK;
}

/* Names of indicators can meet names of columns, and "(intercept)" is taken: the coefficients would be ambiguous. */
static linpred_status check_names(const linpred__recipe *recipe, const linpred__table *table, linpred_error *error)
{
    bool text = false;
    for (int32_t k = 0; k < recipe->sources; k++)
        text = text || recipe->source[k].type == LINPRED_COLUMN_TEXT;
    const char **name = linpred__alloc((size_t)recipe->features + 1, sizeof *name);
    if (!name)
        return linpred__no_memory(error);
    const char *taken = NULL;
    for (int32_t j = 0; j < recipe->features; j++) {
        name[j] = linpred__recipe_feature(recipe, j);
        if (strcmp(name[j], "(intercept)") == 0)
            taken = name[j];
    }
    if (text) /* the columns' own names differ: the reader has seen to that */
        qsort(name, (size_t)recipe->features, sizeof *name, by_bytes);
    for (int32_t j = 1; text && j < recipe->features; j++)
        if (strcmp(name[j - 1], name[j]) == 0)
            taken = name[j];
    linpred__release(name);
    return taken ? linpred__fail(
                       error, LINPRED_ERROR_INPUT,
                       "%s: two coefficients would be called '%.60s'; rename a column, or leave it out with --drop",
                       table->name, taken)
                 : LINPRED_OK;
}

/* Marks the columns that stand for powers of themselves. */
static linpred_status take_powers(linpred__recipe *recipe, const linpred__table *table, const linpred_options *options,
                                  const linpred__parts *parts, linpred_error *error)
{
    if (options->degree == 1 && !options->on)
        return LINPRED_OK;
    if (options->degree == 1)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--on names the columns of --degree, which is not given");
    if (table->layout == LINPRED__SPARSE)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --degree is for dense data, not for LIBSVM files",
                             table->name);
    bool *chosen = linpred__calloc((size_t)table->columns, sizeof *chosen);
    linpred_status status = chosen ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && options->on)
        status = linpred__find_columns(table, options->on, "on", chosen, error);
    for (int32_t k = 0; status == LINPRED_OK && k < recipe->sources; k++) {
        linpred__recipe_column *source = &recipe->source[k];
        bool named = chosen[parts->source[k]];
        chosen[parts->source[k]] = false;
        if (named && source->type != LINPRED_COLUMN_NUMBER)
            status =
                linpred__fail(error, LINPRED_ERROR_USAGE, "%s: column '%.60s' of --on holds text, which has no powers",
                              table->name, source->name);
        if (source->type == LINPRED_COLUMN_NUMBER && (named || !options->on))
            source->degree = (int32_t)options->degree;
    }
    for (int32_t i = 0; status == LINPRED_OK && i < table->columns; i++)
        if (chosen[i])
            status = linpred__fail(error, LINPRED_ERROR_USAGE, "%s: column '%.60s' of --on is no feature", table->name,
                                   table->column[i].name);
    linpred__release(chosen);
    return status;
}

static linpred_status add_sources(linpred__recipe *recipe, linpred__parts *parts, const linpred__table *table,
                                  const bool *chosen, linpred_error *error)
{
    recipe->source = linpred__calloc((size_t)table->columns, sizeof *recipe->source);
    linpred_status status = recipe->source ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t i = 0; status == LINPRED_OK && i < table->columns; i++)
        if (chosen[i])
            status = add_source(recipe, parts, table, i, error);
    return status;
}

/* Whether all columns are taken of a table that only numbers them. */
static bool numbered(const linpred__table *table, const bool *chosen)
{
    return !table->column && !memchr(chosen, false, (size_t)table->columns);
}

static linpred_status number_sources(linpred__recipe *recipe, linpred__parts *parts, int32_t columns,
                                     linpred_error *error)
{
    for (int32_t i = 0; i < columns; i++)
        parts->source[i] = i;
    return linpred__recipe_number_columns(recipe, columns) ? LINPRED_OK : linpred__no_memory(error);
}

static linpred_status add_features(linpred__recipe *recipe, linpred__parts *parts, const linpred__table *table,
                                   const linpred_options *options, const bool *chosen, linpred_error *error)
{
    parts->source = linpred__alloc((size_t)table->columns, sizeof *parts->source);
    if (!parts->source)
        return linpred__no_memory(error);
    linpred_status added = numbered(table, chosen) ? number_sources(recipe, parts, table->columns, error)
                                                   : add_sources(recipe, parts, table, chosen, error);
    if (added != LINPRED_OK)
        return added;
    if (options->task == LINPRED_TASK_REGRESSION) {
        linpred_status status = take_powers(recipe, table, options, parts, error);
        if (status != LINPRED_OK)
            return status;
    }
    if (!linpred__recipe_name_features(recipe))
        return linpred__no_memory(error);
    if (recipe->features == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: no %s", table->name,
                             parts->labels ? "feature is left besides the label" : "coordinate is left");
    return table->column ? check_names(recipe, table, error) : LINPRED_OK;
}

/* Real targets: the numbers of the column as they are. */
static linpred_status take_targets(linpred__recipe *recipe, const linpred__table *table, const linpred__parts *parts,
                                   const char *positive, linpred_error *error)
{
    recipe->real_target = true;
    if (positive)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: --positive has no meaning for regression, which has no labels", table->name);
    if (recipe->target_type != LINPRED_COLUMN_NUMBER)
        return linpred__fail_at(
            error, LINPRED_ERROR_INPUT, 0, parts->target + 1,
            "%s: column '%.60s' holds text; regression needs numbers (choose the column with --target)", table->name,
            recipe->target);
    return LINPRED_OK;
}

/* Points: the labels are someone else's to give, as + and -, and coordinates are numbers. */
static linpred_status take_no_labels(linpred__recipe *recipe, const linpred__table *table, const bool *chosen,
                                     linpred_error *error)
{
    for (int32_t i = 0; table->column && i < table->columns; i++)
        if (chosen[i] && table->column[i].type == LINPRED_COLUMN_TEXT)
            return linpred__fail_at(
                error, LINPRED_ERROR_INPUT, 0, i + 1,
                "%s: column %d (%.60s) holds text, and coordinates are numbers; leave it out with --drop", table->name,
                i + 1, table->column[i].name);
    for (int sign = 0; sign < 2; sign++) {
        recipe->label[sign] = linpred__copy_text(sign ? "+" : "-", 1);
        recipe->label_value[sign] = sign ? 1.0 : -1.0;
        if (!recipe->label[sign])
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}

/* ---- all together
 * ---------------------------------------------------------------------------------------------------------- */

static linpred_status fill(linpred__recipe *recipe, const linpred__table *table, const linpred_options *options,
                           linpred__parts *parts, bool *chosen, linpred_error *error)
{
    recipe->missing = options->missing;
    recipe->index_base = table->index_base;
    linpred_status status = choose_parts(table, options, parts, chosen, error);
    if (status == LINPRED_OK)
        status = check_named(table, parts, chosen, error);
    if (status != LINPRED_OK)
        return status;
    const char *target = parts->target >= 0 ? table->column[parts->target].name : "label";
    recipe->target = linpred__copy_text(target, strlen(target));
    recipe->target_type = parts->target >= 0 ? table->column[parts->target].type : LINPRED_COLUMN_NUMBER;
    if (!recipe->target)
        return linpred__no_memory(error);
    if (parts->weights >= 0) {
        const linpred__column *weights = &table->column[parts->weights];
        recipe->weights = linpred__copy_text(weights->name, strlen(weights->name));
        if (!recipe->weights)
            return linpred__no_memory(error);
        if (weights->type != LINPRED_COLUMN_NUMBER)
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, parts->weights + 1,
                                    "%s: the column of weights, '%.60s', does not hold numbers", table->name,
                                    weights->name);
        status = check_column(table, parts->weights, options->missing, WEIGHTS, error);
    }
    if (status == LINPRED_OK && parts->target >= 0)
        status = check_column(table, parts->target, options->missing, LABEL, error);
    for (int32_t i = 0; status == LINPRED_OK && table->column && i < table->columns; i++)
        if (chosen[i])
            status = check_column(table, i, options->missing, FEATURE, error);
    if (status == LINPRED_OK)
        status = !parts->labels ? take_no_labels(recipe, table, chosen, error)
                 : options->task == LINPRED_TASK_REGRESSION
                     ? take_targets(recipe, table, parts, options->positive, error)
                     : linpred__recipe_map_labels(recipe, table, parts, chosen, options, error);
    if (status == LINPRED_OK)
        status = add_features(recipe, parts, table, options, chosen, error);
    if (status == LINPRED_OK && !linpred__recipe_write_notes(recipe))
        status = linpred__no_memory(error);
    return status;
}

linpred_status linpred__recipe_make(const linpred__table *table, const linpred_options *options, bool labels,
                                    linpred__recipe **out, linpred__parts *out_parts, linpred_error *error)
{
    linpred__recipe *recipe = linpred__recipe_new();
    bool *chosen = linpred__calloc((size_t)table->columns, sizeof *chosen);
    linpred__parts parts = {.labels = labels, .fresh = true};
    linpred_status status =
        recipe && chosen ? fill(recipe, table, options, &parts, chosen, error) : linpred__no_memory(error);
    linpred__release(chosen);
    if (status != LINPRED_OK) {
        linpred__recipe_release(recipe);
        linpred__parts_clear(&parts);
        return status;
    }
    *out = recipe;
    *out_parts = parts;
    return LINPRED_OK;
}
