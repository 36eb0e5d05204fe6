/* The answers that several questions about separability give. */
#ifndef LINPRED_SEPARATE_ANSWER_H
#define LINPRED_SEPARATE_ANSWER_H

#include "pass/problem.h"
#include "proof/witness.h"

typedef struct linpred__two_way {
    linpred_separation kind; /* SEPARATED, INSEPARABLE or UNDECIDED */
    bool stopped;            /* kind is UNDECIDED because the run was stopped */
    double *w; /* the last halfspace proposed; it separates the rows if kind is SEPARATED and there is no direction */
    double b;
    linpred__direction direction; /* if SEPARATED, but by no w of doubles that was found: integers that separate */
    linpred__combination witness; /* if INSEPARABLE: the proof */
    linpred__support support;     /* if UNDECIDED: the proof of margin_bound; empty if the logistic derivatives at w, b
                                     are the multipliers (large_scale.h) */
    double margin_bound;          /* if UNDECIDED: no homogeneous margin is above it; NaN: no bound is known */
    double solver_seconds;        /* spent in linear programs and exact arithmetic */
    int64_t rounds;               /* of constraint generation */
    int64_t working_rows;         /* at the end */
    int64_t passes;               /* over all rows */
    int64_t updates;              /* of the perceptron's first passes */
} linpred__two_way;

typedef struct linpred__three_way {
    linpred_separation kind;       /* SEPARATED, QUASI_SEPARATED, OVERLAPPING or UNDECIDED */
    bool stopped;                  /* kind is UNDECIDED because the run was stopped */
    linpred__direction direction;  /* v, if one is known: >= 0 on every row and > 0 on some, on all if SEPARATED */
    linpred__combination witness;  /* QUASI_SEPARATED: the proof that no direction is > 0 on every row */
    linpred__combination carriers; /* if OVERLAPPING: the proof */
    int64_t settled_rows;          /* with a direction: the number of rows with <v,z> > 0 */
    int64_t rounds;
    int64_t working_rows;
    int64_t passes;
} linpred__three_way;

/* Makes an undecided answer with w = 0. */
linpred_status linpred__two_way_open(const linpred__problem *problem, linpred__two_way *answer, linpred_error *error);
void linpred__two_way_clear(linpred__two_way *answer);
void linpred__three_way_clear(linpred__three_way *answer);

#endif
