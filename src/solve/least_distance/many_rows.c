/* Work on many rows, by all threads. A value is computed by one thread, and each column of a sum too, with the rows in
 * their order. So the bits do not depend on the number of threads. */
#include <math.h>

#include "solve/least_distance/state.h"
#include "solve/limits.h"

enum { PIECES = 64 }; /* parts of the rows at most: enough for all threads to be busy until the end */

struct many_rows {
    const linpred__least_distance *p;
    int64_t count;             /* rows */
    int64_t at_a_time;         /* rows or columns of a task */
    const int64_t *row;        /* these rows; NULL: the first */
    linpred__dd_vector vector; /* what they are multiplied with, or added to */
    linpred__dd_vector number; /* one for each row: values, or factors */
    double sign;               /* of the factors */
    bool doubles;              /* values in double arithmetic */
    double smallest[PIECES];
};

/* Few rows are the work of one thread. */
static linpred__pool *pool_for(const struct many_rows *work)
{
    return work->count * work->p->width >= LINPRED__DISTANCE_SHARED_WORK ? work->p->pool : NULL;
}

static int64_t last_of(const struct many_rows *work, int64_t task)
{
    int64_t end = (task + 1) * work->at_a_time;
    return end < work->count ? end : work->count;
}

static void share_rows(struct many_rows *work, void (*task)(void *, int64_t))
{
    work->at_a_time = (work->count + PIECES - 1) / PIECES;
    if (work->count > 0)
        linpred__pool_run(pool_for(work), (work->count + work->at_a_time - 1) / work->at_a_time, task, work);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void find_values(void *context, int64_t task)
{
    const struct many_rows *work = context;
    for (int64_t i = task * work->at_a_time; i < last_of(work, task); i++) {
        linpred__dd value = {0.0, 0.0};
        if (work->doubles)
            value.hi = linpred__distance_value(work->p, work->row[i], work->vector.hi);
        else
            value = linpred__distance_careful_value(work->p, work->row[i], work->vector);
        linpred__dd_set(work->number, i, value);
    }
}

void linpred__distance_active_values(const linpred__least_distance *p, linpred__dd_vector vector, bool doubles,
                                     linpred__dd_vector values)
{
    struct many_rows work = {
        .p = p, .count = p->active, .row = p->member, .vector = vector, .number = values, .doubles = doubles};
    share_rows(&work, find_values);
}

static void find_smallest(void *context, int64_t task)
{
    struct many_rows *work = context;
    const linpred__least_distance *p = work->p;
    double smallest = INFINITY;
    for (int64_t i = task * work->at_a_time; i < last_of(work, task); i++) {
        double terms = (double)p->row[i].count + 8.0;
        double rounding = terms * terms * 0x1p-103 * linpred__distance_magnitude(p, i, work->vector.hi);
        double value = linpred__distance_careful_value(p, i, work->vector).hi;
        smallest = fmin(smallest, value - fabs(value) * 0x1p-52 - rounding);
    }
    work->smallest[task] = smallest;
}

double linpred__distance_smallest_value(const linpred__least_distance *p, linpred__dd_vector vector)
{
    struct many_rows work = {.p = p, .count = p->rows, .vector = vector};
    for (int piece = 0; piece < PIECES; piece++)
        work.smallest[piece] = INFINITY;
    share_rows(&work, find_smallest);
    double smallest = INFINITY;
    for (int piece = 0; piece < PIECES; piece++)
        smallest = fmin(smallest, work.smallest[piece]);
    return smallest;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* Adds some columns of all rows, which are dense. */
static void add_columns_of_rows(void *context, int64_t task)
{
    const struct many_rows *work = context;
    const linpred__least_distance *p = work->p;
    int64_t from = task * work->at_a_time, left = p->width - from;
    int64_t n = left < work->at_a_time ? left : work->at_a_time;
    linpred__dd_vector vector = linpred__dd_from(work->vector, from);
    for (int64_t i = 0; i < work->count; i++) {
        const double *values = p->values + p->row[work->row[i]].values + from;
        double factor[] = {work->sign * work->number.hi[i], work->sign * work->number.lo[i]};
        for (int part = 0; part < 2; part++)
            if (factor[part] != 0.0)
                linpred__dd_add_multiple(n, factor[part], values, vector);
    }
}

void linpred__distance_add_active(const linpred__least_distance *p, double sign, linpred__dd_vector g,
                                  linpred__dd_vector vector)
{
    struct many_rows work = {.p = p, .count = p->active, .row = p->member, .vector = vector, .number = g, .sign = sign};
    bool dense = true;
    for (int64_t i = 0; i < p->active; i++)
        dense = dense && !p->row[p->member[i]].sparse;
    if (dense) {
        work.at_a_time = LINPRED__DISTANCE_COLUMNS;
        linpred__pool_run(pool_for(&work), (p->width + work.at_a_time - 1) / work.at_a_time, add_columns_of_rows,
                          &work);
        return;
    }
    for (int64_t i = 0; i < p->active; i++) {
        linpred__distance_add_row(p, p->member[i], sign * g.hi[i], vector);
        linpred__distance_add_row(p, p->member[i], sign * g.lo[i], vector);
    }
}
