/* The result of a largest margin, for the methods margin and auto. */
#ifndef LINPRED_FIT_LARGEST_MARGIN_H
#define LINPRED_FIT_LARGEST_MARGIN_H

#include "fit/halfspace.h"
#include "separate/both_margins.h"

/* `found` separates the rows. The tally is that of margins->largest if it is better, else that of `found`. The
   witnesses are moved into claims. */
void linpred__assemble_margin(linpred__fit *fit, linpred__two_way *found, linpred__both_margins *margins,
                              const linpred__halfspace_tally *tally);

#endif
