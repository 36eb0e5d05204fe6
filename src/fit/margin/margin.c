/* Method margin: the halfspace of largest margin, minimum norm subject to y(<w,x>+b) >= 1.
 *
 * The two-way question comes first: rows that nothing separates have no margin, and the proof of that is the result.
 * The margin is that of the form asked for; the largest margin of the other form stands beside it.
 */
#include "fit/largest_margin.h"
#include "separate/two_way.h"

static void assemble(linpred__fit *fit, linpred__two_way *found, linpred__both_margins *margins,
                     const linpred__halfspace_tally *tally)
{
    if (margins) {
        linpred__assemble_margin(fit, found, margins, tally);
        return;
    }
    linpred__assemble_decision(fit, found, tally);
    linpred__claim_figures(fit->result);
}

static linpred_status enlarge(linpred__fit *fit, linpred__two_way *found, linpred_error *error)
{
    bool usual = fit->options->norm == LINPRED_MARGIN_WITHOUT_INTERCEPT;
    linpred__both_margins margins;
    linpred__halfspace_tally tally;
    linpred_status status =
        linpred__ask_both_margins(&fit->run, &fit->problem, usual, found->w, found->b, &margins, error);
    if (status != LINPRED_OK)
        return status;
    const linpred__largest_margin *largest = &margins.largest;
    status = linpred__ask_halfspace_tally(&fit->run, &fit->problem, margins.better ? largest->w : found->w,
                                          margins.better ? largest->b : found->b, &tally, error);
    if (status == LINPRED_OK)
        assemble(fit, found, &margins, &tally);
    linpred__both_margins_clear(&margins);
    return status;
}

static linpred_status keep_decision(linpred__fit *fit, linpred__two_way *found, linpred_error *error)
{
    linpred__halfspace_tally tally;
    linpred_status status = linpred__ask_halfspace_tally(&fit->run, &fit->problem, found->w, found->b, &tally, error);
    if (status == LINPRED_OK)
        assemble(fit, found, NULL, &tally);
    return status;
}

linpred_status linpred__fit_margin(linpred__fit *fit, linpred_error *error)
{
    linpred__two_way found;
    linpred_status status = linpred__ask_two_way(&fit->run, &fit->problem, 0.0, &found, error);
    if (status != LINPRED_OK)
        return status;
    bool separated = found.kind == LINPRED_SEPARATION_SEPARATED;
    status = separated ? enlarge(fit, &found, error) : keep_decision(fit, &found, error);
    linpred__two_way_clear(&found);
    return status;
}
