/* Pieces of JSON for the model file (see put.h). */
#include "model/file/put.h"

#include <inttypes.h>

void linpred__put_key(linpred__text *text, const char *before, const char *key)
{
    linpred__text_add(text, before);
    linpred__text_string(text, key);
    linpred__text_add(text, ": ");
}

void linpred__put_string(linpred__text *text, const char *before, const char *key, const char *value)
{
    linpred__put_key(text, before, key);
    if (value)
        linpred__text_string(text, value);
    else
        linpred__text_add(text, "null");
}

void linpred__put_number(linpred__text *text, const char *before, const char *key, double value)
{
    linpred__put_key(text, before, key);
    linpred__text_number(text, value);
}

void linpred__put_count(linpred__text *text, const char *before, const char *key, int64_t value)
{
    linpred__put_key(text, before, key);
    if (value < 0)
        linpred__text_add(text, "null");
    else
        linpred__text_format(text, "%" PRId64, value);
}

void linpred__put_flag(linpred__text *text, const char *before, const char *key, bool value)
{
    linpred__put_key(text, before, key);
    linpred__text_add(text, value ? "true" : "false");
}

static void put_list(linpred__text *text, const double *value, size_t count)
{
    linpred__text_add(text, "[");
    linpred__text_numbers(text, ", ", value, count);
    linpred__text_add(text, "]");
}

void linpred__put_numbers(linpred__text *text, const char *before, const char *key, const double *value, size_t count)
{
    linpred__put_key(text, before, key);
    put_list(text, value, count);
}

void linpred__put_rows(linpred__text *text, const char *before, const char *key, const double *value, size_t rows,
                       size_t columns)
{
    linpred__put_key(text, before, key);
    linpred__text_add(text, "[");
    for (size_t i = 0; value && i < rows; i++) {
        linpred__text_add(text, i == 0 ? "\n      " : ",\n      ");
        put_list(text, value + i * columns, columns);
    }
    linpred__text_add(text, "]");
}
