/* fit ball: a ball with the rows of one label inside and the others outside.
 *
 * lp      finds a ball that separates the rows, or rows that prove that there is none
 * pocket  finds a ball with few mistakes
 * exact   runs lp; if no ball separates the rows, it finds the fewest mistakes with proof
 * auto    runs lp; if no ball separates the rows, it runs pocket and then, if the rows are not too many, a local
 *         search; the result keeps the proof that no ball separates
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "fit/ball/best_ball.h"
#include "fit/ball/separation.h"
#include "fit/ball/fewest_errors.h"
#include "fit/ball/limits.h"
#include "fit/ball/pocket.h"
#include "fit/halfspace.h"
#include "pass/row_extents.h"

struct ball_answers {
    linpred__ball_lift lift;
    linpred__problem lifted; /* the lifted rows; data is NULL until they are needed */
    linpred__best_ball best;
    bool asked_separation;
    linpred__ball_separation separation;
    bool asked_pocket;
    linpred__perceptron_question question;
    linpred__ball_pocket pocket;
    bool asked_fewest;
    linpred__ball_fewest_errors fewest;
    linpred__ball_tally tally; /* of the best ball */
};

/* ---- the result -------------------------------------------------------------------------------------------------- */

/* The method that method auto chose, or the method that was asked for. */
static linpred_method method_used(linpred_method asked, const struct ball_answers *answers)
{
    if (asked != LINPRED_METHOD_AUTO)
        return asked;
    return answers->asked_pocket ? LINPRED_METHOD_POCKET : LINPRED_METHOD_LP;
}

static void set_figures(linpred__fit_context *fit, const struct ball_answers *answers)
{
    linpred_model *model = &fit->result->model;
    linpred__figures *figures = &fit->result->figures;
    const linpred__ball_separation *separation = &answers->separation;
    memcpy(model->w, answers->best.centre, (size_t)model->columns * sizeof(double));
    model->b = answers->best.radius_squared;
    model->outside = fit->options->outside;
    figures->updates = separation->updates + answers->pocket.updates;
    figures->passes = 2 + answers->best.passes + separation->passes + answers->pocket.passes; /* the lift takes two */
    figures->rounds = separation->rounds;
    figures->solver_seconds = separation->solver_seconds;
    figures->working_rows = answers->fewest.whole       ? answers->fewest.working_rows
                            : answers->asked_separation ? separation->working_rows
                                                        : -1;
    figures->errors = answers->tally.errors;
    figures->objective = answers->tally.errors / answers->tally.weight;
    bool separates = figures->errors == 0.0;
    figures->margin_without_intercept = separates && isnormal(answers->tally.nearest) ? answers->tally.nearest : NAN;
    figures->method = method_used(fit->method, answers);
    bool none = separates && figures->method == LINPRED_METHOD_EXACT;
    if (answers->fewest.whole || none) {
        figures->cost = none ? 0.0 : answers->fewest.cost;
        figures->lower_bound = none ? 0.0 : answers->fewest.lower_bound;
    }
    if (answers->fewest.whole)
        figures->cost_negative = figures->cost_positive = 1.0;
}

/* The ending if no ball separates the rows. `more` ends the sentence. */
static linpred__ending make_inseparable_ending(const linpred_model *model, const char *more)
{
    char sides[LINPRED__SIDES];
    linpred__ball_sides(model, sides);
    return linpred__make_ending(LINPRED_OUTCOME_INSEPARABLE, "no ball has %s (%s)%s", sides,
                                model->outside ? "without --outside it is the other way round"
                                               : "--outside asks for the other way round",
                                more);
}

static linpred__ending find_separation_ending(const linpred__fit_context *fit,
                                              const linpred__ball_separation *separation)
{
    if (separation->kind == LINPRED_SEPARATION_SEPARATED)
        return linpred__make_ending(
            LINPRED_OUTCOME_SEPARATED,
            separation->direction.count > 0
                ? "a ball with every row on its right side exists, but none of doubles was found"
                : "a ball with every row on its right side was found");
    if (separation->kind == LINPRED_SEPARATION_INSEPARABLE)
        return make_inseparable_ending(&fit->result->model, "");
    if (fit->run.stopped != LINPRED__NOT_STOPPED)
        return linpred__stopped_ending(&fit->run);
    return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED,
                                "too many rows and columns, or too wide a range of numbers, for exact arithmetic");
}

/* The ending of pocket and of the local search after it. For method auto, which asked before whether a ball separates
   the rows, the reason begins with that answer. */
