/* The answers that several questions about separability give. */
#ifndef LINPRED_SEPARATE_ANSWER_H
#define LINPRED_SEPARATE_ANSWER_H

#include "pass/problem.h"
#include "proof/witness.h"

typedef struct linpred__two_way {
    linpred_separation kind; /* SEPARATED, INSEPARABLE or UNDECIDED */
    bool stopped;            /* UNDECIDED because the run was stopped */
    double *w; /* the last halfspace proposed; it separates if kind is SEPARATED and there is no direction */
    double b;
    linpred__direction direction; /* SEPARATED: integers that separate, where no w of doubles was found */
    linpred__combination witness; /* INSEPARABLE: the proof */
    linpred__support support;     /* UNDECIDED: what proves margin_bound; none: the logistic derivatives at w, b do */
    double margin_bound;          /* UNDECIDED: no homogeneous margin is above; NaN: none is known */
    double solver_seconds;        /* spent in linear programs and exact work */
    int64_t rounds;
    int64_t working_rows;
    int64_t passes;
    int64_t updates; /* of the perceptron at the beginning */
} linpred__two_way;

typedef struct linpred__three_way {
    linpred_separation kind;       /* SEPARATED, QUASI_SEPARATED, OVERLAPPING or UNDECIDED */
    bool stopped;                  /* UNDECIDED because the run was stopped */
    linpred__direction direction;  /* v, if one is known: >= 0 on every row and > 0 on some, on all if SEPARATED */
    linpred__combination witness;  /* QUASI_SEPARATED: the proof that no direction is > 0 on every row */
    linpred__combination carriers; /* OVERLAPPING: the proof */
    int64_t settled_rows;          /* with a direction: rows with <v,z> > 0 */
    int64_t rounds;
    int64_t working_rows;
    int64_t passes;
} linpred__three_way;

/* Undecided, with room for w, all zero. */
linpred_status linpred__two_way_open(const linpred__problem *problem, linpred__two_way *answer, linpred_error *error);
void linpred__two_way_clear(linpred__two_way *answer);
void linpred__three_way_clear(linpred__three_way *answer);

#endif
