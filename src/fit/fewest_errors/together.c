/* The long search on all rows (see together.h). */
#include "fit/fewest_errors/together.h"

#include "fit/fewest_errors/limits.h"
#include "fit/fewest_errors/parts.h"

/* While threads are at work nobody looks at their searches. */
static bool stop_together(void *context)
{
    linpred__together *together = context;
    double unit = together->all.distinct->unit;
    together->run->lower_bound = (double)together->shown_bound * unit;
    return linpred__run_should_stop(together->run, "exact", 0, 0, (double)together->shown_cost * unit);
}

static void show(linpred__together *together, const linpred__row_parts *parts)
{
    int64_t bound = linpred__tree_bound(together->tree);
    together->shown_cost = together->tree->search->best_cost;
    together->shown_bound = bound > parts->bound ? bound : parts->bound;
}

/* Turns of branch and cut and of parts, each twice as long as the last. */
static linpred_status take_long_turns(linpred__together *together, linpred__search_team *team,
                                      linpred__row_parts *parts, linpred__tree_end *end, linpred_error *error)
{
    linpred__team_turns turns = {together->run->pool, parts->stop, LINPRED__EXACT_BEFORE_PARTS};
    linpred_status status = LINPRED_OK;
    for (double work = LINPRED__EXACT_PARTS_WORK; status == LINPRED_OK && *end == LINPRED__TREE_OUT_OF_WORK;
         work *= 2.0) {
        show(together, parts);
        status = linpred__take_team_turns(team, together->tree, &turns, end, error);
        if (status != LINPRED_OK || *end != LINPRED__TREE_OUT_OF_WORK)
            break;
        show(together, parts);
        if (together->all.distinct->kind == LINPRED__WHOLE_UNITS)
            status = linpred__parts_turn(parts, work, together->shown_bound, end, error);
        turns.work = work * (parts->bound > linpred__tree_bound(together->tree) ? LINPRED__EXACT_TREE_LESS_SHARE
                                                                                : LINPRED__EXACT_TREE_SHARE);
    }
    if (*end == LINPRED__TREE_STOPPED)
        stop_together(together); /* the run learns why, if another thread noticed first */
    return status == LINPRED_OK ? linpred__parts_keep(parts, error) : status;
}

linpred_status linpred__search_together(linpred__together *together, linpred__tree_end *end, linpred_error *error)
{
    linpred__search_team team;
    linpred__team_stop stop;
    linpred__team_stop_open(&stop, together->run, stop_together, together);
    linpred__row_parts parts = {
        .all = &together->all, .team = &team, .seed = together->seed, .pool = together->run->pool, .stop = &stop};
    linpred_status status = linpred__search_team_open(&team, together->tree->search, together->seed, error);
    if (status == LINPRED_OK)
        status = take_long_turns(together, &team, &parts, end, error);
    together->bound = status == LINPRED_OK ? parts.bound : 0;
    if (status == LINPRED_OK) {
        together->proof = parts.proof;
        parts.proof = (linpred__cover_proof){0};
    }
    linpred__parts_close(&parts);
    linpred__search_team_close(&team);
    return status;
}
