/* The verdict on a logistic fit: how near it is to its minimum, and whether every number that the model states is that
 * of the rows.
 *
 * A number that the rows give otherwise refutes the model, and so does one that is missing where the fit gives it: what
 * is stated depends on the claim, the penalty, the class weights and the method alone. Steps, passes and seconds are no
 * claims about the rows.
 *
 * Of dependent columns it is claimed that they depend on others in every row, and that of all coefficients that do as
 * well these have the least norm (b counted): n'w = 0 to rounding. Where dependencies hold but to rounding, the gap is
 * that of a fit whose coefficients of these columns are held: along them the objective may fall further, however nearly
 * they hold.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"

static const double tolerance = 1e-9;   /* of figures */
static const double rounding = 0x1p-44; /* a dependency that holds less well is none, as for least squares */

static const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

static bool is_plain(const linpred__certificate *certificate)
{
    return certificate->class_weight[0] == 1.0 && certificate->class_weight[1] == 1.0;
}

static bool states_exact(const linpred__dependencies *dependencies)
{
    for (int32_t k = 0; k < dependencies->count; k++)
        if (!dependencies->exact[k])
            return false;
    return true;
}

/* ---- figures
 * ----------------------------------------------------------------------------------------------------------- */

/* A figure that must be there, since the rows give it. */
static bool must(linpred_check *check, const char *name, double stated, double found, double within)
{
    if (isnan(stated) && !isnan(found))
        return linpred__check_refute(check, "the model does not say what %s is, the rows give %.9g", name, found);
    return linpred__check_figure(check, name, stated, found, within);
}

/* A figure that such a fit does not have. */
static bool must_not(linpred_check *check, const char *name, bool stated)
{
    return !stated || linpred__check_refute(check, "the model states %s, which a fit of this kind does not have", name);
}

static bool judge_sums(const linpred_result *result, const linpred__logistic_finding *found, int64_t rows,
                       linpred_check *check)
{
    const linpred_info *info = &result->info;
    double within = found->objective_off + tolerance * found->objective;
    double scale = found->deviance / found->objective; /* 2 W, or nearly; more with a penalty left out */
    bool plain = is_plain(&result->certificate);
    if (!isfinite(found->objective))
        return linpred__check_refute(check, "the objective is beyond the range of numbers");
    return must(check, "the number of rows", (double)info->rows, (double)rows, 0.0) &&
           must(check, "the objective", info->objective, found->objective, within) &&
           must(check, "l2", info->l2, result->certificate.l2, 0.0) &&
           must(check, "the deviance", info->deviance, found->deviance,
                fmax(scale * within, tolerance * found->deviance)) &&
           must(check, "the null deviance", info->null_deviance, found->null_deviance,
                tolerance * found->null_deviance) &&
           must_not(check, "deviances", !plain && !(isnan(info->deviance) && isnan(info->null_deviance)));
}

static bool judge_rank(const linpred_result *result, const linpred__logistic_finding *found, linpred_check *check)
{
    const linpred_info *info = &result->info;
    const linpred__certificate *certificate = &result->certificate;
    bool optimum = certificate->claim == LINPRED__CLAIM_LOGISTIC_OPTIMUM, free = certificate->l2 == 0.0;
    bool ranked = info->rank >= 0, counted = optimum && free;
    int32_t d = result->model.columns + result->model.has_intercept;
    double unique = !free ? 1.0 : ranked ? info->rank == d : (double)NAN;
    double aic = optimum && ranked && is_plain(certificate) ? found->deviance + 2.0 * (double)info->rank : (double)NAN;
    if (counted && !ranked)
        return linpred__check_refute(check, "the model does not say what the rank is");
    if (ranked && (info->rank < found->rank_least || info->rank > found->rank_most))
        return linpred__check_refute(check, "the model says that the rank is %lld, the rows give %d",
                                     (long long)info->rank,
                                     info->rank < found->rank_least ? found->rank_least : found->rank_most);
    if (counted && info->rank + result->dependencies.count != d)
        return linpred__check_refute(check, "a rank of %lld and %d dependencies do not make up %d coefficients",
                                     (long long)info->rank, result->dependencies.count, d);
    return must_not(check, "a rank", ranked && !free) &&
           must(check, "AIC", info->aic, aic,
                tolerance * fabs(aic) + 2.0 * found->objective_off * found->deviance / found->objective) &&
           must_not(check, "AIC", isnan(aic) && !isnan(info->aic)) &&
           must(check, "the uniqueness", info->unique >= 0 ? (double)info->unique : (double)NAN, unique, 0.0) &&
           must_not(check, "uniqueness", isnan(unique) && info->unique >= 0);
}

