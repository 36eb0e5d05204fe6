/* Errors: one sentence, with the place, written into the caller's linpred_error. */
#ifndef LINPRED_CORE_ERROR_H
#define LINPRED_CORE_ERROR_H

#include "linpred/linpred.h"

/* Fills *error (which may be NULL) and answers `status`, so that `return linpred__fail(…)` reads as it acts.
   A message longer than the room is cut at a character's end and closed with "…". */
linpred_status linpred__fail(linpred_error *error, linpred_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
linpred_status linpred__fail_at(linpred_error *error, linpred_status status, int64_t line, int64_t column,
                                const char *format, ...) __attribute__((format(printf, 5, 6)));
linpred_status linpred__no_memory(linpred_error *error);

/* An analyzer sees one file at a time. It must know that a failure is never LINPRED_OK. */
#ifdef __clang_analyzer__
void linpred__uses(const void *first, ...);
#define linpred__fail(error, status, ...) (linpred__uses(error, __VA_ARGS__), (status))
#define linpred__fail_at(error, status, ...) (linpred__uses(error, __VA_ARGS__), (status))
#define linpred__no_memory(error) (linpred__uses(error), LINPRED_ERROR_MEMORY)
#endif

/* At the beginning of a public call that answers a status: LINPRED_ERROR_USAGE if one of these pointers is NULL. */
#define LINPRED__NEEDS(...)                                                                                            \
    do {                                                                                                               \
        const void *const linpred__needed[] = {__VA_ARGS__};                                                           \
        for (size_t linpred__i = 0; linpred__i < sizeof linpred__needed / sizeof linpred__needed[0]; linpred__i++)     \
            if (!linpred__needed[linpred__i])                                                                          \
                return linpred__fail(error, LINPRED_ERROR_USAGE, "%s needs (%s), and one of them is NULL", __func__,   \
                                     #__VA_ARGS__);                                                                    \
    } while (0)

/* Copies at most 40 characters of text for a message: control characters and broken UTF-8 become '?', the cut is marked
   by "…". Answers `buffer`. */
enum { LINPRED__EXCERPT = 168 };
const char *linpred__excerpt(const char *text, size_t bytes, char buffer[LINPRED__EXCERPT]);
/* Puts '?' for every byte that is not part of a whole UTF-8 character, and for control characters: a sentence is one
 * line. */
void linpred__mend_utf8(char *text);
bool linpred__is_utf8(const char *text, size_t bytes);

#endif
