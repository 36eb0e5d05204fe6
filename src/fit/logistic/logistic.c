/* fit logistic: which method, whether there is a minimum, and what is claimed.
 *
 * Without a penalty the claim `optimal` needs a proof that a minimum exists. With ν² = g' H^-1 g and ρ = max
 * ||x||_{H^-1}, a = νρ <= 1/2 proves it and bounds the gap F(v) - min F by (a + (1-a) ln(1-a)) / ρ² <= ν² / (2(1-a)).
 * Where that does not settle it, the three-way oracle does: rows that are separated or quasi-separated have no minimum,
 * and the direction is the proof. With l2 > 0 there is always a minimum; docs/logistic.md has the bound.
 */
#include "minimise/logistic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "separate/one_column.h"
#include "separate/strict_separation.h"
#include "separate/three_way.h"
#include "separate/large_scale.h"

/* Up to how many features method auto takes the matrix. Without a penalty nothing could be proved without one. With a
   penalty conjugate gradients prove the gap too: beyond a few features the matrix must pay, dense rows being many, or a
   Hessian of sparse ones no dearer than so many trips of theirs. */
enum { MOST_WITHOUT_PENALTY = 1500, MOST_WITH_PENALTY = 1000, FEW = 200, ROWS_A_FEATURE = 50, TRIPS = 10 };
enum { MERGED_MATRICES = 16 }; /* matrices that a pass over many rows clears and merges, about */

struct state {
    linpred__logistic *problem;
    linpred__newton *newton;        /* NULL: by conjugate gradients */
    linpred__logistic_point *point; /* of the method */
    linpred__logistic_end end;
    double gap;   /* relative, proved; INFINITY: nothing */
    bool decided; /* outcome and claim are set */
};

double linpred__penalised_gap(const linpred__logistic *problem, const linpred__logistic_point *point)
{
    /* F(u,c) >= F(w,b) + <g_w,u-w> + g_b(c-b) + (l2/2)||u-w||². Against g_b > 0, c cannot fall far: by Jensen the
       positive rows, of share π, weigh on average at least π log(1 + exp(-(<u,x̄>+c))) <= F(w,b), so that c >= -B -
       <u,x̄> with B = log(exp(F/π) - 1) <= F/π. Likewise for g_b < 0 with the negative rows. Minimised over u that is
       ||g_w - g_b x̄||² / (2 l2) + |g_b| (B + y s̄), s̄ the mean score of that class. |x̄_j| is at most the largest |x_j|.
     */
    int32_t columns = problem->data->columns;
    double gb = problem->has_intercept ? point->gradient[columns] : 0.0;
    double sum = 0.0, extra = 0.0;
    for (int32_t j = 0; j < columns; j++) {
        double g = (fabs(point->gradient[j]) + fabs(gb) * problem->extent[j]) / problem->unit[j];
        sum += g * g;
    }
    if (gb == 0.0)
        return sum / (2.0 * problem->l2);
    int against = gb > 0;
    double x = point->objective / problem->share[against];
    double most = x > 30 ? x : log(expm1(x));
    extra = fmax(0.0, fabs(gb) * (most + (against ? 1.0 : -1.0) * point->mean_score[against]));
    /* νρ by what is below H: with x̄ the mean by curvature, h the mean curvature, <(u,c), H(u,c)> >= l2 ||u||² +
       h (c + <u,x̄>)². No row is farther from x̄ than 2R. */
    double decrement = sum / problem->l2 + gb * gb / point->curvature;
    double reach = 4.0 * problem->radius * problem->radius / problem->l2 + 1.0 / point->curvature;
    double a = sqrt(decrement) * sqrt(reach);
    return fmin(sum / (2.0 * problem->l2) + extra, a <= 0.5 ? decrement / (2.0 * (1.0 - a)) : INFINITY);
}

/* ---- whether there is a minimum ---------------------------------------------------------------------------------- */

/* The relative gap by ν and ρ, with the factor at hand; unchanged if νρ > 1/2. With H >= κ L L' both are at most those
   of L over √κ. */
