/* Where the records of a text end, for source.c. The text begins with a record. */
#ifndef LINPRED_TABLE_RECORD_ENDS_H
#define LINPRED_TABLE_RECORD_ENDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct linpred__record_rules {
    bool quotes;         /* a line end between double quotes does not end a record */
    char separator;      /* with `quotes`: a quote opens a field after it, or after a line end; else it is text */
    const char *comment; /* with `quotes`: a line that begins with it has no quotes; NULL if there are no comments */
    const char *const *values; /* a line that begins with one of these as its first field is no comment: #N/A. NULL
                                  ends the list. */
} linpred__record_rules;

/* Whether a line whose first byte that is no blank stands at `at` is a comment. `separator` ends the first field; if it
   is '\0', whatever usually separates does. */
bool linpred__is_comment(const char *comment, const char *const *values, char separator, const char *at,
                         const char *end);

/* Where the last whole record of the text ends; 0 if no record ends. *open says whether it ends inside quotes. */
size_t linpred__last_record_end(const linpred__record_rules *rules, const char *text, size_t bytes, bool *open);
/* Where the first record of the text ends; 0 if it goes on after the text, unless `ended` says that nothing follows. */
size_t linpred__first_record_end(const linpred__record_rules *rules, const char *text, size_t bytes, bool ended);
/* Whether a text that ends inside quotes has more than LINPRED__MAX_QUOTED_BYTES of them. */
bool linpred__quote_too_long(const char *text, size_t bytes);

#endif
