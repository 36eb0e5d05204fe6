/* Reads a piece of a CSV file into rows of numbers, fast.
 *
 * Most cells are short numbers followed by the separator. One loop reads them and does nothing else. Any other cell
 * goes to linpred__field_read and linpred__cell_read and is counted; the loop goes on with the next cell. Numbers are
 * not counted, because every cell is a number, a word or missing. At an error parsing stops and sets has_error;
 * diagnose.c then finds the error.
 */
#include "table/csv/csv.h"

#include "core/digits.h"
#include "core/memory.h"
#include "core/number.h"

/* Whether a cell that begins with this byte may be a number. A leading '+' goes the slow way. */
static inline bool may_be_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* Reads numbers into the columns from *column to stop-1, as long as each is a plain number followed by the separator.
   Sets *column to the first column that is not read, and returns where its cell begins. */
static inline const char *read_numbers(const char *at, double *row, int32_t *column, int32_t stop, char separator,
                                       bool blanks)
{
    int32_t c = *column;
    bool long_ones = false; /* the number before was long, so this one is likely long too */
    for (; c < stop; c++) {
        while (*at == ' ')
            at++;
        const char *end = long_ones ? NULL : linpred__everyday_number(at, &row[c]);
        if (!end || *end != separator) {
            end = may_be_number(*at) ? linpred__number_scan(at, &row[c]) : NULL;
            if (!end || *end != separator)
                break;
            long_ones = end - at > 12;
        }
        /* Two blanks, or a blank before the line end, need linpred__field_read. */
        if (blanks && end[1] <= ' ')
            break;
        at = end + 1;
    }
    *column = c;
    return at;
}

/* Reads the last number of a row and its line end. Returns the beginning of the next line; NULL if anything but a plain
   number and a line end stands there. */
static inline const char *read_last(const char *at, double *value, const char *end_of_text)
{
    while (*at == ' ')
        at++;
    const char *end = linpred__everyday_number(at, value);
    if (!end || (*end != '\n' && *end != '\r')) {
        end = may_be_number(*at) ? linpred__number_scan(at, value) : NULL;
        if (!end || (*end != '\n' && *end != '\r'))
            return NULL;
    }
    return end + 1 + (end[0] == '\r' && end + 1 < end_of_text && end[1] == '\n');
}

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

/* Classifies and counts a cell that is not a plain number; false if parsing must stop. */
static bool add_cell(const linpred__csv *csv, linpred__csv_piece *piece, int32_t column, const linpred__field *field,
                     double *value)
{
    linpred__csv_tally *tally = &piece->tally[column];
    switch (linpred__cell_read(field->text, field->bytes, csv->column[column].as_text, value)) {
    case LINPRED__CELL_NUMBER:
        if (linpred__number_altered(field->text, field->bytes, *value)) {
            if (tally->altered++ == 0)
                tally->altered_line = piece->lines;
            piece->any_altered = true;
        }
        return true;
    case LINPRED__CELL_MISSING:
        if (tally->missing++ == 0)
            tally->missing_line = piece->lines;
        piece->any_missing = true;
        *value = __builtin_nan("");
        return true;
    case LINPRED__CELL_WORD:
        piece->no_memory = !add_word(piece, column, field, value);
        return !piece->no_memory;
    default:
        piece->has_error = true;
        return false;
    }
}

/* Reads one record and returns where the next begins; NULL if parsing must stop. */
static inline const char *read_row(const linpred__csv *csv, linpred__csv_piece *piece, const char *at, const char *end,
                                   double *row, char separator, bool blanks)
{
    int32_t last = piece->columns - 1;
    for (int32_t c = 0;;) {
        int32_t stop = csv->number_run[c];
        at = read_numbers(at, row, &c, stop < last ? stop : last, separator, blanks);
        if (c == last && stop > last) {
            const char *next = read_last(at, &row[c], end);
            if (next) {
                piece->lines++;
                return next;
            }
        }
        linpred__field field = linpred__field_read(&csv->dialect, at, end, &piece->scratch);
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

static inline void read_rows(const linpred__csv *csv, const linpred__piece_text *text, linpred__csv_piece *piece,
                             char separator, bool blanks)
{
    const char *at = text->text;
    const char *end = at + text->bytes;
    double *row = piece->values;
    while (at < end) {
        /* Only a line that begins with a control character, a blank or '#' may be something else than a row. */
        if ((unsigned char)*at <= ' ' || *at == '#') {
            linpred__line_kind start = linpred__line_begin(&csv->dialect, &at, end, text->last);
            if (start == LINPRED__LINE_BLANK) {
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
        at = read_row(csv, piece, at, end, row, separator, blanks);
        if (!at)
            return;
        row += piece->columns;
        piece->rows++;
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
    piece->has_error = false;
    if (piece->any_words || piece->any_missing || piece->any_altered)
        for (int32_t c = 0; c < piece->columns; c++) {
            linpred__csv_tally *tally = &piece->tally[c];
            tally->missing = 0;
            tally->altered = 0;
            tally->words = 0;
            if (tally->levels)
                linpred__dictionary_clear(tally->levels);
        }
    piece->any_words = false;
    piece->any_missing = false;
    piece->any_altered = false;
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
