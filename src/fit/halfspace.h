/* What the learners of halfspaces have in common when they assemble a result. Nothing here asks a question. */
#ifndef LINPRED_FIT_HALFSPACE_H
#define LINPRED_FIT_HALFSPACE_H

#include "fit/fit.h"
#include "pass/halfspace_tally.h"
#include "separate/answer.h"
#include "separate/perceptron.h"

/* Writes the model w, b with radius, errors and loss. Objective and margins are left to the caller. */
void linpred__set_weights(linpred__fit_context *fit, const double *w, double b, const linpred__halfspace_tally *tally);
/* Writes the model w, b and all figures that the tally gives for it. */
void linpred__set_halfspace(linpred__fit_context *fit, const double *w, double b,
                            const linpred__halfspace_tally *tally);
/* The same with another radius, that of the rows which the bound on updates speaks of. */
void linpred__set_halfspace_of_radius(linpred__fit_context *fit, const double *w, double b,
                                      const linpred__halfspace_tally *tally, double radius);

/* Fails if a weight or the intercept is beyond the range of doubles: such a halfspace is not stated. */
linpred_status linpred__check_weights_range(const linpred_data *data, const double *w, double b, linpred_error *error);

/* How the perceptron's loop ended. Mistakes are not counted here. */
linpred__ending linpred__perceptron_ending(const linpred__run *run, const linpred__perceptron_question *question,
                                           linpred__perceptron_end end);

/* The ending of a method whose weights make `errors` mistakes: SEPARATED exactly if there are none. `rule` says what
   the method took for a mistake. */
linpred__ending linpred__counted_ending(const linpred__ending *ending, double errors, linpred_mistake rule);

/* The ending of method lp, from the two-way answer. */
linpred__ending linpred__decision_ending(const linpred__run *run, const linpred__two_way *found);

/* Writes the whole result from the two-way answer and the ending, without linpred__claim_figures. The witnesses are
   moved into claims. */
void linpred__assemble_decision(linpred__fit_context *fit, linpred__two_way *found,
                                const linpred__halfspace_tally *tally, const linpred__ending *ending);

/* Adds a main claim: the model separates the rows, or it makes figures.errors mistakes. */
void linpred__claim_errors(linpred_result *result);
/* Adds a main claim: the rows are inseparable. The witness is moved into it. */
void linpred__claim_inseparable(linpred_result *result, linpred__combination *witness);
/* States margin_bound and adds a detail claim: no margin is above it. Without a support, which would prove it, neither
   is done. */
void linpred__claim_margin_at_most(linpred_result *result, double bound, linpred__support *support);
/* States norm and bound of the perceptron's updates in a detail claim. The weights with this norm are moved into it; if
   there are none, they are those of the model. Nothing is stated if the norm or the radius is beyond the range of
   doubles. */
void linpred__claim_update_bound(linpred_result *result, double norm, double updates, linpred__vector *weights);
/* Adds a detail claim for every figure that is stated and that no claim holds yet. */
void linpred__claim_figures(linpred_result *result);

#endif
