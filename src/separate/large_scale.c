/* The search for a halfspace on large data, and the bound of the margin (see large_scale.h). */
#include "separate/large_scale.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/score.h"
#include "data/row.h"
#include "data/tree.h"
#include "minimise/newton_cg.h"
#include "num/dd.h"
#include "separate/limits.h"
#include "separate/walk/walk.h"

bool linpred__is_large_scale(const linpred_data *data)
{
    return data->columns > LINPRED__LARGE_SCALE_COLUMNS && data->rows > LINPRED__LARGE_SCALE_ROWS;
}

/* ---- the bound --------------------------------------------------------------------------------------------------- */

struct weighed_sums {
    linpred__dd *column;   /* Σ α z, the intercept last */
    linpred__dd total;     /* Σ α */
    double rounding_bound; /* how far Σ α z may change if the α are computed again, with sums in another order */
};

struct weighing {
    const double *w;
    double b;
    bool has_intercept;
    int32_t columns;
};

static bool init_weighed_sums(void *context, void *state)
{
    const struct weighing *weighing = context;
    struct weighed_sums *sums = state;
    sums->column = linpred__calloc((size_t)weighing->columns + 1, sizeof *sums->column);
    return sums->column != NULL;
}

static void clear_weighed_sums(void *context, void *state)
{
    (void)context;
    linpred__release(((struct weighed_sums *)state)->column);
}

static void visit_weighed_rows(void *context, void *state, const linpred__block *block)
{
    const struct weighing *weighing = context;
    struct weighed_sums *sums = state;
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
        /* The relative error of α is at most the absolute error of the score. It counts twice, for our α and for that
           of the checker. */
        sums->rounding_bound +=
            2.0 * alpha * (linpred__score_bound((int32_t)row.count, magnitude) + 0x1p-49) * sqrt(square);
    }
}

static void merge_weighed_sums(void *context, void *into, const void *from)
{
    const struct weighing *weighing = context;
    struct weighed_sums *a = into;
    const struct weighed_sums *b = from;
    for (int32_t j = 0; j <= weighing->columns; j++)
        a->column[j] = linpred__dd_add(a->column[j], b->column[j]);
    a->total = linpred__dd_add(a->total, b->total);
    a->rounding_bound += b->rounding_bound;
}

static void list_weighed_sums(void *context, void *state, linpred__state_pieces *pieces)
{
    const struct weighing *weighing = context;
    struct weighed_sums *sums = state;
    linpred__state_piece(pieces, sums->column, ((size_t)weighing->columns + 1) * sizeof *sums->column);
    linpred__state_piece(pieces, &sums->total, sizeof sums->total);
    linpred__state_piece(pieces, &sums->rounding_bound, sizeof sums->rounding_bound);
}

