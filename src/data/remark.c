/* Makes remarks, and gives them to callers of the library. */
#include "data/remark.h"

#include <stdio.h>

#include "core/error.h"
#include "core/struct_size.h"

linpred__remark linpred__remark_of(const char *kind, const char *column, int64_t count, int64_t line)
{
    linpred__remark note = {.kind = kind, .count = count, .line = line};
    snprintf(note.column, sizeof note.column, "%s", column ? column : "");
    linpred__mend_utf8(note.column);
    return note;
}

bool linpred__remark_fill(const linpred__remark *note, const char *sentence, linpred_note *out)
{
    linpred_note made = {
        .struct_size = sizeof made,
        .kind = note->kind,
        .sentence = sentence,
        .column = note->column[0] ? note->column : NULL,
        .count = note->count,
        .line = note->line,
    };
    return linpred__struct_fill(out, &made, sizeof made);
}
