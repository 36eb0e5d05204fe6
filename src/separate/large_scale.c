#include "separate/large_scale.h"

#include <math.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
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

static linpred_status bound_margin(linpred__fit *fit, linpred__two_way *oracle, linpred_error *error)
{
    struct weighing weighing = {oracle->w, oracle->b, !fit->options->no_intercept, fit->problem.data->columns};
    linpred__visitor visitor = {sizeof(struct sums), init, visit, merge, clear, &weighing};
    struct sums sums;
    linpred_status status = linpred__pass(fit->problem.data, fit->run.pool, &visitor, &sums, error);
    if (status != LINPRED_OK)
        return status;
    linpred__dd square = {0, 0};
    for (int32_t j = 0; j < weighing.columns + weighing.has_intercept; j++)
        square = linpred__dd_add(square, linpred__two_product(sums.column[j].hi, sums.column[j].hi));
    oracle->proof.bound = (sqrt(square.hi) + sums.room) / sums.total.hi * (1.0 + 1e-9);
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

/* Passes of the perceptron from the result's w, b on: a few mistakes among rows that are otherwise well on their side
   are soon put right. *yes: every row is certainly on its right side, and w, b are the oracle's. */
static linpred_status polish(linpred__fit *fit, linpred__two_way *oracle, bool *yes, linpred_error *error)
{
    const linpred_data *data = fit->problem.data;
    const linpred_model *model = &fit->result->model;
    linpred_options options;
    linpred__options_init(&options);
    options.no_intercept = fit->options->no_intercept;
    linpred__walk walk;
    linpred_status status = linpred__walk_open(&walk, data, fit->run.pool, &options, fit->problem.extents.radius.above,
                                               model->w, model->b, error);
    if (status != LINPRED_OK)
        return status;
    walk.eager = true;
    *yes = false;
    for (int pass = 0; pass < MOST_PASSES && !*yes && !oracle->stopped && isfinite(walk.norm);) {
        if (linpred__walk_advance(&walk) != LINPRED__WALK_PASS_END)
            continue;
        pass++;
        *yes = walk.clean;
        if (!*yes)
            oracle->stopped = linpred__fit_should_stop(fit, "separable?", walk.updates, oracle->passes + pass, NAN);
        linpred__walk_next_pass(&walk);
    }
    if (*yes) {
        memcpy(oracle->w, walk.plane.w, (size_t)data->columns * sizeof(double));
        oracle->b = walk.plane.b;
    }
    oracle->updates += walk.updates;
    oracle->passes += walk.visited / data->rows;
    linpred__walk_close(&walk);
    return LINPRED_OK;
}

static linpred_status search(linpred__fit *fit, linpred__two_way *oracle, bool *yes, linpred_error *error)
{
    linpred_options options = *fit->options;
    options.l2 = 0.0;
    options.class_weights = NULL;
    options.start = NULL;
    double until = linpred__run_seconds(&fit->run) + SEARCH_SECONDS;
    bool ours = until < options.max_seconds;
    if (ours)
        options.max_seconds = until;
    linpred__fit asking = *fit;
    asking.options = &options;
    linpred__logistic_end end;
    for (int64_t enough = fit->problem.data->rows / FEW;; enough /= 10) {
        linpred_status status = minimise(&asking, enough, &end, error);
        if (status != LINPRED_OK)
            return status;
        oracle->rounds++;
        oracle->stopped = end == LINPRED__LOGISTIC_STOPPED && !(ours && linpred__run_seconds(&fit->run) >= until);
        memcpy(oracle->w, fit->result->model.w, (size_t)fit->problem.data->columns * sizeof(double));
        oracle->b = fit->result->model.b;
        if (end != LINPRED__LOGISTIC_SEPARATES)
            return LINPRED_OK;
        status = polish(fit, oracle, yes, error);
        if (status != LINPRED_OK || *yes || enough == 0 || oracle->stopped)
            return status;
        options.start = &fit->result->model;
    }
}

linpred_status linpred__ask_large_scale(linpred__fit *fit, linpred__two_way *oracle, linpred_error *error)
{
    bool yes = false;
    linpred_status status = search(fit, oracle, &yes, error);
    oracle->kind = yes ? LINPRED__ORACLE_SEPARATED : LINPRED__ORACLE_UNDECIDED;
    if (status == LINPRED_OK && !yes)
        status = bound_margin(fit, oracle, error);
    return status;
}
