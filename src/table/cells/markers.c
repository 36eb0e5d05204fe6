/* The usual markers of missing values, and the list of --na. */
#include "table/cells/markers.h"

#include <string.h>

#include "core/memory.h"
#include "core/number.h"

/* The usual markers besides the empty cell, NA and ?: of databases, of Python, of SPSS and SAS, and of Excel with its
   errors (#NV is #N/A in German). */
static const char *const usual[] = {"N/A",  "n/a",     "#N/A",    "<NA>",  "NULL",  "null",   "NaN",
                                    "nan",  "NAN",     "None",    ".",     "#NA",   "#NV",    "n.a.",
                                    "N.A.", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!"};
enum { USUAL = sizeof usual / sizeof usual[0], LONGEST = 7 };

const char *linpred__marker_text(int32_t marker)
{
    return marker >= 0 && marker < USUAL ? usual[marker] : NULL;
}

bool linpred__always_missing(const char *text, size_t bytes)
{
    return (bytes == 1 && text[0] == '?') || (bytes == 2 && text[0] == 'N' && text[1] == 'A');
}

int32_t linpred__usual_marker(const char *text, size_t bytes)
{
    for (int32_t i = 0; bytes <= LONGEST && i < USUAL; i++)
        if (strlen(usual[i]) == bytes && memcmp(usual[i], text, bytes) == 0)
            return i;
    return -1;
}

bool linpred__na_lists(const linpred__na *na, const char *text, size_t bytes)
{
    double value;
    for (size_t i = 0; i < na->markers; i++)
        if (na->marker[i].bytes == bytes && memcmp(na->marker[i].text, text, bytes) == 0)
            return true;
    return na->numeric && linpred__number_read(text, bytes, &value) == LINPRED__NUMBER &&
           linpred__na_lists_number(na, value);
}

bool linpred__na_lists_number(const linpred__na *na, double value)
{
    for (size_t i = 0; na->numeric && i < na->markers; i++)
        if (na->marker[i].is_number && na->marker[i].value == value)
            return true;
    return false;
}

/* Cuts the list at its commas. Two commas are one that belongs to a marker. */
static void cut_list(linpred__na *na, const char *list)
{
    char *to = na->memory;
    do {
        linpred__na_marker *marker = &na->marker[na->markers++];
        marker->text = to;
        for (; *list && (*list != ',' || list[1] == ','); list++) {
            list += *list == ',';
            *to++ = *list;
        }
        marker->bytes = (size_t)(to - marker->text);
        *to++ = '\0'; /* in the place of the comma */
        marker->is_number = linpred__number_read(marker->text, marker->bytes, &marker->value) == LINPRED__NUMBER;
        na->numeric = na->numeric || marker->is_number;
    } while (*list++ == ',');
}

bool linpred__na_set(linpred__na *na, const char *list)
{
    *na = (linpred__na){.usual = !list};
    size_t bytes = list ? strlen(list) + 1 : 1;
    na->texts = linpred__calloc(USUAL + bytes + 1, sizeof *na->texts);
    na->memory = linpred__alloc(bytes, 1);
    na->marker = linpred__calloc(bytes, sizeof *na->marker);
    if (!na->texts || !na->memory || !na->marker)
        return false;
    if (list)
        cut_list(na, list);
    for (size_t i = 0; i < USUAL; i++)
        na->texts[i] = usual[i];
    for (size_t i = 0; i < na->markers; i++)
        na->texts[USUAL + i] = na->marker[i].text;
    return true;
}

void linpred__na_clear(linpred__na *na)
{
    linpred__release(na->memory);
    linpred__release(na->marker);
    linpred__release(na->texts);
    *na = (linpred__na){0};
}