static linpred_status gap_by_factor(struct state *state, bool exactly, linpred_error *error)
{
    linpred__newton *newton = state->newton;
    double trust = linpred__newton_trust(newton), reach, doubt = 0.0;
    linpred_status status = LINPRED_OK;
    if (trust > 0) /* far out on a direction of recession the last pivot may be one of rounding */
        status = linpred__newton_doubt(newton, &doubt, error);
    trust *= 1.0 - doubt;
    if (status != LINPRED_OK || !(trust > 0 && doubt <= 0.5))
        return status;
    status = linpred__leverage_bound(newton, exactly, &reach, error);
    if (status != LINPRED_OK)
        return status;
    double square = newton->point.decrement / trust, a = sqrt(square / trust) * reach;
    if (a <= 0.5)
        state->gap = fmin(state->gap, square / (2.0 * (1.0 - a)) / newton->point.objective);
    return LINPRED_OK;
}

static linpred_status gap_by_newton(struct state *state, linpred_error *error)
{
    linpred__newton *newton = state->newton;
    linpred__logistic *problem = state->problem;
    double tolerance = problem->fit->options->tolerance;
    linpred_status status = LINPRED_OK;
    if (problem->l2 > 0)
        status = gap_by_factor(state, false, error);
    else
        state->gap = INFINITY;
    if (status != LINPRED_OK || state->gap <= tolerance)
        return status;
    status = linpred__newton_refresh(newton, error);
    if (status == LINPRED_OK)
        status = gap_by_factor(state, false, error);
    if (status == LINPRED_OK && problem->l2 > 0 && !(state->gap <= tolerance)) {
        /* A few steps more are cheaper than the exact reach. */
        status = linpred__newton_run(newton, 1e-8 * tolerance, true, &state->end, error);
        state->decided = state->end == LINPRED__LOGISTIC_STOPPED;
        if (state->decided)
            return status;
        if (status == LINPRED_OK)
            status = linpred__newton_refresh(newton, error);
        if (status == LINPRED_OK)
            status = gap_by_factor(state, false, error);
    }
    /* The exact reach may cost more than the oracle is likely to, and be for nothing: |<x,H^-1 g>| <= νρ. */
    double moved = 0.0;
    if (status == LINPRED_OK && !(state->gap <= tolerance))
        status = linpred__newton_moves(newton, &moved, error);
    if (status == LINPRED_OK && !(state->gap <= tolerance) && moved <= 0.5 &&
        (double)newton->rank * newton->rank * (double)problem->data->rows <= 1e12)
        status = gap_by_factor(state, true, error);
    return status;
}

/* What is known of the rows; with a direction in it, there is no minimum. */
static void take_overlap(struct state *state, linpred__three_way *overlap)
{
    linpred__fit *fit = state->problem->fit;
    linpred_info *info = &fit->result->info;
    state->problem->passes += overlap->passes;
    info->rounds = overlap->rounds;
    info->working_rows = overlap->working_rows;
    bool known = overlap->kind != LINPRED_SEPARATION_UNDECIDED;
    info->separation = known ? overlap->kind : LINPRED_SEPARATION_NOT_ASKED;
    state->decided = overlap->stopped;
    linpred__fit_note_stop(fit);
    if (overlap->direction.count > 0) {
        linpred__certificate *certificate = &fit->result->certificate;
        uint64_t fingerprint = certificate->fingerprint;
        linpred__certificate_clear(certificate);
        *certificate = (linpred__certificate){
            .claim = LINPRED__CLAIM_NO_MINIMISER, .errors = NAN, .bound = NAN, .fingerprint = fingerprint};
        linpred__certify_direction(certificate, &overlap->direction);
        info->settled_rows = overlap->settled_rows;
        bool separated = overlap->kind == LINPRED_SEPARATION_SEPARATED,
             quasi = overlap->kind == LINPRED_SEPARATION_QUASI_SEPARATED;
        linpred__fit_end(
            fit, LINPRED_OUTCOME_NO_MINIMISER,
            "the rows are %sseparated: the maximum-likelihood estimate does not exist; the loss falls for ever "
            "along a direction%s; --l2 gives a penalised fit",
            separated ? ""
            : quasi   ? "quasi-"
                      : "separated or quasi-",
            separated ? ", to 0" : "");
        state->decided = true;
    }
    linpred__three_way_clear(overlap);
}

