/* Finds the columns of a recipe in another table, for predict, evaluate and verify. Columns are found by name; LIBSVM
 * features by index. */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/columns.h"
#include "table/recipe/encode.h"

/* Fails if the column is refused, or has missing values that the policy does not cover: `drop` covers
   all, `mean` covers columns with can_fill. */
static linpred_status check_missing(const linpred__table *table, int32_t i, linpred_missing policy, bool can_fill,
                                    linpred_error *error)
{
    const linpred__column *column = &table->column[i];
    if (column->refusal)
        return linpred__refused_column(table, i, false, error);
    if (column->missing == 0 || policy == LINPRED_MISSING_DROP || (policy == LINPRED_MISSING_MEAN && can_fill))
        return LINPRED_OK;
    char at[LINPRED__LINE_TEXT], written[60] = "";
    if (column->marker)
        snprintf(written, sizeof written, " (written '%.40s')", column->marker);
    return linpred__fail_at(
        error, LINPRED_ERROR_INPUT, column->first_missing_line, i + 1,
        "%s%s: column %d (%.60s) has a missing value, %lld in all%s; fill it in, remove the row, or choose "
        "--missing drop%s",
        table->name, linpred__table_place(table, column->first_missing_line, at), i + 1, column->name,
        (long long)column->missing, written,
        can_fill                         ? " (or mean, if the model was fitted with it)"
        : policy == LINPRED_MISSING_MEAN ? " (a mean fills features that are numbers only)"
                                         : "");
}

/* The column of a sparse table that belongs to the source `name`: x7 is column 6 - shift, whether or not the file has
   entries of it. False if the name is not of that form. */
static bool sparse_column(const char *name, int32_t shift, int32_t *column)
{
    int64_t number;
    if (name[0] != 'x' || !linpred__whole_read(name + 1, strlen(name + 1), &number) || number < 1 || number > INT32_MAX)
        return false;
    *column = (int32_t)number - 1 - shift;
    return true;
}

static bool is_of_recipe(const linpred__recipe *recipe, const char *name)
{
    bool found = recipe->target && strcmp(recipe->target, name) == 0;
    for (int32_t k = 0; !found && k < recipe->sources; k++)
        found = strcmp(linpred__recipe_source(recipe, k).name, name) == 0;
    return found;
}

/* Whether `text` is a level of a text column, or a label, of the recipe. */
static bool is_level(const linpred__recipe *recipe, const char *text)
{
    bool found = false;
    for (int i = 0; i < 2 && !found && text[0] && recipe->target_type == LINPRED_COLUMN_TEXT; i++)
        found = recipe->label[i] && strcmp(recipe->label[i], text) == 0;
    for (int32_t k = 0; k < recipe->sources && !found; k++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, k);
        for (int32_t i = 0; i < source.levels && !found; i++)
            found = strcmp(source.level[i], text) == 0;
    }
    return found;
}

/* The first name that is rather a cell of data, if the line of names has no name of the recipe; -1 otherwise. Then a
   file without names was read as if it had some, as the file of the fit had. */
static int32_t find_datum(const linpred__recipe *recipe, const linpred__table *table, bool *number)
{
    int32_t datum = -1;
    for (int32_t i = 0; i < table->columns && table->names_line > 0; i++) {
        const char *name = table->column[i].name;
        double value;
        bool reads = linpred__number_read(name, strlen(name), &value) == LINPRED__NUMBER;
        if (is_of_recipe(recipe, name))
            return -1;
        if (datum < 0 && (reads || is_level(recipe, name))) {
            datum = i;
            *number = reads;
        }
    }
    return datum;
}

