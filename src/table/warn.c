/* Warnings about data that was read without an error: columns that look like identifiers, numbers that were rounded
 * when read, LIBSVM entries of unknown features, a missing column of row weights. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/fast.h"
#include "table/column_notes.h"
#include "table/columns.h"
#include "table/limits.h"
#include "table/recipe/encode_rows.h"

/* Adds a warning. After LINPRED__WARNINGS of them further ones are dropped. */
static void warn(linpred_data *data, linpred__remark about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void warn(linpred_data *data, linpred__remark about, const char *format, ...)
{
    if (data->warnings == LINPRED__WARNINGS)
        return;
    linpred__warning *warning = &data->warning[data->warnings++];
    warning->about = about;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(warning->sentence, sizeof warning->sentence, format, arguments);
    va_end(arguments);
    linpred__mend_utf8(warning->sentence);
}

/* Warns of text columns in which the number of levels is at least 9/10 of the number of values. */
static void warn_of_identifiers(linpred_data *data, const linpred__table *table, const linpred__roles *roles,
                                int32_t sources)
{
    for (int32_t k = 0; k < sources; k++) {
        const linpred__column *column = &table->column[roles->source[k]];
        int64_t values = table->rows - column->missing;
        if (column->type == LINPRED_COLUMN_TEXT && column->levels >= LINPRED__MIN_IDENTIFIERS &&
            10 * (int64_t)column->levels >= 9 * values)
            warn(data, linpred__remark_of(LINPRED__NOTE_IDENTIFIER, column->name, column->levels, 0),
                 "%s: text column '%.60s' looks like an identifier: it has %d different values in %lld rows, and each "
                 "becomes a feature; leave it out with --drop",
                 table->name, column->name, column->levels, (long long)values);
    }
}

/* Whether feature j counts the rows of the file: its value in row i (1-based, dropped rows included) is c + i, with the
   same whole number c in every row. Sets *first and *last to the values in the first and the last row of the data. */
static bool counts_rows(const linpred_data *data, int32_t j, int64_t *first, int64_t *last)
{
    double value = linpred__block_at(data, 0)->values[j];
    if (!(fabs(value) < 0x1p53) || value != floor(value)) /* beyond 2^53 neighbours are not distinct doubles */
        return false;
    int64_t offset = (int64_t)value - linpred_data_source_row(data, 0);
    for (int64_t b = 0; b < data->blocks; b++) {
        const linpred__block *block = linpred__block_at(data, b);
        for (int32_t r = 0; r < block->rows; r++) {
            int64_t counted = offset + linpred_data_source_row(data, block->first_row + r);
            if (block->values[r * block->stride + j] != (double)counted)
                return false;
        }
    }
    *first = (int64_t)value;
    *last = offset + linpred_data_source_row(data, data->rows - 1);
    return true;
}

/* In a typed file text is text, also "12". A column of such text was probably imported without types. */
static void warn_of_number_texts(linpred_data *data, const linpred__table *table, const linpred__roles *roles,
                                 int32_t sources)
{
    for (int32_t k = 0; k < sources; k++) {
        const linpred__column *column = &table->column[roles->source[k]];
        double value;
        int32_t i = 0;
        while (column->typed_text && i < column->levels &&
               linpred__number_read(column->level[i], strlen(column->level[i]), &value) == LINPRED__NUMBER)
            i++;
        if (column->typed_text && i == column->levels)
            warn(
                data, linpred__remark_of(LINPRED__NOTE_NUMBER_TEXTS, column->name, column->levels, 0),
                "%s: column '%.60s' is stored as text, though all its %d different values are numbers; each becomes an "
                "indicator unless the file stores them as numbers",
                table->name, column->name, column->levels);
    }
}

static void warn_of_row_numbers(linpred_data *data, const linpred__table *table, const linpred__recipe *recipe)
{
    bool alone = recipe->sources == 1; /* the only feature cannot be left out */
    if (data->layout != LINPRED__DENSE || data->rows < LINPRED__MIN_IDENTIFIERS || alone)
        return;
    for (int32_t k = 0, j = 0; k < recipe->sources; k++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, k);
        int64_t first, last;
        if (source.type == LINPRED_COLUMN_NUMBER && counts_rows(data, j, &first, &last))
            warn(data, linpred__remark_of(LINPRED__NOTE_ROW_NUMBERS, source.name, data->rows, 0),
                 "%s: column '%.60s' looks like an identifier: it counts the rows from %lld to %lld; leave it out with "
                 "--drop unless it is meant as a feature",
                 table->name, source.name, (long long)first, (long long)last);
        j += linpred__recipe_column_features(&source);
    }
}

