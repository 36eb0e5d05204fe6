/* The radius for a given centre v: the squared distances ||x-v||² of all rows are computed, and ρ is put between two of
 * them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "fit/ball/best_ball.h"

struct question {
    linpred__ball ball;
    double inside; /* the label of the rows that belong inside */
};

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

struct shells {
    double inner; /* the largest ||x-v||² of the rows that belong inside, rounded once */
    double outer; /* the smallest ||x-v||² of the rows that belong outside, rounded once */
};

static bool init_shells(void *context, void *state)
{
    (void)context;
    *(struct shells *)state = (struct shells){-INFINITY, INFINITY};
    return true;
}

static void visit_shells(void *context, void *state, const linpred__block *block)
{
    const struct question *question = context;
    struct shells *shells = state;
    for (int32_t r = 0; r < block->rows; r++) {
        /* With radius 0 the score is -||x-v||², to a relative error of 2^-16. Only a row that may be the farthest
           inside or the nearest outside needs the exact value. */
        double square = -linpred__ball_score(&question->ball, block, r);
        bool inside = block->target[r] == question->inside;
        double rounding_bound = 0x1p-15 * square;
        if (inside ? square + rounding_bound < shells->inner : square - rounding_bound > shells->outer)
            continue;
        square = -linpred__ball_exact_score(&question->ball, block, r);
        if (inside)
            shells->inner = fmax(shells->inner, square);
        else
            shells->outer = fmin(shells->outer, square);
    }
}

static void merge_shells(void *context, void *into, const void *from)
{
    (void)context;
    struct shells *a = into;
    const struct shells *b = from;
    a->inner = fmax(a->inner, b->inner);
    a->outer = fmin(a->outer, b->outer);
}

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

/* ---- the mistakes of a ball -------------------------------------------------------------------------------------- */

struct ball_sums {
    linpred__dd weight;
    linpred__dd errors;
    double nearest;
};

static bool init_tally(void *context, void *state)
{
    (void)context;
    ((struct ball_sums *)state)->nearest = INFINITY;
    return true;
}

static void visit_tally(void *context, void *state, const linpred__block *block)
{
    const struct question *question = context;
    struct ball_sums *tally = state;
    double square = question->ball.radius_squared, radius = sqrt(square);
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r);
        double score = linpred__ball_score(&question->ball, block, r);
        tally->weight = linpred__dd_add_double(tally->weight, weight);
        if (!(question->inside * block->target[r] * score > 0))
            tally->errors = linpred__dd_add_double(tally->errors, weight);
        /* The distance from the sphere is |r - d| = |r² - d²| / (r + d), with d = ||x-v||. A score has a relative error
           of 2^-16, so a row that may be the nearest gets its exact score. */
        double distance = fabs(score) / (radius + sqrt(fmax(square - score, 0.0)));
        if (!(distance * (1.0 - 0x1p-10) > tally->nearest)) {
            score = linpred__ball_exact_score(&question->ball, block, r);
            distance = fabs(score) / (radius + sqrt(fmax(square - score, 0.0)));
        }
        tally->nearest = fmin(tally->nearest, distance);
    }
}

static void merge_tally(void *context, void *into, const void *from)
{
    (void)context;
    struct ball_sums *a = into;
    const struct ball_sums *b = from;
    a->weight = linpred__dd_add(a->weight, b->weight);
    a->errors = linpred__dd_add(a->errors, b->errors);
    a->nearest = fmin(a->nearest, b->nearest);
}

static linpred_status count(linpred__run *run, const linpred__ball_lift *lift, const linpred__ball *ball,
                            linpred__best_ball *best, linpred__ball_tally *out, linpred_error *error)
{
    struct question question = {*ball, lift->inside};
    linpred__visitor visitor = {sizeof(struct ball_sums), init_tally, visit_tally, merge_tally, NULL, &question};
    struct ball_sums tally;
    linpred_status status = linpred__pass(lift->data, run->pool, &visitor, &tally, error);
    best->passes++;
    if (status == LINPRED_OK)
        *out =
            (linpred__ball_tally){tally.weight.hi, tally.errors.hi, ball->radius_squared > 0.0 ? tally.nearest : NAN};
    return status;
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
    struct question question = {linpred__ball_of(centre, lift->data->columns, 0.0), lift->inside};
    linpred__visitor visitor = {sizeof(struct shells), init_shells, visit_shells, merge_shells, NULL, &question};
    struct shells shells;
    linpred_status status = linpred__pass(lift->data, run->pool, &visitor, &shells, error);
    best->passes++;
    *separates = false;
    if (status != LINPRED_OK || !(shells.inner <= shells.outer))
        return status;
    question.ball.radius_squared = squared_radius_between(shells.inner, shells.outer);
    if (!isfinite(question.ball.radius_squared))
        return LINPRED_OK;
    linpred__ball_tally tally;
    status = count(run, lift, &question.ball, best, &tally, error);
    *separates = status == LINPRED_OK && tally.errors == 0.0;
    if (*separates)
        keep_ball(best, lift, centre, question.ball.radius_squared, 0.0);
    return status;
}

/* ---- a radius of few mistakes ------------------------------------------------------------------------------------ */

struct distance {
    double square; /* ||x-v||² */
    double weight; /* the weight of the row; negative if it belongs outside */
};

struct measuring {
    const linpred_data *data;
    struct question question;
    struct distance *distance;
};

static void measure_block(void *context, int64_t task)
{
    struct measuring *measuring = context;
    const linpred__block *block = &measuring->data->block[task];
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r);
        measuring->distance[block->first_row + r] =
            (struct distance){-linpred__ball_score(&measuring->question.ball, block, r),
                              block->target[r] == measuring->question.inside ? weight : -weight};
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
    struct measuring measuring = {data, {linpred__ball_of(centre, data->columns, 0.0), lift->inside}, NULL};
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
