/* Is there a minimum, without a penalty? Exactly if the rows overlap: no direction v != 0 on their span has
 * y<v,(x,1)> >= 0 on every row. A direction is the proof that there is none.
 *
 * Cheap guesses come first: single columns, the direction in which the method ran away. The three-way question of
 * src/separate decides the rest.
 */
#include <math.h>

#include "fit/logistic/limits.h"
#include "fit/logistic/logistic.h"
#include "fit/logistic/recession.h"
#include "proof/limits.h"
#include "separate/large_scale.h"
#include "separate/one_column.h"
#include "separate/strict_separation.h"
#include "separate/three_way.h"

/* Takes what was found over into the answer. */
static void take(linpred__logistic_fit *fit, linpred__three_way *found)
{
    linpred__logistic_answer *answer = &fit->answer;
    fit->problem.passes += found->passes;
    answer->asked = true;
    answer->rounds = found->rounds;
    answer->working_rows = found->working_rows;
    answer->kind = found->kind;
    answer->direction = found->direction;
    answer->settled_rows = found->settled_rows;
    answer->witness = found->witness;
    answer->carriers = found->carriers;
    found->direction = (linpred__direction){0};
    found->witness = found->carriers = (linpred__combination){0};
    linpred__three_way_clear(found);
}

static bool all_finite(const double *w, int32_t columns, double b)
{
    bool finite = isfinite(b);
    for (int32_t j = 0; j < columns; j++)
        finite = finite && isfinite(w[j]);
    return finite;
}

/* With a guess that is 0 on some rows: whether another direction is strict. Without a guess: the whole question. */
static linpred_status ask_further(linpred__logistic_fit *fit, linpred__three_way *guess, linpred_error *error)
{
    const linpred__problem *source = fit->problem.source;
    linpred__run *run = fit->problem.run;
    linpred__three_way found = {0};
    linpred_status status;
    if (guess->kind == LINPRED_SEPARATION_SEPARATED) {
        take(fit, guess);
        return LINPRED_OK;
    }
    fit->problem.passes += guess->passes;
    if (fit->point)
        linpred__logistic_take_coefficients(fit);
    bool finite = all_finite(fit->answer.w, source->data->columns, fit->answer.b);
    const double *w = finite ? fit->answer.w : NULL; /* where the search begins */
    double b = finite ? fit->answer.b : 0.0;
    if (guess->direction.count > 0)
        status = linpred__ask_strict_separation(run, source, &guess->direction, w, b, &found, error);
    else
        status = linpred__ask_three_way(run, source, w, b, &found, error);
    linpred__three_way_clear(guess);
    if (status == LINPRED_OK)
        take(fit, &found);
    return status;
}

linpred_status linpred__logistic_try_columns(linpred__logistic_fit *fit, linpred_error *error)
{
    linpred__three_way guess;
    linpred_status status = linpred__ask_one_column(fit->problem.run, fit->problem.source, &guess, error);
    if (status == LINPRED_OK && guess.direction.count > 0)
        status = ask_further(fit, &guess, error);
    return status;
}

linpred_status linpred__logistic_try_step(linpred__logistic_fit *fit, linpred_error *error)
{
    linpred__logistic *problem = &fit->problem;
    linpred__three_way guess;
    if (!(fit->point->max_score_change > linpred__runaway_score_change))
        return LINPRED_OK;
    linpred_status status = linpred__recession_by_step(problem, fit->point->step, &guess, error);
    if (status != LINPRED_OK)
        return status;
    if (guess.direction.count == 0) {
        problem->passes += guess.passes;
        return LINPRED_OK;
    }
    if (guess.kind == LINPRED_SEPARATION_QUASI_SEPARATED && linpred__is_large_scale(problem->source->data) &&
        problem->data->columns > LINPRED__MAX_MATRIX_FEATURES) {
        /* Whether another direction is strict would be asked of conjugate gradients again, which ended with errors. */
        guess.kind = LINPRED_SEPARATION_UNDECIDED;
        take(fit, &guess);
        return LINPRED_OK;
    }
    return ask_further(fit, &guess, error);
}

linpred_status linpred__logistic_ask_existence(linpred__logistic_fit *fit, linpred_error *error)
{
    linpred__three_way guess = {.kind = LINPRED_SEPARATION_UNDECIDED};
    linpred_status status = LINPRED_OK;
    if (fit->answer.has_matrix)
        status = linpred__recession_by_newton(&fit->newton, &guess, error);
    return status == LINPRED_OK ? ask_further(fit, &guess, error) : status;
}
