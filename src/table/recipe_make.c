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
    if (sparse && options->target && strcmp(options->target, "label") != 0 && strcmp(options->target, "1") != 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: in a LIBSVM file the label begins each line; --target can only be 'label'", table->name);
    if (sparse && options->weights)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "%s: --weights has no meaning for a LIBSVM file, which has no column of weights", table->name);
    if (options->target && !sparse)
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
    const char *advice = part == LABEL     ? "a missing label is no class of its own: give it, or choose --missing drop"
                         : part == WEIGHTS ? "give the weight, or choose --missing drop"
                         : policy == LINPRED_MISSING_MEAN
                             ? "--missing mean fills numbers only: choose --missing drop, or leave the column out with --drop"
                         : can_fill ? "choose --missing drop or --missing mean, or leave the column out with --drop"
                                    : "choose --missing drop, or leave the column out with --drop";
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, column->first_missing_line, i + 1,
                            "%s:%lld: column %d (%.60s) has a missing value, %lld in all; %s", table->name,
                            (long long)column->first_missing_line, i + 1, column->name, (long long)column->missing, advice);
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
    return taken ? linpred__fail(error, LINPRED_ERROR_INPUT,
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
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --degree is for dense data, not for LIBSVM files", table->name);
    bool *chosen = linpred__calloc((size_t)table->columns, sizeof *chosen);
    linpred_status status = chosen ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && options->on)
        status = linpred__find_columns(table, options->on, "on", chosen, error);
    for (int32_t k = 0; status == LINPRED_OK && k < recipe->sources; k++) {
        linpred__source *source = &recipe->source[k];
        bool named = chosen[parts->source[k]];
        chosen[parts->source[k]] = false;
        if (named && source->type != LINPRED_COLUMN_NUMBER)
            status = linpred__fail(error, LINPRED_ERROR_USAGE, "%s: column '%.60s' of --on holds text, which has no powers",
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

static linpred_status add_features(linpred__recipe *recipe, linpred__parts *parts, const linpred__table *table,
                                   const linpred_options *options, const bool *chosen, linpred_error *error)
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
    if (options->task == LINPRED_TASK_REGRESSION) {
        linpred_status status = take_powers(recipe, table, options, parts, error);
        if (status != LINPRED_OK)
            return status;
    }
    if (!linpred__recipe_name_features(recipe))
        return linpred__no_memory(error);
    if (recipe->features == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: no feature is left besides the label", table->name);
    return table->column ? check_names(recipe, table, error) : LINPRED_OK;
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

/* Whether a row will be in the data: its label is there, its weight is not 0, and, where rows with missing values are
   dropped, none is missing. */
static bool counts(const linpred__table *table, const linpred__parts *parts, const bool *chosen, linpred_missing missing,
                   const double *row)
{
    if (isnan(row[parts->target]) || (parts->weights >= 0 && (row[parts->weights] == 0.0 || isnan(row[parts->weights]))))
        return false;
    for (int32_t i = 0; missing == LINPRED_MISSING_DROP && i < table->columns; i++)
        if (chosen[i] && isnan(row[i]))
            return false;
    return true;
}

/* The different labels of rows that count. */
static struct labels find_labels(const linpred__table *table, const linpred__parts *parts, const bool *chosen,
                                 linpred_missing missing)
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
            if (counts(table, parts, chosen, missing, row))
                note_label(&labels, row[parts->target]);
        }
    }
    return labels;
}

/* A label as text: a level of the table, or a number written into `room`. */
static const char *label_text(const linpred__table *table, const linpred__recipe *recipe, const linpred__parts *parts,
                              double value, char room[LINPRED__NUMBER_ROOM])
{
    if (recipe->target_type == LINPRED_COLUMN_TEXT)
        return table->column[parts->target].level[(int64_t)value];
    linpred__number_write(value, room);
    return room;
}

