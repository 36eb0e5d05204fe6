/* The three-way oracle: are the rows separated, quasi-separated or overlapping? With proof, for any number of rows.
 *
 * Logistic regression has a minimum exactly when rows overlap: no v != 0 on their span has <v,z_i> >= 0 on every row,
 * z_i = y_i (x_i, 1). Single columns are looked at first (separate/one_column.h). If nothing separates the rows
 * (separate/two_way.h), working rows are asked in exact arithmetic: quasi-separated   the integer direction v is tried
 * on all rows, by sign; rows that refute it join overlapping       carriers, rows whose positive combination is zero,
 * span the working rows. What they carry holds for all data, and so does the answer once they span all rows: at full
 * rank nothing is left to ask; else a row outside their span joins, and the last word is exact elimination on all rows.
 */
#ifndef LINPRED_SEPARATE_THREE_WAY_H
#define LINPRED_SEPARATE_THREE_WAY_H

#include "fit/fit.h"

typedef struct linpred__three_way {
    linpred_separation kind;    /* NOT_ASKED: could not be decided */
    bool stopped;               /* time was up or the caller said so; fit's outcome and reason are set */
    linpred__certificate proof; /* separated and quasi-separated: the direction; overlapping: carriers as the witness */
    int64_t settled;            /* rows with <v,z> > 0 */
    int64_t rounds;
    int64_t working_rows;
    int64_t passes;
} linpred__three_way;

/* w, b: where the search for working rows begins; they may separate the rows already. */
linpred_status linpred__ask_three_way(linpred__fit *fit, const double *w, double b, linpred__three_way *overlap,
                                      linpred_error *error);
/* The two-way question alone: SEPARATED; or QUASI_SEPARATED, if that is all they can be, nothing being strict;
   NOT_ASKED if that could not be decided. */
linpred_status linpred__ask_separated(linpred__fit *fit, const double *w, double b, linpred__three_way *overlap,
                                      linpred_error *error);
void linpred__three_way_clear(linpred__three_way *overlap);

#endif
