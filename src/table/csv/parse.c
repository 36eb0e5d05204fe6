/* Reads a piece of a CSV file into rows of numbers, fast.
 *
 * Most cells are numbers followed by the separator. One loop reads them and does nothing else (plain_numbers.h). Any
 * other cell goes to linpred__field_read and linpred__cell_read and is counted; the loop goes on with the next cell.
 * The cells of columns that are not used are cut and not looked at. Numbers are not counted, because every cell is a
 * number, a word or missing. At an error parsing stops and sets has_error; diagnose.c then finds the error.
 */
#include "table/csv/csv.h"

#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "table/csv/plain_numbers.h"

static bool add_word(linpred__csv_piece *piece, int32_t column, const linpred__field *field, double *value)
{
    linpred__csv_tally *tally = &piece->tally[column];
    if (!tally->levels) {
        tally->levels = linpred__calloc(1, sizeof *tally->levels);
        if (!tally->levels)
            return false;
    }
    int32_t number = linpred__dictionary_add(tally->levels, field->text, field->bytes);
    if (tally->words++ == 0)
        tally->word_line = piece->lines;
    piece->any_words = true;
    *value = number;
    return number >= 0;
}

/* Replaces what is not UTF-8 in a word. */
static bool mend(linpred__csv_piece *piece, linpred__field *field)
{
    if (!linpred__grow(&piece->mended.text, &piece->mended.capacity, field->bytes + 1, 1))
        return false;
    memcpy(piece->mended.text, field->text, field->bytes);
    piece->mended.text[field->bytes] = '\0';
    linpred__mend_utf8(piece->mended.text);
    field->text = piece->mended.text;
    field->bytes = strlen(field->text);
    piece->broken_utf8 = true;
    return true;
}

/* Counts a number with thousands separators. */
static void note_grouped(const linpred__csv *csv, const linpred__csv_piece *piece, linpred__csv_tally *tally,
                         const linpred__field *field)
{
    if (tally->grouped++ == 0)
        tally->grouped_line = piece->lines;
    linpred__decimal_hint hint = linpred__cell_decimal(field->text, field->bytes);
    tally->grouped_only += hint != LINPRED__DECIMAL_EITHER && hint != LINPRED__DECIMAL_GROUPS;
    tally->groups |= (uint32_t)linpred__cell_group(&csv->rules, field->text, field->bytes);
}

static void note_number(const linpred__csv *csv, linpred__csv_piece *piece, linpred__csv_tally *tally,
                        const linpred__field *field, double value, bool grouped)
{
    if (grouped)
        note_grouped(csv, piece, tally, field);
    else if (linpred__csv_may_be_code(field->text, field->bytes))
        linpred__csv_note_code(piece, (int32_t)(tally - piece->tally), field->text, field->bytes);
    bool altered = linpred__cell_altered(&csv->rules, field->text, field->bytes, value);
    if (altered && tally->altered++ == 0)
        tally->altered_line = piece->lines;
    tally->long_numbers = tally->long_numbers || altered || linpred__number_is_long(field->text, field->bytes);
    piece->any_others = piece->any_others || grouped || tally->long_numbers;
}

static void note_marker(linpred__csv_piece *piece, linpred__csv_tally *tally, double value)
{
    int32_t marker = linpred__marker_of(value);
    if (tally->marked++ == 0) {
        tally->marked_line = piece->lines;
        tally->first_marker = marker;
    }
    tally->markers |= 1u << marker;
    piece->any_others = true;
}

/* Whether a word is an error in a column with this use. A column of dates is text to inspect if it has words. */
static bool refuses_words(const linpred__csv *csv, linpred__use use)
{
    return use == LINPRED__USED_AS_NUMBERS || (use == LINPRED__USED_AS_DAYS && !csv->request->lenient);
}

