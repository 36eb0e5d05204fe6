/* Do the files have the same columns, and what must all of them be read as? The first file that has any bytes says
 * what the columns are. Then one head for all rows. */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/cells/dictionary.h"
#include "table/files/files.h"

static const char same_columns[] = "all files of one data set have the same columns, in the same order";

/* The first file with a table; NULL if all are empty. */
static const linpred__table *first_table(const linpred__files *files)
{
    int64_t i = 0;
    while (i + 1 < files->count && !files->table[i])
        i++;
    return files->table[i];
}

/* ---- the columns ------------------------------------------------------------------------------------------------- */

static linpred_status compare_columns(const linpred__table *first, const linpred__table *other, linpred_error *error)
{
    char name[LINPRED__EXCERPT], wanted[LINPRED__EXCERPT];
    if (first->layout != other->layout)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s is %s, but %s is %s: all files of one data set are alike",
                             other->name, other->format, first->name, first->format);
    if (first->layout == LINPRED__SPARSE)
        return LINPRED_OK;
    if (first->columns != other->columns)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s has %d column%s, but %s has %d; %s", other->name,
                             other->columns, other->columns == 1 ? "" : "s", first->name, first->columns, same_columns);
    if (first->has_names != other->has_names)
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "%s begins with %s, but %s with %s: all files begin with the names of the columns, or none "
            "(--header yes or --header no says which)",
            other->name, other->has_names ? "names" : "a row", first->name, first->has_names ? "names" : "a row");
    for (int32_t c = 0; c < first->columns; c++)
        if (strcmp(first->column[c].name, other->column[c].name) != 0)
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, c + 1,
                                    "%s: column %d is called '%s', but '%s' in %s; %s", other->name, (int)c + 1,
                                    linpred__excerpt(other->column[c].name, strlen(other->column[c].name), name),
                                    linpred__excerpt(first->column[c].name, strlen(first->column[c].name), wanted),
                                    first->name, same_columns);
    if (first->row_names != other->row_names || first->weights != other->weights)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s and %s differ in their %s; %s", first->name, other->name,
                             first->weights != other->weights ? "row weights" : "row names", same_columns);
    return LINPRED_OK;
}

/* Whether the file has read the column as numbers, so that it must be read again if the column is text in others. */
static bool holds_no_text(const linpred__column *column)
{
    return column->type == LINPRED_COLUMN_NUMBER || (column->type == LINPRED_COLUMN_EMPTY && column->marker);
}

/* A column with words in one file and numbers in another is text in all. */
static linpred_status agree_on_text(const linpred__files *files, int32_t c, linpred__agreement *agreement, bool *again,
                                    linpred_error *error)
{
    int64_t word = 0, numbers = 0;
    while (word < files->count && !(files->table[word] && files->table[word]->column[c].type == LINPRED_COLUMN_TEXT))
        word++;
    while (numbers < files->count && !(files->table[numbers] && holds_no_text(&files->table[numbers]->column[c])))
        numbers++;
    if (word == files->count || numbers == files->count || agreement->text[c])
        return LINPRED_OK;
    agreement->text[c] = true;
    agreement->odd[c] = word;
    for (int64_t i = 0; i < files->count; i++) {
        const linpred__table *table = files->table[i];
        if (!table || !holds_no_text(&table->column[c]))
            continue;
        again[i] = true;
        if (table->archived)
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, c + 1,
                                    "%s: column '%.60s' was converted as numbers, but is text in %s; convert the "
                                    "sources together, or each with --text and this column",
                                    table->name, table->column[c].name, files->path[word]);
        if (!table->reading.known)
            return linpred__fail_at(error, LINPRED_ERROR_INPUT, 0, c + 1,
                                    "%s: column '%.60s' holds numbers, but text in %s; %s, of the same type",
                                    table->name, table->column[c].name, files->path[word], same_columns);
    }
    return LINPRED_OK;
}

/* Decimal mark and first index: what one file tells holds for all. */
static void agree_on_marks(const linpred__files *files, linpred__agreement *agreement, bool *again)
{
    bool comma = false, zero = false;
    for (int64_t i = 0; i < files->count; i++) {
        const linpred__table *table = files->table[i];
        comma = comma || (table && table->reading.known && table->reading.decimal == ',');
        zero = zero || (table && table->index_base == 0);
    }
    for (int64_t i = 0; i < files->count; i++) {
        const linpred__table *table = files->table[i];
        bool as_text = table && table->reading.known && !table->archived;
        if (as_text && comma && !agreement->comma && table->reading.decimal != ',')
            again[i] = true;
        if (table && zero && !agreement->zero && table->index_base == 1)
            again[i] = true;
    }
    agreement->comma = comma;
    agreement->zero = zero;
}

