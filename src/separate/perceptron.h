/* The perceptron's loop (Rosenblatt), and pocket on top of it (Gallant).
 *
 *     w = 0, b = 0;  while some row has y(<w,x>+b) <= 0:  w += η y x,  b += η y.
 *
 * From w = 0 every rate η > 0 makes the same mistakes, so the loop runs at η = 1 and the answer is scaled. Each pass
 * reads every row once. The loop ends after a pass without a mistake, or at a limit.
 */
#ifndef LINPRED_SEPARATE_PERCEPTRON_H
#define LINPRED_SEPARATE_PERCEPTRON_H

#include "core/run.h"
#include "pass/problem.h"

typedef struct linpred__perceptron_question {
    bool pocket; /* keep the weights with the fewest mistakes, and answer with them */
    linpred_order order;
    linpred_mistake mistake;
    uint64_t seed;
    int64_t max_updates;
    int64_t max_passes;
    double rate;         /* η: the answer is that of the loop at rate 1, times η */
    int64_t patience;    /* pocket ends after so many passes without a better halfspace; 0: no such limit */
    bool pass_ends_only; /* pocket scores weights at the ends of passes only, not after long runs */
    const double *w;     /* the start of the loop at rate 1; NULL: 0 */
    double b;
    /* Called after every update; `row` is the data row. The callee sets update->row. If it returns false the loop ends.
       NULL: it is not called. */
    bool (*on_update)(void *context, int64_t row, linpred_update *update);
    void *context;
} linpred__perceptron_question;

typedef enum linpred__perceptron_end {
    LINPRED__PERCEPTRON_CLEAN_PASS,  /* a whole pass went by without a mistake */
    LINPRED__PERCEPTRON_NO_ERRORS,   /* pocket: a halfspace without mistakes was found */
    LINPRED__PERCEPTRON_MAX_UPDATES, /* max_updates was reached */
    LINPRED__PERCEPTRON_MAX_PASSES,  /* max_passes was reached */
    LINPRED__PERCEPTRON_PATIENCE,    /* pocket: no better halfspace for `patience` passes */
    LINPRED__PERCEPTRON_RANGE,       /* the weights leave the range of double */
    LINPRED__PERCEPTRON_STOPPED,     /* the run was stopped */
    LINPRED__PERCEPTRON_ENDED        /* on_update returned false */
} linpred__perceptron_end;

typedef struct linpred__perceptron {
    linpred__perceptron_end end;
    double *w;
    double b;
    int64_t updates;
    int64_t passes;
} linpred__perceptron;

linpred_status linpred__ask_perceptron(linpred__run *run, const linpred__problem *problem,
                                       const linpred__perceptron_question *question, linpred__perceptron *answer,
                                       linpred_error *error);
void linpred__perceptron_clear(linpred__perceptron *answer);

#endif
