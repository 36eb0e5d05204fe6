/* The known word that is nearest to a misspelt one, for the suggestion in an error message. */
#ifndef LINPRED_CORE_NEAREST_H
#define LINPRED_CORE_NEAREST_H

#include <stddef.h>

typedef struct linpred__suggestion {
    const char *best; /* the nearest word so far; NULL if none is near */
    size_t edits;     /* edits from the text to it; a word must need fewer to become the best */
} linpred__suggestion;

/* Begins a search. A word is near if it needs at most one edit for every three letters of the text. */
linpred__suggestion linpred__nearest_to(const char *text);
/* Makes the word the best if it needs fewer edits. A word that begins with the text counts as one edit. */
void linpred__nearest_try(linpred__suggestion *nearest, const char *text, const char *word);

#endif