/* With a direction at hand that is 0 on some rows, whether another is strict; without one, the whole question. */
static linpred_status ask_further(struct state *state, linpred__three_way *overlap, linpred_error *error)
{
    linpred__fit *fit = state->problem->fit;
    const linpred_model *model = &fit->result->model;
    linpred_status status = LINPRED_OK;
    linpred__three_way found = {0};
    if (overlap->kind == LINPRED_SEPARATION_SEPARATED) {
        take_overlap(state, overlap);
        return LINPRED_OK;
    }
    state->problem->passes += overlap->passes;
    if (overlap->direction.count > 0)
        status = linpred__ask_strict_separation(&fit->run, &fit->problem, &overlap->direction, model->w, model->b,
                                                &found, error);
    else
        status = linpred__ask_three_way(&fit->run, &fit->problem, model->w, model->b, &found, error);
    linpred__three_way_clear(overlap);
    if (status == LINPRED_OK)
        take_overlap(state, &found);
    return status;
}

static linpred_status ask_oracle(struct state *state, linpred_error *error)
{
    linpred__three_way overlap = {0};
    linpred_status status = LINPRED_OK;
    if (state->newton)
        status = linpred__guess_recession(state->newton, &overlap, error);
    return status == LINPRED_OK ? ask_further(state, &overlap, error) : status;
}

/* Conjugate gradients that still move scores by about 1 where they end run away along their last step. */
static linpred_status look_at_step(struct state *state, linpred_error *error)
{
    linpred__three_way overlap;
    if (!(state->point->moved > 0.25))
        return LINPRED_OK;
    linpred_status status = linpred__guess_by_step(state->problem, state->point->step, &overlap, error);
    if (status != LINPRED_OK || overlap.direction.count == 0) {
        state->problem->passes += overlap.passes;
        return status;
    }
    if (overlap.kind == LINPRED_SEPARATION_QUASI_SEPARATED &&
        linpred__is_large_scale(state->problem->fit->problem.data) &&
        state->problem->data->columns > LINPRED__MOST_IN_MATRIX) {
        /* Whether another direction is strict would be asked of conjugate gradients again: they ended with mistakes. */
        overlap.kind = LINPRED_SEPARATION_UNDECIDED;
        take_overlap(state, &overlap);
        return LINPRED_OK;
    }
    return ask_further(state, &overlap, error);
}

/* Before any fit: single columns may settle it. */
static linpred_status look_at_columns(struct state *state, linpred_error *error)
{
    linpred__three_way overlap;
    linpred_status status =
        linpred__ask_one_column(&state->problem->fit->run, &state->problem->fit->problem, &overlap, error);
    if (status == LINPRED_OK && overlap.direction.count > 0)
        status = ask_further(state, &overlap, error);
    return status;
}

/* ---- the methods ------------------------------------------------------------------------------------------------- */

static linpred_status finish_newton(struct state *state, linpred_error *error)
{
    linpred__logistic *problem = state->problem;
    linpred__newton *newton = state->newton;
    linpred_status status = linpred__logistic_dependencies(newton, error);
    if (status == LINPRED_OK && !newton->evaluated) {
        /* The projection moved v along null vectors: evaluated again where it is now, and set right if rounding did
         * harm. */
        status = linpred__newton_run(newton, problem->fit->options->tolerance * 1e-8, false, &state->end, error);
    }
    if (status != LINPRED_OK || state->end == LINPRED__LOGISTIC_STOPPED)
        return status;
    if (newton->apart) {
        linpred__logistic_take(problem, newton->point.v);
        return ask_oracle(state, error);
    }
    if (problem->l2 > 0)
        state->gap = linpred__penalised_gap(problem, &newton->point) / newton->point.objective;
    status = gap_by_newton(state, error);
    linpred__logistic_take(problem, newton->point.v);
    if (status == LINPRED_OK && state->gap <= problem->fit->options->tolerance && problem->l2 == 0.0)
        problem->fit->result->info.separation =
            newton->inexact ? LINPRED_SEPARATION_NOT_ASKED : LINPRED_SEPARATION_OVERLAPPING;
    else if (status == LINPRED_OK && isinf(state->gap) && problem->l2 == 0.0)
        status = ask_oracle(state, error);
    return status;
}

