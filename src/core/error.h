/* What is wrong with a call: one sentence and its place in the input, written into the caller's linpred_error; the
 * checks of pointers and structs that public calls begin with; the word that a misspelt one may stand for. */
#ifndef LINPRED_CORE_ERROR_H
#define LINPRED_CORE_ERROR_H

#include <stddef.h>

#include "linpred/linpred.h"

/* Fills *error, which may be NULL, and returns `status`, so that a caller can write `return linpred__fail(…)`. A
   message that is too long is cut after a whole character and ends with "…". */
linpred_status linpred__fail(linpred_error *error, linpred_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
linpred_status linpred__fail_at(linpred_error *error, linpred_status status, int64_t line, int64_t column,
                                const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Says how much was asked for when memory ran out, as far as that is known. */
linpred_status linpred__no_memory(linpred_error *error);
/* If `status` is that memory ran out, adds to the sentence what was being done, such as "reading " and the name of a
   file, and what to do about it. Returns `status`. */
linpred_status linpred__no_memory_when(linpred_status status, const char *doing, const char *what, const char *advice,
                                       linpred_error *error);

/* Clang's analyzer sees one file at a time. These macros tell it that a failure is never LINPRED_OK. */
#ifdef __clang_analyzer__
void linpred__uses(const void *first, ...);
#define linpred__fail(error, status, ...) (linpred__uses(error, __VA_ARGS__), (status))
#define linpred__fail_at(error, status, ...) (linpred__uses(error, __VA_ARGS__), (status))
#define linpred__no_memory(error) (linpred__uses(error), LINPRED_ERROR_MEMORY)
#endif

/* For the beginning of a public function that returns a status: returns LINPRED_ERROR_USAGE if one of these pointers is
   NULL. */
#define LINPRED__NEEDS(...)                                                                                            \
    do {                                                                                                               \
        const void *const linpred__needed[] = {__VA_ARGS__};                                                           \
        for (size_t linpred__i = 0; linpred__i < sizeof linpred__needed / sizeof linpred__needed[0]; linpred__i++)     \
            if (!linpred__needed[linpred__i])                                                                          \
                return linpred__fail(error, LINPRED_ERROR_USAGE, "%s needs (%s), and one of them is NULL", __func__,   \
                                     #__VA_ARGS__);                                                                    \
    } while (0)

/* Copies at most 40 characters of text for a message and returns `buffer`. Line ends and tabs are written \n, \r and
   \t; other control characters and broken UTF-8 become '?'. If text was left out, the copy ends with "…". The buffer
   holds 40 characters of 4 bytes and the "…". */
enum { LINPRED__EXCERPT = 168 };
const char *linpred__excerpt(const char *text, size_t bytes, char buffer[LINPRED__EXCERPT]);
/* Makes text one line of valid UTF-8: line ends and tabs become blanks; other control characters and every byte that is
   not part of a whole character become '?'. */
void linpred__mend_utf8(char *text);
bool linpred__is_utf8(const char *text, size_t bytes);

/* ---- structs of the caller --------------------------------------------------------------------------------------- */

/* Structs that the caller allocates begin with `size_t struct_size`: their size in the caller's header.
 *
 * A program that was compiled with another version of the header has a shorter or longer struct. The library fills or
 * reads the part that both versions have. */

/* Copies `made`, a struct of `known` bytes, to the caller's *out, whose first member is its size. Members that only the
   caller's version has become 0. Returns false and writes nothing if out is NULL or its struct_size was not set. */
bool linpred__struct_fill(void *out, const void *made, size_t known);

/* Copies the caller's *from to *into, a struct of `known` bytes. Members that only the library's version has become 0.
   Members that only the caller's version has must be 0; otherwise the caller asks for something that this version
   cannot do, which is an error. */
linpred_status linpred__struct_read(void *into, size_t known, const void *from, const char *name, linpred_error *error);

/* Returns an error if struct_size of *out was not set. It is called before the work whose result *out will hold. */
linpred_status linpred__struct_check(const void *out, const char *name, linpred_error *error);

/* ---- the nearest word -------------------------------------------------------------------------------------------- */

/* The known word that is nearest to a misspelt one, for the suggestion in an error message. */
typedef struct linpred__suggestion {
    const char *best; /* the nearest word so far; NULL if none is near */
    size_t edits;     /* edits from the text to it; a word must need fewer to become the best */
} linpred__suggestion;

/* Begins a search. A word is near if it needs at most one edit for every three letters of the text. */
linpred__suggestion linpred__nearest_to(const char *text);
/* Makes the word the best if it needs fewer edits. A word that begins with the text counts as one edit. */
void linpred__nearest_try(linpred__suggestion *nearest, const char *text, const char *word);

/* Writes a number of bytes as people count memory, "5.2 GB", and returns `text`. */
enum { LINPRED__BYTES_TEXT = 24 };
const char *linpred__bytes_text(double bytes, char text[LINPRED__BYTES_TEXT]);

/* "s" unless the count is 1. */
const char *linpred__plural(double count);

#endif
