/* The CSV reader: joins the pieces into a table.
 *
 * A column holds numbers or text. It is text if it holds words and no numbers, or if --text names it; a column with
 * words and numbers is an error. Empty fields, NA and ? are missing values. Blank lines are skipped, so in a file with
 * one column a missing value must be written as "", NA or ?. A line that begins with '#' is an error.
 */
#include "table/csv/csv.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/readers.h"
#include "table/limits.h"

/* The parsed form of a piece, made on first use; NULL if out of memory. */
static linpred__csv_piece *piece_of(const linpred__csv *csv, linpred__piece *piece)
{
    if (!piece->parsed) {
        linpred__csv_piece *made = linpred__calloc(1, sizeof *made);
        if (!made)
            return NULL;
        made->columns = csv->table->columns;
        made->tally = linpred__calloc((size_t)made->columns, sizeof *made->tally);
        if (!made->tally) {
            linpred__release(made);
            return NULL;
        }
        piece->parsed = made;
    }
    return piece->parsed;
}

static void release_piece(void *parsed)
{
    linpred__csv_piece *piece = parsed;
    for (int32_t c = 0; c < piece->columns; c++) {
        if (piece->tally[c].levels)
            linpred__dictionary_free(piece->tally[c].levels);
        linpred__release(piece->tally[c].levels);
        linpred__release(piece->tally[c].number);
    }
    linpred__release(piece->tally);
    linpred__release(piece->values);
    linpred__release(piece->scratch.text);
    linpred__release(piece->target);
    linpred__release(piece);
}

static void parse_csv_piece(void *context, linpred__piece *piece)
{
    const linpred__csv *csv = context;
    linpred__csv_piece *parsed = piece_of(csv, piece);
    if (parsed)
        linpred__csv_parse(csv, &piece->text, parsed);
}

/* Whether the column holds numbers and words, in this piece and the pieces before it together. */
static bool mixed(const linpred__csv *csv, const linpred__csv_piece *piece, int32_t column)
{
    const linpred__csv_tally *tally = &piece->tally[column];
    const linpred__csv_column *before = &csv->column[column];
    bool numbers = piece->rows > tally->missing + tally->words;
    return !before->as_text && (numbers || before->numbers) && (tally->words > 0 || before->word_line > 0);
}

/* Maps the levels of this piece to levels of the table, which keep the order of first appearance. */
static bool number_levels(linpred__csv_column *column, linpred__csv_tally *tally, int64_t lines)
{
    if (column->word_line == 0)
        column->word_line = lines + 1 + tally->word_line;
    int32_t count = tally->levels->count;
    if (!linpred__grow(&tally->number, &tally->number_capacity, (size_t)count, sizeof *tally->number))
        return false;
    for (int32_t i = 0; i < count; i++) {
        tally->number[i] = linpred__dictionary_add(&column->levels, linpred__dictionary_text(tally->levels, i),
                                                   linpred__dictionary_bytes(tally->levels, i));
        if (tally->number[i] < 0)
            return false;
    }
    return true;
}

static linpred_status merge_columns(linpred__csv *csv, const linpred__piece_text *text, linpred__csv_piece *piece,
                                    linpred_error *error)
{
    linpred__table *table = csv->table;
    for (int32_t c = 0; c < table->columns; c++)
        if (mixed(csv, piece, c))
            return linpred__csv_diagnose(csv, text, piece, error);
    for (int32_t c = 0; c < table->columns; c++) {
        linpred__csv_tally *tally = &piece->tally[c];
        linpred__csv_column *column = &csv->column[c];
        if (piece->rows > tally->missing + tally->words)
            column->numbers = true;
        if (tally->words > 0 && !number_levels(column, tally, csv->lines))
            return linpred__no_memory(error);
        if (tally->missing > 0 && table->column[c].missing == 0)
            table->column[c].first_missing_line = csv->lines + 1 + tally->missing_line;
        table->column[c].missing += tally->missing;
        if (tally->altered > 0 && table->column[c].altered == 0)
            table->column[c].first_altered_line = csv->lines + 1 + tally->altered_line;
        table->column[c].altered += tally->altered;
    }
    return LINPRED_OK;
}

/* Adds blocks to the table for the rows of this piece, and notes in the piece where the rows go. */
static bool add_csv_rows(linpred__csv *csv, linpred__csv_piece *piece)
{
    linpred__table *table = csv->table;
    int64_t rows = table->rows + piece->rows;
    int64_t blocks = (rows + table->block_rows - 1) / table->block_rows;
    if (!linpred__grow(&table->block, &csv->blocks_capacity, (size_t)blocks, sizeof *table->block))
        return false;
    for (; table->blocks < blocks; table->blocks++) {
        linpred__table_block *block = &table->block[table->blocks];
        *block = (linpred__table_block){.rows = table->block_rows};
        block->values = linpred__alloc((size_t)table->block_rows, (size_t)table->columns * sizeof *block->values);
        if (!block->values)
            return false;
    }
    int64_t first = table->rows / table->block_rows;
    if (!linpred__grow(&piece->target, &piece->targets_capacity, (size_t)(blocks - first), sizeof *piece->target))
        return false;
    for (int64_t i = first; i < blocks; i++)
        piece->target[i - first] = table->block[i].values;
    piece->first_row = table->rows;
    table->rows = rows;
    return true;
}

