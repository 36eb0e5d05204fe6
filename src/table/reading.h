/* How a text file was read: what was found by looking and what options said. The recipe of a fit keeps it, and the
 * model file stores it, so that predict, evaluate and verify read their files in the same way. */
#ifndef LINPRED_TABLE_READING_H
#define LINPRED_TABLE_READING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct linpred__reading {
    bool known;     /* false if the data does not come from a CSV file; the rest is then 0 */
    char separator; /* '\0' if the file has one column */
    char decimal;   /* '.' or ',' */
    bool names;     /* the columns have the names in the file */
    int64_t skip;   /* lines that were skipped at the beginning */
    char *comment;  /* lines that begin with it were skipped; NULL if there are no comments */
    char *na;       /* the list of --na; NULL: the usual markers of missing values */
} linpred__reading;

/* Copies `from`, whose texts may be NULL; false if out of memory, and *to is then empty. */
bool linpred__reading_copy(linpred__reading *to, const linpred__reading *from);
void linpred__reading_clear(linpred__reading *reading);

#endif
