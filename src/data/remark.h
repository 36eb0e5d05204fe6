/* A remark about data as values: its kind, and the column, count and line that it is about. */
#ifndef LINPRED_DATA_REMARK_H
#define LINPRED_DATA_REMARK_H

#include "linpred/linpred.h"

typedef struct linpred__remark {
    const char *kind; /* as linpred_note lists them */
    char column[128]; /* the name of the column, perhaps cut; "": it is about no column */
    int64_t count;    /* -1: nothing is counted */
    int64_t line;     /* of the file, 1-based; 0: it is about no line */
} linpred__remark;

typedef struct linpred__warning {
    linpred__remark about;
    char sentence[320];
} linpred__warning;

/* A note of this kind, about this column or NULL. */
linpred__remark linpred__remark_of(const char *kind, const char *column, int64_t count, int64_t line);
/* Fills the caller's struct; false if its struct_size was not set. */
bool linpred__remark_fill(const linpred__remark *note, const char *sentence, linpred_note *out);

#endif
