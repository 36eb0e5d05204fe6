/* Does F have a minimum without a penalty? It does exactly if the rows overlap: no v has y<v,(x,1)> >= 0 on every row
 * and > 0 on some. Such a v, a direction, proves that there is no minimum.
 *
 * Cheap guesses come first: single columns, and the direction along which the method went. If none holds, the three-way
 * question of src/separate decides.
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

/* Moves what a question found into the answer and adds its counts. */
static void take(linpred__logistic_work *work, linpred__three_way *found)
{
    linpred__logistic_answer *answer = &work->answer;
    work->problem.progress.passes += found->passes;
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

/* If the guess is a direction that is 0 on some rows, asks whether another is strict on every row. Without a direction,
   asks the three-way question. */
static linpred_status ask_further(linpred__logistic_work *work, linpred__three_way *guess, linpred_error *error)
{
    const linpred__problem *original = work->problem.original;
    linpred__run *run = work->problem.run;
    linpred__three_way found = {0};
    linpred_status status;
    if (guess->kind == LINPRED_SEPARATION_SEPARATED) {
        take(work, guess);
        return LINPRED_OK;
    }
    work->problem.progress.passes += guess->passes;
    if (work->point)
        linpred__logistic_take_coefficients(work);
    bool finite = all_finite(work->answer.w, original->data->columns, work->answer.b);
    const double *w = finite ? work->answer.w : NULL; /* the halfspace that the search starts from */
    double b = finite ? work->answer.b : 0.0;
    if (guess->direction.count > 0)
        status = linpred__ask_strict_separation(run, original, &guess->direction, w, b, &found, error);
    else
        status = linpred__ask_three_way(run, original, w, b, &found, error);
    linpred__three_way_clear(guess);
    if (status == LINPRED_OK)
        take(work, &found);
    return status;
}

linpred_status linpred__logistic_try_columns(linpred__logistic_work *work, linpred_error *error)
{
    linpred__three_way guess;
    linpred_status status = linpred__ask_one_column(work->problem.run, work->problem.original, &guess, error);
    if (status == LINPRED_OK && guess.direction.count > 0)
        status = ask_further(work, &guess, error);
    return status;
}

linpred_status linpred__logistic_try_step(linpred__logistic_work *work, linpred_error *error)
{
    linpred__logistic_problem *problem = &work->problem;
    linpred__three_way guess;
    if (!(work->point->max_score_change > linpred__runaway_score_change))
        return LINPRED_OK;
    linpred_status status = linpred__recession_by_step(problem, work->point->step, &guess, error);
    if (status != LINPRED_OK)
        return status;
    if (guess.direction.count == 0) {
        problem->progress.passes += guess.passes;
        return LINPRED_OK;
    }
    if (guess.kind == LINPRED_SEPARATION_QUASI_SEPARATED && linpred__is_large_scale(problem->original->data) &&
        problem->data->columns > LINPRED__MAX_MATRIX_FEATURES) {
        /* Another direction may be strict on every row. But the question would run conjugate gradients again, which
           have just ended with mistakes. So the kind stays undecided. */
        guess.kind = LINPRED_SEPARATION_UNDECIDED;
        take(work, &guess);
        return LINPRED_OK;
    }
    return ask_further(work, &guess, error);
}

linpred_status linpred__logistic_ask_existence(linpred__logistic_work *work, linpred_error *error)
{
    linpred__three_way guess = {.kind = LINPRED_SEPARATION_UNDECIDED};
    linpred_status status = LINPRED_OK;
    if (work->answer.has_matrix)
        status = linpred__recession_by_newton(&work->newton, &guess, error);
    return status == LINPRED_OK ? ask_further(work, &guess, error) : status;
}
