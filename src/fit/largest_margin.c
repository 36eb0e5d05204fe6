/* The largest margin as a result (see largest_margin.h).
 *
 *     gap = bound / margin - 1
 *
 * of the form asked for. The figures of the homogeneous form also bound the perceptron's updates, (R / margin)². */
#include "fit/largest_margin.h"

#include <math.h>

linpred_status linpred__ask_margins(linpred__fit_context *fit, const linpred__two_way *found,
                                    linpred__both_margins *margins, linpred__halfspace_tally *tally,
                                    linpred_error *error)
{
    bool usual = fit->options->norm == LINPRED_MARGIN_WITHOUT_INTERCEPT;
    linpred_status status =
        linpred__ask_both_margins(&fit->run, &fit->problem, usual, found->w, found->b, margins, error);
    if (status != LINPRED_OK)
        return status;
    const linpred__largest_margin *largest = &margins->largest;
    return linpred__ask_halfspace_tally(&fit->run, &fit->problem, margins->better ? largest->w : found->w,
                                        margins->better ? largest->b : found->b, tally, error);
}

/* Sets the figures of both forms. Those of the other form are NaN if it was not found. */
static void set_figures(linpred__figures *figures, const linpred__both_margins *margins)
{
    const linpred__largest_margin *largest = &margins->largest, *other = &margins->other;
    double gap = largest->bound / (margins->usual ? figures->margin_without_intercept : figures->margin) - 1.0;
    bool sound = gap >= -1e-9 && isfinite(gap); /* false if the figures left the range of doubles */
    figures->gap = sound ? fmax(gap, 0.0) : NAN;
    if (margins->usual) {
        figures->usual_margin_bound = largest->bound;
    } else {
        figures->margin_bound = largest->bound;
        figures->norm = 1.0 / figures->margin;
        figures->update_bound = isfinite(largest->updates) ? largest->updates : NAN;
    }
    if (!other->w)
        return;
    bool found = margins->other_found;
    if (!margins->usual) {
        figures->margin_without_intercept = found ? other->margin : NAN;
    } else {
        figures->margin = found ? other->margin : NAN;
        figures->margin_bound = found ? other->bound : NAN;
        figures->norm = found ? 1.0 / other->margin : NAN;
        figures->update_bound = found ? other->updates : NAN;
    }
}

static void set_counts(linpred__figures *figures, const linpred__two_way *found, const linpred__both_margins *margins)
{
    const linpred__largest_margin *largest = &margins->largest;
    linpred__set_decision_counts(figures, found);
    figures->rounds += largest->rounds;
    figures->passes += largest->passes + margins->other.passes;
    if (largest->working_rows > figures->working_rows)
        figures->working_rows = largest->working_rows;
}

/* Claims that no margin is above the bound, if a largest margin is not claimed. */
static void claim_bound(linpred_result *result, linpred__both_margins *margins)
{
    result->figures.usual_margin_bound = NAN;
    if (!margins->usual)
        linpred__claim_margin_at_most(result, &margins->largest.support);
}

/* Sets outcome and main claims. Method auto promises a halfspace that separates; for it a margin that is not proved the
   largest is only a detail. */
static void conclude(linpred__fit_context *fit, linpred__both_margins *margins)
{
    linpred_result *result = fit->result;
    const linpred__figures *figures = &result->figures;
    linpred__margin_end end = margins->largest.end;
    bool automatic = fit->options->method == LINPRED_METHOD_AUTO;
    bool optimal = end == LINPRED__MARGIN_FOUND && !isnan(figures->gap);
    if (figures->errors > 0.0) {
        linpred__claims_add(&result->claims, LINPRED_CLAIM_ERRORS, true);
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "the rows are separable, but the largest margin is too small for weights of doubles");
        claim_bound(result, margins);
        return;
    }
    if (optimal)
        linpred__fit_end(fit, LINPRED_OUTCOME_OPTIMAL, "separable, and the margin is the largest there is");
    else if (end == LINPRED__MARGIN_STOPPED)
        linpred__fit_end_stopped(fit);
    else
        linpred__fit_end(fit, automatic ? LINPRED_OUTCOME_SEPARATED : LINPRED_OUTCOME_UNDECIDED,
                         "separable, by this halfspace; that its margin is the largest is beyond doubles to tell");
    linpred__claims_add(&result->claims, LINPRED_CLAIM_SEPARATES, true);
    bool main = optimal || !automatic;
    if (!main && isnan(figures->gap)) {
        claim_bound(result, margins);
        return;
    }
    linpred__claim *claim = linpred__claims_add(&result->claims, LINPRED_CLAIM_LARGEST_MARGIN, main);
    claim->by.support = margins->largest.support;
    claim->by.support.usual = margins->usual;
    margins->largest.support = (linpred__support){0};
}

/* States the halfspace that separates, because no better one was found in doubles. */
static void keep_found(linpred__fit_context *fit, linpred__two_way *found, const linpred__both_margins *margins,
                       const linpred__halfspace_tally *tally)
{
    bool automatic = fit->options->method == LINPRED_METHOD_AUTO;
    linpred__assemble_decision(fit, found, tally);
    if (margins->largest.end == LINPRED__MARGIN_STOPPED)
        linpred__fit_end_stopped(fit);
    else
        linpred__fit_end(fit, automatic ? LINPRED_OUTCOME_SEPARATED : LINPRED_OUTCOME_UNDECIDED,
                         "separable, by this halfspace; the largest margin is beyond weights of doubles");
}

void linpred__assemble_margin(linpred__fit_context *fit, linpred__two_way *found, linpred__both_margins *margins,
                              const linpred__halfspace_tally *tally)
{
    linpred__figures *figures = &fit->result->figures;
    if (margins->better) {
        linpred__set_halfspace(fit, margins->largest.w, margins->largest.b, tally);
        set_counts(figures, found, margins);
        set_figures(figures, margins);
        conclude(fit, margins);
    } else {
        keep_found(fit, found, margins, tally);
    }
    linpred__claim_figures(fit->result);
}
