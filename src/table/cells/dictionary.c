/* The hash table of linpred__dictionary: linear probing from hash modulo places. */
#include "table/cells/dictionary.h"

#include <string.h>

#include "core/memory.h"
#include "table/limits.h"

static uint64_t hash_of(const char *text, size_t bytes)
{
    uint64_t hash = bytes * 0x9E3779B97F4A7C15u;
    for (; bytes >= 8; bytes -= 8, text += 8) {
        uint64_t word;
        memcpy(&word, text, sizeof word);
        hash = (hash ^ word) * 0xFF51AFD7ED558CCDu;
        hash ^= hash >> 32;
    }
    uint64_t rest = 0;
    for (size_t i = 0; i < bytes; i++)
        rest = rest << 8 | (unsigned char)text[i];
    hash = (hash ^ rest) * 0xC4CEB9FE1A85EC53u;
    return hash ^ hash >> 32;
}

/* Enters a text into the first free place from its hash on. */
static void set_place(linpred__dictionary *dictionary, int32_t number)
{
    size_t at = dictionary->entry[number].hash & (dictionary->places - 1);
    while (dictionary->place[at] != 0)
        at = (at + 1) & (dictionary->places - 1);
    dictionary->place[at] = number + 1;
}

/* Doubles the hash table; 0 if out of memory. */
static int widen_places(linpred__dictionary *dictionary)
{
    size_t places = dictionary->places ? 2 * dictionary->places : LINPRED__DICTIONARY_SLOTS;
    int32_t *place = linpred__calloc(places, sizeof *place);
    if (!place)
        return 0;
    linpred__release(dictionary->place);
    dictionary->place = place;
    dictionary->places = places;
    for (int32_t i = 0; i < dictionary->count; i++)
        set_place(dictionary, i);
    return 1;
}

int32_t linpred__dictionary_add(linpred__dictionary *dictionary, const char *text, size_t bytes)
{
    uint64_t hash = hash_of(text, bytes);
    if (dictionary->places > 0) {
        size_t at = hash & (dictionary->places - 1);
        for (; dictionary->place[at] != 0; at = (at + 1) & (dictionary->places - 1)) {
            const linpred__dictionary_entry *entry = &dictionary->entry[dictionary->place[at] - 1];
            if (entry->hash == hash && entry->bytes == bytes && memcmp(dictionary->text + entry->at, text, bytes) == 0)
                return dictionary->place[at] - 1;
        }
    }
    size_t count = (size_t)dictionary->count;
    if (dictionary->count == INT32_MAX || (2 * (count + 1) > dictionary->places && !widen_places(dictionary)))
        return -1;
    if (!linpred__grow(&dictionary->entry, &dictionary->entry_capacity, count + 1, sizeof *dictionary->entry) ||
        !linpred__grow(&dictionary->text, &dictionary->text_capacity, dictionary->text_bytes + bytes + 1, 1))
        return -1;
    dictionary->entry[count] = (linpred__dictionary_entry){hash, dictionary->text_bytes, bytes};
    memcpy(dictionary->text + dictionary->text_bytes, text, bytes);
    dictionary->text[dictionary->text_bytes + bytes] = '\0';
    dictionary->text_bytes += bytes + 1;
    set_place(dictionary, dictionary->count);
    return dictionary->count++;
}

const char *linpred__dictionary_text(const linpred__dictionary *dictionary, int32_t number)
{
    return dictionary->text + dictionary->entry[number].at;
}

size_t linpred__dictionary_bytes(const linpred__dictionary *dictionary, int32_t number)
{
    return dictionary->entry[number].bytes;
}

void linpred__dictionary_clear(linpred__dictionary *dictionary)
{
    if (dictionary->count > 0)
        memset(dictionary->place, 0, dictionary->places * sizeof *dictionary->place);
    dictionary->count = 0;
    dictionary->text_bytes = 0;
}

void linpred__dictionary_free(linpred__dictionary *dictionary)
{
    linpred__release(dictionary->entry);
    linpred__release(dictionary->text);
    linpred__release(dictionary->place);
    *dictionary = (linpred__dictionary){0};
}
