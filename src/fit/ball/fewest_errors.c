/* Method exact for balls: the ball of fewest mistakes, and a proof.
 *
 * A ball is a halfspace of lifted rows on whose right side the hard row is. So the search of zero_one.c goes over exact
 * lifted rows, equal ones taken together, with the hard row as one that costs more than all others. Subsets that no
 * ball separates and the tree over them are the certificate; the hard row is understood in every subset. The local
 * search by itself is what auto ends with.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/ball/ball.h"
#include "separate/search_turns.h"
#include "separate/distinct_rows.h"

enum { MOST_ROWS = 3000, MOST_COLUMNS = 1000 };

static const double some_work = 6e7; /* multiplications that local search by itself may cost, about */

struct work {
    linpred__fit *fit;
    const linpred__ball_lift *lift;
    linpred__distinct distinct;
    linpred__gathered gathered;
    int64_t *row;      /* lifted rows, the hard one last */
    int64_t *file_row; /* 0 for the hard row */
    int64_t *cost;
    double *w;
    linpred__hyperplane_search planes;
    linpred__tree tree;
    double fewest; /* mistakes of the model */
};

static bool stop(void *context)
{
    struct work *work = context;
    return linpred__fit_should_stop(work->fit, "exact", 0, 0,
                                    fmin(work->fewest, (double)work->planes.best_cost * work->distinct.unit));
}

/* Lifted rows and what giving each up costs. */
static linpred_status gather_rows(struct work *work, bool *whole, linpred_error *error)
{
    const linpred_data *data = work->lift->data;
    int64_t n = work->distinct.rows, total = 1;
    work->row = linpred__alloc((size_t)n + 1, sizeof *work->row);
    work->file_row = linpred__calloc((size_t)n + 1, sizeof *work->file_row);
    work->cost = linpred__alloc((size_t)n + 1, sizeof *work->cost);
    work->w = linpred__calloc((size_t)data->columns + 2, sizeof *work->w);
    if (!work->row || !work->file_row || !work->cost || !work->w)
        return linpred__no_memory(error);
    for (int64_t k = 0; k < n; k++) {
        work->row[k] = work->distinct.row[k];
        work->file_row[k] = linpred_data_source_row(data, work->distinct.row[k]);
        work->cost[k] = work->distinct.cost[k];
        total += work->cost[k];
    }
    work->row[n] = data->rows;
    work->cost[n] = total;
    return linpred__ball_gather(work->lift, work->row, n + 1, &work->gathered, whole, error);
}

/* The best halfspace found becomes the model if its ball makes fewer mistakes. */
static linpred_status take_best(struct work *work, linpred_error *error)
{
    int32_t columns = work->lift->data->columns;
    double *centre = linpred__alloc((size_t)columns, sizeof *centre);
    if (!centre)
        return linpred__no_memory(error);
    linpred_status status = LINPRED_OK;
    linpred__hyperplane_search_best(&work->planes, work->w);
    if (linpred__ball_centre(work->lift, work->w, centre))
        status = linpred__ball_try(work->fit, work->lift, centre, &work->fewest, error);
    linpred__release(centre);
    return status;
}

static void settle(struct work *work, linpred__tree_end end)
{
    linpred__fit *fit = work->fit;
    linpred_info *info = &fit->result->info;
    linpred__certificate *certificate = &fit->result->certificate;
    bool optimal;
    info->cost = work->fewest;
    info->lower_bound = linpred__bound_reached(&work->distinct, linpred__tree_bound(&work->tree), work->fewest,
                                               end == LINPRED__TREE_DONE, &optimal);
    certificate->claim = LINPRED__CLAIM_FEWEST_ERRORS;
    certificate->bound = info->lower_bound;
    certificate->class_weight[0] = certificate->class_weight[1] = 1.0;
    if (optimal)
        linpred__fit_end(fit, LINPRED_OUTCOME_OPTIMAL, "no ball makes fewer mistakes%s",
                         info->lower_bound < info->cost ? ", to nine digits" : "");
    else if (end == LINPRED__TREE_FULL)
        linpred__fit_end(fit, LINPRED_OUTCOME_LIMIT_REACHED, "the search has come to its limit of %d branches",
                         LINPRED__MOST_BRANCHES);
    else if (info->reason[0] == '\0')
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED,
                         "integers separate more rows than any ball of doubles that was found");
}