static bool judge_gap(const linpred_result *result, const linpred__logistic_finding *found, linpred_check *check)
{
    const linpred_info *info = &result->info;
    bool optimum = result->certificate.claim == LINPRED__CLAIM_LOGISTIC_OPTIMUM;
    if (optimum && !(info->gap >= 0 && info->gap <= result->certificate.bound))
        return linpred__check_refute(check, "the model does not state a relative gap that is within its claim of %.3g",
                                     result->certificate.bound);
    /* Where dependencies hold to rounding only, the gap is one among coefficients that respect them, and g has more to
     * it. */
    if (info->gap < found->at_least && states_exact(&result->dependencies))
        return linpred__check_refute(
            check, "the model says that the relative gap is at most %.3g, the rows give at least %.3g", info->gap,
            found->at_least);
    bool overlap = result->certificate.l2 == 0.0 && states_exact(&result->dependencies);
    linpred_separation kind = overlap ? LINPRED_SEPARATION_OVERLAPPING : LINPRED_SEPARATION_NOT_ASKED;
    if (optimum && info->separation != kind)
        return linpred__check_refute(
            check, "the model says \"%s\" of the separation of its rows, where what else it says means \"%s\"",
            linpred_separation_name(info->separation), linpred_separation_name(kind));
    return true;
}

static bool judge_others(const linpred_info *info, linpred_check *check)
{
    return must_not(check, "a cost", !isnan(info->cost)) &&
           must_not(check, "a lower bound", !isnan(info->lower_bound)) &&
           must_not(check, "a margin",
                    !isnan(info->margin) || !isnan(info->margin_without_intercept) || !isnan(info->margin_bound)) &&
           must_not(check, "a norm", !isnan(info->norm)) && must_not(check, "a radius", !isnan(info->radius)) &&
           must_not(check, "a bound on updates", !isnan(info->update_bound)) &&
           must_not(check, "a perceptron loss", !isnan(info->perceptron_loss)) &&
           must_not(check, "settled rows", info->settled_rows >= 0) && must_not(check, "updates", info->updates >= 0);
}

static bool judge_dependencies(const linpred_result *result, const linpred__logistic_finding *found,
                               linpred_check *check)
{
    const linpred__null_finding *null = &found->null;
    if (null->count == 0)
        return true;
    if (result->certificate.l2 > 0)
        return must_not(check, "dependencies", true);
    if (!null->as_stated || null->worst > rounding)
        return linpred__check_refute(
            check, "columns do not depend on others as the model says: in some row that is off by %.3g (relative)",
            null->worst);
    if (!null->independent)
        return linpred__check_refute(check, "the dependencies that the model states are not independent of each other");
    if (!(null->norm_left <= tolerance))
        return linpred__check_refute(check, "the coefficients are not those of least norm: off by %.3g",
                                     null->norm_left);
    if (null->exact)
        linpred__check_append(check, "; dependencies hold exactly in every row, least norm to %.2g", null->norm_left);
    else
        linpred__check_append(check, "; dependencies hold in every row only to %.2g, least norm to %.2g", null->worst,
                              null->norm_left);
    return true;
}

void linpred__judge_logistic_figures(const linpred_result *result, const linpred__logistic_finding *found, int64_t rows,
                                     linpred_check *check)
{
    bool hold = check->verdict != LINPRED_REFUTED && judge_sums(result, found, rows, check) &&
                judge_rank(result, found, check) && judge_gap(result, found, check) &&
                judge_others(&result->info, check);
    if (hold && judge_dependencies(result, found, check) &&
        result->certificate.claim != LINPRED__CLAIM_LOGISTIC_OPTIMUM)
        must_not(check, "standard errors", result->standard_error != NULL);
}

/* ---- the optimum
 * ------------------------------------------------------------------------------------------------------- */