static linpred__ending find_pocket_ending(const linpred__fit_context *fit, const struct ball_answers *answers)
{
    linpred__ending loop = linpred__perceptron_ending(&fit->run, &answers->question, answers->pocket.end);
    bool at_limit = loop.outcome == LINPRED_OUTCOME_LIMIT_REACHED;
    linpred__ending pocket =
        at_limit && fit->run.stopped != LINPRED__NOT_STOPPED ? linpred__stopped_ending(&fit->run) : loop;
    if (!answers->asked_separation || pocket.outcome != LINPRED_OUTCOME_LIMIT_REACHED)
        return pocket;
    char ended[120];
    snprintf(ended, sizeof ended, "; pocket %.99s", pocket.reason);
    if (answers->separation.kind == LINPRED_SEPARATION_INSEPARABLE)
        return make_inseparable_ending(&fit->result->model, ended);
    return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED, "not decided whether a ball separates the rows%s", ended);
}

static linpred__ending find_fewest_ending(const linpred__fit_context *fit, const struct ball_answers *answers)
{
    const linpred__ball_fewest_errors *fewest = &answers->fewest;
    if (!fewest->whole)
        return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED,
                                    "the numbers have too wide a range for exact arithmetic");
    if (fewest->optimal && fewest->proof.direction.count > 0)
        return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL,
                                    "a ball whose mistakes weigh %.9g exists, and none makes fewer, but none of "
                                    "doubles that makes so few was found",
                                    fewest->cost);
    if (fewest->optimal)
        return linpred__make_ending(LINPRED_OUTCOME_OPTIMAL, "no ball makes fewer mistakes%s",
                                    fewest->lower_bound < fewest->cost ? ", to nine digits" : "");
    if (fewest->end == LINPRED__TREE_FULL)
        return linpred__make_ending(LINPRED_OUTCOME_LIMIT_REACHED, "the search has come to its limit of %d branches",
                                    LINPRED__MAX_BRANCHES);
    if (fit->run.stopped != LINPRED__NOT_STOPPED)
        return linpred__stopped_ending(&fit->run);
    return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED,
                                "exact arithmetic did not tell whether some rows can be separated");
}

/* The mistakes of the ball in doubles decide first, then the last question that was asked. */
static linpred__ending find_ball_ending(const linpred__fit_context *fit, const struct ball_answers *answers)
{
    if (answers->tally.errors == 0.0)
        return linpred__make_ending(LINPRED_OUTCOME_SEPARATED, "a ball with every row on its right side was found");
    linpred__ending last = answers->asked_fewest   ? find_fewest_ending(fit, answers)
                           : answers->asked_pocket ? find_pocket_ending(fit, answers)
                                                   : find_separation_ending(fit, &answers->separation);
    if (last.outcome == LINPRED_OUTCOME_SEPARATED && answers->separation.direction.count == 0)
        return linpred__make_ending(LINPRED_OUTCOME_UNDECIDED,
                                    "no mistakes while learning, but some of the ball in doubles");
    return last;
}

static void claim(linpred__fit_context *fit, struct ball_answers *answers, linpred_outcome outcome)
{
    linpred_result *result = fit->result;
    linpred_method method = method_used(fit->method, answers);
    linpred__claims *claims = &result->claims;
    linpred__ball_separation *separation = &answers->separation;
    if (answers->fewest.whole) {
        linpred__claims_add(claims, LINPRED_CLAIM_ERRORS, true);
        linpred__claims_add(claims, LINPRED_CLAIM_FEWEST_ERRORS, true)->by.cover = answers->fewest.proof;
        answers->fewest.proof = (linpred__cover_proof){0};
    } else if (answers->tally.errors == 0.0 || separation->direction.count > 0) {
        linpred__claims_add(claims, LINPRED_CLAIM_SEPARATES, true)->by.direction = separation->direction;
        separation->direction = (linpred__direction){0};
    } else if (outcome != LINPRED_OUTCOME_INSEPARABLE || method != LINPRED_METHOD_LP) {
        linpred__claims_add(claims, LINPRED_CLAIM_ERRORS, true);
    }
    if (separation->witness.count > 0)
        linpred__claim_inseparable(result, &separation->witness);
    linpred__claim_figures(result);
}

static void assemble(linpred__fit_context *fit, struct ball_answers *answers)
{
    set_figures(fit, answers);
    linpred__ending ending = find_ball_ending(fit, answers);
    linpred__set_ending(&fit->result->figures, &ending);
    claim(fit, answers, ending.outcome);
}

/* ---- the questions ----------------------------------------------------------------------------------------------- */

static linpred_status open_lifted(linpred__fit_context *fit, struct ball_answers *answers, linpred_error *error)
{
    if (answers->lifted.data)
        return LINPRED_OK;
    answers->lifted.data = answers->lift.lifted;
    return linpred__find_row_extents(answers->lift.lifted, fit->run.pool, false, false, &answers->lifted.extents,
                                     error);
}

/* Tries the ball around the mean of the rows that belong inside first. If it separates the rows, no search is
   needed. */
