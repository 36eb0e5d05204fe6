/* Text that grows, and JSON written into it. Failure to allocate is remembered and asked once, at the end. */
#ifndef LINPRED_CORE_TEXT_H
#define LINPRED_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct linpred__text {
    char *bytes; /* always closed by a NUL once something was added */
    size_t length;
    size_t capacity;
    bool failed; /* out of memory: bytes is not complete */
} linpred__text;

void linpred__text_add(linpred__text *text, const char *more);
void linpred__text_format(linpred__text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void linpred__text_string(linpred__text *text, const char *string); /* a JSON string, quoted and escaped */
void linpred__text_number(linpred__text *text, double value); /* reads back to the same bits; null unless finite */
void linpred__text_clear(linpred__text *text);

#endif
