/* A dictionary numbers distinct texts 0, 1, 2, … in the order in which they are first added. A hash table with open
 * addressing finds a text; it is never more than half full. */
#ifndef LINPRED_TABLE_DICTIONARY_H
#define LINPRED_TABLE_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

typedef struct linpred__dictionary_entry {
    uint64_t hash; /* of the text */
    size_t at;     /* where the text begins in linpred__dictionary.text */
    size_t bytes;  /* length without the closing NUL */
} linpred__dictionary_entry;

/* A dictionary of all zeros is empty. */
typedef struct linpred__dictionary {
    linpred__dictionary_entry *entry; /* entry[number] */
    size_t entry_capacity;
    int32_t count; /* of texts */
    char *text;    /* the texts one after the other, each closed by a NUL */
    size_t text_bytes;
    size_t text_capacity;
    int32_t *place; /* the hash table: number + 1 of a text, 0 in an empty place */
    size_t places;  /* length of `place`: a power of two, or 0 before the first text */
} linpred__dictionary;

/* Adds the text if it is new, and returns its number; -1 if memory or the 2^31 - 1 numbers are used up. */
int32_t linpred__dictionary_add(linpred__dictionary *dictionary, const char *text, size_t bytes);
const char *linpred__dictionary_text(const linpred__dictionary *dictionary, int32_t number);
size_t linpred__dictionary_bytes(const linpred__dictionary *dictionary, int32_t number);
/* Removes all texts and keeps the memory for new ones. */
void linpred__dictionary_clear(linpred__dictionary *dictionary);
void linpred__dictionary_free(linpred__dictionary *dictionary);

#endif
