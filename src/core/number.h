/* Text to number and back, exactly, never through the locale. */
#ifndef LINPRED_CORE_NUMBER_H
#define LINPRED_CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum linpred__number {
    LINPRED__NUMBER, /* the whole text is a finite decimal number; correctly rounded (underflow gives a subnormal or 0)
                      */
    LINPRED__NOT_NUMBER, /* something else: words, hexadecimal, two signs, nothing at all */
    LINPRED__TOO_LARGE,  /* a decimal number beyond the range of double */
    LINPRED__NOT_FINITE  /* nan, inf, infinity in any case, with or without a sign */
} linpred__number;

/* Reads all of text[0..bytes): [+-] digits [. digits] [e [+-] digits], as people write numbers ("1.", ".5" are
 *numbers). value is set only for LINPRED__NUMBER. */
linpred__number linpred__number_read(const char *text, size_t bytes, double *value);

/* Whether a careful reader would call the value another number than the one that was written: a whole number, written
   without point or exponent, that no double holds; or one other than 0 that became 0 or subnormal. */
bool linpred__number_altered(const char *text, size_t bytes, double value);

/* Reads the number at the head of `text` and answers where it ends, or NULL if there is none or it is not an everyday
   one (a leading '+', more than 19 digits, beyond the range, perhaps altered): linpred__number_read then decides. What
   follows the number is the caller's to judge. LINPRED__NUMBER_AHEAD bytes after any byte of the number must be
   readable, and the number must be followed by a byte that cannot be part of one. */
enum { LINPRED__NUMBER_AHEAD = 64 };
const char *linpred__number_scan(const char *text, double *value);

/* 17 significant digits at most, the shortest of 15, 16 and 17 that reads back to the same bits; always a '.' or 'e'
   free of the locale. Answers the length; room must hold 32 bytes. */
enum { LINPRED__NUMBER_BYTES = 32 };
size_t linpred__number_write(double value, char *buffer);

/* A whole number in text[0..bytes), no sign, no blanks; false if it is not one or does not fit. */
bool linpred__whole_read(const char *text, size_t bytes, int64_t *value);

/* x1, x2, …: what column 0, 1, … is called where nobody gave it a name. Answers the length. */
enum { LINPRED__NUMBERED_BYTES = 12 };
size_t linpred__numbered_name(int32_t column, char buffer[LINPRED__NUMBERED_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
