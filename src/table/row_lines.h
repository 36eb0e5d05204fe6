/* In which line of its file a row begins. A row is one line, unless a line end stands between quotes; blank lines and
 * comments lie between rows. Only where a row begins later than one line a row would have it, a jump is noted:
 *
 *   line of row r = first line + r + extra of the last jump with jump.row <= r
 */
#ifndef LINPRED_TABLE_ROW_LINES_H
#define LINPRED_TABLE_ROW_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct linpred__line_jump {
    int64_t row;   /* 0-based */
    int64_t extra; /* lines before the row that begin no row */
} linpred__line_jump;

typedef struct linpred__row_lines {
    linpred__line_jump *jump; /* rows and extra lines both ascend */
    size_t jumps;
    size_t capacity;
} linpred__row_lines;

/* The extra lines before a row. */
int64_t linpred__extra_lines(const linpred__row_lines *lines, int64_t row);
/* Notes a jump at a row that comes after all rows noted before. false: there is no memory. */
bool linpred__add_extra_lines(linpred__row_lines *lines, int64_t row, int64_t extra);
/* Adds the jumps of rows that follow, after so many rows and lines. */
bool linpred__append_row_lines(linpred__row_lines *lines, const linpred__row_lines *more, int64_t rows, int64_t before);
void linpred__row_lines_clear(linpred__row_lines *lines);

/* Says that the next row begins in a line, both 0-based. false: there is no memory. */
static inline bool linpred__row_begins(linpred__row_lines *lines, int64_t row, int64_t line)
{
    return line - row == (lines->jumps > 0 ? lines->jump[lines->jumps - 1].extra : 0) ||
           linpred__add_extra_lines(lines, row, line - row);
}

#endif