static linpred_status wrong_number_of_labels(const linpred__table *table, const linpred__recipe *recipe,
                                             const linpred__parts *parts, const struct labels *labels,
                                             linpred_error *error)
{
    char list[256] = "";
    int shown = labels->count < LABELS_SHOWN ? labels->count : LABELS_SHOWN;
    for (int i = 0; i < shown; i++) {
        char room[LINPRED__NUMBER_ROOM];
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.40s", i ? ", " : "",
                 label_text(table, recipe, parts, labels->value[i], room));
    }
    if (labels->count == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: no row is left: all have missing values or weight 0",
                             table->name);
    if (labels->count == 1)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, parts->target + 1,
                                "%s: all labels are the same, %.60s = %s: there are no two classes to tell apart",
                                table->name, recipe->target, list);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, parts->target + 1,
                            "%s: label column '%.60s' has more than two values (%s%s), and two are told apart; -t chooses another",
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
    char number[LINPRED__NUMBER_ROOM];
    const char *text = label_text(table, recipe, parts, value, number);
    recipe->label[1] = linpred__copy_text(text, strlen(text));
    recipe->label[0] = linpred__copy_text("", 0);
    recipe->label_value[1] = recipe->target_type == LINPRED_COLUMN_NUMBER ? value : NAN;
    recipe->label_value[0] = NAN;
    return recipe->label[0] && recipe->label[1] ? LINPRED_OK : linpred__no_memory(error);
}

static linpred_status map_labels(linpred__recipe *recipe, const linpred__table *table, const linpred__parts *parts,
                                 const bool *chosen, const linpred_options *options, linpred_error *error)
{
    const char *positive = options->positive;
    struct labels labels = find_labels(table, parts, chosen, recipe->missing);
    if (labels.count == 1 && options->one_class)
        return map_one_label(recipe, table, parts, labels.value[0], error);
    if (labels.count != 2)
        return wrong_number_of_labels(table, recipe, parts, &labels, error);
    char number[2][LINPRED__NUMBER_ROOM];
    const char *text[2];
    for (int i = 0; i < 2; i++)
        text[i] = label_text(table, recipe, parts, labels.value[i], number[i]);
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

/* Real targets: the numbers of the column as they are. */
static linpred_status take_targets(linpred__recipe *recipe, const linpred__table *table, const linpred__parts *parts,
                                   const char *positive, linpred_error *error)
{
    recipe->real_target = true;
    if (positive)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --positive has no meaning for regression, which has no labels",
                             table->name);
    if (recipe->target_type != LINPRED_COLUMN_NUMBER)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, parts->target + 1,
                                "%s: column '%.60s' holds text; regression needs numbers (choose the column with --target)",
                                table->name, recipe->target);
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
        status = check_column(table, parts->weights, options->missing, WEIGHTS, error);
    }
    if (status == LINPRED_OK && parts->target >= 0)
        status = check_column(table, parts->target, options->missing, LABEL, error);
    for (int32_t i = 0; status == LINPRED_OK && table->column && i < table->columns; i++)
        if (chosen[i])
            status = check_column(table, i, options->missing, FEATURE, error);
    if (status == LINPRED_OK)
        status = options->task == LINPRED_TASK_REGRESSION
                     ? take_targets(recipe, table, parts, options->positive, error)
                     : map_labels(recipe, table, parts, chosen, options, error);
    if (status == LINPRED_OK)
        status = add_features(recipe, parts, table, options, chosen, error);
    if (status == LINPRED_OK && !linpred__recipe_write_notes(recipe))
        status = linpred__no_memory(error);
    return status;
}

linpred_status linpred__recipe_make(const linpred__table *table, const linpred_options *options,
                                    linpred__recipe **out, linpred__parts *out_parts, linpred_error *error)
{
    linpred__recipe *recipe = linpred__recipe_new();
    bool *chosen = linpred__calloc((size_t)table->columns, sizeof *chosen);
    linpred__parts parts = {.labels = true, .fresh = true};
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