static linpred_status bound_margin(linpred__run *run, const linpred__problem *problem, linpred__two_way *answer,
                                   linpred_error *error)
{
    struct weighing weighing = {answer->w, answer->b, problem->has_intercept, problem->data->columns};
    linpred__visitor visitor = {sizeof(struct weighed_sums), init_weighed_sums, visit_weighed_rows, merge_weighed_sums,
                                clear_weighed_sums,          &weighing,         list_weighed_sums};
    struct weighed_sums sums;
    linpred_status status = linpred__pass(problem->data, run->pool, &visitor, &sums, error);
    if (status != LINPRED_OK)
        return status;
    linpred__dd square = {0, 0};
    for (int32_t j = 0; j < weighing.columns + weighing.has_intercept; j++)
        square = linpred__dd_add(square, linpred__two_product(sums.column[j].hi, sums.column[j].hi));
    answer->margin_bound = (sqrt(square.hi) + sums.rounding_bound) / sums.total.hi * (1.0 + 1e-9);
    clear_weighed_sums(&weighing, &sums);
    return LINPRED_OK;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* Makes some passes of the perceptron from w, b of the answer. *separates is set if a whole pass has no mistake; then
   w, b become the perceptron's weights. */
static linpred_status try_perceptron(linpred__run *run, const linpred__problem *problem, linpred__two_way *answer,
                                     bool *separates, linpred_error *error)
{
    const linpred_data *data = problem->data;
    linpred__walk_rules rules = {.max_updates = INT64_MAX, .eager = true};
    linpred__walk walk;
    linpred_status status = linpred__walk_open(&walk, run, problem, &rules, answer->w, answer->b, error);
    if (status != LINPRED_OK)
        return status;
    *separates = false;
    for (int pass = 0; pass < LINPRED__LARGE_SCALE_PASSES && !*separates && !answer->stopped && isfinite(walk.norm);) {
        if (linpred__walk_advance(&walk) != LINPRED__WALK_PASS_END)
            continue;
        pass++;
        *separates = walk.clean;
        if (!*separates)
            answer->stopped = linpred__run_should_stop(run, "separable?", walk.updates, answer->passes + pass, NAN);
        linpred__walk_next_pass(&walk);
    }
    if (*separates) {
        memcpy(answer->w, walk.hyperplane.w, (size_t)data->columns * sizeof(double));
        answer->b = walk.hyperplane.b;
    }
    answer->updates += walk.updates;
    answer->passes += walk.visited / data->rows;
    linpred__walk_close(&walk);
    return LINPRED_OK;
}

/* The minimisation of the logistic loss: the problem, the current point, the method. */
struct descent {
    linpred__logistic_problem logistic;
    linpred__logistic_point point;
    linpred__cg *cg;
};

static linpred_status open_descent(linpred__run *run, const linpred__problem *problem, struct descent *descent,
                                   linpred_error *error)
{
    linpred__logistic_terms terms = {.l2 = 0.0, .class_weight = {1.0, 1.0}};
    *descent = (struct descent){0};
    linpred_status status = linpred__logistic_open(run, problem, &terms, false, &descent->logistic, error);
    if (status == LINPRED_OK && !linpred__logistic_point_open(&descent->logistic, false, &descent->point))
        status = linpred__no_memory(error);
    return status == LINPRED_OK ? linpred__cg_open(&descent->logistic, &descent->point, &descent->cg, error) : status;
}

static void close_descent(struct descent *descent)
{
    linpred__cg_close(descent->cg);
    linpred__logistic_point_close(&descent->point);
    linpred__logistic_close(&descent->logistic);
}

/* Minimises in turns. Each turn ends when the mistakes are a tenth of those of the turn before, and the perceptron is
   tried. */
static linpred_status descend_in_turns(linpred__run *run, const linpred__problem *problem, struct descent *descent,
                                       linpred__two_way *answer, bool *separates, linpred_error *error)
{
    const linpred_data *data = problem->data;
    linpred__cg_goal goal = {.gap = 1e-10, .errors = data->rows / LINPRED__LARGE_SCALE_FEW_ERRORS};
    goal.max_passes = (int64_t)(LINPRED__LARGE_SCALE_WORK / ((double)data->entries + (double)data->rows));
    for (;; goal.errors /= 10) {
        linpred__logistic_end end;
        linpred_status status = linpred__cg_run(descent->cg, &goal, &end, error);
        if (status != LINPRED_OK)
            return status;
        answer->rounds++;
        answer->stopped = end == LINPRED__LOGISTIC_STOPPED;
        linpred__logistic_coefficients(&descent->logistic, descent->point.v, answer->w, &answer->b);
        if (end != LINPRED__LOGISTIC_SEPARATES)
            return LINPRED_OK;
        status = try_perceptron(run, problem, answer, separates, error);
        if (status != LINPRED_OK || *separates || goal.errors == 0 || answer->stopped)
            return status;
    }
}

linpred_status linpred__ask_large_scale(linpred__run *run, const linpred__problem *problem, linpred__two_way *answer,
                                        linpred_error *error)
{
    struct descent descent;
    bool separates = false;
    linpred_status status = linpred__two_way_open(problem, answer, error);
    if (status != LINPRED_OK)
        return status;
    status = open_descent(run, problem, &descent, error);
    if (status == LINPRED_OK)
        status = descend_in_turns(run, problem, &descent, answer, &separates, error);
    close_descent(&descent);
    answer->kind = separates ? LINPRED_SEPARATION_SEPARATED : LINPRED_SEPARATION_UNDECIDED;
    if (status == LINPRED_OK && !separates)
        status = bound_margin(run, problem, answer, error);
    if (status != LINPRED_OK)
        linpred__two_way_clear(answer);
    return status;
}
