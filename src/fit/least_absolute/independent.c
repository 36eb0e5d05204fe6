/* Finds independent columns, and equally many independent rows as a first basis.
 *
 * QR in double-double of a sample of rows tells which columns depend on others, X n = 0. One pass tries these n on all
 * rows; rows that break one join the sample, until none does.
 */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/blas.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/tree.h"
#include "fit/distinct_columns.h"
#include "fit/least_absolute/limits.h"
#include "fit/least_absolute/row.h"
#include "solve/dense/cholesky.h"
#include "solve/dense/dd_qr.h"
#include "model/limits.h"

void linpred__deviation_span_clear(linpred__deviation_span *span)
{
    linpred__release(span->column);
    linpred__release(span->null);
    *span = (linpred__deviation_span){0};
}

/* ---- rows that break a dependency ---- */

struct outside {
    const linpred__deviations *question;
    const linpred__dd_solution *solution;
};

struct farthest {
    double *row;    /* scratch of one row, 2 width */
    double *ratio;  /* for each dependency n, the largest |<x,n>| / Σ|x_j n_j| of any row */
    int64_t *where; /* the row that has it */
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
    size_t p = (size_t)((struct outside *)context)->question->design.width;
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
    int32_t p = outside->question->design.width, rank = outside->solution->rank;
    for (int32_t r = 0; r < block->rows; r++) {
        linpred__design_row(&outside->question->design, block, r, f->row, f->row + p);
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
    for (int32_t k = 0; k < outside->question->design.width - outside->solution->rank; k++)
        if (b->ratio[k] > a->ratio[k] || (b->ratio[k] == a->ratio[k] && b->ratio[k] > 0 && b->where[k] < a->where[k])) {
            a->ratio[k] = b->ratio[k];
            a->where[k] = b->where[k];
        }
}

static void list_farthest(void *context, void *state, linpred__state_pieces *pieces)
{
    size_t p = (size_t)((struct outside *)context)->question->design.width;
    struct farthest *f = state;
    linpred__state_piece(pieces, f->ratio, p * sizeof *f->ratio);
    linpred__state_piece(pieces, f->where, p * sizeof *f->where);
}

/* For each dependency that some row breaks, adds the row with the largest ratio to `rows`, which may be reallocated. */
static linpred_status add_outside(const linpred__deviations *question, const linpred__dd_solution *solution,
                                  int64_t **rows, int64_t *count, bool *added, linpred_error *error)
{
    const linpred__design *design = &question->design;
    struct outside outside = {question, solution};
    linpred__visitor visitor = {sizeof(struct farthest), init_farthest, find_farthest, merge_farthest,
                                clear_farthest,          &outside,      list_farthest};
    struct farthest f;
    linpred_status status = linpred__pass(design->data, design->run->pool, &visitor, &f, error);
    if (status != LINPRED_OK)
        return status;
    *added = false;
    int64_t *grown = linpred__resize(*rows, (size_t)(*count + design->width), sizeof *grown);
    if (!grown) {
        clear_farthest(&outside, &f);
        return linpred__no_memory(error);
    }
    *rows = grown;
    for (int32_t k = 0; k < design->width - solution->rank; k++) {
        bool there = false;
        for (int64_t i = 0; i < *count; i++)
            there = there || grown[i] == f.where[k];
        if (f.ratio[k] > LINPRED__DEPENDENCY_TOLERANCE && !there) {
            grown[(*count)++] = f.where[k];
            *added = true;
        }
    }
    clear_farthest(&outside, &f);
    return LINPRED_OK;
}

/* ---- columns ---- */

/* The rows that columns are judged by, and the columns that are known not to depend on others. */
struct looked_at {
    int64_t *rows;
    int64_t count;
    bool *distinct;
};

/* Computes the triangle R of these rows. If the run is stopped meanwhile, R is incomplete. */
static void absorb_rows(const linpred__deviations *question, const int64_t *rows, int64_t count,
                        const linpred__deviation_effort *effort, linpred__dd *r, linpred__dd *row)
{
    linpred__run *run = question->design.run;
    size_t p = (size_t)question->design.width, n = p + 1;
    double work = 0.0;
    for (int64_t i = 0; i < count && run->stopped == LINPRED__NOT_STOPPED; i++) {
        int32_t at;
        linpred__deviations_fetch(question, rows[i], &at);
        for (size_t j = 0; j < p; j++)
            row[j] = (linpred__dd){question->scratch[j], question->scratch[p + j]};
        row[p] = (linpred__dd){0.0, 0.0};
        linpred__dd_qr_absorb((int32_t)n, r, 1, 1, row);
        work += (double)n * (double)n;
        if (work > LINPRED__DEVIATIONS_WORK_A_LOOK) {
            work = 0.0;
            linpred__run_should_stop(run, "absolute", effort->steps, effort->passes, NAN);
        }
    }
}

/* Whether all columns of these rows are far from dependent, by the factor of their Gram matrix in doubles. Then the QR
   in double-double would only say the same, after a hundred times the work. */
static linpred_status all_independent(const linpred__deviations *question, const int64_t *rows, int64_t count,
                                      const int32_t *order, bool *independent, linpred_error *error)
{
    int32_t p = question->design.width;
    size_t width = (size_t)p;
    linpred__cholesky cholesky = {0};
    double *gram = linpred__calloc(width * width, sizeof *gram);
    double *chunk = linpred__alloc(LINPRED__DEVIATIONS_CHUNK * width, sizeof *chunk);
    bool made = gram && chunk && linpred__cholesky_open(p, &cholesky);
    linpred__blas_enter();
    for (int64_t i = 0, used = 0; made && i < count; i++) {
        int32_t at;
        linpred__deviations_fetch(question, rows[i], &at);
        memcpy(chunk + used * p, question->scratch, width * sizeof *chunk);
        if (++used == LINPRED__DEVIATIONS_CHUNK || i == count - 1) {
            cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, p, (int)used, 1.0, chunk, p, 1.0, gram, p);
            used = 0;
        }
    }
    for (size_t j = 0; made && j < width; j++)
        for (size_t k = 0; k < j; k++)
            gram[j * width + k] = gram[k * width + j];
    *independent = made && linpred__cholesky_factor(&cholesky, gram, p, order, 0.0) &&
                   linpred__cholesky_min_remainder(&cholesky) > LINPRED__DEVIATIONS_INDEPENDENT;
    linpred__blas_leave();
    linpred__cholesky_close(&cholesky);
    linpred__release(gram);
    linpred__release(chunk);
    return made ? LINPRED_OK : linpred__no_memory(error);
}

