/* The loops of the CSV reader that read plain numbers, cell after cell: part of parse.c, into which they are compiled
 * for each separator.
 */
#ifndef LINPRED_TABLE_CSV_PLAIN_NUMBERS_H
#define LINPRED_TABLE_CSV_PLAIN_NUMBERS_H

#include <string.h>

#include "core/digits.h"
#include "core/full_number.h"
#include "core/number.h"
#include "table/csv/csv.h"

/* Whether a cell that begins with this byte may be a number. A leading '+' goes the slow way. */
static inline bool linpred__csv_may_be_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* Remembers how long a number is: whether its column holds a long one, and how the next is best read. */
static inline void linpred__csv_note_length(linpred__csv_piece *piece, int32_t column, const char *text, size_t bytes)
{
    linpred__csv_tally *tally = &piece->tally[column];
    tally->full = bytes > 12;
    if (tally->long_numbers || bytes <= 15 || !linpred__number_is_long(text, bytes))
        return;
    tally->long_numbers = true;
    piece->any_others = true;
}

/* Counts a number that may be a code. */
static inline void linpred__csv_note_code(linpred__csv_piece *piece, int32_t column, const char *text, size_t bytes)
{
    linpred__csv_tally *tally = &piece->tally[column];
    piece->any_others = true;
    if (tally->codes++ > 0)
        return;
    tally->code_line = piece->lines;
    size_t kept = bytes < LINPRED__CODE_BYTES ? bytes : LINPRED__CODE_BYTES - 1;
    memcpy(tally->code, text, kept);
    tally->code[kept] = '\0';
}

/* Whether a number may be a code: digits with a 0 before others, such as 007; or two digits and more, an e and digits,
   such as 12e3, which may be hexadecimal. Numbers of science have one digit or a point before the e. */
static inline bool linpred__csv_may_be_code(const char *text, size_t bytes)
{
    size_t digits = 0;
    while (digits < bytes && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    if (digits == bytes)
        return bytes > 1 && text[0] == '0';
    size_t at = digits + 1;
    if (digits < 2 || (text[digits] | 0x20) != 'e' || at == bytes)
        return false;
    while (at < bytes && text[at] >= '0' && text[at] <= '9')
        at++;
    return at == bytes;
}

/* Reads numbers written in full, as linpred__csv_read_numbers does, as long as the columns have such numbers. */
static inline const char *linpred__csv_read_full_numbers(const char *at, linpred__csv_piece *piece, double *row,
                                                         int32_t *column, int32_t stop, char separator)
{
    int32_t c = *column;
    for (; c < stop && piece->tally[c].full; c++) {
        const char *end = linpred__full_number(at, &row[c]);
        if (!end || *end != separator)
            break;
        if (!piece->tally[c].long_numbers)
            linpred__csv_note_length(piece, c, at, (size_t)(end - at));
        at = end + 1;
    }
    *column = c;
    return at;
}

/* Reads numbers into the columns from *column to stop-1, as long as each is a plain number followed by the separator.
   Sets *column to the first column that is not read, and returns where its cell begins. */
static inline const char *linpred__csv_read_numbers(const char *at, linpred__csv_piece *piece, double *row,
                                                    int32_t *column, int32_t stop, char separator, bool blanks)
{
    int32_t c = *column;
    for (; c < stop; c++) {
        bool full = piece->tally[c].full;
        if (full && !blanks) {
            at = linpred__csv_read_full_numbers(at, piece, row, &c, stop, separator);
            if (c == stop)
                break;
            full = piece->tally[c].full; /* if so, this number is another kind of long one */
        }
        while (*at == ' ')
            at++;
        bool code = false;
        const char *end = full ? NULL : linpred__everyday_number_or_code(at, &row[c], &code);
        if (!end || *end != separator) {
            end = linpred__csv_may_be_number(*at) ? linpred__number_scan(at, &row[c]) : NULL;
            if (!end || *end != separator)
                break;
            linpred__csv_note_length(piece, c, at, (size_t)(end - at));
            code = linpred__csv_may_be_code(at, (size_t)(end - at));
        }
        if (code)
            linpred__csv_note_code(piece, c, at, (size_t)(end - at));
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
static inline const char *linpred__csv_read_last(const char *at, linpred__csv_piece *piece, double *value,
                                                 const char *end_of_text)
{
    while (*at == ' ')
        at++;
    int32_t c = piece->columns - 1;
    bool code = false;
    const char *end =
        piece->tally[c].full ? linpred__full_number(at, value) : linpred__everyday_number_or_code(at, value, &code);
    if (!end || (*end != '\n' && *end != '\r')) {
        end = linpred__csv_may_be_number(*at) ? linpred__number_scan(at, value) : NULL;
        if (!end || (*end != '\n' && *end != '\r'))
            return NULL;
        linpred__csv_note_length(piece, c, at, (size_t)(end - at));
        code = linpred__csv_may_be_code(at, (size_t)(end - at));
    } else if (piece->tally[c].full) {
        linpred__csv_note_length(piece, c, at, (size_t)(end - at));
    }
    if (code)
        linpred__csv_note_code(piece, c, at, (size_t)(end - at));
    return end + 1 + (end[0] == '\r' && end + 1 < end_of_text && end[1] == '\n');
}

#endif
