/* Method exact: the halfspace whose mistakes cost least, and a proof.
 *
 * The oracle first: rows that can be separated need no more. Else equal rows become one, a local search finds a good
 * halfspace, and branch and cut over inseparable subsets proves it the best, or finds a better one
 * (solve/cover/branch.h). Where there are very many rows, it works on those near the boundary: what is proved of some
 * rows holds for all, and the halfspace found is tried on all rows; those it gets wrong join.
 */
#include <math.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "pass/hyperplanes.h"
#include "data/row.h"
#include "pass/certified_sign.h"
#include "separate/gather.h"
#include "separate/two_way.h"
#include "pass/violators.h"
#include "separate/search_turns.h"
#include "separate/distinct_rows.h"

enum {
    ALL_ROWS = 3000,    /* distinct ones: as many are worked on at once */
    FIRST_ROWS = 2000,  /* of more, at first */
    MORE_ROWS = 1000,   /* that join in one round, at most */
    SWEEPS = 200,       /* of the first local search */
    MOST_COLUMNS = 2000 /* beyond, inseparable rows are too much */
};

static const double most_signs = 3e10; /* of hyperplanes to be gone through: what the verifier will do again */
static const double first_turn = 3e7;  /* multiplications, about */

struct work {
    linpred__fit *fit;
    bool has_intercept;
    bool stopped;
    linpred__tree_end end; /* of the last round */
    linpred__distinct distinct;
    int64_t rows; /* worked on */
    int64_t *row; /* distinct rows, in the order they joined */
    bool *joined; /* for each distinct row */
    double *w;    /* the best on all rows, intercept last, and its cost */
    int64_t cost;
    int64_t bound;
    int64_t proved; /* by going through all hyperplanes */
    linpred__cover_proof search;
    linpred__hyperplane_search planes; /* of the round */
    linpred__tree tree;
};

/* Once told to stop, it stays so. */
static bool stop(void *context)
{
    struct work *work = context;
    if (work->stopped)
        return true;
    double best = (double)work->cost;
    if (work->planes.n > 0 && work->planes.n == work->distinct.rows)
        best = (double)work->planes.best_cost;
    work->stopped = linpred__fit_should_stop(work->fit, "exact", 0, 0, best * work->distinct.unit);
    return work->stopped;
}

/* ---- halfspaces on all rows
 * --------------------------------------------------------------------------------------------- */

static linpred_status open_plane(const struct work *work, const double *w, linpred__hyperplane *plane,
                                 linpred_error *error)
{
    int32_t columns = work->fit->problem.data->columns;
    return linpred__hyperplane_open(plane, columns, w, work->has_intercept ? w[columns] : 0.0,
                                    work->fit->problem.extents.radius.above, error);
}

/* What w's mistakes on all distinct rows cost, each sign certain. */
static linpred_status cost_of(const struct work *work, const double *w, int64_t *cost, linpred_error *error)
{
    linpred__hyperplane plane;
    linpred_status status = open_plane(work, w, &plane, error);
    if (status != LINPRED_OK)
        return status;
    *cost = 0;
    for (int64_t k = 0; k < work->distinct.rows; k++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(work->fit->problem.data, work->distinct.row[k], &r);
        if (linpred__certified_sign(&plane, block, r) <= 0)
            *cost += work->distinct.cost[k];
    }
    linpred__hyperplane_close(&plane);
    return LINPRED_OK;
}

/* Keeps w if it is the best so far on all rows. */
static linpred_status offer(struct work *work, const double *w, linpred_error *error)
{
    int64_t cost;
    linpred_status status = cost_of(work, w, &cost, error);
    if (status == LINPRED_OK && cost < work->cost) {
        work->cost = cost;
        memcpy(work->w, w, ((size_t)work->fit->problem.data->columns + work->has_intercept) * sizeof *w);
    }
    return status;
}

/* ---- the rows worked on
 * ----------------------------------------------------------------------------------------------------- */

static void join(struct work *work, int64_t distinct)
{
    if (work->joined[distinct])
        return;
    work->joined[distinct] = true;
    work->row[work->rows++] = distinct;
}

/* The rows that w gets wrong or nearly so. */
static linpred_status join_violators(struct work *work, const double *w, int32_t most, double below,
                                     linpred_error *error)
{
    linpred__violators_sought sought = {w, work->has_intercept ? w[work->fit->problem.data->columns] : 0.0, most,
                                        below};
    linpred__violators violators;
    linpred_status status = linpred__find_violators(&work->fit->run, &work->fit->problem, &sought, &violators, error);
    if (status != LINPRED_OK)
        return status;
    for (int64_t i = 0; i < violators.count; i++)
        join(work, work->distinct.place[violators.row[i]]);
    linpred__violators_clear(&violators);
    return LINPRED_OK;
}