/* The order in which columns are chosen: the intercept first, so that other columns are found to depend on it. NULL:
   out of memory. */
static int32_t *column_order(const linpred__design *design)
{
    int32_t p = design->width, *order = linpred__alloc((size_t)p, sizeof *order);
    for (int32_t i = 0; order && i < p; i++)
        order[i] = design->basis.has_intercept ? (i == 0 ? p - 1 : i - 1) : i;
    return order;
}

static linpred_status span_by_qr(const linpred__deviations *question, const struct looked_at *looked,
                                 const int32_t *order, const linpred__deviation_effort *effort,
                                 linpred__dd_solution *solution, linpred_error *error)
{
    const linpred__design *design = &question->design;
    size_t n = (size_t)design->width + 1;
    linpred__dd *r = linpred__calloc(n * n, sizeof *r);
    linpred__dd *row = linpred__calloc(n, sizeof *row);
    bool complete = r && row;
    if (complete)
        absorb_rows(question, looked->rows, looked->count, effort, r, row);
    bool stopped = design->run->stopped != LINPRED__NOT_STOPPED;
    complete = complete && (stopped || linpred__dd_solve(design->width, r, order, LINPRED__RANK_THRESHOLD,
                                                         looked->distinct, solution));
    linpred__release(r);
    linpred__release(row);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

/* Independent columns and dependencies of these rows. If the run is stopped, the solution stays empty. */
static linpred_status span_of(const linpred__deviations *question, const struct looked_at *looked,
                              const linpred__deviation_effort *effort, linpred__dd_solution *solution,
                              linpred_error *error)
{
    bool independent = false;
    int32_t *order = column_order(&question->design);
    linpred_status status = order ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK && question->design.width >= LINPRED__DEVIATIONS_LOOK_COLUMNS)
        status = all_independent(question, looked->rows, looked->count, order, &independent, error);
    if (status == LINPRED_OK && independent) {
        *solution = (linpred__dd_solution){.rank = question->design.width, .order = order};
        return LINPRED_OK;
    }
    if (status == LINPRED_OK)
        status = span_by_qr(question, looked, order, effort, solution, error);
    linpred__release(order);
    return status;
}

/* ---- rows ---- */

/* Finds as many independent rows as there are independent columns, by elimination with the largest pivots. */
static linpred_status first_basis(const linpred__deviations *question, const linpred__deviation_span *span,
                                  const int64_t *rows, int64_t count, int64_t *basis, linpred_error *error)
{
    size_t n = (size_t)span->rank;
    if (span->rank > count) /* entries of some columns have underflowed */
        return linpred__design_lost(&question->design, error);
    double *matrix = linpred__alloc((size_t)count * n, sizeof *matrix);
    lapack_int *pivot = linpred__alloc(n, sizeof *pivot);
    int64_t *order = linpred__alloc((size_t)count, sizeof *order);
    bool complete = matrix && pivot && order;
    for (int64_t i = 0; complete && i < count; i++) {
        int32_t at;
        linpred__deviations_fetch(question, rows[i], &at);
        order[i] = rows[i];
        for (size_t k = 0; k < n; k++)
            matrix[k * (size_t)count + (size_t)i] = question->scratch[span->column[k]];
    }
    if (complete && n > 0)
        LAPACKE_dgetrf(LAPACK_COL_MAJOR, (lapack_int)count, (lapack_int)n, matrix, (lapack_int)count, pivot);
    for (size_t k = 0; complete && k < n; k++) {
        int64_t other = pivot[k] - 1, held = order[k];
        order[k] = order[other];
        order[other] = held;
        basis[k] = order[k];
    }
    linpred__release(matrix);
    linpred__release(pivot);
    linpred__release(order);
    return complete ? LINPRED_OK : linpred__no_memory(error);
}

