/* Dependent columns of a logistic fit, and the minimum norm among equal fits.
 *
 * A dependency is a vector n with <n,(x,1)> = 0 in every row. It comes from the Gram matrix G and is tried on every row
 * in exact arithmetic: rounded to small fractions where that is near; if it has two parts, with the proportion that a
 * row has; else as it is, set right on its own columns by what it leaves in the rows, n <- n - G^-1 X'V X n. Of all
 * fits (w,b) + Σ a_k n_k, which are the same predictor, the one of minimum norm (b counted) is (w,b) less its
 * projection on the n_k.
 *
 * One that holds but to 2^-44 is taken for rounding of the file's numbers: the fit then is that of coefficients which
 * respect it. One that holds less well is none, however near: rows may be separated by what it leaves.
 */
#include <math.h>
#include <string.h>

#include "num/dd.h"
#include "core/error.h"
#include "core/memory.h"
#include "pass/dependence.h"
#include "pass/fused.h"
#include "data/row.h"
#include "num/fractions.h"
#include "minimise/logistic.h"

enum { MOST_REFINEMENTS = 3 };

static const double rounding = 0x1p-44; /* as for least squares */

void linpred__null_vector(const double *a, int32_t n, const linpred__cholesky *factor, const int32_t *keep, int32_t k,
                          double *scratch, double *null)
{
    memset(null, 0, (size_t)n * sizeof *null);
    null[k] = 1.0;
    double length = a[(int64_t)k * n + k];
    if (!(length > 0))
        return;
    for (int32_t i = 0; i < factor->n; i++)
        scratch[i] = a[(int64_t)keep[i] * n + k];
    linpred__cholesky_solve(factor, scratch);
    for (int32_t i = 0; i < factor->n; i++) {
        int32_t j = keep[i];
        double part = scratch[i] * sqrt(a[(int64_t)j * n + j] / length); /* of the length of column k */
        if (fabs(part) > 1e-7)
            null[j] = -scratch[i];
    }
}

/* w <- w - N (N'N)^-1 N'w for the `count` rows n of `null`, each scaled to length 1. Twice, which heals rounding. */
static bool project(double *null, int32_t count, int32_t d, double *w)
{
    linpred__cholesky cholesky;
    double *product = linpred__alloc((size_t)count * (size_t)count, sizeof *product);
    double *part = linpred__alloc((size_t)count, sizeof *part);
    int32_t *all = linpred__alloc((size_t)count, sizeof *all);
    bool made = product && part && all && linpred__cholesky_open(count, &cholesky);
    for (int32_t i = 0; made && i < count; i++) {
        all[i] = i;
        for (int32_t l = 0; l <= i; l++) {
            double sum = 0.0;
            for (int32_t j = 0; j < d; j++)
                sum += null[(int64_t)i * d + j] * null[(int64_t)l * d + j];
            product[(int64_t)i * count + l] = product[(int64_t)l * count + i] = sum;
        }
    }
    if (made && linpred__cholesky_factor(&cholesky, product, count, all, 0.0))
        for (int twice = 0; twice < 2; twice++) {
            for (int32_t i = 0; i < count; i++) {
                part[i] = 0.0;
                for (int32_t j = 0; j < d; j++)
                    part[i] += null[(int64_t)i * d + j] * w[j];
            }
            linpred__cholesky_solve(&cholesky, part);
            for (int32_t i = 0; i < count; i++)
                for (int32_t j = 0; j < d; j++)
                    w[j] -= part[i] * null[(int64_t)i * d + j];
        }
    if (made)
        linpred__cholesky_close(&cholesky);
    linpred__release(product);
    linpred__release(part);
    linpred__release(all);
    return made;
}

/* ---- trying them ------------------------------------------------------------------------------------------------- */

struct null {
    linpred__newton *newton;
    int32_t count;
    int32_t *column; /* the one left out for which each stands */
    double *inside;  /* by rows, as the Gram matrix gives it: in the units of v */
    double *file;    /* the same in the file's units: what is kept */
    double *other;   /* another try */
    double *worst;   /* how nearly each holds */
    double *now;     /* the same of the other try */
};

