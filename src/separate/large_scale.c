#include "separate/large_scale.h"

#include <math.h>
#include <string.h>

#include "fit/fit.h"
#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "data/tree.h"
#include "data/row.h"
#include "data/exact_score.h"
#include "minimise/logistic.h"
#include "separate/walk.h"

enum {
    MANY_COLUMNS = 2000,
    MANY_ROWS = 4000,
    FEW = 1000,         /* one mistake in so many rows: the perceptron may put them right */
    MOST_PASSES = 30,   /* of it, each time */
    SEARCH_SECONDS = 30 /* the search ends then; without it rows that are just separable keep it going for hours */
};

bool linpred__is_large_scale(const linpred_data *data)
{
    return data->columns > MANY_COLUMNS && data->rows > MANY_ROWS;
}

/* ---- the bound
 * --------------------------------------------------------------------------------------------------------- */

struct sums {
    linpred__dd *column; /* Σ α z, the intercept's last */
    linpred__dd total;   /* Σ α */
    double room;         /* by how much Σ α z may differ when the α are computed anew, in another order */
};

struct weighing {
    const double *w;
    double b;
    bool has_intercept;
    int32_t columns;
};

static bool init(void *context, void *state)
{
    const struct weighing *weighing = context;
    struct sums *sums = state;
    sums->column = linpred__calloc((size_t)weighing->columns + 1, sizeof *sums->column);
    return sums->column != NULL;
}

static void clear(void *context, void *state)
{
    (void)context;
    linpred__release(((struct sums *)state)->column);
}

static void visit(void *context, void *state, const linpred__block *block)
{
    const struct weighing *weighing = context;
    struct sums *sums = state;
    for (int32_t r = 0; r < block->rows; r++) {
        double y = block->target[r];
        double alpha = 1.0 / (1.0 + exp(y * (linpred__row_dot(block, r, weighing->w) + weighing->b)));
        linpred__entries row = linpred__entries_of(block, r);
        double magnitude = fabs(weighing->b), square = 1.0;
        for (int64_t k = 0; k < row.count; k++) {
            int32_t j = linpred__entry_column(&row, k);
            linpred__dd *sum = &sums->column[j];
            *sum = linpred__dd_add(*sum, linpred__two_product(y * alpha, row.values[k]));
            magnitude += fabs(weighing->w[j] * row.values[k]);
            square += row.values[k] * row.values[k];
        }
        sums->column[block->columns] = linpred__dd_add_double(sums->column[block->columns], y * alpha);
        sums->total = linpred__dd_add_double(sums->total, alpha);
        /* α moves, relatively, by no more than the score absolutely; twice, for the verifier's α and ours. */
        sums->room += 2.0 * alpha * (linpred__score_bound((int32_t)row.count, magnitude) + 0x1p-49) * sqrt(square);
    }
}

static void merge(void *context, void *into, const void *from)
{
    const struct weighing *weighing = context;
    struct sums *a = into;
    const struct sums *b = from;
    for (int32_t j = 0; j <= weighing->columns; j++)
        a->column[j] = linpred__dd_add(a->column[j], b->column[j]);
    a->total = linpred__dd_add(a->total, b->total);
    a->room += b->room;
}

static linpred_status bound_margin(linpred__run *run, const linpred__problem *problem, linpred__two_way *answer,
                                   linpred_error *error)
{
    struct weighing weighing = {answer->w, answer->b, problem->has_intercept, problem->data->columns};
    linpred__visitor visitor = {sizeof(struct sums), init, visit, merge, clear, &weighing};
    struct sums sums;
    linpred_status status = linpred__pass(problem->data, run->pool, &visitor, &sums, error);
    if (status != LINPRED_OK)
        return status;
    linpred__dd square = {0, 0};
    for (int32_t j = 0; j < weighing.columns + weighing.has_intercept; j++)
        square = linpred__dd_add(square, linpred__two_product(sums.column[j].hi, sums.column[j].hi));
    answer->margin_bound = (sqrt(square.hi) + sums.room) / sums.total.hi * (1.0 + 1e-9);
    clear(&weighing, &sums);
    return LINPRED_OK;
}

/* ---- the search
 * ---------------------------------------------------------------------------------------------------------- */

