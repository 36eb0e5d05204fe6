/* The list of jumps: see row_lines.h. */
#include "table/row_lines.h"

#include "core/memory.h"

int64_t linpred__extra_lines(const linpred__row_lines *lines, int64_t row)
{
    size_t low = 0, high = lines->jumps; /* jumps below `low` are at or before the row, those from `high` on after it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lines->jump[middle].row <= row)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? lines->jump[low - 1].extra : 0;
}

bool linpred__add_extra_lines(linpred__row_lines *lines, int64_t row, int64_t extra)
{
    if (!linpred__grow(&lines->jump, &lines->capacity, lines->jumps + 1, sizeof *lines->jump))
        return false;
    lines->jump[lines->jumps++] = (linpred__line_jump){row, extra};
    return true;
}

bool linpred__append_row_lines(linpred__row_lines *lines, const linpred__row_lines *more, int64_t rows, int64_t before)
{
    bool enough = linpred__row_begins(lines, rows, before);
    for (size_t i = 0; enough && i < more->jumps; i++) {
        int64_t row = rows + more->jump[i].row;
        enough = linpred__row_begins(lines, row, row + before - rows + more->jump[i].extra);
    }
    return enough;
}

void linpred__row_lines_clear(linpred__row_lines *lines)
{
    linpred__release(lines->jump);
    *lines = (linpred__row_lines){0};
}
