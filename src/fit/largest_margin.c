/* The largest margin as a result (see largest_margin.h).
 *
 *     gap = bound / margin - 1
 *
 * of the form asked for. The figures of the homogeneous form also bound the perceptron's updates, (R / margin)². */
#include "fit/largest_margin.h"

#include <math.h>

#include "num/vector.h"
#include "separate/exact_margin.h"

/* Weights with tails separate the rows. */
static linpred_status tally_tails(linpred__fit_context *fit, const linpred__largest_margin *largest,
                                  linpred__halfspace_tally *tally, linpred_error *error)
{
    linpred_status status =
        linpred__ask_halfspace_tally(&fit->run, &fit->problem, largest->w, largest->b, tally, error);
    double without_b = linpred__norm(largest->w, fit->problem.data->columns, 0.0);
    tally->errors = tally->wrong[0] = tally->wrong[1] = tally->loss = 0.0;
    tally->margin = largest->margin;
    tally->margin_without_intercept = isnormal(without_b) ? largest->lowest / without_b : (double)NAN;
    return status;
}

linpred_status linpred__ask_margins(linpred__fit_context *fit, const linpred__two_way *found,
                                    linpred__both_margins *margins, linpred__halfspace_tally *tally,
                                    linpred_error *error)
{
    bool without_intercept = fit->options->norm == LINPRED_MARGIN_WITHOUT_INTERCEPT;
    linpred_status status =
        linpred__ask_both_margins(&fit->run, &fit->problem, without_intercept, found->w, found->b, margins, error);
    if (status != LINPRED_OK)
        return status;
    const linpred__largest_margin *largest = &margins->largest;
    bool met = margins->better && largest->end == LINPRED__MARGIN_FOUND;
    if (!met && !without_intercept && fit->run.stopped == LINPRED__NOT_STOPPED &&
        linpred__has_exact_margin(fit->problem.data, fit->problem.has_intercept))
        status = linpred__ask_exact_margin(&fit->problem, &margins->largest, &met, error);
    if (status != LINPRED_OK)
        return status;
    if (largest->tails.value) {
        margins->better = true;
        margins->other_found = false;
        return tally_tails(fit, largest, tally, error);
    }
    return linpred__ask_halfspace_tally(&fit->run, &fit->problem, margins->better ? largest->w : found->w,
                                        margins->better ? largest->b : found->b, tally, error);
}

/* The relative gap in the form asked for. NaN if the figures left the range of doubles, or w, b make mistakes. */
static double find_gap(const linpred__both_margins *margins, const linpred__halfspace_tally *tally)
{
    double margin = margins->without_intercept ? tally->margin_without_intercept : tally->margin;
    double gap = margins->largest.tails.value ? margins->largest.gap : margins->largest.bound / margin - 1.0;
    return gap >= -1e-9 && isfinite(gap) ? fmax(gap, 0.0) : NAN;
}

/* States the largest margin of the other form with its proof. The model seldom has it. */
static void claim_other(linpred_result *result, linpred__both_margins *margins)
{
    linpred__figures *figures = &result->figures;
    if (!margins->other_found)
        return;
    linpred__claim *claim = linpred__claims_add(&result->claims, LINPRED_CLAIM_OTHER_MARGIN, false);
    claim->by.margin.weights = margins->other_weights;
    claim->by.margin.support = margins->other.support;
    claim->by.margin.support.without_intercept = !margins->without_intercept;
    margins->other_weights = (linpred__vector){0};
    margins->other.support = (linpred__support){0};
    *(margins->without_intercept ? &figures->largest_margin : &figures->largest_usual_margin) = margins->other.margin;
}

/* States what the largest homogeneous margin says about the perceptron. It is that of the model or of the other
   halfspace. */
static void claim_updates(linpred_result *result, linpred__both_margins *margins)
{
    const linpred__largest_margin *other = &margins->other;
    linpred__vector none = {0};
    if (!margins->without_intercept)
        linpred__claim_update_bound(result, 1.0 / result->figures.margin, margins->largest.updates, &none);
    else if (margins->other_found)
        linpred__claim_update_bound(result, 1.0 / other->margin, other->updates, &margins->bound_weights);
}

