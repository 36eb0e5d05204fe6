/* What the learners of halfspaces have in common when they assemble a result. Nothing here asks a question. */
#ifndef LINPRED_FIT_HALFSPACE_H
#define LINPRED_FIT_HALFSPACE_H

#include "fit/fit.h"
#include "pass/halfspace_tally.h"
#include "separate/answer.h"
#include "separate/perceptron.h"

/* Writes the model w, b and the figures that the tally gives for it. */
void linpred__set_halfspace(linpred__fit_context *fit, const double *w, double b,
                            const linpred__halfspace_tally *tally);

/* Sets outcome and reason from the way the perceptron's loop ended. Mistakes are not counted here. */
void linpred__set_perceptron_outcome(linpred__fit_context *fit, const linpred__perceptron_question *question,
                                     const linpred__perceptron *learned);

/* Corrects the outcome by the mistakes that the tally counted: the outcome is SEPARATED exactly if there are none. */
void linpred__correct_outcome(linpred__fit_context *fit);

/* Writes the whole result from the two-way answer, as method lp does, without linpred__claim_figures. The witnesses are
   moved into claims. */
void linpred__assemble_decision(linpred__fit_context *fit, linpred__two_way *found,
                                const linpred__halfspace_tally *tally);
/* Writes only the counts of rounds, passes, updates and working rows. */
void linpred__set_decision_counts(linpred__figures *figures, const linpred__two_way *found);

/* Adds a main claim: the model separates the rows, or it makes figures.errors mistakes. */
void linpred__claim_errors(linpred_result *result);
/* Adds a main claim: the rows are inseparable. The witness is moved into it. */
void linpred__claim_inseparable(linpred_result *result, linpred__combination *witness);
/* Adds a detail claim: no margin is above figures.margin_bound. Without a support, which would prove it, the bound is
   removed from the figures instead. */
void linpred__claim_margin_at_most(linpred_result *result, linpred__support *support);
/* Adds a detail claim for every figure that is stated and that no claim holds yet. */
void linpred__claim_figures(linpred_result *result);

#endif
