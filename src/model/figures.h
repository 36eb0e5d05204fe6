/* The figures of a result as a table: figures.def, with the place of each in the struct. */
#ifndef LINPRED_MODEL_FIGURES_H
#define LINPRED_MODEL_FIGURES_H

#include "linpred/linpred.h"
#include "proof/claim.h"

/* What is known of a fit. figures.def says what each figure means. */
typedef struct linpred__figures {
    linpred_outcome outcome;
    linpred_method method;
#define LINPRED_FIGURE_NUMBER(name, claims, meaning) double name;
#define LINPRED_FIGURE_COUNT(name, claims, meaning) int64_t name;
#include "linpred/figures.def"
#undef LINPRED_FIGURE_NUMBER
#undef LINPRED_FIGURE_COUNT
    char reason[200];           /* why it ended, as a sentence */
    char reason_no_errors[120]; /* why there are no standard errors; "": there are, or they were never asked for */
} linpred__figures;

typedef struct linpred__figure {
    const char *name;
    const char *meaning;
    unsigned claims; /* bits of the kinds that may state it; 0: it tells how the fit went */
    size_t offset;   /* in linpred__figures */
    bool count;      /* an int64_t, else a double */
} linpred__figure;

/* NULL past the last. */
const linpred__figure *linpred__figure_at(size_t index);
/* NULL: there is no figure of this name. */
const linpred__figure *linpred__figure_find(const char *name);

bool linpred__figure_is_stated(const linpred__figures *figures, const linpred__figure *figure);
/* A count as a double; NaN: not stated. */
double linpred__figure_as_number(const linpred__figures *figures, const linpred__figure *figure);
int64_t linpred__figure_as_count(const linpred__figures *figures, const linpred__figure *figure);
void linpred__figure_set_number(linpred__figures *figures, const linpred__figure *figure, double value);
void linpred__figure_set_count(linpred__figures *figures, const linpred__figure *figure, int64_t value);

/* The kind of claim that states the figure in a result with these claims; -1: none of them may. */
int linpred__figure_home(const linpred__figure *figure, const linpred__claims *claims);

/* Nothing is stated: NaN, -1. */
void linpred__figures_clear(linpred__figures *figures);

#endif
