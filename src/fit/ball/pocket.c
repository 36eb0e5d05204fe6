/* Pocket on lifted rows (see pocket.h). */
#include "fit/ball/pocket.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "pass/certified_sign.h"
#include "separate/start.h"

/* Tries the ball of these weights of lifted rows, if they describe one. */
static linpred_status try_weights(linpred__run *run, const linpred__ball_lift *lift, const double *w,
                                  linpred__best_ball *best, linpred_error *error)
{
    double *centre = linpred__alloc((size_t)lift->data->columns, sizeof *centre);
    if (!centre)
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    if (linpred__ball_centre(lift, w, centre))
        status = linpred__ball_try(run, lift, centre, best, error);
    linpred__release(centre);
    return status;
}

/* Tries the centre that least squares on lifted rows gives. The hard row is left out: its weight would outweigh all
   other rows. */
static linpred_status try_least_squares(linpred__run *run, const linpred__ball_lift *lift, linpred__best_ball *best,
                                        linpred_error *error)
{
    linpred_data rows = *lift->lifted;
    double *w = linpred__alloc((size_t)rows.columns, sizeof *w), unused;
    rows.block = linpred__alloc((size_t)rows.blocks, sizeof *rows.block);
    linpred_status status = w && rows.block ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK) {
        memcpy(rows.block, lift->lifted->block, (size_t)rows.blocks * sizeof *rows.block);
        rows.rows--;
        if (--rows.block[rows.blocks - 1].rows == 0)
            rows.blocks--;
        linpred__problem problem = {.data = &rows};
        if (linpred__find_least_squares_start(run, &problem, w, &unused))
            status = try_weights(run, lift, w, best, error);
        best->passes++;
    }
    linpred__release(rows.block);
    linpred__release(w);
    return status;
}

/* Runs pocket from the best ball and tries the ball that it finds. */
static linpred_status walk(linpred__run *run, const linpred__ball_lift *lift, const linpred__problem *lifted,
                           linpred__perceptron_question question, linpred__best_ball *best,
                           linpred__ball_pocket *answer, linpred_error *error)
{
    int32_t columns = lift->lifted->columns;
    linpred__perceptron learned;
    double *start = linpred__alloc((size_t)columns, sizeof *start);
    if (!start)
        return linpred__no_memory(error);
    linpred__ball ball = linpred__ball_of(best->centre, lift->data->columns, best->radius_squared);
    linpred__ball_weights(lift, &ball, start);
    /* Ten times as long as the longest row, so that one update changes its direction only a little. */
    double norm = linpred__norm(start, columns, 0.0);
    for (int32_t j = 0; j < columns; j++)
        start[j] *= 10.0 * lifted->extents.radius.nearest / norm;
    question.w = start;
    linpred_status status = linpred__ask_perceptron(run, lifted, &question, &learned, error);
    if (status == LINPRED_OK) {
        *answer = (linpred__ball_pocket){learned.end, learned.updates, learned.passes};
        status = try_weights(run, lift, learned.w, best, error);
        linpred__perceptron_clear(&learned);
    }
    linpred__release(start);
    return status;
}

linpred_status linpred__ask_ball_pocket(linpred__run *run, const linpred__ball_lift *lift,
                                        const linpred__problem *lifted, const linpred__perceptron_question *question,
                                        linpred__best_ball *best, linpred__ball_pocket *answer, linpred_error *error)
{
    *answer = (linpred__ball_pocket){0};
    linpred_status status = linpred__ball_try(run, lift, lift->mean, best, error);
    if (status == LINPRED_OK)
        status = try_least_squares(run, lift, best, error);
    return status == LINPRED_OK ? walk(run, lift, lifted, *question, best, answer, error) : status;
}