linpred_status linpred__files_agree(const linpred__files *files, linpred__agreement *agreement, bool *again,
                                    linpred_error *error)
{
    const linpred__table *first = first_table(files);
    linpred_status status = LINPRED_OK;
    memset(again, 0, (size_t)files->count * sizeof *again);
    if (!first)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: this file is empty, and so are the others",
                             files->path[0]);
    for (int64_t i = 0; i < files->count && status == LINPRED_OK; i++)
        if (files->table[i])
            status = compare_columns(first, files->table[i], error);
    if (status != LINPRED_OK)
        return status;
    agree_on_marks(files, agreement, again);
    bool marked = true; /* words may be numbers once all files have the same decimal mark */
    for (int64_t i = 0; i < files->count; i++)
        marked = marked && !again[i];
    if (!first->column || !marked)
        return LINPRED_OK;
    if (!agreement->text) {
        agreement->columns = first->columns;
        agreement->text = linpred__calloc((size_t)first->columns, sizeof *agreement->text);
        agreement->odd = linpred__calloc((size_t)first->columns, sizeof *agreement->odd);
        if (!agreement->text || !agreement->odd)
            return linpred__files_no_memory(files, error);
    }
    for (int32_t c = 0; c < first->columns && status == LINPRED_OK; c++)
        status = agree_on_text(files, c, agreement, again, error);
    return status;
}

/* ---- the head of all --------------------------------------------------------------------------------------------- */

/* The row of all files of a row of one; 0 stays 0: it is not known. */
static int64_t row_of_all(const linpred__table *all, int64_t file, int64_t row)
{
    return row > 0 ? all->file[file].first_row + row : 0;
}

/* Adds what a file says of column c. False if out of memory. */
static bool add_file_column(linpred__table *all, int32_t c, const linpred__table *table, int64_t file)
{
    const linpred__column *from = &table->column[c];
    linpred__column *column = &all->column[c];
    if (from->missing > 0 && column->missing == 0)
        column->first_missing_line = row_of_all(all, file, from->first_missing_line);
    column->missing += from->missing;
    if (from->altered > 0 && column->altered == 0)
        column->first_altered_line = row_of_all(all, file, from->first_altered_line);
    column->altered += from->altered;
    column->long_numbers = column->long_numbers || from->long_numbers;
    column->typed_text = column->typed_text || from->typed_text;
    if (!column->marker)
        column->marker = from->marker;
    if (from->type == LINPRED_COLUMN_TEXT || column->type == LINPRED_COLUMN_EMPTY)
        column->type = from->type;
    if (from->refusal && !column->refusal) {
        column->refusal_line = row_of_all(all, file, from->refusal_line);
        column->refusal = linpred__copy_text(from->refusal, strlen(from->refusal));
        if (!column->refusal)
            return false;
    }
    if (!from->odd || column->odd)
        return true;
    column->odd_line = row_of_all(all, file, from->odd_line);
    column->odd = linpred__copy_text(from->odd, strlen(from->odd));
    column->own_why = from->odd_why ? linpred__copy_text(from->odd_why, strlen(from->odd_why)) : NULL;
    column->odd_why = column->own_why;
    return column->odd && (column->own_why || !from->odd_why);
}

bool linpred__list_levels(const linpred__column *column, linpred__dictionary *levels, int32_t *number)
{
    for (int32_t k = 0; k < column->levels; k++) {
        int32_t found = linpred__dictionary_add(levels, column->level[k], strlen(column->level[k]));
        if (found < 0)
            return false;
        if (number)
            number[k] = found;
    }
    return true;
}

/* The levels of all files, in the order in which they come. The recipe sorts them. */
static bool unite_levels(const linpred__files *files, int32_t c, linpred__column *column)
{
    linpred__dictionary levels = {0};
    bool whole = true;
    for (int64_t i = 0; i < files->count && whole; i++)
        whole = !files->table[i] || linpred__list_levels(&files->table[i]->column[c], &levels, NULL);
    whole = whole && linpred__column_name_levels(column, &levels);
    linpred__dictionary_free(&levels);
    return whole;
}

/* A column that is text in all files, because one of them has words: the first word is why. */
static bool name_word(const linpred__files *files, const linpred__agreement *agreement, int32_t c, linpred__table *all)
{
    linpred__column *column = &all->column[c];
    int64_t file = agreement->odd[c];
    const linpred__column *from = &files->table[file]->column[c];
    if (!agreement->text[c] || column->odd || from->levels == 0)
        return true;
    column->odd = linpred__copy_text(from->level[0], strlen(from->level[0]));
    column->odd_line = row_of_all(all, file, from->first_word_row);
    column->odd_why = "is not a number";
    return column->odd != NULL;
}

