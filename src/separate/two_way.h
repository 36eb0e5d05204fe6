/* The oracle: can a halfspace separate the rows? With a proof either way, for any number of rows.
 *
 * Constraint generation: the exact solvers of solve/working/working_rows.h hold a few working rows; a pass over all
 * rows finds those that the proposed halfspace gets wrong, the worst of them join the working rows, and so on. A
 * witness on working rows that nothing separates them holds for all data; a halfspace is accepted only if every row's
 * sign is certain. A few passes of the perceptron come first: easy data needs no linear program.
 */
#ifndef LINPRED_SEPARATE_TWO_WAY_H
#define LINPRED_SEPARATE_TWO_WAY_H

#include "fit/fit.h"

typedef enum linpred__oracle_kind {
    LINPRED__ORACLE_SEPARATED,   /* by w, b; or by integers alone where no w of doubles was found */
    LINPRED__ORACLE_INSEPARABLE, /* by the witness */
    LINPRED__ORACLE_UNDECIDED    /* no homogeneous margin is above `epsilon`, by the support */
} linpred__oracle_kind;

typedef struct linpred__two_way {
    linpred__oracle_kind kind;
    bool stopped; /* undecided because time was up or the caller said so; fit's outcome and reason are set */
    double *w;    /* the last halfspace proposed: separates if kind says so and there is no direction */
    double b;
    /* Witness, support and direction, as a certificate carries them, rows of the file. */
    linpred__certificate proof;
    double solver_seconds; /* in linear programs and exact work */
    int64_t rounds;
    int64_t working_rows;
    int64_t passes;
    int64_t updates; /* of the perceptron at the beginning */
} linpred__two_way;

linpred_status linpred__ask_two_way(linpred__fit *fit, linpred__two_way *oracle, linpred_error *error);
void linpred__two_way_clear(linpred__two_way *oracle);

#endif