/* Reports that a column is not there. Suggests the nearest name among the columns that the recipe does not use. */
static linpred_status no_column(const linpred__recipe *recipe, const linpred__table *table, const char *name,
                                const char *what, linpred_error *error)
{
    if (!table->has_names && table->layout == LINPRED__DENSE)
        return linpred__fail(
            error, LINPRED_ERROR_INPUT, "%s: there is no column '%.60s', %s: %s", table->name, name, what,
            strncmp(table->format, "npy", 3) == 0
                ? "an npy file has no column names"
                : "the first line was read as data, so the columns have no names; put their names into the first line");
    char excerpt[LINPRED__EXCERPT];
    for (int32_t i = 0; table->column && i < table->columns; i++) {
        const char *other = table->column[i].name;
        if (!linpred__is_utf8(other, strlen(other)))
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, table->names_line, i + 1,
                                    "%s: there is no column '%.60s', %s; the name of column %d, '%s', is not valid "
                                    "UTF-8: convert the file, as by iconv -f windows-1252 -t utf-8",
                                    table->name, name, what, (int)i + 1,
                                    linpred__excerpt(other, strlen(other), excerpt));
    }
    bool number = false;
    int32_t datum = table->column ? find_datum(recipe, table, &number) : -1;
    if (datum >= 0)
        return linpred__fail_at(
            error, LINPRED_ERROR_INPUT, table->names_line, datum + 1,
            "%s:%lld: there is no column '%.60s', %s: this line looks like data, not names, since '%s' "
            "is %s; put a line with the names of the columns before it",
            table->name, (long long)table->names_line, name, what,
            linpred__excerpt(table->column[datum].name, strlen(table->column[datum].name), excerpt),
            number ? "a number" : "a value of the fit's data");
    linpred__suggestion nearest = linpred__nearest_to(name);
    for (int32_t i = 0; table->column && i < table->columns; i++)
        if (!is_of_recipe(recipe, table->column[i].name))
            linpred__nearest_try(&nearest, name, table->column[i].name);
    const char *near = nearest.best;
    return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: there is no column '%.60s', %s%s%.60s%s", table->name, name,
                         what, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* The column of a dense table with this name; -1 if there is none, -2 if there are several and the recipe does not say
   which (`occurrence` is 0 or too large). Columns usually stand in the same order as in the fit, so the search begins
   at `from`. */
static int32_t find_named(const linpred__table *table, const char *name, int32_t occurrence, int32_t from)
{
    int32_t count = 0, found = -1, wanted = -1;
    if (!table->repeated_names) {
        for (int32_t step = 0; step < table->columns; step++)
            if (strcmp(table->column[(from + step) % table->columns].name, name) == 0)
                return (from + step) % table->columns;
        return -1;
    }
    for (int32_t i = 0; i < table->columns; i++)
        if (strcmp(table->column[i].name, name) == 0) {
            found = i;
            if (++count == occurrence)
                wanted = i;
        }
    return count <= 1 ? found : wanted >= 0 ? wanted : -2;
}

static linpred_status ambiguous(const linpred__table *table, const char *name, linpred_error *error)
{
    char at[LINPRED__LINE_TEXT];
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, table->names_line, 0,
                            "%s%s: several columns are called '%.60s', which the model needs; rename all but one",
                            table->name, linpred__table_place(table, table->names_line, at), name);
}

/* Finds source k of the recipe; the search begins at `from`, the column after the one found last. */
static linpred_status find_source(const linpred__recipe *recipe, const linpred__table *table, int32_t k, int32_t from,
                                  int32_t shift, int32_t *column, linpred_error *error)
{
    linpred__recipe_column source = linpred__recipe_source(recipe, k);
    if (table->layout == LINPRED__SPARSE) {
        if (source.type != LINPRED_COLUMN_TEXT && sparse_column(source.name, shift, column))
            return LINPRED_OK;
    } else {
        *column = find_named(table, source.name, source.occurrence, from);
        if (*column >= 0)
            return LINPRED_OK;
        if (*column == -2)
            return ambiguous(table, source.name, error);
    }
    return no_column(recipe, table, source.name, "which the model needs", error);
}

/* Finds the columns of target and weights. If that of the weights is missing, each row counts once. */
static linpred_status find_target(const linpred__recipe *recipe, const linpred__table *table, linpred__roles *roles,
                                  linpred_error *error)
{
    roles->target = find_named(table, recipe->target, recipe->target_occurrence, 0);
    if (recipe->weights)
        roles->weights = find_named(table, recipe->weights, recipe->weights_occurrence, 0);
    if (roles->target == -2 || roles->weights == -2)
        return ambiguous(table, roles->target == -2 ? recipe->target : recipe->weights, error);
    return roles->target >= 0
               ? LINPRED_OK
               : no_column(recipe, table, recipe->target,
                           recipe->real_target ? "the target of the model" : "the label of the model", error);
}

/* Fails if the column of source k does not hold what the model was fitted to. */
static linpred_status check_source(const linpred__recipe *recipe, const linpred__table *table, int32_t k, int32_t i,
                                   linpred_missing missing, linpred_error *error)
{
    linpred__recipe_column source = linpred__recipe_source(recipe, k);
    bool text = source.type == LINPRED_COLUMN_TEXT;
    if (table->column[i].type == source.type || table->column[i].type == LINPRED_COLUMN_EMPTY)
        return check_missing(table, i, missing, !text, error);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, i + 1,
                            "%s: column '%.60s' holds %s, but the model was fitted to %s", table->name, source.name,
                            text ? "numbers" : "text", text ? "text" : "numbers");
}

