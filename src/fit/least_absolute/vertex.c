/* The optimal vertex of the active and the fixed rows: gathers the active rows column by column and runs the simplex
 * method of solve/absolute. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "fit/least_absolute/row.h"
#include "solve/absolute/vertex.h"

struct active {
    int64_t *row; /* data rows; the rows of the basis that were missing stand last */
    int64_t total;
    double *x;        /* the independent columns, one after another, `total` values each */
    double *y;        /* y, up, down and residual, each `total` long */
    int64_t *basis;   /* places of the basis rows in `row` */
    double *solution; /* w and duals, each `rank` long */
};

struct clock {
    linpred__run *run;
    const linpred__deviation_effort *effort;
};

static bool should_stop(void *context)
{
    struct clock *clock = context;
    return linpred__run_should_stop(clock->run, "absolute", clock->effort->steps, clock->effort->passes, NAN);
}

static void close_active(struct active *active)
{
    linpred__release(active->row);
    linpred__release(active->x);
    linpred__release(active->y);
    linpred__release(active->basis);
    linpred__release(active->solution);
}

static bool open_active(struct active *active, size_t capacity, size_t rank)
{
    *active = (struct active){.row = linpred__alloc(capacity, sizeof(int64_t)),
                              .x = linpred__alloc(capacity * rank, sizeof(double)),
                              .y = linpred__alloc(4 * capacity, sizeof(double)),
                              .basis = linpred__alloc(rank, sizeof(int64_t)),
                              .solution = linpred__alloc(2 * rank, sizeof(double))};
    return active->row && active->x && active->y && active->basis && active->solution;
}

/* Lists the rows, then the rows of the basis that are not among them. */
static void list_rows(linpred__deviation_rows rows, const int64_t *basis, int32_t rank, struct active *active)
{
    active->total = rows.count;
    memcpy(active->row, rows.row, (size_t)rows.count * sizeof *rows.row);
    for (int32_t k = 0; k < rank; k++)
        active->basis[k] = -1;
    for (int64_t i = 0; i < rows.count; i++)
        for (int32_t k = 0; k < rank; k++)
            if (rows.row[i] == basis[k])
                active->basis[k] = i;
    for (int32_t k = 0; k < rank; k++)
        if (active->basis[k] < 0) {
            active->basis[k] = active->total;
            active->row[active->total++] = basis[k];
        }
}

/* x, y, up and down of the active rows. */
static void gather_active(const linpred__deviations *question, const linpred__deviation_span *span, double perturbation,
                          struct active *active)
{
    int64_t total = active->total;
    double *up = active->y + total, *down = up + total;
    for (int64_t i = 0; i < total; i++) {
        int32_t at;
        const linpred__block *block = linpred__block_of(question->design.data, active->row[i], &at);
        active->y[i] = linpred__deviations_perturbed(question, perturbation, block, at);
        linpred__deviations_slopes(question, block, at, &up[i], &down[i]);
        const double *x = linpred__design_row_in_place(&question->design, block, at);
        if (x) {
            for (int32_t k = 0; k < span->rank; k++)
                active->x[(int64_t)k * total + i] = span->column[k] < block->columns ? x[span->column[k]] : 1.0;
            continue;
        }
        linpred__deviations_fetch(question, active->row[i], &at);
        for (int32_t k = 0; k < span->rank; k++)
            active->x[(int64_t)k * total + i] = question->scratch[span->column[k]];
    }
}

/* Writes the vertex with row numbers of the data and coefficients of all columns. */
static void read_vertex(const linpred__deviation_span *span, int32_t width, const struct active *active,
                        linpred__deviation_vertex *vertex)
{
    memset(vertex->w, 0, (size_t)width * sizeof(double));
    for (int32_t k = 0; k < span->rank; k++) {
        vertex->w[span->column[k]] = active->solution[k];
        vertex->basis[k] = active->row[active->basis[k]];
    }
}

static linpred__absolute_end run_simplex(int32_t rank, const double *c, struct clock *clock, bool near_optimum,
                                         struct active *active, int64_t *steps)
{
    int64_t total = active->total;
    linpred__absolute problem = {.columns = rank,
                                 .rows = total,
                                 .x = active->x,
                                 .y = active->y,
                                 .up = active->y + total,
                                 .down = active->y + 2 * total,
                                 .c = c,
                                 .stop = should_stop,
                                 .context = clock,
                                 .pool = clock->run->pool,
                                 .near_optimum = near_optimum,
                                 .basis = active->basis,
                                 .w = active->solution,
                                 .dual = active->solution + rank,
                                 .residual = active->y + 3 * total};
    linpred__absolute_end end = linpred__absolute_solve(&problem);
    *steps = problem.steps;
    return end;
}

linpred_status linpred__deviations_solve(const linpred__deviations *question, const linpred__deviation_span *span,
                                         linpred__deviation_rows rows, linpred__deviation_vertex *vertex,
                                         linpred__deviation_effort *effort, linpred_error *error)
{
    if (span->rank == 0)
        return LINPRED_OK;
    struct active active;
    struct clock clock = {question->design.run, effort};
    linpred__absolute_end end = LINPRED__ABSOLUTE_NO_MEMORY;
    if (open_active(&active, (size_t)rows.count + (size_t)span->rank, (size_t)span->rank)) {
        int64_t steps = 0;
        list_rows(rows, vertex->basis, span->rank, &active);
        gather_active(question, span, vertex->perturbation, &active);
        end = run_simplex(span->rank, rows.c, &clock, vertex->near_optimum, &active, &steps);
        if (end == LINPRED__ABSOLUTE_DONE) {
            read_vertex(span, question->design.width, &active, vertex);
            effort->steps += steps;
            effort->rounds++;
            effort->active_rows = active.total > effort->active_rows ? active.total : effort->active_rows;
        }
    }
    close_active(&active);
    if (end == LINPRED__ABSOLUTE_NO_MEMORY)
        return linpred__no_memory(error);
    vertex->singular = end != LINPRED__ABSOLUTE_DONE;
    return LINPRED_OK;
}