/* Classifies and counts a cell that is not a plain number; false if parsing must stop. */
static bool add_cell(const linpred__csv *csv, linpred__csv_piece *piece, int32_t column, linpred__field *field,
                     double *value)
{
    linpred__csv_tally *tally = &piece->tally[column];
    linpred__use use = csv->column[column].use;
    if (use == LINPRED__UNUSED) {
        *value = 0.0;
        return true;
    }
    linpred__cell cell = linpred__cell_read(&csv->rules, use, field->text, field->bytes, value);
    switch (cell) {
    case LINPRED__CELL_NUMBER:
    case LINPRED__CELL_GROUPED:
        if (use != LINPRED__USED_AS_DAYS)
            note_number(csv, piece, tally, field, *value, cell == LINPRED__CELL_GROUPED);
        return true;
    case LINPRED__CELL_MISSING:
        if (tally->missing++ == 0)
            tally->missing_line = piece->lines;
        piece->any_others = true;
        *value = __builtin_nan("");
        return true;
    case LINPRED__CELL_MARKER:
        note_marker(piece, tally, *value);
        return true;
    default:
        break;
    }
    piece->has_error = refuses_words(csv, use) || (cell == LINPRED__CELL_NOT_UTF8 && !csv->request->lenient);
    if (piece->has_error)
        return false;
    piece->no_memory =
        (cell == LINPRED__CELL_NOT_UTF8 && !mend(piece, field)) || !add_word(piece, column, field, value);
    bool odd = cell != LINPRED__CELL_WORD && cell != LINPRED__CELL_NOT_UTF8 && use != LINPRED__USED_AS_TEXT;
    if (odd && !piece->no_memory && tally->odd < 0) {
        tally->odd = (int32_t)*value;
        tally->odd_line = piece->lines;
    }
    return !piece->no_memory;
}

/* Reads one record and returns where the next begins; NULL if parsing must stop. */
static inline const char *read_row(const linpred__csv *csv, linpred__csv_piece *piece, const char *at, const char *end,
                                   double *row, char separator, bool blanks)
{
    int32_t last = piece->columns - 1;
    for (int32_t c = 0;;) {
        int32_t stop = csv->number_run[c];
        at = linpred__csv_read_numbers(at, piece, row, &c, stop < last ? stop : last, separator, blanks);
        if (c == last && stop > last) {
            const char *next = linpred__csv_read_last(at, piece, &row[c], end);
            if (next) {
                piece->lines++;
                return next;
            }
        }
        bool loosely = csv->request->lenient || csv->column[c].use == LINPRED__UNUSED;
        linpred__field field = loosely ? linpred__field_read_loosely(&csv->dialect, at, end, &piece->scratch)
                                       : linpred__field_read(&csv->dialect, at, end, &piece->scratch);
        if (csv->open_ends && c == last)
            linpred__field_close_line(&csv->dialect, end, &field);
        bool over = field.end == LINPRED__ENDS_LINE;
        if ((over ? c != last : field.end != LINPRED__ENDS_FIELD || c == last) || piece->scratch.no_memory) {
            piece->has_error = true;
            return NULL;
        }
        if (!add_cell(csv, piece, c, &field, &row[c]))
            return NULL;
        piece->lines += field.lines + over;
        at = field.next;
        if (over)
            return at;
        c++;
    }
}

/* Counts a comment that has as many fields as a row and a number among them: it may be a row that is lost. */
static void look_at_comment(const linpred__csv *csv, linpred__csv_piece *piece, const char *from, const char *next)
{
    int32_t fields = 0, numbers = 0;
    double value;
    while (*from == ' ' || *from == '\t')
        from++;
    from += csv->dialect.comment ? strlen(csv->dialect.comment) : 0;
    for (bool over = false; !over && from < next; fields++) {
        linpred__field field = linpred__field_read_loosely(&csv->dialect, from, next, &piece->scratch);
        if (field.end > LINPRED__ENDS_LINE)
            return;
        numbers +=
            linpred__cell_read(&csv->rules, LINPRED__USED, field.text, field.bytes, &value) <= LINPRED__CELL_GROUPED;
        over = field.end == LINPRED__ENDS_LINE;
        from = field.next;
    }
    if (fields == piece->columns && numbers > 0 && piece->hidden_rows++ == 0)
        piece->hidden_line = piece->lines;
}

/* A blank line of a file of one column is a missing value, so that rows and predictions stay in step. */
static void add_blank_row(const linpred__csv *csv, linpred__csv_piece *piece, double *row)
{
    bool used = csv->column[0].use != LINPRED__UNUSED;
    *row = used ? (double)__builtin_nan("") : 0.0;
    if (used && piece->tally[0].missing++ == 0)
        piece->tally[0].missing_line = piece->lines;
    piece->any_others = true;
    piece->blank_rows++;
    piece->last_blank_rows++;
    piece->rows++;
}

