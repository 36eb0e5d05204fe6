/* The verifier: believes nothing of a result but what it can multiply and add itself, and judges its claim by the data.
 *
 *   separates          every row has y(<w,x>+b) > 0; by integers where the model's doubles do not separate
 *   errors = k         the rows with y(<w,x>+b) <= 0 weigh k in all
 *   inseparable        Σ λ z = 0 exactly, λ positive integers
 *   largest margin     w separates with margin γ, and no margin is above ||Σ α z|| / Σ α: the gap between the two
 *   margin at most ε   the second half alone
 *   logistic optimum   a minimum exists, and F(w,b) is within a relative gap of it: recomputed with its rounding
 * bounded no minimiser       an integer v has y<v,(x,1)> >= 0 on every row, > 0 on some fewest errors      errors = k
 * as above, and a tree of bounds over inseparable subsets proves that no mistakes cost less overlapping        Σ λ z =
 * 0 exactly on rows that span the space Of a ball the first three, with ρ - ||x-v||² for <w,x>+b, and Σ λ y (x, 1) = 0,
 * Σ λ y ||x||² >= 0. A witness that nothing separates the rows is checked with any claim. This folder uses nothing of
 * fit/ or solve/.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "check/regression.h"
#include "core/blas.h"
#include "core/error.h"
#include "data/fingerprint.h"

static const double gap_allowed = 1e-9; /* relative: what is still called the largest margin */

struct findings {
    const char *noun;                   /* halfspace, or ball */
    char separates[LINPRED__SIDES + 8]; /* what none of them does: "separates the rows", "has y = out inside and …" */
    linpred__signs signs;
    bool weighted; /* rows have weights of their own */
    uint64_t fingerprint;
    bool same_data;
    bool has_direction;
    bool has_witness, witness_holds;
    bool has_support, support_holds;
    linpred__recession recession;
    int32_t span;
    linpred__logistic_finding logistic;
    linpred__fewest_errors_finding fewest;
    double bound;  /* by the support */
    double margin; /* of the model, in the form of the claim */
};

/* ---- measuring
 * ------------------------------------------------------------------------------------------------------------ */

static double model_margin(const linpred_model *model, double lowest, bool usual)
{
    double largest = usual ? 0.0 : fabs(model->b), sum = 0.0;
    for (int32_t j = 0; j < model->columns; j++)
        largest = fmax(largest, fabs(model->w[j]));
    if (largest == 0.0 || !isnormal(lowest))
        return NAN;
    int exponent = ilogb(largest);
    for (int32_t j = 0; j < model->columns; j++)
        sum += ldexp(model->w[j], -exponent) * ldexp(model->w[j], -exponent);
    if (!usual)
        sum += ldexp(model->b, -exponent) * ldexp(model->b, -exponent);
    return ldexp(lowest, -exponent) / sqrt(sum);
}

static linpred_status measure_ball(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                                   struct findings *found, linpred_error *error)
{
    char sides[LINPRED__SIDES];
    found->noun = "ball";
    linpred__ball_sides(&result->model, sides);
    snprintf(found->separates, sizeof found->separates, "has %s", sides);
    found->has_direction = result->certificate.directions > 0;
    found->has_witness = result->certificate.witnesses > 0;
    linpred_status status =
        linpred__check_ball_signs(&result->model, data, pool, &found->signs, &found->fingerprint, error);
    bool separates = false;
    if (status == LINPRED_OK && found->has_direction)
        status = linpred__check_ball_direction(result, data, &separates, error);
    found->recession.positive = separates ? data->rows : 0;
    if (status == LINPRED_OK && found->has_witness)
        status = linpred__check_ball_combination(result->certificate.witnesses, result->certificate.witness_row,
                                                 result->certificate.witness_weight, data, result->model.outside,
                                                 &found->witness_holds, error);
    if (status == LINPRED_OK && result->certificate.claim == LINPRED__CLAIM_FEWEST_ERRORS)
        status = linpred__check_fewest_errors(result, data, pool, &found->fewest, error);
    return status;
}

