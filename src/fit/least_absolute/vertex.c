/* The small problems of least absolute deviations: which columns and rows are independent, and the vertex of active
 * rows. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "data/row.h"
#include "fit/least_absolute/least_absolute.h"
#include "solve/absolute/vertex.h"
#include "solve/dense/dd_qr.h"

/* ---- the span
 * ----------------------------------------------------------------------------------------------------------- */

struct outside {
    linpred__deviations *dev;
    const linpred__dd_solution *solution;
};

struct farthest {
    double *row;   /* 2 width */
    double *ratio; /* for each dependency, |<x,n>| / Σ|x_j n_j| of the row farthest from it */
    int64_t *where;
};

static void clear_farthest(void *context, void *state)
{
    (void)context;
    struct farthest *f = state;
    linpred__release(f->row);
    linpred__release(f->ratio);
    linpred__release(f->where);
}

static bool init_farthest(void *context, void *state)
{
    size_t p = (size_t)((struct outside *)context)->dev->width;
    struct farthest *f = state;
    f->row = linpred__alloc(2 * p, sizeof(double));
    f->ratio = linpred__calloc(p, sizeof(double));
    f->where = linpred__calloc(p, sizeof(int64_t));
    if (f->row && f->ratio && f->where)
        return true;
    clear_farthest(context, state);
    return false;
}

static void find_farthest(void *context, void *state, const linpred__block *block)
{
    const struct outside *outside = context;
    struct farthest *f = state;
    int32_t p = outside->dev->width, rank = outside->solution->rank;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__design_row(&outside->dev->design, block, r, f->row, f->row + p);
        for (int32_t k = 0; k < p - rank; k++) {
            const linpred__dd *n = outside->solution->null + (size_t)k * (size_t)p;
            double sum = 0.0, size = 0.0;
            for (int32_t j = 0; j < p; j++) {
                sum += f->row[j] * n[j].hi;
                size += fabs(f->row[j] * n[j].hi);
            }
            double ratio = size > 0 ? fabs(sum) / size : 0.0;
            if (ratio > f->ratio[k]) {
                f->ratio[k] = ratio;
                f->where[k] = block->first_row + r;
            }
        }
    }
}

static void merge_farthest(void *context, void *into, const void *from)
{
    const struct outside *outside = context;
    struct farthest *a = into;
    const struct farthest *b = from;
    for (int32_t k = 0; k < outside->dev->width - outside->solution->rank; k++)
        if (b->ratio[k] > a->ratio[k] || (b->ratio[k] == a->ratio[k] && b->ratio[k] > 0 && b->where[k] < a->where[k])) {
            a->ratio[k] = b->ratio[k];
            a->where[k] = b->where[k];
        }
}

/* Rows that no dependency of the rows looked at so far holds for are added to them. */
static linpred_status add_outside(linpred__deviations *dev, const linpred__dd_solution *solution, int64_t **rows,
                                  int64_t *count, bool *added, linpred_error *error)
{
    struct outside outside = {dev, solution};
    linpred__visitor visitor = {sizeof(struct farthest), init_farthest,  find_farthest,
                                merge_farthest,          clear_farthest, &outside};
    struct farthest f;
    linpred_status status = linpred__pass(dev->design.data, dev->design.pool, &visitor, &f, error);
    if (status != LINPRED_OK)
        return status;
    dev->passes++;
    *added = false;
    int64_t *grown = linpred__resize(*rows, (size_t)(*count + dev->width), sizeof *grown);
    if (!grown) {
        clear_farthest(&outside, &f);
        return linpred__no_memory(error);
    }
    *rows = grown;
    for (int32_t k = 0; k < dev->width - solution->rank; k++) {
        bool there = false;
        for (int64_t i = 0; i < *count; i++)
            there = there || grown[i] == f.where[k];
        if (f.ratio[k] > 1e-9 && !there) {
            grown[(*count)++] = f.where[k];
            *added = true;
        }
    }
    clear_farthest(&outside, &f);
    return LINPRED_OK;
}

static bool should_stop(void *context)
{
    linpred__deviations *dev = context;
    dev->stopped = linpred__fit_should_stop(dev->fit, "absolute", dev->steps, dev->passes, NAN);
    return dev->stopped;
}

