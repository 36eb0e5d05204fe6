/* The radius for a given centre v: the squared distances ||x-v||² of all rows are computed, and ρ is put between two of
 * them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/row.h"
#include "fit/ball/best_ball.h"

linpred_status linpred__best_ball_open(const linpred__ball_lift *lift, linpred__best_ball *best, linpred_error *error)
{
    *best = (linpred__best_ball){.errors = INFINITY};
    best->centre = linpred__calloc((size_t)lift->data->columns, sizeof *best->centre);
    return best->centre ? LINPRED_OK : linpred__no_memory(error);
}

void linpred__best_ball_close(linpred__best_ball *best)
{
    linpred__release(best->centre);
    *best = (linpred__best_ball){0};
}

/* ---- a radius that separates ------------------------------------------------------------------------------------- */

/* A squared radius between the two: the square of the mean distance, or if rounding moves that out of the interval, the
   mean of the squares. Without rows inside the ball is empty (negative). */
static double squared_radius_between(double inner, double outer)
{
    if (!(inner >= 0.0)) /* nothing inside: the empty ball */
        return isfinite(outer) && outer > 0.0 ? -outer : -1.0;
    if (!isfinite(outer))
        return inner > 0.0 ? 4.0 * inner : 1.0;
    double radius = 0.5 * (sqrt(inner) + sqrt(outer)), square = radius * radius;
    return square > inner && square < outer ? square : inner + 0.5 * (outer - inner);
}

static linpred_status count(linpred__run *run, const linpred__ball_lift *lift, const linpred__ball *ball,
                            linpred__best_ball *best, linpred__ball_tally *tally, linpred_error *error)
{
    best->passes++;
    return linpred__find_ball_tally(lift->data, run->pool, ball, lift->inside, tally, error);
}

linpred_status linpred__ball_count(linpred__run *run, const linpred__ball_lift *lift, linpred__best_ball *best,
                                   linpred__ball_tally *tally, linpred_error *error)
{
    linpred__ball ball = linpred__ball_of(best->centre, lift->data->columns, best->radius_squared);
    return count(run, lift, &ball, best, tally, error);
}

static void keep_ball(linpred__best_ball *best, const linpred__ball_lift *lift, const double *centre,
                      double radius_squared, double errors)
{
    memmove(best->centre, centre, (size_t)lift->data->columns * sizeof *centre);
    best->radius_squared = radius_squared;
    best->errors = errors;
}

linpred_status linpred__ball_try_to_separate(linpred__run *run, const linpred__ball_lift *lift, const double *centre,
                                             linpred__best_ball *best, bool *separates, linpred_error *error)
{
    linpred__ball ball = linpred__ball_of(centre, lift->data->columns, 0.0);
    linpred__ball_shells shells;
    linpred_status status = linpred__find_ball_shells(lift->data, run->pool, centre, lift->inside, &shells, error);
    best->passes++;
    *separates = false;
    if (status != LINPRED_OK || !(shells.inner <= shells.outer))
        return status;
    ball.radius_squared = squared_radius_between(shells.inner, shells.outer);
    if (!isfinite(ball.radius_squared))
        return LINPRED_OK;
    linpred__ball_tally tally;
    status = count(run, lift, &ball, best, &tally, error);
    *separates = status == LINPRED_OK && tally.errors == 0.0;
    if (*separates)
        keep_ball(best, lift, centre, ball.radius_squared, 0.0);
    return status;
}

/* ---- a radius of few mistakes ------------------------------------------------------------------------------------ */

struct distance {
    double square; /* ||x-v||² */
    double weight; /* the weight of the row; negative if it belongs outside */
};

struct measuring {
    const linpred_data *data;
    linpred__ball ball; /* of radius 0 */
    double inside;      /* the label of the rows that belong inside */
    struct distance *distance;
};

static void measure_block(void *context, int64_t task)
{
    struct measuring *measuring = context;
    const linpred__block *block = linpred__block_at(measuring->data, task);
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r);
        measuring->distance[block->first_row + r] = (struct distance){
            -linpred__ball_score(&measuring->ball, block, r), block->target[r] == measuring->inside ? weight : -weight};
    }
}

static int by_square(const void *a, const void *b)
{
    double x = ((const struct distance *)a)->square, y = ((const struct distance *)b)->square;
    return (x > y) - (x < y);
}

/* Finds a squared radius whose mistakes weigh least, by distances rounded to doubles. */
static linpred_status best_radius(linpred__run *run, const linpred__ball_lift *lift, const double *centre,
                                  double *radius_squared, linpred_error *error)
{
    const linpred_data *data = lift->data;
    struct measuring measuring = {data, linpred__ball_of(centre, data->columns, 0.0), lift->inside, NULL};
    measuring.distance = linpred__alloc((size_t)data->rows, sizeof *measuring.distance);
    if (!measuring.distance)
        return linpred__no_memory(error);
    linpred__pool_run(run->pool, data->blocks, measure_block, &measuring);
    struct distance *row = measuring.distance;
    int64_t n = data->rows, at = 0;
    qsort(row, (size_t)n, sizeof *row, by_square);
    /* `errors` is relative to the empty ball. A growing ball gains the rows that belong inside and loses the others. */
    double errors = 0.0, fewest = 0.0;
    *radius_squared = squared_radius_between(-INFINITY, row[0].square);
    while (at < n) {
        double square = row[at].square;
        for (; at < n && row[at].square == square; at++)
            errors -= row[at].weight;
        if (errors < fewest) {
            fewest = errors;
            *radius_squared = squared_radius_between(square, at < n ? row[at].square : INFINITY);
        }
    }
    linpred__release(row);
    return LINPRED_OK;
}

linpred_status linpred__ball_try(linpred__run *run, const linpred__ball_lift *lift, const double *centre,
                                 linpred__best_ball *best, linpred_error *error)
{
    linpred__ball_tally tally;
    linpred__ball ball = linpred__ball_of(centre, lift->data->columns, 0.0);
    linpred_status status = best_radius(run, lift, centre, &ball.radius_squared, error);
    if (status != LINPRED_OK)
        return status;
    best->passes++;
    status = count(run, lift, &ball, best, &tally, error);
    if (status == LINPRED_OK && tally.errors < best->errors && isfinite(ball.radius_squared))
        keep_ball(best, lift, centre, ball.radius_squared, tally.errors);
    return status;
}

linpred_status linpred__ball_try_again(linpred__run *run, const linpred__ball_lift *lift, linpred__best_ball *best,
                                       linpred_error *error)
{
    best->errors = INFINITY;
    return linpred__ball_try(run, lift, best->centre, best, error);
}
