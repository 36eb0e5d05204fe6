/* The figures of a result as a table: figures.def, with the place of each in the struct. */
#ifndef LINPRED_MODEL_FIGURES_H
#define LINPRED_MODEL_FIGURES_H

#include "linpred/linpred.h"
#include "proof/claim.h"

enum { LINPRED__REASON = 200 }; /* bytes of the sentence that explains an outcome */

/* What is known of a fit. figures.def says what each figure means. */
typedef struct linpred__figures {
    linpred_outcome outcome;
    linpred_method method;
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) double name;
#define LINPRED_FIGURE_COUNT(name, claims, meaning) int64_t name;
#include "linpred/figures.def"
    char reason[LINPRED__REASON]; /* why the fit ended with its outcome, as a sentence */
    char reason_no_errors[120];   /* why there are no standard errors; empty if there are some or none were asked for */
} linpred__figures;

typedef struct linpred__figure {
    const char *name;
    const char *meaning;
    const char *claims; /* names of the claims that may state it, separated by blanks; "": it tells how the fit went */
    size_t offset;      /* of its field in linpred__figures */
    bool count;         /* the field is an int64_t; otherwise a double */
} linpred__figure;

/* The figures one after another; NULL after the last. */
const linpred__figure *linpred__figure_at(size_t index);
/* Returns NULL if there is no figure of this name. */
const linpred__figure *linpred__figure_find(const char *name);

bool linpred__figure_is_stated(const linpred__figures *figures, const linpred__figure *figure);
/* The value of a number or a count as a double; NaN if it is not stated. */
double linpred__figure_as_number(const linpred__figures *figures, const linpred__figure *figure);
int64_t linpred__figure_as_count(const linpred__figures *figures, const linpred__figure *figure);
void linpred__figure_set_number(linpred__figures *figures, const linpred__figure *figure, double value);
void linpred__figure_set_count(linpred__figures *figures, const linpred__figure *figure, int64_t value);

/* Whether a claim of this kind may state the figure. */
bool linpred__figure_may_be_of(const linpred__figure *figure, linpred_claim_kind kind);
/* Whether the figure tells how the fit went, and is part of no claim. */
bool linpred__figure_is_of_run(const linpred__figure *figure);
/* The kind of the claim that states the figure, among these claims; -1 if none may. */
int linpred__figure_home(const linpred__figure *figure, const linpred__claims *claims);

/* Sets all figures to "not stated": NaN or -1. */
void linpred__figures_clear(linpred__figures *figures);

#endif