/* The independent columns of these rows. It may be stopped where that takes long, and then there is no fit to give. */
static linpred_status span_of(linpred__deviations *dev, const int64_t *rows, int64_t count,
                              linpred__dd_solution *solution, linpred_error *error)
{
    size_t p = (size_t)dev->width, n = p + 1;
    bool intercept = dev->design.basis->has_intercept;
    linpred__dd *r = linpred__calloc(n * n, sizeof *r);
    linpred__dd *row = linpred__calloc(n, sizeof *row);
    int32_t *turn = linpred__alloc(p, sizeof *turn);
    bool complete = r && row && turn;
    double work = 0.0;
    for (int64_t i = 0; complete && i < count && !dev->stopped; i++) {
        int32_t at;
        const linpred__block *block = linpred__deviations_row(dev, rows[i], &at);
        linpred__design_row(&dev->design, block, at, dev->scratch, dev->scratch + p);
        for (size_t j = 0; j < p; j++)
            row[j] = (linpred__dd){dev->scratch[j], dev->scratch[p + j]};
        row[p] = (linpred__dd){0.0, 0.0};
        linpred__dd_qr_absorb((int32_t)n, r, 1, 1, row);
        work += (double)n * (double)n;
        if (work > 1e6) {
            work = 0.0;
            should_stop(dev);
        }
    }
    for (size_t i = 0; complete && i < p; i++)
        turn[i] = (int32_t)(intercept ? (i == 0 ? p - 1 : i - 1) : i);
    complete = complete && (dev->stopped || linpred__dd_solve(dev->width, r, turn, 0x1p-44, solution));
    linpred__release(r);
    linpred__release(row);
    linpred__release(turn);
    if (dev->stopped)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "%s, before there was any fit: give it more time, or fewer features",
                             dev->fit->result->info.reason);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

