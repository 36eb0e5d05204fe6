#include "fit/wide.h"

#include <math.h>
#include <string.h>

#include "core/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/pass.h"
#include "data/row.h"
#include "fit/logistic.h"
#include "fit/violators.h"

enum {
    MANY_COLUMNS = 2000,
    MANY_ROWS = 4000,
    SEARCH_SECONDS = 30 /* the search ends then; without it rows that are just separable keep it going for hours */
};

bool linpred__is_wide(const linpred_data *data)
{
    return data->columns > MANY_COLUMNS && data->rows > MANY_ROWS;
}

/* ---- the bound --------------------------------------------------------------------------------------------------------- */

struct sums {
    linpred__dd *column; /* Σ α z, the intercept's last */
    linpred__dd total;   /* Σ α */
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
        for (int64_t k = 0; k < row.count; k++) {
            linpred__dd *sum = &sums->column[linpred__entry_column(&row, k)];
            *sum = linpred__dd_add(*sum, linpred__two_product(y * alpha, row.values[k]));
        }
        sums->column[block->columns] = linpred__dd_add_double(sums->column[block->columns], y * alpha);
        sums->total = linpred__dd_add_double(sums->total, alpha);
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
}

static linpred_status bound_margin(linpred__fit *fit, linpred__oracle *oracle, linpred_error *error)
{
    struct weighing weighing = {oracle->w, oracle->b, !fit->options->no_intercept, fit->data->columns};
    linpred__visitor visitor = {sizeof(struct sums), init, visit, merge, clear, &weighing};
    struct sums sums;
    linpred_status status = linpred__pass(fit->data, fit->pool, &visitor, &sums, error);
    if (status != LINPRED_OK)
        return status;
    linpred__dd square = {0, 0};
    for (int32_t j = 0; j < weighing.columns + weighing.has_intercept; j++)
        square = linpred__dd_add(square, linpred__two_product(sums.column[j].hi, sums.column[j].hi));
    oracle->proof.bound = sqrt(square.hi) / sums.total.hi * (1.0 + 1e-9); /* room for the verifier's own rounding */
    clear(&weighing, &sums);
    return LINPRED_OK;
}

/* ---- the search ---------------------------------------------------------------------------------------------------------- */

static linpred_status minimise(linpred__fit *asking, linpred__logistic_end *end, linpred_error *error)
{
    linpred__logistic problem;
    linpred__logistic_point point;
    linpred_status status = linpred__logistic_open(asking, false, &problem, error);
    if (status != LINPRED_OK)
        return status;
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

/* Whether w, b have every row certainly on its right side. */
static linpred_status separates(linpred__fit *fit, linpred__oracle *oracle, bool *yes, linpred_error *error)
{
    linpred__violators violators;
    linpred__hyperplane plane;
    linpred_status status = linpred__hyperplane_open(&plane, fit->data->columns, oracle->w, oracle->b,
                                                     fit->survey.radius.above, error);
    if (status != LINPRED_OK)
        return status;
    status = linpred__find_violators(fit->data, fit->pool, &plane, 1, -INFINITY, &violators, error);
    linpred__hyperplane_close(&plane);
    if (status != LINPRED_OK)
        return status;
    *yes = violators.mistakes == 0;
    linpred__violators_clear(&violators);
    oracle->passes++;
    return LINPRED_OK;
}

linpred_status linpred__ask_wide(linpred__fit *fit, linpred__oracle *oracle, linpred_error *error)
{
    linpred_options options = *fit->options;
    options.l2 = 0.0;
    options.class_weights = NULL;
    options.start = NULL;
    double until = linpred__fit_seconds(fit) + SEARCH_SECONDS;
    bool ours = until < options.max_seconds;
    if (ours)
        options.max_seconds = until;
    linpred__fit asking = *fit;
    asking.options = &options;
    linpred__logistic_end end = LINPRED__LOGISTIC_STALLED;
    bool yes = false;
    linpred_status status = minimise(&asking, &end, error);
    if (status != LINPRED_OK)
        return status;
    oracle->rounds++;
    oracle->stopped = end == LINPRED__LOGISTIC_STOPPED && !(ours && linpred__fit_seconds(fit) >= until);
    memcpy(oracle->w, fit->result->model.w, (size_t)fit->data->columns * sizeof(double));
    oracle->b = fit->result->model.b;
    status = separates(fit, oracle, &yes, error);
    oracle->kind = yes ? LINPRED__ORACLE_SEPARATED : LINPRED__ORACLE_UNDECIDED;
    if (status == LINPRED_OK && !yes)
        status = bound_margin(fit, oracle, error);
    return status;
}
