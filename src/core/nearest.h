/* Which word was meant. */
#ifndef LINPRED_CORE_NEAREST_H
#define LINPRED_CORE_NEAREST_H

#include <stddef.h>

typedef struct linpred__suggestion {
    const char *best; /* NULL: none is near */
    size_t edits;     /* from the text to it; before any word is tried, more than a slip for every three letters */
} linpred__suggestion;

linpred__suggestion linpred__nearest_to(const char *text);
/* Tries one word. */
void linpred__nearest_try(linpred__suggestion *nearest, const char *text, const char *word);

#endif
