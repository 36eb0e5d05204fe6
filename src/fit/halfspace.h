/* What the learners of halfspaces have in common when they assemble a result. Nothing here asks a question. */
#ifndef LINPRED_FIT_HALFSPACE_H
#define LINPRED_FIT_HALFSPACE_H

#include "fit/fit.h"
#include "pass/halfspace_tally.h"
#include "separate/answer.h"
#include "separate/perceptron.h"

/* The model, and what the tally says of it. */
void linpred__set_halfspace(linpred__fit *fit, const double *w, double b, const linpred__halfspace_tally *tally);

/* The outcome and reason that the end of a perceptron's loop gives by itself, before mistakes are counted. */
void linpred__set_perceptron_outcome(linpred__fit *fit, const linpred__perceptron_question *question,
                                     const linpred__perceptron *learned);

/* The outcome of a learner that counts its mistakes at the end: the tally's errors decide, not what the learner
   believes. */
void linpred__correct_outcome(linpred__fit *fit);

/* Everything that the two-way answer says, as method lp does. The witnesses are moved into claims. */
void linpred__assemble_decision(linpred__fit *fit, linpred__two_way *found, const linpred__halfspace_tally *tally);
/* A part of it: the counts of rounds, passes, updates and working rows. */
void linpred__set_decision_counts(linpred__figures *info, const linpred__two_way *found);

/* Main claims: that the model separates the rows, or makes so many errors; that a witness makes them inseparable. */
void linpred__claim_errors(linpred_result *result);
void linpred__claim_inseparable(linpred_result *result, linpred__combination *witness);
/* A detail: no margin is above info.margin_bound. Without a support nothing proves that, and it is not stated. */
void linpred__claim_margin_at_most(linpred_result *result, linpred__support *support);
/* A claim for every figure that is stated and has none yet. */
void linpred__claim_figures(linpred_result *result);

#endif