/* Takes rank, columns and dependencies from the solution. */
static bool take_span(int32_t width, linpred__dd_solution *solution, linpred__deviation_span *span)
{
    *span = (linpred__deviation_span){.rank = solution->rank, .dependencies = width - solution->rank};
    span->column = linpred__alloc((size_t)width, sizeof *span->column);
    if (!span->column)
        return false;
    memcpy(span->column, solution->order, (size_t)solution->rank * sizeof *span->column);
    span->null = solution->null;
    solution->null = NULL;
    return true;
}

/* ---- without a span ---- */

struct weighted_target {
    double y, weight;
    int64_t row;
};

static int by_target(const void *a, const void *b)
{
    const struct weighted_target *p = a, *q = b;
    return p->y < q->y ? -1 : p->y > q->y;
}

/* A row at the quantile of the targets: the weights below it and above it are at most τ and 1 - τ of all. */
static linpred_status find_quantile_row(const linpred__deviations *question, int64_t *row, linpred_error *error)
{
    const linpred_data *data = question->design.data;
    struct weighted_target *target = linpred__alloc((size_t)data->rows, sizeof *target);
    if (!target)
        return linpred__no_memory(error);
    double weight = 0.0, below = 0.0;
    for (int64_t i = 0; i < data->rows; i++) {
        int32_t r;
        const linpred__block *block = linpred__block_of(data, i, &r);
        target[i] =
            (struct weighted_target){linpred__deviations_target(question, block, r), linpred__row_weight(block, r), i};
        weight += target[i].weight;
    }
    qsort(target, (size_t)data->rows, sizeof *target, by_target);
    int64_t k = 0;
    while (k < data->rows - 1 && below + target[k].weight < question->quantile * weight)
        below += target[k++].weight;
    *row = target[k].row;
    linpred__release(target);
    return LINPRED_OK;
}

linpred_status linpred__deviations_intercept(const linpred__deviations *question, linpred__deviation_span *span,
                                             int64_t *basis, linpred_error *error)
{
    bool has_intercept = question->design.basis.has_intercept;
    *span = (linpred__deviation_span){.rank = has_intercept, .unknown = true};
    span->column = linpred__alloc(1, sizeof *span->column);
    if (!span->column)
        return linpred__no_memory(error);
    span->column[0] = question->design.width - 1;
    return has_intercept ? find_quantile_row(question, basis, error) : LINPRED_OK;
}

linpred_status linpred__deviations_span(const linpred__deviations *question, const int64_t *sample, int64_t samples,
                                        linpred__deviation_span *span, int64_t *basis,
                                        linpred__deviation_effort *effort, linpred_error *error)
{
    int32_t width = question->design.width;
    linpred__dd_solution solution = {0};
    bool again = true, stopped = false;
    struct looked_at looked = {linpred__alloc((size_t)samples, sizeof *looked.rows), samples,
                               linpred__calloc((size_t)width, sizeof *looked.distinct)};
    linpred_status status = looked.rows && looked.distinct ? LINPRED_OK : linpred__no_memory(error);
    if (status == LINPRED_OK)
        memcpy(looked.rows, sample, (size_t)samples * sizeof *looked.rows);
    while (status == LINPRED_OK && again) {
        again = false;
        linpred__dd_solution_clear(&solution);
        status = span_of(question, &looked, effort, &solution, error);
        stopped = question->design.run->stopped != LINPRED__NOT_STOPPED;
        bool dependent = status == LINPRED_OK && !stopped && solution.rank < width;
        if (dependent && looked.count < question->design.data->rows) {
            status = add_outside(question, &solution, &looked.rows, &looked.count, &again, error);
            effort->passes++;
        }
        if (dependent && status == LINPRED_OK && !again && question->design.basis.polynomials == 0)
            status = linpred__find_distinct_columns(&question->design, &solution, looked.distinct, &again, error);
        if (dependent && status == LINPRED_OK && !again && question->design.basis.polynomials == 0)
            status = linpred__find_distinct_about_first(&question->design, &solution, looked.distinct, &again, error);
    }
    if (status == LINPRED_OK && stopped)
        status = linpred__deviations_intercept(question, span, basis, error);
    else if (status == LINPRED_OK && !take_span(width, &solution, span))
        status = linpred__no_memory(error);
    else if (status == LINPRED_OK)
        status = first_basis(question, span, looked.rows, looked.count, basis, error);
    linpred__dd_solution_clear(&solution);
    linpred__release(looked.rows);
    linpred__release(looked.distinct);
    return status;
}