/* Goes on from options->start until at most `enough` rows are on their wrong side, as computed. */
static linpred_status minimise(linpred__fit *asking, int64_t enough, linpred__logistic_end *end, linpred_error *error)
{
    linpred__logistic problem;
    linpred__logistic_point point;
    linpred_status status = linpred__logistic_open(asking, false, &problem, error);
    if (status != LINPRED_OK)
        return status;
    problem.enough = enough;
    if (!linpred__logistic_point_open(&problem, false, &point))
        status = linpred__no_memory(error);
    if (status == LINPRED_OK) {
        status = linpred__newton_cg(&problem, &point, 1e-10, end, error);
        if (status == LINPRED_OK)
            linpred__logistic_take(&problem, point.v);
        linpred__logistic_point_close(&point);
    }
    linpred__logistic_close(&problem);
    return status;
}

/* Passes of the perceptron from w, b on: a few mistakes among rows that are otherwise well on their side are soon put
   right. *yes: every row is certainly on its right side, and w, b are the answer's. */
static linpred_status polish(linpred__run *run, const linpred__problem *problem, linpred__two_way *answer, bool *yes,
                             linpred_error *error)
{
    const linpred_data *data = problem->data;
    linpred__walk_rules rules = {.max_updates = INT64_MAX, .eager = true};
    linpred__walk walk;
    linpred_status status = linpred__walk_open(&walk, run, problem, &rules, answer->w, answer->b, error);
    if (status != LINPRED_OK)
        return status;
    *yes = false;
    for (int pass = 0; pass < MOST_PASSES && !*yes && !answer->stopped && isfinite(walk.norm);) {
        if (linpred__walk_advance(&walk) != LINPRED__WALK_PASS_END)
            continue;
        pass++;
        *yes = walk.clean;
        if (!*yes)
            answer->stopped = linpred__run_should_stop(run, "separable?", walk.updates, answer->passes + pass, NAN);
        linpred__walk_next_pass(&walk);
    }
    if (*yes) {
        memcpy(answer->w, walk.plane.w, (size_t)data->columns * sizeof(double));
        answer->b = walk.plane.b;
    }
    answer->updates += walk.updates;
    answer->passes += walk.visited / data->rows;
    linpred__walk_close(&walk);
    return LINPRED_OK;
}

static linpred_status search(linpred__run *run, const linpred__problem *problem, linpred__two_way *answer, bool *yes,
                             linpred_error *error)
{
    linpred_options options;
    linpred__options_init(&options);
    options.no_intercept = !problem->has_intercept;
    linpred__fit asking = {.run = *run, .problem = *problem, .options = &options};
    double until = linpred__run_seconds(run) + SEARCH_SECONDS;
    bool ours = until < run->max_seconds;
    if (ours)
        asking.run.max_seconds = until;
    linpred_status status = linpred__result_new(problem->data, &options, &asking.result, error);
    linpred__logistic_end end;
    for (int64_t enough = problem->data->rows / FEW; status == LINPRED_OK; enough /= 10) {
        status = minimise(&asking, enough, &end, error);
        if (status != LINPRED_OK)
            break;
        answer->rounds++;
        answer->stopped = end == LINPRED__LOGISTIC_STOPPED && !(ours && linpred__run_seconds(run) >= until);
        if (answer->stopped)
            run->stopped = asking.run.stopped;
        memcpy(answer->w, asking.result->model.w, (size_t)problem->data->columns * sizeof(double));
        answer->b = asking.result->model.b;
        if (end != LINPRED__LOGISTIC_SEPARATES)
            break;
        status = polish(run, problem, answer, yes, error);
        if (*yes || enough == 0 || answer->stopped)
            break;
        options.start = &asking.result->model;
    }
    linpred_result_free(asking.result);
    return status;
}

linpred_status linpred__ask_large_scale(linpred__run *run, const linpred__problem *problem, linpred__two_way *answer,
                                        linpred_error *error)
{
    bool yes = false;
    linpred_status status = linpred__two_way_open(problem, answer, error);
    if (status == LINPRED_OK)
        status = search(run, problem, answer, &yes, error);
    answer->kind = yes ? LINPRED_SEPARATION_SEPARATED : LINPRED_SEPARATION_UNDECIDED;
    if (status == LINPRED_OK && !yes)
        status = bound_margin(run, problem, answer, error);
    if (status != LINPRED_OK)
        linpred__two_way_clear(answer);
    return status;
}
