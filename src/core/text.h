/* Text that grows, and JSON values appended to it. If memory runs out, `failed` is set, and the caller tests it once at
 * the end.
 */
#ifndef LINPRED_CORE_TEXT_H
#define LINPRED_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct linpred__text {
    char *bytes;     /* the text, closed by a NUL; NULL while nothing was added */
    size_t length;   /* bytes without the NUL */
    size_t capacity; /* allocated length of bytes */
    bool failed;     /* memory ran out, so the text is not complete */
} linpred__text;

void linpred__text_add(linpred__text *text, const char *more);
/* Adds `count` numbers, each as linpred__text_number writes it, with `between` before all but the first. */
void linpred__text_numbers(linpred__text *text, const char *between, const double *value, size_t count);
/* For short text: `failed` is set if the result has 256 bytes or more. */
void linpred__text_format(linpred__text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void linpred__text_string(linpred__text *text, const char *string); /* a JSON string, quoted and escaped */
void linpred__text_number(linpred__text *text, double value);       /* a JSON number that reads back exactly, or null */
void linpred__text_clear(linpred__text *text);

#endif