static linpred_status by_newton(struct state *state, linpred_error *error)
{
    linpred__logistic *problem = state->problem;
    double tolerance = problem->fit->options->tolerance;
    /* Where Hessians are dear: well below the tolerance, and without a penalty, as far as the next step would lead. */
    double gap = problem->l2 > 0 ? 0.01 * tolerance : fmin(tolerance * tolerance, 1e-16);
    linpred_status status = linpred__newton_run(state->newton, gap, true, &state->end, error);
    if (status == LINPRED_OK && state->end == LINPRED__LOGISTIC_STALLED && problem->fit->options->start) {
        linpred__newton_reset(state->newton); /* the start was to blame, or it will end here again */
        problem->start_left = true;
        status = linpred__newton_run(state->newton, gap, true, &state->end, error);
    }
    if (status != LINPRED_OK)
        return status;
    linpred__logistic_take(problem, state->newton->point.v);
    if (state->end == LINPRED__LOGISTIC_STOPPED) {
        state->decided = true;
        return LINPRED_OK;
    }
    if (state->end == LINPRED__LOGISTIC_SEPARATES)
        return ask_oracle(state, error);
    return finish_newton(state, error);
}

/* Newton's own steps from where conjugate gradients ended: with the matrix, νρ can be had. */
static linpred_status prove_by_matrix(struct state *state, linpred__newton *newton, linpred_error *error)
{
    linpred_status status = linpred__newton_open(state->problem, state->point->v, newton, error);
    if (status != LINPRED_OK)
        return status;
    state->newton = newton;
    state->point = &newton->point;
    return by_newton(state, error);
}

static linpred_status by_conjugate_gradients(struct state *state, linpred__newton *newton, linpred_error *error)
{
    linpred__logistic *problem = state->problem;
    linpred_status status = LINPRED_OK;
    double tolerance = problem->fit->options->tolerance;
    const linpred_model *start = problem->fit->options->start;
    if (start)
        status = linpred__logistic_begin(problem, start, state->point, error);
    if (status == LINPRED_OK)
        status = linpred__newton_cg(problem, state->point, tolerance, &state->end, error);
    if (status == LINPRED_OK && start && state->end == LINPRED__LOGISTIC_STALLED) {
        memset(state->point->v, 0, (size_t)problem->dimension * sizeof *state->point->v);
        problem->start_left = true;
        status = linpred__newton_cg(problem, state->point, tolerance, &state->end, error);
    }
    if (status != LINPRED_OK)
        return status;
    linpred__logistic_take(problem, state->point->v);
    state->decided = state->end == LINPRED__LOGISTIC_STOPPED;
    if (state->decided)
        return LINPRED_OK;
    if (problem->l2 > 0) {
        state->gap = linpred__penalised_gap(problem, state->point) / state->point->objective;
        return LINPRED_OK;
    }
    if (state->end != LINPRED__LOGISTIC_SEPARATES)
        status = look_at_step(state, error);
    if (status != LINPRED_OK || state->decided)
        return status;
    bool many = problem->data->columns > LINPRED__MOST_IN_MATRIX;
    if (many && state->end == LINPRED__LOGISTIC_SMALL && linpred__is_large_scale(problem->fit->problem.data))
        return LINPRED_OK; /* the oracle would only go the same way again */
    if (many || state->end == LINPRED__LOGISTIC_SEPARATES)
        return ask_oracle(state, error);
    return prove_by_matrix(state, newton, error);
}

/* ---- what is claimed --------------------------------------------------------------------------------------------- */