static void null_close(struct null *null)
{
    linpred__release(null->column);
    linpred__release(null->inside);
    linpred__release(null->other);
    linpred__release(null->worst);
    linpred__release(null->now);
}

static bool null_open(linpred__newton *newton, struct null *null)
{
    int32_t d = newton->problem->dimension;
    linpred__dependencies *dependencies = &newton->problem->fit->result->dependencies;
    *null = (struct null){.newton = newton, .count = d - newton->rank};
    size_t count = (size_t)null->count;
    null->column = linpred__alloc(count, sizeof *null->column);
    null->inside = linpred__calloc(count * (size_t)d, sizeof(double));
    null->other = linpred__calloc(count * (size_t)d, sizeof(double));
    null->worst = linpred__alloc(count, sizeof(double));
    null->now = linpred__alloc(count, sizeof(double));
    if (null->column && null->inside && null->other && null->worst && null->now &&
        linpred__dependencies_open(dependencies, null->count, d)) {
        null->file = dependencies->vector;
        return true;
    }
    null_close(null);
    return false;
}

/* All vectors against all rows: one pass. */
static linpred_status try_all(struct null *null, const double *vectors, double *worst, linpred_error *error)
{
    linpred__logistic *problem = null->newton->problem;
    problem->passes++;
    return linpred__dependence(problem->fit->problem.data, problem->fit->run.pool, problem->has_intercept, vectors,
                               null->count, worst, error);
}

/* Takes those of the other try that hold better. */
static void take_better(struct null *null)
{
    int32_t d = null->newton->problem->dimension;
    for (int32_t k = 0; k < null->count; k++)
        if (null->now[k] < null->worst[k]) {
            memcpy(null->file + (int64_t)k * d, null->other + (int64_t)k * d, (size_t)d * sizeof(double));
            null->worst[k] = null->now[k];
        }
}

/* In the file's units, its own column's part 1. */
static void to_file(const struct null *null, int32_t k, double *to)
{
    const linpred__logistic *problem = null->newton->problem;
    linpred__logistic_to_file(problem, null->inside + (int64_t)k * problem->dimension, to);
    for (int32_t j = 0; j < problem->dimension; j++)
        to[j] /= problem->unit[null->column[k]];
}

/* ---- two columns in proportion ------------------------------------------------------------------------------------
 */

static double entry_of(const linpred__logistic *problem, int64_t row, int32_t column)
{
    const linpred_data *data = problem->fit->problem.data;
    int32_t r;
    const linpred__block *block = linpred__block_of(data, row, &r);
    linpred__entries entries = linpred__entries_of(block, r);
    if (column == data->columns)
        return 1.0;
    for (int64_t i = 0; i < entries.count; i++)
        if (linpred__entry_column(&entries, i) == column)
            return entries.values[i];
    return 0.0;
}

/* If n has two parts: the proportion of the first row where it shows, which a constant like 0.1 has in doubles. */
static bool take_proportion(const linpred__logistic *problem, const double *n, double *to)
{
    int32_t place[2], parts = 0;
    for (int32_t j = 0; j < problem->dimension; j++)
        if (n[j] != 0.0) {
            if (parts == 2)
                return false;
            place[parts++] = j;
        }
    for (int64_t row = 0; parts == 2 && row < problem->fit->problem.data->rows; row++) {
        double a = entry_of(problem, row, place[0]), b = entry_of(problem, row, place[1]);
        if (a == 0.0 || b == 0.0)
            continue;
        memset(to, 0, (size_t)problem->dimension * sizeof *to);
        to[place[0]] = b;
        to[place[1]] = -a;
        return true;
    }
    return false;
}

