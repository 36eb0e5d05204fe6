/* The local searches beside branch and cut. The header describes the method. */
#include "separate/fewest_errors/search_team.h"

#include <math.h>

#include "core/error.h"

void linpred__team_stop_open(linpred__team_stop *at, const linpred__run *run, bool (*stop)(void *context),
                             void *context)
{
    at->run = run;
    at->stop = stop;
    at->context = context;
    at->home = pthread_self();
    atomic_init(&at->over, false);
}

bool linpred__team_stops(void *context)
{
    linpred__team_stop *at = context;
    if (atomic_load(&at->over))
        return true;
    bool over = pthread_equal(pthread_self(), at->home) ? at->stop(at->context)
                                                        : linpred__run_seconds(at->run) >= at->run->max_seconds;
    if (over)
        atomic_store(&at->over, true);
    return over;
}

linpred_status linpred__search_team_open(linpred__search_team *team, linpred__hyperplane_search *local, uint64_t seed,
                                         linpred_error *error)
{
    linpred_status status = LINPRED_OK;
    *team = (linpred__search_team){.local = local};
    for (int32_t i = 0; i < LINPRED__TEAM && status == LINPRED_OK; i++) {
        linpred__team_member *member = &team->member[i];
        status = linpred__hyperplane_search_open(&member->search, local->rows, local->cost, local->constant >= 0,
                                                 seed + (uint64_t)i + 1, error);
        if (status == LINPRED_OK)
            status = linpred__local_searches_open(&member->local, &member->search, error);
        if (status == LINPRED_OK)
            linpred__hyperplane_search_offer(&member->search, local->best);
    }
    if (status != LINPRED_OK)
        linpred__search_team_close(team);
    return status;
}

void linpred__search_team_close(linpred__search_team *team)
{
    for (int32_t i = 0; i < LINPRED__TEAM && team->local; i++) {
        linpred__explorer_close(&team->member[i].explorer);
        linpred__local_searches_close(&team->member[i].local);
        linpred__hyperplane_search_close(&team->member[i].search);
    }
    team->local = NULL;
}

void linpred__search_team_work(linpred__search_team *team, int64_t i, double work, linpred__team_stop *stop)
{
    linpred__team_member *member = &team->member[i];
    double end = member->search.work + work;
    while (member->search.work < end && !linpred__team_stops(stop))
        linpred__local_searches_turn(&member->local, fmin(end - member->search.work, LINPRED__LENGTH_SLICE));
}

bool linpred__search_team_meet(linpred__search_team *team)
{
    int64_t before = team->local->best_cost;
    for (int32_t i = 0; i < LINPRED__TEAM; i++)
        if (team->member[i].search.best_cost < team->local->best_cost)
            linpred__hyperplane_search_offer(team->local, team->member[i].search.best);
    for (int32_t i = 0; i < LINPRED__TEAM; i++)
        if (team->member[i].search.best_cost > team->local->best_cost)
            linpred__hyperplane_search_offer(&team->member[i].search, team->local->best);
    return team->local->best_cost < before;
}

/* ---- turns with branch and cut ----------------------------------------------------------------------------------- */

struct team_turn {
    linpred__search_team *team;
    linpred__tree *tree;
    linpred__team_stop *stop;
    double tree_work;   /* of this turn */
    double member_work; /* of each member in this turn */
    linpred__tree_end end;
    linpred_status status;
    linpred_error *error;
};

/* Task 0 is branch and cut, while the tree has few leaves. */
static void run_team_task(void *context, int64_t task)
{
    struct team_turn *turn = context;
    if (task == 0) {
        linpred__effort effort = {.stop = linpred__team_stops, .context = turn->stop};
        turn->status = linpred__tree_search(turn->tree, turn->tree->search->work + turn->tree_work, &effort, &turn->end,
                                            turn->error);
    } else {
        linpred__search_team_work(turn->team, task - 1, turn->member_work, turn->stop);
    }
}

static void run_member_task(void *context, int64_t task)
{
    struct team_turn *turn = context;
    linpred__search_team_work(turn->team, task, turn->member_work, turn->stop);
}

/* A turn of branch and cut in rounds, in which members explore branches, and then one of local searches. */
static void take_turn_in_rounds(struct team_turn *turn, linpred__pool *pool)
{
    linpred__tree_rounds rounds = {
        .tree = turn->tree, .pool = pool, .stop = linpred__team_stops, .context = turn->stop};
    turn->status = LINPRED_OK;
    for (int32_t i = 0; i < LINPRED__EXPLORERS && turn->status == LINPRED_OK; i++) {
        linpred__team_member *member = &turn->team->member[i];
        rounds.explorer[i] = &member->explorer;
        if (!member->explorer.search)
            turn->status = linpred__explorer_open(&member->explorer, &member->search, turn->error);
    }
    if (turn->status == LINPRED_OK)
        turn->status = linpred__tree_search_rounds(&rounds, turn->tree_work, &turn->end, turn->error);
    if (turn->status == LINPRED_OK && turn->end == LINPRED__TREE_OUT_OF_WORK)
        linpred__pool_run(pool, LINPRED__TEAM, run_member_task, turn);
}

/* The share of work of the team: the relative gap, since a bound that is near shows that little is left to be found. */
static double share_of_team(const linpred__tree *tree, bool in_rounds)
{
    double best = (double)tree->search->best_cost, bound = (double)linpred__tree_bound(tree);
    double most = in_rounds ? LINPRED__TEAM_ROUNDS_SHARE : LINPRED__TEAM_SHARE;
    return fmin(fmax(LINPRED__LOCAL_LEAST_SHARE, most * (best - bound) / fmax(best, 1.0)), 1.0);
}

linpred_status linpred__take_team_turns(linpred__search_team *team, linpred__tree *tree,
                                        const linpred__team_turns *turns, linpred__tree_end *end, linpred_error *error)
{
    struct team_turn turn = {.team = team, .tree = tree, .stop = turns->stop, .error = error};
    double until = tree->search->work + turns->work;
    *end = LINPRED__TREE_OUT_OF_WORK;
    while (*end == LINPRED__TREE_OUT_OF_WORK && tree->search->work < until) {
        turn.tree_work = fmin(LINPRED__TEAM_TURN, until - tree->search->work);
        bool in_rounds = tree->opens >= LINPRED__EXPLORERS;
        turn.member_work = share_of_team(tree, in_rounds) * turn.tree_work / LINPRED__TEAM;
        if (in_rounds)
            take_turn_in_rounds(&turn, turns->pool);
        else
            linpred__pool_run(turns->pool, 1 + LINPRED__TEAM, run_team_task, &turn);
        if (turn.status != LINPRED_OK)
            return turn.status;
        *end = turn.end;
        linpred__search_team_meet(team);
        if (*end == LINPRED__TREE_OUT_OF_WORK && linpred__team_stops(turns->stop))
            *end = LINPRED__TREE_STOPPED;
    }
    return LINPRED_OK;
}