static linpred_status measure(const linpred_result *result, const linpred_data *data, linpred__pool *pool,
                              struct findings *found, linpred_error *error)
{
    const linpred__certificate *certificate = &result->certificate;
    bool has_intercept = result->model.has_intercept;
    bool usual = certificate->claim == LINPRED__CLAIM_LARGEST_USUAL_MARGIN;
    if (result->model.task == LINPRED_TASK_BALL)
        return measure_ball(result, data, pool, found, error);
    found->noun = "halfspace";
    snprintf(found->separates, sizeof found->separates, "separates the rows");
    linpred_status status = linpred__check_signs(&result->model, data, pool, &found->signs, &found->fingerprint, error);
    found->has_direction = certificate->directions > 0;
    found->has_witness = certificate->witnesses > 0;
    found->has_support = certificate->supports > 0;
    bool logistic = certificate->claim == LINPRED__CLAIM_LOGISTIC_OPTIMUM ||
                    (result->model.task == LINPRED_TASK_LOGISTIC && certificate->claim == LINPRED__CLAIM_ERRORS);
    if (status == LINPRED_OK && logistic)
        status = linpred__check_logistic(result, data, pool, &found->logistic, error);
    if (status == LINPRED_OK && certificate->claim == LINPRED__CLAIM_FEWEST_ERRORS)
        status = linpred__check_fewest_errors(result, data, pool, &found->fewest, error);
    if (status == LINPRED_OK && certificate->claim == LINPRED__CLAIM_OVERLAPPING)
        status = linpred__check_span(certificate, data, has_intercept, &found->span, error);
    if (status == LINPRED_OK && found->has_direction)
        status = linpred__check_recession(certificate, data, pool, has_intercept, &found->recession, error);
    if (status == LINPRED_OK && found->has_witness)
        status =
            linpred__check_combination(certificate->witnesses, certificate->witness_row, certificate->witness_weight,
                                       data, has_intercept, &found->witness_holds, error);
    bool by_weights = certificate->claim == LINPRED__CLAIM_MARGIN_AT_MOST && !found->has_support;
    if (status == LINPRED_OK && by_weights)
        status = linpred__check_derivatives(&result->model, data, &found->support_holds, &found->bound, error);
    if (status == LINPRED_OK && found->has_support)
        status = linpred__check_support(certificate, data, has_intercept, usual, &found->support_holds, &found->bound,
                                        error);
    found->margin = model_margin(&result->model, found->signs.lowest, usual);
    return status;
}

/* ---- judging
 * ---------------------------------------------------------------------------------------------------------------- */

/* Adds to the claim. */
static void claim(linpred_check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void claim(linpred_check *check, const char *format, ...)
{
    size_t used = strlen(check->claim);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->claim + used, sizeof check->claim - used, format, arguments);
    va_end(arguments);
}

#define CLAIM(...) claim(check, __VA_ARGS__)
#define FINDING(...) linpred__check_append(check, __VA_ARGS__)

/* A witness names rows by their numbers: on the data of the fit it must hold, of other rows it only proves nothing. */
static void witness_fails(const struct findings *found, linpred_check *check)
{
    if (check->verdict != LINPRED_REFUTED)
        check->verdict = found->same_data ? LINPRED_REFUTED : LINPRED_PARTLY_PROVED;
}

static const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

/* "all 7 rows are", "both rows are", "the row is" */
static void find_all(int64_t rows, linpred_check *check)
{
    if (rows > 2)
        FINDING("all %lld rows are", (long long)rows);
    else
        FINDING("%s", rows == 2 ? "both rows are" : "the row is");
}

static void judge_errors(double claimed, const struct findings *found, int64_t rows, linpred_check *check)
{
    const linpred__signs *signs = &found->signs;
    bool agrees = fabs(signs->errors - claimed) <= 1e-9 * claimed; /* fractional weights add up with rounding */
    check->verdict = signs->errors == claimed ? LINPRED_PROVED : agrees ? LINPRED_WITHIN_TOLERANCE : LINPRED_REFUTED;
    if (signs->errors == 0.0) {
        find_all(rows, check);
        FINDING(" on %s right side, each sign certain", rows == 1 ? "its" : "their");
    } else {
        FINDING("%.12g of %.12g%s %s on the wrong side or on the boundary, each sign certain; worst is row %lld",
                signs->errors, signs->weight, found->weighted ? " (by weight)" : "", signs->errors == 1 ? "is" : "are",
                (long long)check->worst_row);
    }
}

/* All that is claimed of a halfspace or ball without a bound, and of a logistic fit that did not come to its minimum,
 * or cannot prove it. */
static void judge_mistakes(const linpred_result *result, const struct findings *found, int64_t rows,
                           linpred_check *check)
{
    double errors = result->certificate.errors;
    bool logistic = result->model.task == LINPRED_TASK_LOGISTIC;
    judge_errors(errors, found, rows, check);
    if (logistic) {
        linpred__judge_logistic_figures(result, &found->logistic, rows, check);
        CLAIM("the model minimises the logistic objective");
        linpred__check_claim_less(result, check);
    }
    if (logistic && check->verdict != LINPRED_REFUTED)
        FINDING("; figures are those of the rows, and a minimum is not proved");
    CLAIM("%s%s makes %.12g mistake%s", logistic ? "; " : "the ", logistic ? "it" : found->noun, errors,
          plural(errors));
}

