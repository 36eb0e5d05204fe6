/* Markers of missing values, such as N/A, among the levels of a file that a model is applied to.
 *
 * Among words a marker is a level, because it may be meant as one. A marker that no row of the fit had is no level of
 * the model: it is a missing value, if rows with missing values may be left out.
 */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "table/columns.h"
#include "table/cells/markers.h"
#include "table/recipe/encode.h"

static int compare_text(const void *key, const void *level)
{
    return strcmp(key, *(char *const *)level);
}

bool linpred__recipe_marks_missing(const linpred__recipe *recipe, const linpred__recipe_column *source,
                                   const char *level)
{
    return !recipe->reading.na && linpred__usual_marker(level, strlen(level)) >= 0 &&
           !bsearch(level, source->level, (size_t)source->levels, sizeof *source->level, compare_text);
}

/* Makes the cells of column i with this level missing, and says so. */
static void take_level(linpred__table *table, int32_t i, int32_t level)
{
    linpred__column *column = &table->column[i];
    int64_t count = 0, first = -1;
    for (int64_t row = 0; row < table->rows; row++) {
        double *cell = linpred__table_cell(table, row, i);
        if (*cell != (double)level)
            continue;
        *cell = __builtin_nan("");
        if (count++ == 0)
            first = row;
    }
    if (count == 0)
        return;
    int64_t line = linpred__table_line(table, first);
    if (column->missing == 0 || (line > 0 && line < column->first_missing_line))
        column->first_missing_line = line;
    column->missing += count;
    char at[LINPRED__LINE_TEXT], place[LINPRED__COLUMN_PLACE];
    linpred__table_note(table, linpred__remark_of(LINPRED__NOTE_MISSING_MARKER, column->name, count, line),
                        "%s%s: %.80s: '%s' counts as a missing value, since the fit did not see it as a level; there "
                        "%s %lld such cell%s",
                        table->name, linpred__table_line_text(table, first, at), linpred__column_place(table, i, place),
                        column->level[level], count == 1 ? "is" : "are", (long long)count, count == 1 ? "" : "s");
}

void linpred__recipe_take_markers(const linpred__recipe *recipe, const linpred__roles *roles, linpred__table *table)
{
    for (int32_t k = 0; table->layout == LINPRED__DENSE && k < recipe->sources; k++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, k);
        int32_t i = roles->source[k];
        if (source.type != LINPRED_COLUMN_TEXT || table->column[i].type != LINPRED_COLUMN_TEXT)
            continue;
        for (int32_t level = 0; level < table->column[i].levels; level++)
            if (linpred__recipe_marks_missing(recipe, &source, table->column[i].level[level]))
                take_level(table, i, level);
    }
}