static bool add_columns(const linpred__files *files, const linpred__agreement *agreement, linpred__table *all)
{
    const linpred__table *first = first_table(files);
    all->column = linpred__calloc((size_t)all->columns, sizeof *all->column);
    bool whole = all->column != NULL;
    for (int32_t c = 0; c < all->columns && whole; c++) {
        linpred__column *column = &all->column[c];
        column->use = first->column[c].use;
        column->name = linpred__copy_text(first->column[c].name, strlen(first->column[c].name));
        whole = column->name != NULL;
        for (int64_t i = 0; i < files->count && whole; i++)
            if (files->table[i])
                whole = add_file_column(all, c, files->table[i], i);
        if (whole && column->type == LINPRED_COLUMN_TEXT)
            whole = unite_levels(files, c, column) && name_word(files, agreement, c, all);
    }
    return whole;
}

/* Takes the notes of all files over; of those that say the same of the same column, the first. */
static void add_notes(const linpred__table *table, linpred__table *all)
{
    for (int32_t i = 0; i < table->notes; i++) {
        const linpred__remark *about = &table->note[i].about;
        bool known = false;
        for (int32_t k = 0; k < all->notes; k++)
            known = known ||
                    (all->note[k].about.kind == about->kind && strcmp(all->note[k].about.column, about->column) == 0);
        if (!known)
            linpred__table_note(all, *about, "%s", table->note[i].sentence);
    }
}

/* Where each file begins, for messages. */
static bool list_files(const linpred__files *files, linpred__table *all)
{
    all->file = linpred__calloc((size_t)files->count, sizeof *all->file);
    for (int64_t i = 0; all->file && i < files->count; i++) {
        const linpred__table *table = files->table[i];
        linpred__table_file *file = &all->file[i];
        file->name = linpred__copy_text(files->path[i], strlen(files->path[i]));
        if (!file->name)
            return false;
        all->files = i + 1;
        file->first_row = all->rows;
        file->first_line = table && !table->lines_are_rows ? table->first_row_line : 0;
        if (table && !linpred__append_row_lines(&file->row_lines, &table->row_lines, 0, 0))
            return false;
        all->rows += table ? table->rows : 0;
        all->entries += table ? table->entries : 0;
    }
    return all->file != NULL;
}

/* "part-1.csv and 2 more files" */
static bool name_all(const linpred__files *files, linpred__table *all)
{
    char name[400];
    snprintf(name, sizeof name, "%.300s and %lld more file%s", files->path[0], (long long)files->count - 1,
             files->count == 2 ? "" : "s");
    all->name = linpred__copy_text(name, strlen(name));
    return all->name != NULL;
}

linpred_status linpred__files_head(const linpred__files *files, const linpred__agreement *agreement,
                                   linpred__table **out, linpred_error *error)
{
    const linpred__table *first = first_table(files);
    linpred__table *all = linpred__calloc(1, sizeof *all);
    if (!all)
        return linpred__files_no_memory(files, error);
    all->layout = first->layout;
    all->columns = first->columns;
    all->decimal = true;
    all->has_names = first->has_names;
    all->repeated_names = first->repeated_names;
    all->row_names = first->row_names;
    all->weights = first->weights;
    all->index_base = first->index_base;
    all->lines_are_rows = true;
    all->first_row_line = 1;
    memcpy(all->format, first->format, sizeof all->format);
    bool whole =
        name_all(files, all) && linpred__reading_copy(&all->reading, &first->reading) && list_files(files, all);
    for (int64_t i = 0; i < files->count && whole; i++) {
        const linpred__table *table = files->table[i];
        if (!table)
            continue;
        all->columns = table->columns > all->columns ? table->columns : all->columns;
        all->decimal = all->decimal && table->decimal;
        if (table->altered > 0 && all->altered == 0)
            all->first_altered_line = row_of_all(all, i, table->first_altered_line);
        all->altered += table->altered;
        add_notes(table, all);
    }
    /* Blocks are as long as those of one file that holds all rows. */
    all->block_rows = first->block_rows;
    if (whole && all->layout == LINPRED__SPARSE && first->one_piece && all->rows > 0)
        all->block_rows = linpred__block_rows((double)all->entries / (double)all->rows);
    if (whole && first->column)
        whole = add_columns(files, agreement, all);
    if (!whole) {
        linpred__table_free(all);
        return linpred__files_no_memory(files, error);
    }
    *out = all;
    return LINPRED_OK;
}
