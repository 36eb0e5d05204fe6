/* Mehrotra's method for the dual of absolute regression (see the header). */
#include "solve/absolute/interior.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/memory.h"
#include "num/select.h"
#include "solve/absolute/limits.h"
#include "solve/dense/normal_equations.h"

/* The vectors of the method, each `rows` long. */
enum { LOW, HIGH, Z, V, Q, STEP, DZ, DV, RIGHT, VALUE, LOW_PART, HIGH_PART, VECTORS };

struct interior_point {
    /* Of X and Q. */
    linpred__normal_equations equations;
    const linpred__absolute *problem;
    int64_t n;         /* rows */
    int32_t p;         /* columns */
    double *memory;    /* holds the vectors */
    double *low;       /* l = a + down */
    double *high;      /* u = up - a */
    double *z;         /* multiplier of l >= 0 */
    double *v;         /* multiplier of u >= 0 */
    double *q;         /* Q; 0 for a row without slopes */
    double *step;      /* da */
    double *dz;        /* change of z */
    double *dv;        /* change of v */
    double *right;     /* scratch */
    double *value;     /* X dw */
    double *low_part;  /* wanted change of l z */
    double *high_part; /* wanted change of u v */
    double *w;         /* p */
    double *dw;        /* p */
    double *missing;   /* p: -(X'a + c) */
};

static bool open_interior_point(struct interior_point *work)
{
    size_t n = (size_t)work->n, p = (size_t)work->p;
    work->memory = linpred__calloc(VECTORS * n, sizeof(double));
    work->equations.matrix = linpred__calloc(p * p, sizeof(double));
    work->w = linpred__calloc(3 * p, sizeof(double));
    if (!work->memory || !work->equations.matrix || !work->w)
        return false;
    double **vector[VECTORS] = {[LOW] = &work->low,
                                [HIGH] = &work->high,
                                [Z] = &work->z,
                                [V] = &work->v,
                                [Q] = &work->q,
                                [STEP] = &work->step,
                                [DZ] = &work->dz,
                                [DV] = &work->dv,
                                [RIGHT] = &work->right,
                                [VALUE] = &work->value,
                                [LOW_PART] = &work->low_part,
                                [HIGH_PART] = &work->high_part};
    for (size_t k = 0; k < VECTORS; k++)
        *vector[k] = work->memory + k * n;
    work->dw = work->w + p;
    work->missing = work->dw + p;
    return true;
}

