/* Finds columns by name or number, and suggests the nearest name when there is none. */
#include "table/columns.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"

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

linpred_status linpred__find_column(const linpred__table *table, const char *text, size_t bytes, const char *flag,
                                    int32_t *column, linpred_error *error)
{
    char excerpt[LINPRED__EXCERPT];
    int64_t number;
    for (int32_t i = 0; table->column && i < table->columns; i++) {
        const char *name = table->column[i].name;
        if (strlen(name) == bytes && memcmp(name, text, bytes) == 0) {
            *column = i;
            return LINPRED_OK;
        }
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
        int32_t column;
        more = linpred__next_item(&at, item, &bytes);
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
