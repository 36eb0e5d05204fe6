/* A remark about data, as values: its kind, and the column, count and line that it is about. Notes of a recipe and
 * warnings about a file are remarks with a sentence. */
#ifndef LINPRED_DATA_REMARK_H
#define LINPRED_DATA_REMARK_H

#include "linpred/linpred.h"

typedef struct linpred__remark {
    const char *kind; /* one of the kinds that linpred_note lists */
    char column[128]; /* the name of the column, cut if it is longer; "" if the remark is about no column */
    int64_t count;    /* what the kind counts; -1 if it counts nothing */
    int64_t line;     /* 1-based line of the file; 0 if the remark is about no line */
} linpred__remark;

typedef struct linpred__warning {
    linpred__remark about;
    char sentence[320];
} linpred__warning;

/* Makes a remark; `column` may be NULL. */
linpred__remark linpred__remark_of(const char *kind, const char *column, int64_t count, int64_t line);
/* Fills the caller's struct; false if its struct_size is not set. */
bool linpred__remark_fill(const linpred__remark *note, const char *sentence, linpred_note *out);

#endif