static void set_counts(linpred__figures *figures, const linpred__two_way *found, const linpred__both_margins *margins)
{
    const linpred__largest_margin *largest = &margins->largest;
    int64_t working_rows = found->working_rows;
    figures->updates = found->updates;
    figures->solver_seconds = found->solver_seconds;
    figures->rounds = found->rounds + largest->rounds;
    figures->passes = found->passes + largest->passes + margins->other.passes;
    figures->working_rows = largest->working_rows > working_rows ? largest->working_rows : working_rows;
}

/* How the search for the largest margin ended. Without `promised`, a halfspace that separates is success. */
static linpred__ending find_margin_ending(const linpred__run *run, const linpred__both_margins *margins, double errors,
                                          double gap, bool promised)
{
    linpred__margin_end end = margins->largest.end;
    linpred_outcome unproved = promised ? LINPRED_OUTCOME_UNDECIDED : LINPRED_OUTCOME_SEPARATED;
    if (margins->better && errors > 0.0)
        return linpred__make_ending(
            LINPRED_OUTCOME_UNDECIDED,
            "the rows are separable, but the largest margin is too small for weights of doubles");
    if (margins->better && end == LINPRED__MARGIN_FOUND && !isnan(gap))
        return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL, "separable, and the margin is the largest there is");
    if (end == LINPRED__MARGIN_STOPPED)
        return linpred__stopped_ending(run);
    if (!margins->better)
        return linpred__make_ending(unproved,
                                    "separable, by this halfspace; the largest margin is beyond weights of doubles");
    return linpred__make_ending(
        unproved, "separable, by this halfspace; that its margin is the largest is beyond doubles to tell");
}

/* Claims that the margin is the largest, and states gap and bound. */
static void claim_largest(linpred_result *result, linpred__both_margins *margins, double gap, bool main)
{
    linpred__claim *claim = linpred__claims_add(&result->claims, LINPRED_CLAIM_LARGEST_MARGIN, main);
    claim->by.support = margins->largest.support;
    claim->by.support.without_intercept = margins->without_intercept;
    margins->largest.support = (linpred__support){0};
    result->figures.gap = gap;
    if (margins->without_intercept)
        result->figures.usual_margin_bound = margins->largest.bound;
    else
        result->figures.margin_bound = margins->largest.bound;
}

/* States the halfspace of largest margin. The claim that no margin is larger is a main claim if it was promised or
   proved. */
static void assemble_largest(linpred__fit_context *fit, const linpred__two_way *found, linpred__both_margins *margins,
                             const linpred__halfspace_tally *tally, bool promised)
{
    linpred_result *result = fit->result;
    double gap = find_gap(margins, tally);
    linpred__ending ending = find_margin_ending(&fit->run, margins, tally->errors, gap, promised);
    bool separates = tally->errors == 0.0, main = promised || ending.outcome == LINPRED_OUTCOME_OPTIMAL;
    linpred__set_halfspace(fit, margins->largest.w, margins->largest.b, tally);
    result->model.tails = margins->largest.tails;
    margins->largest.tails = (linpred__tails){0};
    set_counts(&result->figures, found, margins);
    linpred__set_ending(&result->figures, &ending);
    linpred__claims_add(&result->claims, separates ? LINPRED_CLAIM_SEPARATES : LINPRED_CLAIM_ERRORS, true);
    if (separates && isfinite(margins->largest.bound) && (main || !isnan(gap)))
        claim_largest(result, margins, gap, main);
    else if (!margins->without_intercept)
        linpred__claim_margin_at_most(result, margins->largest.bound, &margins->largest.support);
}

void linpred__assemble_margin(linpred__fit_context *fit, linpred__two_way *found, linpred__both_margins *margins,
                              const linpred__halfspace_tally *tally, bool promised)
{
    if (margins->better) {
        assemble_largest(fit, found, margins, tally, promised);
    } else { /* no better halfspace was found in doubles */
        linpred__ending ending = find_margin_ending(&fit->run, margins, tally->errors, NAN, promised);
        linpred__assemble_decision(fit, found, tally, &ending);
    }
    linpred__claim_figures(fit->result);
    if (margins->better) {
        claim_other(fit->result, margins);
        claim_updates(fit->result, margins);
    }
}