static void warn_of_altered(linpred_data *data, const linpred__table *table, linpred__remark note, const char *where)
{
    char at[LINPRED__LINE_TEXT];
    if (note.count > 0)
        warn(data, note,
             "%s%s%s: a whole number above 2^53, or a number below 2.2e-308, is rounded to the nearest double; "
             "there %s %lld such number%s",
             table->name, linpred__table_place(table, note.line, at), where, note.count == 1 ? "is" : "are",
             (long long)note.count, linpred__plural((double)note.count));
}

/* One warning for all columns that are used; it names the first line with such a number. */
static void warn_of_altered_columns(linpred_data *data, const linpred__table *table, const linpred__roles *roles,
                                    int32_t sources)
{
    int64_t count = 0;
    const linpred__column *first = NULL;
    for (int32_t k = -2; k < sources; k++) {
        int32_t i = k == -2 ? roles->target : k == -1 ? roles->weights : roles->source[k];
        if (i < 0 || table->column[i].altered == 0)
            continue;
        count += table->column[i].altered;
        if (!first || table->column[i].first_altered_line < first->first_altered_line)
            first = &table->column[i];
    }
    if (count == 0)
        return;
    char where[100];
    snprintf(where, sizeof where, ": column %d (%.60s)", (int)(first - table->column) + 1, first->name);
    warn_of_altered(data, table,
                    linpred__remark_of(LINPRED__NOTE_ALTERED_NUMBERS, first->name, count, first->first_altered_line),
                    where);
}

/* One warning for all columns that are text because of single cells; it names the first such cell. */
static void warn_of_odd_columns(linpred_data *data, const linpred__table *table)
{
    int32_t count = 0, first = -1;
    for (int32_t i = 0; i < table->columns; i++) {
        if (!table->column[i].odd)
            continue;
        count++;
        if (first < 0 || table->column[i].odd_line < table->column[first].odd_line)
            first = i;
    }
    if (first < 0)
        return;
    char others[80] = "", excerpt[LINPRED__EXCERPT], at[LINPRED__LINE_TEXT], advice[LINPRED__NA_ADVICE];
    const linpred__column *column = &table->column[first];
    if (count > 1)
        snprintf(others, sizeof others, "; so %s %d more column%s (linpred inspect shows them)",
                 count == 2 ? "is" : "are", count - 1, count == 2 ? "" : "s");
    warn(data, linpred__remark_of(LINPRED__NOTE_READ_AS_TEXT, column->name, count, column->odd_line),
         "%s%s: column %d (%.60s) is read as text, because '%s' %s%s%s", table->name,
         linpred__table_place(table, column->odd_line, at), first + 1, column->name,
         linpred__excerpt(column->odd, strlen(column->odd), excerpt), column->odd_why,
         linpred__na_advice(table, column, advice), others);
}

/* One warning for all rows whose level the recipe does not have; it shows where the first is, and lists the levels. */
static void warn_of_unknown_levels(linpred_data *data, const linpred__encoding *work, const linpred__cell_found *first,
                                   int64_t rows)
{
    const linpred__table *table = work->table;
    if (first->row == 0)
        return;
    bool several = work->unknown.count > 1;
    const linpred__column *column = &table->column[first->column];
    char at[LINPRED__LINE_TEXT], known[LINPRED__KNOWN_LEVEL];
    warn(
        data,
        linpred__remark_of(LINPRED__NOTE_UNKNOWN_LEVEL, column->name, rows, linpred__table_line(table, first->row - 1)),
        "%s%s: column '%.60s' has the value '%.60s', which was not in the data of the fit%s; such values%s%s%s are in "
        "%lld row%s, %s",
        table->name, linpred__table_line_text(table, first->row - 1, at), column->name,
        column->level[(int64_t)first->value],
        linpred__known_level(work, first->column, column->level[(int64_t)first->value], known), several ? " (" : "",
        several ? work->unknown.text : "", several ? ")" : "", (long long)rows, rows == 1 ? "" : "s",
        data->unknown_as_zero > 0 ? "and all indicators of the column are 0 there" : "which cannot be scored");
}

/* Of several columns with the name of one that a model needs, one is taken; and the only one, where the fit had
   several. It is told which. */
static void warn_of_repeated_names(linpred_data *data, const linpred__table *table, const linpred__recipe *recipe,
                                   const linpred__roles *roles)
{
    for (int32_t k = 0; k < recipe->sources && recipe->source; k++) {
        linpred__recipe_column source = linpred__recipe_source(recipe, k);
        int32_t column = roles->source[k];
        if (source.occurrence == 0 || column < 0)
            continue;
        bool several = linpred__column_occurrence(table, column) > 0;
        warn(data, linpred__remark_of(LINPRED__NOTE_REPEATED_NAME, source.name, source.occurrence, table->names_line),
             several ? "%s: several columns are called '%.60s'; number %d of them is taken, column %d, as in the fit"
                     : "%s: the fit had several columns called '%.60s', and took number %d of them; here the only one, "
                       "column %d, is taken: make sure that it is the same",
             table->name, source.name, (int)source.occurrence, (int)column + 1);
    }
}

