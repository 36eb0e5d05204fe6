/* The two passes of ball_tally.h. A score ρ - ||x-v||² has a relative error of 2^-16, and its sign is certain. A row
 * whose distance decides gets its exact score. */
#include "pass/ball_tally.h"

#include <math.h>

#include "data/row.h"
#include "data/tree.h"
#include "num/dd.h"

struct ball_question {
    linpred__ball ball;
    double inside; /* the label of the rows that belong inside */
};

struct ball_sums {
    linpred__dd weight;
    linpred__dd errors;
    double nearest;
};

static bool init_ball_sums(void *context, void *state)
{
    (void)context;
    ((struct ball_sums *)state)->nearest = INFINITY;
    return true;
}

static void visit_ball_rows(void *context, void *state, const linpred__block *block)
{
    const struct ball_question *question = context;
    struct ball_sums *sums = state;
    double square = question->ball.radius_squared, radius = sqrt(square);
    for (int32_t r = 0; r < block->rows; r++) {
        double weight = linpred__row_weight(block, r);
        double score = linpred__ball_score(&question->ball, block, r);
        sums->weight = linpred__dd_add_double(sums->weight, weight);
        if (!(question->inside * block->target[r] * score > 0))
            sums->errors = linpred__dd_add_double(sums->errors, weight);
        /* The distance from the sphere is |r - d| = |r² - d²| / (r + d), with d = ||x-v||. */
        double distance = fabs(score) / (radius + sqrt(fmax(square - score, 0.0)));
        if (!(distance * (1.0 - 0x1p-10) > sums->nearest)) {
            score = linpred__ball_exact_score(&question->ball, block, r);
            distance = fabs(score) / (radius + sqrt(fmax(square - score, 0.0)));
        }
        sums->nearest = fmin(sums->nearest, distance);
    }
}

static void merge_ball_sums(void *context, void *into, const void *from)
{
    (void)context;
    struct ball_sums *a = into;
    const struct ball_sums *b = from;
    a->weight = linpred__dd_add(a->weight, b->weight);
    a->errors = linpred__dd_add(a->errors, b->errors);
    a->nearest = fmin(a->nearest, b->nearest);
}

linpred_status linpred__find_ball_tally(const linpred_data *data, linpred__pool *pool, const linpred__ball *ball,
                                        double inside, linpred__ball_tally *tally, linpred_error *error)
{
    struct ball_question question = {*ball, inside};
    linpred__visitor visitor = {sizeof(struct ball_sums), init_ball_sums, visit_ball_rows,
                                merge_ball_sums,          NULL,           &question,
                                linpred__whole_state};
    struct ball_sums sums;
    linpred_status status = linpred__pass(data, pool, &visitor, &sums, error);
    if (status == LINPRED_OK)
        *tally = (linpred__ball_tally){sums.weight.hi, sums.errors.hi, ball->radius_squared > 0.0 ? sums.nearest : NAN};
    return status;
}

static bool init_shells(void *context, void *state)
{
    (void)context;
    *(linpred__ball_shells *)state = (linpred__ball_shells){-INFINITY, INFINITY};
    return true;
}

static void visit_shells(void *context, void *state, const linpred__block *block)
{
    const struct ball_question *question = context;
    linpred__ball_shells *shells = state;
    for (int32_t r = 0; r < block->rows; r++) {
        /* With radius 0 the score is -||x-v||². Only a row that may be the farthest inside or the nearest outside needs
           the exact value. */
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
    linpred__ball_shells *a = into;
    const linpred__ball_shells *b = from;
    a->inner = fmax(a->inner, b->inner);
    a->outer = fmin(a->outer, b->outer);
}

linpred_status linpred__find_ball_shells(const linpred_data *data, linpred__pool *pool, const double *centre,
                                         double inside, linpred__ball_shells *shells, linpred_error *error)
{
    struct ball_question question = {linpred__ball_of(centre, data->columns, 0.0), inside};
    linpred__visitor visitor = {sizeof *shells, init_shells, visit_shells,        merge_shells,
                                NULL,           &question,   linpred__whole_state};
    return linpred__pass(data, pool, &visitor, shells, error);
}