static void judge_separates(const struct findings *found, int64_t rows, linpred_check *check)
{
    CLAIM("the %s has every row on its right side", found->noun);
    if (!found->has_direction) {
        judge_errors(0.0, found, rows, check);
        return;
    }
    CLAIM(", with the integers of the certificate (the model's rounded numbers make %.12g mistake%s)",
          found->signs.errors, found->signs.errors == 1 ? "" : "s");
    bool separates = found->recession.positive == rows;
    check->verdict = separates ? LINPRED_PROVED : LINPRED_REFUTED;
    if (separates) {
        find_all(rows, check);
        FINDING(" on the right side of the integers, in exact arithmetic");
        return;
    }
    FINDING("of %lld row%s one is not on the right side of the integers", (long long)rows, plural((double)rows));
}

static void judge_witness(const linpred__certificate *certificate, const struct findings *found, linpred_check *check)
{
    bool ball = strcmp(found->noun, "ball") == 0;
    if (!found->witness_holds)
        FINDING(ball ? "the rows of the witness prove nothing" : "the rows of the witness do not sum to zero");
    else if (ball)
        FINDING("%lld rows with their positive integers prove exactly that no ball %s",
                (long long)certificate->witnesses, found->separates);
    else if (certificate->witnesses == 1)
        FINDING("a row of zeros is on the right side of no halfspace through the origin");
    else
        FINDING("%lld rows with their positive integers sum to zero exactly, so no halfspace separates them",
                (long long)certificate->witnesses);
    if (!found->witness_holds)
        witness_fails(found, check);
}

static void judge_largest(const linpred__certificate *certificate, const struct findings *found, int64_t rows,
                          linpred_check *check)
{
    bool usual = certificate->claim == LINPRED__CLAIM_LARGEST_USUAL_MARGIN;
    CLAIM("the halfspace separates with the largest %smargin", usual ? "usual " : "");
    judge_errors(0.0, found, rows, check);
    if (check->verdict != LINPRED_PROVED)
        return;
    if (!found->support_holds) {
        FINDING("; but the support rows prove nothing about its margin");
        witness_fails(found, check);
        return;
    }
    check->gap = found->bound / found->margin - 1.0;
    /* A bound clearly below a margin that is there would contradict the theorem: numbers beyond what doubles can tell.
     */
    bool sound = isfinite(found->margin) && isfinite(found->bound) && check->gap >= -gap_allowed;
    if (!sound) {
        check->gap = NAN;
        FINDING("; its margin, %.6g, or the bound, %.6g, leaves the range of doubles", found->margin, found->bound);
        check->verdict = LINPRED_PARTLY_PROVED;
        return;
    }
    check->gap = fmax(check->gap, 0.0);
    FINDING("; its margin is %.12g, and the support (%lld row%s) proves that none is above %.12g: relative gap %.2g",
            found->margin, (long long)certificate->supports, certificate->supports == 1 ? "" : "s", found->bound,
            check->gap);
    bool as_claimed = found->bound <= certificate->bound * (1.0 + gap_allowed);
    if (!as_claimed)
        FINDING(", which is more than the %.12g that the certificate says", certificate->bound);
    check->verdict = check->gap <= gap_allowed ? LINPRED_WITHIN_TOLERANCE : LINPRED_PARTLY_PROVED;
    if (!as_claimed)
        witness_fails(found, check);
}

static void judge_bound(const linpred__certificate *certificate, const struct findings *found, linpred_check *check)
{
    bool holds = found->support_holds && found->bound <= certificate->bound;
    bool nearly = found->support_holds && found->bound <= certificate->bound * (1.0 + gap_allowed);
    CLAIM("no halfspace has a margin above %.6g", certificate->bound);
    if (!found->support_holds)
        FINDING("the support proves nothing");
    else if (certificate->supports > 0)
        FINDING("the support (%lld row%s) proves that none is above %.6g", (long long)certificate->supports,
                plural((double)certificate->supports), found->bound);
    else
        FINDING("the rows, weighted by the derivatives of their logistic losses, prove that none is above %.6g",
                found->bound);
    check->verdict = holds ? LINPRED_PROVED : LINPRED_WITHIN_TOLERANCE;
    if (!nearly)
        witness_fails(found, check);
}

/* k mistakes, and no halfspace's cost less than the bound: the second half by the search, or by the verifier's own way.
 */
