/* Sweeps pencils of hyperplanes (see pencils.h).
 *
 * Modulo the rows that are fixed, the others are vectors of the plane (angles.h). The line through 0 at angle φ has on
 * its left the vectors whose angle is larger. If the rows on the left are to be right, the flipped ones among them are
 * wrong, and so are the others on the right.
 */
#include "check/cover/pencils.h"

#include <stdatomic.h>

#include "check/cover/angles.h"
#include "check/limits.h"
#include "core/memory.h"

/* A pencil, and what it is swept with. */
struct pencil {
    const linpred__row_set *set;
    int32_t *through;     /* the columns - 2 rows that are fixed */
    linpred__plane plane; /* the rows modulo those that are fixed */
    int32_t *on;          /* rows on the hyperplane; first those that depend on the rows that are fixed */
    int32_t dependent;
    int64_t best; /* the smallest cost so far, at most the limit */
    bool failed;  /* memory ran out */
};

/* ---- one pencil ---- */

/* Whether the rows that are fixed are the first independent rows of their span: then no other pencil need be swept.
   Where rows of the set are not in ascending order, more pencils pass, but never is the first one left out. */
static bool is_first(struct pencil *pencil)
{
    int32_t fixed = pencil->set->columns - 2, *column = pencil->on + pencil->dependent, *some = column + fixed + 2;
    for (int32_t i = 0; i < pencil->dependent && fixed > 0 && pencil->on[i] < pencil->through[fixed - 1]; i++) {
        linpred__row_set before = *pencil->set;
        bool among = false;
        before.rows = 0;
        for (int32_t l = 0; l < fixed; l++) {
            among = among || pencil->through[l] == pencil->on[i];
            if (pencil->through[l] < pencil->on[i])
                some[before.rows++] = pencil->through[l];
        }
        if (among)
            continue;
        some[before.rows++] = pencil->on[i];
        before.row = some;
        int32_t rank = linpred__row_set_rank(&before, column);
        pencil->failed = pencil->failed || rank < 0;
        if (rank == before.rows)
            return false;
    }
    return true;
}

/* Takes a hyperplane into account: its rows are the vectors from .. to - 1 and those that depend on the fixed ones;
   those off it that are wrong cost `wrong`. */
static void take_hyperplane(struct pencil *pencil, int32_t from, int32_t to, int64_t wrong)
{
    int32_t fixed = pencil->set->columns - 2, on = pencil->dependent + to - from;
    for (int32_t i = from; i < to; i++) {
        int32_t row = linpred__plane_at(&pencil->plane, i)->row;
        if (fixed > 0 && row < pencil->through[fixed - 1])
            return; /* the pencil of the first rows on this hyperplane takes it into account */
        pencil->on[pencil->dependent + i - from] = row;
    }
    int64_t least = 0;
    if (on > fixed + 1) { /* else the rows are independent, and all of them can be right */
        linpred__row_set set = *pencil->set;
        set.rows = on;
        set.row = pencil->on;
        least = linpred__least_cost(&set, NULL, pencil->best - wrong);
    }
    if (least >= 0)
        pencil->best = wrong + least; /* which is no more than it was */
    else
        pencil->failed = true;
}

/* Takes all hyperplanes of the pencil into account. */
static void sweep_pencil(struct pencil *pencil)
{
    const linpred__row_set *set = pencil->set;
    int64_t ahead[2] = {0, 0}, behind[2] = {0, 0}; /* cost of the vectors not reached yet, and passed: not flipped,
                                                      flipped */
    linpred__plane *plane = &pencil->plane;
    pencil->dependent = linpred__plane_take_rows(plane, pencil->on);
    if (!is_first(pencil))
        return;
    for (int32_t i = 0; i < plane->vectors; i++)
        ahead[plane->vector[i].flipped] += set->cost[plane->vector[i].row];
    linpred__plane_sort(plane);
    for (int32_t from = 0, to; from < plane->vectors; from = to) {
        int64_t here[2] = {0, 0};
        for (to = from; to < plane->vectors && (to == from || plane->turn[to] == 0); to++) {
            const linpred__plane_vector *vector = linpred__plane_at(plane, to);
            here[vector->flipped] += set->cost[vector->row];
        }
        for (int k = 0; k < 2; k++)
            ahead[k] -= here[k];
        int64_t left = ahead[1] + behind[0], right = ahead[0] + behind[1], wrong = left < right ? left : right;
        if (wrong < pencil->best)
            take_hyperplane(pencil, from, to, wrong);
        for (int k = 0; k < 2; k++)
            behind[k] += here[k];
    }
}

/* ---- all pencils ---- */

