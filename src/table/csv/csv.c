/* The CSV reader: joins the pieces into a table.
 *
 * Only columns that are used are judged. Such a column is numbers if every value can be read as a number, else text. A
 * column in which words turn up beside numbers is text, so the spelling of its numbers is needed: the file is read
 * again from its beginning. Empty fields, NA and ? are missing values; N/A, NULL and the like are so among numbers.
 * Blank lines are skipped; but in a file of one column they are missing values, up to the last row.
 */
#include "table/csv/csv.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "table/columns.h"
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
        for (int32_t c = 0; c < made->columns; c++)
            made->tally[c].odd = -1;
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
    linpred__row_lines_clear(&piece->row_lines);
    linpred__release(piece->scratch.text);
    linpred__release(piece->mended.text);
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

/* How many numbers the piece holds in a column. */
static int64_t count_numbers(const linpred__csv_piece *piece, const linpred__csv_tally *tally)
{
    return piece->rows - tally->missing - tally->marked - tally->words;
}

/* Keeps the place of a cell, unless one is kept; false if out of memory. */
static bool keep_place(linpred__csv_place *place, const linpred__dictionary *levels, int32_t level, int64_t line)
{
    if (place->text)
        return true;
    place->line = line;
    place->text = linpred__copy_text(linpred__dictionary_text(levels, level), linpred__dictionary_bytes(levels, level));
    return place->text != NULL;
}

/* Looks for numbers and words in one column, in this piece and the pieces before it together. Such a column is text
   when the file is read again. False if out of memory. */
