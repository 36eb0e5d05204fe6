/* The features of a new recipe: one source for each chosen column, the levels of text columns, powers, and the means
 * that replace missing values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "table/columns.h"
#include "table/cells/date.h"
#include "table/limits.h"
#include "table/recipe/make.h"

/* The power of two by which a column is multiplied while its numbers are added: 2^-80, so that no sum of rows
   overflows; 2^320 for a column of numbers below 2^-400, so that none loses digits by underflow. */
static double summing_scale(const linpred__table *table, int32_t column)
{
    double largest = 0.0;
    for (int64_t b = 0; b < table->blocks; b++)
        for (int32_t r = 0; r < table->block[b].rows; r++)
            largest = fmax(largest, fabs(table->block[b].values[(int64_t)r * table->columns + column]));
    return largest < 0x1p-400 ? 0x1p320 : 0x1p-80;
}

/* The weighted mean Σ w x / Σ w of a column, over the rows in which neither x nor w is missing. */
static double column_mean(const linpred__table *table, const linpred__roles *roles, int32_t column)
{
    double scale = summing_scale(table, column);
    linpred__dd sum = {0, 0}, weight = {0, 0};
    for (int64_t b = 0; b < table->blocks; b++) {
        const linpred__table_block *block = &table->block[b];
        for (int32_t r = 0; r < block->rows; r++) {
            const double *row = block->values + (int64_t)r * table->columns;
            double w = roles->weights >= 0 ? row[roles->weights] : 1.0;
            if (isnan(row[column]) || isnan(w))
                continue;
            weight = linpred__dd_add_double(weight, w);
            sum = linpred__dd_add(sum, linpred__two_product(w, row[column] * scale));
        }
    }
    return weight.hi > 0 ? sum.hi / weight.hi / scale : 0.0; /* if all weights are 0, no row is kept */
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sets occurs[level] for the levels of text column i that occur in rows that are used; returns their number. */
static int32_t find_levels(const linpred__table *table, int32_t i, const bool *used, bool *occurs)
{
    int32_t count = 0;
    int64_t row = 0;
    for (int64_t b = 0; b < table->blocks && count < table->column[i].levels; b++)
        for (int32_t r = 0; r < table->block[b].rows; r++, row++) {
            double cell = table->block[b].values[(int64_t)r * table->columns + i];
            if ((used && !used[row]) || isnan(cell) || occurs[(int64_t)cell])
                continue;
            occurs[(int64_t)cell] = true;
            count++;
        }
    return count;
}

/* Copies the levels of text column i that `occurs` marks, sorted by bytes. */
static linpred_status copy_levels(const linpred__column *column, const bool *occurs, int32_t count,
                                  linpred__recipe_column *source, linpred_error *error)
{
    source->level = linpred__calloc((size_t)count, sizeof *source->level);
    if (!source->level)
        return linpred__no_memory(error);
    for (int32_t level = 0; level < column->levels; level++) {
        if (!occurs[level])
            continue;
        char *copy = linpred__copy_text(column->level[level], strlen(column->level[level]));
        if (!copy)
            return linpred__no_memory(error);
        source->level[source->levels++] = copy;
    }
    qsort(source->level, (size_t)source->levels, sizeof *source->level, by_bytes);
    return LINPRED_OK;
}

/* Takes the levels of text column i. */
static linpred_status take_levels(const linpred__table *table, int32_t i, const bool *used,
                                  linpred__recipe_column *source, linpred_error *error)
{
    const linpred__column *column = &table->column[i];
    bool *occurs = linpred__calloc((size_t)column->levels, sizeof *occurs);
    if (!occurs)
        return linpred__no_memory(error);
    int32_t count = find_levels(table, i, used, occurs);
    linpred_status status = copy_levels(column, occurs, count, source, error);
    linpred__release(occurs);
    return status;
}

/* Makes column i the next source of the recipe. */
static linpred_status add_source(linpred__recipe *recipe, linpred__roles *roles, const linpred__table *table, int32_t i,
                                 const bool *used, linpred_error *error)
{
    char buffer[LINPRED__NUMBERED_BYTES];
    const char *name = linpred__column_name(table, i, buffer);
    linpred__recipe_column *source = &recipe->source[recipe->sources];
    roles->source[recipe->sources++] = i;
    source->name = linpred__copy_text(name, strlen(name));
    source->type = table->column ? table->column[i].type : LINPRED_COLUMN_NUMBER;
    source->mean = NAN;
    if (!source->name)
        return linpred__no_memory(error);
    if (!table->column)
        return LINPRED_OK;
    source->days = table->column[i].use == LINPRED__USED_AS_DAYS;
    source->occurrence = linpred__column_occurrence(table, i);
    if (source->type == LINPRED_COLUMN_TEXT)
        return take_levels(table, i, used, source, error);
    if (recipe->missing == LINPRED_MISSING_MEAN)
        source->mean = column_mean(table, roles, i);
    return LINPRED_OK;
}

/* Coefficients are stored by name, so no two terms may have the same name, and none may be called "(intercept)". The
   names of columns differ (linpred__check_usable); an indicator "c=b" or a power "x^2" may still have the name of a
   column. */
static linpred_status check_names(const linpred__recipe *recipe, const linpred__table *table, linpred_error *error)
{
    bool made_names = false;
    for (int32_t k = 0; k < recipe->sources; k++)
        made_names = made_names || recipe->source[k].type == LINPRED_COLUMN_TEXT || recipe->source[k].degree > 1;
    const char **name = linpred__alloc((size_t)recipe->terms + 1, sizeof *name);
    if (!name)
        return linpred__no_memory(error);
    const char *taken = NULL;
    for (int32_t j = 0; j < recipe->terms; j++) {
        name[j] = linpred__recipe_feature(recipe, j);
        if (strcmp(name[j], "(intercept)") == 0)
            taken = name[j];
    }
    if (made_names)
        qsort(name, (size_t)recipe->terms, sizeof *name, by_bytes);
    for (int32_t j = 1; made_names && j < recipe->terms; j++)
        if (strcmp(name[j - 1], name[j]) == 0)
            taken = name[j];
    linpred__release(name);
    return taken ? linpred__fail(
                       error, LINPRED_ERROR_INPUT,
                       "%s: two coefficients would be called '%.60s'; rename a column, or leave it out with --drop",
                       table->name, taken)
                 : LINPRED_OK;
}

/* Whether a text column begins with a date. */
static bool holds_date(const linpred__table *table, int32_t column)
{
    const linpred__column *text = &table->column[column];
    double days;
    return text->levels > 0 && linpred__date_read(text->level[0], strlen(text->level[0]), &days);
}

/* Sets the degree of the columns of --on, or of all number columns without --on. */
static linpred_status take_powers(linpred__recipe *recipe, const linpred__table *table, const linpred_options *options,
                                  const linpred__roles *roles, linpred_error *error)
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
        bool named = chosen[roles->source[k]];
        chosen[roles->source[k]] = false;
        if (named && source->type != LINPRED_COLUMN_NUMBER)
            status = linpred__fail(
                error, LINPRED_ERROR_USAGE, "%s: column '%.60s' of --on holds text, which has no powers%s", table->name,
                source->name, holds_date(table, roles->source[k]) ? "; --date makes its dates a number of days" : "");
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

static linpred_status add_sources(linpred__recipe *recipe, linpred__roles *roles, const linpred__table *table,
                                  const bool *chosen, const bool *used, linpred_error *error)
{
    recipe->source = linpred__calloc((size_t)table->columns, sizeof *recipe->source);
    linpred_status status = recipe->source ? LINPRED_OK : linpred__no_memory(error);
    for (int32_t i = 0; status == LINPRED_OK && i < table->columns; i++)
        if (chosen[i])
            status = add_source(recipe, roles, table, i, used, error);
    return status;
}

/* Whether the table has no names and every column is chosen. Such a recipe needs no list of sources. */
static bool is_numbered(const linpred__table *table, const bool *chosen)
{
    return !table->column && !memchr(chosen, false, (size_t)table->columns);
}

static linpred_status number_sources(linpred__recipe *recipe, linpred__roles *roles, int32_t columns,
                                     linpred_error *error)
{
    for (int32_t i = 0; i < columns; i++)
        roles->source[i] = i;
    return linpred__recipe_number_columns(recipe, columns) ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__recipe_add_features(linpred__recipe *recipe, linpred__roles *roles, const linpred__table *table,
                                            const linpred_options *options, const bool *chosen, const bool *used,
                                            linpred_error *error)
{
    roles->source = linpred__alloc((size_t)table->columns, sizeof *roles->source);
    if (!roles->source)
        return linpred__no_memory(error);
    linpred_status status = is_numbered(table, chosen) ? number_sources(recipe, roles, table->columns, error)
                                                       : add_sources(recipe, roles, table, chosen, used, error);
    if (status == LINPRED_OK && options->task == LINPRED_TASK_REGRESSION)
        status = take_powers(recipe, table, options, roles, error);
    if (status != LINPRED_OK)
        return status;
    if (!linpred__recipe_name_features(recipe))
        return linpred__no_memory(error);
    if (recipe->features == 0)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: no %s", table->name,
                             !roles->labels                             ? "coordinate is left"
                             : options->task == LINPRED_TASK_REGRESSION ? "feature is left besides the target"
                                                                        : "feature is left besides the label");
    return table->column ? check_names(recipe, table, error) : LINPRED_OK;
}
