/* The three-way oracle: are the rows separated, quasi-separated or overlapping? With proof, for any number of rows.
 *
 * Logistic regression has a minimum exactly when rows overlap: no v != 0 on their span has <v,z_i> >= 0 on every row,
 * z_i = y_i (x_i, 1). Single columns are looked at first (fit/one_column.h). If nothing separates the rows (fit/oracle.h), working rows are asked in exact arithmetic:
 *   quasi-separated   the integer direction v is tried on all rows, by sign; rows that refute it join
 *   overlapping       carriers, rows whose positive combination is zero, span the working rows. What they carry holds
 * for all data, and so does the answer once they span all rows: at full rank nothing is left to ask; else a row outside
 * their span joins, and the last word is exact elimination on all rows.
 */
#ifndef LINPRED_FIT_OVERLAP_H
#define LINPRED_FIT_OVERLAP_H

#include "fit/fit.h"

typedef struct linpred__overlap {
    linpred_separation kind;    /* NOT_ASKED: could not be decided */
    bool stopped;               /* time was up or the caller said so; fit's outcome and reason are set */
    linpred__certificate proof; /* separated and quasi-separated: the direction; overlapping: carriers as the witness */
    int64_t settled;            /* rows with <v,z> > 0 */
    int64_t rounds;
    int64_t working_rows;
    int64_t passes;
} linpred__overlap;

/* w, b: where the search for working rows begins; they may separate the rows already. */
linpred_status linpred__ask_overlap(linpred__fit *fit, const double *w, double b, linpred__overlap *overlap,
                                    linpred_error *error);
/* Rows that are at least quasi-separated, by the direction in overlap->proof: QUASI_SEPARATED if nothing separates them, SEPARATED
   with another direction if something does, NOT_ASKED if that could not be decided. */
linpred_status linpred__ask_strict(linpred__fit *fit, const double *w, double b, linpred__overlap *overlap,
                                   linpred_error *error);
void linpred__overlap_clear(linpred__overlap *overlap);

#endif
