/* Finds columns by name or number, and suggests the nearest name when there is none. */
#include "table/columns.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "table/limits.h"

const char *linpred__column_name(const linpred__table *table, int32_t column, char buffer[LINPRED__NUMBERED_BYTES])
{
    if (table->column)
        return table->column[column].name;
    linpred__numbered_name(column, buffer);
    return buffer;
}

/* The name of a column that is spelled almost like `name`; NULL if there is none. */
static const char *nearest_column(const linpred__table *table, const char *name)
{
    linpred__suggestion nearest = linpred__nearest_to(name);
    for (int32_t i = 0; table->column && i < table->columns; i++)
        linpred__nearest_try(&nearest, name, table->column[i].name);
    return nearest.best;
}

static bool has_name(const linpred__table *table, int32_t column, const char *text, size_t bytes)
{
    const char *name = table->column[column].name;
    return strlen(name) == bytes && memcmp(name, text, bytes) == 0;
}

linpred_status linpred__find_column(const linpred__table *table, const char *text, size_t bytes, const char *flag,
                                    int32_t *column, linpred_error *error)
{
    char excerpt[LINPRED__EXCERPT];
    int64_t number;
    for (int32_t i = 0; table->column && i < table->columns; i++)
        if (has_name(table, i, text, bytes)) {
            *column = i;
            for (int32_t k = i + 1; table->repeated_names && k < table->columns; k++)
                if (has_name(table, k, text, bytes))
                    return linpred__fail(error, LINPRED_ERROR_USAGE,
                                         "%s: columns %d and %d are both called '%s' (--%s); choose one by its number",
                                         table->name, i + 1, k + 1, linpred__excerpt(text, bytes, excerpt), flag);
            return LINPRED_OK;
        }
    bool numbered = !table->column && bytes > 1 && text[0] == 'x'; /* LIBSVM: x7 and 7 are the same feature */
    if (linpred__whole_read(text + numbered, bytes - numbered, &number)) {
        if (number >= 1 && number <= table->columns) {
            *column = (int32_t)number - 1;
            return LINPRED_OK;
        }
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: --%s names column %lld, but there are %d columns",
                             table->name, flag, (long long)number, table->columns);
    }
    linpred__excerpt(text, bytes, excerpt);
    const char *near = nearest_column(table, excerpt);
    if (near)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "%s: there is no column '%s' (--%s); did you mean '%.60s'?",
                             table->name, excerpt, flag, near);
    return linpred__fail(error, LINPRED_ERROR_USAGE,
                         "%s: there is no column '%s' (--%s); linpred inspect lists the columns", table->name, excerpt,
                         flag);
}

const char *linpred__column_place(const linpred__table *table, int32_t column, char buffer[LINPRED__COLUMN_PLACE])
{
    const char *name = table->column[column].name;
    char excerpt[LINPRED__EXCERPT];
    if (table->has_names)
        snprintf(buffer, LINPRED__COLUMN_PLACE, "column %d (%s)", (int)column + 1,
                 linpred__excerpt(name, strlen(name), excerpt));
    else
        snprintf(buffer, LINPRED__COLUMN_PLACE, "column %d", (int)column + 1);
    return buffer;
}

const char *linpred__column_argument(const linpred__table *table, int32_t column, char buffer[LINPRED__EXCERPT])
{
    const char *name = table->column[column].name;
    if (!table->repeated_names && *name && strlen(name) <= 40 && strcspn(name, ",\"'\n\r\t $\\") == strlen(name))
        strcpy(buffer, name);
    else
        snprintf(buffer, LINPRED__EXCERPT, "%d", (int)column + 1);
    return buffer;
}

bool linpred__next_item(const char **at, char *item, size_t *bytes)
{
    const char *c = *at;
    size_t n = 0;
    for (; *c && (*c != ',' || c[1] == ','); c++) {
        c += *c == ',';
        item[n++] = *c;
    }
    item[n] = '\0';
    *bytes = n;
    *at = c + (*c == ',');
    return *c == ',';
}

linpred_status linpred__find_columns(const linpred__table *table, const char *list, const char *flag, bool *chosen,
                                     linpred_error *error)
{
    char *item = linpred__alloc(strlen(list) + 1, 1);
    if (!item)
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    const char *at = list;
    for (bool more = true; more && status == LINPRED_OK;) {
        size_t bytes;
        int32_t column = -1;
        more = linpred__next_item(&at, item, &bytes);
        for (int32_t i = 0; table->repeated_names && i < table->columns; i++)
            if (has_name(table, i, item, bytes))
                chosen[column = i] = true;
        if (column < 0)
            status = linpred__find_column(table, item, bytes, flag, &column, error);
        if (status == LINPRED_OK)
            chosen[column] = true;
    }
    linpred__release(item);
    return status;
}

linpred_status linpred__refused_column(const linpred__table *table, int32_t column, bool droppable,
                                       linpred_error *error)
{
    const linpred__column *refused = &table->column[column];
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, refused->refusal_line, column + 1,
                            "%s: column %d (%.60s) cannot be used: %s%s", table->name, column + 1, refused->name,
                            refused->refusal, droppable ? "; leave it out with --drop" : "");
}

