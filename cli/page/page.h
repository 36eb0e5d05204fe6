/* The report: one page of HTML about a model on rows, with all that it needs inside. */
#ifndef CLI_PAGE_PAGE_H
#define CLI_PAGE_PAGE_H

#include "../draw/picture.h"

typedef struct page_subject {
    draw_subject drawn; /* result, data and how to draw them */
    const linpred_check *check;
    const char *model_path;
    const char *data_path;
} page_subject;

/* The whole page, as text that is the caller's to free. */
linpred_status page_to_text(const page_subject *subject, char **text, size_t *bytes, linpred_error *error);

/* claims.c: every claim with its verdict, what was found, and its proof in words; witnesses as tables. */
void page_claims(FILE *out, const page_subject *subject);
/* The main claims as one sentence. */
void page_answer(FILE *out, const linpred_result *result);
/* tables.c: the coefficients, and the figures. */
void page_coefficients(FILE *out, const page_subject *subject);
void page_figures(FILE *out, const page_subject *subject);

/* A number as a cell: as many digits as people read, with all of them for programs (data-v); empty if NaN. */
void page_number_cell(FILE *out, double value, int digits);
void page_open_table(FILE *out, const char *name, bool sortable); /* with its caption; it scrolls if it is wide */
void page_close_table(FILE *out);

/* Files of this folder, as the build found them. */
extern const char page_style[];
extern const char page_script[];

#endif