static bool find_mixed(linpred__csv *csv, int32_t c)
{
    linpred__csv_column *column = &csv->column[c];
    bool by_values = column->use == LINPRED__USED || column->use == LINPRED__USED_AS_DAYS;
    if (!by_values || !column->numbers || column->word_line == 0 || csv->must_be_text[c])
        return true;
    linpred__release(csv->odd[c].text);
    csv->odd[c].text = NULL;
    csv->must_be_text[c] = csv->again = true;
    return keep_place(&csv->odd[c], &column->levels, 0, column->word_line);
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

/* Adds up what the pieces tell about a column; false if out of memory. */
static bool merge_column(linpred__csv *csv, const linpred__csv_piece *piece, int32_t c)
{
    linpred__csv_tally *tally = &piece->tally[c];
    linpred__csv_column *column = &csv->column[c];
    linpred__column *shown = &csv->table->column[c];
    int64_t first = csv->lines + 1;
    if (count_numbers(piece, tally) > 0)
        column->numbers = true;
    if (tally->words > 0 && !number_levels(column, tally, csv->lines))
        return false;
    if (tally->odd >= 0 && !keep_place(&csv->odd[c], tally->levels, tally->odd, first + tally->odd_line))
        return false;
    if (tally->missing > 0 && shown->missing == 0)
        shown->first_missing_line = first + tally->missing_line;
    shown->missing += tally->missing;
    if (tally->altered > 0 && shown->altered == 0)
        shown->first_altered_line = first + tally->altered_line;
    shown->altered += tally->altered;
    shown->long_numbers = shown->long_numbers || tally->long_numbers;
    if (tally->marked > 0 && column->marked == 0) {
        column->marked_line = first + tally->marked_line;
        column->first_marker = tally->first_marker;
    }
    column->marked += tally->marked;
    column->markers |= tally->markers;
    if (tally->grouped > 0 && column->grouped == 0)
        column->grouped_line = first + tally->grouped_line;
    column->grouped += tally->grouped;
    column->grouped_only += tally->grouped_only;
    column->groups |= tally->groups;
    if (tally->codes > 0 && column->codes == 0) {
        column->code_line = first + tally->code_line;
        memcpy(column->code, tally->code, sizeof column->code);
    }
    column->codes += tally->codes;
    return find_mixed(csv, c);
}

/* Adds blocks to the table for the rows of this piece, and notes in the piece where the rows go. */
static bool add_csv_rows(linpred__csv *csv, linpred__csv_piece *piece)
{
    linpred__table *table = csv->table;
    int64_t rows = table->rows + piece->rows;
    if (!linpred__table_add_blocks(table, &csv->blocks_capacity, rows))
        return false;
    int64_t first = table->rows / table->block_rows, blocks = table->blocks;
    if (!linpred__grow(&piece->target, &piece->targets_capacity, (size_t)(blocks - first), sizeof *piece->target))
        return false;
    for (int64_t i = first; i < blocks; i++)
        piece->target[i - first] = table->block[i].values;
    piece->first_row = table->rows;
    table->rows = rows;
    return true;
}

/* Adds up what the pieces tell about lines. */
static void merge_lines(linpred__csv *csv, const linpred__csv_piece *piece)
{
    csv->broken_utf8 = csv->broken_utf8 || piece->broken_utf8;
    if (piece->hidden_rows > 0 && csv->hidden_rows == 0)
        csv->hidden_line = csv->lines + 1 + piece->hidden_line;
    csv->hidden_rows += piece->hidden_rows;
    csv->blank_rows += piece->blank_rows;
    csv->last_blank_rows = piece->last_blank_rows + (piece->last_blank_rows == piece->rows ? csv->last_blank_rows : 0);
}

static linpred_status merge_csv_piece(void *context, linpred__piece *piece, linpred_error *error)
{
    linpred__csv *csv = context;
    linpred__csv_piece *parsed = piece->parsed;
    if (!parsed || parsed->no_memory || parsed->scratch.no_memory)
        return linpred__no_memory(error);
    if (parsed->has_error)
        return linpred__csv_diagnose(csv, &piece->text, error);
    for (int32_t c = 0; parsed->rows > 0 && c < csv->table->columns; c++)
        if (csv->column[c].use != LINPRED__UNUSED && !merge_column(csv, parsed, c))
            return linpred__no_memory(error);
    merge_lines(csv, parsed);
    parsed->discarded = csv->again;
    if (csv->pieces++ < LINPRED__EARLY_PIECES && csv->again)
        return LINPRED_ERROR_INPUT; /* linpred__csv_read begins again */
    linpred__table *table = csv->table;
    int64_t before = csv->lines + 1 - table->first_row_line;
    if (parsed->rows > 0 && !csv->again &&
        !(linpred__append_row_lines(&table->row_lines, &parsed->row_lines, table->rows, before) &&
          add_csv_rows(csv, parsed)))
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
    if (parsed->discarded)
        return;
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

/* Frees what one reading of the file needs. */
static void clear_reading(linpred__csv *csv)
{
    for (int32_t c = 0; csv->column && c < csv->table->columns; c++)
        linpred__dictionary_free(&csv->column[c].levels);
    linpred__release(csv->column);
    linpred__release(csv->number_run);
    linpred__na_clear(&csv->rules.na);
    csv->column = NULL;
    csv->number_run = NULL;
    csv->blocks_capacity = 0;
}

/* Reads the file once. csv->again is set if it must be read again. */
static linpred_status read_once(linpred__csv *csv, linpred__pool *pool, linpred_error *error)
{
    linpred__table *table = csv->table;
    table->layout = LINPRED__DENSE;
    table->decimal = true;
    csv->again = false;
    csv->pieces = 0;
    csv->hidden_rows = csv->blank_rows = csv->last_blank_rows = 0;
    linpred_status status = linpred__csv_head(csv, error);
    csv->no_head = status != LINPRED_OK;
    if (status != LINPRED_OK)
        return status;
    table->block_rows = linpred__block_rows(table->columns);
    linpred__piece_work work = {csv, parse_csv_piece, merge_csv_piece, store_csv_piece, release_piece};
    table->first_row_line = csv->lines + 1;
    status = linpred__pieces_run(csv->source, pool, &work, error);
    return status == LINPRED_OK && !csv->again ? linpred__csv_complete(csv, error) : status;
}

/* Begins again, because a column that holds numbers must be read as text. */
static linpred_status begin_again(linpred__csv *csv, linpred_error *error)
{
    int32_t c = 0;
    while (c + 1 < csv->odd_columns && !csv->must_be_text[c])
        c++;
    char why[400], place[LINPRED__COLUMN_PLACE], argument[LINPRED__EXCERPT], excerpt[LINPRED__EXCERPT];
    snprintf(why, sizeof why, "line %lld, %s: '%s' is not a number, so the column must be read as text (--text %s)",
             (long long)csv->odd[c].line, linpred__column_place(csv->table, c, place),
             linpred__excerpt(csv->odd[c].text, strlen(csv->odd[c].text), excerpt),
             linpred__column_argument(csv->table, c, argument));
    clear_reading(csv);
    linpred__table_clear(csv->table);
    return linpred__source_rewind(csv->source, why, error);
}

/* Reads the file without skipping the lines that the model's fit skipped, after the names were not found behind them.
   If that fails too, the first error stays. */
static linpred_status try_without_skip(linpred__csv *csv, linpred__pool *pool, linpred_error *error)
{
    linpred_error first = *error, other = *error;
    csv->skip_of_fit = csv->source->skip;
    csv->source->skip = 0;
    clear_reading(csv);
    linpred__release(csv->odd);
    linpred__release(csv->must_be_text);
    csv->odd = NULL;
    csv->must_be_text = NULL;
    linpred__table_clear(csv->table);
    linpred_status status = linpred__source_rewind(csv->source, "its lines are not those of the fit's file", &other);
    csv->no_head = status != LINPRED_OK;
    if (status == LINPRED_OK)
        status = read_once(csv, pool, &other);
    *error = csv->no_head ? first : other;
    if (csv->no_head && status != LINPRED_ERROR_MEMORY)
        return linpred__fail_at(error, first.status, first.line, first.column,
                                "%.600s; %lld line%s skipped, as in the fit (--skip says otherwise)", first.message,
                                (long long)csv->skip_of_fit, csv->skip_of_fit == 1 ? " was" : "s were");
    return status;
}

/* Adds to an error where the table seems to begin. */
static linpred_status tell_preamble(const linpred__csv *csv, linpred_status status, linpred_error *error)
{
    if (status != LINPRED_ERROR_INPUT || csv->preamble == 0 || !error)
        return status;
    linpred_error first = *error;
    return linpred__fail_at(error, status, first.line, first.column,
                            "%.600s; the table seems to begin in line %lld: --skip %lld skips what stands before it",
                            first.message, (long long)csv->preamble + 1, (long long)csv->preamble);
}

linpred_status linpred__csv_read(linpred__source *source, const linpred__read_request *request, linpred__pool *pool,
                                 linpred__table *table, linpred_error *error)
{
    linpred__csv csv = {.source = source, .request = request, .table = table};
    source->rules.quotes = true;
    if (source->piece_bytes == 0)
        source->piece_bytes = LINPRED__PIECE_BYTES;
    linpred_status status = read_once(&csv, pool, error);
    bool remembered = source->skip > 0 && !request->options->given[LINPRED__OPTION_skip] && request->like &&
                      request->like->names && error;
    if (csv.no_head && status == LINPRED_ERROR_INPUT && remembered)
        status = try_without_skip(&csv, pool, error);
    while (csv.again && (status == LINPRED_OK || status == LINPRED_ERROR_INPUT)) {
        status = begin_again(&csv, error);
        if (status != LINPRED_OK)
            break;
        status = read_once(&csv, pool, error);
    }
    clear_reading(&csv);
    for (int32_t c = 0; csv.odd && c < csv.odd_columns; c++)
        linpred__release(csv.odd[c].text);
    linpred__release(csv.odd);
    linpred__release(csv.must_be_text);
    return tell_preamble(&csv, status, error);
}