static void close_interior_point(struct interior_point *work)
{
    linpred__release(work->memory);
    linpred__release(work->equations.matrix);
    linpred__release(work->w);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool has_slope(const struct interior_point *work, int64_t i)
{
    return work->problem->up[i] + work->problem->down[i] > 0.0;
}

/* Starts from least squares and a = 0. z and v are the two parts of the residuals, moved away from 0. */
static bool start_point(struct interior_point *work)
{
    const linpred__absolute *problem = work->problem;
    for (int64_t i = 0; i < work->n; i++)
        work->q[i] = has_slope(work, i) ? 1.0 : 0.0;
    if (!linpred__normal_factor(&work->equations, work->q, NULL))
        return false;
    for (int64_t i = 0; i < work->n; i++)
        work->right[i] = work->q[i] * problem->y[i];
    linpred__normal_times_transposed(&work->equations, work->right, 0.0, work->w);
    linpred__normal_solve(&work->equations, work->w);
    linpred__normal_times(&work->equations, work->w, 0.0, work->right);
    double size = 0.0;
    for (int64_t i = 0; i < work->n; i++)
        size += fabs(problem->y[i] - work->right[i]) / (double)work->n;
    for (int64_t i = 0; i < work->n; i++) {
        double residual = problem->y[i] - work->right[i], away = LINPRED__ABSOLUTE_AWAY * size;
        work->z[i] = (residual < 0.0 ? -residual : 0.0) + away;
        work->v[i] = (residual > 0.0 ? residual : 0.0) + away;
        double range = problem->up[i] + problem->down[i], least = LINPRED__ABSOLUTE_AWAY * range;
        work->low[i] = fmax(problem->down[i], least);
        work->high[i] = range - work->low[i];
        if (work->high[i] < least) {
            work->high[i] = least;
            work->low[i] = range - least;
        }
    }
    return size > 0.0 && isfinite(size);
}

/* μ of the point; *gap is the sum of all l z + u v relative to the loss. */
static double measure_point(struct interior_point *work, double *gap)
{
    const linpred__absolute *problem = work->problem;
    double sum = 0.0, loss = 0.0;
    int64_t bounds = 0;
    for (int64_t i = 0; i < work->n; i++) {
        if (!has_slope(work, i))
            continue;
        sum += work->low[i] * work->z[i] + work->high[i] * work->v[i];
        loss += problem->up[i] * work->v[i] + problem->down[i] * work->z[i];
        bounds += 2;
    }
    *gap = sum / loss;
    return sum / (double)bounds;
}

/* Newton's step, in which l z and u v change by low_part and high_part:
       X'QX dw = -missing + X'Qg,   da = Q (g - X dw)   with   g = low_part/l - high_part/u,
   and y - Xw - (v - z) = 0, which holds from the start. */
static void newton(struct interior_point *work)
{
    for (int64_t i = 0; i < work->n; i++)
        work->right[i] = work->q[i] > 0.0
                             ? work->q[i] * (work->low_part[i] / work->low[i] - work->high_part[i] / work->high[i])
                             : 0.0;
    for (int32_t j = 0; j < work->p; j++)
        work->dw[j] = -work->missing[j];
    linpred__normal_times_transposed(&work->equations, work->right, 1.0, work->dw);
    linpred__normal_solve(&work->equations, work->dw);
    linpred__normal_times(&work->equations, work->dw, 0.0, work->value);
    for (int64_t i = 0; i < work->n; i++) {
        work->step[i] = work->right[i] - work->q[i] * work->value[i];
        if (work->q[i] > 0.0) {
            work->dz[i] = (work->low_part[i] - work->z[i] * work->step[i]) / work->low[i];
            work->dv[i] = (work->high_part[i] + work->v[i] * work->step[i]) / work->high[i];
        }
    }
}

/* The largest t <= 1 that keeps x + sign t dx >= 0. */
static double longest(int64_t n, const double *x, const double *dx, double sign, double t)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] + sign * t * dx[i] < 0.0)
            t = x[i] / -(sign * dx[i]);
    return t;
}

static void step_lengths(const struct interior_point *work, double *primal, double *dual)
{
    *primal = longest(work->n, work->high, work->step, -1.0, longest(work->n, work->low, work->step, 1.0, 1.0));
    *dual = longest(work->n, work->v, work->dv, 1.0, longest(work->n, work->z, work->dz, 1.0, 1.0));
}

/* The aim for μ after the predictor, and the products that the corrector wants to change. */
static void correct_products(struct interior_point *work, double mu)
{
    double primal, dual, reached = 0.0;
    int64_t bounds = 0;
    step_lengths(work, &primal, &dual);
    for (int64_t i = 0; i < work->n; i++) {
        if (!(work->q[i] > 0.0))
            continue;
        reached += (work->low[i] + primal * work->step[i]) * (work->z[i] + dual * work->dz[i]) +
                   (work->high[i] - primal * work->step[i]) * (work->v[i] + dual * work->dv[i]);
        bounds += 2;
    }
    double ratio = reached / ((double)bounds * mu), aim = ratio * ratio * ratio * mu;
    for (int64_t i = 0; i < work->n; i++) {
        work->low_part[i] += aim - work->step[i] * work->dz[i];
        work->high_part[i] += aim + work->step[i] * work->dv[i];
    }
}

/* -(X'a + c) */
static void measure_balance(struct interior_point *work)
{
    for (int32_t j = 0; j < work->p; j++)
        work->missing[j] = work->problem->c[j];
    for (int64_t i = 0; i < work->n; i++)
        work->right[i] = work->low[i] - work->problem->down[i];
    linpred__normal_times_transposed(&work->equations, work->right, 1.0, work->missing);
    for (int32_t j = 0; j < work->p; j++)
        work->missing[j] = -work->missing[j];
}

