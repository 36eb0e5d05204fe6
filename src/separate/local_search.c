/* What auto ends with where nothing separates the rows: the local search of method exact
 * (solve/cover/hyperplane_search.h), from pocket's halfspace, on all rows, for a stated amount of work. It goes from
 * halfspace to halfspace on one thread by a seeded sequence, and keeps one only if it makes fewer mistakes, each sign
 * certain: never worse than pocket, and the same bits whatever the number of threads.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/fit.h"
#include "separate/gather.h"
#include "separate/distinct_rows.h"
#include "solve/cover/hyperplane_search.h"

enum {
    SWEEPS = 150,      /* circles of one local search */
    PATIENCE = 50,     /* local searches without fewer mistakes after which it ends */
    FEWEST_SWEEPS = 30 /* so many must be within the work, or it is not worth the beginning */
};

static const double some_work = 6e7; /* multiplications, about */

struct search {
    linpred__fit *fit;
    linpred__distinct distinct;
    linpred__gathered gathered;
    linpred__hyperplane_search planes;
};

static bool stop(struct search *search)
{
    double errors = (double)search->planes.best_cost * search->distinct.unit;
    return linpred__fit_should_stop(search->fit, "local search", search->fit->result->info.updates,
                                    search->fit->result->info.passes, errors);
}

static void look_around(struct search *search, double sweep, double *w)
{
    linpred__hyperplane_search *planes = &search->planes;
    if (!linpred__hyperplane_search_offer_plain(planes, w) || stop(search))
        return;
    int64_t known = planes->best_cost, best = known;
    memcpy(w, planes->best, (size_t)planes->d * sizeof *w);
    linpred__hyperplane_search_improve(planes, w, (int32_t)fmin(SWEEPS, some_work / sweep));
    for (int idle = 0; idle < PATIENCE && planes->work + SWEEPS * sweep < some_work && !stop(search); idle++) {
        linpred__hyperplane_search_wander(planes, 1.0); /* one walk, of about as many */
        if (planes->best_cost < best) {
            best = planes->best_cost;
            idle = -1;
        }
    }
    if (planes->best_cost == known)
        return;
    linpred_model *model = &search->fit->result->model;
    linpred__hyperplane_search_best(planes, w);
    memcpy(model->w, w, (size_t)model->columns * sizeof *w);
    model->b = model->has_intercept ? w[model->columns] : 0.0;
}

linpred_status linpred__local_search(linpred__fit *fit, linpred_error *error)
{
    static const double each[2] = {1.0, 1.0};
    const linpred_model *model = &fit->result->model;
    struct search search = {.fit = fit};
    double sweep = (double)fit->problem.data->rows * (2.0 * (model->columns + model->has_intercept) + 12.0);
    if (sweep * FEWEST_SWEEPS > some_work)
        return LINPRED_OK;
    double *w = linpred__calloc((size_t)model->columns + 1, sizeof *w);
    linpred_status status = w ? linpred__find_distinct(fit->problem.data, fit->run.pool, each, &search.distinct, error)
                              : linpred__no_memory(error);
    bool countable =
        status == LINPRED_OK && linpred__check_costs(&search.distinct, fit->problem.data, NULL) == LINPRED_OK;
    if (countable)
        status = linpred__gather(fit->problem.data, model->has_intercept, search.distinct.row, search.distinct.rows,
                                 &search.gathered, error);
    if (countable && status == LINPRED_OK)
        status = linpred__hyperplane_search_open(&search.planes, &search.gathered.rows, search.distinct.cost,
                                                 model->has_intercept, (uint64_t)fit->options->seed, error);
    if (countable && status == LINPRED_OK) {
        memcpy(w, model->w, (size_t)model->columns * sizeof *w);
        w[model->columns] = model->b;
        look_around(&search, sweep, w);
    }
    linpred__hyperplane_search_close(&search.planes);
    linpred__gathered_clear(&search.gathered);
    linpred__distinct_clear(&search.distinct);
    linpred__release(w);
    return status;
}