static void judge_fewest(const linpred__certificate *certificate, bool optimal, const struct findings *found,
                         int64_t rows, linpred_check *check)
{
    const linpred__fewest_errors_finding *fewest = &found->fewest;
    const double *each = certificate->class_weight;
    bool plain = each[0] == 1.0 && each[1] == 1.0;
    double cost = each[0] * found->signs.wrong[0] + each[1] * found->signs.wrong[1], claimed = certificate->bound;
    CLAIM("the %s makes %.12g mistake%s, and no %s%s than %.17g", found->noun, certificate->errors,
          certificate->errors == 1 ? "" : "s", found->noun, plain ? " makes fewer" : "'s mistakes cost less", claimed);
    if (!plain)
        CLAIM(", at %.17g each on the label -1 and %.17g on +1", each[0], each[1]);
    judge_errors(certificate->errors, found, rows, check);
    check->lower_bound_proved = fewest->proved;
    if (!plain)
        FINDING("; the cost is %.17g", cost);
    if (fewest->broken > 0 || fewest->stray > 0 || claimed > cost * (1.0 + gap_allowed)) {
        if (fewest->stray > 0)
            FINDING("; but the tree branches on row %lld, which the data do not have", (long long)fewest->stray);
        else if (fewest->broken > 0)
            FINDING("; but subset %lld of the certificate %s", (long long)fewest->broken,
                    strcmp(found->noun, "ball") == 0 ? "proves nothing" : "does not sum to zero");
        else
            FINDING("; but that is less than the bound");
        check->lower_bound_proved = NAN;
        if (fewest->broken > 0)
            witness_fails(found, check);
        else
            check->verdict = LINPRED_REFUTED;
        return;
    }
    if (fewest->by_planes)
        FINDING("; of all hyperplanes through rows none has a halfspace beside it that %s than %.17g",
                plain ? "makes fewer" : "costs less", fewest->proved);
    else
        FINDING(
            "; %lld inseparable subset%s, proved in integers, and %lld bound%s over %s prove that none %s than %.17g",
            (long long)certificate->search.subsets, certificate->search.subsets == 1 ? "" : "s",
            (long long)(certificate->search.nodes + 1) / 2, certificate->search.nodes == 1 ? "" : "s",
            certificate->search.subsets == 1 ? "it" : "them", plain ? "makes fewer" : "costs less", fewest->proved);
    if (optimal)
        claimed = cost;
    bool all = fewest->proved >= claimed, nearly = fewest->proved >= claimed * (1.0 - gap_allowed);
    if (!nearly)
        FINDING("; that %.17g is the least is not proved here", claimed);
    else if (!all)
        FINDING("; the gap to %.17g is %.2g of it", claimed, (claimed - fewest->proved) / claimed);
    if (check->verdict == LINPRED_PROVED && !all)
        check->verdict = nearly ? LINPRED_WITHIN_TOLERANCE : LINPRED_PARTLY_PROVED;
    else if (check->verdict == LINPRED_WITHIN_TOLERANCE && !nearly)
        check->verdict = LINPRED_PARTLY_PROVED;
}

static void judge_recession(const linpred_result *result, const struct findings *found, int64_t rows,
                            linpred_check *check)
{
    const linpred_info *info = &result->info;
    const linpred__recession *recession = &found->recession;
    CLAIM("the logistic objective has no minimum: along the direction the loss falls for ever");
    bool holds = recession->negative == 0 && recession->positive > 0;
    check->verdict = holds ? LINPRED_PROVED : LINPRED_REFUTED;
    check->settled_exactly =
        recession->exactly; /* the signs that matter are the direction's: no coefficients are claimed */
    check->errors = NAN;
    check->worst_row = -1;
    FINDING("y<v,%s> is positive on %lld row%s, zero on %lld, negative on %lld, each sign certain",
            result->model.has_intercept ? "(x,1)" : "x", (long long)recession->positive,
            plural((double)recession->positive), (long long)(rows - recession->positive - recession->negative),
            (long long)recession->negative);
    if (holds && info->settled_rows >= 0)
        linpred__check_figure(check, "the number of rows that the direction settles", (double)info->settled_rows,
                              (double)recession->positive, 0.0);
}

