/* Reads the fields of a JSON object one by one.
 *
 * The first refusal is kept in `status` and in the caller's error. After it every function returns a harmless value. So
 * a reader can read all fields and check `status` once. An object must have the keys of its kind. Other keys, which a
 * later linpred may write, are ignored.
 */
#ifndef LINPRED_MODEL_FILE_FIELDS_H
#define LINPRED_MODEL_FILE_FIELDS_H

#include <jansson.h>

#include "linpred/linpred.h"

typedef struct linpred__fields {
    const char *path; /* for messages */
    linpred_error *error;
    linpred_status status;
    const json_t *object; /* the one being read; NULL after a refusal */
    const char *part;     /* the key of that object in the file; NULL: it is the whole file */
    int64_t entry;        /* if `part` is an array, the 1-based place of the object in it; else 0 */
} linpred__fields;

/* Begins to read `object`. It refuses anything but an object with all these keys (a list that ends with NULL). */
void linpred__fields_enter(linpred__fields *fields, const json_t *object, const char *part, int64_t entry,
                           const char *const *keys);

/* Refuses the file: "'model.json' is not a usable model: 'rows' of 'figures' must be …". key NULL: the object itself is
   wrong. */
void linpred__fields_refuse(linpred__fields *fields, const char *key, const char *problem, ...)
    __attribute__((format(printf, 3, 4)));
void linpred__fields_no_memory(linpred__fields *fields);

typedef enum linpred__null { LINPRED__REQUIRED, LINPRED__NULL_ALLOWED } linpred__null;

double linpred__field_number(linpred__fields *fields, const char *key, linpred__null null); /* null: NaN */
int64_t linpred__field_count(linpred__fields *fields, const char *key, linpred__null null); /* null: -1 */
/* The string belongs to the JSON; it is "" after a refusal. */
const char *linpred__field_string(linpred__fields *fields, const char *key);
/* A copy of the string, which the caller frees; NULL for null and after a refusal. */
char *linpred__field_copy(linpred__fields *fields, const char *key, linpred__null null);
/* A number written as 16 lower case hexadecimal digits. */
uint64_t linpred__field_hexadecimal(linpred__fields *fields, const char *key);
/* The number i for which word(i) is the text. word(i) is "unknown" for numbers without a word. 0 after a refusal. */
int linpred__field_word(linpred__fields *fields, const char *key, const char *(*word)(int));
/* The array, or NULL after a refusal; json_array_size(NULL) is 0. */
const json_t *linpred__field_array(linpred__fields *fields, const char *key);
/* Read an array of `count` numbers (null: NaN). The second takes the array itself; `key` is for messages. */
void linpred__field_numbers(linpred__fields *fields, const char *key, size_t count, linpred__null null, double *value);
void linpred__take_numbers(linpred__fields *fields, const json_t *list, const char *key, size_t count,
                           linpred__null null, double *value);

#endif
