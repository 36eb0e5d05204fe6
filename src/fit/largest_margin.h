/* What the methods margin and auto share: they ask for the largest margin and state it in the result. */
#ifndef LINPRED_FIT_LARGEST_MARGIN_H
#define LINPRED_FIT_LARGEST_MARGIN_H

#include "fit/halfspace.h"
#include "separate/largest_margin.h"

/* Asks for the largest margin of the form that the options choose, and of the other form. `found` separates the rows.
   The tally is that of margins->largest if margins->better, else that of `found`. */
linpred_status linpred__ask_margins(linpred__fit_context *fit, const linpred__two_way *found,
                                    linpred__both_margins *margins, linpred__halfspace_tally *tally,
                                    linpred_error *error);

/* Writes the result from what linpred__ask_margins found. The witnesses are moved into claims. `promised`: the user
   asked for the largest margin, so a halfspace that only separates is not enough. */
void linpred__assemble_margin(linpred__fit_context *fit, linpred__two_way *found, linpred__both_margins *margins,
                              const linpred__halfspace_tally *tally, bool promised);

#endif