LINPRED__FAST static int64_t count_equal(const double *x, int64_t count, double value)
{
    int64_t equal = 0;
    for (int64_t i = 0; i < count; i++)
        equal += x[i] == value;
    return equal;
}

/* Warns of a regression whose targets are 0 and 1 alone, which are probably labels. */
static void warn_of_binary_target(linpred_data *data, const linpred__table *table, const linpred__recipe *recipe)
{
    int64_t ones = 0;
    for (int64_t b = 0; b < data->blocks; b++) {
        const linpred__block *block = &data->block[b];
        int64_t ones_here = count_equal(block->target, block->rows, 1.0);
        if (ones_here + count_equal(block->target, block->rows, 0.0) < block->rows)
            return;
        ones += ones_here;
    }
    if (ones > 0 && ones < data->rows && data->rows >= LINPRED__MIN_IDENTIFIERS)
        warn(data, linpred__remark_of(LINPRED__NOTE_BINARY_TARGET, recipe->target, data->rows, 0),
             "%s: the target '%.60s' is 0 or 1 in every row; if these are labels, linpred fit logistic learns their "
             "probabilities",
             table->name, recipe->target);
}

/* Says which labels are taken as the rest, so that neither a misspelt nor a new label is taken without a word. */
static void warn_of_rest(linpred_data *data, const linpred__encoding *work)
{
    const linpred__recipe *recipe = work->recipe;
    if (work->rest.count == 0)
        return;
    char similar[400] = "";
    if (work->similar.count > 0)
        snprintf(similar, sizeof similar,
                 "; %s differ%s from '%.40s' in capitals or blanks only: write them alike if "
                 "they mean the same",
                 work->similar.text, work->similar.count == 1 ? "s" : "", recipe->label[1]);
    warn(data, linpred__remark_of(LINPRED__NOTE_REST_LABELS, recipe->target, work->rest.count, 0),
         "%s: of '%.60s', %s count%s as '%.60s'%s", work->table->name, recipe->target, work->rest.text,
         work->rest.count == 1 ? "s" : "", recipe->label[0], similar);
}

void linpred__warn_of_features(linpred_data *data, const linpred__table *table, const linpred__recipe *recipe,
                               const linpred__roles *roles)
{
    if (roles->fresh) {
        warn_of_identifiers(data, table, roles, recipe->sources);
        warn_of_number_texts(data, table, roles, recipe->sources);
        warn_of_row_numbers(data, table, recipe);
    }
    warn_of_altered_columns(data, table, roles, recipe->sources);
}

void linpred__warn(linpred_data *data, const linpred__encoding *work, const linpred__block_found *found)
{
    const linpred__table *table = work->table;
    const linpred__recipe *recipe = work->recipe;
    const linpred__roles *roles = work->roles;
    int64_t unused_entries = roles->fresh ? 0 : found->unused;
    if (roles->fresh && recipe->real_target)
        warn_of_binary_target(data, table, recipe);
    warn_of_rest(data, work);
    if (!table->column) {
        warn_of_altered(
            data, table,
            linpred__remark_of(LINPRED__NOTE_ALTERED_NUMBERS, NULL, table->altered, table->first_altered_line), "");
        if (unused_entries > 0)
            warn(data, linpred__remark_of(LINPRED__NOTE_UNKNOWN_FEATURES, NULL, unused_entries, 0),
                 "%s: %lld entr%s left out because the model has no feature after '%.60s'", table->name,
                 (long long)unused_entries, unused_entries == 1 ? "y is" : "ies are",
                 linpred__recipe_source(recipe, recipe->sources - 1).name);
        return;
    }
    for (int32_t i = 0; i < table->notes; i++)
        warn(data, table->note[i].about, "%s", table->note[i].sentence);
    warn_of_odd_columns(data, table);
    if (roles->labels && recipe->weights && roles->weights < 0)
        warn(data, linpred__remark_of(LINPRED__NOTE_NO_WEIGHTS, recipe->weights, -1, 0),
             "%s: there is no column '%.60s', which held the row weights of the fit, so each row counts once",
             table->name, recipe->weights);
    if (!roles->fresh && table->has_names)
        warn_of_repeated_names(data, table, recipe, roles);
    warn_of_unknown_levels(data, work, &found->unknown, found->unknown_rows);
    linpred__warn_of_features(data, table, recipe, roles);
}