static void set_weights(struct interior_point *work)
{
    for (int64_t i = 0; i < work->n; i++)
        work->q[i] = has_slope(work, i) ? 1.0 / (work->z[i] / work->low[i] + work->v[i] / work->high[i]) : 0.0;
}

static bool move_point(struct interior_point *work, double mu)
{
    set_weights(work);
    if (!linpred__normal_factor(&work->equations, work->q, NULL))
        return false;
    measure_balance(work);
    for (int64_t i = 0; i < work->n; i++) {
        work->low_part[i] = -work->low[i] * work->z[i];
        work->high_part[i] = -work->high[i] * work->v[i];
    }
    newton(work);
    correct_products(work, mu);
    newton(work);
    double primal, dual;
    step_lengths(work, &primal, &dual);
    primal *= LINPRED__ABSOLUTE_STEP;
    dual *= LINPRED__ABSOLUTE_STEP;
    cblas_daxpy((int)work->n, primal, work->step, 1, work->low, 1);
    cblas_daxpy((int)work->n, -primal, work->step, 1, work->high, 1);
    cblas_daxpy((int)work->n, dual, work->dz, 1, work->z, 1);
    cblas_daxpy((int)work->n, dual, work->dv, 1, work->v, 1);
    cblas_daxpy(work->p, dual, work->dw, 1, work->w, 1);
    return true;
}

static bool converge(struct interior_point *work)
{
    const linpred__absolute *problem = work->problem;
    if (!start_point(work))
        return false;
    for (int step = 0; step < LINPRED__ABSOLUTE_INTERIOR_STEPS; step++) {
        double gap, mu = measure_point(work, &gap);
        if (gap <= LINPRED__ABSOLUTE_INTERIOR_GAP)
            return true;
        if (!isfinite(gap) || (problem->stop && problem->stop(problem->context)) || !move_point(work, mu))
            return false;
    }
    return false;
}

/* ---- the basis --------------------------------------------------------------------------------------------------- */

/* Elimination with the largest pivots of Q^1/2 X on the rows with the largest Q. */
static bool choose_basis(struct interior_point *work, int64_t *basis, bool *found)
{
    int64_t wanted = work->p + work->p / 2 + 8, count = 0;
    wanted = wanted < work->n ? wanted : work->n;
    set_weights(work);
    memcpy(work->right, work->q, (size_t)work->n * sizeof(double));
    double least = linpred__select_number(work->right, work->n, work->n - wanted);
    double *matrix = linpred__alloc((size_t)(wanted * work->p), sizeof(double));
    int64_t *row = linpred__alloc((size_t)wanted, sizeof *row);
    lapack_int *pivot = linpred__alloc((size_t)work->p, sizeof *pivot);
    bool made = matrix && row && pivot;
    for (int64_t i = 0; made && i < work->n && count < wanted; i++)
        if (work->q[i] >= least)
            row[count++] = i;
    for (int64_t k = 0; made && k < count; k++)
        for (int32_t j = 0; j < work->p; j++)
            matrix[j * count + k] = sqrt(work->q[row[k]]) * work->problem->x[j * work->n + row[k]];
    *found = made && count >= work->p &&
             LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, (int)count, work->p, matrix, (int)count, pivot) == 0;
    for (int32_t k = 0; *found && k < work->p; k++) {
        int64_t held = row[k];
        row[k] = row[pivot[k] - 1];
        row[pivot[k] - 1] = held;
        basis[k] = row[k];
    }
    linpred__release(matrix);
    linpred__release(row);
    linpred__release(pivot);
    return made;
}

bool linpred__absolute_interior(const linpred__absolute *problem, int64_t *basis, bool *found)
{
    struct interior_point work = {.problem = problem, .n = problem->rows, .p = problem->columns};
    work.equations =
        (linpred__normal_equations){.rows = work.n, .columns = work.p, .x = problem->x, .pool = problem->pool};
    *found = false;
    bool made = open_interior_point(&work);
    if (made) {
        linpred__blas_enter();
        if (converge(&work))
            made = choose_basis(&work, basis, found);
        linpred__blas_leave();
        made = made && !work.equations.no_memory;
    }
    close_interior_point(&work);
    return made;
}