static linpred_status try_proportions(struct null *null, linpred_error *error)
{
    const linpred__logistic *problem = null->newton->problem;
    int32_t d = problem->dimension, tries = 0;
    memcpy(null->other, null->file, (size_t)null->count * (size_t)d * sizeof(double));
    for (int32_t k = 0; k < null->count; k++)
        tries +=
            null->worst[k] > 0 && take_proportion(problem, null->file + (int64_t)k * d, null->other + (int64_t)k * d);
    if (tries == 0)
        return LINPRED_OK;
    linpred_status status = try_all(null, null->other, null->now, error);
    for (int32_t k = 0; status == LINPRED_OK && k < null->count; k++)
        if (null->now[k] > 0)
            null->now[k] = INFINITY; /* it must hold exactly to be preferred */
    if (status == LINPRED_OK)
        take_better(null);
    return status;
}

/* ---- setting right ----------------------------------------------------------------------------------------------- */

struct left {
    const linpred__logistic *problem;
    const double *n; /* in the units of the problem's data */
    double b;
};

/* What n leaves in each row, in double-double. */
static void left_rows(void *context, const linpred__block *block, const double *z, double *loss, double *r,
                      double *curvature)
{
    const struct left *left = context;
    (void)z;
    for (int32_t i = 0; i < block->rows; i++) {
        linpred__entries row = linpred__entries_of(block, i);
        linpred__dd sum = {left->b, 0.0};
        for (int64_t k = 0; k < row.count; k++)
            sum = linpred__dd_add(sum, linpred__two_product(row.values[k], left->n[linpred__entry_column(&row, k)]));
        double weight = linpred__row_weight(block, i) * left->problem->class_weight[block->target[i] > 0];
        r[i] = 0.25 * weight * sum.hi;
        loss[i] = curvature[i] = 0.0;
    }
}

/* One step of n, on the columns that it has parts in. `room` is three times as long as it. */
static linpred_status refine(struct null *null, int32_t k, double *room, linpred_error *error)
{
    linpred__logistic *problem = null->newton->problem;
    int32_t d = problem->dimension, columns = problem->data->columns, n = 0;
    double *inside = null->inside + (int64_t)k * d, *data_n = room, *gradient = room + d, *step = room + 2 * (int64_t)d;
    int32_t *support = linpred__alloc((size_t)d, sizeof *support);
    linpred__cholesky cholesky;
    if (!support)
        return linpred__no_memory(error);
    for (int32_t j = 0; j < d; j++) {
        data_n[j] = problem->data_unit[j] * inside[j];
        if (inside[j] != 0.0 && j != null->column[k])
            support[n++] = j;
    }
    struct left left = {problem, data_n, problem->has_intercept ? data_n[columns] : 0.0};
    for (int32_t j = 0; problem->centred && j < columns; j++)
        left.b -= problem->center[j] * data_n[j];
    linpred__fused fused = {.weights = data_n,
                            .intercept = left.b,
                            .has_intercept = problem->has_intercept,
                            .row_function = left_rows,
                            .context = &left,
                            .center = problem->centred ? problem->center : NULL,
                            .gradient = gradient};
    bool opened = n > 0 && linpred__cholesky_open(n, &cholesky);
    linpred_status status = opened || n == 0 ? LINPRED_OK : linpred__no_memory(error);
    if (opened && linpred__cholesky_factor(&cholesky, null->newton->gram, d, support, 0.0)) {
        status = linpred__fused_pass(problem->data, problem->fit->run.pool, &fused, error);
        problem->passes++;
        for (int32_t i = 0; i < n; i++)
            step[i] = -gradient[support[i]] * problem->data_unit[support[i]] / problem->weight;
        linpred__cholesky_solve(&cholesky, step);
        for (int32_t i = 0; status == LINPRED_OK && i < n; i++)
            inside[support[i]] += step[i];
    }
    if (opened)
        linpred__cholesky_close(&cholesky);
    linpred__release(support);
    return status;
}