/* Opens work->planes on the rows worked on; `gathered` and `cost` hold what it borrows. */
static linpred_status open_planes(struct work *work, linpred__gathered *gathered, int64_t **cost, linpred_error *error)
{
    int64_t *row = linpred__alloc((size_t)work->rows, sizeof *row);
    *cost = linpred__alloc((size_t)work->rows, sizeof **cost);
    linpred_status status = row && *cost ? LINPRED_OK : linpred__no_memory(error);
    for (int64_t i = 0; i < work->rows && status == LINPRED_OK; i++) {
        row[i] = work->distinct.row[work->row[i]];
        (*cost)[i] = work->distinct.cost[work->row[i]];
    }
    if (status == LINPRED_OK)
        status = linpred__gather(work->fit->problem.data, work->has_intercept, row, work->rows, gathered, error);
    linpred__release(row);
    if (status == LINPRED_OK)
        status = linpred__hyperplane_search_open(&work->planes, &gathered->rows, *cost, work->has_intercept,
                                                 (uint64_t)work->fit->options->seed, error);
    return status;
}

/* ---- a round
 * -------------------------------------------------------------------------------------------------------------------
 */

/* Local search from least squares and from the best known. */
static linpred_status start(linpred__hyperplane_search *p, const double *known, linpred_error *error)
{
    double *w = linpred__alloc((size_t)p->d, sizeof *w);
    if (!w)
        return linpred__no_memory(error);
    linpred__hyperplane_search_least_squares(p, w);
    linpred__hyperplane_search_offer(p, w);
    linpred__hyperplane_search_improve(p, w, SWEEPS);
    if (linpred__hyperplane_search_offer_plain(p, known)) {
        memcpy(w, p->best, (size_t)p->d * sizeof *w);
        linpred__hyperplane_search_improve(p, w, SWEEPS);
    }
    linpred__release(w);
    return LINPRED_OK;
}

linpred_status linpred__take_turns(linpred__hyperplane_search *p, const double *known, linpred__tree *tree, double work,
                                   linpred__effort *effort, linpred__tree_end *end, linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    double turn = fmax(first_turn, p->work / 10.0);
    if (!tree->planes) {
        status = start(p, known, error);
        if (status == LINPRED_OK)
            status = linpred__tree_open(tree, p, error);
    }
    *end = LINPRED__TREE_WORKED;
    while (status == LINPRED_OK && *end == LINPRED__TREE_WORKED) {
        status = linpred__tree_search(tree, p->work + turn, effort, end, error);
        for (int k = 0; k < 20 && *end == LINPRED__TREE_WORKED && !effort->stop(effort->context); k++)
            linpred__hyperplane_search_wander(p, turn / 60.0);
        turn *= 1.2;
        if (p->work > work)
            break;
    }
    return status;
}

/* All hyperplanes, where they are few: *end DONE if none costs less than the best. */
static linpred_status go_through(struct work *work, linpred__tree_end *end, linpred_error *error)
{
    const linpred_data *data = work->fit->problem.data;
    int64_t *cost = linpred__calloc((size_t)data->rows, sizeof *cost);
    linpred__hyperplanes_end found;
    if (!cost)
        return linpred__no_memory(error);
    for (int64_t k = 0; k < work->distinct.rows; k++) /* equal rows: the first pays for all */
        cost[work->distinct.row[k]] = work->distinct.cost[k];
    linpred_status status =
        linpred__go_through_hyperplanes(data, work->fit->run.pool, work->has_intercept, cost, work->planes.best_cost,
                                        most_signs, stop, work, &found, error);
    linpred__release(cost);
    if (status != LINPRED_OK)
        return status;
    if (found == LINPRED__HYPERPLANES_NONE_LESS) {
        work->proved = work->planes.best_cost;
        *end = LINPRED__TREE_DONE;
    } else if (found == LINPRED__HYPERPLANES_STOPPED) {
        *end = LINPRED__TREE_STOPPED;
    }
    return LINPRED_OK;
}

