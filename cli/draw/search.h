/* What a search for few mistakes reported, and its picture. */
#ifndef CLI_DRAW_SEARCH_H
#define CLI_DRAW_SEARCH_H

#include "linpred/linpred.h"
#include "svg.h"

typedef struct search_moment {
    double at;     /* seconds; of pocket, updates */
    double errors; /* of the best so far; NaN: not known */
    double bound;  /* NaN: not known */
} search_moment;

typedef struct search_record {
    search_moment *at; /* NULL: out of memory, and nothing is kept */
    int count;
    int64_t seen;
    int64_t stride; /* every so-manieth report is kept */
    bool last;      /* the next one is kept whatever its number */
} search_record;

void search_init(search_record *record);
void search_clear(search_record *record);
void search_note(search_record *record, double at, double errors, double bound);
void draw_pocket(const svg_document *svg, const search_record *record, const linpred_result *result);
void draw_search(const svg_document *svg, const search_record *record, const linpred_result *result);

#endif