/* Nothing was proved of how far the objective is above its minimum. */
static void end_without_gap(const struct state *state)
{
    linpred__fit *fit = state->problem->fit;
    if (state->problem->l2 > 0) {
        linpred__fit_end(
            fit, LINPRED_OUTCOME_UNDECIDED,
            "there is a minimum, but how far above it the objective is could not be proved; columns of like size%s may "
            "help",
            !state->newton && fit->problem.data->columns <= LINPRED__MOST_IN_MATRIX ? ", or --method newton," : "");
        return;
    }
    bool exists = fit->result->info.separation == LINPRED_SEPARATION_OVERLAPPING;
    char features[60] = "with the digits of a double";
    if (fit->problem.data->columns > LINPRED__MOST_IN_MATRIX)
        snprintf(features, sizeof features, "for more than %d features", LINPRED__MOST_IN_MATRIX);
    else if (state->newton && state->newton->apart)
        snprintf(features, sizeof features, "for columns that nearly depend on others");
    linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED, "%s could not be proved %s; --l2 gives a penalised fit",
                     exists ? "the rows overlap, so there is a minimum, but how far above it the objective is"
                            : "whether there is a minimum",
                     features);
}

/* The least numbers there are may ask for coefficients that no double holds. */
static linpred_status check_finite(const linpred_model *model, linpred_error *error)
{
    for (int32_t j = 0; j < model->columns; j++)
        if (!isfinite(model->w[j]))
            return linpred__fail(error, LINPRED_ERROR_INPUT,
                                 "the numbers of feature %d are so small that its coefficient is beyond the range of "
                                 "doubles: scale the column",
                                 j + 1);
    return LINPRED_OK;
}

/* Mistakes with certain signs, the objective, and a claim: the optimum, or that the model makes so many mistakes. */
static linpred_status conclude(struct state *state, linpred_error *error)
{
    linpred__logistic *problem = state->problem;
    linpred__fit *fit = problem->fit;
    linpred_info *info = &fit->result->info;
    linpred__certificate *certificate = &fit->result->certificate;
    info->passes = problem->passes;
    info->iterations = problem->iterations;
    info->l2 = problem->l2;
    if (info->outcome == LINPRED_OUTCOME_NO_MINIMISER && state->decided)
        return LINPRED_OK;
    linpred_status status = check_finite(&fit->result->model, error);
    if (status != LINPRED_OK)
        return status;
    if (state->point->unsure > 0 || state->decided)
        status = linpred__halfspace_report(fit, error);
    else
        info->errors = state->point->errors;
    if (status != LINPRED_OK)
        return status;
    info->perceptron_loss = info->margin = info->margin_without_intercept = info->radius = NAN;
    info->objective = state->point->objective;
    certificate->errors = info->errors;
    certificate->claim = LINPRED__CLAIM_ERRORS;
    certificate->l2 = problem->l2;
    memcpy(certificate->class_weight, problem->class_weight, sizeof certificate->class_weight);
    if (isfinite(state->gap))
        info->gap = state->gap;
    if (state->decided)
        return LINPRED_OK;
    if (state->gap <= fit->options->tolerance) {
        certificate->claim = LINPRED__CLAIM_LOGISTIC_OPTIMUM;
        certificate->bound = fit->options->tolerance;
        linpred__fit_end(fit, LINPRED_OUTCOME_OPTIMAL,
                         state->gap > 0 ? "%sthe objective is within a relative gap of %.2g of its minimum"
                                        : "%sthe objective is at its minimum, as far as doubles can tell",
                         state->newton && state->newton->inexact ? "among coefficients that respect the dependencies, "
                                                                 : "",
                         state->gap);
    } else if (!isfinite(state->gap)) {
        end_without_gap(state);
    } else {
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "rounding lets the relative gap be proved to %.2g only, above --tolerance %g", state->gap,
                         fit->options->tolerance);
    }
    return LINPRED_OK;
}

static double penalty(const linpred__logistic *problem, const double *v)
{
    double sum = 0.0;
    for (int32_t j = 0; j < problem->dimension; j++)
        sum += 0.5 * problem->penalty[j] * v[j] * v[j];
    return sum;
}