/* Branch and cut; if that takes longer than going through all hyperplanes would, those; then branch and cut again. */
static linpred_status find_least(struct work *work, linpred__tree_end *end, linpred_error *error)
{
    linpred__effort effort = {.stop = stop, .context = work};
    double signs = linpred__hyperplane_signs(work->fit->problem.data, work->has_intercept);
    bool few = signs <= most_signs && work->rows == work->distinct.rows;
    linpred_status status =
        linpred__take_turns(&work->planes, work->w, &work->tree, few ? 0.3 * signs : INFINITY, &effort, end, error);
    if (status == LINPRED_OK && *end == LINPRED__TREE_WORKED)
        status = go_through(work, end, error);
    if (status == LINPRED_OK && *end == LINPRED__TREE_WORKED)
        status = linpred__take_turns(&work->planes, work->w, &work->tree, INFINITY, &effort, end, error);
    return status;
}

static linpred_status keep_proof(struct work *work, linpred_error *error)
{
    int64_t *file_row = linpred__alloc((size_t)work->rows, sizeof *file_row);
    if (!file_row)
        return linpred__no_memory(error);
    for (int64_t i = 0; i < work->rows; i++)
        file_row[i] = linpred_data_source_row(work->fit->problem.data, work->distinct.row[work->row[i]]);
    linpred__cover_proof_clear(&work->search);
    linpred_status status = linpred__keep_cover_proof(&work->tree, file_row, work->distinct.unit, &work->search, error);
    linpred__release(file_row);
    return status;
}

/* The least cost on the rows worked on; *done if there is nothing more to be had. */
static linpred_status round_of(struct work *work, bool *done, linpred_error *error)
{
    linpred__gathered gathered = {0};
    int64_t *cost = NULL;
    double *w = linpred__alloc((size_t)work->fit->problem.data->columns + 1, sizeof *w);
    linpred__tree_end end = LINPRED__TREE_STOPPED;
    linpred_status status = w ? open_planes(work, &gathered, &cost, error) : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = find_least(work, &end, error);
    int64_t before = work->rows;
    if (status == LINPRED_OK) {
        work->fit->result->info.rounds++;
        linpred__hyperplane_search_best(&work->planes, w);
        status = offer(work, w, error);
    }
    int64_t bound = status == LINPRED_OK ? linpred__tree_bound(&work->tree) : 0;
    bound = work->proved > bound ? work->proved : bound;
    if (status == LINPRED_OK && bound >= work->bound) {
        work->bound = bound;
        status = keep_proof(work, error);
    }
    if (status == LINPRED_OK && end == LINPRED__TREE_DONE && work->rows < work->distinct.rows)
        status = join_violators(work, w, MORE_ROWS, -INFINITY, error);
    *done = end != LINPRED__TREE_DONE || work->rows == before;
    work->end = end;
    linpred__tree_close(&work->tree);
    linpred__hyperplane_search_close(&work->planes);
    linpred__gathered_clear(&gathered);
    linpred__release(cost);
    linpred__release(w);
    return status;
}

/* ---- the answer
 * ------------------------------------------------------------------------------------------------------------------ */

/* What the model's mistakes cost, from the weights as they are: in units they may be rounded. */
static linpred_status true_cost(const struct work *work, const double class_cost[2], double *cost, linpred_error *error)
{
    const linpred_data *data = work->fit->problem.data;
    linpred__hyperplane plane;
    linpred__dd wrong[2] = {{0, 0}, {0, 0}};
    linpred_status status = open_plane(work, work->w, &plane, error);
    if (status != LINPRED_OK)
        return status;
    for (int64_t row = 0; row < data->rows; row++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, row, &r);
        if (linpred__certified_sign(&plane, block, r) > 0)
            continue;
        linpred__dd *sum = &wrong[block->target[r] > 0];
        *sum = linpred__dd_add_double(*sum, linpred__row_weight(block, r));
    }
    linpred__hyperplane_close(&plane);
    *cost = class_cost[0] * wrong[0].hi + class_cost[1] * wrong[1].hi;
    return LINPRED_OK;
}

