/* Local searches by turns (see local_searches.h). */
#include "solve/cover/local_searches.h"

linpred_status linpred__local_searches_open(linpred__local_searches *local, linpred__hyperplane_search *search,
                                            linpred_error *error)
{
    *local = (linpred__local_searches){.search = search};
    linpred_status status = linpred__smooth_search_open(&local->smooth, search, error);
    if (status == LINPRED_OK)
        status = linpred__vertex_search_open(&local->vertices, search, error);
    if (status != LINPRED_OK)
        linpred__local_searches_close(local);
    return status;
}

void linpred__local_searches_close(linpred__local_searches *local)
{
    linpred__smooth_search_close(&local->smooth);
    linpred__vertex_search_close(&local->vertices);
    *local = (linpred__local_searches){0};
}

/* A search that has no start leaves its turn to the next one. */
void linpred__local_searches_turn(linpred__local_searches *local, double work)
{
    int64_t turn = local->turns++ % 4;
    double end = local->search->work + work;
    if (turn % 2 == 0 && linpred__vertex_search_iterate(&local->vertices, work))
        return;
    if (turn < 3 && linpred__smooth_search_iterate(&local->smooth, end - local->search->work))
        return;
    linpred__hyperplane_search_iterate(local->search, end - local->search->work);
}
