/* Writes pieces of JSON for the model file. `before` is written before the key: ",\n  ", "{", … */
#ifndef LINPRED_MODEL_FILE_PUT_H
#define LINPRED_MODEL_FILE_PUT_H

#include <stdint.h>

#include "core/text.h"

void linpred__put_key(linpred__text *text, const char *before, const char *key);
void linpred__put_string(linpred__text *text, const char *before, const char *key, const char *value); /* NULL: null */
void linpred__put_number(linpred__text *text, const char *before, const char *key,
                         double value); /* null unless finite */
void linpred__put_count(linpred__text *text, const char *before, const char *key, int64_t value); /* null if negative */
void linpred__put_flag(linpred__text *text, const char *before, const char *key, bool value);
void linpred__put_numbers(linpred__text *text, const char *before, const char *key, const double *value, size_t count);
/* An array of arrays, each on its own line. */
void linpred__put_rows(linpred__text *text, const char *before, const char *key, const double *value, size_t rows,
                       size_t columns);

#endif