static bool states_errors(const linpred_result *result)
{
    for (int32_t j = 0; j <= result->model.columns; j++)
        if (!isnan(result->standard_error[j]))
            return true;
    return false;
}

static void judge_standard_errors(const linpred_result *result, const linpred__logistic_finding *found,
                                  linpred_check *check)
{
    const linpred__certificate *certificate = &result->certificate;
    const linpred_model *model = &result->model;
    bool should = certificate->l2 == 0.0 && is_plain(certificate);
    double doubt = 1e-6 + 4.0 * found->errors_doubt;
    if (should != (result->standard_error != NULL))
        linpred__check_refute(check, should ? "the model has no standard errors, though the rows give them"
                                            : "the model has standard errors, which a fit of this kind does not have");
    else if (!should)
        return;
    else if (found->error_missing >= 0)
        linpred__check_refute(check, "the model does not say what the standard error of %.60s is",
                              found->error_missing < model->columns ? linpred_model_feature(model, found->error_missing)
                                                                    : "the intercept");
    else if (isinf(found->errors_off))
        linpred__check_refute(check, "the model has a standard error of a coefficient that cannot be estimated");
    else if (!states_errors(result))
        return; /* none can be estimated */
    else if (!(doubt <= 1e-2))
        linpred__check_append(check, "; standard errors are not part of what was verified");
    else if (found->errors_off <= doubt)
        linpred__check_append(check, "; standard errors are those of the rows, to %.1g", doubt);
    else
        linpred__check_refute(check, "the standard errors are not those of the rows: off by %.3g (relative)",
                              found->errors_off);
}

static void say_claim(const linpred_result *result, linpred_check *check)
{
    const linpred__certificate *certificate = &result->certificate;
    bool exact = states_exact(&result->dependencies);
    snprintf(check->claim, sizeof check->claim,
             "%sthe logistic objective%s has a minimum, and the model is within a relative gap of %.3g of it%s; it "
             "makes %.12g mistake%s",
             exact ? "" : "among coefficients that respect the dependencies, ",
             certificate->l2 > 0 ? ", with its penalty," : "", certificate->bound,
             result->dependencies.count > 0 ? ", with the least norm of all that do as well" : "", certificate->errors,
             plural(certificate->errors));
}

void linpred__judge_logistic(const linpred_result *result, const linpred__logistic_finding *found,
                             const linpred__signs *signs, int64_t rows, linpred_check *check)
{
    const linpred__certificate *certificate = &result->certificate;
    double claimed = certificate->bound;
    bool proved = found->proved <= claimed, near = fmin(found->proved, found->estimated) <= claimed;
    say_claim(result, check);
    check->gap = proved ? found->proved : fmin(found->estimated, found->proved);
    check->verdict = found->at_least > claimed ? LINPRED_REFUTED
                     : proved                  ? LINPRED_PROVED
                     : near                    ? LINPRED_WITHIN_TOLERANCE
                                               : LINPRED_PARTLY_PROVED;
    if (fabs(signs->errors - certificate->errors) > tolerance * certificate->errors)
        check->verdict = LINPRED_REFUTED;
    linpred__check_append(check, "objective %.12g", found->objective);
    if (near && check->verdict != LINPRED_REFUTED)
        linpred__check_append(check, "; a minimum exists, and the relative gap is at most %.2g, %s", check->gap,
                              proved ? "rounding included" : "rounding left out of account");
    else if (found->left_out > 0 && check->verdict != LINPRED_REFUTED)
        linpred__check_append(
            check,
            "; %d column%s depend%s on others as far as rounding can tell, and with the coefficients there held the "
            "relative gap is at most %.2g: along them the objective may fall further",
            found->left_out, plural(found->left_out), found->left_out == 1 ? "s" : "", found->held);
    else
        linpred__check_append(check,
                              isfinite(found->proved) ? ", relative gap at least %.2g, at most %.2g"
                                                      : ", relative gap at least %.2g",
                              found->at_least, found->proved);
    linpred__check_append(check, "; %.12g mistake%s, each sign certain", signs->errors, plural(signs->errors));
    if (check->verdict != LINPRED_REFUTED)
        linpred__judge_logistic_figures(result, found, rows, check);
    if (check->verdict != LINPRED_REFUTED)
        judge_standard_errors(result, found, check);
}
