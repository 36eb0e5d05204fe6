/* A new recipe, from a table and what the user asked for: which column is the label and which are features, the levels
 * of text columns, means for missing values, and which of two labels is +1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/columns.h"
#include "table/encode.h"

enum { MOST_LEVELS = 1000, LABELS_SHOWN = 4 };

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
    parts->target = sparse ? -1 : table->columns - 1;
    parts->weights = -1;
    if (sparse && (options->target || options->weights))
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --%s has no meaning for a LIBSVM file, %s", table->name,
                             options->target ? "target" : "weights",
                             options->target ? "whose label begins each line" : "which has no column of weights");
    if (options->target)
        status = linpred__find_column(table, options->target, strlen(options->target), "target", &parts->target, error);
    if (status == LINPRED_OK && options->weights)
        status =
            linpred__find_column(table, options->weights, strlen(options->weights), "weights", &parts->weights, error);
    if (status == LINPRED_OK && parts->weights >= 0 && parts->weights == parts->target)
        status = linpred__fail(error, LINPRED_ERROR_USAGE, "%s: the weights and the label are the same column",
                               table->name);
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
            status = linpred__fail(error, LINPRED_ERROR_USAGE,
                                   "%s: column '%.60s' is the %s; it cannot be listed in --%s", table->name,
                                   table->column[i].name, i == parts->target ? "label" : "column of weights",
                                   dropped[i] ? "drop" : "features");
        chosen[i] = chosen[i] && !taken && !dropped[i];
    }
    linpred__release(dropped);
    return status;
}

/* ---- missing values ----------------------------------------------------------------------------------------------- */

static linpred_status check_column(const linpred__table *table, int32_t i, linpred_missing policy, bool is_label,
                                   linpred_error *error)
{
    const linpred__column *column = &table->column[i];
    if (column->type == LINPRED_COLUMN_EMPTY)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, column->first_missing_line, i + 1,
                                "%s: column %d (%.60s) has no value at all; %s", table->name, i + 1, column->name,
                                is_label ? "it cannot be the label" : "leave it out with --drop");
    bool cannot_fill = is_label || column->type == LINPRED_COLUMN_TEXT;
    if (column->missing == 0 || policy == LINPRED_MISSING_DROP || (policy == LINPRED_MISSING_MEAN && !cannot_fill))
        return LINPRED_OK;
    return linpred__fail_at(
        error, LINPRED_ERROR_INPUT, column->first_missing_line, i + 1,
        "%s:%lld: column %d (%.60s) has a missing value, %lld in all; %s", table->name,
        (long long)column->first_missing_line, i + 1, column->name, (long long)column->missing,
        cannot_fill && policy == LINPRED_MISSING_MEAN
            ? "--missing mean fills numbers only: choose --missing drop, or leave the column out"
            : is_label ? "a missing label is no class of its own: give it, or choose --missing drop"
                       : "choose --missing drop or --missing mean, or leave the column out with --drop");
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
            sum = linpred__dd_add(sum, linpred__two_product(w, row[column]));
        }
    }
    double mean = sum.hi / weight.hi;
    return isfinite(mean) ? mean : 0.0;
}

/* ---- features --------------------------------------------------------------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static linpred_status copy_levels(const linpred__table *table, int32_t i, linpred__source *source,
                                  linpred_error *error)
{
    const linpred__column *column = &table->column[i];
    if (column->levels > MOST_LEVELS)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, i + 1,
                                "%s: text column '%.60s' has %d different values, more than %d; leave it out with --drop",
                                table->name, column->name, column->levels, MOST_LEVELS);
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
    char room[16];
    const char *name = linpred__column_name(table, i, room);
    linpred__source *source = &recipe->source[recipe->sources];
    parts->source[recipe->sources++] = i;
    source->name = linpred__copy_text(name, strlen(name));
    source->type = table->column ? table->column[i].type : LINPRED_COLUMN_NUMBER;
    source->mean = NAN;
    if (!source->name)
        return linpred__no_memory(error);
    if (!table->column)
        return LINPRED_OK;
    linpred_status status = check_column(table, i, recipe->missing, false, error);
    if (status == LINPRED_OK && source->type == LINPRED_COLUMN_TEXT)
        status = copy_levels(table, i, source, error);
    else if (status == LINPRED_OK && recipe->missing == LINPRED_MISSING_MEAN)
        source->mean = column_mean(table, parts, i);
    return status;
}

static linpred_status add_features(linpred__recipe *recipe, linpred__parts *parts, const linpred__table *table,
                                   const bool *chosen, linpred_error *error)
{
    recipe->source = linpred__calloc((size_t)table->columns, sizeof *recipe->source);
    parts->source = linpred__alloc((size_t)table->columns, sizeof *parts->source);
    if (!recipe->source || !parts->source)
        return linpred__no_memory(error);
    for (int32_t i = 0; i < table->columns; i++) {
        if (!chosen[i])
            continue;
        linpred_status status = add_source(recipe, parts, table, i, error);
        if (status != LINPRED_OK)
            return status;
    }
    if (!linpred__recipe_name_features(recipe))
        return linpred__no_memory(error);
    if (recipe->features == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: no feature is left besides the label", table->name);
    return LINPRED_OK;
}

/* ---- labels ------------------------------------------------------------------------------------------------------------ */

