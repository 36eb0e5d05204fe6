/* The claim `least_absolute`: the coefficients minimise the absolute or quantile loss.
 *
 * The witness is the duals of the rows on the fit. regression/absolute.c has the inequality and measures its three
 * parts: the gap, the imbalance |Σ a x| and the excess of duals beyond their intervals.
 *
 * Within tolerance if all three are at most 1e-12, the side of every row off the fit is certain, and powers are
 * accurate to 1e-12. Refuted if one of the three is larger on the rows of a finished fit, if the stated gap is another
 * one by more than 1e-12, or if predict uses another function. Partly proved otherwise, and if columns depend on each
 * other to rounding only. A gap up to 1e-6 that rounding may explain, of such columns or of the residuals, is partly
 * proved too, and so is a loss of such large terms that rounding hides how small it could be.
 */
#include <math.h>

#include "check/check.h"
#include "check/limits.h"
#include "model/limits.h"

static void find_duals(const linpred__absolute_finding *found, const linpred__support *duals, int64_t rank,
                       linpred__claim_check *check)
{
    const char *lie = found->used == 1 ? " lies" : "s lie";
    if (found->used != duals->count) {
        linpred__find(check, "rows of the support are not in this data");
        return;
    }
    if (found->hidden)
        linpred__find(check,
                      "the loss is %.2g of the terms that it is made of, which may be nothing but rounding; %lld row%s "
                      "on the fit",
                      found->gap, (long long)found->used, lie);
    else if (found->perfect)
        linpred__find(check,
                      "the loss is %.2g of the targets, nothing but rounding, and none is below 0; %lld row%s "
                      "on the fit",
                      found->gap, (long long)found->used, lie);
    else
        linpred__find(check,
                      "gap %.2g (relative), duals of all rows cancel to %.2g and are in their intervals to %.2g; %lld "
                      "row%s on the fit",
                      found->gap, found->imbalance, fmax(0.0, found->excess), (long long)found->used, lie);
    if (rank >= 0 && rank < found->used)
        linpred__find(check, ", %.0f of them determine it", (double)rank);
}

/* If columns depend on each other to rounding only, the duals prove the minimum among coefficients that respect the
   dependencies: beyond them rounding may be fitted with huge coefficients. A perfect fit is the best of all. */
static void judge_respecting(const linpred__measured *measured, bool finished, linpred__claim_check *check)
{
    const linpred__null_finding *null = &measured->null;
    if (!null->seen || null->exact || measured->absolute->perfect || check->verdict == LINPRED_REFUTED)
        return;
    check->respecting =
        check->verdict == LINPRED_WITHIN_TOLERANCE && finished && null->worst <= LINPRED__RANK_THRESHOLD;
    linpred__at_best(check, LINPRED_PARTLY_PROVED);
    linpred__find(check, "; the dependencies hold in every row only to %.2g", null->worst);
}

linpred_status linpred__check_least_absolute(const linpred__measured *measured, const linpred__claim *claim,
                                             linpred__claim_check *check, linpred_error *error)
{
    (void)error;
    const linpred__absolute_finding *found = measured->absolute;
    const linpred__support *duals = &claim->by.support;
    bool finished = linpred__finished(measured->result);
    if (!found) {
        linpred__refute(check, "the model is no fit of the absolute loss");
        return LINPRED_OK;
    }
    bool whole = found->used == duals->count;
    bool holds =
        found->gap <= LINPRED__DUAL_TOLERANCE && whole &&
        (found->perfect || (found->imbalance <= LINPRED__DUAL_TOLERANCE && found->excess <= LINPRED__DUAL_TOLERANCE));
    bool inexact = measured->null.seen && !measured->null.exact;
    bool rounded = (inexact || found->gap_min <= LINPRED__DUAL_TOLERANCE) && whole &&
                   found->gap <= LINPRED__ROUNDED_DUAL_TOLERANCE && found->imbalance <= LINPRED__DUAL_TOLERANCE &&
                   found->excess <= LINPRED__DUAL_TOLERANCE;
    double gap_within = rounded ? LINPRED__ROUNDED_DUAL_TOLERANCE : LINPRED__DUAL_TOLERANCE;
    bool certain = found->uncertain == 0 && !found->hidden && found->blur <= LINPRED__DUAL_TOLERANCE;
    bool known = isfinite(found->gap) && isfinite(found->imbalance); /* else sums left the range of doubles */
    check->verdict = holds && certain                          ? LINPRED_WITHIN_TOLERANCE
                     : !holds && !rounded && finished && known ? LINPRED_REFUTED
                                                               : LINPRED_PARTLY_PROVED;
    check->gap = holds ? found->gap : (double)NAN;
    find_duals(found, duals, measured->result->figures.rank, check);
    if (found->uncertain > 0)
        linpred__find(check, "; the side of %.0f more rows is not certain", (double)found->uncertain);
    if (found->blur > LINPRED__DUAL_TOLERANCE)
        linpred__find(check, "; powers are known to %.2g only", found->blur);
    linpred__judge_forms(&found->form, check);
    judge_respecting(measured, finished, check);
    if (check->verdict != LINPRED_REFUTED && known)
        (finished ? linpred__compare_required
                  : linpred__compare)(check, "the relative gap", measured->result->figures.gap, found->gap,
                                      fmax(gap_within, LINPRED__FIGURE_TOLERANCE * found->gap));
    if (!finished && check->verdict != LINPRED_REFUTED) {
        linpred__at_best(check, LINPRED_PARTLY_PROVED);
        linpred__find(check, "; the fit was ended before its end");
    }
    return LINPRED_OK;
}
