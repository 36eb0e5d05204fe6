/* Fields of a JSON object, asked one by one, by people who want one clear refusal.
 *
 * The first refusal is kept in `status` and the caller's error; after it every question answers something harmless, so
 * that a reader can ask for all fields and look at `status` once. An object must have the keys of its kind; others, of
 * a later linpred, are ignored.
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
    const char *part;     /* its key in the file; NULL: the file itself */
    int64_t entry;        /* its 1-based place, if `part` is an array; else 0 */
} linpred__fields;

/* Goes to `object`, which must be an object with at least these keys (closed by NULL). */
void linpred__fields_enter(linpred__fields *fields, const json_t *object, const char *part, int64_t entry,
                           const char *const *keys);

/* Refuses: "'model.json' is not a usable model: 'rows' of 'figures' must be …". key NULL: the entry itself. */
void linpred__fields_refuse(linpred__fields *fields, const char *key, const char *problem, ...)
    __attribute__((format(printf, 3, 4)));
void linpred__fields_no_memory(linpred__fields *fields);

typedef enum linpred__null { LINPRED__REQUIRED, LINPRED__NULL_ALLOWED } linpred__null;

double linpred__field_number(linpred__fields *fields, const char *key, linpred__null null); /* null: NaN */
int64_t linpred__field_count(linpred__fields *fields, const char *key, linpred__null null); /* null: -1 */
/* Borrowed from the JSON; "" after a refusal. */
const char *linpred__field_string(linpred__fields *fields, const char *key);
/* A copy of ours; NULL for null and after a refusal. */
char *linpred__field_copy(linpred__fields *fields, const char *key, linpred__null null);
/* 16 lower case hexadecimal digits. */
uint64_t linpred__field_hexadecimal(linpred__fields *fields, const char *key);
/* The number i for which word(i) is the text; words end with "unknown". 0 after a refusal. */
int linpred__field_word(linpred__fields *fields, const char *key, const char *(*word)(int));
/* An empty array after a refusal: json_array_size(NULL) is 0. */
const json_t *linpred__field_array(linpred__fields *fields, const char *key);
/* An array of `count` numbers (null: NaN); `list` is what the key holds, or a part of it. */
void linpred__field_numbers(linpred__fields *fields, const char *key, size_t count, linpred__null null, double *value);
void linpred__take_numbers(linpred__fields *fields, const json_t *list, const char *key, size_t count,
                           linpred__null null, double *value);

#endif
