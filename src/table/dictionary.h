/* A dictionary numbers distinct texts 0, 1, 2, … in the order in which they first came. */
#ifndef LINPRED_TABLE_DICTIONARY_H
#define LINPRED_TABLE_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

typedef struct linpred__dictionary_entry {
    uint64_t hash;
    size_t at; /* in text */
    size_t bytes;
} linpred__dictionary_entry;

/* All zero is an empty dictionary. */
typedef struct linpred__dictionary {
    linpred__dictionary_entry *entry;
    size_t entry_capacity;
    int32_t count;
    char *text; /* the texts one after the other, each closed by a NUL */
    size_t text_bytes;
    size_t text_capacity;
    int32_t *place; /* open addressing: number + 1, or 0 */
    size_t places;  /* a power of two, or 0 */
} linpred__dictionary;

/* The number of the text, new or known; -1 if out of memory (or of numbers). */
int32_t linpred__dictionary_add(linpred__dictionary *dictionary, const char *text, size_t bytes);
const char *linpred__dictionary_text(const linpred__dictionary *dictionary, int32_t number);
size_t linpred__dictionary_bytes(const linpred__dictionary *dictionary, int32_t number);
/* Forgets the texts, keeps the memory. */
void linpred__dictionary_clear(linpred__dictionary *dictionary);
void linpred__dictionary_free(linpred__dictionary *dictionary);

#endif
