/* Errors: one sentence and its place in the input, written into the caller's linpred_error. */
#ifndef LINPRED_CORE_ERROR_H
#define LINPRED_CORE_ERROR_H

#include "linpred/linpred.h"

/* Fills *error, which may be NULL, and returns `status`, so that a caller can write `return linpred__fail(…)`. A
   message that is too long is cut after a whole character and ends with "…". */
linpred_status linpred__fail(linpred_error *error, linpred_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
linpred_status linpred__fail_at(linpred_error *error, linpred_status status, int64_t line, int64_t column,
                                const char *format, ...) __attribute__((format(printf, 5, 6)));
linpred_status linpred__no_memory(linpred_error *error);

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

/* Copies at most 40 characters of text for a message and returns `buffer`. Control characters and broken UTF-8 become
   '?'. If text was left out, the copy ends with "…". The buffer holds 40 characters of 4 bytes and the "…". */
enum { LINPRED__EXCERPT = 168 };
const char *linpred__excerpt(const char *text, size_t bytes, char buffer[LINPRED__EXCERPT]);
/* Replaces every byte that is not part of a whole UTF-8 character, and every control character, by '?'. So a message is
   one line of valid text. */
void linpred__mend_utf8(char *text);
bool linpred__is_utf8(const char *text, size_t bytes);

#endif