static linpred_status ask_separation(linpred__fit_context *fit, struct ball_answers *answers, linpred_error *error)
{
    const linpred__ball_lift *lift = &answers->lift;
    bool separates;
    answers->asked_separation = true;
    answers->separation = (linpred__ball_separation){.kind = LINPRED_SEPARATION_SEPARATED, .working_rows = -1};
    linpred_status status =
        linpred__ball_try_to_separate(&fit->run, lift, lift->mean, &answers->best, &separates, error);
    if (status != LINPRED_OK || separates)
        return status;
    status = linpred__ball_try(&fit->run, lift, lift->mean, &answers->best, error);
    if (status == LINPRED_OK)
        status = open_lifted(fit, answers, error);
    if (status != LINPRED_OK)
        return status;
    return linpred__ask_ball_separation(&fit->run, lift, &answers->lifted, &answers->best, &answers->separation, error);
}

static linpred_status ask_pocket(linpred__fit_context *fit, struct ball_answers *answers, linpred_error *error)
{
    const linpred_options *options = fit->options;
    bool automatic = fit->method == LINPRED_METHOD_AUTO;
    answers->asked_pocket = true;
    answers->question = (linpred__perceptron_question){
        .pocket = true,
        .order = automatic ? LINPRED_ORDER_RANDOM : options->order,
        .mistake = options->mistake,
        .seed = (uint64_t)options->seed,
        .max_updates = options->max_updates,
        .max_passes = options->max_passes,
        .rate = 1.0,
        .patience = automatic ? LINPRED__BALL_PATIENCE + LINPRED__BALL_PATIENCE_ROWS / fit->problem.data->rows : 0,
        .pass_ends_only = true, /* after a good start the length of a run says little, and scoring takes a pass */
    };
    linpred_status status = open_lifted(fit, answers, error);
    if (status != LINPRED_OK)
        return status;
    return linpred__ask_ball_pocket(&fit->run, &answers->lift, &answers->lifted, &answers->question, &answers->best,
                                    &answers->pocket, error);
}

/* The second part of method auto, if no ball is known to separate the rows. */
static linpred_status ask_few_mistakes(linpred__fit_context *fit, struct ball_answers *answers, linpred_error *error)
{
    linpred_status status = linpred__ball_try_again(&fit->run, &answers->lift, &answers->best, error);
    if (status == LINPRED_OK)
        status = ask_pocket(fit, answers, error);
    linpred__perceptron_end end = answers->pocket.end;
    bool faultless = end == LINPRED__PERCEPTRON_CLEAN_PASS || end == LINPRED__PERCEPTRON_NO_ERRORS;
    if (status != LINPRED_OK || faultless || fit->run.stopped == LINPRED__STOPPED_BY_CALLER)
        return status;
    return linpred__ask_ball_local_search(&fit->run, &answers->lift, (uint64_t)fit->options->seed, &answers->best,
                                          error);
}

static linpred_status ask_ball_questions(linpred__fit_context *fit, struct ball_answers *answers, linpred_error *error)
{
    linpred_method method = fit->method;
    linpred_status status =
        method == LINPRED_METHOD_POCKET ? ask_pocket(fit, answers, error) : ask_separation(fit, answers, error);
    linpred_separation kind = answers->separation.kind;
    bool open = kind == LINPRED_SEPARATION_INSEPARABLE ||
                (kind == LINPRED_SEPARATION_UNDECIDED && fit->run.stopped == LINPRED__NOT_STOPPED);
    if (status == LINPRED_OK && method == LINPRED_METHOD_AUTO && open)
        status = ask_few_mistakes(fit, answers, error);
    if (status == LINPRED_OK && method == LINPRED_METHOD_EXACT && open) {
        answers->asked_fewest = true;
        status = linpred__ask_ball_fewest_errors(&fit->run, &answers->lift, (uint64_t)fit->options->seed,
                                                 &answers->best, &answers->fewest, error);
    }
    if (status == LINPRED_OK)
        status = linpred__ball_count(&fit->run, &answers->lift, &answers->best, &answers->tally, error);
    return status;
}

linpred_status linpred__fit_ball(linpred__fit_context *fit, linpred_error *error)
{
    const linpred_options *options = fit->options;
    struct ball_answers answers = {0};
    linpred_status status =
        linpred__ball_lift_open(fit->problem.data, options->outside, fit->run.pool, &answers.lift, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__best_ball_open(&answers.lift, &answers.best, error);
    if (status == LINPRED_OK)
        status = ask_ball_questions(fit, &answers, error);
    if (status == LINPRED_OK)
        assemble(fit, &answers);
    linpred__ball_separation_clear(&answers.separation);
    linpred__ball_fewest_errors_clear(&answers.fewest);
    linpred__best_ball_close(&answers.best);
    linpred__row_extents_clear(&answers.lifted.extents);
    linpred__ball_lift_close(&answers.lift);
    return status;
}
