/* What is written where a value is missing: NA, N/A, NULL and the like, or what --na lists. */
#ifndef LINPRED_TABLE_MARKERS_H
#define LINPRED_TABLE_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct linpred__na_marker {
    const char *text;
    size_t bytes;
    bool is_number; /* cells that hold an equal number are missing too: -999.0 for -999 */
    double value;
} linpred__na_marker;

/* The markers of one file. */
typedef struct linpred__na {
    bool usual;                 /* the usual markers hold; else those of --na */
    linpred__na_marker *marker; /* those of --na */
    size_t markers;             /* length of `marker` */
    bool numeric;               /* some marker is a number, so that every number must be compared with it */
    char *memory;               /* of their texts */
    const char **texts;         /* the usual markers and those of --na; NULL ends them */
} linpred__na;

/* Sets the markers; `list` is that of --na, or NULL. False if out of memory. */
bool linpred__na_set(linpred__na *na, const char *list);
void linpred__na_clear(linpred__na *na);
/* Whether --na lists the cell, as text or as an equal number. */
bool linpred__na_lists(const linpred__na *na, const char *text, size_t bytes);
/* Whether --na lists a number equal to this one. */
bool linpred__na_lists_number(const linpred__na *na, double value);

/* NA and ? are missing values everywhere. */
bool linpred__always_missing(const char *text, size_t bytes);
/* The usual marker that the text is, besides these; -1 if it is none. They mean a missing value only among numbers. */
int32_t linpred__usual_marker(const char *text, size_t bytes);
/* The text of a marker; NULL past the last. */
const char *linpred__marker_text(int32_t marker);

#endif
