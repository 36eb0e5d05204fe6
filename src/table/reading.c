/* Copies of how a file was read. */
#include "table/reading.h"

#include <string.h>

#include "core/memory.h"

bool linpred__reading_copy(linpred__reading *to, const linpred__reading *from)
{
    *to = *from;
    to->comment = from->comment ? linpred__copy_text(from->comment, strlen(from->comment)) : NULL;
    to->na = from->na ? linpred__copy_text(from->na, strlen(from->na)) : NULL;
    if ((to->comment || !from->comment) && (to->na || !from->na))
        return true;
    linpred__reading_clear(to);
    return false;
}

void linpred__reading_clear(linpred__reading *reading)
{
    linpred__release(reading->comment);
    linpred__release(reading->na);
    *reading = (linpred__reading){0};
}
