/* The two-way question with an answer in integers (see separated.h). */
#include "separate/separated.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/violators.h"
#include "separate/rows/direction_rows.h"
#include "separate/rows/solver_rows.h"
#include "separate/two_way.h"

struct separated_question {
    linpred__run *run;
    const linpred__problem *problem;
    linpred__separated *answer;
};

void linpred__separated_clear(linpred__separated *answer)
{
    linpred__direction_clear(&answer->direction);
    linpred__combination_clear(&answer->witness);
    *answer = (linpred__separated){0};
}

/* Scales (w, b) so that its largest entry is `largest`, and rounds it to integers. If they separate all rows, they
   become the answer and *taken is set. */
static linpred_status try_rounded(struct separated_question *work, const double *w, double b, double largest,
                                  bool *taken, linpred_error *error)
{
    const linpred_data *data = work->problem->data;
    int32_t columns = data->columns;
    double *small = linpred__alloc((size_t)columns + 1, sizeof *small);
    double norm = fabs(b);
    linpred__integers v;
    for (int32_t j = 0; j < columns; j++)
        norm = fmax(norm, fabs(w[j]));
    for (int32_t j = 0; small && j <= columns; j++)
        small[j] = nearbyint((j < columns ? w[j] : b) / norm * largest);
    const double *intercept = small && work->problem->has_intercept ? &small[columns] : NULL;
    if (!small || !linpred__integers_of_doubles(small, columns, intercept, &v)) {
        linpred__release(small);
        return linpred__no_memory(error);
    }
    linpred__found_rows tried;
    linpred_status status = linpred__try_direction(work->run, work->problem, &v, NULL, &tried, error);
    if (status == LINPRED_OK) {
        work->answer->passes++;
        *taken = tried.positive == data->rows;
        linpred__release(tried.row);
    }
    if (status == LINPRED_OK && *taken)
        status = linpred__take_direction(&work->answer->direction, &v, error);
    linpred__integers_close(&v);
    linpred__release(small);
    return status;
}

/* Turns a halfspace w, b of doubles that separates the rows into integers, as small as possible. */
static linpred_status take_halfspace(struct separated_question *work, const double *w, double b, linpred_error *error)
{
    linpred__integers v;
    linpred_status status = LINPRED_OK;
    bool taken = false;
    work->answer->kind = LINPRED_SEPARATION_SEPARATED;
    for (double largest = 100.0; status == LINPRED_OK && !taken && largest < 1e10; largest *= 100.0)
        status = try_rounded(work, w, b, largest, &taken, error);
    if (status != LINPRED_OK || taken)
        return status;
    if (!linpred__integers_of_doubles(w, work->problem->data->columns, work->problem->has_intercept ? &b : NULL, &v))
        return linpred__no_memory(error);
    status = linpred__take_direction(&work->answer->direction, &v, error);
    linpred__integers_close(&v);
    return status;
}

/* Tries w, b on all rows. If they separate the rows, they become the answer and *done is set. */
static linpred_status try_given(struct separated_question *work, const double *w, double b, bool *done,
                                linpred_error *error)
{
    linpred__violators_sought sought = {w, b, 1, -INFINITY};
    linpred__violators wrong;
    work->answer->passes++;
    linpred_status status = linpred__find_violators(work->run, work->problem, &sought, &wrong, error);
    if (status != LINPRED_OK)
        return status;
    *done = wrong.mistakes == 0;
    linpred__violators_clear(&wrong);
    return *done ? take_halfspace(work, w, b, error) : LINPRED_OK;
}

static linpred_status take_two_way(struct separated_question *work, linpred__two_way *found, linpred_error *error)
{
    linpred__separated *answer = work->answer;
    answer->kind = found->kind;
    answer->stopped = found->stopped;
    answer->passes += found->passes;
    answer->rounds += found->rounds;
    answer->witness = found->witness;
    found->witness = (linpred__combination){0};
    if (found->kind == LINPRED_SEPARATION_SEPARATED && found->direction.count == 0)
        return take_halfspace(work, found->w, found->b, error);
    answer->direction = found->direction;
    found->direction = (linpred__direction){0};
    return LINPRED_OK;
}

linpred_status linpred__ask_separated(linpred__run *run, const linpred__problem *problem, double max_work,
                                      const double *w, double b, linpred__separated *answer, linpred_error *error)
{
    *answer = (linpred__separated){.kind = LINPRED_SEPARATION_UNDECIDED};
    struct separated_question work = {run, problem, answer};
    bool done = false;
    linpred__two_way found;
    linpred_status status = w ? try_given(&work, w, b, &done, error) : LINPRED_OK;
    if (status == LINPRED_OK && !done) {
        status = linpred__ask_two_way(run, problem, max_work, &found, error);
        if (status == LINPRED_OK) {
            status = take_two_way(&work, &found, error);
            linpred__two_way_clear(&found);
        }
    }
    if (status != LINPRED_OK)
        linpred__separated_clear(answer);
    return status;
}
