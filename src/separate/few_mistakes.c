/* A halfspace with few mistakes: the best of several starts, then a local search (see few_mistakes.h). */
#include "separate/few_mistakes.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "num/vector.h"
#include "separate/fewest_errors/threshold.h"
#include "separate/large_scale.h"
#include "separate/limits.h"
#include "separate/local_search.h"
#include "separate/logistic_start.h"
#include "separate/start.h"

struct few_mistakes_search {
    linpred__run *run;
    const linpred__problem *problem;
    const linpred__few_mistakes_question *question;
    linpred__few_mistakes *answer;
};

void linpred__few_mistakes_clear(linpred__few_mistakes *answer)
{
    linpred__release(answer->w);
    *answer = (linpred__few_mistakes){0};
}

linpred__perceptron_question linpred__usual_pocket(const linpred_data *data, uint64_t seed)
{
    return (linpred__perceptron_question){.pocket = true,
                                          .order = LINPRED_ORDER_RANDOM,
                                          .seed = seed,
                                          .max_updates = INT64_MAX,
                                          .max_passes = INT64_MAX,
                                          .rate = 1.0,
                                          .patience =
                                              LINPRED__POCKET_PATIENCE + LINPRED__POCKET_PATIENCE_ROWS / data->rows};
}

/* Takes w, b if its mistakes cost less than those of the answer; with `ties`, also if they cost as much. One that has
   left the range of doubles is no halfspace. */
static linpred_status offer_halfspace(struct few_mistakes_search *work, const double *w, double b, bool ties,
                                      linpred_error *error)
{
    linpred__few_mistakes *answer = work->answer;
    const double *each = work->question->class_cost;
    linpred__halfspace_tally tally;
    if (!isfinite(linpred__norm(w, work->problem->data->columns, b)) && answer->cost < INFINITY)
        return LINPRED_OK;
    linpred_status status = linpred__ask_halfspace_tally(work->run, work->problem, w, b, &tally, error);
    if (status != LINPRED_OK)
        return status;
    double cost = each[0] * tally.wrong[0] + each[1] * tally.wrong[1];
    if (cost > answer->cost || (cost == answer->cost && !ties))
        return LINPRED_OK;
    memcpy(answer->w, w, (size_t)work->problem->data->columns * sizeof *w);
    answer->w[work->problem->data->columns] = b;
    answer->tally = tally;
    answer->cost = cost;
    return LINPRED_OK;
}

/* Offers w with its own intercept, and with the one that costs least. */
static linpred_status offer_both(struct few_mistakes_search *work, const double *w, double b, bool ties,
                                 linpred_error *error)
{
    linpred_status status = offer_halfspace(work, w, b, ties, error);
    if (status != LINPRED_OK || !work->problem->has_intercept)
        return status;
    status = linpred__find_threshold(work->run, work->problem, work->question->class_cost, w, &b, error);
    return status == LINPRED_OK ? offer_halfspace(work, w, b, false, error) : status;
}

/* At large scale the separability of the rows was asked by the logistic loss, so its minimum is the known halfspace.
   Where the loss without a penalty has no minimum, a small penalty makes one. */
static linpred_status try_logistic(struct few_mistakes_search *work, double *w, linpred_error *error)
{
    const double *each = work->question->class_cost;
    linpred__logistic_terms terms = {.class_weight = {each[0], each[1]}, .tolerance = LINPRED__START_LOGISTIC_GAP};
    linpred__logistic_halfspace start = {.stalled = !linpred__is_large_scale(work->problem->data)};
    linpred_status status = LINPRED_OK;
    for (int penalised = 0; penalised < 2 && start.stalled && status == LINPRED_OK; penalised++) {
        terms.l2 = penalised ? LINPRED__START_LOGISTIC_L2 : 0.0;
        status = linpred__find_logistic_start(work->run, work->problem, &terms, w, &start, error);
        if (status == LINPRED_OK && start.found)
            status = offer_both(work, w, start.b, false, error);
    }
    return status;
}

/* Scales the start of pocket to ten times the longest row, so that one update changes its direction only a little. If
   the factor is beyond the range of doubles, as for rows of 1e154 and weights of 1e-154, the start stays as it is. */
static void stretch(const linpred__problem *problem, double *w, double *b)
{
    double norm = fabs(*b), radius = problem->extents.radius.nearest;
    for (int32_t j = 0; j < problem->data->columns; j++)
        norm = fmax(norm, fabs(w[j]));
    double factor = 10.0 * radius / norm;
    if (!isfinite(factor))
        return;
    for (int32_t j = 0; j < problem->data->columns; j++)
        w[j] *= factor;
    *b *= factor;
}

static linpred_status try_pocket(struct few_mistakes_search *work, double *w, linpred_error *error)
{
    linpred__perceptron_question question = work->question->pocket;
    linpred__perceptron found;
    question.pocket = true;
    question.w = NULL;
    question.b = 0.0;
    if (linpred__find_least_squares_start(work->run, work->problem, w, &question.b)) {
        stretch(work->problem, w, &question.b);
        question.w = w;
    } else {
        question.b = 0.0;
    }
    linpred_status status = linpred__ask_perceptron(work->run, work->problem, &question, &found, error);
    if (status != LINPRED_OK)
        return status;
    work->answer->pocket_end = found.end;
    work->answer->pocket_updates = found.updates;
    work->answer->pocket_passes = found.passes;
    status = offer_both(work, found.w, found.b, true, error);
    linpred__perceptron_clear(&found);
    return status;
}

static linpred_status try_local_search(struct few_mistakes_search *work, linpred_error *error)
{
    const double *each = work->question->class_cost;
    linpred__local_search_question question = {.class_cost = {each[0], each[1]},
                                               .seed = work->question->seed,
                                               .w = work->answer->w,
                                               .b = work->answer->w[work->problem->data->columns]};
    linpred__local_search found;
    linpred_status status = linpred__ask_local_search(work->run, work->problem, &question, &found, error);
    if (status == LINPRED_OK && found.better)
        status = offer_halfspace(work, found.w, found.b, false, error);
    linpred__local_search_clear(&found);
    return status;
}

linpred_status linpred__ask_few_mistakes(linpred__run *run, const linpred__problem *problem,
                                         const linpred__few_mistakes_question *question, linpred__few_mistakes *answer,
                                         linpred_error *error)
{
    struct few_mistakes_search work = {run, problem, question, answer};
    size_t columns = (size_t)problem->data->columns;
    *answer = (linpred__few_mistakes){.w = linpred__calloc(columns + 1, sizeof(double)), .cost = INFINITY};
    double *w = linpred__calloc(columns, sizeof *w);
    linpred_status status = w && answer->w ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = offer_both(&work, question->w, question->b, false, error);
    if (status == LINPRED_OK && run->stopped == LINPRED__NOT_STOPPED)
        status = try_logistic(&work, w, error);
    if (status == LINPRED_OK)
        status = try_pocket(&work, w, error);
    if (status == LINPRED_OK && answer->cost > 0 && run->stopped == LINPRED__NOT_STOPPED)
        status = try_local_search(&work, error);
    linpred__release(w);
    if (status != LINPRED_OK)
        linpred__few_mistakes_clear(answer);
    return status;
}