/* Fails if target or weights do not hold what the recipe needs. */
static linpred_status check_target(const linpred__recipe *recipe, const linpred__table *table,
                                   const linpred__roles *roles, linpred_missing missing, linpred_error *error)
{
    linpred_status status = check_missing(table, roles->target, missing, false, error);
    if (status != LINPRED_OK || roles->weights < 0)
        return status;
    if (table->column[roles->weights].type == LINPRED_COLUMN_TEXT)
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, roles->weights + 1,
                                "%s: the column of weights, '%.60s', does not hold numbers", table->name,
                                recipe->weights);
    return check_missing(table, roles->weights, missing, false, error);
}

/* Corrects a wrong guess of the index base. If the fit's indices began with 0 and this file has no index 0, the reader
   guessed 1, and x7 is column 5 of the table instead of 6: *shift is 1. If the fit's began with 1 and this file has an
   index 0, the call fails. */
static linpred_status find_shift(const linpred__recipe *recipe, const linpred__table *table, bool guessed,
                                 int32_t *shift, linpred_error *error)
{
    *shift = guessed && recipe->index_base >= 0 && table->index_base >= 0 ? recipe->index_base - table->index_base : 0;
    if (*shift <= 0) {
        *shift = -*shift;
        return LINPRED_OK;
    }
    return linpred__fail(
        error, LINPRED_ERROR_INPUT,
        "%s: the file has an index 0, but the indices of the model's data began with 1; say --index-base 0 if index 0 "
        "of this file is the feature x1",
        table->name);
}

/* Finds the columns of the recipe by their names, whatever they hold. */
static linpred_status find_roles(const linpred__recipe *recipe, const linpred__table *table, bool labels, int32_t shift,
                                 linpred__roles *out, linpred_error *error)
{
    linpred__roles roles = {.target = -1, .weights = -1, .labels = labels};
    linpred_status status = LINPRED_OK;
    roles.source = linpred__alloc((size_t)recipe->sources, sizeof *roles.source);
    if (!roles.source)
        return linpred__no_memory(error);
    if (labels && table->layout == LINPRED__DENSE)
        status = find_target(recipe, table, &roles, error);
    for (int32_t k = 0; status == LINPRED_OK && k < recipe->sources; k++)
        status = find_source(recipe, table, k, k > 0 ? roles.source[k - 1] + 1 : 0, shift, &roles.source[k], error);
    if (status != LINPRED_OK) {
        linpred__roles_clear(&roles);
        return status;
    }
    *out = roles;
    return LINPRED_OK;
}

linpred_status linpred__recipe_uses(void *context, const linpred__table *head, linpred__use *use, linpred_error *error)
{
    const linpred__needed_columns *wanted = context;
    const linpred__recipe *recipe = wanted->recipe;
    linpred__roles roles;
    linpred_status status = find_roles(recipe, head, wanted->labels, 0, &roles, error);
    if (status != LINPRED_OK)
        return status;
    for (int32_t i = 0; i < head->columns; i++)
        use[i] = LINPRED__UNUSED;
    for (int32_t k = 0; k < recipe->sources; k++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, k);
        use[roles.source[k]] = source.type == LINPRED_COLUMN_TEXT ? LINPRED__USED_AS_TEXT
                               : source.days                      ? LINPRED__USED_AS_DAYS
                                                                  : LINPRED__USED_AS_NUMBERS;
    }
    if (roles.weights >= 0)
        use[roles.weights] = LINPRED__USED_AS_NUMBERS;
    if (roles.target >= 0)
        use[roles.target] = recipe->target_days                          ? LINPRED__USED_AS_DAYS
                            : recipe->real_target                        ? LINPRED__USED_AS_NUMBERS
                            : recipe->target_type == LINPRED_COLUMN_TEXT ? LINPRED__USED_AS_TEXT
                                                                         : LINPRED__USED;
    linpred__roles_clear(&roles);
    return LINPRED_OK;
}

linpred_status linpred__recipe_match(const linpred__recipe *recipe, const linpred__table *table, bool labels,
                                     linpred_missing missing, bool guessed_base, linpred__roles *out,
                                     linpred_error *error)
{
    linpred__roles roles;
    int32_t shift;
    linpred_status status = find_shift(recipe, table, guessed_base, &shift, error);
    if (status == LINPRED_OK)
        status = find_roles(recipe, table, labels, shift, &roles, error);
    if (status != LINPRED_OK)
        return status;
    bool dense = table->layout == LINPRED__DENSE;
    if (dense && labels)
        status = check_target(recipe, table, &roles, missing, error);
    for (int32_t k = 0; dense && status == LINPRED_OK && k < recipe->sources; k++)
        status = check_source(recipe, table, k, roles.source[k], missing, error);
    if (status != LINPRED_OK) {
        linpred__roles_clear(&roles);
        return status;
    }
    *out = roles;
    return LINPRED_OK;
}