/* As many independent rows as there are columns taken, by elimination with the largest pivots. */
static linpred_status first_basis(linpred__deviations *dev, const int64_t *rows, int64_t count, linpred_error *error)
{
    size_t n = (size_t)dev->rank;
    if (dev->rank > count) /* what is left of columns whose entries have underflowed */
        return linpred__design_lost(&dev->design, error);
    double *matrix = linpred__alloc((size_t)count * n, sizeof *matrix);
    lapack_int *pivot = linpred__alloc(n, sizeof *pivot);
    int64_t *order = linpred__alloc((size_t)count, sizeof *order);
    bool complete = matrix && pivot && order;
    for (int64_t i = 0; complete && i < count; i++) {
        int32_t at;
        const linpred__block *block = linpred__deviations_row(dev, rows[i], &at);
        linpred__design_row(&dev->design, block, at, dev->scratch, dev->scratch + dev->width);
        order[i] = rows[i];
        for (size_t k = 0; k < n; k++)
            matrix[k * (size_t)count + (size_t)i] = dev->scratch[dev->column[k]];
    }
    if (complete && n > 0)
        LAPACKE_dgetrf(LAPACK_COL_MAJOR, (lapack_int)count, (lapack_int)n, matrix, (lapack_int)count, pivot);
    for (size_t k = 0; complete && k < n; k++) {
        int64_t other = pivot[k] - 1, held = order[k];
        order[k] = order[other];
        order[other] = held;
        dev->basis[k] = order[k];
    }
    linpred__release(matrix);
    linpred__release(pivot);
    linpred__release(order);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

linpred_status linpred__deviations_span(linpred__deviations *dev, const int64_t *sample, int64_t samples,
                                        linpred_error *error)
{
    linpred__dd_solution solution = {0};
    int64_t count = samples;
    bool again = true;
    int64_t *rows = linpred__alloc((size_t)count, sizeof *rows);
    if (!rows)
        return linpred__no_memory(error);
    memcpy(rows, sample, (size_t)count * sizeof *rows);
    linpred_status status = LINPRED_OK;
    while (status == LINPRED_OK && again) {
        again = false;
        linpred__dd_solution_clear(&solution);
        status = span_of(dev, rows, count, &solution, error);
        if (status == LINPRED_OK && solution.rank < dev->width && count < dev->design.data->rows)
            status = add_outside(dev, &solution, &rows, &count, &again, error);
    }
    if (status == LINPRED_OK) {
        dev->rank = solution.rank;
        dev->dependencies = dev->width - solution.rank;
        memcpy(dev->column, solution.order, (size_t)solution.rank * sizeof *dev->column);
        dev->null = solution.null;
        solution.null = NULL;
        status = first_basis(dev, rows, count, error);
    }
    linpred__dd_solution_clear(&solution);
    linpred__release(rows);
    return status;
}

/* ---- the vertex
 * -------------------------------------------------------------------------------------------------------------- */

struct active {
    int64_t *row; /* data rows, those of the basis that were missing behind the others */
    double *x;
    double *y; /* y, up, down and residual, one behind the other */
    int64_t *basis;
    double *room; /* w and dual */
};

/* The rows with those of the basis among them, and where the basis rows stand. */
static int64_t with_basis(const linpred__deviations *dev, const int64_t *rows, int64_t count, struct active *active)
{
    int64_t total = count;
    memcpy(active->row, rows, (size_t)count * sizeof *rows);
    for (int32_t k = 0; k < dev->rank; k++)
        active->basis[k] = -1;
    for (int64_t i = 0; i < count; i++)
        for (int32_t k = 0; k < dev->rank; k++)
            if (rows[i] == dev->basis[k])
                active->basis[k] = i;
    for (int32_t k = 0; k < dev->rank; k++)
        if (active->basis[k] < 0) {
            active->basis[k] = total;
            active->row[total++] = dev->basis[k];
        }
    return total;
}

static void gather(const linpred__deviations *dev, struct active *active, int64_t total)
{
    double *up = active->y + total, *down = up + total;
    for (int64_t i = 0; i < total; i++) {
        int32_t at;
        const linpred__block *block = linpred__deviations_row(dev, active->row[i], &at);
        active->y[i] = linpred__deviations_target(dev, block, at);
        linpred__deviations_slopes(dev, block, at, &up[i], &down[i]);
        if (dev->design.plain && block->layout == LINPRED__DENSE) {
            const double *x = block->values + at * block->stride;
            for (int32_t k = 0; k < dev->rank; k++)
                active->x[(int64_t)k * total + i] = dev->column[k] < block->columns ? x[dev->column[k]] : 1.0;
            continue;
        }
        linpred__design_row(&dev->design, block, at, dev->scratch, dev->scratch + dev->width);
        for (int32_t k = 0; k < dev->rank; k++)
            active->x[(int64_t)k * total + i] = dev->scratch[dev->column[k]];
    }
}

/* What the vertex is, back in terms of data rows and all coordinates. */
static void take_back(linpred__deviations *dev, const struct active *active, const linpred__absolute *problem)
{
    memset(dev->w, 0, (size_t)dev->width * sizeof(double));
    for (int32_t k = 0; k < dev->rank; k++) {
        dev->w[dev->column[k]] = problem->w[k];
        dev->basis[k] = active->row[problem->basis[k]];
    }
    dev->steps += problem->steps;
    dev->rounds++;
    if (problem->rows > dev->most_active)
        dev->most_active = problem->rows;
}

linpred_status linpred__deviations_solve(linpred__deviations *dev, const int64_t *rows, int64_t count,
                                         linpred_error *error)
{
    size_t n = (size_t)dev->rank, most = (size_t)count + n;
    if (n == 0)
        return LINPRED_OK;
    struct active active = {.row = linpred__alloc(most, sizeof(int64_t)),
                            .x = linpred__alloc(most * n, sizeof(double)),
                            .y = linpred__alloc(4 * most, sizeof(double)),
                            .basis = linpred__alloc(n, sizeof(int64_t)),
                            .room = linpred__alloc(2 * n, sizeof(double))};
    linpred__absolute_end end = LINPRED__ABSOLUTE_NO_MEMORY;
    if (active.row && active.x && active.y && active.basis && active.room) {
        int64_t total = with_basis(dev, rows, count, &active);
        gather(dev, &active, total);
        linpred__absolute problem = {.columns = dev->rank,
                                     .rows = total,
                                     .x = active.x,
                                     .y = active.y,
                                     .up = active.y + total,
                                     .down = active.y + 2 * total,
                                     .c = dev->c,
                                     .stop = should_stop,
                                     .context = dev,
                                     .basis = active.basis,
                                     .w = active.room,
                                     .dual = active.room + n,
                                     .residual = active.y + 3 * total};
        end = linpred__absolute_solve(&problem);
        if (end == LINPRED__ABSOLUTE_DONE)
            take_back(dev, &active, &problem);
    }
    linpred__release(active.row);
    linpred__release(active.x);
    linpred__release(active.y);
    linpred__release(active.basis);
    linpred__release(active.room);
    if (end == LINPRED__ABSOLUTE_NO_MEMORY)
        return linpred__no_memory(error);
    return end == LINPRED__ABSOLUTE_DONE
               ? LINPRED_OK
               : linpred__fail(error, LINPRED_ERROR_INTERNAL, "a basis of dependent rows was met");
}