static linpred_status merge_csv_piece(void *context, linpred__piece *piece, linpred_error *error)
{
    linpred__csv *csv = context;
    linpred__csv_piece *parsed = piece->parsed;
    if (!parsed || parsed->no_memory || parsed->scratch.no_memory)
        return linpred__no_memory(error);
    if (parsed->has_error)
        return linpred__csv_diagnose(csv, &piece->text, parsed, error);
    linpred_status status = merge_columns(csv, &piece->text, parsed, error);
    if (status != LINPRED_OK)
        return status;
    if (parsed->rows > 0 && !add_csv_rows(csv, parsed))
        return linpred__no_memory(error);
    csv->lines += parsed->lines;
    return LINPRED_OK;
}

/* Replaces level numbers of the piece by level numbers of the table. */
static void renumber_words(linpred__csv_piece *piece)
{
    for (int32_t c = 0; c < piece->columns; c++) {
        const linpred__csv_tally *tally = &piece->tally[c];
        if (tally->words == 0)
            continue;
        double *value = piece->values + c;
        for (int64_t r = 0; r < piece->rows; r++, value += piece->columns)
            if (*value >= 0.0) /* false for a missing value, which is NaN */
                *value = tally->number[(int32_t)*value];
    }
}

static void store_csv_piece(void *context, linpred__piece *piece)
{
    const linpred__csv *csv = context;
    linpred__csv_piece *parsed = piece->parsed;
    if (parsed->any_words)
        renumber_words(parsed);
    int64_t block_rows = csv->table->block_rows;
    size_t columns = (size_t)parsed->columns;
    const double *from = parsed->values;
    int64_t at = parsed->first_row % block_rows;
    int64_t left = parsed->rows;
    for (int64_t i = 0; left > 0; i++, at = 0) {
        int64_t rows = left < block_rows - at ? left : block_rows - at;
        memcpy(parsed->target[i] + (size_t)at * columns, from, (size_t)rows * columns * sizeof *from);
        from += (size_t)rows * columns;
        left -= rows;
    }
}

/* Copies the levels into the column and frees the dictionary, so that only one column's levels are in memory twice. */
static bool name_levels(linpred__column *column, linpred__dictionary *levels)
{
    column->level = linpred__calloc((size_t)levels->count, sizeof *column->level);
    if (!column->level)
        return false;
    for (int32_t i = 0; i < levels->count; i++) {
        column->level[i] =
            linpred__copy_text(linpred__dictionary_text(levels, i), linpred__dictionary_bytes(levels, i));
        if (!column->level[i])
            return false;
        column->levels = i + 1;
    }
    linpred__dictionary_free(levels);
    return true;
}

/* Sets the types of the columns and cuts the last block to its rows. */
static linpred_status complete_csv(linpred__csv *csv, bool may_be_empty, linpred_error *error)
{
    linpred__table *table = csv->table;
    if (table->rows == 0 && !may_be_empty)
        return linpred__fail(error, LINPRED_ERROR_INPUT, "%s: the file has column names, but no rows",
                             csv->source->name);
    for (int32_t c = 0; c < table->columns; c++) {
        linpred__column *column = &table->column[c];
        bool text = csv->column[c].word_line > 0;
        column->type = text                     ? LINPRED_COLUMN_TEXT
                       : csv->column[c].numbers ? LINPRED_COLUMN_NUMBER
                                                : LINPRED_COLUMN_EMPTY;
        if (text && !name_levels(column, &csv->column[c].levels))
            return linpred__no_memory(error);
    }
    table->entries = table->rows * table->columns;
    if (table->rows == 0)
        return LINPRED_OK;
    linpred__table_block *last = &table->block[table->blocks - 1];
    last->rows = (int32_t)(table->rows - (table->blocks - 1) * table->block_rows);
    double *fitted = linpred__resize(last->values, (size_t)last->rows, (size_t)table->columns * sizeof *last->values);
    if (fitted)
        last->values = fitted;
    return LINPRED_OK;
}

linpred_status linpred__csv_read(linpred__source *source, const linpred_options *options, linpred__pool *pool,
                                 linpred__table *table, linpred_error *error)
{
    linpred__csv csv = {.source = source, .table = table};
    source->quotes = true;
    if (source->piece_bytes == 0)
        source->piece_bytes = LINPRED__PIECE_BYTES;
    table->layout = LINPRED__DENSE;
    linpred_status status = linpred__csv_head(&csv, options, error);
    if (status == LINPRED_OK) {
        table->block_rows = linpred__block_rows(table->columns);
        linpred__piece_work work = {&csv, parse_csv_piece, merge_csv_piece, store_csv_piece, release_piece};
        int64_t before = csv.lines;
        status = linpred__pieces_run(source, pool, &work, error);
        /* Blank lines and line ends in quotes make more lines than rows. */
        table->first_row_line = csv.lines - before == table->rows ? before + 1 : 0;
    }
    if (status == LINPRED_OK)
        status = complete_csv(&csv, options->may_be_empty, error);
    for (int32_t c = 0; csv.column && c < table->columns; c++)
        linpred__dictionary_free(&csv.column[c].levels);
    linpred__release(csv.column);
    linpred__release(csv.number_run);
    return status;
}