static linpred_status fit_problem(struct state *state, bool matrix, linpred_error *error)
{
    linpred__logistic *problem = state->problem;
    linpred__newton newton = {0};
    linpred__logistic_point point = {0};
    linpred_status status = LINPRED_OK;
    if (matrix) {
        status = linpred__newton_open(problem, NULL, &newton, error);
        state->newton = &newton;
        state->point = &newton.point;
        if (status == LINPRED_OK)
            status = by_newton(state, error);
    } else {
        state->point = &point;
        if (!linpred__logistic_point_open(problem, false, &point))
            return linpred__no_memory(error);
        status = by_conjugate_gradients(state, &newton, error);
    }
    if (status == LINPRED_OK)
        status = conclude(state, error);
    if (status == LINPRED_OK && problem->fit->result->info.outcome != LINPRED_OUTCOME_NO_MINIMISER)
        status = linpred__logistic_summary(problem, state->newton,
                                           state->point->objective - penalty(problem, state->point->v), error);
    linpred__newton_close(&newton);
    linpred__logistic_point_close(&point);
    return status;
}

static bool takes_matrix(const linpred__fit *fit)
{
    int32_t columns = fit->problem.data->columns;
    if (fit->options->method != LINPRED_METHOD_AUTO)
        return fit->options->method == LINPRED_METHOD_NEWTON;
    if (fit->options->l2 == 0.0)
        return columns <= MOST_WITHOUT_PENALTY; /* nothing could be proved without the matrix */
    if (columns > MOST_WITH_PENALTY || columns <= FEW)
        return columns <= FEW;
    if (fit->problem.data->layout == LINPRED__DENSE)
        return fit->problem.data->rows >= (int64_t)ROWS_A_FEATURE * columns;
    double d = columns, entries = (double)fit->problem.data->entries + (double)fit->problem.data->rows;
    double hessian =
        0.5 * entries * entries / (double)fit->problem.data->rows + 2.0 * MERGED_MATRICES * d * d + d * d * d / 24.0;
    return hessian <= TRIPS * 2.0 * entries;
}

/* Does the fit listen to what was asked of it? */
static linpred_status check_columns(const linpred__fit *fit, bool newton, linpred_error *error)
{
    linpred_options usual;
    linpred__options_init(&usual);
    if (fit->problem.data->columns <= LINPRED__MOST_IN_MATRIX)
        return LINPRED_OK;
    if (newton)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--method newton is for at most %d features; here are %d: use newton-cg",
                             LINPRED__MOST_IN_MATRIX, fit->problem.data->columns);
    if (fit->options->confidence != usual.confidence)
        return linpred__fail(error, LINPRED_ERROR_USAGE,
                             "--confidence is for at most %d features; for the %d here there are no standard errors",
                             LINPRED__MOST_IN_MATRIX, fit->problem.data->columns);
    return LINPRED_OK;
}

/* What became of a start that was not gone on from. */
static void tell_of_start(const linpred__logistic *problem)
{
    linpred_info *info = &problem->fit->result->info;
    size_t length = strlen(info->reason);
    if (problem->start_left)
        snprintf(info->reason + length, sizeof info->reason - length, "; begun at 0, the start being no better");
}

linpred_status linpred__fit_logistic(linpred__fit *fit, linpred_error *error)
{
    linpred__logistic problem;
    bool newton = takes_matrix(fit),
         may_prove = fit->options->l2 == 0.0 && fit->problem.data->columns <= LINPRED__MOST_IN_MATRIX;
    linpred_status status = check_columns(fit, newton, error);
    if (status == LINPRED_OK)
        status = linpred__check_start(fit->problem.data, fit->options, error);
    if (status == LINPRED_OK)
        status = linpred__logistic_open(fit, newton || may_prove, &problem, error);
    if (status != LINPRED_OK)
        return status;
    fit->result->info.method = newton ? LINPRED_METHOD_NEWTON : LINPRED_METHOD_NEWTON_CG;
    struct state state = {.problem = &problem, .gap = INFINITY};
    status = look_at_columns(&state, error);
    if (status == LINPRED_OK)
        status = state.decided ? conclude(&state, error) : fit_problem(&state, newton, error);
    if (status == LINPRED_OK)
        tell_of_start(&problem);
    linpred__logistic_close(&problem);
    return status;
}
