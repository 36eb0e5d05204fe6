/* Lists levels and labels for messages: levels that the recipe does not have, and labels that are taken as the rest. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "table/limits.h"
#include "table/recipe/encode_rows.h"

bool linpred__nearly_same(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t");
        b += strspn(b, " \t");
        if (*a == '\0' || tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return *a == *b;
    }
}

/* Appends a text in quotes, unless enough are listed. `before` stands before it. */
static void append_to_list(linpred__listed *list, const char *before, const char *text)
{
    size_t used = strlen(list->text);
    if (list->count++ < LINPRED__MAX_LEVELS_SHOWN)
        snprintf(list->text + used, sizeof list->text - used, "%s'%.20s%s'", before, text,
                 strlen(text) > 20 ? "…" : "");
}

/* Says how many are not listed. */
static void close_list(linpred__listed *list)
{
    size_t used = strlen(list->text);
    if (list->count > LINPRED__MAX_LEVELS_SHOWN)
        snprintf(list->text + used, sizeof list->text - used, " and %lld more",
                 (long long)list->count - LINPRED__MAX_LEVELS_SHOWN);
}

void linpred__list_unknown_levels(linpred__encoding *work)
{
    linpred__listed *list = &work->unknown;
    for (int32_t k = 0; work->level_map && k < work->recipe->sources; k++) {
        if (!work->level_map[k])
            continue;
        const linpred__column *column = &work->table->column[work->roles->source[k]];
        char before[40];
        snprintf(before, sizeof before, "%s%.20s ", list->count > 0 ? "; " : "", column->name);
        for (int32_t i = 0; i < column->levels; i++)
            if (work->level_map[k][i] < 0) {
                append_to_list(list, before, column->level[i]);
                snprintf(before, sizeof before, ", ");
            }
    }
    close_list(list);
}

const char *linpred__known_level(const linpred__encoding *work, int32_t column, const char *level,
                                 char text[LINPRED__KNOWN_LEVEL])
{
    const char *same = NULL;
    text[0] = '\0';
    for (int32_t k = 0; k < work->recipe->sources; k++) {
        linpred__recipe_column source = linpred__recipe_source(work->recipe, k);
        if (work->roles->source[k] != column || source.type != LINPRED_COLUMN_TEXT)
            continue;
        for (int32_t l = 0; l < source.levels && !same; l++)
            same = linpred__nearly_same(source.level[l], level) ? source.level[l] : NULL;
        if (same)
            snprintf(text, LINPRED__KNOWN_LEVEL, " (did you mean '%.60s'?)", same);
        else if (source.levels == 1)
            snprintf(text, LINPRED__KNOWN_LEVEL, ": it was '%.60s' in every row there", source.level[0]);
    }
    return text;
}

/* Adds a label to the list of the rest, unless it is the label +1. */
static void list_label(linpred__encoding *work, const char *text)
{
    const char *positive = work->recipe->label[1];
    if (strcmp(text, positive) == 0)
        return;
    append_to_list(&work->rest, work->rest.count > 0 ? ", " : "", text);
    if (linpred__nearly_same(text, positive))
        append_to_list(&work->similar, work->similar.count > 0 ? ", " : "", text);
}

/* Lists the first distinct numbers that are the rest. Numbers may be as many as rows, so they are not counted: one more
   than are listed stands for any number of them. */
static void list_numbers(linpred__encoding *work)
{
    const linpred__table *table = work->table;
    double seen[LINPRED__MAX_LEVELS_SHOWN + 1];
    int count = 0;
    linpred__listed *list = &work->rest;
    for (int64_t row = 0; row < table->rows && count <= LINPRED__MAX_LEVELS_SHOWN; row++) {
        const linpred__table_block *block = &table->block[row / table->block_rows];
        int64_t r = row % table->block_rows;
        double value = table->layout == LINPRED__SPARSE ? block->target[r]
                                                        : block->values[r * table->columns + work->roles->target];
        int i = 0;
        while (i < count && seen[i] != value)
            i++;
        if (i < count || isnan(value) || value == work->recipe->label_value[1])
            continue;
        char number[LINPRED__NUMBER_BYTES];
        linpred__number_write(value, number);
        seen[count++] = value;
        list_label(work, number);
    }
    if (count > LINPRED__MAX_LEVELS_SHOWN)
        snprintf(list->text + strlen(list->text), sizeof list->text - strlen(list->text), " and others");
}

void linpred__list_rest(linpred__encoding *work)
{
    const linpred__table *table = work->table;
    int32_t target = work->roles->target;
    bool sparse = table->layout == LINPRED__SPARSE;
    if (!work->recipe->rest || !work->roles->labels || (target < 0 && !sparse))
        return;
    if (sparse || table->column[target].type != LINPRED_COLUMN_TEXT) {
        list_numbers(work);
        return;
    }
    for (int32_t i = 0; i < table->column[target].levels; i++)
        list_label(work, table->column[target].level[i]);
    close_list(&work->rest);
    close_list(&work->similar);
}