/* Those that are no dependencies yet, as the Gram matrix gives them. */
static linpred_status try_refined(struct null *null, linpred_error *error)
{
    int32_t d = null->newton->problem->dimension;
    double *room = linpred__alloc(3 * (size_t)d, sizeof *room);
    linpred_status status = room ? LINPRED_OK : linpred__no_memory(error);
    bool open = true;
    for (int times = 0; status == LINPRED_OK && open && times < MOST_REFINEMENTS; times++) {
        open = false;
        memcpy(null->other, null->file, (size_t)null->count * (size_t)d * sizeof(double));
        for (int32_t k = 0; status == LINPRED_OK && k < null->count; k++) {
            if (null->worst[k] <= rounding)
                continue;
            open = true;
            if (times > 0)
                status = refine(null, k, room, error);
            to_file(null, k, null->other + (int64_t)k * d);
        }
        if (status == LINPRED_OK && open)
            status = try_all(null, null->other, null->now, error);
        if (status == LINPRED_OK && open)
            take_better(null);
    }
    linpred__release(room);
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

/* The null vector of each column left out. */
static linpred_status find_vectors(struct null *null, linpred_error *error)
{
    linpred__newton *newton = null->newton;
    int32_t d = newton->problem->dimension, found = 0;
    linpred__cholesky gram;
    double *scratch = linpred__alloc((size_t)newton->rank, sizeof *scratch);
    if (!scratch || !linpred__cholesky_open(newton->rank, &gram)) {
        linpred__release(scratch);
        return linpred__no_memory(error);
    }
    if (linpred__cholesky_factor(&gram, newton->gram, d, newton->keep, 0.0))
        for (int32_t k = 0, next = 0; k < d; k++) {
            if (next < newton->rank && newton->keep[next] == k) {
                next++;
                continue;
            }
            double *n = null->file + (int64_t)found * d;
            linpred__null_vector(newton->gram, d, &gram, newton->keep, k, scratch, null->inside + (int64_t)found * d);
            null->column[found] = k;
            to_file(null, found++, n);
            (void)linpred__round_to_fractions(n, d);
        }
    linpred__cholesky_close(&gram);
    linpred__release(scratch);
    newton->apart = found < null->count;
    return LINPRED_OK;
}

static linpred_status find_dependencies(linpred__newton *newton, linpred_error *error)
{
    linpred_result *result = newton->problem->fit->result;
    struct null null;
    if (!null_open(newton, &null))
        return linpred__no_memory(error);
    linpred_status status = find_vectors(&null, error);
    if (status == LINPRED_OK && !newton->apart)
        status = try_all(&null, null.file, null.worst, error);
    if (status == LINPRED_OK && !newton->apart)
        status = try_proportions(&null, error);
    if (status == LINPRED_OK && !newton->apart)
        status = try_refined(&null, error);
    for (int32_t k = 0; status == LINPRED_OK && !newton->apart && k < null.count; k++) {
        result->dependencies.exact[k] = null.worst[k] == 0.0;
        newton->inexact += null.worst[k] != 0.0;
        newton->apart = newton->apart || null.worst[k] > rounding;
    }
    null_close(&null);
    return status;
}

linpred_status linpred__logistic_dependencies(linpred__newton *newton, linpred_error *error)
{
    linpred__logistic *problem = newton->problem;
    linpred__dependencies *dependencies = &problem->fit->result->dependencies;
    int32_t d = problem->dimension;
    if (d == newton->rank || dependencies->count > 0)
        return LINPRED_OK;
    linpred_status status = find_dependencies(newton, error);
    if (status != LINPRED_OK || newton->apart) {
        linpred__dependencies_clear(dependencies);
        return status;
    }
    linpred__logistic_to_file(problem, newton->point.v, problem->w);
    if (!project(dependencies->vector, dependencies->count, d, problem->w) ||
        !linpred__dependencies_write(dependencies, problem->fit->result->model.recipe))
        return linpred__no_memory(error);
    linpred__logistic_from_file(problem, problem->w, newton->point.v);
    newton->evaluated = false;
    newton->factor = LINPRED__FACTOR_NONE;
    return LINPRED_OK;
}
