/* Does F have a minimum without a penalty? It does exactly if the rows overlap: no v has y<v,(x,1)> >= 0 on every row
 * and > 0 on some. Such a v, a direction, proves that there is no minimum.
 *
 * Cheap guesses come first: single columns, and the direction along which the method went. If none holds, the three-way
 * question of src/separate decides.
 */
#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/logistic/limits.h"
#include "fit/logistic/logistic.h"
#include "fit/logistic/recession.h"
#include "proof/limits.h"
#include "separate/large_scale.h"
#include "separate/one_column.h"
#include "separate/strict_separation.h"
#include "separate/three_way.h"

linpred__three_way linpred__logistic_not_asked(void)
{
    return (linpred__three_way){.kind = LINPRED_SEPARATION_UNDECIDED, .rounds = -1, .working_rows = -1};
}

static bool all_finite(const double *w, int32_t columns, double b)
{
    bool finite = isfinite(b);
    for (int32_t j = 0; j < columns; j++)
        finite = finite && isfinite(w[j]);
    return finite;
}

/* If the guess is a direction that is 0 on some rows, asks whether another is strict on every row. Without a direction,
   asks the three-way question. w, b (w NULL: 0) is the halfspace that the search starts from. */
static linpred_status ask_after_guess(const linpred__logistic_problem *problem, const linpred__three_way *guess,
                                      const double *w, double b, linpred__three_way *answer, linpred_error *error)
{
    linpred_status status =
        guess->direction.count > 0
            ? linpred__ask_strict_separation(problem->run, problem->original, &guess->direction, w, b, answer, error)
            : linpred__ask_three_way(problem->run, problem->original, w, b, answer, error);
    if (status == LINPRED_OK)
        answer->passes += guess->passes;
    return status;
}

/* Answers with the guess if it is strict on every row; else asks further. The search starts from the halfspace of v
   (NULL: 0), if its weights are finite in the units of the file. The guess is cleared or moved. */
static linpred_status ask_further(linpred__logistic_problem *problem, linpred__three_way *guess, const double *v,
                                  linpred__three_way *answer, linpred_error *error)
{
    int32_t columns = problem->original->data->columns;
    if (guess->kind == LINPRED_SEPARATION_SEPARATED) {
        *answer = *guess;
        return LINPRED_OK;
    }
    double *w = linpred__calloc((size_t)columns + 1, sizeof *w), b = 0.0;
    linpred__three_way found;
    linpred_status status = w ? LINPRED_OK : linpred__no_memory(error);
    if (w && v)
        linpred__logistic_coefficients(problem, v, w, &b);
    if (w && all_finite(w, columns, b))
        status = ask_after_guess(problem, guess, w, b, &found, error);
    else if (w)
        status = ask_after_guess(problem, guess, NULL, 0.0, &found, error);
    if (status == LINPRED_OK) {
        status = linpred__settle_all(problem->run, problem->original, &found, error);
        if (status == LINPRED_OK)
            *answer = found;
        else
            linpred__three_way_clear(&found);
    }
    linpred__release(w);
    linpred__three_way_clear(guess);
    return status;
}

linpred_status linpred__logistic_try_columns(linpred__logistic_problem *problem, linpred__three_way *answer,
                                             linpred_error *error)
{
    linpred__three_way guess;
    linpred_status status = linpred__ask_one_column(problem->run, problem->original, &guess, error);
    if (status != LINPRED_OK)
        return status;
    if (guess.direction.count > 0)
        return ask_further(problem, &guess, NULL, answer, error);
    *answer = linpred__logistic_not_asked();
    return LINPRED_OK;
}

linpred_status linpred__logistic_try_step(linpred__logistic_problem *problem, const linpred__logistic_point *point,
                                          linpred__three_way *answer, linpred_error *error)
{
    linpred__three_way guess;
    if (!(point->max_score_change > linpred__runaway_score_change)) {
        *answer = linpred__logistic_not_asked();
        return LINPRED_OK;
    }
    linpred_status status = linpred__recession_by_step(problem, point->step, &guess, error);
    if (status != LINPRED_OK)
        return status;
    if (guess.direction.count == 0) {
        *answer = linpred__logistic_not_asked();
        answer->passes = guess.passes;
        return LINPRED_OK;
    }
    if (guess.kind == LINPRED_SEPARATION_QUASI_SEPARATED && linpred__is_large_scale(problem->original->data) &&
        problem->data->columns > LINPRED__MAX_MATRIX_FEATURES) {
        /* Another direction may be strict on every row. But the question would run conjugate gradients again, which
           have just ended with mistakes. So the kind stays undecided. */
        *answer = guess;
        answer->kind = LINPRED_SEPARATION_UNDECIDED;
        return LINPRED_OK;
    }
    return ask_further(problem, &guess, point->v, answer, error);
}

linpred_status linpred__logistic_ask_existence(linpred__logistic_problem *problem, linpred__newton *newton,
                                               const double *v, linpred__three_way *answer, linpred_error *error)
{
    linpred__three_way guess = {.kind = LINPRED_SEPARATION_UNDECIDED};
    linpred_status status = newton ? linpred__recession_by_newton(newton, &guess, error) : LINPRED_OK;
    return status == LINPRED_OK ? ask_further(problem, &guess, v, answer, error) : status;
}