static inline void read_rows(const linpred__csv *csv, const linpred__piece_text *text, linpred__csv_piece *piece,
                             char separator, bool blanks)
{
    const char *at = text->text;
    const char *end = at + text->bytes;
    double *row = piece->values;
    char comment = csv->dialect.comment ? csv->dialect.comment[0] : '#';
    while (at < end) {
        /* Only a line that begins with a control character, a blank or a comment may be something else than a row. */
        if ((unsigned char)*at <= ' ' || *at == comment) {
            const char *from = at;
            linpred__line_kind start = linpred__line_begin(&csv->dialect, &at, end, text->last);
            if (start == LINPRED__LINE_BLANK || start == LINPRED__LINE_SKIPPED) {
                if (start == LINPRED__LINE_SKIPPED)
                    look_at_comment(csv, piece, from, at);
                else if (piece->columns == 1)
                    add_blank_row(csv, piece, row++);
                piece->lines++;
                continue;
            }
            if (start == LINPRED__LINE_END_OF_FILE)
                return;
            if (start == LINPRED__LINE_COMMENT) {
                piece->has_error = true;
                return;
            }
            while (blanks && (*at == ' ' || *at == '\t'))
                at++;
        }
        piece->no_memory = !linpred__row_begins(&piece->row_lines, piece->rows, piece->lines);
        at = piece->no_memory ? NULL : read_row(csv, piece, at, end, row, separator, blanks);
        if (!at)
            return;
        row += piece->columns;
        piece->rows++;
        piece->last_blank_rows = 0;
    }
}

/* Makes `values` large enough for the piece. Each cell takes at least one byte, its separator or line end, so there are
   no more cells than bytes. A piece that is longer than usual has few, long lines; then lines x columns is the better
   bound. */
static bool reserve_cells(const linpred__csv *csv, const linpred__piece_text *text, linpred__csv_piece *piece)
{
    size_t cells = text->bytes + 1 + (size_t)piece->columns;
    if (text->bytes > csv->source->piece_bytes) {
        size_t lines = 1;
        size_t by_lines;
        for (size_t i = 0; i < text->bytes; i++)
            lines += text->text[i] == '\n' || text->text[i] == '\r';
        if (!__builtin_mul_overflow(lines, (size_t)piece->columns, &by_lines) && by_lines < cells)
            cells = by_lines;
    }
    if (cells <= piece->capacity)
        return true;
    linpred__release(piece->values);
    piece->values = linpred__alloc(cells, sizeof *piece->values);
    piece->capacity = piece->values ? cells : 0;
    return piece->values != NULL;
}

/* Resets what the piece before left in this memory. */
static void clear_piece(linpred__csv_piece *piece)
{
    piece->rows = 0;
    piece->lines = 0;
    piece->row_lines.jumps = 0;
    piece->has_error = false;
    if (piece->any_words || piece->any_others)
        for (int32_t c = 0; c < piece->columns; c++) {
            linpred__csv_tally *tally = &piece->tally[c];
            *tally = (linpred__csv_tally){
                .odd = -1, .levels = tally->levels, .number = tally->number, .number_capacity = tally->number_capacity};
            if (tally->levels)
                linpred__dictionary_clear(tally->levels);
        }
    piece->any_words = false;
    piece->any_others = false;
    piece->broken_utf8 = false;
    piece->hidden_rows = piece->blank_rows = piece->last_blank_rows = 0;
}

void linpred__csv_parse(const linpred__csv *csv, const linpred__piece_text *text, linpred__csv_piece *piece)
{
    clear_piece(piece);
    piece->no_memory = !reserve_cells(csv, text, piece);
    if (piece->no_memory)
        return;
    switch (csv->dialect.separator) {
    case ',':
        read_rows(csv, text, piece, ',', false);
        break;
    case ' ':
        read_rows(csv, text, piece, ' ', true);
        break;
    default:
        read_rows(csv, text, piece, csv->dialect.separator, false);
    }
}