static void judge(const linpred_result *result, const struct findings *found, int64_t rows, int32_t dimension,
                  linpred_check *check)
{
    const linpred__certificate *certificate = &result->certificate;
    switch (certificate->claim) {
    case LINPRED__CLAIM_SEPARATES:
        judge_separates(found, rows, check);
        break;
    case LINPRED__CLAIM_ERRORS:
        judge_mistakes(result, found, rows, check);
        break;
    case LINPRED__CLAIM_FEWEST_ERRORS:
        judge_fewest(certificate, result->info.outcome == LINPRED_OUTCOME_OPTIMAL, found, rows, check);
        break;
    case LINPRED__CLAIM_INSEPARABLE:
        CLAIM("no %s %s", found->noun, found->separates);
        check->verdict = found->has_witness ? LINPRED_PROVED : LINPRED_REFUTED;
        break;
    case LINPRED__CLAIM_LARGEST_MARGIN:
    case LINPRED__CLAIM_LARGEST_USUAL_MARGIN:
        judge_largest(certificate, found, rows, check);
        break;
    case LINPRED__CLAIM_MARGIN_AT_MOST:
        judge_bound(certificate, found, check);
        break;
    case LINPRED__CLAIM_LOGISTIC_OPTIMUM:
        linpred__judge_logistic(result, &found->logistic, &found->signs, rows, check);
        break;
    case LINPRED__CLAIM_NO_MINIMISER:
        judge_recession(result, found, rows, check);
        break;
    case LINPRED__CLAIM_OVERLAPPING:
        CLAIM("the rows overlap: no direction has them all on one side, unless they all lie on its hyperplane");
        check->verdict = found->span == dimension ? LINPRED_PROVED : LINPRED_PARTLY_PROVED;
        FINDING(found->span == dimension
                    ? "the rows of the witness span the space"
                    : "the rows of the witness have rank %d of %d: that they span all rows is not proved here",
                found->span, dimension);
        break;
    case LINPRED__CLAIM_LEAST_SQUARES: /* of a regression: see linpred__check_regression */
    case LINPRED__CLAIM_LEAST_ABSOLUTE:
        break;
    }
    if (found->has_witness) {
        if (certificate->claim != LINPRED__CLAIM_INSEPARABLE) {
            CLAIM(", and no %s %s", found->noun, found->separates);
            FINDING("; ");
        }
        judge_witness(certificate, found, check);
    }
}

/* The claim speaks of the data of the fit: that this is another is told before what holds of it. */
static void tell_other_data(linpred_check *check)
{
    char finding[sizeof check->finding];
    memcpy(finding, check->finding, sizeof finding);
    check->finding[0] = '\0';
    FINDING("these are not the rows of the fit, or not in its order; on these rows: %.560s", finding);
    if (check->verdict != LINPRED_REFUTED)
        check->verdict = LINPRED_PARTLY_PROVED;
}

static linpred_status check_classes(const linpred_result *result, const linpred_data *data, int threads,
                                    linpred_check *check, linpred_error *error)
{
    linpred__pool *pool;
    linpred_status status = linpred__pool_open(threads, &pool, error);
    if (status != LINPRED_OK)
        return status;
    struct findings found = {.weighted = data->block[0].weight != NULL};
    linpred__blas_enter();
    status = linpred__blas_check_room(linpred__pool_threads(pool), error);
    if (status == LINPRED_OK)
        status = measure(result, data, pool, &found, error);
    linpred__blas_leave();
    linpred__pool_close(pool);
    if (status != LINPRED_OK)
        return status;
    found.same_data = found.fingerprint == result->certificate.fingerprint;
    *check = (linpred_check){
        .errors = found.signs.errors,
        .gap = NAN,
        .lower_bound_proved = NAN,
        .worst_row = linpred_data_source_row(data, found.signs.worst_row),
        .settled_exactly = found.signs.exactly,
        .same_data = found.same_data,
    };
    judge(result, &found, data->rows, data->columns + result->model.has_intercept, check);
    return LINPRED_OK;
}

linpred_status linpred_verify(const linpred_result *result, const linpred_data *data, int threads, linpred_check *check,
                              linpred_error *error)
{
    LINPRED__NEEDS(result, data, check);
    if (!data->labelled || data->rows == 0)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "there are no labelled rows to verify the model with");
    if (data->columns != result->model.recipe->features)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "the model has %d features, the data has %d",
                             result->model.recipe->features, data->columns);
    linpred_check done;
    linpred_status status = result->model.regression ? linpred__check_regression(result, data, threads, &done, error)
                                                     : check_classes(result, data, threads, &done, error);
    if (status != LINPRED_OK)
        return status;
    double weight = linpred__shape_of(data).weight;
    if (!done.same_data)
        tell_other_data(&done);
    else if (!(fabs(result->info.total_weight - weight) <= 1e-9 * weight))
        linpred__check_refute(&done, "the model does not say that the rows' weight is %.9g in all", weight);
    else if (done.verdict != LINPRED_REFUTED)
        linpred__check_means(&result->model, data, &done);
    *check = done;
    return LINPRED_OK;
}