static linpred_status settle(struct work *work, const double class_cost[2], linpred_error *error)
{
    linpred__fit *fit = work->fit;
    linpred_info *info = &fit->result->info;
    linpred__certificate *certificate = &fit->result->certificate;
    bool optimal;
    linpred_status status = true_cost(work, class_cost, &info->cost, error);
    if (status != LINPRED_OK)
        return status;
    info->objective = info->cost / linpred__shape_of(fit->problem.data).weight;
    info->lower_bound =
        linpred__bound_reached(&work->distinct, work->bound, info->cost, work->end == LINPRED__TREE_DONE, &optimal);
    certificate->claim = LINPRED__CLAIM_FEWEST_ERRORS;
    certificate->errors = info->errors;
    certificate->bound = info->lower_bound;
    memcpy(certificate->class_weight, class_cost, 2 * sizeof *class_cost);
    certificate->search = work->search;
    work->search = (linpred__cover_proof){0};
    if (optimal && info->lower_bound < info->cost)
        linpred__fit_end(fit, LINPRED_OUTCOME_OPTIMAL, "no halfspace makes mistakes that cost less, to nine digits");
    else if (optimal)
        linpred__fit_end(fit, LINPRED_OUTCOME_OPTIMAL,
                         fit->options->cost ? "no halfspace makes mistakes that cost less"
                                            : "no halfspace makes fewer mistakes");
    else if (work->end == LINPRED__TREE_FULL)
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "the search has come to its limit of %d branches",
                         LINPRED__MOST_BRANCHES);
    else if (work->end == LINPRED__TREE_STUCK)
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "integers separate more rows than any weights of doubles that were found");
    else if (info->reason[0] == '\0')
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "what mistakes cost is too unequal for the last digits of the bound");
    return LINPRED_OK;
}

/* The rows are not separable: what is the least? */
static linpred_status search(struct work *work, linpred_error *error)
{
    linpred__fit *fit = work->fit;
    linpred_model *model = &fit->result->model;
    bool done = false;
    linpred_status status = LINPRED_OK;
    work->row = linpred__alloc((size_t)work->distinct.rows, sizeof *work->row);
    work->joined = linpred__calloc((size_t)work->distinct.rows, sizeof *work->joined);
    if (!work->row || !work->joined)
        return linpred__no_memory(error);
    if (work->distinct.rows <= ALL_ROWS) {
        for (int64_t k = 0; k < work->distinct.rows; k++)
            join(work, k);
    } else {
        status = join_violators(work, work->w, FIRST_ROWS, INFINITY, error);
    }
    while (status == LINPRED_OK && !done) {
        status = round_of(work, &done, error);
        fit->result->info.working_rows = work->rows;
    }
    if (status != LINPRED_OK)
        return status;
    memcpy(model->w, work->w, (size_t)model->columns * sizeof *model->w);
    model->b = work->has_intercept ? work->w[model->columns] : 0.0;
    return LINPRED_OK;
}

linpred_status linpred__fit_fewest_errors(linpred__fit *fit, linpred_error *error)
{
    double class_cost[2];
    linpred_status status = linpred__read_mistake_costs(fit->options->cost, class_cost, error);
    if (status == LINPRED_OK)
        status = linpred__fit_halfspace_lp(fit, error);
    if (status != LINPRED_OK)
        return status;
    linpred_info *info = &fit->result->info;
    linpred_model *model = &fit->result->model;
    struct work work = {.fit = fit, .has_intercept = model->has_intercept, .cost = INT64_MAX};
    if (info->outcome == LINPRED_OUTCOME_SEPARATED) {
        info->cost = info->lower_bound = info->errors;
        return LINPRED_OK;
    }
    if (info->outcome == LINPRED_OUTCOME_INSEPARABLE)
        info->reason[0] = '\0';
    work.stopped = info->outcome == LINPRED_OUTCOME_STOPPED || info->outcome == LINPRED_OUTCOME_LIMIT_REACHED;
    if (model->columns > MOST_COLUMNS)
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "the rows are not known to be separable, and %d features are too many for method exact (at most %d): use "
            "--method pocket",
            model->columns, MOST_COLUMNS);
    linpred__certificate_clear(&fit->result->certificate);
    info->rounds = 0;
    work.w = linpred__calloc((size_t)model->columns + 1, sizeof *work.w);
    status = work.w ? linpred__find_distinct(fit->problem.data, fit->run.pool, class_cost, &work.distinct, error)
                    : linpred__no_memory(error);
    if (status == LINPRED_OK)
        status = linpred__check_costs(&work.distinct, fit->problem.data, error);
    if (status == LINPRED_OK) {
        double *w = work.w;
        memcpy(w, model->w, (size_t)model->columns * sizeof *w);
        w[model->columns] = model->b;
        status = cost_of(&work, w, &work.cost, error);
    }
    if (status == LINPRED_OK)
        status = search(&work, error);
    if (status == LINPRED_OK)
        status = linpred__halfspace_report(fit, error);
    if (status == LINPRED_OK)
        status = settle(&work, class_cost, error);
    linpred__cover_proof_clear(&work.search);
    linpred__distinct_clear(&work.distinct);
    linpred__release(work.row);
    linpred__release(work.joined);
    linpred__release(work.w);
    return status;
}