struct labels {
    double value[LABELS_SHOWN]; /* distinct, in order of appearance */
    int count;                  /* may be one more than LABELS_SHOWN: there are more */
};

static void note_label(struct labels *labels, double value)
{
    for (int i = 0; i < labels->count && i < LABELS_SHOWN; i++)
        if (labels->value[i] == value)
            return;
    if (labels->count < LABELS_SHOWN)
        labels->value[labels->count] = value;
    if (labels->count <= LABELS_SHOWN)
        labels->count++;
}

/* The different labels of rows that count: not missing, not of weight 0. */
static struct labels find_labels(const linpred__table *table, const linpred__parts *parts)
{
    struct labels labels = {.count = 0};
    for (int64_t b = 0; b < table->blocks && labels.count <= LABELS_SHOWN; b++) {
        const linpred__table_block *block = &table->block[b];
        for (int32_t r = 0; r < block->rows; r++) {
            if (table->layout == LINPRED__SPARSE) {
                note_label(&labels, block->target[r]);
                continue;
            }
            const double *row = block->values + (int64_t)r * table->columns;
            if (!isnan(row[parts->target]) && (parts->weights < 0 || row[parts->weights] != 0.0))
                note_label(&labels, row[parts->target]);
        }
    }
    return labels;
}

static void label_text(const linpred__table *table, const linpred__recipe *recipe, const linpred__parts *parts,
                       double value, char *room, size_t bytes)
{
    char number[LINPRED__NUMBER_ROOM];
    if (recipe->target_type == LINPRED_COLUMN_TEXT) {
        snprintf(room, bytes, "%s", table->column[parts->target].level[(int64_t)value]);
    } else {
        linpred__number_write(value, number);
        snprintf(room, bytes, "%s", number);
    }
}

static linpred_status wrong_number_of_labels(const linpred__table *table, const linpred__recipe *recipe,
                                             const linpred__parts *parts, const struct labels *labels,
                                             linpred_error *error)
{
    char list[256] = "";
    int shown = labels->count < LABELS_SHOWN ? labels->count : LABELS_SHOWN;
    for (int i = 0; i < shown; i++) {
        char text[64];
        label_text(table, recipe, parts, labels->value[i], text, sizeof text);
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.40s", i ? ", " : "", text);
    }
    if (labels->count == 1)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, parts->target + 1,
                                "%s: all labels are the same, %.60s = %s: there are no two classes to tell apart",
                                table->name, recipe->target, list);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, parts->target + 1,
                            "%s: label column '%.60s' has more than two values (%s%s); a halfspace tells two apart",
                            table->name, recipe->target, list, labels->count > LABELS_SHOWN ? ", …" : "");
}

/* Whether `text` names the label `value` (shown as `name`). */
static bool is_label(const linpred__recipe *recipe, const char *text, const char *name, double value)
{
    double number;
    if (recipe->target_type == LINPRED_COLUMN_TEXT)
        return strcmp(text, name) == 0;
    return linpred__number_read(text, strlen(text), &number) == LINPRED__NUMBER && number == value;
}

/* All rows have one label. It counts as +1; nothing is called by the other name. */
static linpred_status map_one_label(linpred__recipe *recipe, const linpred__table *table, const linpred__parts *parts,
                                    double value, linpred_error *error)
{
    char text[256];
    label_text(table, recipe, parts, value, text, sizeof text);
    recipe->label[1] = linpred__copy_text(text, strlen(text));
    recipe->label[0] = linpred__copy_text("", 0);
    recipe->label_value[1] = recipe->target_type == LINPRED_COLUMN_NUMBER ? value : NAN;
    recipe->label_value[0] = NAN;
    return recipe->label[0] && recipe->label[1] ? LINPRED_OK : linpred__no_memory(error);
}

static linpred_status map_labels(linpred__recipe *recipe, const linpred__table *table, const linpred__parts *parts,
                                 const linpred_options *options, linpred_error *error)
{
    const char *positive = options->positive;
    struct labels labels = find_labels(table, parts);
    if (labels.count == 1 && options->one_class)
        return map_one_label(recipe, table, parts, labels.value[0], error);
    if (labels.count != 2)
        return wrong_number_of_labels(table, recipe, parts, &labels, error);
    char text[2][256];
    for (int i = 0; i < 2; i++)
        label_text(table, recipe, parts, labels.value[i], text[i], sizeof text[i]);
    bool first_is_larger = recipe->target_type == LINPRED_COLUMN_TEXT ? strcmp(text[0], text[1]) > 0
                                                                       : labels.value[0] > labels.value[1];
    int up = first_is_larger ? 0 : 1;
    if (positive) {
        bool is[2] = {is_label(recipe, positive, text[0], labels.value[0]),
                      is_label(recipe, positive, text[1], labels.value[1])};
        char room[LINPRED__EXCERPT];
        if (!is[0] && !is[1])
            return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --positive '%s' is none of the labels, %.60s and %.60s",
                                 table->name, linpred__excerpt(positive, strlen(positive), room), text[0], text[1]);
        up = is[0] ? 0 : 1;
    }
    for (int sign = 0; sign < 2; sign++) {
        int which = sign ? up : 1 - up;
        recipe->label[sign] = linpred__copy_text(text[which], strlen(text[which]));
        recipe->label_value[sign] = recipe->target_type == LINPRED_COLUMN_NUMBER ? labels.value[which] : NAN;
        if (!recipe->label[sign])
            return linpred__no_memory(error);
    }
    return LINPRED_OK;
}

