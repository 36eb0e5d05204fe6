/* fit ball: a ball with the rows of one label inside and the others outside.
 *
 * lp: a ball that separates the rows, or rows that prove that there is none (ball_search.c).
 * pocket: the perceptron on lifted rows, whose best halfspace that is a ball is kept, then the best radius for its
 * centre; from the better of the balls around the mean of the rows inside and around the centre of least squares.
 * exact: lp, and where no ball separates, the fewest mistakes with proof (ball_fewest.c).
 * auto: a ball that separates if there is one, else pocket and, on rows that are not too many, local search, with the
 * proof that none separates.
 */
#include "fit/ball/ball.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/certified_sign.h"

enum {
    PATIENCE = 10,         /* passes without a better ball after which auto's pocket ends, and so many */
    PATIENCE_ROWS = 200000 /* rows besides */
};

/* ---- a few mistakes
 * ------------------------------------------------------------------------------------------------------------ */

/* Pocket on lifted rows from the model's ball; its centre is tried. */
static linpred_status walk_from(linpred__fit *fit, const linpred__ball_lift *lift, linpred__fit *subfit, double *fewest,
                                linpred_error *error)
{
    const linpred_model *model = &fit->result->model;
    linpred_info *info = &fit->result->info;
    bool automatic = fit->options->method == LINPRED_METHOD_AUTO;
    linpred__learning learning = {.data = lift->lifted,
                                  .radius = subfit->problem.extents.radius.above,
                                  .pocket = true,
                                  .order = automatic ? LINPRED_ORDER_RANDOM : fit->options->order,
                                  .pass_ends_only = true, /* from a good start runs say little, and scoring is dear */
                                  .patience = automatic ? PATIENCE + PATIENCE_ROWS / lift->data->rows : 0};
    double *start = linpred__alloc((size_t)lift->lifted->columns, sizeof *start);
    double *centre = linpred__alloc((size_t)model->columns, sizeof *centre);
    linpred_status status = start && centre ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        linpred__ball ball = linpred__ball_of(model->w, model->columns, model->b);
        linpred__ball_weights(lift, &ball, start);
        /* Long enough that an update turns it gently. */
        double norm = linpred__norm(start, lift->lifted->columns, 0.0);
        for (int32_t j = 0; j < lift->lifted->columns; j++)
            start[j] *= 10.0 * subfit->problem.extents.radius.nearest / norm;
        learning.w = start;
        status = linpred__learn_perceptron(subfit, &learning, error);
    }
    if (status == LINPRED_OK) {
        const linpred_info *learned = &subfit->result->info;
        info->updates += learned->updates;
        info->passes += learned->passes;
        linpred__fit_end(fit, learned->outcome, "%s", learned->reason);
        if (linpred__ball_centre(lift, subfit->result->model.w, centre))
            status = linpred__ball_try(fit, lift, centre, fewest, error);
    }
    linpred__release(start);
    linpred__release(centre);
    return status;
}

/* The centre of least squares on lifted rows, if they give one. The hard row would be the only one that counts: it is
 * left out. */
static linpred_status try_least_squares(linpred__fit *fit, const linpred__ball_lift *lift, const linpred__fit *subfit,
                                        double *fewest, linpred_error *error)
{
    linpred_data rows = *lift->lifted;
    linpred__fit view = *subfit;
    double *w = linpred__alloc((size_t)rows.columns, sizeof *w), unused;
    double *centre = linpred__alloc((size_t)lift->data->columns, sizeof *centre);
    rows.block = linpred__alloc((size_t)rows.blocks, sizeof *rows.block);
    linpred_status status = w && centre && rows.block ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        memcpy(rows.block, lift->lifted->block, (size_t)rows.blocks * sizeof *rows.block);
        rows.rows--;
        if (--rows.block[rows.blocks - 1].rows == 0)
            rows.blocks--;
        view.problem.data = &rows;
        if (linpred__least_squares_start(&view, w, &unused) && linpred__ball_centre(lift, w, centre))
            status = linpred__ball_try(fit, lift, centre, fewest, error);
        fit->result->info.passes++;
    }
    linpred__release(rows.block);
    linpred__release(w);
    linpred__release(centre);
    return status;
}

static linpred_status fit_pocket(linpred__fit *fit, const linpred__ball_lift *lift, double fewest, linpred_error *error)
{
    linpred_options options;
    linpred__fit subfit;
    linpred_status status = linpred__ball_try(fit, lift, lift->mean, &fewest, error);
    if (status == LINPRED_OK)
        status = linpred__ball_subfit(fit, lift, &options, &subfit, error);
    if (status != LINPRED_OK)
        return status;
    status = try_least_squares(fit, lift, &subfit, &fewest, error);
    if (status == LINPRED_OK)
        status = walk_from(fit, lift, &subfit, &fewest, error);
    linpred__ball_subfit_close(&subfit);
    return status;
}

/* ---- the fit
 * ----------------------------------------------------------------------------------------------------------------------
 */