static bool open_pencil(const linpred__row_set *set, int64_t limit, struct pencil *pencil)
{
    size_t rows = (size_t)set->rows, columns = (size_t)set->columns;
    *pencil = (struct pencil){.set = set, .best = limit};
    pencil->through = linpred__calloc(columns, sizeof *pencil->through);
    pencil->on = linpred__alloc(rows + 2 * columns + 4, sizeof *pencil->on);
    return linpred__plane_open(set, &pencil->plane) && pencil->through && pencil->on;
}

static void close_pencil(struct pencil *pencil)
{
    linpred__plane_close(&pencil->plane);
    linpred__release(pencil->through);
    linpred__release(pencil->on);
}

/* Sweeps the pencil of the rows that are fixed, unless they are dependent. */
static void take_pencil(struct pencil *pencil)
{
    int independent = linpred__plane_turn(&pencil->plane, pencil->through);
    pencil->failed = pencil->failed || independent < 0;
    if (independent > 0)
        sweep_pencil(pencil);
}

/* Fixes rows number depth, depth + 1, … in all ways, from place `from` of the set on. */
static void sweep_all(struct pencil *pencil, int32_t depth, int32_t from)
{
    if (depth == pencil->set->columns - 2) {
        take_pencil(pencil);
        return;
    }
    for (int32_t i = from; i < pencil->set->rows && !pencil->failed; i++) {
        pencil->through[depth] = pencil->set->row[i];
        sweep_all(pencil, depth + 1, i + 1);
    }
}

struct sweep {
    const linpred__row_set *set;
    _Atomic int64_t best;
    _Atomic bool failed;
};

/* Pencils whose first fixed row is that of the task; for rank 2 there is one pencil. */
static void sweep_task(void *context, int64_t task)
{
    struct sweep *sweep = context;
    struct pencil pencil;
    bool fixes = sweep->set->columns > 2;
    bool ready = open_pencil(sweep->set, atomic_load(&sweep->best), &pencil);
    if (ready) {
        if (fixes)
            pencil.through[0] = sweep->set->row[task];
        sweep_all(&pencil, fixes ? 1 : 0, (int32_t)task + 1);
        int64_t known = atomic_load(&sweep->best);
        while (pencil.best < known && !atomic_compare_exchange_weak(&sweep->best, &known, pencil.best))
            ;
    }
    if (!ready || pencil.failed)
        atomic_store(&sweep->failed, true);
    close_pencil(&pencil);
}

/* Rank 1: a halfspace is a sign. */
static int64_t least_of_signs(const linpred__row_set *set, int32_t column)
{
    int64_t wrong[2] = {0, 0};
    for (int32_t i = 0; i < set->rows; i++) {
        int sign = mpz_sgn(set->whole->z[(int64_t)set->row[i] * set->whole->columns + column]);
        wrong[0] += sign <= 0 ? set->cost[set->row[i]] : 0;
        wrong[1] += sign >= 0 ? set->cost[set->row[i]] : 0;
    }
    return wrong[0] < wrong[1] ? wrong[0] : wrong[1];
}

int64_t linpred__least_cost(const linpred__row_set *set, linpred__pool *pool, int64_t limit)
{
    int32_t *column = linpred__alloc((size_t)set->columns, sizeof *column);
    int32_t rank = column ? linpred__row_set_rank(set, column) : -1;
    int64_t least = -1;
    if (rank == 0 || rank == 1) {
        least = 0;
        for (int32_t i = 0; rank == 0 && i < set->rows; i++)
            least += set->cost[set->row[i]]; /* all rows are 0: mistakes of every halfspace */
        if (rank == 1)
            least = least_of_signs(set, column[0]);
        least = least < limit ? least : limit;
    } else if (rank > 1) {
        linpred__row_set part = *set;
        part.columns = rank;
        part.column = column;
        struct sweep sweep = {.set = &part, .best = limit};
        linpred__pool_run(pool, rank > 2 ? set->rows : 1, sweep_task, &sweep);
        least = atomic_load(&sweep.failed) ? -1 : atomic_load(&sweep.best);
    }
    linpred__release(column);
    return least;
}

static double pencils_of(int64_t rows, int32_t rank)
{
    double pencils = 1.0;
    for (int32_t i = 0; i < rank - 2; i++)
        pencils *= (double)(rows - i) / (i + 1.0);
    return pencils;
}

double linpred__pencil_vectors(int64_t rows, int32_t rank)
{
    return pencils_of(rows, rank) * (double)rows;
}

double linpred__pencil_signs(int64_t rows, int32_t rank)
{
    return LINPRED__SIGNS_OF_A_VECTOR * pencils_of(rows, rank) * ((double)rows + (double)rank * rank * rank);
}
