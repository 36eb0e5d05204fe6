/* Which halfspace makes few mistakes? For rows that are not known to be separable.
 *
 * Candidates are the minimum of the logistic loss, pocket started from least squares on the labels, and a halfspace
 * that the caller knows, each as it is and with the intercept that costs least. A local search goes on from the best of
 * them. So the answer is never worse than any candidate. Mistakes are counted by certified signs.
 */
#ifndef LINPRED_SEPARATE_FEW_MISTAKES_H
#define LINPRED_SEPARATE_FEW_MISTAKES_H

#include "pass/halfspace_tally.h"
#include "separate/perceptron.h"

typedef struct linpred__few_mistakes_question {
    double class_cost[2]; /* what a mistake costs on a row labelled -1 and on one labelled +1 */
    uint64_t seed;
    linpred__perceptron_question pocket; /* limits and order of pocket; its start is found here */
    const double *w;                     /* a halfspace that is known */
    double b;
} linpred__few_mistakes_question;

typedef struct linpred__few_mistakes {
    double *w; /* columns + 1 long, the intercept last */
    linpred__halfspace_tally tally;
    double cost; /* of its mistakes */
    linpred__perceptron_end pocket_end;
    int64_t pocket_updates;
    int64_t pocket_passes;
} linpred__few_mistakes;

/* The usual limits of pocket: it ends when it has found nothing better for some passes. */
linpred__perceptron_question linpred__usual_pocket(const linpred_data *data, uint64_t seed);

linpred_status linpred__ask_few_mistakes(linpred__run *run, const linpred__problem *problem,
                                         const linpred__few_mistakes_question *question, linpred__few_mistakes *answer,
                                         linpred_error *error);
void linpred__few_mistakes_clear(linpred__few_mistakes *answer);

#endif