/* Mistakes, and the claim that follows from them, each sign certain. */
static linpred_status report(linpred__fit *fit, const linpred__ball_lift *lift, linpred_error *error)
{
    linpred_result *result = fit->result;
    linpred_info *info = &result->info;
    linpred__certificate *certificate = &result->certificate;
    linpred__ball ball = linpred__ball_of(result->model.w, result->model.columns, result->model.b);
    linpred__ball_tally tally;
    linpred_status status = linpred__ball_count(fit, lift, &ball, &tally, error);
    if (status != LINPRED_OK)
        return status;
    info->errors = certificate->errors = tally.errors;
    info->objective = tally.errors / tally.weight;
    bool separates = tally.errors == 0.0;
    info->margin_without_intercept = separates && isnormal(tally.nearest) ? tally.nearest : NAN;
    if (separates)
        linpred__fit_end(fit, LINPRED_OUTCOME_SEPARATED, "a ball with every row on its right side was found");
    else if (info->outcome == LINPRED_OUTCOME_SEPARATED && certificate->directions == 0)
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED, "no mistakes while learning, but some of the ball in doubles");
    if (separates && info->method == LINPRED_METHOD_EXACT)
        info->cost = info->lower_bound = 0.0;
    if (certificate->claim == LINPRED__CLAIM_FEWEST_ERRORS)
        return LINPRED_OK;
    if (separates || certificate->directions > 0)
        certificate->claim = LINPRED__CLAIM_SEPARATES;
    else if (info->outcome == LINPRED_OUTCOME_INSEPARABLE && info->method == LINPRED_METHOD_LP)
        certificate->claim = LINPRED__CLAIM_INSEPARABLE;
    else
        certificate->claim = LINPRED__CLAIM_ERRORS;
    return LINPRED_OK;
}

void linpred__ball_say_inseparable(linpred__fit *fit, const char *more)
{
    const linpred_model *model = &fit->result->model;
    char sides[LINPRED__SIDES];
    linpred__ball_sides(model, sides);
    linpred__fit_end(fit, LINPRED_OUTCOME_INSEPARABLE, "no ball has %s (%s)%s", sides,
                     model->outside ? "without --outside it is the other way round"
                                    : "--outside asks for the other way round",
                     more);
}

/* After the search of auto: where no ball separates, or nobody knows, one with few mistakes. */
static linpred_status fall_back(linpred__fit *fit, const linpred__ball_lift *lift, linpred_error *error)
{
    linpred_info *info = &fit->result->info;
    linpred_outcome found = info->outcome;
    if (found != LINPRED_OUTCOME_INSEPARABLE && found != LINPRED_OUTCOME_UNDECIDED) {
        info->method = LINPRED_METHOD_LP;
        return LINPRED_OK;
    }
    info->method = LINPRED_METHOD_POCKET;
    double fewest = INFINITY;
    linpred_status status = linpred__ball_try(fit, lift, fit->result->model.w, &fewest, error);
    if (status == LINPRED_OK)
        status = fit_pocket(fit, lift, fewest, error);
    if (status == LINPRED_OK && info->outcome == LINPRED_OUTCOME_LIMIT_REACHED)
        status = linpred__ball_local_search(fit, lift, error);
    if (status != LINPRED_OK || info->outcome != LINPRED_OUTCOME_LIMIT_REACHED)
        return status;
    char ended[120];
    snprintf(ended, sizeof ended, "; pocket %.99s", info->reason);
    if (found == LINPRED_OUTCOME_INSEPARABLE)
        linpred__ball_say_inseparable(fit, ended);
    else
        linpred__fit_end(fit, found, "not decided whether a ball separates the rows%s", ended);
    return LINPRED_OK;
}

linpred_status linpred__fit_ball(linpred__fit *fit, linpred_error *error)
{
    const linpred_options *options = fit->options;
    bool pocket = options->method == LINPRED_METHOD_POCKET;
    if (pocket && options->order != LINPRED_ORDER_CYCLIC && options->order != LINPRED_ORDER_RANDOM)
        return linpred__fail(error, LINPRED_ERROR_USAGE, "--method pocket takes --order cyclic or random");
    fit->result->model.outside = options->outside;
    linpred__ball_lift lift;
    linpred_status status = linpred__ball_lift_open(fit->problem.data, options->outside, fit->run.pool, &lift, error);
    if (status != LINPRED_OK)
        return status;
    linpred_info *info = &fit->result->info;
    info->passes = 2; /* the lift */
    info->updates = info->rounds = 0;
    info->solver_seconds = 0.0;
    status = pocket ? fit_pocket(fit, &lift, INFINITY, error) : linpred__ball_search(fit, &lift, error);
    if (status == LINPRED_OK && options->method == LINPRED_METHOD_AUTO)
        status = fall_back(fit, &lift, error);
    bool open = info->outcome == LINPRED_OUTCOME_INSEPARABLE || info->outcome == LINPRED_OUTCOME_UNDECIDED;
    if (status == LINPRED_OK && options->method == LINPRED_METHOD_EXACT && open)
        status = linpred__ball_fewest_errors(fit, &lift, error);
    if (status == LINPRED_OK)
        status = report(fit, &lift, error);
    linpred__ball_lift_close(&lift);
    return status;
}
