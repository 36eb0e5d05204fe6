/* Several local searches for a halfspace of small cost, beside branch and cut, on all threads. Members explore branches
 * too, as soon as the tree has several leaves.
 *
 * Each member has the rows, a seed and a best halfspace of its own. Members work as tasks of a pool, for a work that is
 * counted. Then they meet: all of them, and the search that they help, learn the best halfspace of all. So what is
 * found depends on neither time nor threads, unless the run is stopped.
 */
#ifndef LINPRED_SEPARATE_FEWEST_ERRORS_SEARCH_TEAM_H
#define LINPRED_SEPARATE_FEWEST_ERRORS_SEARCH_TEAM_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/run.h"
#include "separate/limits.h"
#include "solve/cover/branch_rounds.h"
#include "solve/cover/local_searches.h"

/* Asks on the calling thread whether to stop, and tells the other threads. */
typedef struct linpred__team_stop {
    const linpred__run *run;
    bool (*stop)(void *context); /* called on the thread `home` alone */
    void *context;
    pthread_t home;
    atomic_bool over;
} linpred__team_stop;

typedef struct linpred__team_member {
    linpred__hyperplane_search search;
    linpred__local_searches local;
    linpred__explorer explorer; /* of branches; opened when the tree has several leaves */
} linpred__team_member;

typedef struct linpred__search_team {
    linpred__hyperplane_search *local; /* the search that is helped; borrowed; NULL: the team is not open */
    linpred__team_member member[LINPRED__TEAM];
} linpred__search_team;

/* What a run of turns needs. */
typedef struct linpred__team_turns {
    linpred__pool *pool;
    linpred__team_stop *stop;
    double work; /* of branch and cut, at most */
} linpred__team_turns;

void linpred__team_stop_open(linpred__team_stop *at, const linpred__run *run, bool (*stop)(void *context),
                             void *context);
/* Whether to stop; `context` is a linpred__team_stop. For tasks. */
bool linpred__team_stops(void *context);

linpred_status linpred__search_team_open(linpred__search_team *team, linpred__hyperplane_search *local, uint64_t seed,
                                         linpred_error *error);
void linpred__search_team_close(linpred__search_team *team);
/* A task: member i searches for so much work. */
void linpred__search_team_work(linpred__search_team *team, int64_t i, double work, linpred__team_stop *stop);
/* The members meet. Returns whether the search that they help got a better halfspace. */
bool linpred__search_team_meet(linpred__search_team *team);

/* Branch and cut, which is open, beside the team, until it ends or has done so much work. */
linpred_status linpred__take_team_turns(linpred__search_team *team, linpred__tree *tree,
                                        const linpred__team_turns *turns, linpred__tree_end *end, linpred_error *error);

#endif