/* ---- all together ---------------------------------------------------------------------------------------------------------- */

static linpred_status fill(linpred__recipe *recipe, const linpred__table *table, const linpred_options *options,
                           linpred__parts *parts, bool *chosen, linpred_error *error)
{
    recipe->missing = options->missing;
    recipe->index_base = table->index_base;
    linpred_status status = choose_parts(table, options, parts, chosen, error);
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
        status = check_column(table, parts->weights, options->missing, true, error);
    }
    if (status == LINPRED_OK && parts->target >= 0)
        status = check_column(table, parts->target, options->missing, true, error);
    if (status == LINPRED_OK)
        status = map_labels(recipe, table, parts, options, error);
    if (status == LINPRED_OK)
        status = add_features(recipe, parts, table, chosen, error);
    if (status == LINPRED_OK && !linpred__recipe_write_notes(recipe))
        status = linpred__no_memory(error);
    return status;
}

linpred_status linpred__recipe_make(const linpred__table *table, const linpred_options *options,
                                    linpred__recipe **out, linpred__parts *out_parts, linpred_error *error)
{
    linpred__recipe *recipe = linpred__recipe_new();
    bool *chosen = linpred__calloc((size_t)table->columns, sizeof *chosen);
    linpred__parts parts = {0};
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

/* The column of a sparse table that a source means: x7 is column 6, whether the file has an entry in it or not. */
static bool sparse_column(const char *name, int32_t *column)
{
    int64_t number;
    if (name[0] != 'x' || !linpred__whole_read(name + 1, strlen(name + 1), &number) || number < 1 || number > INT32_MAX)
        return false;
    *column = (int32_t)number - 1;
    return true;
}

/* Columns usually come in the order of training, so the search starts after the one found last. */
static linpred_status match_source(const linpred__recipe *recipe, const linpred__table *table, int32_t k, int32_t from,
                                   int32_t *column, linpred_error *error)
{
    const linpred__source *source = &recipe->source[k];
    if (table->layout == LINPRED__SPARSE) {
        if (source->type == LINPRED_COLUMN_NUMBER && sparse_column(source->name, column))
            return LINPRED_OK;
    } else {
        for (int32_t step = 0; step < table->columns; step++) {
            int32_t i = (from + step) % table->columns;
            if (strcmp(table->column[i].name, source->name) != 0)
                continue;
            *column = i;
            if (table->column[i].type == source->type || table->column[i].type == LINPRED_COLUMN_EMPTY)
                return check_column(table, i, recipe->missing, false, error);
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, i + 1,
                                    "%s: column '%.60s' holds %s, but the model was fitted to %s", table->name,
                                    source->name, source->type == LINPRED_COLUMN_TEXT ? "numbers" : "text",
                                    source->type == LINPRED_COLUMN_TEXT ? "text (--text reads it so)" : "numbers");
        }
    }
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: there is no column '%.60s', which the model needs", table->name,
                         source->name);
}

static linpred_status match_part(const linpred__table *table, const char *name, int32_t *column,
                                 linpred_missing missing, linpred_error *error)
{
    for (int32_t i = 0; i < table->columns; i++)
        if (strcmp(table->column[i].name, name) == 0) {
            *column = i;
            return check_column(table, i, missing, true, error);
        }
    return LINPRED_OK;
}

linpred_status linpred__recipe_match(const linpred__recipe *recipe, const linpred__table *table, bool labels,
                                     linpred__parts *out, linpred_error *error)
{
    linpred__parts parts = {.target = -1, .weights = -1};
    linpred_status status = LINPRED_OK;
    parts.source = linpred__alloc((size_t)recipe->sources, sizeof *parts.source);
    if (!parts.source)
        return linpred__no_memory(error);
    if (labels && table->layout == LINPRED__DENSE) {
        status = match_part(table, recipe->target, &parts.target, recipe->missing, error);
        if (status == LINPRED_OK && parts.target < 0)
            status = linpred__fail(error, LINPRED_ERROR_INPUT, "%s: there is no column '%.60s', the label of the model",
                                   table->name, recipe->target);
        if (status == LINPRED_OK && recipe->weights) /* without it every row counts once */
            status = match_part(table, recipe->weights, &parts.weights, recipe->missing, error);
    }
    for (int32_t k = 0; status == LINPRED_OK && k < recipe->sources; k++)
        status = match_source(recipe, table, k, k > 0 ? parts.source[k - 1] + 1 : 0, &parts.source[k], error);
    if (status != LINPRED_OK) {
        linpred__parts_clear(&parts);
        return status;
    }
    *out = parts;
    return LINPRED_OK;
}