/* The planes of the rows gathered, and the model's ball as one of them. */
static linpred_status open_planes(struct work *work, linpred_error *error)
{
    const linpred_model *model = &work->fit->result->model;
    linpred__ball ball = linpred__ball_of(model->w, model->columns, model->b);
    linpred__ball_weights(work->lift, &ball, work->w);
    return linpred__hyperplane_search_open(&work->planes, &work->gathered.rows, work->cost, true,
                                           (uint64_t)work->fit->options->seed, error);
}

static linpred_status search(struct work *work, linpred_error *error)
{
    linpred__fit *fit = work->fit;
    linpred__effort effort = {.stop = stop, .context = work};
    linpred__tree_end end;
    linpred_status status = open_planes(work, error);
    if (status == LINPRED_OK)
        status = linpred__take_turns(&work->planes, work->w, &work->tree, INFINITY, &effort, &end, error);
    if (status == LINPRED_OK)
        status = take_best(work, error);
    fit->result->info.working_rows = work->distinct.rows;
    linpred__cover_proof_clear(&fit->result->certificate.search);
    if (status == LINPRED_OK)
        status = linpred__keep_cover_proof(&work->tree, work->file_row, work->distinct.unit,
                                           &fit->result->certificate.search, error);
    if (status == LINPRED_OK)
        settle(work, end);
    linpred__tree_close(&work->tree);
    return status;
}

static linpred_status open_work(struct work *work, linpred__fit *fit, const linpred__ball_lift *lift, bool *whole,
                                linpred_error *error)
{
    static const double each[2] = {1.0, 1.0};
    *work = (struct work){.fit = fit, .lift = lift, .fewest = INFINITY};
    linpred_status status = linpred__ball_try(fit, lift, fit->result->model.w, &work->fewest, error);
    if (status == LINPRED_OK)
        status = linpred__find_distinct(lift->data, fit->run.pool, each, &work->distinct, error);
    *whole = false;
    if (status == LINPRED_OK && work->distinct.rows <= MOST_ROWS && lift->data->columns <= MOST_COLUMNS)
        status = gather_rows(work, whole, error);
    return status;
}

static void close_work(struct work *work)
{
    linpred__hyperplane_search_close(&work->planes);
    linpred__gathered_clear(&work->gathered);
    linpred__distinct_clear(&work->distinct);
    linpred__release(work->row);
    linpred__release(work->file_row);
    linpred__release(work->cost);
    linpred__release(work->w);
}

linpred_status linpred__ball_fewest_errors(linpred__fit *fit, const linpred__ball_lift *lift, linpred_error *error)
{
    struct work work;
    bool whole;
    linpred_status status = open_work(&work, fit, lift, &whole, error);
    fit->result->info.reason[0] = '\0';
    if (status == LINPRED_OK)
        status = linpred__check_costs(&work.distinct, fit->problem.data, error);
    if (status == LINPRED_OK && whole)
        status = search(&work, error);
    else if (status == LINPRED_OK && (work.distinct.rows > MOST_ROWS || lift->data->columns > MOST_COLUMNS))
        status = linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "--method exact takes at most %d different rows and %d features for a ball: use --method auto", MOST_ROWS,
            MOST_COLUMNS);
    else if (status == LINPRED_OK)
        linpred__fit_end(fit, LINPRED_OUTCOME_UNDECIDED, "the numbers have too wide a range for exact arithmetic");
    close_work(&work);
    return status;
}

linpred_status linpred__ball_local_search(linpred__fit *fit, const linpred__ball_lift *lift, linpred_error *error)
{
    struct work work;
    bool whole;
    linpred_status status = open_work(&work, fit, lift, &whole, error);
    if (status == LINPRED_OK && whole)
        status = open_planes(&work, error);
    if (status == LINPRED_OK && whole) {
        linpred__hyperplane_search_offer_plain(&work.planes, work.w);
        while (work.planes.work < some_work && !stop(&work))
            linpred__hyperplane_search_wander(&work.planes, 1.0); /* one walk */
        status = take_best(&work, error);
    }
    close_work(&work);
    return status;
}
