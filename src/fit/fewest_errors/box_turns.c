/* Turns of the search by boxes (see box_turns.h). */
#include "fit/fewest_errors/box_turns.h"

#include <math.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/fewest_errors/limits.h"

static linpred_status open_boxes(linpred__box_turns *turns, linpred_error *error)
{
    const linpred__distinct *distinct = turns->distinct;
    turns->row_cost = linpred__calloc((size_t)turns->data->rows, sizeof *turns->row_cost);
    if (!turns->row_cost)
        return linpred__no_memory(error);
    for (int64_t k = 0; k < distinct->rows; k++) /* of equal rows the first has the cost of all, the others 0 */
        turns->row_cost[distinct->row[k]] = distinct->cost[k];
    return linpred__hyperplanes_open(&turns->boxes, turns->data, turns->has_intercept, turns->row_cost, error);
}

linpred_status linpred__boxes_turn(linpred__box_turns *turns, double work, linpred__tree_end *end, linpred_error *error)
{
    linpred__hyperplanes *boxes = &turns->boxes;
    linpred__hyperplanes_end found;
    linpred_status status = turns->row_cost ? LINPRED_OK : open_boxes(turns, error);
    if (status != LINPRED_OK || !boxes->suits || boxes->boxes == 0 || boxes->work > LINPRED__MAX_BOX_SIGNS)
        return status;
    linpred__hyperplanes_turn turn = {turns->pool, turns->local->best_cost, work, turns->stop, turns->context};
    status = linpred__hyperplanes_run(boxes, &turn, &found, error);
    if (status != LINPRED_OK)
        return status;
    if (boxes->better)
        linpred__hyperplane_search_offer_unscaled(turns->local, boxes->w);
    if (found == LINPRED__HYPERPLANES_DONE && turns->local->best_cost <= boxes->best) {
        turns->proved = turns->local->best_cost;
        *end = LINPRED__TREE_DONE;
    } else if (found == LINPRED__HYPERPLANES_STOPPED) {
        *end = LINPRED__TREE_STOPPED;
    }
    return LINPRED_OK;
}

/* Whether the best halfspace makes many mistakes, of mean cost. */
static bool are_many(const linpred__hyperplane_search *local)
{
    return (double)local->best_cost * local->n >= LINPRED__EXACT_MANY_MISTAKES * (double)local->total;
}

linpred_status linpred__boxes_first(linpred__box_turns *turns, const double *known, linpred__tree_end *end,
                                    linpred_error *error)
{
    linpred__hyperplane_search *local = turns->local;
    double *w = linpred__alloc((size_t)local->d, sizeof *w);
    if (!w)
        return linpred__no_memory(error);
    linpred__hyperplane_search_least_squares(local, w);
    linpred__hyperplane_search_offer(local, w);
    if (are_many(local))
        linpred__hyperplane_search_descend(local, w, LINPRED__EXACT_FIRST_SWEEPS * local->d);
    linpred__release(w);
    if (!are_many(local))
        return LINPRED_OK;
    linpred__hyperplane_search_offer_unscaled(local, known);
    double signs = fmin(LINPRED__EXACT_FIRST_BOX_WORK_EACH * local->n * local->d, LINPRED__EXACT_FIRST_BOX_WORK);
    return linpred__boxes_turn(turns, signs, end, error);
}

void linpred__box_turns_close(linpred__box_turns *turns)
{
    linpred__hyperplanes_close(&turns->boxes);
    linpred__release(turns->row_cost);
    turns->row_cost = NULL;
}
