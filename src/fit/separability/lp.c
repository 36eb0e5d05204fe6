/* Method lp: is there a halfspace that separates the rows? The result states the two-way answer with its proof. */
#include "fit/halfspace.h"
#include "separate/two_way.h"

static void assemble(linpred__fit_context *fit, linpred__two_way *found, const linpred__halfspace_tally *tally)
{
    linpred__ending ending = linpred__decision_ending(&fit->run, found);
    linpred__assemble_decision(fit, found, tally, &ending);
    linpred__claim_figures(fit->result);
}

linpred_status linpred__fit_lp(linpred__fit_context *fit, linpred_error *error)
{
    linpred__two_way found;
    linpred__halfspace_tally tally;
    linpred_status status = linpred__ask_two_way(&fit->run, &fit->problem, 0.0, &found, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__ask_halfspace_tally(&fit->run, &fit->problem, found.w, found.b, &tally, error);
    if (status == LINPRED_OK)
        assemble(fit, &found, &tally);
    linpred__two_way_clear(&found);
    return status;
}
