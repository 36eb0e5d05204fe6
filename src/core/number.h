/* Text to number and back: correctly rounded, and the same in every locale. */
#ifndef LINPRED_CORE_NUMBER_H
#define LINPRED_CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum linpred__number {
    LINPRED__NUMBER,     /* a finite decimal number, correctly rounded; underflow gives a subnormal or 0 */
    LINPRED__NOT_NUMBER, /* anything else, such as words, hexadecimal numbers, two signs, or no text */
    LINPRED__TOO_LARGE,  /* a decimal number beyond the range of double */
    LINPRED__NOT_FINITE  /* nan, inf or infinity, in upper or lower case, with or without a sign */
} linpred__number;

/* Reads text[0..bytes), which must be [+-] digits [. digits] [e [+-] digits] as a whole; "1." and ".5" are numbers.
 *value is set only for LINPRED__NUMBER. */
linpred__number linpred__number_read(const char *text, size_t bytes, double *value);

/* Whether rounding changed the number so much that the user must be told. That is so if the text is a whole number
   without point or exponent that no double equals, or a number other than 0 that became 0 or subnormal. */
bool linpred__number_altered(const char *text, size_t bytes, double value);

/* Whether the number has more than 15 digits, counted from the first to the last that is not 0. What stands between the
   digits is not judged. */
bool linpred__number_is_long(const char *text, size_t bytes);

/* The fast reader. Reads the number at the beginning of `text` and returns its end. Returns NULL if there is no number
   or an unusual one: a leading '+', more than 19 digits, beyond the range, or perhaps altered. linpred__number_read
   then decides. The caller must test what follows the number. LINPRED__NUMBER_AHEAD bytes after each byte of the number
   must be readable, and the number must be followed by a byte that cannot be part of it. */
enum { LINPRED__NUMBER_AHEAD = 64 };
const char *linpred__number_scan(const char *text, double *value);

/* Writes the shortest digits, at most 17, that read back to the same double, in the layout of printf's %.15g or longer.
   The decimal point is always '.'. Returns the length. The buffer must hold LINPRED__NUMBER_BYTES. */
enum { LINPRED__NUMBER_BYTES = 32 };
size_t linpred__number_write(double value, char *buffer);

/* Reads text[0..bytes) as a whole number without sign or blanks. Returns false if it is none or does not fit. */
bool linpred__whole_read(const char *text, size_t bytes, int64_t *value);

/* Writes x1, x2, …, the names of columns 0, 1, … that have no name of their own. Returns the length. */
enum { LINPRED__NUMBERED_BYTES = 12 };
size_t linpred__numbered_name(int32_t column, char buffer[LINPRED__NUMBERED_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