int32_t linpred__column_occurrence(const linpred__table *table, int32_t column)
{
    int32_t before = 0, after = 0;
    for (int32_t i = 0; table->column && table->repeated_names && i < table->columns; i++) {
        bool same = strcmp(table->column[i].name, table->column[column].name) == 0;
        before += same && i < column;
        after += same && i > column;
    }
    return before + after > 0 ? before + 1 : 0;
}

/* ---- what columns are for ---------------------------------------------------------------------------------------- */

static const char *name_use(linpred__use use)
{
    return use == LINPRED__USED_AS_TEXT ? "text" : use == LINPRED__USED_AS_DAYS ? "dates" : "numbers";
}

/* The columns that an option lists get another use, unless they are not used. What a model was fitted to cannot be
   changed. */
static linpred_status use_as(linpred__table *table, const char *list, const char *flag, linpred__use as, bool model,
                             linpred_error *error)
{
    bool *listed = linpred__calloc((size_t)table->columns, sizeof *listed);
    if (!listed)
        return linpred__no_memory(error);
    linpred_status status = linpred__find_columns(table, list, flag, listed, error);
    for (int32_t c = 0; status == LINPRED_OK && c < table->columns; c++) {
        linpred__column *column = &table->column[c];
        if (!listed[c] || column->use == LINPRED__UNUSED || column->use == as)
            continue;
        if (model && column->use != LINPRED__USED)
            status = linpred__fail_at(error, LINPRED_ERROR_USAGE, 0, c + 1,
                                      "%s: --%s contradicts the model, which was fitted to %s in column '%.60s'; leave "
                                      "it out, or fit again",
                                      table->name, flag, name_use(column->use), column->name);
        column->use = as;
    }
    linpred__release(listed);
    return status;
}

/* Fails if a column is listed by --text and by --date. */
static linpred_status check_both(const linpred__table *table, const linpred_options *options, linpred_error *error)
{
    bool *listed = linpred__calloc(2 * (size_t)table->columns, sizeof *listed);
    if (!listed)
        return linpred__no_memory(error);
    linpred_status status = linpred__find_columns(table, options->as_text, "text", listed, error);
    if (status == LINPRED_OK)
        status = linpred__find_columns(table, options->date, "date", listed + table->columns, error);
    for (int32_t c = 0; status == LINPRED_OK && c < table->columns; c++)
        if (listed[c] && listed[table->columns + c])
            status = linpred__fail_at(error, LINPRED_ERROR_USAGE, 0, c + 1,
                                      "%s: --text and --date both name column '%.60s'; choose one", table->name,
                                      table->column[c].name);
    linpred__release(listed);
    return status;
}

/* The columns of --keep that are not used otherwise are passed through as text. */
static linpred_status keep_columns(linpred__table *table, const char *list, linpred_error *error)
{
    bool *listed = linpred__calloc((size_t)table->columns, sizeof *listed);
    if (!listed)
        return linpred__no_memory(error);
    linpred_status status = linpred__find_columns(table, list, "keep", listed, error);
    for (int32_t c = 0; status == LINPRED_OK && c < table->columns; c++)
        if (listed[c] && (table->column[c].use == LINPRED__UNUSED || table->column[c].use == LINPRED__USED))
            table->column[c].use = LINPRED__USED_AS_TEXT;
    linpred__release(listed);
    return status;
}

linpred_status linpred__choose_columns(linpred__table *table, const linpred__read_request *request,
                                       linpred_error *error)
{
    const linpred_options *options = request->options;
    linpred__use *use = linpred__calloc((size_t)table->columns, sizeof *use);
    if (!use)
        return linpred__no_memory(error);
    for (int32_t c = 0; c < table->columns; c++)
        use[c] = LINPRED__USED;
    linpred_status status = request->choose ? request->choose(request->context, table, use, error) : LINPRED_OK;
    for (int32_t c = 0; c < table->columns; c++)
        table->column[c].use = use[c];
    linpred__release(use);
    if (status == LINPRED_OK && options->as_text && *options->as_text && options->date && *options->date)
        status = check_both(table, options, error);
    if (status == LINPRED_OK && options->as_text && *options->as_text)
        status = use_as(table, options->as_text, "text", LINPRED__USED_AS_TEXT, request->like, error);
    if (status == LINPRED_OK && options->date && *options->date)
        status = use_as(table, options->date, "date", LINPRED__USED_AS_DAYS, request->like, error);
    return status == LINPRED_OK && options->keep ? keep_columns(table, options->keep, error) : status;
}

linpred_status linpred__check_empty_columns(const linpred__table *table, const char *who, size_t column_bytes,
                                            linpred_error *error)
{
    double columns = table->columns, bytes = columns * (double)column_bytes;
    if (table->layout != LINPRED__SPARSE || bytes <= LINPRED__MAX_EMPTY_BYTES ||
        columns <= LINPRED__EMPTY_COLUMNS_PER_ENTRY * (double)table->entries)
        return LINPRED_OK;
    return linpred__fail(error, LINPRED_ERROR_INPUT,
                         "%s: the largest index is %d, but the file has only %lld entr%s: %s would need %.1f GB for "
                         "columns that nearly all do not occur; number the columns that do from 1 on",
                         table->name, (int)(table->columns - 1 + table->index_base), (long long)table->entries,
                         table->entries == 1 ? "y" : "ies", who, bytes * 1e-9);
}
