/* Method margin: the halfspace of largest margin, minimum norm subject to y(<w,x>+b) >= 1.
 *
 * The two-way question comes first. Rows that nothing separates have no margin; then the result is that of method lp.
 * The options choose the form of the margin. The result also gives the largest margin of the other form.
 */
#include "fit/largest_margin.h"
#include "separate/two_way.h"

struct margin_answers {
    linpred__two_way decision;
    linpred__both_margins margins;  /* empty if nothing separates the rows */
    linpred__halfspace_tally tally; /* of the halfspace chosen */
};

static void assemble(linpred__fit_context *fit, struct margin_answers *answers)
{
    if (answers->decision.kind == LINPRED_SEPARATION_SEPARATED) {
        linpred__assemble_margin(fit, &answers->decision, &answers->margins, &answers->tally, true);
    } else {
        linpred__ending ending = linpred__decision_ending(&fit->run, &answers->decision);
        linpred__assemble_decision(fit, &answers->decision, &answers->tally, &ending);
        linpred__claim_figures(fit->result);
    }
}

linpred_status linpred__fit_margin(linpred__fit_context *fit, linpred_error *error)
{
    struct margin_answers answers = {0};
    linpred__two_way *decision = &answers.decision;
    linpred_status status = linpred__ask_two_way(&fit->run, &fit->problem, 0.0, decision, error);
    if (status != LINPRED_OK)
        return status;
    status =
        decision->kind == LINPRED_SEPARATION_SEPARATED
            ? linpred__ask_margins(fit, decision, &answers.margins, &answers.tally, error)
            : linpred__ask_halfspace_tally(&fit->run, &fit->problem, decision->w, decision->b, &answers.tally, error);
    if (status == LINPRED_OK)
        assemble(fit, &answers);
    linpred__both_margins_clear(&answers.margins);
    linpred__two_way_clear(decision);
    return status;
}
